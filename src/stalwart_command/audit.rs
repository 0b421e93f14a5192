//! `audit verify|tail|stats`: an audit log, verified and read.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::arguments::{
    AuditArguments, AuditCommand, AuditFormat, AuditStatsArguments, AuditTailArguments,
    AuditVerifyArguments,
};
use super::gateway;
use crate::audit::{self, Chain, Decided, Follower, Known, Line, Report, Stats, Tail};
use crate::configuration::Configuration;
use crate::diagnostics::Diagnostic;
use crate::keys::KeyRing;
use crate::store::{CallState, Sqlite};
use crate::terminal::{Console, ExitStatus, plural};
use crate::text::{escaped, quoted};

/// How long `--follow` waits before it looks again.
const PAUSE: Duration = Duration::from_millis(250);

pub(super) fn run(arguments: &AuditArguments, console: &mut Console) -> ExitStatus {
    let done = match &arguments.command {
        AuditCommand::Verify(arguments) => verify(arguments, console),
        AuditCommand::Tail(arguments) => tail(arguments, console),
        AuditCommand::Stats(arguments) => stats(arguments, console),
    };
    done.unwrap_or_else(|diagnostic| {
        console.complain(&diagnostic);
        ExitStatus::Usage
    })
}

fn verify(
    arguments: &AuditVerifyArguments,
    console: &mut Console,
) -> Result<ExitStatus, Diagnostic> {
    let file = &arguments.file;
    let report = match &arguments.config {
        None => audit::verify(file, None),
        Some(config) => {
            let Some(configuration) = configuration(config, console)? else {
                return Ok(ExitStatus::No);
            };
            // Before the file is read: what is written meanwhile is then in the file.
            let stored = Sqlite::read_chain(&configuration.store, &configuration.node)
                .map_err(|error| error.diagnostic())?;
            let keys = keys(&configuration)?;
            if let Some(keys) = &keys {
                let known = Known {
                    keys,
                    node: &configuration.node,
                    stored: stored.as_ref(),
                    log: configuration.audit.as_deref(),
                };
                audit::verify(file, Some(known))
            } else {
                audit::verify(file, None)
            }
        }
    };
    let report = report.map_err(|error| error.diagnostic())?;
    console.answer(&shown(file, &report));
    Ok(if report.is_clean() {
        ExitStatus::Ok
    } else {
        ExitStatus::No
    })
}

/// The configuration of a gateway; none where it has errors, which are shown.
fn configuration(path: &Path, console: &mut Console) -> Result<Option<Configuration>, Diagnostic> {
    let read = gateway::read(path)?;
    if read.configuration.is_none() {
        console.complain_all(Some(&read.source), &read.diagnostics);
    }
    Ok(read.configuration)
}

/// The keys of a configuration, or those beside its store; none where none was made yet.
fn keys(configuration: &Configuration) -> Result<Option<Arc<KeyRing>>, Diagnostic> {
    if let Some(keys) = &configuration.keys {
        return Ok(Some(Arc::clone(keys)));
    }
    let beside = KeyRing::read_beside(&configuration.store);
    Ok(beside.map_err(|error| error.diagnostic())?.map(Arc::new))
}

/// A report for people.
fn shown(file: &Path, report: &Report) -> String {
    let mut out = String::new();
    let name = escaped(&file.display().to_string());
    for finding in &report.findings {
        let code = finding.fault.code();
        let _ = writeln!(out, "{name}: {finding} [{}]", code.id);
    }
    if report.more > 0 {
        let _ = writeln!(out, "{name}: and {} findings more", report.more);
    }
    let word = if report.is_clean() { "ok" } else { "not ok" };
    let _ = write!(out, "{word}: {}", counted_lines(report.lines));
    if let (Some(first), Some(last)) = (report.first, report.last) {
        let _ = write!(out, ", seq {first} to {last}");
    }
    if let Some(node) = &report.node {
        let _ = write!(out, ", node {}", quoted(node));
    }
    out.push_str(match report.chain {
        Chain::Checked => "\nchain: checked\n",
        Chain::NotChecked => "\nchain: not checked (without --config there are no keys)\n",
    });
    match report.tail {
        Tail::NotChecked => out.push_str("tail: not checked (no store says where the log ends)\n"),
        Tail::Checked { waiting: 0 } => out.push_str("tail: checked\n"),
        Tail::Checked { waiting } => {
            let lines = counted_lines(waiting);
            let _ = writeln!(out, "tail: checked; {lines} more in the store");
        }
        Tail::Rotated => out.push_str("tail: the file was moved away behind its last line\n"),
    }
    out
}

