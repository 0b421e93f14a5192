//! A keystroke in the largest rulebook, as an editor sees it: from the change to the errors of
//! syntax that are published of it. The analyses, which follow, are not waited for.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};

use divan::Bencher;
use serde_json::{Value, json};
use stalwart::language_server::serve_streams;
use stalwart_benches::large;

const URI: &str = "file:///large.co";

/// Bytes: some ten times what people write by hand, and the largest rulebook that is legal.
const BYTES: [usize; 2] = [128 << 10, 1 << 20];

fn main() {
    divan::main();
}

struct Editor {
    input: BufReader<PipeReader>,
    output: PipeWriter,
}

impl Editor {
    fn open(text: &str) -> Self {
        let (server_input, output) = std::io::pipe().expect("a pipe");
        let (input, server_output) = std::io::pipe().expect("a pipe");
        std::thread::spawn(move || serve_streams(server_input, server_output));
        let input = BufReader::new(input);
        let mut editor = Self { input, output };
        editor.say(json!({"id": 1, "method": "initialize", "params": {"capabilities": {}}}));
        let document = json!({"uri": URI, "languageId": "rulebook", "version": 0, "text": text});
        editor.say(json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}));
        editor.hear(0);
        editor
    }

    fn say(&mut self, message: Value) {
        let text = message.to_string();
        write!(self.output, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("a server");
    }

    /// Waits for what is published of a version.
    fn hear(&mut self, version: i64) {
        loop {
            let mut header = String::new();
            self.input.read_line(&mut header).expect("a server");
            let length = header.trim_start_matches("Content-Length: ").trim_end();
            let mut content = vec![0; length.parse::<usize>().expect("a length") + 2];
            self.input.read_exact(&mut content).expect("a server");
            let message: Value = serde_json::from_slice(&content).expect("JSON");
            if message["params"]["version"] == version {
                return;
            }
        }
    }
}

/// Flows to the half, and sample utterances; as many lines as are legal for that.
fn rulebook(bytes: usize) -> String {
    let flows = large(1300);
    let half = flows.get(..bytes / 2).unwrap_or(&flows);
    let mut text = match half.rfind("\ndefine ") {
        Some(end) if half.len() < flows.len() => half[..end + 1].to_owned(),
        _ => flows,
    };
    for turn in 0.. {
        let said = "Could you please look at this matter for me? ".repeat(4);
        let more = format!("\ndefine user ask about matter {turn}\n  \"{said}\"\n");
        if text.len() + more.len() > bytes {
            break;
        }
        text += &more;
    }
    assert!(text.lines().count() < 20_000, "more lines than are legal");
    text
}

#[divan::bench(args = BYTES)]
fn keystroke(bencher: Bencher<'_, '_>, bytes: usize) {
    let text = rulebook(bytes);
    let line = text.lines().count() / 2;
    let mut editor = Editor::open(&text);
    let mut version = 0;
    bencher.bench_local(|| {
        version += 1;
        let place = json!({"line": line, "character": 0});
        let last = json!({"line": line, "character": 1});
        // A mark of a comment is written, and taken away.
        let change = match version % 2 {
            1 => json!({"range": {"start": place, "end": place}, "text": "#"}),
            _ => json!({"range": {"start": place, "end": last}, "text": ""}),
        };
        let document = json!({"uri": URI, "version": version});
        editor.say(json!({
            "method": "textDocument/didChange",
            "params": {"textDocument": document, "contentChanges": [change]},
        }));
        editor.hear(version);
    });
}
