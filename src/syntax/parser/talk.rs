//! What is said and waited for: `bot`, `user`, the triggers of `when`, and texts.

use super::body::{Body, Opener};
use super::statements::missing;
use super::{Explained, Parser, fault, spanned};
use crate::diagnostics::Fix;
use crate::diagnostics::codes::syntax;
use crate::syntax::expression::{Fault, names_in_text};
use crate::syntax::faults;
use crate::syntax::line::{Line, Part};
use crate::syntax::string;
use crate::syntax::tree::{Bot, Message, StatementKind, Trigger, Turn};
use crate::syntax::words;
use crate::text::{Span, Spanned, quoted};

impl<'l, 'a> Parser<'l, 'a, '_, '_> {
    /// `bot M`, `bot M "wording"`, `bot "text"`, `bot $x`, `bot ...`
    pub(super) fn bot(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        rest: Part<'_>,
    ) -> Result<(), Fault> {
        if rest.is_empty() {
            return Err(missing(
                line,
                "`bot` says nothing",
                "write a message's name or a text behind it, such as `bot refuse refund`",
            ));
        }
        let bot = said(line, rest)?;
        body.push(StatementKind::Bot(bot), line);
        body.expect_block(Opener::Wordings, line, true);
        Ok(())
    }

    /// `user U`, `user ...`, `user "text"`
    pub(super) fn user(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        rest: Part<'_>,
    ) -> Result<(), Fault> {
        let turn = turn(line, rest)?;
        body.push(StatementKind::User(turn), line);
        body.expect_block(Opener::Wordings, line, true);
        Ok(())
    }

    /// What stands behind `when`.
    pub(super) fn trigger(&mut self, line: &Line<'_>, rest: Part<'_>) -> Result<Trigger, Fault> {
        let (word, behind) = rest.word();
        match word.text {
            "user" => turn(line, behind).map(Trigger::User),
            "bot" | "event" if behind.is_empty() => Err(missing(
                line,
                &format!("{} has no name behind it", quoted(word.text)),
                "write what the arm waits for",
            )),
            "bot" => {
                let name = spanned(line, behind);
                words::reserved_message(&name)?;
                Ok(Trigger::Bot(name))
            }
            "event" => Ok(Trigger::Event(spanned(line, behind))),
            _ => {
                let help = if rest.text.starts_with('$') || rest.text.starts_with('(') {
                    "write `if` to test the context".to_owned()
                } else if rest.is_empty() {
                    "write `when user` and what the person says".to_owned()
                } else {
                    format!("write {}", quoted(&format!("when user {}", rest.text)))
                };
                Err(fault(
                    &syntax::WHEN_WITHOUT_TRIGGER,
                    line.whole(),
                    "`when` waits for `user`, `bot` or `event`",
                )
                .help(help))
            }
        }
    }

    /// A wording under a `bot` or `user` line.
    pub(super) fn wording_line(&mut self, body: &mut Body, line: &Line<'_>) -> Result<(), Fault> {
        let texts = texts(line, line.part())?;
        if let Some(StatementKind::Bot(bot)) = body.owner() {
            bot.wordings.extend(texts);
        }
        Ok(())
    }

    /// A line of a `define user` or `define bot`: texts, or an `if` around texts.
    pub(super) fn text_line(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        wordings: bool,
    ) -> Result<(), Fault> {
        let part = line.part();
        if part.begins_with_quote() {
            let texts = texts(line, part)?;
            body.texts.extend(texts);
            return Ok(());
        }
        if let Some(fault) = faults::typographic(line, part) {
            return Err(fault);
        }
        let (word, rest) = part.without_colon().word();
        match word.text {
            // Which wording is chosen never matters to a decision.
            "if" | "else" | "elif" if wordings => {
                body.expect_block(Opener::Texts { wordings }, line, false);
                Ok(())
            }
            "bot" | "execute" | "stop" | "if" | "do" if !wordings => Err(fault(
                &syntax::TEXT_EXPECTED,
                line.whole(),
                "a statement stands among the samples of a `define user`",
            )
            .help("write it in a `define flow`")),
            "user" | "bot" | "execute" | "stop" | "do"
                if !rest.is_empty() || word.text == "stop" =>
            {
                Err(fault(
                    &syntax::TEXT_EXPECTED,
                    line.whole(),
                    "a statement stands among the wordings of a `define bot`",
                )
                .help("write it in a `define flow`"))
            }
            // In Colang, the name of another turn; a sample without quotes reads the same.
            _ if !wordings => {
                body.texts.push(spanned(line, part));
                Ok(())
            }
            _ => Err(fault(
                &syntax::TEXT_EXPECTED,
                line.whole(),
                format!("{} is no text", quoted(part.text)),
            )
            .help("write the wording in quotes")
            .fix(in_quotes(line, part))),
        }
    }
}

