//! The declarations of a `define context`.

use super::body::Body;
use super::{Explained, Parser, fault};
use crate::diagnostics::codes::syntax;
use crate::syntax::expression::{Fault, path, path_length};
use crate::syntax::faults;
use crate::syntax::line::Line;
use crate::syntax::tree::{ContextDeclaration, ValueType};
use crate::text::{Spanned, quoted};

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
            .help(SHAPE));
        }
        if let Some(fault) = faults::context_name(line, part) {
            return Err(fault);
        }
        let (name, rest) = part.split(path_length(part.text));
        let rest = rest.trim();
        let (colon, value_type) = rest.split(1);
        let value_type = value_type.trim();
        if colon.text != ":" || value_type.is_empty() {
            return Err(fault(
                &syntax::DECLARATION,
                line.whole(),
                format!("{} has no type", quoted(name.text)),
            )
            .help(SHAPE));
        }
        let value = match value_type.text {
            "bool" => ValueType::Boolean,
            "number" => ValueType::Number,
            "string" => ValueType::String,
            other => {
                let help = match other.to_ascii_lowercase().as_str() {
                    "bool" | "boolean" => "write `bool`",
                    "number" | "int" | "integer" | "float" | "decimal" | "double" => {
                        "write `number`"
                    }
                    "string" | "str" | "text" | "enum" => "write `string`",
                    _ => "the types are `bool`, `number` and `string`",
                };
                return Err(fault(
                    &syntax::DECLARATION,
                    line.place(value_type),
                    format!("{} is no type of a context name", quoted(other)),
                )
                .help(help));
            }
        };
        body.declarations.push(ContextDeclaration {
            name: path(line, name),
            value_type: Spanned::new(value, line.place(value_type)),
        });
        Ok(())
    }
}
