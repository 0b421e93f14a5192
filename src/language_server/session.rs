//! A conversation with a client, from `initialize` to `exit`.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, InitializeResult, NumberOrString,
    PublishDiagnosticsParams, ServerInfo,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Ending;
use super::analyst::{self, Job, Looked};
use super::capabilities::Client;
use super::document::Document;
use super::edition::Edition;
use super::findings::Carried;
use super::framing::is_exit;
use super::open_document::OpenDocument;
use super::requests::{self, Task, is_about_all, wants_analysis};
use super::waiting::{Queue, Waiting};

/// What the thread that talks hears of.
#[derive(Debug)]
enum Event {
    Message(Message),
    Looked(Looked),
    Answered(Response),
    /// The client is gone.
    Closed,
}

impl From<Looked> for Event {
    fn from(looked: Looked) -> Self {
        Self::Looked(looked)
    }
}

impl From<Response> for Event {
    fn from(response: Response) -> Self {
        Self::Answered(response)
    }
}

/// Where a conversation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Begun,
    Initialized,
    ShutDown,
}

/// What a client is asked to ask again, since it was answered that the text had changed.
#[derive(Debug, Default)]
struct Owed {
    hints: bool,
    tokens: bool,
}

/// A conversation. What takes long is done by two other threads: one answers requests, the
/// other looks further than the syntax.
pub(super) struct Session<'c> {
    connection: &'c Connection,
    phase: Phase,
    client: Client,
    /// The open documents, by address.
    documents: BTreeMap<String, OpenDocument>,
    queue: Queue,
    owed: Owed,
    asked: i32,
    jobs: Sender<Job>,
    tasks: Sender<Task>,
}

