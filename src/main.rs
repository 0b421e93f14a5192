//! The command line of the rulebook compiler.

fn main() {}
