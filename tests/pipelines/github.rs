//! `action.yml`, step by step, with the environment that GitHub's runner gives a composite action.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::repository::{Change, Ran, Repository};
use super::{read_yaml, text};
use crate::compiled::root;

/// A run of the action.
struct Action<'a> {
    repository: &'a Repository,
    /// What the runner keeps for itself.
    temporary: tempfile::TempDir,
    /// What stands for an expression.
    values: BTreeMap<String, String>,
    path: Vec<PathBuf>,
}

/// How each step that ran ended, by name, and the summary.
struct Outcome {
    steps: BTreeMap<String, Ran>,
    summary: String,
}

impl Outcome {
    fn code(&self, step: &str) -> Option<i32> {
        self.steps.get(step).map(|ran| ran.code)
    }

    fn failed(&self) -> Vec<&str> {
        let failed = self.steps.iter().filter(|(_, ran)| ran.code != 0);
        failed.map(|(name, _)| name.as_str()).collect()
    }
}

const CHECK: &str = "Check the rulebooks";
const EMIT: &str = "Check that the Rego is current";
const TEST: &str = "Run the tests";
const DIFF: &str = "Say what the change newly allows";
const BUILD: &str = "Build the translator";

impl<'a> Action<'a> {
    /// With some inputs, and the default of each other.
    fn new(repository: &'a Repository, base: &str, inputs: &[(&str, &str)]) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let mut values = BTreeMap::new();
        let action = read_yaml("action.yml");
        for (name, input) in action["inputs"].as_object().unwrap() {
            let given = inputs.iter().find(|(given, _)| given == name);
            let value = given.map_or(text(input, "default"), |(_, value)| value);
            values.insert(format!("inputs.{name}"), value.to_owned());
        }
        let asked = values["inputs.base"].clone();
        let base = if asked.is_empty() {
            base.to_owned()
        } else {
            asked
        };
        values.insert(
            "inputs.base || github.event.pull_request.base.sha".to_owned(),
            base,
        );
        values.insert(
            "github.action_path".to_owned(),
            root().display().to_string(),
        );
        let folder = temporary.path().display().to_string();
        values.insert("runner.temp".to_owned(), folder);
        let tools = temporary.path().join("cargo");
        fs::create_dir(&tools).unwrap();
        repository.with_cargo(&tools);
        Self {
            repository,
            temporary,
            values,
            path: vec![tools],
        }
    }

    /// Puts in what stands for the expressions of a text.
    fn evaluate(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("${{") {
            let (expression, after) = behind.split_once("}}").expect("an expression ends");
            let value = self.values.get(expression.trim());
            out.push_str(before);
            out.push_str(value.unwrap_or_else(|| panic!("what is {expression}?")));
            rest = after;
        }
        out + rest
    }

    /// Whether a step runs: no condition is one that all before it have passed.
    fn is_due(&self, step: &Value, outcome: &Outcome, is_cached: bool) -> bool {
        let has_passed = outcome.failed().is_empty();
        let was_checked = outcome.steps.contains_key(CHECK);
        match step.get("if").map(|condition| condition.as_str().unwrap()) {
            None => has_passed,
            Some("${{ steps.cache.outputs.cache-hit != 'true' }}") => has_passed && !is_cached,
            Some("${{ !cancelled() && steps.check.conclusion != 'skipped' }}") => was_checked,
            Some(
                "${{ !cancelled() && steps.check.conclusion != 'skipped' && inputs.tests == 'true' }}",
            ) => was_checked && self.values["inputs.tests"] == "true",
            Some(other) => panic!("the condition {other} is not known here"),
        }
    }

