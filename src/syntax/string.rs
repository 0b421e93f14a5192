//! String literals: their inside (contract section 1).

use super::line::Part;
use super::nesting::closed_string_end;

/// Why a string cannot be read: the range in the line's text, and what to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StringFault {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) message: String,
    pub(super) help: &'static str,
    /// It is a `\` that no language reads as anything else, in a string without escapes.
    pub(super) is_plain_backslash: bool,
}

/// Reads the string a part begins with: its value, the part it stands in, and the rest.
/// `None` when it begins with no closed string.
pub(super) fn read(part: Part<'_>) -> Option<(Result<String, StringFault>, Part<'_>, Part<'_>)> {
    if !part.begins_with_quote() {
        return None;
    }
    let (literal, rest) = part.split(closed_string_end(part.text.as_bytes(), 0)?);
    Some((unescape(literal), literal, rest.trim()))
}

/// The value of a string literal, its quotes included in `literal`.
pub(super) fn unescape(literal: Part<'_>) -> Result<String, StringFault> {
    let inner = literal
        .text
        .get(1..literal.text.len().saturating_sub(1))
        .unwrap_or_default();
    if !inner.contains('\\') {
        return Ok(inner.to_owned());
    }
    let begin = literal.at + 1;
    let mut value = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(before) = rest.find('\\') {
        let (plain, escape) = rest.split_at_checked(before).unwrap_or_default();
        value.push_str(plain);
        let from = begin + (inner.len() - escape.len());
        let (character, length) = read_escape(escape, from).map_err(|fault| StringFault {
            is_plain_backslash: fault.is_plain_backslash && !has_letter_escapes(inner),
            ..fault
        })?;
        value.push(character);
        rest = escape.get(length..).unwrap_or_default();
    }
    value.push_str(rest);
    Ok(value)
}

fn read_escape(escape: &str, from: usize) -> Result<(char, usize), StringFault> {
    let Some(kind) = escape.chars().nth(1) else {
        return Ok(('\\', escape.len().max(1)));
    };
    let plain = match kind {
        '\\' | '"' | '\'' => Some(kind),
        'n' => Some('\n'),
        't' => Some('\t'),
        _ => None,
    };
    if let Some(character) = plain {
        return Ok((character, 2));
    }
    let fault = |length: usize, message: String, help| StringFault {
        from,
        to: from + length,
        message,
        help,
        is_plain_backslash: false,
    };
    if kind != 'u' {
        let elsewhere = "abefrvxNU";
        let is_plain_backslash = kind.is_ascii_alphabetic() && !elsewhere.contains(kind);
        let fault = fault(
            1 + kind.len_utf8(),
            format!("{} is no escape", crate::text::quoted(&format!("\\{kind}"))),
            r#"write `\\` for a backslash; the escapes are `\\`, `\"`, `\'`, `\n`, `\t` and `\uXXXX`"#,
        );
        return Err(StringFault {
            is_plain_backslash,
            ..fault
        });
    }
    let Some(unit) = hex_unit(escape) else {
        return Err(fault(
            2,
            "`\\u` needs four hexadecimal digits".to_owned(),
            "write it as `\\u00e9`",
        ));
    };
    match unit {
        0xD800..=0xDBFF => {
            let second = escape.get(6..).and_then(hex_unit);
            if let Some(low @ 0xDC00..=0xDFFF) = second {
                let scalar = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                return Ok((char::from_u32(scalar).unwrap_or_default(), 12));
            }
        }
        0xDC00..=0xDFFF => {}
        _ => return Ok((char::from_u32(unit).unwrap_or_default(), 6)),
    }
    Err(fault(
        6,
        format!("`\\u{unit:04x}` is half of a character"),
        "write both halves of the surrogate pair, or the character itself",
    ))
}

/// Whether a `\n`, `\t` or `\u` stands in a string: what looks like a path may then be none.
fn has_letter_escapes(inner: &str) -> bool {
    let mut escaped = false;
    inner.chars().any(|character| {
        let found = escaped && matches!(character, 'n' | 't' | 'u');
        escaped = character == '\\' && !escaped;
        found
    })
}

/// The number in `\uXXXX` at the start of a text.
fn hex_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(literal: &str) -> Result<String, (usize, usize)> {
        let part = Part {
            text: literal,
            at: 0,
        };
        unescape(part).map_err(|fault| (fault.from, fault.to))
    }

    #[test]
    fn escapes() {
        assert_eq!(value(r#""a\\b\"c\'d\ne\tf""#).unwrap(), "a\\b\"c'd\ne\tf");
        assert_eq!(value(r#"'\u00e9\uD83D\ude00'"#).unwrap(), "é😀");
        assert_eq!(value(r#""plain é""#).unwrap(), "plain é");
    }

    #[test]
    fn faults_have_a_place() {
        assert_eq!(value(r#""ab\x""#), Err((3, 5)));
        assert_eq!(value(r#""\u12""#), Err((1, 3)));
        assert_eq!(value(r#""a\ud800b""#), Err((2, 8)));
        assert_eq!(value(r#""\udc00""#), Err((1, 7)));
        assert_eq!(value(r#""\ud800\u0041""#), Err((1, 7)));
        assert_eq!(value(r#""\é""#), Err((1, 4)));
    }
}
