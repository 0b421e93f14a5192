//! The official clients before the gateway, in both eras: each is asked to do one thing, and
//! judged are what it printed, what reached the server, and what the audit log says.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command};
use std::time::Duration;

use serde_json::{Value, json};

use super::programs::{self, Client, Programs};
use super::stage::{DESK, Stage};

/// An era of the protocol, as the drivers name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Era {
    Legacy,
    Modern,
}

/// A test for each cell of a client in an era.
macro_rules! cells {
    ($module:ident, $client:expr, $era:expr, [$($cell:ident),*]) => {
        mod $module {
            use super::*;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $cell() {
                    judge($client, $era, stringify!($cell)).await;
                }
            )*
        }
    };
}

cells!(
    javascript_legacy,
    Client::JavaScript,
    Era::Legacy,
    [list, call, approve, decline, cancel, late, vanish]
);
cells!(
    javascript_modern,
    Client::JavaScript,
    Era::Modern,
    [list, call, approve, decline, cancel, late, vanish]
);
cells!(
    mcp_legacy,
    Client::Mcp,
    Era::Legacy,
    [list, call, approve, decline, cancel, late, vanish]
);
cells!(
    mcp_modern,
    Client::Mcp,
    Era::Modern,
    [list, call, approve, decline, cancel, late, vanish]
);
cells!(
    fastmcp_legacy,
    Client::FastMcp,
    Era::Legacy,
    [list, call, approve]
);
cells!(
    fastmcp_modern,
    Client::FastMcp,
    Era::Modern,
    [list, call, approve]
);

/// What a client printed.
#[derive(Debug, Default)]
struct Said {
    tools: Vec<String>,
    asked: Vec<String>,
    result: Option<Value>,
}

impl Said {
    fn read(text: &str) -> Self {
        let mut said = Self::default();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).expect("a line of JSON");
            if let Some(tools) = line["tools"].as_array() {
                let name = |tool: &Value| tool.as_str().expect("a name").to_owned();
                said.tools = tools.iter().map(name).collect();
            }
            if let Some(asked) = line["asked"].as_str() {
                said.asked.push(asked.to_owned());
            }
            if line.get("result").or(line.get("error")).is_some() {
                said.result = Some(line);
            }
        }
        said
    }

    /// The reason of a refusal.
    fn reason(&self) -> Option<&str> {
        let result = self.result.as_ref()?;
        assert_eq!(result["is_error"], true, "{self:?}");
        assert_eq!(
            result["meta"]["stalwart"]["refused"], result["meta"]["dev.stalwart/reason"],
            "{self:?}"
        );
        result["meta"]["dev.stalwart/reason"].as_str()
    }

    /// Whether a call ran.
    fn ran(&self) -> bool {
        let result = self.result.as_ref();
        result.is_some_and(|result| result["is_error"] == false)
    }
}

/// Waits for the question, and kills the client while it is open.
fn vanish(mut child: Child) -> String {
    let output = child.stdout.take().expect("its output is for the test");
    let mut said = String::new();
    for line in BufReader::new(output).lines() {
        let line = line.expect("a line");
        said.push_str(&line);
        said.push('\n');
        if line.contains("\"asked\"") {
            break;
        }
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    said
}

/// Runs a client to its end; what it printed.
async fn run(mut command: Command, vanishes: bool) -> Said {
    if vanishes {
        let run = move || vanish(command.spawn().expect("the client starts"));
        let said = tokio::task::spawn_blocking(run).await.expect("no panic");
        return Said::read(&said);
    }
    let output = programs::output(command).await;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    Said::read(&text)
}

async fn judge(client: Client, era: Era, cell: &str) {
    let Some(programs) = Programs::find() else {
        return;
    };
    // A late yes comes six seconds after the question.
    let patience = match cell {
        "late" | "vanish" => 2,
        _ => 60,
    };
    let stage = Stage::set(patience).await;
    let word = match era {
        Era::Legacy => "legacy",
        Era::Modern => "modern",
    };
    let command = programs.client(client, [&stage.gateway.url, DESK, word, cell]);
    let said = run(command, cell == "vanish").await;
    let decisions = match cell {
        "list" => vec![],
        // A client that is gone is known at once on a stream; without one, when its time is over.
        _ => {
            stage
                .gateway
                .wait_for_decision(Duration::from_secs(20))
                .await
        }
    };
    let received = stage.server.received();
    let decided = match cell {
        "list" => {
            assert_eq!(said.tools, ["charge_card", "get_order"], "{said:?}");
            assert_eq!(received.len(), 0, "{received:?}");
            return;
        }
        "call" => "allow allow",
        "approve" => "allow confirmed",
        "decline" => "block declined",
        "cancel" => "block cancelled",
        "vanish" if era == Era::Legacy => "block client_gone",
        "late" | "vanish" => "block confirmation_timeout",
        _ => panic!("no such cell: {cell}"),
    };
    assert_eq!(decisions, [decided], "{said:?}");
    let is_asked = cell != "call";
    assert_eq!(said.asked.len(), usize::from(is_asked), "{said:?}");
    for asked in &said.asked {
        assert!(
            asked.starts_with("Run charge_card?\n\nTool: charge_card\n"),
            "{asked}"
        );
    }
    let is_allowed = decided.starts_with("allow");
    assert_eq!(said.ran(), is_allowed, "{said:?}");
    if cell != "vanish" && !is_allowed {
        assert_eq!(said.reason(), decided.strip_prefix("block "), "{said:?}");
    }
    assert_eq!(received.len(), usize::from(is_allowed), "{received:?}");
    for call in received {
        let (tool, arguments) = match cell {
            "call" => ("get_order", json!({"order_id": "4411"})),
            _ => ("charge_card", json!({"order_id": "4411", "amount": 40.5})),
        };
        assert_eq!(call.tool, tool);
        let sent: Value = serde_json::from_str(&call.arguments).expect("JSON");
        assert_eq!(sent, arguments);
        assert_eq!(call.is_legacy, era == Era::Legacy, "{call:?}");
        assert_eq!(call.authorization, None, "the agent's token stays here");
        let key = &call.meta["dev.stalwart/idempotency-key"];
        assert_eq!(key.is_string(), cell == "approve", "{call:?}");
    }
}
