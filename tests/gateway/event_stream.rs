//! Server-sent events, however they are cut into pieces.

use stalwart::mcp::wire::{EventReader, ServerEvent, TooLong};

fn read(pieces: &[&[u8]]) -> Vec<ServerEvent> {
    let mut reader = EventReader::new(1_000);
    let events = pieces.iter().flat_map(|piece| reader.push(piece).unwrap());
    events.collect()
}

const STREAM: &str = "\u{feff}: comment\r\nretry: 250\nid: 7\nevent: message\ndata: {\"a\":\ndata:1}\r\r\n\
data\n\nid: 8\ndata:  two\r\n\r\ndata: ü\nunknown: x\nid:\n\ndata: unfinished\n";

#[test]
fn every_cut_gives_the_same_events() {
    let event = |data: &str, id: Option<&str>| ServerEvent {
        data: data.to_owned(),
        id: id.map(str::to_owned),
        retry: Some(250),
    };
    let expected = vec![
        event("{\"a\":\n1}", Some("7")),
        event("", Some("7")),
        event(" two", Some("8")),
        event("ü", None),
    ];
    let bytes = STREAM.as_bytes();
    assert_eq!(read(&[bytes]), expected);
    for first in 0..=bytes.len() {
        for second in first..=bytes.len() {
            let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
            assert_eq!(read(&pieces), expected, "cut at {first} and {second}");
        }
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(read(&single), expected);
}

#[test]
fn what_does_not_end_is_bounded() {
    let mut reader = EventReader::new(10);
    assert_eq!(reader.push(b"data:12345"), Ok(vec![]));
    assert_eq!(reader.push(b"6"), Err(TooLong(10)));

    let mut reader = EventReader::new(10);
    assert_eq!(reader.push(b"data:123\n"), Ok(vec![]));
    assert_eq!(reader.push(b"data:456\n"), Err(TooLong(10)));
}
