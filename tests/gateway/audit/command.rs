//! `stalwart audit` as it is typed.

use std::path::Path;
use std::process::{Command, Output};

use super::{Place, decision};
use stalwart::audit::{Entry, append};
use stalwart::store::Durability;

fn stalwart(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stalwart"))
        .current_dir(folder)
        .args(["--color", "never"])
        .args(arguments)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Lays a configuration of the place's keys, store and log beside them.
fn configure(place: &Place) {
    let shop = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gateway/shop");
    for entry in std::fs::read_dir(shop).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(
            entry.path(),
            place.path(entry.file_name().to_str().unwrap()),
        )
        .unwrap();
    }
    let kept = stalwart(&place.path("."), &["verify", ".", "--keep"]);
    assert!(
        kept.status.success(),
        "{}",
        String::from_utf8_lossy(&kept.stderr)
    );
    let secret = "01".repeat(32);
    let configuration = format!(
        "catalogue: ./agent.catalogue.json
upstreams: {{ \"*\": \"http://127.0.0.1:9/mcp\" }}
agents: {{ desk: desk-token-0123456789, billing: billing-token-0123456789 }}
keys: [{{ id: k1, secret: \"{secret}\" }}]
node: gateway-1
store: ./gateway.db
audit: decisions.jsonl
"
    );
    std::fs::write(place.path("gateway.yaml"), configuration).unwrap();
}

#[test]
fn a_log_is_verified_with_and_without_the_configuration() {
    let place = Place::new();
    place.filled(4);
    configure(&place);
    let folder = place.path(".");
    let verify = ["audit", "verify", "decisions.jsonl"];
    let bare = stalwart(&folder, &verify);
    assert_eq!(
        text(&bare),
        "ok: 4 lines, seq 1 to 4, node `gateway-1`\n\
         chain: not checked (without --config there are no keys)\n\
         tail: not checked (no store says where the log ends)\n"
    );
    let configured = [verify.as_slice(), &["--config", "gateway.yaml"]].concat();
    let output = stalwart(&folder, &configured);
    assert_eq!(
        text(&output),
        "ok: 4 lines, seq 1 to 4, node `gateway-1`\nchain: checked\ntail: checked\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(0));

    // While a gateway has the store, and with a line that waits for the file.
    let store = place.store();
    place.commit(&store, 9);
    let output = stalwart(&folder, &configured);
    assert!(text(&output).ends_with("tail: checked; 1 line more in the store\n"));
    drop(store);

    let mut lines: Vec<String> = place.text().lines().map(str::to_owned).collect();
    lines[1] = lines[1].replace("desk", "desk2");
    lines.pop();
    place.rewrite(lines.join("\n") + "\n");
    let output = stalwart(&folder, &configured);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output),
        "decisions.jsonl: line 2 (seq 2): this line is not as it was written [RB1202]\n\
         decisions.jsonl: line 3: the log had lines through seq 4: its end was cut off [RB1201]\n\
         not ok: 3 lines, seq 1 to 3, node `gateway-1`\nchain: checked\ntail: checked\n"
    );
    let missing = stalwart(&folder, &["audit", "verify", "none.jsonl"]);
    assert_eq!(missing.status.code(), Some(2));
    let said = String::from_utf8(missing.stderr).unwrap();
    assert!(said.contains("RB1207"), "{said}");
}

#[test]
fn hostile_text_does_nothing_to_a_terminal() {
    let place = Place::new();
    let store = place.store();
    let log = place.open(&store);
    let mut line = None;
    store
        .transact(Durability::Relaxed, &mut |t| {
            let entry = Entry {
                agent: Some("a\u{1b}[2J\u{202e}\nb".to_owned()),
                ..decision(1)
            };
            line = Some(append(t, &place.keys, place.node, 5, entry)?);
            Ok(())
        })
        .unwrap();
    log.write(&[line.unwrap()], true).unwrap();
    drop(log);
    place.rewrite(format!("{}\u{1b}]0;title\u{7}\n", place.text()));
    let folder = place.path(".");
    let commands: [&[&str]; 5] = [
        &["audit", "tail", "decisions.jsonl"],
        &["audit", "tail", "decisions.jsonl", "--format", "json"],
        &["audit", "stats", "decisions.jsonl"],
        &["audit", "stats", "decisions.jsonl", "--format", "json"],
        &["audit", "verify", "decisions.jsonl"],
    ];
    for arguments in commands {
        let output = stalwart(&folder, arguments);
        let shown = text(&output) + &String::from_utf8_lossy(&output.stderr);
        let acts = |character: char| {
            (character.is_control() && character != '\n') || character == '\u{202e}'
        };
        assert!(!shown.contains(acts), "{arguments:?}: {shown:?}");
    }
    let tail = text(&stalwart(&folder, commands[0]));
    assert!(tail.contains(r"agent=a\u001b[2J\u202e\nb"), "{tail}");
    assert!(tail.contains(r"not a line: \u001b]0;title\u0007"), "{tail}");
    let stats = text(&stalwart(&folder, commands[2]));
    assert!(
        stats.starts_with("1 line, 1970-01-01T00:00:00.005Z to "),
        "{stats}"
    );
    assert!(stats.contains("1 allowed, 0 blocked"), "{stats}");
}

#[test]
fn the_last_lines_are_printed() {
    let place = Place::new();
    place.filled(20);
    let folder = place.path(".");
    let tail = |arguments: &[&str]| {
        let all = [&["audit", "tail", "decisions.jsonl"], arguments].concat();
        text(&stalwart(&folder, &all))
    };
    assert_eq!(tail(&[]).lines().count(), 10);
    let json = tail(&["-n", "2", "--format", "json"]);
    assert!(place.text().ends_with(&json), "{json}");
    assert_eq!(super::seqs(&json), [19, 20]);
    assert_eq!(tail(&["-n", "0"]), "");
    assert_eq!(tail(&["-n", "99"]).lines().count(), 20);
}

#[test]
fn the_schema_of_a_line_is_published() {
    let place = Place::new();
    let printed = text(&stalwart(&place.path("."), &["schema", "audit"]));
    assert_eq!(
        printed,
        include_str!("../../../schema/qls-decision-1.schema.json")
    );
}
