//! The bodies of the fuzz targets: each takes any bytes, and panics where a promise is broken.
//! The normal tests run them too, over the kept seeds, changed seeds and random bytes.

// With paths, since the normal tests use these files too.
#[path = "bodies/check_emit_decide.rs"]
pub mod check_emit_decide;
#[path = "bodies/fmt.rs"]
pub mod fmt;
#[path = "bodies/ir_load.rs"]
pub mod ir_load;
#[path = "bodies/json_context.rs"]
pub mod json_context;
#[path = "bodies/parse_bytes.rs"]
pub mod parse_bytes;
#[path = "bodies/points.rs"]
mod points;
