//! A Git repository with a project, and the program on the path.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A rulebook that is formatted and has no finding.
pub const POLICY: &str = "\
define bot refuse
  \"An order that is not paid cannot be refunded.\"

define flow refunds
  if $order_paid and $amount <= 100
    execute refund_card
  else
    bot refuse
";

/// Its tests.
pub const TESTS: &str = "\
rulebook: refunds.co
cases:
  - name: a paid order is refunded
    tool: refund_card
    context: {order_paid: true, amount: 20}
    want: allow
  - name: nothing is refunded without an order
    tool: refund_card
    context: {order_paid: false, amount: 20}
    want: {decision: refuse, rule: refuse}
";

/// What a script printed, and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub said: String,
}

/// What somebody does to a repository.
pub type Change = fn(&Repository);

/// A repository whose only commit has a project in order: checked, emitted, tested.
pub struct Repository {
    folder: tempfile::TempDir,
    tools: tempfile::TempDir,
}

impl Repository {
    pub fn new() -> Self {
        let repository = Self {
            folder: tempfile::tempdir().unwrap(),
            tools: tempfile::tempdir().unwrap(),
        };
        link(repository.tools.path());
        repository.write(
            "rulebook.toml",
            "[[rulebook]]\npath = \"policies/*.co\"\nout-dir = \"opa/{stem}\"\n",
        );
        repository.write("policies/refunds.co", POLICY);
        repository.write("policies/refunds.test.yaml", TESTS);
        repository.succeed("RulebookTranslator emit && git init -q -b main");
        repository.commit();
        repository
    }

    /// The first commit.
    pub fn base(&self) -> String {
        let ran = self.succeed("git rev-list --max-parents=0 HEAD");
        ran.said.trim().to_owned()
    }

    /// Commits everything.
    pub fn commit(&self) {
        self.succeed(
            "git add -A && git -c user.name=author -c user.email=author@shop.example \
             -c commit.gpgsign=false commit -q -m change",
        );
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// A folder for programs, first on the path; it has the translator.
    pub fn tools(&self) -> &Path {
        self.tools.path()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Replaces a part of a file.
    pub fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{text}");
        self.write(path, &text.replacen(from, to, 1));
    }

    /// Runs a script in the repository's root, as runners do: it ends at the first command that
    /// fails. `path` are folders that come before all others.
    pub fn run(&self, script: &str, path: &[PathBuf], env: &[(String, String)]) -> Ran {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), script).unwrap();
        let mut folders: Vec<PathBuf> = path.to_vec();
        folders.push(self.tools.path().to_path_buf());
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
        let path: OsString = std::env::join_paths(folders).unwrap();
        let output = Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail"])
            .arg(file.path())
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env("NO_COLOR", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .envs(env.iter().cloned())
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        Ran {
            code: output.status.code().expect("no signal"),
            said: String::from_utf8(said).unwrap(),
        }
    }

    pub fn succeed(&self, script: &str) -> Ran {
        let ran = self.run(script, &[], &[]);
        assert_eq!(ran.code, 0, "{script}\n{}", ran.said);
        ran
    }

    /// Puts a `cargo` in a folder that installs the translator without building it, and keeps what
    /// it was asked for in the file `asked` beside itself.
    pub fn with_cargo(&self, folder: &Path) {
        let script = format!(
            "#!/usr/bin/env bash\nset -eu\necho \"$@\" > \"${{0%/*}}/asked\"\n\
             [[ $1 == install && $2 == --locked && $3 == --path && $5 == --root ]]\n\
             [[ -f $4/Cargo.toml ]]\nmkdir -p \"$6/bin\"\nln -sf '{}' \"$6/bin/RulebookTranslator\"\n",
            env!("CARGO_BIN_EXE_RulebookTranslator")
        );
        let path = folder.join("cargo");
        fs::write(&path, script).unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
        fs::set_permissions(path, permissions).unwrap();
    }
}

/// Puts the translator into a folder.
pub fn link(folder: &Path) {
    std::os::unix::fs::symlink(
        env!("CARGO_BIN_EXE_RulebookTranslator"),
        folder.join("RulebookTranslator"),
    )
    .unwrap();
}
