//! The command line of the rulebook compiler.

use stalwart::command_line::{self, ExitStatus};

fn main() -> ExitStatus {
    command_line::main()
}
