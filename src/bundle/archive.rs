//! Members to archives: gzip'd tar with nothing in it that depends on when, where or by whom it
//! is made.

use std::io::{self, Write as _};

use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

use super::Member;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::CANNOT_WRITE;
use crate::text::reason;

/// Readable by all, whatever the mask of who makes it.
const MODE: u32 = 0o644;
/// How hard it is compressed: another number gives other bytes.
const LEVEL: u32 = 9;

/// The archive of some members, in their order.
pub(super) fn write(members: &[Member]) -> Result<Vec<u8>, Diagnostic> {
    let compressed = plain(members).and_then(|plain| {
        // No file name, no time; the system is "unknown".
        let mut encoder = GzBuilder::new()
            .operating_system(255)
            .write(Vec::new(), Compression::new(LEVEL));
        encoder.write_all(&plain)?;
        encoder.finish()
    });
    compressed.map_err(|error| {
        let message = format!("the bundle cannot be made: {}", reason(&error));
        Diagnostic::without_place(&CANNOT_WRITE, message)
    })
}

/// The same before it is compressed.
pub(super) fn plain(members: &[Member]) -> io::Result<Vec<u8>> {
    let mut builder = Builder::new(Vec::new());
    for member in members {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(u64::try_from(member.bytes.len()).map_err(io::Error::other)?);
        header.set_mode(MODE);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        builder.append_data(&mut header, &member.path, member.bytes.as_slice())?;
    }
    builder.into_inner()
}
