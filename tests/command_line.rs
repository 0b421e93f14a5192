//! The command line, through the binary: what is printed where, and how it ends.

mod check;
mod companions;
mod conformance;
mod difference;
mod documentation;
mod emit;
mod eval;
mod exit_codes;
mod files;
mod fixing;
mod fmt;
mod graph;
mod harm;
mod init;
mod manual;
mod project;
mod reports;
mod revisions;
mod streams;
mod strictness;
mod surroundings;
mod watch;

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A rulebook without errors, warnings or notes.
pub const SHOP: &str = "\
define bot refuse
  \"An order that is not paid cannot be refunded.\"

define flow refunds
  if $order_paid
    execute refund_card
  else
    bot refuse
";

/// A rulebook with a syntax error on its second line.
pub const BROKEN: &str = "define flow refunds\n  execute (\n";

/// What a run printed, and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("the run was ended by a signal"),
            stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        }
    }
}

/// A folder of its own for one test, in which the binary runs.
pub struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// An empty folder.
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A folder with `policy.co`, the [`SHOP`].
    pub fn with_shop() -> Self {
        let place = Self::new();
        place.write("policy.co", SHOP);
        place
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Names of the files in a folder, hidden ones too.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_RulebookTranslator"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("NO_COLOR")
            .env("STALWART_OPA", "no-opa-here")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    /// Runs with `input` on standard input.
    pub fn run_with(&self, arguments: &[impl AsRef<OsStr>], input: impl AsRef<[u8]>) -> Ran {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        let writer = std::thread::spawn(move || {
            // A run that ends early need not read all of it.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output.into()
    }

    /// Runs what must succeed.
    pub fn succeed(&self, arguments: &[impl AsRef<OsStr>]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
        ran
    }
}
