//! Where the programs are, and how they are run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What is said without the programs.
const SKIPPED: &str = "
!!! SKIPPED: STALWART_CLIENTS is not set, so no program of others was put before the gateway.
!!! Run scripts/test-clients, or set it to the folder that it prints with --install-only.

";

/// A client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// The official one for JavaScript.
    JavaScript,
    /// The official one for Python.
    Mcp,
    /// `fastmcp`, for Python.
    FastMcp,
}

/// The programs of this run.
#[derive(Clone, Debug)]
pub struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// The programs, if there are any; without, what is said, or in CI a failure.
    pub fn find() -> Option<Self> {
        let folder = std::env::var_os("STALWART_CLIENTS").filter(|folder| !folder.is_empty());
        if folder.is_none() {
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "STALWART_CLIENTS is not set, and in CI no test with other programs is skipped"
            );
            // Not `eprintln!`, which is captured where a test passes.
            let said = std::io::stderr().write_all(SKIPPED.as_bytes());
            said.expect("standard error is open");
        }
        let folder = PathBuf::from(folder?);
        Some(Self { folder })
    }

    /// The conformance suite.
    pub fn conformance(&self) -> Command {
        let mut command = self.node();
        command.arg(
            self.modules()
                .join("@modelcontextprotocol/conformance/dist/index.js"),
        );
        command
    }

    /// A client with what it is to do; `drivers/` says what that is.
    pub fn client(&self, client: Client, arguments: [&str; 4]) -> Command {
        let drivers = drivers();
        let mut command = match client {
            Client::JavaScript => {
                let mut command = self.node();
                command.arg(drivers.join("client.mjs"));
                command
            }
            Client::Mcp | Client::FastMcp => {
                let mut command = quiet(self.folder.join("python/bin/python"));
                command.arg(drivers.join("client.py"));
                command.arg(if client == Client::Mcp {
                    "mcp"
                } else {
                    "fastmcp"
                });
                command
            }
        };
        command
            .args(arguments)
            .env("STALWART_CLIENTS", &self.folder);
        command
    }

    /// The suite with a client to run: the agent of `drivers/agent.mjs`, which asks for its gateway
    /// at an address.
    pub fn conformance_of_client(&self, control: &str) -> Command {
        let mut command = self.conformance();
        let driver = drivers().join("agent.mjs");
        // The suite splits it at blanks.
        let run = format!(
            "{} {} {control}",
            self.modules().join(".bin/node").display(),
            driver.display()
        );
        command
            .args(["client", "--command", &run])
            .env("STALWART_CLIENTS", &self.folder);
        command
    }

    fn modules(&self) -> PathBuf {
        self.folder.join("node_modules")
    }

    fn node(&self) -> Command {
        quiet(self.modules().join(".bin/node"))
    }
}

fn drivers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/drivers")
}

/// A command that reads nothing, and whose output is for the test.
fn quiet(program: PathBuf) -> Command {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits for a program beside the servers of the test.
pub async fn output(mut command: Command) -> Output {
    let run = tokio::task::spawn_blocking(move || command.output());
    run.await.expect("no panic").expect("the program starts")
}
