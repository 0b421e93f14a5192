//! What to change in a line that was refused, where that is mechanical and surely meant. The
//! message beside says what is wrong; here stands only what is written instead.

use super::expression::path_length;
use super::line::{Line, Part};
use crate::diagnostics::Fix;
use crate::text::{Decimal, Span};

/// The blanks of one block.
const STEP: &str = "  ";

/// Spaces for the foreign blanks that a line is indented with, from `begin` on, behind `column`
/// spaces. A tab is as wide as a block is deep, and only in a file that is indented by tabs
/// alone: beside spaces nobody knows what it stands for.
pub(super) fn indentation(text: &str, begin: usize, column: usize) -> Option<Fix> {
    let rest = text.get(begin..)?;
    let length = rest.find(|character: char| character == '\n' || !is_blank(character));
    let (blanks, _) = rest.split_at_checked(length.unwrap_or(rest.len()))?;
    let place = Span::new(begin, begin + blanks.len());
    if rest
        .get(blanks.len()..)
        .is_none_or(|behind| behind.is_empty() || behind.starts_with('\n'))
    {
        return Some(Fix::edits("delete the blanks", [(place, String::new())]));
    }
    let spaces = if blanks.chars().all(|blank| blank == '\t') {
        (column == 0 && is_indented_by_tabs(text)).then(|| STEP.repeat(blanks.len()))?
    } else {
        spaces(blanks)?
    };
    Some(Fix::edits("write spaces", [(place, spaces)]))
}

/// Spaces that look like some blanks; none for those that are wider.
fn spaces(blanks: &str) -> Option<String> {
    let mut out = String::new();
    for blank in blanks.chars() {
        match blank {
            ' ' | '\u{A0}' | '\u{202F}' => out.push(' '),
            _ if has_no_width(blank) => {}
            _ => return None,
        }
    }
    Some(out)
}

/// A space for a blank between words; nothing for one that nobody sees, unless it stands between
/// two words: then they may have been meant as one or as two.
pub(super) fn blank(text: &str, character: char, place: Span) -> Option<Fix> {
    if !has_no_width(character) {
        return Some(Fix::edits("write a space", [(place, " ".to_owned())]));
    }
    let before = text
        .get(..place.start)
        .and_then(|text| text.chars().next_back());
    let behind = text.get(place.end..).and_then(|text| text.chars().next());
    let is_word = |neighbour: Option<char>| neighbour.is_some_and(char::is_alphanumeric);
    (!(is_word(before) && is_word(behind)))
        .then(|| Fix::edits("delete it", [(place, String::new())]))
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() || has_no_width(character)
}

fn has_no_width(character: char) -> bool {
    matches!(character, '\u{180E}' | '\u{200B}' | '\u{2060}')
}

/// Whether every line that is indented is so by tabs alone; comments need not be.
fn is_indented_by_tabs(text: &str) -> bool {
    text.lines().all(|line| {
        let content = line.trim_start_matches('\t');
        let begins_blank = content.starts_with(is_blank);
        !begins_blank || content.trim_start().is_empty() || content.trim_start().starts_with('#')
    })
}

/// Straight quotes for the pair of typographic ones that a part begins with.
pub(super) fn quotes(line: &Line<'_>, part: Part<'_>) -> Option<Fix> {
    let mut characters = part.text.char_indices();
    let (_, open) = characters.next()?;
    let closers: &[char] = match open {
        '“' | '”' | '‟' => &['”'],
        '„' => &['“', '”'],
        '«' => &['»'],
        '»' => &['«'],
        '‘' | '’' | '‛' => &['’'],
        '`' | '´' => &['`', '´'],
        _ => return None,
    };
    let mut closing = characters.filter(|(_, character)| closers.contains(character));
    let (close, quote) = closing.next()?;
    // A single one may be an apostrophe.
    let alone = closing.next().is_none();
    if !alone && !matches!(open, '“' | '”' | '‟' | '„' | '«' | '»') {
        return None;
    }
    let inner = part.text.get(open.len_utf8()..close)?;
    if inner.contains(['"', '\\']) {
        return None;
    }
    let place =
        |at: usize, character: char| line.span(part.at + at, part.at + at + character.len_utf8());
    Some(Fix::edits(
        "write straight quotes",
        [
            (place(0, open), "\"".to_owned()),
            (place(close, quote), "\"".to_owned()),
        ],
    ))
}

/// A number as a plain decimal: without `_` between digits, with a digit beside its point.
pub(super) fn number(line: &Line<'_>, part: Part<'_>) -> Option<Fix> {
    let text = part.text;
    let groups = text.split('_');
    let digits = |group: &str| {
        group
            .chars()
            .all(|character| character.is_ascii_digit() || character == '.')
    };
    let grouped = groups
        .clone()
        .all(|group| !group.is_empty() && digits(group.strip_prefix('-').unwrap_or(group)));
    let mut plain = match grouped {
        true => groups.collect::<String>(),
        false => return None,
    };
    if let Some(whole) = plain.strip_suffix('.') {
        plain = whole.to_owned();
    }
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", plain.as_str()),
    };
    if digits.starts_with('.') {
        plain = format!("{sign}0{digits}");
    }
    Decimal::from_literal(&plain).ok()?;
    Some(Fix::write(line.place(part), plain))
}

/// `and` for `&&` and the like, with the blanks that a word needs. `rest` begins with the sign.
pub(super) fn word(line: &Line<'_>, rest: Part<'_>, length: usize, word: &str) -> Fix {
    let before = rest
        .at
        .checked_sub(1)
        .and_then(|at| line.part().text.as_bytes().get(at));
    let behind = rest.text.as_bytes().get(length);
    let blank = |byte: Option<&u8>| match byte {
        Some(b' ' | b'(') | None => "",
        Some(_) => " ",
    };
    let text = format!("{}{word}{}", blank(before), blank(behind));
    Fix::write(line.place(rest.split(length).0), text)
}

/// `not` for a `!` that is about one name or one bracket. Before a comparison it is about the
/// name in one language and about the comparison in another.
pub(super) fn negation(line: &Line<'_>, rest: Part<'_>) -> Option<Fix> {
    let (sign, operand) = rest.split(1);
    let operand = operand.trim();
    let behind = match path_length(operand.text) {
        0 if operand.text.starts_with('(') => "",
        0 => return None,
        length => operand.split(length).1.trim().text,
    };
    let joined = ["&&", "||", ")", ":"]
        .iter()
        .any(|sign| behind.starts_with(sign));
    let word = behind.split([' ', '(']).next().unwrap_or_default();
    let ends = matches!(
        word,
        "" | "and" | "or" | "AND" | "OR" | "And" | "Or" | "then"
    );
    let place = Span::new(line.place(sign).start, line.place(operand).start);
    (joined || (ends && !behind.starts_with('('))).then(|| Fix::write(place, "not "))
}
