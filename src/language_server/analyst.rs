//! The thread that looks further than the syntax: names, words, and the analyses of the decision.
//!
//! It waits until nobody types. What it finds about a text that is outdated meanwhile is wanted
//! by nobody, so that it stops within a stage. Texts that are no longer needed are taken apart
//! here: of a large one that takes a while.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use lsp_types::PublishDiagnosticsParams;
use serde_json::Value;

use crate::checks;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::internal::INTERNAL;
use crate::ir::SourceFile;
use crate::lowering::lower;

use super::edition::{Analysis, Edition};
use super::findings::Carried;

/// How long nobody must type before a text is looked at.
const PAUSE: Duration = Duration::from_millis(150);

/// The package that is recorded, where nobody looks at it.
const ANY_PACKAGE: &str = "stalwart.rulebook";

/// What there is to do.
#[derive(Debug)]
pub(super) enum Job {
    /// Look at a text.
    Look {
        edition: Arc<Edition>,
        /// Somebody waits for it: no pause is made.
        is_urgent: bool,
    },
    /// Take a text apart.
    Forget(#[expect(dead_code, reason = "it is only taken apart")] Arc<Edition>),
}

/// What came of looking at a text, which the text knows too.
#[derive(Debug)]
pub(super) struct Looked {
    /// The text.
    pub(super) edition: Arc<Edition>,
    /// Its findings with their places.
    pub(super) carried: Vec<Carried>,
    /// What is published of them.
    pub(super) published: Value,
}

struct Waiting {
    edition: Arc<Edition>,
    is_urgent: bool,
}

/// Looks at what comes, until nobody sends any more.
pub(super) fn work<E: From<Looked>>(jobs: &Receiver<Job>, results: &Sender<E>) {
    let mut waiting: Vec<Waiting> = Vec::new();
    loop {
        waiting.retain(|it| !it.edition.is_outdated());
        let urgent = waiting.iter().position(|it| it.is_urgent);
        let next = match (urgent, waiting.is_empty()) {
            (Some(_), _) => jobs.try_recv().map_err(|_| RecvTimeoutError::Timeout),
            (None, true) => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
            (None, false) => jobs.recv_timeout(PAUSE),
        };
        match next {
            Ok(Job::Forget(_)) => {}
            // It may be asked again for what it has said meanwhile.
            Ok(Job::Look { edition, .. }) if edition.analysis().is_some() => {}
            Ok(Job::Look { edition, is_urgent }) => {
                waiting.retain(|it| !Arc::ptr_eq(&it.edition, &edition));
                waiting.push(Waiting { edition, is_urgent });
            }
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                // All of them have waited long enough.
                waiting.iter_mut().for_each(|it| it.is_urgent = true);
                let edition = waiting.remove(urgent.unwrap_or_default()).edition;
                let looked = looked_at(edition);
                if looked.is_some_and(|looked| results.send(looked.into()).is_err()) {
                    return;
                }
            }
        }
    }
}

/// Looks at a text; none where it is outdated meanwhile.
fn looked_at(edition: Arc<Edition>) -> Option<Looked> {
    let found = catch_unwind(AssertUnwindSafe(|| stages(&edition)));
    let analysis = found.unwrap_or_else(|_| {
        let fault = Diagnostic::without_place(&INTERNAL, "the rulebook could not be looked at");
        Some(Analysis {
            diagnostics: vec![fault],
            output: None,
        })
    })?;
    let (document, source) = (&edition.document, &edition.decoded.source);
    let found = analysis.diagnostics.iter();
    let carried: Vec<Carried> = found
        .map(|found| Carried::new(found, document, source))
        .collect();
    let shown = carried.iter().map(|carried| carried.shown(document));
    let parameters = PublishDiagnosticsParams {
        uri: document.uri.clone(),
        diagnostics: shown.collect(),
        version: Some(document.version),
    };
    let published = serde_json::to_value(parameters).unwrap_or_default();
    edition.set_analysis(analysis);
    Some(Looked {
        edition,
        carried,
        published,
    })
}

/// The stages of [`crate::compiler::compile`]; none where nobody wants to know any more.
fn stages(edition: &Edition) -> Option<Analysis> {
    let mut sink = edition.sink();
    let reading = edition.reading();
    sink.extend(reading.errors.iter().cloned());
    let file = SourceFile {
        file: String::new(),
        sha256: String::new(),
    };
    let header = (ANY_PACKAGE.to_owned(), file);
    let tree = reading.tree.as_ref();
    let output = tree.and_then(|tree| lower(tree, reading.source(), header, &mut sink));
    if let Some(output) = &output {
        checks::run(&output.rulebook, &output.places, &mut sink);
    }
    if sink.is_given_up() {
        return None;
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