fn counted_lines(count: u64) -> String {
    plural(usize::try_from(count).unwrap_or(usize::MAX), "line")
}

fn tail(arguments: &AuditTailArguments, console: &mut Console) -> Result<ExitStatus, Diagnostic> {
    let mut follower =
        Follower::open(&arguments.file, arguments.lines).map_err(|error| error.diagnostic())?;
    loop {
        for text in follower.next_lines().map_err(|error| error.diagnostic())? {
            let line = match arguments.format {
                // What is no line is shown, but cannot act on the terminal.
                AuditFormat::Json => escaped(&text),
                AuditFormat::Human => Line::read(&text).map_or_else(
                    || format!("not a line: {}", escaped(&text)),
                    |line| human(&line),
                ),
            };
            console.answer(&line);
            console.answer("\n");
        }
        console.flush();
        if !arguments.follow || console.is_closed() {
            return Ok(ExitStatus::Ok);
        }
        std::thread::sleep(PAUSE);
    }
}

/// A line for people: what there is to say, in the order of the keys.
fn human(line: &Line) -> String {
    let mut words = vec![line.time.clone(), format!("#{}", line.seq)];
    let mut kind = line.kind.as_str().to_owned();
    if let Some(decision) = line.decision {
        kind = format!("{kind} {}", decision.as_str());
    }
    if let Some(reason) = line.reason {
        kind = format!("{kind} {}", reason.as_str());
    }
    words.push(kind);
    let mut say = |name: &str, value: Option<&str>| {
        words.extend(value.map(|value| format!("{name}={}", escaped(value))));
    };
    say("agent", line.agent.as_deref());
    say("tool", line.tool.as_deref());
    say("rule", line.rule.as_deref());
    say("outcome", line.outcome.map(CallState::as_str));
    let marks = (!line.marks.is_empty()).then(|| line.marks.join(","));
    say("marks", marks.as_deref());
    say("run", line.run.as_deref());
    say("request", line.request.as_deref());
    words.join("  ")
}

fn stats(arguments: &AuditStatsArguments, console: &mut Console) -> Result<ExitStatus, Diagnostic> {
    let stats = audit::stats(&arguments.file).map_err(|error| error.diagnostic())?;
    console.answer(&match arguments.format {
        AuditFormat::Json => match serde_json::to_value(&stats) {
            Ok(value) => format!("{value:#}\n"),
            Err(_) => String::new(),
        },
        AuditFormat::Human => counted(&stats),
    });
    Ok(ExitStatus::Ok)
}

/// Counts for people.
fn counted(stats: &Stats) -> String {
    let mut out = counted_lines(stats.lines);
    if let (Some(from), Some(to)) = (&stats.from, &stats.to) {
        let _ = write!(out, ", {from} to {to}");
    }
    if stats.unreadable > 0 {
        let _ = write!(out, "; {} more that are none", stats.unreadable);
    }
    out.push('\n');
    for (title, counts) in [("agents", &stats.agents), ("tools", &stats.tools)] {
        write_decided(title, counts, &mut out);
    }
    for (title, counts) in [("reasons", &stats.reasons), ("outcomes", &stats.outcomes)] {
        if !counts.is_empty() {
            let _ = writeln!(out, "\n{title}");
        }
        for (name, count) in counts {
            let _ = writeln!(out, "  {}: {count}", escaped(name));
        }
    }
    out
}

fn write_decided(title: &str, counts: &BTreeMap<String, Decided>, out: &mut String) {
    if !counts.is_empty() {
        let _ = writeln!(out, "\n{title}");
    }
    for (name, count) in counts {
        let name = if name.is_empty() {
            "(none)".to_owned()
        } else {
            escaped(name)
        };
        let _ = writeln!(
            out,
            "  {name}: {} allowed, {} blocked",
            count.allow, count.block
        );
    }
}
