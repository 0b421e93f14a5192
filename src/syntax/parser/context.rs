//! The declarations of a `define context`.

use super::body::Body;
use super::{Explained, Parser, fault};
use crate::diagnostics::Fix;
use crate::diagnostics::codes::syntax;
use crate::syntax::expression::{Fault, path, path_length};
use crate::syntax::faults;
use crate::syntax::line::Line;
use crate::syntax::tree::{ContextDeclaration, ValueType};
use crate::text::{Span, Spanned, quoted};

impl<'l, 'a> Parser<'l, 'a, '_, '_> {
    /// `$order_paid: bool`
    pub(super) fn declaration(&mut self, body: &mut Body, line: &'l Line<'a>) -> Result<(), Fault> {
        const SHAPE: &str = "write `$name: bool`, `$name: number` or `$name: string`";
        let part = line.part();
        if !part.text.starts_with('$') {
            return Err(fault(
                &syntax::DECLARATION,
                line.whole(),
                format!("{} declares no context name", quoted(part.text)),
            )
            .help(SHAPE)
            .fix(without_sign(part.text).then(|| Fix::insert(line.whole().start, "$"))));
        }
        if let Some(fault) = faults::context_name(line, part) {
            return Err(fault);
        }
        let (name, rest) = part.split(path_length(part.text));
        let rest = rest.trim();
        let (colon, value_type) = rest.split(1);
        let value_type = value_type.trim();
        if colon.text != ":" || value_type.is_empty() {
            let fix = is_type(rest.text).then(|| {
                let place = line.place(name).end;
                Fix::edits(
                    "write `:` before the type",
                    [(Span::new(place, place), ":".to_owned())],
                )
            });
            return Err(fault(
                &syntax::DECLARATION,
                line.whole(),
                format!("{} has no type", quoted(name.text)),
            )
            .help(SHAPE)
            .fix(fix));
        }
        let value = match value_type.text {
            "bool" => ValueType::Boolean,
            "number" => ValueType::Number,
            "string" => ValueType::String,
            other => {
                let meant = match other.to_ascii_lowercase().as_str() {
                    "bool" | "boolean" => Some("bool"),
                    "number" | "int" | "integer" | "float" | "decimal" | "double" => Some("number"),
                    "string" | "str" | "text" | "enum" => Some("string"),
                    _ => None,
                };
                let help = match meant {
                    Some(meant) => format!("write `{meant}`"),
                    None => "the types are `bool`, `number` and `string`".to_owned(),
                };
                let place = line.place(value_type);
                return Err(fault(
                    &syntax::DECLARATION,
                    line.place(value_type),
                    format!("{} is no type of a context name", quoted(other)),
                )
                .help(help)
                .fix(meant.map(|meant| Fix::write(place, meant))));
            }
        };
        body.declarations.push(ContextDeclaration {
            name: path(line, name),
            value_type: Spanned::new(value, line.place(value_type)),
        });
        Ok(())
    }
}

fn is_type(text: &str) -> bool {
    matches!(text, "bool" | "number" | "string")
}

/// `order_paid: bool`, in which only the `$` is missing.
fn without_sign(text: &str) -> bool {
    let Some((name, value_type)) = text.split_once(':') else {
        return false;
    };
    let name = format!("${}", name.trim_end_matches(' '));
    is_type(value_type.trim_start_matches(' ')) && path_length(&name) == name.len()
}
