//! The engines that run emitted Rego: a real OPA, of the oldest and of a new version, and
//! `regorus`.

mod batch;
pub mod opa;
pub mod opa_1_20;
mod opa_test;
pub mod regorus;
pub mod server;

use std::ffi::OsString;
use std::io::Write as _;

pub use batch::Batch;
use batch::read_decision;

/// Where an engine of this run is; without one, what is said, or in CI a failure.
fn setting(variable: &str, skipped: &str) -> Option<OsString> {
    let found = std::env::var_os(variable).filter(|path| !path.is_empty());
    if found.is_none() {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "{variable} is not set, and in CI no test of a real OPA is skipped"
        );
        // Not `eprintln!`, which is captured where a test passes.
        let said = std::io::stderr().write_all(skipped.as_bytes());
        said.expect("standard error is open");
    }
    found
}

/// A small package by hand, to test the harnesses with.
#[cfg(test)]
mod sample {
    use stalwart::evaluator::{Decision, Verdict};

    use super::*;

    pub const REGO: &str = r#"package suite.sample

import rego.v1

default decision := {"decision": "silent", "rule": ""}

decision := {"decision": "allow", "rule": ""} if {
	input.tool == "t"
	is_number(input.context.amount)
	input.context.amount <= 100
}

decision := {"decision": "refuse", "rule": "late\"\u202e"} if {
	input.tool == "t"
	is_number(input.context.amount)
	input.context.amount > 100
}

decision := {"decision": "clarify", "rule": "a"} if input.tool == "conflict"

decision := {"decision": "clarify", "rule": "b"} if input.tool == "conflict"
"#;

    pub fn batch(inputs: &[Option<&str>]) -> Batch {
        Batch {
            package: "suite.sample".to_owned(),
            rego: REGO.to_owned(),
            inputs: inputs
                .iter()
                .map(|input| input.map(str::to_owned))
                .collect(),
        }
    }

    pub fn decision(decision: Verdict, rule: &str) -> Decision {
        Decision {
            decision,
            rule: rule.to_owned(),
        }
    }
}
