//! Reading a log's end, however long it is, and its lines one by one.

use std::fs::File;
use std::io::{self, BufRead};
use std::os::unix::fs::FileExt;

use super::line::MAX_BYTES;

/// Bytes of the end that are looked at first.
const FIRST: u64 = 64 << 10;

/// The end of a file.
pub(super) struct End {
    /// Its last whole lines, without line ends.
    pub(super) lines: Vec<Vec<u8>>,
    /// Whether the first of them is the first of the file.
    pub(super) is_whole: bool,
    /// Where the last whole line ends; what follows was torn.
    pub(super) torn_at: u64,
    /// The length of the file.
    pub(super) length: u64,
}

/// Reads so much of a file's end that `is_enough` holds of its lines, or all.
pub(super) fn read_end(file: &File, is_enough: impl Fn(&[Vec<u8>]) -> bool) -> io::Result<End> {
    let length = file.metadata()?.len();
    let mut wanted = FIRST;
    loop {
        let size = wanted.min(length);
        let start = length - size;
        let mut bytes = vec![0; usize::try_from(size).map_err(io::Error::other)?];
        file.read_exact_at(&mut bytes, start)?;
        let end = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |last| last + 1);
        let torn_at = start + u64::try_from(end).map_err(io::Error::other)?;
        let is_whole = start == 0;
        let mut lines: Vec<Vec<u8>> = bytes
            .get(..end)
            .unwrap_or_default()
            .split_inclusive(|byte| *byte == b'\n')
            .map(|line| line.strip_suffix(b"\n").unwrap_or(line).to_vec())
            .collect();
        if !is_whole && !lines.is_empty() {
            // It may begin before what was read.
            lines.remove(0);
        }
        if is_whole || is_enough(&lines) {
            return Ok(End {
                lines,
                is_whole,
                torn_at,
                length,
            });
        }
        wanted = wanted.saturating_mul(4);
    }
}

/// A line of a log.
pub(super) enum Piece {
    /// It ends with a line feed.
    Line(String),
    /// Not UTF-8, or longer than any line is.
    Unreadable,
    /// It has no line feed: the file ends within it.
    Torn,
}

/// Reads the next line; none at the end.
pub(super) fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Piece>> {
    let mut bytes = Vec::new();
    let mut is_too_long = false;
    loop {
        let found = reader.fill_buf()?;
        if found.is_empty() {
            let is_end = bytes.is_empty() && !is_too_long;
            return Ok((!is_end).then_some(Piece::Torn));
        }
        let end = found.iter().position(|byte| *byte == b'\n');
        let piece = found.get(..end.unwrap_or(found.len())).unwrap_or_default();
        if bytes.len() + piece.len() > MAX_BYTES {
            is_too_long = true;
        } else {
            bytes.extend_from_slice(piece);
        }
        let used = piece.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            let text = String::from_utf8(bytes).ok().filter(|_| !is_too_long);
            return Ok(Some(text.map_or(Piece::Unreadable, Piece::Line)));
        }
    }
}
