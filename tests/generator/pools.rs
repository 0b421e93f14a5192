//! The words rulebooks are made of.

/// The types of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Boolean,
    Number,
    String,
}

/// Context names; no two within two edits of each other, none a prefix of another.
pub const NAMES: &[(&str, Type)] = &[
    ("order_paid", Type::Boolean),
    ("amount", Type::Number),
    ("customer.tier", Type::String),
    ("frozen", Type::Boolean),
    ("order.sum_total", Type::Number),
    ("region", Type::String),
    ("customer.verified", Type::Boolean),
    ("a.b.c_risk", Type::Number),
    ("_x1", Type::Boolean),
];

/// Names of one type.
pub fn names_of(wanted: Type) -> Vec<&'static str> {
    let of_type = NAMES.iter().filter(|(_, found)| *found == wanted);
    of_type.map(|(name, _)| *name).collect()
}

/// Number literals as sources write them.
pub const NUMBERS: &[&str] = &[
    "100",
    "0",
    "100.50",
    "-5",
    "1",
    "0.001",
    "-0",
    "2.0",
    "999999999999999",
    "12345678901.2345",
    "-0.25",
];

/// String literals, unescaped.
pub const STRINGS: &[&str] = &[
    "gold",
    "",
    "it's",
    "a\"b",
    "back\\slash",
    "ünï ☂ \u{1F512}",
    "line\nbreak\ttab",
    "# no comment",
    "true",
    "100",
    "\u{202e}rtl\u{2028}",
    "}\" == 1 { \"x",
];

/// Tools.
pub const TOOLS: &[&str] = &["refund_card", "pay.out", "ns/tool-x", "_t", "T2"];

/// Strings that `$tool_name` is compared with beside the tools.
pub const ODD_TOOLS: &[&str] = &["delete all", "", "x\"y\\", "ünï"];

/// Messages that remark.
pub const REMARKS: &[&str] = &[
    "confirm order",
    "remind of escrow",
    "say it's done",
    "saldo não passa",
    "5\"screen 100%",
    "back\\slash {x} `y`",
    "deny\u{202e}this",
    "refusing nothing",
    "asked already",
];

/// Messages that refuse.
pub const REFUSALS: &[&str] = &[
    "refuse",
    "refuse unpaid order",
    "refuse it's late",
    "refuse é tarde \u{1F512}",
    "refuse no_match",
    "refuse a\"b",
];

/// Messages that ask.
pub const QUESTIONS: &[&str] = &[
    "ask",
    "ask for approval",
    "clarify which order",
    "clarify",
    "ask 100% sure",
];

/// Unnamed messages.
pub const TEXTS: &[&str] = &["Sure?", "It's \"fine\" \\ #1\n", "refuse", "ask me", "é"];

/// Turns.
pub const TURNS: &[&str] = &[
    "approve",
    "...",
    "\"yes, I do\"",
    "say it's me",
    "ask refund",
];

/// Flow names as they stand in the source; `%` is a number that makes them unique.
pub const FLOW_NAMES: &[&str] = &[
    "refunds %",
    "\"quoted \\\" name %\"",
    "'single # quoted %'",
    "\"line\\nbreak\\u202e %\"",
    "it's flow % (beta)",
    "if allowed %",
    "\"\\\\ package x %\"",
    "fluxo não é % \u{1F512}",
];

/// One of a pool.
pub fn pick<T: Copy>(pool: &[T], choice: u8) -> T {
    pool[usize::from(choice) % pool.len()]
}

/// A string literal with the escapes of contract section 1.
pub fn quoted(text: &str, single: bool) -> String {
    let quote = if single { '\'' } else { '"' };
    let mut out = String::from(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{1F512}' => out.push_str("\\uD83D\\uDD12"),
            _ if character == quote => {
                out.push('\\');
                out.push(quote);
            }
            _ => out.push(character),
        }
    }
    out.push(quote);
    out
}
