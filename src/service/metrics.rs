//! Metrics for Prometheus. Labels are words of closed lists, and tools of the catalogue.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::mcp::server::{Fault, Observer, Outcome};
use crate::store::Millis;
use crate::tool_check::Reason;

/// Bounds of how long something takes, in seconds.
const SECONDS: [&str; 12] = [
    "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "1", "5", "30", "120",
];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Decided {
    tool: String,
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Faulted {
    fault: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Server {
    server: String,
}

/// What the process counts; shared by its clones.
#[derive(Clone)]
pub struct Metrics(Arc<Counts>);

struct Counts {
    registry: Registry,
    decisions: Family<Decided, Counter>,
    outcomes: Family<Ended, Counter>,
    faults: Family<Faulted, Counter>,
    asked: Counter,
    open_questions: Gauge,
    question_time: Histogram,
    call_time: Histogram,
    upstream_time: Family<Server, Histogram, fn() -> Histogram>,
    sessions: Gauge,
    runs: Gauge,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Metrics")
    }
}

fn histogram() -> Histogram {
    // Parsed, since the code of this crate names no type of floats.
    Histogram::new(SECONDS.iter().filter_map(|bound| bound.parse().ok()))
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    /// Metrics that have counted nothing.
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("stalwart");
        let decisions = Family::<Decided, Counter>::default();
        let outcomes = Family::<Ended, Counter>::default();
        let faults = Family::<Faulted, Counter>::default();
        let upstream_time =
            Family::<Server, Histogram, fn() -> Histogram>::new_with_constructor(histogram);
        let (asked, open_questions) = (Counter::default(), Gauge::default());
        let (question_time, call_time) = (histogram(), histogram());
        let (sessions, runs) = (Gauge::default(), Gauge::default());
        registry.register(
            "decisions",
            "Calls by tool and the reason of their decision",
            decisions.clone(),
        );
        registry.register("outcomes", "What callers got", outcomes.clone());
        registry.register(
            "faults",
            "Requests that were answered before they were calls",
            faults.clone(),
        );
        registry.register("questions", "Questions to people", asked.clone());
        registry.register(
            "open_questions",
            "Questions that are open on streams",
            open_questions.clone(),
        );
        registry.register_with_unit(
            "question",
            "From a question on a stream to its answer",
            Unit::Seconds,
            question_time.clone(),
        );
        registry.register_with_unit(
            "call",
            "From a call's request to its response, with what it waited for",
            Unit::Seconds,
            call_time.clone(),
        );
        registry.register_with_unit(
            "upstream",
            "From forwarding a call to its server's answer",
            Unit::Seconds,
            upstream_time.clone(),
        );
        registry.register("sessions", "Open sessions", sessions.clone());
        registry.register("runs", "Live named runs", runs.clone());
        Self(Arc::new(Counts {
            registry,
            decisions,
            outcomes,
            faults,
            asked,
            open_questions,
            question_time,
            call_time,
            upstream_time,
            sessions,
            runs,
        }))
    }

    /// A server answered a forwarded call.
    pub fn forwarded(&self, server: &str, took: Millis) {
        let server = Server {
            server: server.to_owned(),
        };
        let seconds = duration(took).as_secs_f64();
        self.0.upstream_time.get_or_create(&server).observe(seconds);
    }

    pub(super) fn set_runs(&self, live: u64) {
        let live = i64::try_from(live).unwrap_or(i64::MAX);
        self.0.runs.set(live);
    }

    /// All as the text format of OpenMetrics has it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.0.registry);
        text
    }
}

fn duration(took: Millis) -> Duration {
    Duration::from_millis(u64::try_from(took).unwrap_or(0))
}

impl Observer for Metrics {
    fn faulted(&self, fault: Fault) {
        let fault = fault.as_str();
        self.0.faults.get_or_create(&Faulted { fault }).inc();
        tracing::debug!(fault, "a request was refused before it was a call");
    }

    fn decided(
        &self,
        agent: &str,
        tool: Option<&str>,
        reason: Reason,
        outcome: Outcome,
        took: Millis,
    ) {
        let (reason, outcome) = (reason.as_str(), outcome.as_str());
        let tool = tool.unwrap_or("(none)");
        let decided = Decided {
            tool: tool.to_owned(),
            reason,
        };
        self.0.decisions.get_or_create(&decided).inc();
        self.0.outcomes.get_or_create(&Ended { outcome }).inc();
        self.0.call_time.observe(duration(took).as_secs_f64());
        tracing::info!(agent, tool, reason, outcome, took_ms = took, "call");
    }

    fn asked(&self) {
        self.0.asked.inc();
    }

    fn opened(&self) {
        self.0.open_questions.inc();
    }

    fn answered(&self, took: Millis) {
        self.0.open_questions.dec();
        self.0.question_time.observe(duration(took).as_secs_f64());
    }

    fn sessions(&self, open: usize) {
        self.0.sessions.set(i64::try_from(open).unwrap_or(i64::MAX));
    }
}
