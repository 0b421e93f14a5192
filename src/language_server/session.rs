//! A conversation with a client, from `initialize` to `exit`.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, InitializeResult, NumberOrString,
    PublishDiagnosticsParams, ServerInfo, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Ending;
use super::analyst::{self, Job, Newest, work};
use super::capabilities::Client;
use super::document::Document;
use super::findings::Carried;
use super::framing::is_exit;

/// What the one thread that answers hears of.
#[derive(Debug)]
enum Event {
    Message(Message),
    Result(analyst::Result),
    /// The client is gone.
    Closed,
}

impl From<analyst::Result> for Event {
    fn from(result: analyst::Result) -> Self {
        Self::Result(result)
    }
}

/// Where a conversation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Begun,
    Initialized,
    ShutDown,
}

/// A request that waits for the analysis of a text.
#[derive(Debug)]
pub(super) struct Parked {
    pub(super) request: Request,
    pub(super) uri: String,
    /// It is not enough that the text has been read.
    pub(super) wants_analysis: bool,
}

/// A conversation.
pub(super) struct Session<'c> {
    connection: &'c Connection,
    phase: Phase,
    pub(super) client: Client,
    /// The open documents, by address.
    pub(super) documents: BTreeMap<String, Document>,
    pub(super) parked: Vec<Parked>,
    generation: u64,
    newest: Newest,
    jobs: Sender<Job>,
}

impl<'c> Session<'c> {
    /// Serves a client until it takes its leave.
    pub(super) fn run(connection: &'c Connection) -> Ending {
        let (events, heard) = mpsc::channel();
        let (jobs, to_do) = mpsc::channel();
        let newest = Newest::default();
        let mut session = Self {
            connection,
            phase: Phase::Begun,
            client: Client::default(),
            documents: BTreeMap::new(),
            parked: Vec::new(),
            generation: 0,
            newest: newest.clone(),
            jobs,
        };
        let results = events.clone();
        // It ends when the session is gone; what it is at then is of no use.
        thread::spawn(move || work::<Event>(&to_do, &newest, &results));
        let receiver = connection.receiver.clone();
        thread::spawn(move || {
            for message in receiver {
                let is_exit = is_exit(&message);
                if events.send(Event::Message(message)).is_err() || is_exit {
                    return;
                }
            }
            let _ = events.send(Event::Closed);
        });
        session.converse(&heard)
    }

    fn converse(&mut self, heard: &Receiver<Event>) -> Ending {
        let mut queue = VecDeque::new();
        loop {
            while let Ok(event) = heard.try_recv() {
                self.take_in(event, &mut queue);
            }
            let Some(event) = queue.pop_front() else {
                self.publish_errors();
                match heard.recv() {
                    Ok(event) => self.take_in(event, &mut queue),
                    Err(_) => return self.ending(),
                }
                continue;
            };
            match event {
                Event::Closed => return self.ending(),
                Event::Message(message) if is_exit(&message) => return self.ending(),
                Event::Message(Message::Request(request)) => self.request(request),
                Event::Message(Message::Notification(notification)) => {
                    self.notification(notification);
                }
                Event::Message(Message::Response(_)) => {}
                Event::Result(result) => self.looked_at(result),
            }
        }
    }

    fn ending(&self) -> Ending {
        match self.phase {
            Phase::ShutDown => Ending::Orderly,
            Phase::Begun | Phase::Initialized => Ending::WithoutShutdown,
        }
    }

    /// Puts an event into the queue. A request that is taken back is not begun any more.
    fn take_in(&mut self, event: Event, queue: &mut VecDeque<Event>) {
        let cancelled = match &event {
            Event::Message(Message::Notification(notification)) => cancelled(notification),
            _ => None,
        };
        let Some(id) = cancelled else {
            queue.push_back(event);
            return;
        };
        let is_meant =
            |event: &Event| matches!(event, Event::Message(Message::Request(it)) if it.id == id);
        let parked = self.parked.iter().position(|it| it.request.id == id);
        let queued = queue.iter().position(is_meant);
        if let Some(at) = queued {
            queue.remove(at);
        } else if let Some(at) = parked {
            self.parked.remove(at);
        } else {
            return;
        }
        self.refuse(id, ErrorCode::RequestCanceled, "the request was taken back");
    }

