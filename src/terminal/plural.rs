//! Counts in words.

/// A count with its word.
pub(crate) fn plural(count: usize, word: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {word}{end}")
}
