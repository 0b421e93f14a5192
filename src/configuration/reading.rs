//! Values of the file: kinds, ranges, variables. No message has a value in it that a variable or a
//! secret could be a part of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use super::Surroundings;
use super::keys::Section;
use super::types::SecretText;
use super::variables;
use crate::diagnostics::codes::configuration::{
    BAD_VALUE, BAD_VARIABLE, MISSING_VARIABLE, NOT_BUILT,
};
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::text::{Span, Spanned, quoted};
use crate::yaml::{Content, Entry, Fields, Node};

/// Reads values, and keeps what was found.
pub(super) struct Reader<'a> {
    pub(super) surroundings: &'a Surroundings<'a>,
    pub(super) sink: Sink,
    /// Where values begin that may be shown: all others are taken for secrets.
    pub(super) shown: BTreeSet<usize>,
    /// The tokens so far, with what each is for.
    pub(super) tokens: Vec<(SecretText, Span, String)>,
}

/// The entries of a section, by key.
pub(super) struct Taken<'n> {
    entries: BTreeMap<&'static str, &'n Entry>,
    /// Where the section stands.
    pub(super) place: Span,
}

impl<'n> Taken<'n> {
    /// The entry of a key of the section.
    pub(super) fn get(&self, key: &str) -> Option<&'n Entry> {
        self.entries.get(key).copied()
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(surroundings: &'a Surroundings<'a>) -> Self {
        Self {
            surroundings,
            sink: Sink::new(),
            shown: BTreeSet::new(),
            tokens: Vec::new(),
        }
    }

    /// Reports at a place.
    pub(super) fn report(
        &mut self,
        code: &'static Code,
        place: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let diagnostic = Diagnostic::new(code, place, message);
        self.sink.push(diagnostic.with_help(help));
    }

