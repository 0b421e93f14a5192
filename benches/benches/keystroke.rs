//! A keystroke in the largest rulebook, as an editor sees it: from the change to the errors of
//! syntax that are published of it. The analyses, which follow, are not waited for.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::time::Duration;

use divan::Bencher;
use serde_json::{Value, json};
use stalwart::language_server::serve_streams;
use stalwart_benches::large;

const URI: &str = "file:///large.co";

/// The largest rulebook that is legal.
const MOST_BYTES: usize = 1 << 20;

/// How long nobody types before a keystroke: the last one's analysis is just under way.
const PAUSE: Duration = Duration::from_millis(200);

/// Rulebooks, and where in them something is typed.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// 128 KiB, some ten times what people write by hand.
    Middle128,
    /// 1 MiB of many definitions.
    Beginning,
    Middle,
    End,
    /// One flow of a thousand branches and 1 MiB.
    OneFlow,
    /// One turn with sample utterances of 1 MiB.
    OneTurn,
    /// 1 MiB of many definitions with more errors than are shown.
    Errors,
}

const PLACES: [Place; 7] = [
    Place::Middle128,
    Place::Beginning,
    Place::Middle,
    Place::End,
    Place::OneFlow,
    Place::OneTurn,
    Place::Errors,
];

impl Place {
    fn text(self) -> String {
        match self {
            Self::Middle128 => rulebook(MOST_BYTES / 8),
            Self::Beginning | Self::Middle | Self::End => rulebook(MOST_BYTES),
            Self::OneFlow => one_flow(),
            Self::OneTurn => one_turn(),
            Self::Errors => rulebook(MOST_BYTES - 2_000).replacen("execute tool", "exec tool", 60),
        }
    }

    /// The line, of so many.
    fn line(self, lines: usize) -> usize {
        match self {
            Self::Beginning => 1,
            Self::End => lines - 2,
            _ => lines / 2,
        }
    }
}

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

/// Flows to a quarter, and sample utterances; as many lines as are legal for that.
fn rulebook(bytes: usize) -> String {
    let flows = large(1300);
    let half = flows.get(..bytes / 4).unwrap_or(&flows);
    let mut text = match half.rfind("\ndefine ") {
        Some(end) if half.len() < flows.len() => half[..end + 1].to_owned(),
        _ => flows,
    };
    for turn in 0.. {
        let said = "Could you please look at this matter for me? ".repeat(8);
        let more = format!("\ndefine user ask about matter {turn}\n  \"{said}\"\n");
        if text.len() + more.len() > bytes {
            break;
        }
        text += &more;
    }
    assert!(text.lines().count() < 20_000, "more lines than are legal");
    text
}

/// As many branches as a flow may have, their conditions as long as fits.
fn one_flow() -> String {
    let mut text = "define flow refunds\n".to_owned();
    for branch in 0..999 {
        let word = if branch == 0 { "if" } else { "else if" };
        let mut line = format!("  {word} $amount_{branch} > {branch}");
        for name in 0.. {
            let more = format!(" and $name_{:02}", name % 64);
            if line.len() + more.len() > 1_000 {
                break;
            }
            line += &more;
        }
        text += &format!("{line}\n    execute refund\n");
    }
    text + "  else\n    bot refuse order\n"
}

fn one_turn() -> String {
    let sample = format!("  \"{}\"\n", "Could you look at it? ".repeat(40));
    let text = "define flow refunds\n  execute refund\n\ndefine user ask\n".to_owned();
    let samples = (MOST_BYTES - text.len()) / sample.len();
    text + &sample.repeat(samples)
}

#[divan::bench(args = PLACES, sample_count = 100, sample_size = 1)]
fn keystroke(bencher: Bencher<'_, '_>, place: Place) {
    let text = place.text();
    assert!(text.len() <= MOST_BYTES && text.lines().count() < 20_000);
    let line = place.line(text.lines().count());
    let mut editor = Editor::open(&text);
    let mut version = 0;
    let keystroke = bencher.with_inputs(|| std::thread::sleep(PAUSE));
    keystroke.bench_local_values(|()| {
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