impl<'c> Session<'c> {
    /// Serves a client until it takes its leave.
    pub(super) fn run(connection: &'c Connection) -> Ending {
        let (events, heard) = mpsc::channel();
        let (jobs, to_do) = mpsc::channel();
        let (tasks, to_answer) = mpsc::channel();
        let mut session = Self {
            connection,
            phase: Phase::Begun,
            client: Client::default(),
            documents: BTreeMap::new(),
            queue: Queue::default(),
            owed: Owed::default(),
            asked: 0,
            jobs,
            tasks,
        };
        // They end when the session is gone; what they are at then is of no use.
        let looked = events.clone();
        thread::spawn(move || analyst::work::<Event>(&to_do, &looked));
        let answered = events.clone();
        thread::spawn(move || requests::work::<Event>(&to_answer, &answered));
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
                Event::Looked(looked) => self.looked_at(looked),
                Event::Answered(response) => {
                    if self.queue.end() {
                        self.send(response);
                    }
                    self.begin();
                }
            }
        }
    }

    fn ending(&self) -> Ending {
        match self.phase {
            Phase::ShutDown => Ending::Orderly,
            Phase::Begun | Phase::Initialized => Ending::WithoutShutdown,
        }
    }

    /// Puts an event into the queue. To a request that is taken back there is no other answer.
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
        if let Some(at) = queue.iter().position(is_meant) {
            queue.remove(at);
        } else if !self.queue.take_back(&id) {
            return;
        }
        self.refuse(id, ErrorCode::RequestCanceled, "the request was taken back");
    }

    fn send(&self, message: impl Into<Message>) {
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
                for (id, _) in self.queue.take_out(None) {
                    let message = "the conversation ends";
                    self.refuse(id, ErrorCode::RequestCanceled, message);
                }
                self.send(Response {
                    id: request.id,
                    result: Some(Value::Null),
                    error: None,
                });
            }
            (Phase::Initialized, _) => self.serve(request),
        }
    }

    /// Has a request answered.
    fn serve(&mut self, request: Request) {
        let uri = request.params.pointer("/textDocument/uri");
        let uri = uri.and_then(Value::as_str).unwrap_or_default().to_owned();
        let edition = self
            .documents
            .get_mut(&uri)
            .map(|document| document.edition());
        if let Some(edition) = &edition
            && wants_analysis(&request.method)
            && edition.analysis().is_none()
        {
            self.look_at(&uri, true);
        }
        self.queue.push(Waiting { request, edition });
        self.begin();
    }

    /// Has the next request answered, if it is its turn.
    fn begin(&mut self) {
        let Some(Waiting { request, edition }) = self.queue.begin() else {
            return;
        };
        let all = match is_about_all(&request.method) {
            true => self
                .documents
                .values_mut()
                .map(OpenDocument::edition)
                .collect(),
            false => Vec::new(),
        };
        // Without it there is nobody left to answer.
        let _ = self.tasks.send(Task {
            request,
            client: self.client,
            edition,
            all,
        });
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
        self.outdate(&key);
        let document = Document::new(
            text_document.uri,
            text_document.version,
            text_document.text,
            self.client.encoding,
        );
        self.documents.insert(key, OpenDocument::new(document));
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
        self.outdate(key);
        if let Some(open) = self.documents.get_mut(key) {
            open.document.version = text_document.version;
            open.change(&content_changes);
        }
    }

    fn closed(&mut self, parameters: Value) {
        let Some(DidCloseTextDocumentParams { text_document }) = read(parameters) else {
            return;
        };
        let key = text_document.uri.as_str();
        self.outdate(key);
        if self.documents.remove(key).is_some() {
            self.publish(PublishDiagnosticsParams {
                uri: text_document.uri,
                diagnostics: Vec::new(),
                version: None,
            });
        }
    }

    /// Has the text of a document forgotten, and answers the requests that are about it.
    fn outdate(&mut self, key: &str) {
        let Some(open) = self.documents.get_mut(key) else {
            return;
        };
        if let Some(edition) = open.outdate() {
            self.forget(edition);
        }
        for (id, method) in self.queue.take_out(Some(key)) {
            self.owed.hints |= method.ends_with("/inlayHint");
            self.owed.tokens |= method.contains("/semanticTokens/");
            let message = "the text has changed since";
            self.refuse(id, ErrorCode::ContentModified, message);
        }
    }

    /// Has a text taken apart by the thread that has the time for it.
    fn forget(&self, edition: Arc<Edition>) {
        let _ = self.jobs.send(Job::Forget(edition));
    }

    /// Publishes the errors of all texts that are new, and has them looked at further.
    fn publish_errors(&mut self) {
        let keys: Vec<String> = self
            .documents
            .iter()
            .filter(|(_, open)| open.is_unpublished)
            .map(|(key, _)| key.clone())
            .collect();
        for key in keys {
            self.look_at(&key, false);
        }
    }

    /// Has a text looked at further; its errors are published before.
    fn look_at(&mut self, key: &str, is_urgent: bool) {
        let Some(open) = self.documents.get_mut(key) else {
            return;
        };
        let is_unpublished = std::mem::take(&mut open.is_unpublished);
        let errors = match is_unpublished {
            true => open.errors(),
            false => Vec::new(),
        };
        let edition = open.edition();
        if is_unpublished {
            let (document, source) = (&open.document, &edition.decoded.source);
            let reading = edition.known_reading();
            let is_no_rulebook = reading.is_some_and(|it| it.tree.is_none());
            let errors = errors
                .iter()
                .map(|error| Carried::new(error, document, source).shown(document));
            let carried = open.carried.iter();
            let carried = carried
                .filter(|carried| !is_no_rulebook && !carried.is_of_syntax())
                .map(|carried| carried.shown(document));
            let published = PublishDiagnosticsParams {
                uri: document.uri.clone(),
                diagnostics: errors.chain(carried).collect(),
                version: Some(document.version),
            };
            self.publish(published);
        }
        // Without it there is nobody left to look.
        let _ = self.jobs.send(Job::Look { edition, is_urgent });
    }

    fn looked_at(&mut self, looked: Looked) {
        let Looked {
            edition,
            carried,
            published,
        } = looked;
        let open = self.documents.get_mut(edition.document.uri.as_str());
        let Some(open) = open.filter(|open| open.has(&edition)) else {
            self.forget(edition);
            return;
        };
        open.carried = carried;
        self.notify(PUBLISH, published);
        self.begin();
        if std::mem::take(&mut self.owed.hints) && self.client.renews_hints {
            self.ask("workspace/inlayHint/refresh");
        }
        if std::mem::take(&mut self.owed.tokens) && self.client.renews_tokens {
            self.ask("workspace/semanticTokens/refresh");
        }
    }

    fn publish(&self, parameters: PublishDiagnosticsParams) {
        let parameters = serde_json::to_value(parameters).unwrap_or_default();
        self.notify(PUBLISH, parameters);
    }

    fn notify(&self, method: &str, params: Value) {
        let method = method.to_owned();
        self.send(Notification { method, params });
    }

    /// Asks the client for something; what it answers does not matter.
    fn ask(&mut self, method: &str) {
        self.asked += 1;
        self.send(Request {
            id: self.asked.into(),
            method: method.to_owned(),
            params: Value::Null,
        });
    }
}

const PUBLISH: &str = "textDocument/publishDiagnostics";

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
