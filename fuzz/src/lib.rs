//! What the fuzz targets do, in files that the normal tests share.

// The tests of these files belong to the normal suite.
#![allow(dead_code, reason = "the targets use a part of what the tests use")]

pub mod bodies;
pub mod engines;

#[path = "../../tests/generator.rs"]
pub mod generator;
