//! Requests that wait: for the thread that answers them, or for what they want to know.

use std::collections::VecDeque;
use std::sync::Arc;

use lsp_server::{Request, RequestId};

use super::edition::Edition;
use super::requests::wants_analysis;

/// A request that waits.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) request: Request,
    /// The document that it names; none where that is not open.
    pub(super) edition: Option<Arc<Edition>>,
}

impl Waiting {
    fn is_ready(&self) -> bool {
        let edition = self.edition.as_ref();
        !wants_analysis(&self.request.method) || edition.is_none_or(|it| it.analysis().is_some())
    }
}

/// A request that is answered just now.
#[derive(Debug)]
struct Begun {
    id: RequestId,
    method: String,
    uri: Option<String>,
}

/// All requests without an answer, in the order in which they came. One at a time is answered.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    begun: Option<Begun>,
    /// Somebody is at work, and be it for nothing.
    is_busy: bool,
}

impl Queue {
    pub(super) fn push(&mut self, waiting: Waiting) {
        self.waiting.push_back(waiting);
    }

    /// The next request to answer; none as long as one is answered, or all want to know more.
    pub(super) fn begin(&mut self) -> Option<Waiting> {
        if self.is_busy {
            return None;
        }
        let ready = self.waiting.iter().position(Waiting::is_ready)?;
        let next = self.waiting.remove(ready)?;
        self.is_busy = true;
        let document = next.edition.as_ref().map(|it| &it.document);
        self.begun = Some(Begun {
            id: next.request.id.clone(),
            method: next.request.method.clone(),
            uri: document.map(|it| it.uri.as_str().to_owned()),
        });
        Some(next)
    }

    /// Notes that an answer is there; whether it is still wanted.
    pub(super) fn end(&mut self) -> bool {
        self.is_busy = false;
        self.begun.take().is_some()
    }

    /// Takes a request out; whether there was one.
    pub(super) fn take_back(&mut self, id: &RequestId) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|it| it.request.id != *id);
        let begun = self.begun.take_if(|it| it.id == *id);
        self.waiting.len() < before || begun.is_some()
    }

    /// Takes out all that name a document; with `None`, all. The id and the method of each.
    pub(super) fn take_out(&mut self, uri: Option<&str>) -> Vec<(RequestId, String)> {
        let is_meant = |own: Option<&str>| uri.is_none() || own == uri;
        let begun = self.begun.take_if(|it| is_meant(it.uri.as_deref()));
        let mut out: Vec<_> = begun.map(|it| (it.id, it.method)).into_iter().collect();
        let (meant, rest) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition::<VecDeque<_>, _>(|it| {
                let document = it.edition.as_ref().map(|it| &it.document);
                is_meant(document.map(|it| it.uri.as_str()))
            });
        self.waiting = rest;
        out.extend(
            meant
                .into_iter()
                .map(|it| (it.request.id, it.request.method)),
        );
        out
    }
}