    fn run(mut self, is_cached: bool) -> Outcome {
        let file = |name: &str| self.temporary.path().join(name);
        let [summary, output, path] = ["summary", "output", "path"].map(file);
        for file in [&summary, &output, &path] {
            fs::write(file, "").unwrap();
        }
        let mut outcome = Outcome {
            steps: BTreeMap::new(),
            summary: String::new(),
        };
        let action = read_yaml("action.yml");
        for step in action.pointer("/runs/steps").unwrap().as_array().unwrap() {
            if !self.is_due(step, &outcome, is_cached) {
                continue;
            }
            let Some(script) = step.get("run") else {
                // What others wrote is not run; it must be told which version of it.
                let (_, version) = text(step, "uses").split_once('@').expect("a version");
                assert!(!version.is_empty());
                continue;
            };
            assert_eq!(step["shell"], "bash");
            let mut env = vec![
                ("GITHUB_STEP_SUMMARY".to_owned(), shown(&summary)),
                ("GITHUB_OUTPUT".to_owned(), shown(&output)),
                ("GITHUB_PATH".to_owned(), shown(&path)),
            ];
            for (name, value) in step["env"].as_object().unwrap() {
                env.push((name.clone(), self.evaluate(value.as_str().unwrap())));
            }
            let ran = self
                .repository
                .run(script.as_str().unwrap(), &self.path, &env);
            outcome.steps.insert(text(step, "name").to_owned(), ran);
            let more = fs::read_to_string(&path).unwrap();
            self.path.extend(more.lines().map(PathBuf::from));
            fs::write(&path, "").unwrap();
        }
        let key = fs::read_to_string(&output).unwrap();
        let key = key.strip_prefix("key=").unwrap().trim();
        assert!(
            key.len() >= 40 && key.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{key}"
        );
        outcome.summary = fs::read_to_string(&summary).unwrap();
        outcome
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn no_expression_stands_in_a_script() {
    let action = read_yaml("action.yml");
    let mut scripts = 0;
    for step in action.pointer("/runs/steps").unwrap().as_array().unwrap() {
        let script = step
            .get("run")
            .map_or("", |script| script.as_str().unwrap());
        assert!(!script.contains("${{"), "{script}");
        scripts += usize::from(!script.is_empty());
    }
    assert_eq!(scripts, 6);
}

#[test]
fn a_repository_in_order_passes() {
    let repository = Repository::new();
    let outcome = Action::new(&repository, &repository.base(), &[]).run(false);
    assert_eq!(outcome.failed(), [""; 0], "{:?}", outcome.steps);
    for step in [BUILD, CHECK, EMIT, TEST, DIFF] {
        assert_eq!(outcome.code(step), Some(0), "{step}");
    }
    let tests = repository.read("rulebook-reports/tests.xml");
    assert!(
        tests.contains("<testsuite") && tests.contains("a paid order is refunded"),
        "{tests}"
    );
    assert_eq!(outcome.summary, repository.read("rulebook-reports/diff.md"));
}

#[test]
fn what_is_cached_is_not_built() {
    let repository = Repository::new();
    let action = Action::new(
        &repository,
        "",
        &[("tests", "false"), ("project", "./rulebook.toml")],
    );
    // It is where the cache puts it.
    let folder = action.temporary.path().join("rulebook-translator/bin");
    fs::create_dir_all(&folder).unwrap();
    super::repository::link(&folder);
    let outcome = action.run(true);
    assert_eq!(outcome.failed(), [""; 0], "{:?}", outcome.steps);
    assert_eq!((outcome.code(BUILD), outcome.code(TEST)), (None, None));
    // Without a pull request there is nothing to compare with.
    assert!(
        outcome.steps[DIFF]
            .said
            .contains("no revision to compare with")
    );
}

#[test]
fn each_step_fails_for_what_it_is_for_and_the_others_still_run() {
    let cases: [(&[&str], Change); 4] = [
        (&[EMIT], |repository| {
            repository.edit("opa/refunds/Rulebook.rego", "100", "1000");
        }),
        (&[CHECK, EMIT, TEST, DIFF], |repository| {
            repository.edit("policies/refunds.co", "    execute", "    excute");
        }),
        (&[TEST], |repository| {
            repository.edit("policies/refunds.test.yaml", "amount: 20", "amount: 200");
        }),
        (&[DIFF], |repository| {
            repository.edit("policies/refunds.co", "100", "1000");
            repository.succeed("RulebookTranslator emit");
        }),
    ];
    for (failed, change) in cases {
        let repository = Repository::new();
        let base = repository.base();
        change(&repository);
        repository.commit();
        let outcome = Action::new(&repository, &base, &[]).run(false);
        let mut wanted = failed.to_vec();
        wanted.sort_unstable();
        assert_eq!(outcome.failed(), wanted, "{:?}", outcome.steps);
        for step in [CHECK, EMIT, TEST, DIFF] {
            assert!(outcome.code(step).is_some(), "{step}");
        }
        if failed.contains(&CHECK) {
            let said = &outcome.steps[CHECK].said;
            assert!(
                said.starts_with("::error file=policies/refunds.co,line=6,"),
                "{said}"
            );
        }
        if failed == [DIFF] {
            assert!(
                outcome.summary.contains("refund_card"),
                "{}",
                outcome.summary
            );
            // Somebody else may not mind.
            for deny in ["nothing", "widening"] {
                let action = Action::new(&repository, "", &[("base", &base), ("deny", deny)]);
                let code = action.run(false).code(DIFF);
                assert_eq!(code, Some(i32::from(deny == "widening")));
            }
        }
    }
}

#[test]
fn an_input_is_no_part_of_a_script() {
    let hostile = "$(touch pwned)`touch pwned`; touch pwned #\n touch pwned\n'\"";
    for input in ["project", "base", "deny", "reports", "tests"] {
        let repository = Repository::new();
        let base = repository.base();
        let inputs = [(input, hostile)];
        Action::new(&repository, &base, &inputs).run(false);
        assert!(!repository.path("pwned").exists(), "{input}");
    }
    let repository = Repository::new();
    let inputs = [("base", "--output=pwned"), ("reports", "--help")];
    let outcome = Action::new(&repository, "", &inputs).run(false);
    assert_ne!(outcome.code(DIFF), Some(0));
    assert!(!repository.path("pwned").exists());
}
