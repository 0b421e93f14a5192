//! The thread that looks further than the syntax: names, words, and the analyses of the decision.
//!
//! It waits until nobody types, and looks between its stages whether the text is still the newest.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::checks;
use crate::diagnostics::codes::internal::INTERNAL;
use crate::diagnostics::{Diagnostic, Sink};
use crate::ir::SourceFile;
use crate::lowering::lower;

use super::document::{Analysis, Decoded, Reading};

/// How long nobody must type before a text is looked at.
pub(super) const PAUSE: Duration = Duration::from_millis(150);

/// The package that is recorded, where nobody looks at it.
const ANY_PACKAGE: &str = "stalwart.rulebook";

/// A text to look at.
#[derive(Debug)]
pub(super) struct Job {
    /// The address of the document.
    pub(super) uri: String,
    /// Its generation.
    pub(super) generation: u64,
    /// The text.
    pub(super) decoded: Arc<Decoded>,
    /// What was read in it, if it has been read as a whole.
    pub(super) reading: Option<Arc<Reading>>,
    /// Somebody waits for it: no pause is made.
    pub(super) is_urgent: bool,
}

/// What came of looking at a text.
#[derive(Debug)]
pub(super) struct Result {
    /// The address of the document.
    pub(super) uri: String,
    /// Its generation.
    pub(super) generation: u64,
    /// What was read.
    pub(super) reading: Arc<Reading>,
    /// What was found; none as long as it has only been read.
    pub(super) analysis: Option<Arc<Analysis>>,
}

/// The newest generation of each document, by address.
#[derive(Clone, Debug, Default)]
pub(super) struct Newest(Arc<Mutex<BTreeMap<String, Arc<AtomicU64>>>>);

impl Newest {
    pub(super) fn set(&self, uri: &str, generation: u64) {
        let mut newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = newest.entry(uri.to_owned()).or_default();
        entry.store(generation, Ordering::Release);
    }

    pub(super) fn forget(&self, uri: &str) {
        let mut newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        newest.remove(uri);
    }

    fn is(&self, job: &Job) -> bool {
        let newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = newest.get(&job.uri);
        generation.is_some_and(|newest| newest.load(Ordering::Acquire) == job.generation)
    }
}

/// Looks at what comes, until nobody sends any more.
pub(super) fn work<E: From<Result>>(jobs: &Receiver<Job>, newest: &Newest, results: &Sender<E>) {
    let mut waiting: Vec<Job> = Vec::new();
    // It may be asked again for what it has said meanwhile.
    let mut last_said: BTreeMap<String, u64> = BTreeMap::new();
    loop {
        let urgent = waiting.iter().position(|job| job.is_urgent);
        let next = match (urgent, waiting.is_empty()) {
            (Some(_), _) => jobs.try_recv().map_err(|_| RecvTimeoutError::Timeout),
            (None, true) => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
            (None, false) => jobs.recv_timeout(PAUSE),
        };
        match next {
            Ok(job) if last_said.get(&job.uri) == Some(&job.generation) => {}
            Ok(job) => {
                waiting.retain(|other| other.uri != job.uri);
                waiting.push(job);
            }
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                // All of them have waited long enough.
                waiting.iter_mut().for_each(|job| job.is_urgent = true);
                let job = waiting.remove(urgent.unwrap_or_default());
                last_said.insert(job.uri.clone(), job.generation);
                let sent = analyse(&job, newest, |result| results.send(E::from(result)).is_ok());
                if !sent {
                    return;
                }
            }
        }
    }
}

/// Looks at a text, as long as it is the newest; false where nobody listens any more.
fn analyse(job: &Job, newest: &Newest, mut send: impl FnMut(Result) -> bool) -> bool {
    if !newest.is(job) {
        return true;
    }
    let result = |reading: &Arc<Reading>, analysis: Option<Analysis>| Result {
        uri: job.uri.clone(),
        generation: job.generation,
        reading: Arc::clone(reading),
        analysis: analysis.map(Arc::new),
    };
    let read = || Arc::new(Reading::of(Arc::clone(&job.decoded)));
    let Ok(reading) = catch_unwind(AssertUnwindSafe(|| {
        job.reading.clone().unwrap_or_else(read)
    })) else {
        return true;
    };
    if job.reading.is_none() && !send(result(&reading, None)) {
        return false;
    }
    let found = catch_unwind(AssertUnwindSafe(|| stages(job, &reading, newest)));
    let analysis = found.unwrap_or_else(|_| {
        let fault = Diagnostic::without_place(&INTERNAL, "the rulebook could not be looked at");
        Some(Analysis {
            diagnostics: vec![fault],
            output: None,
        })
    });
    analysis.is_none_or(|analysis| send(result(&reading, Some(analysis))))
}

/// The stages of [`crate::compiler::compile`] behind the first, with a look at the time between.
fn stages(job: &Job, reading: &Reading, newest: &Newest) -> Option<Analysis> {
    let mut sink = Sink::new();
    sink.extend(reading.errors.iter().cloned());
    let file = SourceFile {
        file: String::new(),
        sha256: String::new(),
    };
    if !newest.is(job) {
        return None;
    }
    let header = (ANY_PACKAGE.to_owned(), file);
    let tree = reading.tree.as_ref();
    let output = tree.and_then(|tree| lower(tree, reading.source(), header, &mut sink));
    if !newest.is(job) {
        return None;
    }
    if let Some(output) = &output {
        checks::run(&output.rulebook, &output.places, &mut sink);
    }
    if output.is_none() && !sink.has_errors() {
        sink.push(Diagnostic::without_place(
            &INTERNAL,
            "the rulebook was refused, and no reason was found",
        ));
    }
    Some(Analysis {
        diagnostics: sink.into_sorted(),
        output,
    })
}