    /// The entries of a mapping whose keys are a section's.
    pub(super) fn section<'n>(
        &mut self,
        node: &'n Node,
        section: &'static Section,
    ) -> Option<Taken<'n>> {
        let mut fields = Fields::of(node, section.what, &mut self.sink)?;
        let mut entries = BTreeMap::new();
        for key in section.keys {
            let entry = fields.take(key.name);
            match entry {
                Some(entry) if !key.is_built => {
                    self.shown.insert(entry.value.place.start);
                    let message = format!("{} is not implemented by this build", quoted(key.name));
                    let help = format!("delete it: {} come in a later build", key.about);
                    self.report(&NOT_BUILT, entry.key.span, message, help);
                }
                Some(entry) => {
                    entries.insert(key.name, entry);
                }
                None if key.is_built && key.default.is_empty() => {
                    let help = format!("write `{}:`, {}", key.name, key.about);
                    fields.missing(key.name, &help, &mut self.sink);
                }
                None => {}
            }
        }
        fields.finish(&mut self.sink);
        Some(Taken {
            entries,
            place: node.place,
        })
    }

    /// A text that is no secret, as it is written and with its variables put in.
    pub(super) fn text(&mut self, node: &Node, what: &str) -> Option<Spanned<String>> {
        self.shown.insert(node.place.start);
        let written = node.text(what, &mut self.sink)?;
        let value = self.expanded(&written)?;
        Some(Spanned::new(value, node.place))
    }

    /// A text that is a secret.
    pub(super) fn secret(&mut self, node: &Node, what: &str) -> Option<SecretText> {
        let written = node.text(what, &mut self.sink)?;
        self.expanded(&written).map(SecretText::new)
    }

    /// A text with the variables in it put in; `${NAME}` is the only form there is.
    pub(super) fn expanded(&mut self, written: &Spanned<String>) -> Option<String> {
        if variables::is_broken(&written.value) {
            let help = "write `${NAME}`: letters, digits and `_`, and a closing brace";
            self.report(&BAD_VARIABLE, written.span, "`${` begins no variable", help);
            return None;
        }
        if has_bare_variable(&written.value) {
            let help = "write `${NAME}`, with braces: without them it would be taken as it stands";
            let message = "`$` before a name begins no variable";
            self.report(&BAD_VARIABLE, written.span, message, help);
            return None;
        }
        let mut out = String::new();
        let mut rest = written.value.as_str();
        let mut is_whole = true;
        while let Some((before, name, tail)) = variables::split(rest) {
            out.push_str(before);
            match (self.surroundings.variable)(name).filter(|value| !value.is_empty()) {
                Some(value) => out.push_str(&value),
                None => {
                    let message = format!("the variable {} is not set", quoted(name));
                    let help = format!("set {} where the gateway is started", quoted(name));
                    self.report(&MISSING_VARIABLE, written.span, message, help);
                    is_whole = false;
                }
            }
            rest = tail;
        }
        out.push_str(rest);
        is_whole.then_some(out)
    }

    /// A path, below the file's folder where it is relative.
    pub(super) fn path(&mut self, entry: &Entry) -> Option<PathBuf> {
        let text = self.text(&entry.value, &quoted(&entry.key.value))?;
        Some(self.surroundings.folder.join(text.value))
    }

    /// A boolean.
    pub(super) fn boolean(&mut self, entry: Option<&Entry>) -> bool {
        let Some(entry) = entry else {
            return false;
        };
        self.shown.insert(entry.value.place.start);
        let what = quoted(&entry.key.value);
        entry.value.boolean(&what, &mut self.sink).unwrap_or(false)
    }

    /// A whole number of a range.
    pub(super) fn count(&mut self, entry: Option<&Entry>, range: (u64, u64)) -> Option<u64> {
        let entry = entry?;
        self.shown.insert(entry.value.place.start);
        let what = quoted(&entry.key.value);
        let number = entry.value.number(&what, &mut self.sink)?;
        let (least, most) = range;
        let found = number
            .as_u64()
            .filter(|value| (least..=most).contains(value));
        if found.is_none() {
            let message = format!("{what} is a whole number from {least} to {most}");
            let help = format!(
                "write `{}: {}`, for example",
                entry.key.value,
                least.max(100).min(most)
            );
            self.report(&BAD_VALUE, entry.value.place, message, help);
        }
        found
    }

    /// A duration of a range of seconds: a number of seconds, or `90s`, `15m`, `24h`, `7d`.
    pub(super) fn duration(
        &mut self,
        entry: Option<&Entry>,
        range: (u64, u64),
    ) -> Option<Duration> {
        let entry = entry?;
        self.shown.insert(entry.value.place.start);
        let what = quoted(&entry.key.value);
        let seconds = match &entry.value.content {
            Content::Number(number) => number.as_u64(),
            Content::Text(text) => seconds(&text.value),
            _ => None,
        };
        let (least, most) = range;
        let found = seconds.filter(|seconds| (least..=most).contains(seconds));
        if found.is_none() {
            let message = format!("{what} is a duration from {least} to {most} seconds");
            let help = "write a number of seconds, or one with `s`, `m`, `h` or `d` behind it, such as `15m`";
            self.report(&BAD_VALUE, entry.value.place, message, help);
        }
        found.map(Duration::from_secs)
    }

    /// Every value of a list.
    pub(super) fn list<'n>(&mut self, entry: Option<&'n Entry>) -> &'n [Node] {
        let Some(entry) = entry else {
            return &[];
        };
        let what = quoted(&entry.key.value);
        entry.value.list(&what, &mut self.sink).unwrap_or_default()
    }

    /// Every entry of a mapping with keys of the operator's own.
    pub(super) fn mapping<'n>(&mut self, entry: Option<&'n Entry>) -> &'n [Entry] {
        let Some(entry) = entry else {
            return &[];
        };
        let what = quoted(&entry.key.value);
        entry
            .value
            .mapping(&what, &mut self.sink)
            .unwrap_or_default()
    }
}

fn seconds(text: &str) -> Option<u64> {
    let units = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let (digits, unit) = units
        .iter()
        .find_map(|(letter, unit)| Some((text.strip_suffix(*letter)?, *unit)))?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        .then(|| digits.parse().ok())
        .flatten()
        .and_then(|count: u64| count.checked_mul(unit))
}

/// Whether a text has a `$` right before a letter or `_`: what shells would take for a variable.
fn has_bare_variable(text: &str) -> bool {
    let behind = text.split('$').skip(1);
    let mut firsts = behind.filter_map(|rest| rest.chars().next());
    firsts.any(|first| first.is_ascii_alphabetic() || first == '_')
}
