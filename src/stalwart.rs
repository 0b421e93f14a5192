//! The binary `stalwart`.
fn main() {}
