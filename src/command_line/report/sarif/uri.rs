//! Paths as the standard wants them: percent-encoded URIs.

use std::fmt::Write;

use super::log::ArtifactLocation;
use crate::command_line::input::STDIN_NAME;

/// What stands for the folder in which the program ran; whoever reads the log knows it.
pub(super) const BASE: &str = "SRCROOT";

/// Where a file is. A path that is relative is so to [`BASE`]; one that leads out of it, and the
/// name of standard input, are relative to nothing.
pub(super) fn location(path: &str, index: Option<usize>) -> ArtifactLocation {
    let is_below = !path.starts_with('/') && !path.starts_with("../") && !is_drive(path);
    ArtifactLocation {
        uri: uri(path),
        uri_base_id: (is_below && path != STDIN_NAME).then_some(BASE),
        index,
    }
}

fn uri(path: &str) -> String {
    let (mut out, rest) = if is_drive(path) {
        let (drive, rest) = path.split_at_checked(2).unwrap_or((path, ""));
        (format!("file:///{drive}"), rest)
    } else if path.starts_with('/') {
        ("file://".to_owned(), path)
    } else {
        (String::new(), path)
    };
    for byte in rest.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            other => {
                let _ = write!(out, "%{other:02X}");
            }
        }
    }
    out
}

/// Whether a path begins as `C:/`, where that is a drive and no folder.
fn is_drive(path: &str) -> bool {
    let mut characters = path.chars();
    cfg!(windows)
        && characters.next().is_some_and(|it| it.is_ascii_alphabetic())
        && characters.next() == Some(':')
        && characters.next() == Some('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_encoded() {
        for (path, uri, base) in [
            ("policy.co", "policy.co", Some(BASE)),
            ("a b/é:%#?.co", "a%20b/%C3%A9%3A%25%23%3F.co", Some(BASE)),
            ("a\u{1b}\n\\.co", "a%1B%0A%5C.co", Some(BASE)),
            ("../a.co", "../a.co", None),
            ("/srv/a b.co", "file:///srv/a%20b.co", None),
            ("<stdin>", "%3Cstdin%3E", None),
        ] {
            let location = location(path, Some(3));
            assert_eq!((location.uri.as_str(), location.uri_base_id), (uri, base));
        }
    }
}
