//! Paths as messages and answers show them.

use std::io;
use std::path::{Component, Path};

use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::text::UNREADABLE;
use crate::text::{escaped, reason};

/// A path as it is shown: relative to the working directory where it lies below it, with `/`
/// on every system, and with nothing in it that could act on a terminal.
pub fn shown_path(path: &Path) -> String {
    escaped(&relative_path(path))
}

/// The same without escapes, for what is not shown but recorded: names of sources, JSON.
pub fn relative_path(path: &Path) -> String {
    let below = std::env::current_dir().ok();
    let path = below
        .as_deref()
        .and_then(|folder| path.strip_prefix(folder).ok())
        .unwrap_or(path);
    let mut out = String::new();
    for component in path.components() {
        if !out.is_empty() && !out.ends_with('/') {
            out.push('/');
        }
        match component {
            Component::CurDir => {}
            Component::RootDir if out.ends_with('/') => {}
            Component::RootDir => out.push('/'),
            Component::ParentDir => out.push_str(".."),
            Component::Prefix(prefix) => out.push_str(&prefix.as_os_str().to_string_lossy()),
            Component::Normal(name) => out.push_str(&name.to_string_lossy()),
        }
    }
    if out.is_empty() {
        out.push('.');
    }
    out
}

/// The diagnostic for what cannot be read: a file as messages show it, and why.
pub fn unreadable(shown: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::without_place(
        &UNREADABLE,
        format!("{shown} cannot be read: {}", reason(error)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_relative_with_slashes() {
        let here = std::env::current_dir().unwrap();
        for (path, shown) in [
            (here.join("a").join("b.co"), "a/b.co"),
            (here.clone(), "."),
            ("./a//b/./c.co".into(), "a/b/c.co"),
            ("../a.co".into(), "../a.co"),
            ("/nowhere/a.co".into(), "/nowhere/a.co"),
            ("/".into(), "/"),
            ("".into(), "."),
        ] {
            assert_eq!(shown_path(&path), shown);
        }
    }

    #[test]
    fn nothing_in_a_path_acts_on_a_terminal_and_nothing_is_cut() {
        let long = "x".repeat(300);
        let name = format!("a\u{1b}[31m\n\u{202e}{long}.co");
        assert_eq!(
            shown_path(Path::new(&name)),
            format!("a\\u001b[31m\\n\\u202e{long}.co")
        );
    }
}
