//! A small client: it writes what a test says, and remembers what it is told meanwhile.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use stalwart::language_server::{Ending, serve_streams};

/// How long an answer may take before a test gives up: far more than it does.
const PATIENCE: Duration = Duration::from_secs(60);

/// The other end.
enum Server {
    Process(Child),
    Thread(JoinHandle<Ending>),
}

/// A client and its server.
pub struct Client {
    server: Server,
    output: Option<Box<dyn Write + Send>>,
    heard: Receiver<Value>,
    /// What was heard and not asked for yet.
    pub notifications: VecDeque<Value>,
    /// Answers that came before they were asked for.
    answers: BTreeMap<i64, Value>,
    /// Answers to messages without an id.
    pub complaints: Vec<Value>,
    /// The methods of what the server asked.
    pub requests: Vec<String>,
    last_id: i64,
    versions: BTreeMap<String, i64>,
}

impl Client {
    /// A client of the binary.
    pub fn process() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_RulebookTranslator"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = child.stdin.take().unwrap();
        let input = child.stdout.take().unwrap();
        Self::over(Server::Process(child), input, output)
    }

    /// A client of a server in this process.
    pub fn memory() -> Self {
        let (server_input, output) = std::io::pipe().unwrap();
        let (input, server_output): (PipeReader, PipeWriter) = std::io::pipe().unwrap();
        let thread =
            std::thread::spawn(move || serve_streams(server_input, server_output).unwrap());
        Self::over(Server::Thread(thread), input, output)
    }

    fn over(
        server: Server,
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> Self {
        let (sender, heard) = mpsc::channel();
        std::thread::spawn(move || {
            let mut input = BufReader::new(input);
            while let Some(message) = read(&mut input) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            server,
            output: Some(Box::new(output)),
            heard,
            notifications: VecDeque::new(),
            answers: BTreeMap::new(),
            complaints: Vec::new(),
            requests: Vec::new(),
            last_id: 0,
            versions: BTreeMap::new(),
        }
    }

    /// Says hello; the answer.
    pub fn initialize(&mut self, capabilities: Value) -> Value {
        let parameters = json!({"processId": null, "rootUri": null, "capabilities": capabilities});
        let answer = self.ask("initialize", parameters).unwrap();
        self.notify("initialized", json!({}));
        answer
    }

    /// A client of a server in this process that counts columns in characters and shows Markdown.
    pub fn ready() -> Self {
        let mut client = Self::memory();
        client.initialize(json!({
            "general": {"positionEncodings": ["utf-32"]},
            "textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}},
        }));
        client
    }

    /// Writes bytes as they are.
    pub fn write(&mut self, bytes: &[u8]) {
        let output = self.output.as_mut().unwrap();
        // The server may be gone, which some tests want.
        let _ = output.write_all(bytes).and_then(|()| output.flush());
    }

    /// Writes a message.
    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, parameters: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    /// Asks, and does not wait: the id.
    pub fn begin(&mut self, method: &str, parameters: Value) -> i64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
        id
    }

    /// The answer to a request, or its error.
    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        while !self.answers.contains_key(&id) {
            assert!(self.hear(), "no answer to {id}");
        }
        let mut answer = self.answers.remove(&id).unwrap();
        match answer.get_mut("error") {
            Some(error) => Err(error.take()),
            None => Ok(answer["result"].take()),
        }
    }

    /// Whether the answer to a request has been heard.
    pub fn has_answer(&self, id: i64) -> bool {
        self.answers.contains_key(&id)
    }

    /// Asks, and waits for the answer.
    pub fn ask(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        let id = self.begin(method, parameters);
        self.answer(id)
    }

    /// Takes in the next message; false when no more come.
    pub fn hear(&mut self) -> bool {
        let Ok(message) = self.heard.recv_timeout(PATIENCE) else {
            return false;
        };
        match (message.get("method"), message["id"].as_i64()) {
            (Some(_), None) => self.notifications.push_back(message),
            (Some(method), Some(id)) => {
                // What the server asks is answered with nothing.
                let method = method.as_str().unwrap();
                assert!(method.starts_with("workspace/"), "{method}");
                self.requests.push(method.to_owned());
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": null}));
            }
            (None, Some(id)) => {
                assert!(self.answers.insert(id, message).is_none(), "two answers");
            }
            (None, None) => self.complaints.push(message),
        }
        true
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        self.versions.insert(uri.to_owned(), 1);
        let item = json!({"uri": uri, "languageId": "rulebook", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Sends changes as one notification; the new version.
    pub fn change(&mut self, uri: &str, changes: Value) -> i64 {
        let version = self.versions.get_mut(uri).unwrap();
        *version += 1;
        let version = *version;
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}),
        );
        version
    }

    pub fn close(&mut self, uri: &str) {
        self.notify(
            "textDocument/didClose",
            json!({"textDocument": {"uri": uri}}),
        );
    }

    /// The next published findings of a document.
    pub fn published(&mut self, uri: &str) -> Value {
        loop {
            let is_meant = |it: &Value| {
                it["method"] == "textDocument/publishDiagnostics" && it["params"]["uri"] == uri
            };
            if let Some(at) = self.notifications.iter().position(is_meant) {
                return self.notifications.remove(at).unwrap()["params"].take();
            }
            assert!(self.hear(), "nothing is published of {uri}");
        }
    }

    /// The findings of the text as it is, the analyses' too: those of syntax come before.
    pub fn settled(&mut self, uri: &str) -> Vec<Value> {
        let version = self.versions[uri];
        let mut seen = 0;
        loop {
            let published = self.published(uri);
            seen += i64::from(published["version"] == version);
            if seen == 2 {
                return published["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    /// Takes its leave as one should.
    pub fn leave(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.notify("exit", Value::Null);
        assert_eq!(self.end(), 0);
    }

    /// Closes the stream; what the server ends with.
    pub fn end(mut self) -> i32 {
        self.output = None;
        match self.server {
            Server::Process(mut child) => child.wait().unwrap().code().unwrap(),
            Server::Thread(thread) => match thread.join().unwrap() {
                Ending::Orderly => 0,
                Ending::WithoutShutdown => 1,
            },
        }
    }
}

/// The next message; every header and every byte of it must be right.
fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut header = String::new();
    if input.read_line(&mut header).ok()? == 0 {
        return None;
    }
    let length = header.strip_prefix("Content-Length: ").unwrap();
    let mut content = vec![0; length.trim_end().parse().unwrap()];
    let mut blank = String::new();
    input.read_line(&mut blank).ok()?;
    assert_eq!(blank, "\r\n");
    input.read_exact(&mut content).ok()?;
    let message: Value = serde_json::from_slice(&content).unwrap();
    assert_eq!(message["jsonrpc"], "2.0");
    Some(message)
}
