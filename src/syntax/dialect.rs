//! Files that are no rulebook at all: Colang 2.x, a mixture of both, other languages, nothing.
//!
//! Asked only of files with errors, and of files without a definition: every other file is a
//! rulebook, whatever words its texts begin with.

use super::line::{Line, LineKind};
use super::parser::begins_definition;
use crate::diagnostics::{Diagnostic, codes::syntax};
use crate::text::{Span, quoted};

/// A line that looks like Colang 2.x.
struct Sign<'l, 'a> {
    line: &'l Line<'a>,
    /// It stands in the first column, where 1.0 has definitions only.
    outermost: bool,
}

/// The one error that stands for all, if this is no Colang 1.0 file.
pub(super) fn verdict(lines: &[Line<'_>]) -> Option<Diagnostic> {
    let first_definition = lines.iter().find(|line| begins_definition(line));
    let signs: Vec<_> = signs(lines).collect();
    let decisive = signs
        .iter()
        .find(|sign| sign.outermost && !is_import(sign.line));
    let import = signs.iter().find(|sign| sign.outermost);
    let inner: Vec<_> = signs.iter().filter(|sign| !sign.outermost).collect();
    match (
        first_definition,
        decisive.or(import).or(inner.first().copied()),
    ) {
        (None, Some(sign)) => Some(version_2(sign.line)),
        (None, None) => Some(no_rulebook(lines)),
        (Some(definition), Some(sign)) => {
            // One `await` in a rulebook is a slip that its own error explains; one `import`
            // may be Colang 1.0.
            let mixed =
                decisive.is_some() || inner.len() > 1 || (import.is_some() && !inner.is_empty());
            mixed.then(|| mixture(definition, sign.line))
        }
        (Some(_), None) => None,
    }
}

fn is_import(line: &Line<'_>) -> bool {
    line.part().text.starts_with("import")
}

fn signs<'l, 'a>(lines: &'l [Line<'a>]) -> impl Iterator<Item = Sign<'l, 'a>> {
    let mut in_texts = false;
    lines.iter().filter_map(move |line| {
        if line.kind == LineKind::Documentation {
            return None;
        }
        let part = line.part();
        let (word, rest) = part.word();
        if begins_definition(line) {
            in_texts = matches!(rest.word().0.text, "user" | "bot");
            return None;
        }
        let outermost = line.column == 0;
        let is_sign = match word.text {
            "flow" | "import" => outermost && !rest.is_empty(),
            "await" | "match" | "start" | "send" | "activate" => {
                let names = |c: char| c.is_alphabetic() || c == '_' || c == '$';
                (outermost || !in_texts) && rest.text.starts_with(names)
            }
            "" => outermost && part.text.starts_with('@'),
            _ => false,
        };
        is_sign.then_some(Sign { line, outermost })
    })
}

fn place(line: &Line<'_>) -> Span {
    line.whole()
}

fn version_2(sign: &Line<'_>) -> Diagnostic {
    Diagnostic::new(
        &syntax::COLANG_2,
        place(sign),
        "this is Colang 2.x; a rulebook is Colang 1.0",
    )
    .with_label(format!("{} is Colang 2.x", quoted(sign.part().text)))
    .with_help(
        "write `define flow NAME` for `flow NAME`, `execute tool` for `await Tool()`, `bot \"text\"` for `bot say \"text\"`",
    )
}

fn mixture(definition: &Line<'_>, sign: &Line<'_>) -> Diagnostic {
    let shown = quoted(sign.part().text);
    let help = match sign.part().word().0.text {
        "await" | "start" => "write `execute tool` for it; a rulebook is Colang 1.0 throughout",
        "flow" => "write `define flow` before the name; a rulebook is Colang 1.0 throughout",
        "send" => "write `create event` for it; a rulebook is Colang 1.0 throughout",
        "match" => "write `user` or `event` for it; a rulebook is Colang 1.0 throughout",
        _ => "delete it; a rulebook is Colang 1.0 throughout",
    };
    Diagnostic::new(
        &syntax::MIXED_VERSIONS,
        place(sign),
        "this file mixes Colang 1.0 and 2.x",
    )
    .with_label(format!("{shown} is Colang 2.x"))
    .with_other(
        place(definition),
        format!("{} is Colang 1.0", quoted(definition.part().text)),
    )
    .with_help(help)
}

fn no_rulebook(lines: &[Line<'_>]) -> Diagnostic {
    let code = lines
        .iter()
        .find(|line| line.kind != LineKind::Documentation);
    let Some(line) = code else {
        return Diagnostic::new(
            &syntax::NO_RULEBOOK,
            Span::new(0, 0),
            "this file defines nothing",
        )
        .with_help("a rulebook has at least one definition, such as `define flow refunds`");
    };
    let text = line.part().text;
    let is_key = |text: &str| {
        let key = text.split(": ").next().unwrap_or_default();
        let key = key.strip_suffix(':').unwrap_or(key);
        (text.contains(": ") || text.ends_with(':')) && !key.contains(' ')
    };
    let yaml = is_key(text) || text.starts_with("- ") || text == "---";
    Diagnostic::new(
        &syntax::NO_RULEBOOK,
        place(line),
        if yaml {
            "this file is no rulebook; it looks like YAML"
        } else {
            "this file is no rulebook"
        },
    )
    .with_label("no definition stands here or anywhere else")
    .with_help("a rulebook is made of definitions, such as `define flow refunds`")
}
