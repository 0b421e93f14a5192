//! What the gateway costs beside a direct call, in one run, as Markdown: reads, writes beside the
//! disk's own time to sync, calls a second, and memory for runs. Client, gateway and server share
//! one process and its cores.

use std::error::Error;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value, json};
use stalwart::demo::{DESK, Stage};

type Fault = Box<dyn Error + Send + Sync>;

const READS: usize = 5_000;
const WRITES: usize = 500;
const SYNCS: usize = 200;
const CALLERS: usize = 16;
const SPAN: Duration = Duration::from_secs(5);
const RUNS: usize = 10_000;

fn main() -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(measure())
}

/// Where calls go.
#[derive(Clone)]
struct Way {
    client: Client,
    url: String,
    token: Option<&'static str>,
    run: Option<String>,
}

impl Way {
    /// Makes a call of the new era; its result.
    async fn call(&self, tool: &str, arguments: &Value, more: Value) -> Result<Value, Fault> {
        let mut params = json!({
            "name": tool,
            "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
            },
        });
        if let (Some(params), Some(more)) = (params.as_object_mut(), more.as_object()) {
            params.extend(more.clone());
        }
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let mut request = self
            .client
            .post(&self.url)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .header("MCP-Protocol-Version", "2026-07-28")
            .header("Mcp-Method", "tools/call")
            .header("Mcp-Name", tool)
            .body(body.to_string());
        if let Some(token) = self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if let Some(run) = &self.run {
            request = request.header("Stalwart-Run", run);
        }
        let text = request.send().await?.text().await?;
        let answer: Value = serde_json::from_str(&text)?;
        let result = answer.get("result").cloned();
        match result {
            Some(result) if result.get("isError") != Some(&Value::Bool(true)) => Ok(result),
            _ => Err(text.into()),
        }
    }

    /// How long each of so many calls takes, one behind the other.
    async fn times(&self, tool: &str, count: usize) -> Result<Vec<Duration>, Fault> {
        let arguments = json!({"order_id": "4411"});
        let mut times = Vec::with_capacity(count);
        for _ in 0..count {
            let start = Instant::now();
            self.call(tool, &arguments, json!({})).await?;
            times.push(start.elapsed());
        }
        times.sort_unstable();
        Ok(times)
    }

    /// Calls a second of callers at once.
    async fn rate(&self) -> Result<f64, Fault> {
        let calls = Arc::new(AtomicU64::new(0));
        let start = Instant::now();
        let callers = (0..CALLERS).map(|_| {
            let (way, calls) = (self.clone(), Arc::clone(&calls));
            tokio::spawn(async move {
                let arguments = json!({"order_id": "4411"});
                while start.elapsed() < SPAN {
                    way.call("get_order", &arguments, json!({})).await?;
                    calls.fetch_add(1, Ordering::Relaxed);
                }
                Ok::<(), Fault>(())
            })
        });
        for caller in callers.collect::<Vec<_>>() {
            caller.await??;
        }
        Ok(calls.load(Ordering::Relaxed) as f64 / start.elapsed().as_secs_f64())
    }
}

fn part(times: &[Duration], percent: usize) -> Duration {
    let index = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(index).copied().unwrap_or_default()
}

fn row(name: &str, times: &[Duration]) {
    let micros = |percent| part(times, percent).as_micros();
    println!("| {name} | {} us | {} us |", micros(50), micros(99));
}

/// How long the disk takes to sync a short line.
fn syncs(folder: &Path) -> Result<Vec<Duration>, Fault> {
    let mut file = File::create(folder.join("syncs"))?;
    let mut times = Vec::with_capacity(SYNCS);
    for _ in 0..SYNCS {
        file.write_all(&[b'x'; 600])?;
        let start = Instant::now();
        file.sync_data()?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times)
}

/// The resident memory of this process, in KiB.
fn resident() -> Result<u64, Fault> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.ok_or("no resident memory")?.parse()?)
}

async fn measure() -> Result<(), Fault> {
    let folder = tempfile::tempdir()?;
    let stage = Stage::set(Some(folder.path())).await?;
    let client = Client::builder().no_proxy().build()?;
    let direct = Way {
        client: client.clone(),
        url: stage.shop.url(),
        token: None,
        run: None,
    };
    let through = Way {
        client,
        url: stage.url(),
        token: Some(DESK),
        run: None,
    };
    for way in [&direct, &through] {
        way.times("get_order", READS / 10).await?;
    }

    println!("## The gateway beside a direct call\n");
    println!("| one call at a time | p50 | p99 |\n|---|---|---|");
    let reads_direct = direct.times("get_order", READS).await?;
    let reads = through.times("get_order", READS).await?;
    row("read, direct", &reads_direct);
    row("read, through the gateway", &reads);
    let run = stage.gateway.mint_run("desk", None, None).await?;
    let writing = Way {
        run: Some(run.as_str().to_owned()),
        ..through.clone()
    };
    charge(&writing).await?;
    row(
        "write, direct",
        &direct.times("send_receipt", WRITES).await?,
    );
    row(
        "write, through the gateway",
        &writing.times("send_receipt", WRITES).await?,
    );
    row("the disk's sync of a line", &syncs(folder.path())?);
    let added = |percent| {
        let added = part(&reads, percent).saturating_sub(part(&reads_direct, percent));
        added.as_micros()
    };
    println!(
        "\nAdded to a read: {} us at p50, {} us at p99.\n",
        added(50),
        added(99)
    );

    println!("| {CALLERS} callers at once | calls a second |\n|---|---|");
    let (rate_direct, rate) = (direct.rate().await?, through.rate().await?);
    println!("| reads, direct | {rate_direct:.0} |\n| reads, through the gateway | {rate:.0} |");
    let cores = std::thread::available_parallelism()?;
    println!("\nClient, gateway and server share {cores} cores.\n");

    let before = resident()?;
    for _ in 0..RUNS {
        stage.gateway.mint_run("desk", None, None).await?;
    }
    let grown = resident()?.saturating_sub(before);
    let store = std::fs::metadata(folder.path().join("gateway.db"))?.len() / 1024;
    println!("{RUNS} named runs: {grown} KiB more memory, a store of {store} KiB.");
    stage.clear().await;
    Ok(())
}

/// A charge in the run, to which a person says yes: receipts may be sent behind it.
async fn charge(way: &Way) -> Result<(), Fault> {
    let arguments = json!({"order_id": "4411", "amount": 40});
    let asked = way.call("charge_card", &arguments, json!({})).await?;
    let requests = asked.get("inputRequests").and_then(Value::as_object);
    let key = requests.and_then(|requests| requests.keys().next());
    let key = key.ok_or("nobody was asked")?;
    let answer = json!({
        "inputResponses": {key: {"action": "accept", "content": {"confirm": true}}},
        "requestState": asked.get("requestState"),
    });
    way.call("charge_card", &arguments, answer).await?;
    Ok(())
}
