//! Archives to members. An archive is anybody's: what is read is bounded, and it must unpack to
//! the very bytes that its members give when they are written again, so that no two readers can
//! see different files in it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use flate2::bufread::GzDecoder;
use tar::Archive;

use super::{Member, archive};
use crate::artifacts::{shown_path, unreadable};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::bundles::BAD_ARCHIVE;
use crate::ir::limits::MAX_ARTIFACT_BYTES;
use crate::text::{quoted, reason};

/// The artifacts, an adapter for each proxy, and room for what describes them.
const MAX_BYTES: usize = 8 * MAX_ARTIFACT_BYTES;
/// As many files as no bundle has.
const MAX_MEMBERS: usize = 32;

/// Reads the file of a bundle, links followed; none when there is none. Of a file that is larger
/// than a bundle can be, no more is read than shows that.
///
/// # Errors
/// A file that cannot be read.
pub fn read_bundle(path: &Path) -> Result<Option<Vec<u8>>, Diagnostic> {
    let failed = |error: io::Error| unreadable(&format!("`{}`", shown_path(path)), &error);
    // A pipe would be waited for, for ever.
    match path.metadata() {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(failed(io::Error::other("it is no ordinary file"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    }
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    let mut limited = file.take(one_more_than(MAX_BYTES));
    limited.read_to_end(&mut bytes).map_err(failed)?;
    Ok(Some(bytes))
}

fn one_more_than(limit: usize) -> u64 {
    u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1)
}

/// The members of an archive.
pub(super) fn open(shown: &str, bytes: &[u8]) -> Result<Vec<Member>, Diagnostic> {
    let wrong = |what: String| {
        Diagnostic::without_place(
            &BAD_ARCHIVE,
            format!("`{shown}` is no bundle that a translator writes: {what}"),
        )
        .with_help("make it again with `RulebookTranslator bundle`")
    };
    let plain = unpack(bytes).map_err(wrong)?;
    let members = members(&plain).map_err(wrong)?;
    let again = archive::plain(&members).map_err(|error| wrong(reason(&error)))?;
    if again != plain {
        return Err(wrong(
            "its files are not all that is in it, or are not written as a translator writes them"
                .to_owned(),
        ));
    }
    Ok(members)
}

/// Unpacks one gzip stream, which must be all there is: other readers go on to a second one.
fn unpack(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let too_large = || format!("it unpacks to more than {MAX_BYTES} bytes");
    if bytes.len() > MAX_BYTES {
        return Err(format!("it has more than {MAX_BYTES} bytes"));
    }
    let mut decoder = GzDecoder::new(bytes).take(one_more_than(MAX_BYTES));
    let mut plain = Vec::new();
    let read = decoder.read_to_end(&mut plain);
    if plain.len() > MAX_BYTES {
        return Err(too_large());
    }
    read.map_err(|error| format!("it is not a whole gzip file: {}", reason(&error)))?;
    match decoder.into_inner().into_inner() {
        [] => Ok(plain),
        _ => Err("something follows the compressed archive".to_owned()),
    }
}

fn members(plain: &[u8]) -> Result<Vec<Member>, String> {
    let broken = |error: io::Error| format!("it is not a whole tar archive: {}", reason(&error));
    let mut found: Vec<Member> = Vec::new();
    let mut archive = Archive::new(plain);
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let path = String::from_utf8(entry.path_bytes().into_owned())
            .map_err(|_| "the name of a file is not UTF-8 text".to_owned())?;
        if !entry.header().entry_type().is_file() {
            return Err(format!("{} is no ordinary file", quoted(&path)));
        }
        let is_inside = |part: &str| !matches!(part, "" | "." | "..");
        if !path.split('/').all(is_inside) {
            return Err(format!("{} leads out of it", quoted(&path)));
        }
        if found.iter().any(|member| member.path == path) {
            return Err(format!("{} is in it twice", quoted(&path)));
        }
        if found.len() == MAX_MEMBERS {
            return Err(format!("it has more than {MAX_MEMBERS} files"));
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(broken)?;
        found.push(Member { path, bytes });
    }
    if found.is_empty() {
        return Err("there is nothing in it".to_owned());
    }
    Ok(found)
}