/// All texts of a line that holds nothing else; commas and `and` may stand between them.
fn texts(line: &Line<'_>, part: Part<'_>) -> Result<Vec<Spanned<String>>, Fault> {
    let mut texts = Vec::new();
    let mut rest = part;
    while !rest.is_empty() {
        let Some((value, literal, behind)) = string::read(rest) else {
            return Err(fault(
                &syntax::TRAILING_TEXT,
                line.place(rest),
                format!("{} stands behind a text", quoted(rest.text)),
            )
            .help("write a quote inside a text as `\\\"`; put each text on a line of its own"));
        };
        let value = value.map_err(|fault| faults::string(line, fault))?;
        texts.push(Spanned::new(value, line.place(literal)));
        rest = match (
            behind.text.strip_prefix(','),
            behind.text.strip_prefix("and "),
        ) {
            (Some(_), _) => behind.split(1).1.trim(),
            (_, Some(_)) => behind.split(3).1.trim(),
            _ => behind,
        };
    }
    Ok(texts)
}

/// A wording that lacks its quotes.
fn in_quotes(line: &Line<'_>, part: Part<'_>) -> Option<Fix> {
    let place = line.place(part);
    let quote = |at: usize| (Span::new(at, at), "\"".to_owned());
    let plain = !part.text.contains(['"', '\\']);
    plain.then(|| Fix::edits("write it in quotes", [quote(place.start), quote(place.end)]))
}

/// What a `bot` line says.
fn said(line: &Line<'_>, part: Part<'_>) -> Result<Bot, Fault> {
    if let Some(fault) = faults::typographic(line, part) {
        return Err(fault);
    }
    if part.text.starts_with('$') || part.text.starts_with("...") {
        return Ok(Bot {
            message: Message::Unseen(spanned(line, part)),
            wordings: Vec::new(),
        });
    }
    if part.begins_with_quote() {
        let mut texts = texts(line, part)?.into_iter();
        let unseen = !names_in_text(line, part).is_empty();
        let message = match texts.next() {
            Some(text) if unseen => Message::Unseen(text),
            Some(text) => Message::Text(text),
            None => Message::Unseen(spanned(line, part)),
        };
        return Ok(Bot {
            message,
            wordings: texts.collect(),
        });
    }
    let (name, wording) = name_and_wording(part);
    let mut wordings = Vec::new();
    let mut name_part = part;
    if let Some(wording) = wording {
        match texts(line, wording) {
            Ok(texts) => {
                wordings = texts;
                name_part = name;
            }
            // `rock 'n' roll`
            Err(_) if wording.text.starts_with('\'') => {}
            Err(fault) => return Err(fault),
        }
    }
    if let Some(fault) = faults::typographic_wording(line, name_part) {
        return Err(fault);
    }
    let name = spanned(line, name_part);
    if name.value.contains('$') && !names_in_text(line, name_part).is_empty() {
        return Ok(Bot {
            message: Message::Unseen(name),
            wordings,
        });
    }
    words::reserved_message(&name)?;
    Ok(Bot {
        message: Message::Named(name),
        wordings,
    })
}

/// A name, and the texts behind it. A quote in open parentheses belongs to the name.
fn name_and_wording(part: Part<'_>) -> (Part<'_>, Option<Part<'_>>) {
    let mut open = 0_usize;
    let mut previous = ' ';
    for (at, character) in part.text.char_indices() {
        match character {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            '"' | '\'' if previous == ' ' && open == 0 => {
                let (name, wording) = part.split(at);
                return (name.trim(), Some(wording));
            }
            _ => {}
        }
        previous = character;
    }
    (part, None)
}

/// What a `user` line waits for.
fn turn(line: &Line<'_>, part: Part<'_>) -> Result<Turn, Fault> {
    if part.is_empty() {
        return Err(missing(
            line,
            "`user` waits for nothing",
            "write what the person says behind it, or `user ...` for anything",
        ));
    }
    if let Some(fault) = faults::typographic(line, part) {
        return Err(fault);
    }
    if part.text == "..." {
        return Ok(Turn::Anything);
    }
    if part.begins_with_quote() {
        return match texts(line, part) {
            Ok(texts) => Ok(texts.into_iter().next().map_or(Turn::Anything, Turn::Text)),
            // `user "a" or user b` is one turn, as `user a or user b` is.
            Err(_) if part.text.contains(" or user ") => Ok(Turn::Named(spanned(line, part))),
            Err(fault) => Err(fault),
        };
    }
    let (name, wording) = name_and_wording(part);
    let samples = wording.is_some_and(|wording| texts(line, wording).is_ok());
    if samples && name.text == "..." {
        return Ok(Turn::Anything);
    }
    Ok(Turn::Named(spanned(
        line,
        if samples { name } else { part },
    )))
}
