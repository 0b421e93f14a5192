//! Where a name is defined and used, and giving it another one.

use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, Location, PrepareRenameResponse, TextEdit,
    WorkspaceEdit,
};

use crate::ir::{is_question, is_refusal};
use crate::text::{RESERVED_MESSAGES, Span, fold_blanks, quoted};

use super::document::Document;
use super::edition::{Decoded, Reading};
use super::symbols::{Kind, Occurrence, Role, Symbols, is_of_the_language};
use super::tool_names::same_tools;

use std::sync::Arc;

/// The definitions of the name at an offset; without one, where it is first assigned or used.
pub(super) fn definitions(document: &Document, reading: &Reading, offset: usize) -> Vec<Location> {
    let symbols = reading.symbols();
    let Some(meant) = symbols.at(offset) else {
        return Vec::new();
    };
    let of_role = |role: Role| -> Vec<&Occurrence> {
        let places = symbols.places(meant);
        places.filter(|it| it.role == role).collect()
    };
    let mut found = of_role(Role::Definition);
    if found.is_empty() {
        found = of_role(Role::Assignment);
    }
    if found.is_empty() {
        found.extend(symbols.places(meant).next());
    }
    located(document, reading, found)
}

/// All places of the name at an offset.
pub(super) fn references(
    document: &Document,
    reading: &Reading,
    offset: usize,
    with_definitions: bool,
) -> Vec<Location> {
    let symbols = reading.symbols();
    let Some(meant) = symbols.at(offset) else {
        return Vec::new();
    };
    let places = symbols.places(meant);
    let places = places.filter(|it| with_definitions || it.role != Role::Definition);
    located(document, reading, places.collect())
}

fn located(document: &Document, reading: &Reading, found: Vec<&Occurrence>) -> Vec<Location> {
    let range = |it: &Occurrence| document.range(reading.source(), it.span);
    let found = found.into_iter();
    found
        .map(|it| Location::new(document.uri.clone(), range(it)))
        .collect()
}

/// All places of the name at an offset, to be marked.
pub(super) fn highlights(
    document: &Document,
    reading: &Reading,
    offset: usize,
) -> Vec<DocumentHighlight> {
    let symbols = reading.symbols();
    let Some(meant) = symbols.at(offset) else {
        return Vec::new();
    };
    let places = symbols.places(meant);
    places
        .map(|it| DocumentHighlight {
            range: document.range(reading.source(), it.span),
            kind: Some(match it.role {
                Role::Use => DocumentHighlightKind::READ,
                Role::Definition | Role::Assignment => DocumentHighlightKind::WRITE,
            }),
        })
        .collect()
}

/// The name at an offset, if it may be given another one.
///
/// # Errors
/// Why it may not.
pub(super) fn renamable(
    document: &Document,
    reading: &Reading,
    offset: usize,
) -> Result<PrepareRenameResponse, String> {
    let meant = meant(reading, offset)?;
    // Clients want the cursor to be in it.
    let start = meant.span.start.min(offset.max(meant.shown.start));
    let span = Span::new(start, meant.span.end);
    Ok(PrepareRenameResponse::RangeWithPlaceholder {
        range: document.range(reading.source(), span),
        placeholder: meant.name.clone(),
    })
}

fn meant(reading: &Reading, offset: usize) -> Result<&Occurrence, String> {
    if !reading.errors.is_empty() {
        return Err("the rulebook has errors of syntax: correct them first".to_owned());
    }
    let meant = reading.symbols().at(offset);
    let meant = meant.ok_or("here is no name of the rulebook")?;
    if meant.kind == Kind::Context && is_of_the_language(&meant.name) {
        return Err("`$tool_name` is a name of the language".to_owned());
    }
    Ok(meant)
}

/// Gives the name at an offset another one, wherever it stands.
///
/// # Errors
/// Why it cannot be called so.
pub(super) fn rename(
    document: &Document,
    reading: &Reading,
    offset: usize,
    new_name: &str,
) -> Result<WorkspaceEdit, String> {
    let meant = meant(reading, offset)?;
    let new_name = new_name.trim();
    let new_name = match meant.kind {
        Kind::Context => new_name.strip_prefix('$').unwrap_or(new_name).to_owned(),
        _ => fold_blanks(new_name),
    };
    admissible(reading.symbols(), meant, &new_name)?;
    let spans: Vec<Span> = reading.symbols().places(meant).map(|it| it.span).collect();
    let text = reading.source().text();
    let written = renamed(text, &spans, &new_name);
    if !reads_as_before(reading, meant, &written, &new_name) {
        let word = meant.kind.word();
        return Err(format!("{} is no name for a {word}", quoted(&new_name)));
    }
    if meant.kind == Kind::Tool {
        same_tools(text, &written, (&meant.name, &new_name))?;
    }
    let edits = spans.iter().map(|span| TextEdit {
        range: document.range(reading.source(), *span),
        new_text: new_name.clone(),
    });
    Ok(WorkspaceEdit {
        changes: Some(
            [(document.uri.clone(), edits.collect())]
                .into_iter()
                .collect(),
        ),
        ..WorkspaceEdit::default()
    })
}

/// Whether nothing of that name is there, and no decision would be another.
fn admissible(symbols: &Symbols, meant: &Occurrence, new_name: &str) -> Result<(), String> {
    let word = meant.kind.word();
    if new_name.is_empty() {
        return Err(format!("a {word} has a name"));
    }
    if new_name == meant.name {
        return Ok(());
    }
    let is_part = |one: &str, other: &str| {
        one.strip_prefix(other)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let taken = symbols.all().iter().find(|it| {
        let is_same = match meant.kind {
            Kind::Context => is_part(&it.name, new_name) || is_part(new_name, &it.name),
            _ => it.name == new_name,
        };
        !it.is_same(meant) && it.collides(meant) && is_same
    });
    if let Some(taken) = taken {
        let (name, word) = (quoted(&taken.name), taken.kind.word());
        return Err(format!("there is a {word} {name} already"));
    }
    if meant.kind == Kind::Context && is_of_the_language(new_name) {
        return Err("`$tool_name` is a name of the language".to_owned());
    }
    if meant.kind == Kind::Message {
        if RESERVED_MESSAGES.contains(&new_name) {
            return Err(format!("{} is no name for a message", quoted(new_name)));
        }
        let role = |name: &str| (is_refusal(name), is_question(name));
        if role(&meant.name) != role(new_name) {
            return Err(
                "the first word of a message decides: `refuse` refuses, `ask` and `clarify` ask; \
                 keep it"
                    .to_owned(),
            );
        }
    }
    Ok(())
}

/// A text with another name at some places, which stand in order.
fn renamed(text: &str, spans: &[Span], new_name: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut at = 0;
    for span in spans {
        written.push_str(text.get(at..span.start).unwrap_or_default());
        written.push_str(new_name);
        at = span.end;
    }
    written.push_str(text.get(at..).unwrap_or_default());
    written
}

/// Whether the rulebook behind the change has the same names at the same places, but for this one.
fn reads_as_before(reading: &Reading, meant: &Occurrence, written: &str, new_name: &str) -> bool {
    let again = Reading::of(Arc::new(Decoded::of(written)));
    if !again.errors.is_empty() {
        return false;
    }
    let before = reading.symbols().all();
    let after = again.symbols().all();
    let same = |(before, after): (&Occurrence, &Occurrence)| {
        let name = if before.is_same(meant) {
            new_name
        } else {
            &before.name
        };
        before.kind == after.kind && before.role == after.role && after.name == name
    };
    before.len() == after.len() && before.iter().zip(after).all(same)
}
