//! From text to a tree: layout in Rust, the inside of a line by the grammar in `grammar/`.

pub mod tree;
