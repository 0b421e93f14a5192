//! The facts in the header of a Rego package (contract section 7).

/// What the header of a Rego package states.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RegoHeader {
    /// The source's file name, as the header shows it.
    pub(super) file: String,
    pub(super) source_sha256: String,
    pub(super) rulebook_sha256: String,
    pub(super) translator: String,
}

impl RegoHeader {
    /// Reads the header; none when it is not in its form.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let generated = lines.next()?.strip_prefix("# GENERATED from ")?;
        let generated = generated.strip_suffix("  -- do not edit")?;
        let (file, source_sha256) = generated.rsplit_once(" @ sha256:")?;
        let rulebook_sha256 = lines.next()?.strip_prefix("# rulebook sha256:")?;
        let translator = lines.next()?.strip_prefix("# translator ")?;
        (is_sha256(source_sha256) && is_sha256(rulebook_sha256) && !translator.is_empty()).then(
            || Self {
                file: file.to_owned(),
                source_sha256: source_sha256.to_owned(),
                rulebook_sha256: rulebook_sha256.to_owned(),
                translator: translator.to_owned(),
            },
        )
    }
}

/// The source's file name in a first line that was ours once, whatever became of the rest: a
/// header with other line ends, or one that was edited, still tells whose file it is.
pub(super) fn marked_file(text: &str) -> Option<&str> {
    let line = text.lines().next()?.trim_end();
    let (file, _) = line.strip_prefix("# GENERATED from ")?.rsplit_once(" @ ")?;
    (!file.is_empty()).then_some(file)
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
