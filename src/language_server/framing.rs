//! Messages on two streams of bytes. What is no message is answered and passed over, so that one
//! of them does not end the conversation.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

use super::{Ending, serve};

/// Most bytes of one message. The largest rulebook takes a tenth of it, with every byte escaped.
const MOST_BYTES: u64 = 64 << 20;

/// Serves a client that writes to `input` and reads from `output`, until it takes its leave.
///
/// # Errors
/// No thread can be started.
pub fn serve_streams(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<Ending> {
    let (server, client) = Connection::memory();
    let output = Arc::new(Mutex::new(output));
    let answers = Arc::clone(&output);
    let Connection { sender, receiver } = client;
    let writing = thread::Builder::new().spawn(move || {
        for message in receiver {
            let mut value = serde_json::to_value(message).unwrap_or_default();
            // A client that reads no more may still say that it goes.
            let _ = write(&answers, &mut value);
        }
    })?;
    // It waits for the client, and is not waited for.
    thread::Builder::new().spawn(move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(read)) = read(&mut input) {
            match understood(&read) {
                Ok(message) => {
                    let is_exit = is_exit(&message);
                    if sender.send(message).is_err() || is_exit {
                        break;
                    }
                }
                Err(mut answer) => {
                    let _ = write(&output, &mut answer);
                }
            }
        }
    })?;
    let ending = serve(&server);
    drop(server);
    let _ = writing.join();
    Ok(ending)
}

/// Whether a client takes its leave by this message.
pub(super) fn is_exit(message: &Message) -> bool {
    matches!(message, Message::Notification(notification) if notification.method == "exit")
}

/// What was read of a message.
enum Frame {
    Content(Vec<u8>),
    TooLarge,
}

/// The next frame; none at the end of the stream. Lines that are no headers are passed over.
fn read(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input
            .by_ref()
            .take(MOST_BYTES)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if let Some((name, value)) = line.split_once(':') {
            if name.trim().eq_ignore_ascii_case("Content-Length") {
                length = value.trim().parse::<u64>().ok();
            }
            continue;
        }
        let Some(length) = length.take_if(|_| line.is_empty()) else {
            continue;
        };
        let mut content = Vec::new();
        if length > MOST_BYTES {
            io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
            return Ok(Some(Frame::TooLarge));
        }
        input.by_ref().take(length).read_to_end(&mut content)?;
        return Ok(Some(Frame::Content(content)));
    }
}

/// The message of a frame, or what is answered to one that holds none.
fn understood(frame: &Frame) -> Result<Message, Value> {
    let error = |id: Value, code: ErrorCode, message: String| json!({"id": id, "error": {"code": code as i32, "message": message}});
    let Frame::Content(content) = frame else {
        let message = format!("the message has more than {MOST_BYTES} bytes");
        return Err(error(Value::Null, ErrorCode::InvalidRequest, message));
    };
    // By way of a value: numbers of any precision are lost where variants are tried in turn.
    let value: Value = serde_json::from_slice(content).map_err(|fault| {
        let message = format!("the message is no JSON: {fault}");
        error(Value::Null, ErrorCode::ParseError, message)
    })?;
    let id = match value.get("id") {
        Some(id @ (Value::Number(_) | Value::String(_))) => id.clone(),
        _ => Value::Null,
    };
    serde_json::from_value(value).map_err(|_| {
        let message = "the message is no request, response or notification";
        error(id, ErrorCode::InvalidRequest, message.to_owned())
    })
}

fn write(output: &Mutex<impl Write>, message: &mut Value) -> io::Result<()> {
    if let Some(object) = message.as_object_mut() {
        object.insert("jsonrpc".to_owned(), "2.0".into());
    }
    let text = message.to_string();
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}
