//! The last lines of a log, and those that are written from now on.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::reading::{Piece, next_line, read_end};
use super::verify::VerifyError;
use crate::text::reason;

/// A reader of a log's end that goes on where it was; also where the log was rotated.
pub struct Follower {
    path: PathBuf,
    file: File,
    /// Where the next line begins.
    place: u64,
    ready: Vec<String>,
}

impl Follower {
    /// Opens a log, at the last `lines` lines of it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: &Path, lines: usize) -> Result<Self, VerifyError> {
        let file = File::open(path).map_err(unusable)?;
        let end = read_end(&file, |found| found.len() >= lines).map_err(unusable)?;
        let skipped = end.lines.len().saturating_sub(lines);
        let ready = end.lines.iter().skip(skipped);
        Ok(Self {
            path: path.to_owned(),
            file,
            place: end.torn_at,
            ready: ready
                .map(|line| String::from_utf8_lossy(line).into_owned())
                .collect(),
        })
    }

    /// The lines that were written since.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn next_lines(&mut self) -> Result<Vec<String>, VerifyError> {
        let mut lines = std::mem::take(&mut self.ready);
        self.read(&mut lines).map_err(unusable)?;
        let (Ok(there), Ok(own)) = (std::fs::metadata(&self.path), self.file.metadata()) else {
            return Ok(lines);
        };
        if (there.dev(), there.ino()) != (own.dev(), own.ino()) {
            self.file = File::open(&self.path).map_err(unusable)?;
            self.place = 0;
            self.read(&mut lines).map_err(unusable)?;
        }
        Ok(lines)
    }

    fn read(&mut self, lines: &mut Vec<String>) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.place))?;
        let mut reader = BufReader::new(&self.file);
        loop {
            match next_line(&mut reader)? {
                Some(Piece::Line(line)) => lines.push(line),
                Some(Piece::Unreadable) => lines.push(char::REPLACEMENT_CHARACTER.to_string()),
                // The rest of it may still come.
                Some(Piece::Torn) | None => return Ok(()),
            }
            self.place = reader.stream_position()?;
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn unusable(error: io::Error) -> VerifyError {
    VerifyError(reason(&error))
}
