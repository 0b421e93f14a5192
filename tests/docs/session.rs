//! A folder with the program in reach, where a document's examples and commands live.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::markdown::{Console, Decisions, Example, File, Habits};
use super::table;

/// The program, as it is typed in a clone of the repository.
const FROM_A_CLONE: &str = "cargo run --release --locked -- ";

/// Commands that sessions may use beside the program and `opa`.
const ORDINARY: [&str; 13] = [
    "cat",
    "cd",
    "cp",
    "diff",
    "echo",
    "git",
    "head",
    "mkdir",
    "mv",
    "printf",
    "sed",
    "sha256sum",
    "tail",
];

/// What the program is called.
const PROGRAM: &str = "RulebookTranslator";

/// What the gateway's program is called.
const GATEWAY: &str = "stalwart";

/// Ends the output of a command in a session; nothing prints it otherwise.
const MARK: &str = "\u{1}end of output\u{1}";

/// The folder of one document.
pub struct Session {
    folder: TempDir,
    commands: TempDir,
    opa: bool,
}

impl Session {
    /// A folder with the shop's rulebook, as in a clone, with a key, and with nothing else.
    pub fn new() -> Self {
        let session = Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
            commands: tempfile::tempdir().expect("a temporary folder"),
            opa: std::env::var_os("STALWART_OPA").is_some_and(|path| !path.is_empty()),
        };
        let link = |target: PathBuf, name: &str| {
            std::os::unix::fs::symlink(target, session.commands.path().join(name)).expect("a link");
        };
        link(env!("CARGO_BIN_EXE_RulebookTranslator").into(), PROGRAM);
        #[cfg(feature = "gateway")]
        link(env!("CARGO_BIN_EXE_stalwart").into(), GATEWAY);
        if session.opa {
            link(
                std::env::var_os("STALWART_OPA").expect("it is set").into(),
                "opa",
            );
        }
        let shop = session.folder.path().join("fixtures/shop");
        fs::create_dir_all(&shop).expect("a folder");
        fs::copy(
            super::repository("fixtures/shop/policy.co"),
            shop.join("policy.co"),
        )
        .expect("the shop");
        // What `openssl` makes on the page on bundles, and makes anew each time.
        for name in ["signing.pem", "verification.pem"] {
            let key = session.folder.path().join(name);
            fs::copy(super::repository("fixtures/keys").join(name), &key).expect("a key");
            let owner = std::os::unix::fs::PermissionsExt::from_mode(0o600);
            fs::set_permissions(key, owner).expect("a key of one's own");
        }
        let gateway = session.folder.path().join("fixtures/gateway/shop");
        fs::create_dir_all(&gateway).expect("a folder");
        for name in ["agent.yaml", "policy.co", "gateway.yaml"] {
            let from = super::repository("fixtures/gateway/shop").join(name);
            fs::copy(from, gateway.join(name)).expect("the shop's agents");
        }
        session
    }

    /// Writes an example, and checks that it has the findings it is said to have.
    pub fn check(&self, example: &Example) -> Result<(), String> {
        let path = self.folder.path().join(&example.name);
        match (path.exists(), example.revised) {
            (true, false) => return Err(format!("a second example named {}", example.name)),
            (false, true) => return Err(format!("no example {} to revise", example.name)),
            (true, true) | (false, false) => {}
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        fs::write(path, &example.text).expect("an example");
        let found = self.findings(&example.name)?;
        if found == example.findings {
            Ok(())
        } else {
            Err(format!(
                "the example should have {:?}, and has {found:?}",
                example.findings
            ))
        }
    }

    /// Writes a file that is no rulebook.
    pub fn write(&self, file: &File) -> Result<(), String> {
        let path = self.folder.path().join(&file.name);
        let folder = path.parent().ok_or("a file without a folder")?;
        fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        fs::write(path, &file.text).map_err(|error| error.to_string())
    }

    /// Checks that each line of a table is refused in a flow, and what stands beside it is not.
    pub fn refuse(&self, habits: &Habits) -> Result<(), String> {
        for (refused, accepted) in &habits.rows {
            for (line, is_refused) in [(refused, true), (accepted, false)] {
                let body = if line.starts_with("if ") {
                    "      bot mention it\n"
                } else {
                    ""
                };
                let text = format!("define flow probe\n  if $ready\n    {line}\n{body}");
                fs::write(self.folder.path().join("probe.co"), text).expect("an example");
                let findings = self.findings("probe.co")?;
                let has_error = findings.iter().any(|(severity, _)| severity == "error");
                if has_error != is_refused {
                    return Err(format!("`{line}` has {findings:?}"));
                }
            }
        }
        Ok(())
    }

    /// Errors and warnings of a file, as severity and code, sorted.
    fn findings(&self, name: &str) -> Result<Vec<(String, String)>, String> {
        let said = self.output(&["check", name, "--format", "json"], None)?;
        let report: Value =
            serde_json::from_str(&said).map_err(|error| format!("{error}: {said}"))?;
        let diagnostics = report.pointer("/files/0/diagnostics");
        let diagnostics = diagnostics.and_then(Value::as_array);
        let diagnostics = diagnostics.ok_or_else(|| format!("no diagnostics in {said}"))?;
        let text =
            |diagnostic: &Value, key: &str| diagnostic[key].as_str().unwrap_or_default().to_owned();
        let mut found: Vec<_> = diagnostics
            .iter()
            .map(|diagnostic| (text(diagnostic, "severity"), text(diagnostic, "code")))
            .filter(|(severity, _)| severity != "note")
            .collect();
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// Checks each row of a table.
    pub fn decide(&self, decisions: &Decisions) -> Result<(), String> {
        let calls = table::calls(&decisions.rows)?;
        let input: String = calls
            .iter()
            .map(|call| format!("{}\n", call.input))
            .collect();
        let said = self.output(&["eval", &decisions.name, "--input", "-"], Some(&input))?;
        let answers: Vec<_> = said.lines().collect();
        if answers.len() != calls.len() {
            return Err(format!("{} calls, and the answers are {said}", calls.len()));
        }
        let wrong: Vec<_> = calls
            .iter()
            .zip(answers)
            .filter(|(call, answer)| {
                serde_json::from_str::<Value>(answer).ok().as_ref() != Some(&call.want)
            })
            .map(|(call, answer)| format!("{}: {answer} instead of {}", call.input, call.want))
            .collect();
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(wrong.join("\n"))
        }
    }

    /// Runs the commands of a console block, one shell for all: what each of them prints.
    pub fn run(&self, console: &Console) -> Result<Vec<String>, String> {
        let mut script = String::new();
        for command in &console.commands {
            let typed = command.typed.replace(FROM_A_CLONE, &format!("{PROGRAM} "));
            for part in typed.split(" | ") {
                let first = part.split_whitespace().next().unwrap_or_default();
                match first {
                    "opa" if !self.opa => return self.without_opa(console),
                    "opa" | PROGRAM | GATEWAY => {}
                    ordinary if ORDINARY.contains(&ordinary) => {}
                    _ => return Err(format!("`{first}` is no command of the documentation")),
                }
            }
            script += &format!("{typed}\nstatus=$?; printf %s '{MARK}'; (exit $status)\n");
        }
        let said = self.commands.path().join("said");
        let output = fs::File::create(&said).expect("a file");
        let path = format!("{}:/usr/bin:/bin", self.commands.path().display());
        Command::new("sh")
            .args(["-c", &script])
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", path)
            .stdin(Stdio::null())
            .stdout(output.try_clone().expect("a file"))
            .stderr(output)
            .status()
            .expect("sh runs");
        let said = fs::read_to_string(said).map_err(|error| error.to_string())?;
        let mut parts: Vec<String> = said.split(MARK).map(str::to_owned).collect();
        if parts.pop().as_deref() != Some("") || parts.len() != console.commands.len() {
            return Err(format!("the session broke off: {said}"));
        }
        for part in &mut parts {
            if !part.is_empty() && !part.ends_with('\n') {
                part.push('\n');
            }
        }
        Ok(parts)
    }

    /// Takes a session as it stands, where there is no `opa` to ask.
    fn without_opa(&self, console: &Console) -> Result<Vec<String>, String> {
        if std::env::var("CI").is_ok_and(|value| value == "true") {
            return Err(
                "STALWART_OPA is not set, and in CI no session with opa is skipped".to_owned(),
            );
        }
        eprintln!(
            "!!! SKIPPED: STALWART_OPA is not set: the session at line {} was not run",
            console.line
        );
        Ok(console.output())
    }

    /// Standard output of the program, whatever its exit code.
    fn output(&self, arguments: &[&str], input: Option<&str>) -> Result<String, String> {
        let given = self.commands.path().join("input");
        fs::write(&given, input.unwrap_or_default()).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_RulebookTranslator"))
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(fs::File::open(given).expect("a file"))
            .output()
            .expect("the program runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        match String::from_utf8(output.stdout) {
            Ok(said) if !said.is_empty() => Ok(said),
            _ => Err(format!(
                "{PROGRAM} {}: {}\n{stderr}",
                arguments.join(" "),
                output.status
            )),
        }
    }
}

#[test]
fn an_example_is_new_and_a_revision_is_not() {
    let session = Session::new();
    let example = |revised| Example {
        line: 1,
        name: "a.co".to_owned(),
        revised,
        findings: Vec::new(),
        text: "define flow a\n  execute b\n".to_owned(),
    };
    assert!(session.check(&example(true)).is_err());
    assert_eq!(session.check(&example(false)), Ok(()));
    assert!(session.check(&example(false)).is_err());
    assert_eq!(session.check(&example(true)), Ok(()));
}
