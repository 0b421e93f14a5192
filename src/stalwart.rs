//! The command line of the gateway.

use stalwart::stalwart_command::{self, ExitStatus};

fn main() -> ExitStatus {
    stalwart_command::main()
}
