//! A real OPA as a server on a port of this machine, asked over HTTP; it ends with its guard.

use std::ffi::OsStr;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::opa::Opa;

/// How long a server may take to be ready, and an answer to come.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often a port is chosen anew, where somebody else was faster to take it.
const ATTEMPTS: usize = 5;

/// An OPA that serves; dropping it ends its process.
pub struct OpaServer {
    child: Child,
    port: u16,
    /// Its log.
    folder: tempfile::TempDir,
}

impl OpaServer {
    /// `opa run --server` with these arguments behind it, such as `-b` and a bundle, or files to
    /// load, seen from `directory`; ready to answer.
    ///
    /// # Errors
    /// All that it said, where it ended before it was ready.
    pub fn start<A: AsRef<OsStr>>(
        opa: &Opa,
        directory: &Path,
        arguments: &[A],
    ) -> Result<Self, String> {
        let mut said = String::new();
        for _ in 0..ATTEMPTS {
            // A port that was free a moment ago; OPA cannot tell which it was given for port 0.
            let port = TcpListener::bind("127.0.0.1:0")
                .and_then(|listener| listener.local_addr())
                .expect("a free port")
                .port();
            let mut server = Self::spawn(opa, directory, arguments, port);
            match server.wait() {
                Ok(()) => return Ok(server),
                Err(log) => said = log,
            }
            if !said.contains("address already in use") {
                break;
            }
        }
        Err(said)
    }

    fn spawn<A: AsRef<OsStr>>(opa: &Opa, directory: &Path, arguments: &[A], port: u16) -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let log = std::fs::File::create(folder.path().join("log")).expect("a file is created");
        let child = Command::new(opa.path())
            .args(["run", "--server", "--disable-telemetry"])
            .arg("--addr")
            .arg(format!("127.0.0.1:{port}"))
            .args(arguments)
            .current_dir(directory)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a second handle"))
            .stderr(log)
            .spawn()
            .expect("STALWART_OPA runs");
        Self {
            child,
            port,
            folder,
        }
    }

    /// Waits until it answers, or has ended.
    fn wait(&mut self) -> Result<(), String> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child can be asked") {
                return Err(format!("opa run: {status}\n{}", self.log()));
            }
            if self.try_ask("GET", "/health", "").is_ok_and(is_good) {
                // Somebody else's server may answer on the port while ours cannot have it.
                std::thread::sleep(Duration::from_millis(20));
                match self.child.try_wait().expect("a child can be asked") {
                    None => return Ok(()),
                    Some(status) => return Err(format!("opa run: {status}\n{}", self.log())),
                }
            }
            assert!(
                start.elapsed() < PATIENCE,
                "opa is not ready\n{}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// All that it has said so far.
    pub fn log(&self) -> String {
        let bytes = std::fs::read(self.folder.path().join("log")).expect("a log");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The status and the body that it answers with.
    ///
    /// # Panics
    /// It does not answer.
    pub fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        self.try_ask(method, path, body)
            .unwrap_or_else(|error| panic!("{method} {path}: {error}\n{}", self.log()))
    }

    /// `POST /v1/data/PATH` with an input: the document's value; none where it is undefined.
    ///
    /// # Panics
    /// Any other answer than 200, or one that is no JSON.
    pub fn document(&self, path: &str, input: &str) -> Option<Value> {
        let body = format!("{{\"input\":{input}}}");
        let (status, text) = self.ask("POST", &format!("/v1/data/{path}"), &body);
        assert_eq!(status, 200, "{path} {input}: {text}");
        let mut answer: Value = serde_json::from_str(&text).expect("JSON");
        answer.get_mut("result").map(Value::take)
    }

    fn try_ask(&self, method: &str, path: &str, body: &str) -> std::io::Result<(u16, String)> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        // By HTTP/1.0, so that the answer ends with the connection and comes in one piece.
        write!(
            stream,
            "{method} {path} HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        let broken = || std::io::Error::other(format!("no answer: {text}"));
        let (head, body) = text.split_once("\r\n\r\n").ok_or_else(broken)?;
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        Ok((status.ok_or_else(broken)?, body.to_owned()))
    }
}

fn is_good((status, _): (u16, String)) -> bool {
    status == 200
}

impl Drop for OpaServer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_answers_and_says_why_it_does_not_start() {
    use super::sample::REGO;

    let Some(opa) = Opa::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sample.rego"), REGO).unwrap();
    let server = OpaServer::start(&opa, folder.path(), &["sample.rego"]).unwrap();
    let input = r#"{"tool":"t","context":{"amount":100}}"#;
    let answer = server.document("suite/sample/decision", input).unwrap();
    assert_eq!(answer, serde_json::json!({"decision": "allow", "rule": ""}));
    assert_eq!(server.document("suite/nothing", "{}"), None);
    let (status, text) = server.ask(
        "POST",
        "/v1/data/suite/sample/decision",
        r#"{"input":{"tool":"conflict"}}"#,
    );
    assert_eq!(status, 500, "{text}");
    let port = server.port;
    drop(server);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());

    std::fs::write(folder.path().join("sample.rego"), "package").unwrap();
    let Err(said) = OpaServer::start(&opa, folder.path(), &["sample.rego"]) else {
        panic!("a package that is none is served");
    };
    assert!(said.contains("rego_parse_error"), "{said}");
}
