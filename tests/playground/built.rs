//! What the tests need, and what is said without it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The folder of this repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The value of a variable; without, what is said, or in CI a failure.
pub fn given(variable: &str) -> Option<PathBuf> {
    let value = std::env::var_os(variable).filter(|value| !value.is_empty());
    if value.is_none() {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "{variable} is not set, and in CI no test of the playground is skipped"
        );
        let said = format!(
            "\n!!! SKIPPED: {variable} is not set, so the playground was not tested.\n\
             !!! Run scripts/playground and scripts/browser; tests/playground/main.rs says how.\n\n"
        );
        // Not `eprintln!`, which is captured where a test passes.
        let said = std::io::stderr().write_all(said.as_bytes());
        said.expect("standard error is open");
    }
    value.map(|value| root().join(value))
}
