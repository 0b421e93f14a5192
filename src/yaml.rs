//! YAML with places: tests files and configuration files are read through here.
//!
//! What is read is the part of YAML 1.2 that says the same as JSON, by the rules of its core
//! schema: mappings with keys that are text, lists, text, numbers, `true`, `false`, `null`.
//! Anchors, aliases, tags, merge keys and several documents in a file are refused, each by name;
//! so no file means more than its text shows, and none grows when it is read. Numbers keep their
//! digits. A plain word that one reader of YAML takes for a number and another for text
//! (`0x10`, `1_000`, `007`, `.5`) is refused rather than guessed at.
//!
//! [`Fields`] reads a mapping key by key, and reports wrong kinds, missing keys and unknown ones
//! with what was probably meant.

mod faults;
mod fields;
mod reader;
mod scalar;
#[cfg(test)]
mod tests;
mod tree;
mod written;

pub use fields::{Fields, nearest};
pub use reader::{MAX_DEPTH, read};
pub use tree::{Content, Entry, Kind, Node, Text};
pub use written::{plain_or_quoted, quoted_text};
