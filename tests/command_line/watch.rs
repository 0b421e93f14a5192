//! `--watch`: every change of a file is answered, however it comes about, and nothing else is.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use super::{BROKEN, Place, SHOP};

/// A change that is not answered in this time is not noticed.
const PATIENCE: Duration = Duration::from_secs(20);
/// What is not answered in this time is not answered.
const QUIET: Duration = Duration::from_millis(700);

/// A run that goes on.
struct Watching {
    child: Child,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
}

impl Watching {
    fn start(place: &Place, arguments: &[&str]) -> Self {
        let mut child = place
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = lines(child.stdout.take().unwrap());
        let stderr = lines(child.stderr.take().unwrap());
        Self {
            child,
            stdout,
            stderr,
        }
    }

    /// The report of one run: its last line, and what was said on standard error up to the line
    /// that ends it.
    fn report(&self) -> (String, Vec<String>) {
        let mut said = Vec::new();
        loop {
            let line = self.stderr.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|error| panic!("{error}: {said:?}"));
            if line.starts_with("watching ") {
                said.push(line);
                break;
            }
            said.push(line);
        }
        let mut last = String::new();
        while let Ok(line) = self.stdout.recv_timeout(QUIET / 10) {
            last = line;
        }
        (last, said)
    }

    /// A report, whose separator says what changed.
    fn report_of(&self, change: &str) -> String {
        let (last, said) = self.report();
        assert!(
            said.contains(&format!("--- {change}")),
            "{change}: {said:?}"
        );
        last
    }

    fn is_quiet(&self) {
        let line = self.stderr.recv_timeout(QUIET);
        assert!(line.is_err(), "{line:?}");
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

#[test]
fn a_file_is_checked_again_however_it_changes() {
    let place = Place::with_shop();
    let watching = Watching::start(&place, &["check", "policy.co", "--watch"]);
    let (last, said) = watching.report();
    assert_eq!(last, "no findings in policy.co");
    assert_eq!(said, ["watching 1 file; Ctrl-C ends"]);

    // Written in place, by an editor that is not done yet.
    place.write("policy.co", BROKEN);
    assert_eq!(
        watching.report_of("policy.co changed"),
        "1 error in policy.co"
    );
    // Written beside it and renamed.
    place.write(".policy.co.swp", SHOP);
    fs::rename(place.path(".policy.co.swp"), place.path("policy.co")).unwrap();
    assert_eq!(
        watching.report_of("policy.co changed"),
        "no findings in policy.co"
    );
    // Moved away, and written anew.
    fs::rename(place.path("policy.co"), place.path("policy.co~")).unwrap();
    assert_eq!(
        watching.report_of("policy.co is gone"),
        "1 error in policy.co"
    );
    place.write("policy.co", SHOP);
    assert_eq!(
        watching.report_of("policy.co is new"),
        "no findings in policy.co"
    );

    // Read, touched, written with the bytes that it has; and another file.
    let _ = place.read("policy.co");
    place.write("policy.co", SHOP);
    place.write("other.co", BROKEN);
    place.write("rulebook.ir.json", "{}");
    watching.is_quiet();
    place.write("policy.co", BROKEN);
    assert_eq!(
        watching.report_of("policy.co changed"),
        "1 error in policy.co"
    );
}

#[test]
fn a_project_is_watched_with_its_own_file_and_for_new_ones() {
    let place = Place::new();
    let text = "[[rulebook]]\npath = \"policies/**/*.co\"\nout-dir = \"opa/{stem}\"\n";
    place.write("rulebook.toml", text);
    place.write("policies/refunds.co", SHOP);
    let watching = Watching::start(&place, &["check", "--watch"]);
    assert_eq!(watching.report().0, "no findings in 2 files");
    place.write("policies/more/deep/transfers.co", SHOP);
    let new = "policies/more/deep/transfers.co is new";
    assert_eq!(watching.report_of(new), "no findings in 3 files");
    place.write("policies/more/deep/transfers.co", BROKEN);
    let changed = "policies/more/deep/transfers.co changed";
    assert_eq!(watching.report_of(changed), "1 error in 3 files");
    // The project's file may be wrong for a while.
    place.write("rulebook.toml", "[[rulebook]]\n");
    assert_eq!(
        watching.report_of("rulebook.toml changed"),
        "1 error in rulebook.toml"
    );
    place.write("rulebook.toml", text);
    assert_eq!(
        watching.report_of("rulebook.toml changed"),
        "1 error in 3 files"
    );
    fs::remove_dir_all(place.path("policies/more")).unwrap();
    let gone = "policies/more/deep/transfers.co is gone";
    assert_eq!(watching.report_of(gone), "no findings in 2 files");
    // Artifacts are no reason to check again.
    place.succeed(&["emit"]);
    watching.is_quiet();
    // A folder that is made anew is watched again.
    fs::remove_dir_all(place.path("policies")).unwrap();
    assert_eq!(
        watching.report_of("policies/refunds.co is gone"),
        "1 error in rulebook.toml"
    );
    place.write("policies/refunds.co", SHOP);
    assert_eq!(
        watching.report_of("policies/refunds.co is new"),
        "no findings in 2 files"
    );
    place.write("policies/refunds.co", BROKEN);
    assert_eq!(
        watching.report_of("policies/refunds.co changed"),
        "1 error in 2 files"
    );
}

#[test]
fn a_folder_is_watched_for_new_files() {
    let place = Place::new();
    place.write("p/a.co", SHOP);
    let watching = Watching::start(&place, &["check", "p", "--watch", "--format", "json"]);
    watching.report();
    place.write("p/b/c.co", SHOP);
    assert_eq!(watching.report_of("p/b/c.co is new"), "}");
    place.write("p/.git/c.co", SHOP);
    place.write("p/readme.md", SHOP);
    watching.is_quiet();
}

#[test]
fn what_cannot_be_watched_ends_at_once() {
    let place = Place::with_shop();
    for (arguments, code) in [
        (&["check", "-", "--watch"][..], "RB0815"),
        (&["check", "--watch"], "RB0813"),
    ] {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert!(ran.stderr.starts_with(&format!("error[{code}]")), "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn it_ends_when_nobody_reads_it_and_by_a_signal() {
    use std::os::unix::process::ExitStatusExt;
    let place = Place::with_shop();
    let mut child = place
        .command(&["check", "policy.co", "--watch"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    place.write("policy.co", BROKEN);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.ends_with("--- policy.co changed\n"), "{stderr}");

    let mut watching = Watching::start(&place, &["check", "policy.co", "--watch"]);
    watching.report();
    let id = watching.child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-INT", &id])
        .status();
    assert!(sent.unwrap().success());
    // A shell says 130 of that.
    assert_eq!(watching.child.wait().unwrap().signal(), Some(2));
}

#[test]
fn tests_run_again_when_they_or_the_rulebook_change() {
    let place = Place::with_shop();
    let tests = "cases:\n  - name: paid\n    tool: refund_card\n    \
                 context: {order_paid: true}\n    want: allow\n";
    place.write("policy.test.yaml", tests);
    let watching = Watching::start(&place, &["test", "policy.co", "--watch"]);
    let (last, said) = watching.report();
    assert_eq!(last, "policy.test.yaml: 1 passed, 0 failed");
    assert_eq!(said, ["watching 2 files; Ctrl-C ends"]);
    place.write("policy.test.yaml", tests.replace("true", "false"));
    let last = watching.report_of("policy.test.yaml changed");
    assert_eq!(last, "policy.test.yaml: 0 passed, 1 failed");
    place.write(
        "policy.co",
        SHOP.replace("if $order_paid", "if not $order_paid"),
    );
    let last = watching.report_of("policy.co changed");
    assert_eq!(last, "policy.test.yaml: 1 passed, 0 failed");
}
