//! The page in a real browser: each scenario of `scenarios.mjs`.

use std::process::{Command, Stdio};

use crate::built::{given, root};

fn run(scenario: &str) {
    let variables = [
        "STALWART_PLAYGROUND",
        "STALWART_PLAYGROUND_MODULES",
        "STALWART_BROWSER",
    ];
    let mut command = Command::new("node");
    for variable in variables {
        let Some(value) = given(variable) else {
            return;
        };
        command.env(variable, value);
    }
    let script = root().join("tests/playground/scenarios.mjs");
    let output = command
        .arg(script)
        .arg(scenario)
        .stdin(Stdio::null())
        .output()
        .expect("Node.js runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    println!("{said}");
    assert!(output.status.success(), "{scenario}: {said}\n{complained}");
    assert!(said.contains(&format!("passed {scenario}")), "{said}");
}

macro_rules! scenarios {
    ($($name:ident)+) => {
        $(
            #[test]
            fn $name() {
                run(stringify!($name));
            }
        )+
        /// The scenarios that there are tests for.
        const TESTED: &[&str] = &[$(stringify!($name)),+];
    };
}

scenarios! {
    typing_shows_findings_and_fixes
    a_call_is_decided_and_explained
    numbers_stay_as_they_are_typed
    artifacts_and_pictures_are_shown
    a_link_brings_everything_back
    broken_links_are_said_in_words
    hostile_links_are_only_text
    only_the_last_text_counts
    a_failure_is_said_and_survived
    a_trap_of_the_compiler_is_said
    everything_is_reached_by_keyboard
    a_phone_shows_one_column
    colours_have_contrast
    the_first_paint_is_fast
}

#[test]
fn each_scenario_has_a_test() {
    let path = root().join("tests/playground/scenarios.mjs");
    let text = std::fs::read_to_string(path).expect("the scenarios");
    let written: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("  async ")?.split('(').next())
        .collect();
    assert_eq!(written, TESTED);
}
