//! Paths as `rulebook.toml` writes them: relative to its folder, with `/`, and inside of it.

use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::project::BAD_PATH;
use crate::text::{Spanned, quoted};

/// The parts of a path, without `.` and empty ones.
///
/// # Errors
/// A path that is empty, absolute, or written with `\`, or that goes upwards.
pub(super) fn parts(path: &Spanned<String>) -> Result<Vec<String>, Diagnostic> {
    let text = path.value.as_str();
    let fault = |what: &str, help: &str| {
        Err(
            Diagnostic::new(&BAD_PATH, path.span, format!("{} {what}", quoted(text)))
                .with_help(help),
        )
    };
    if text.trim().is_empty() {
        return fault(
            "is no path",
            "name a file or folder; `.` is the folder of `rulebook.toml`",
        );
    }
    if text.contains('\\') {
        return fault(
            "is written with `\\`",
            "write `/`, which is right on every system",
        );
    }
    let mut letters = text.chars();
    let has_drive = letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && letters.next() == Some(':');
    if text.starts_with('/') || has_drive {
        return fault(
            "is absolute, which is another place on every machine",
            "write it relative to the folder of `rulebook.toml`",
        );
    }
    let parts = text.split('/').filter(|part| !matches!(*part, "" | "."));
    let parts: Vec<String> = parts.map(str::to_owned).collect();
    if parts.iter().any(|part| part == "..") {
        return fault(
            "goes upwards",
            "a project has what lies in its folder: write the path without `..`, \
             or move `rulebook.toml` up",
        );
    }
    Ok(parts)
}

/// The name of a file without its last extension.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Puts a file's stem in the place of `{stem}`.
///
/// # Errors
/// Braces around anything else.
pub(super) fn with_stem(text: &Spanned<String>, stem: &str) -> Result<Spanned<String>, Diagnostic> {
    let rest = text.value.replace("{stem}", "");
    if rest.contains(['{', '}']) {
        return Err(Diagnostic::new(
            &BAD_PATH,
            text.span,
            format!("{} has braces that mean nothing", quoted(&text.value)),
        )
        .with_help("`{stem}` is the name of the source without its extension; there is no other"));
    }
    Ok(Spanned::new(text.value.replace("{stem}", stem), text.span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Span;

    fn spanned(text: &str) -> Spanned<String> {
        Spanned::new(text.to_owned(), Span::new(0, 0))
    }

    #[test]
    fn a_path_stays_inside() {
        let read = |text: &str| parts(&spanned(text)).map(|parts| parts.join("/")).ok();
        assert_eq!(read("./a//b/./c.co").as_deref(), Some("a/b/c.co"));
        assert_eq!(read(".").as_deref(), Some(""));
        assert_eq!(read("a..b/..c").as_deref(), Some("a..b/..c"));
        for text in ["", " ", "/a", "C:/a", "c:a", "a\\b", "..", "a/../b", "a/.."] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_stem_is_put_in() {
        let read = |text: &str| with_stem(&spanned(text), stem("p/a.b.co")).map(|text| text.value);
        assert_eq!(read("opa/{stem}").as_deref(), Ok("opa/a.b"));
        assert_eq!(read("opa").as_deref(), Ok("opa"));
        for text in ["{name}", "{", "{stem", "{{stem}}"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
