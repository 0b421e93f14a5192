//! `opa test`: what it says of the tests of some packages, and which lines they reach.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::Value;

use super::opa::Opa;

/// What became of the tests of one package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
}

#[derive(Deserialize)]
struct Ran {
    package: String,
    #[serde(default)]
    fail: bool,
    #[serde(default)]
    error: Option<Value>,
}

impl Opa {
    /// Runs the tests of modules, and counts them by package of the tests. An error is that of the
    /// whole run: a module that is none.
    pub fn test(&self, modules: &[String]) -> Result<BTreeMap<String, Counts>, String> {
        let directory = written(modules);
        let (stdout, stderr) = self.ran(
            directory.path(),
            &["test", "--format=json", "--timeout=60s", "."],
        );
        let ran: Vec<Ran> =
            serde_json::from_str(&stdout).map_err(|error| format!("{error}: {stdout}{stderr}"))?;
        let mut counts = BTreeMap::<String, Counts>::new();
        for one in ran {
            let counts = counts.entry(one.package).or_default();
            match one.fail || one.error.is_some() {
                true => counts.failed += 1,
                false => counts.passed += 1,
            }
        }
        Ok(counts)
    }

    /// The lines of the first module, from 1, that the tests of all reach no part of.
    pub fn uncovered(&self, modules: &[String]) -> Vec<usize> {
        #[derive(Deserialize)]
        struct Report {
            files: BTreeMap<String, File>,
        }
        #[derive(Deserialize)]
        struct File {
            #[serde(default)]
            not_covered: Vec<Range>,
        }
        #[derive(Deserialize)]
        struct Range {
            start: Row,
            end: Row,
        }
        #[derive(Deserialize)]
        struct Row {
            row: usize,
        }
        let directory = written(modules);
        let (stdout, stderr) = self.ran(
            directory.path(),
            &["test", "--coverage", "--format=json", "--timeout=60s", "."],
        );
        let report: Report = serde_json::from_str(&stdout)
            .unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
        let first = report
            .files
            .iter()
            .find(|(path, _)| path.ends_with("p0.rego"));
        let ranges = first.iter().flat_map(|(_, file)| &file.not_covered);
        ranges
            .flat_map(|range| range.start.row..=range.end.row)
            .collect()
    }

    fn ran(&self, directory: &Path, arguments: &[&str]) -> (String, String) {
        let output = Command::new(self.path())
            .args(arguments)
            .current_dir(directory)
            .stdin(Stdio::null())
            .output()
            .expect("STALWART_OPA runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr))
    }
}

fn written(modules: &[String]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (index, rego) in modules.iter().enumerate() {
        let path = directory.path().join(format!("p{index}.rego"));
        std::fs::write(path, rego).expect("a file is written");
    }
    directory
}