    pub(super) fn send(&self, message: impl Into<Message>) {
        // A client that is gone is heard of by the other channel.
        let _ = self.connection.sender.send(message.into());
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, message: &str) {
        self.send(Response::new_err(id, code as i32, message.to_owned()));
    }

    fn request(&mut self, request: Request) {
        match (self.phase, request.method.as_str()) {
            (Phase::Begun, "initialize") => self.initialize(request),
            (Phase::Begun, _) => {
                let message = "the conversation begins with `initialize`";
                self.refuse(request.id, ErrorCode::ServerNotInitialized, message);
            }
            (Phase::ShutDown, _) => {
                let message = "behind `shutdown` only `exit` is heard";
                self.refuse(request.id, ErrorCode::InvalidRequest, message);
            }
            (Phase::Initialized, "initialize") => {
                let message = "`initialize` is said once";
                self.refuse(request.id, ErrorCode::InvalidRequest, message);
            }
            (Phase::Initialized, "shutdown") => {
                self.phase = Phase::ShutDown;
                self.send(Response {
                    id: request.id,
                    result: Some(Value::Null),
                    error: None,
                });
            }
            (Phase::Initialized, _) => self.serve(request),
        }
    }

    /// Answers a request; a fault of the server is an answer too.
    pub(super) fn serve(&mut self, request: Request) {
        let id = request.id.clone();
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(request)));
        match answer {
            Ok(Some(response)) => self.send(response),
            Ok(None) => {}
            Err(_) => self.refuse(
                id,
                ErrorCode::InternalError,
                "a fault of the language server",
            ),
        }
    }

    fn initialize(&mut self, request: Request) {
        let parameters: InitializeParams = match serde_json::from_value(request.params) {
            Ok(parameters) => parameters,
            Err(fault) => {
                self.refuse(
                    request.id,
                    ErrorCode::InvalidParams,
                    &format!("what `initialize` says cannot be read: {fault}"),
                );
                return;
            }
        };
        self.client = Client::of(&parameters);
        self.phase = Phase::Initialized;
        let result = InitializeResult {
            capabilities: self.client.offer(),
            server_info: Some(ServerInfo {
                name: "RulebookTranslator".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        };
        self.send(Response {
            id: request.id,
            result: serde_json::to_value(result).ok(),
            error: None,
        });
    }

    fn notification(&mut self, notification: Notification) {
        if self.phase != Phase::Initialized {
            return;
        }
        match notification.method.as_str() {
            "textDocument/didOpen" => self.opened(notification.params),
            "textDocument/didChange" => self.changed(notification.params),
            "textDocument/didClose" => self.closed(notification.params),
            _ => {}
        }
    }

    fn opened(&mut self, parameters: Value) {
        let Some(DidOpenTextDocumentParams { text_document }) = read(parameters) else {
            return;
        };
        let key = text_document.uri.as_str().to_owned();
        let mut document = Document::new(
            text_document.uri,
            text_document.version,
            text_document.text,
            self.client.encoding,
        );
        document.generation = self.next_generation(&key);
        self.documents.insert(key, document);
    }

    fn changed(&mut self, parameters: Value) {
        let Some(DidChangeTextDocumentParams {
            text_document,
            content_changes,
        }) = read(parameters)
        else {
            return;
        };
        let key = text_document.uri.as_str();
        if !self.documents.contains_key(key) {
            return;
        }
        let generation = self.next_generation(key);
        if let Some(document) = self.documents.get_mut(key) {
            document.version = text_document.version;
            document.generation = generation;
            for change in &content_changes {
                document.change(change);
            }
        }
        self.answer_outdated(key);
    }

    fn closed(&mut self, parameters: Value) {
        let Some(DidCloseTextDocumentParams { text_document }) = read(parameters) else {
            return;
        };
        let key = text_document.uri.as_str();
        if self.documents.remove(key).is_some() {
            self.newest.forget(key);
            self.answer_outdated(key);
            self.publish(text_document.uri, Vec::new(), None);
        }
    }

    fn next_generation(&mut self, key: &str) -> u64 {
        self.generation += 1;
        self.newest.set(key, self.generation);
        self.generation
    }

    /// Answers the requests that wait for a text that is no more.
    fn answer_outdated(&mut self, key: &str) {
        let parked = std::mem::take(&mut self.parked);
        let (outdated, parked) = parked.into_iter().partition(|it| it.uri == key);
        self.parked = parked;
        for Parked { request, .. } in outdated {
            let message = "the text has changed since";
            self.refuse(request.id, ErrorCode::ContentModified, message);
        }
    }

    /// Publishes the errors of all texts that are new, and has them looked at further.
    fn publish_errors(&mut self) {
        let keys: Vec<String> = self
            .documents
            .iter()
            .filter(|(_, document)| document.is_unpublished)
            .map(|(key, _)| key.clone())
            .collect();
        for key in keys {
            self.look_at(&key, false);
        }
    }

    /// Has a text looked at further; its errors are published before.
    pub(super) fn look_at(&mut self, key: &str, is_urgent: bool) {
        let Some(document) = self.documents.get_mut(key) else {
            return;
        };
        let is_unpublished = std::mem::take(&mut document.is_unpublished);
        let errors = match is_unpublished {
            true => document.errors(),
            false => Vec::new(),
        };
        let decoded = document.decoded();
        let document = &*document;
        let job = Job {
            uri: key.to_owned(),
            generation: document.generation,
            decoded: decoded.clone(),
            reading: document.reading.clone(),
            is_urgent,
        };
        if is_unpublished {
            let is_no_rulebook = document
                .reading
                .as_ref()
                .is_some_and(|it| it.tree.is_none());
            let errors = errors
                .iter()
                .map(|error| Carried::new(error, document, &decoded.source).shown(document));
            let carried = document.carried.iter();
            let carried = carried
                .filter(|carried| !is_no_rulebook && !carried.is_of_syntax())
                .map(|carried| carried.shown(document));
            let shown = errors.chain(carried).collect();
            let (uri, version) = (document.uri.clone(), document.version);
            self.publish(uri, shown, Some(version));
        }
        // Without it there is nobody left to answer.
        let _ = self.jobs.send(job);
    }

    fn looked_at(&mut self, result: analyst::Result) {
        let Some(document) = self.documents.get_mut(&result.uri) else {
            return;
        };
        if document.generation != result.generation || document.analysis.is_some() {
            return;
        }
        document.reading = Some(result.reading.clone());
        let is_analysed = result.analysis.is_some();
        if let Some(analysis) = result.analysis {
            let source = result.reading.source();
            let found = analysis.diagnostics.iter();
            let carried: Vec<Carried> = found
                .map(|found| Carried::new(found, document, source))
                .collect();
            let shown = carried
                .iter()
                .map(|carried| carried.shown(document))
                .collect();
            document.carried = carried;
            document.analysis = Some(analysis);
            let (uri, version) = (document.uri.clone(), document.version);
            self.publish(uri, shown, Some(version));
        }
        let parked = std::mem::take(&mut self.parked);
        let (ready, parked) = parked
            .into_iter()
            .partition(|it| it.uri == result.uri && (is_analysed || !it.wants_analysis));
        self.parked = parked;
        for Parked { request, .. } in ready {
            self.serve(request);
        }
    }

    fn publish(&self, uri: Uri, diagnostics: Vec<lsp_types::Diagnostic>, version: Option<i32>) {
        let parameters = PublishDiagnosticsParams {
            uri,
            diagnostics,
            version,
        };
        self.send(Notification {
            method: "textDocument/publishDiagnostics".to_owned(),
            params: serde_json::to_value(parameters).unwrap_or_default(),
        });
    }
}

/// What a notification says; what cannot be read is not heard.
fn read<T: DeserializeOwned>(parameters: Value) -> Option<T> {
    serde_json::from_value(parameters).ok()
}

/// The request that a notification takes back.
fn cancelled(notification: &Notification) -> Option<RequestId> {
    if notification.method != "$/cancelRequest" {
        return None;
    }
    let CancelParams { id } = read(notification.params.clone())?;
    Some(match id {
        NumberOrString::Number(number) => number.into(),
        NumberOrString::String(text) => text.into(),
    })
}
