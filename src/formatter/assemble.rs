//! From placed lines to a text: each line is written in its style, comments go behind it.

use std::collections::BTreeMap;

use crate::syntax::lines::LogicalLine;
use crate::syntax::tree::Comment;
use crate::text::{MAX_LINE_CHARACTERS, Source, Span};

use super::arrange::{Item, Placed};
use super::line::{self, Style};
use super::nodes::Node;
use super::writer::{Break, Written};

/// Blanks before a comment that stands behind a line.
const COMMENT_GAP: usize = 2;

/// Longest line for which a column that the author chose for comments is kept.
const COMFORTABLE: usize = 100;

/// What is written of one line or comment.
struct Block {
    blank_before: bool,
    /// Physical lines with their indentation.
    lines: Vec<String>,
    comment: Option<Trailing>,
    /// It declares a context name, and is not continued.
    declares: bool,
}

/// A comment behind a line.
struct Trailing {
    text: String,
    /// Its column in the source.
    column: usize,
}

/// Comments that do not stand on lines of their own, by the number of their physical line.
type Comments<'t> = BTreeMap<usize, &'t Comment>;

/// Writes everything.
///
/// # Errors
/// The place in the source of a line that would be longer than a line may be.
pub(super) fn assemble(
    source: &Source,
    lines: &[LogicalLine<'_>],
    placed: &[Placed<'_>],
    comments: &[Comment],
) -> Result<String, Span> {
    let trailing: Comments<'_> = comments
        .iter()
        .filter(|comment| !comment.own_line)
        .map(|comment| (source.line_of(comment.text.span.start), comment))
        .collect();
    let mut blocks = Vec::with_capacity(placed.len());
    for item in placed {
        blocks.push(match item.item {
            Item::Comment(text) => Block {
                blank_before: item.blank_before,
                lines: vec![format!("{}{text}", " ".repeat(item.column))],
                comment: None,
                declares: false,
            },
            Item::Line(index, style) => match lines.get(index) {
                Some(line) => block(source, line, style, item, &trailing)?,
                None => continue,
            },
        });
    }
    let columns = comment_columns(&blocks);
    let mut text = String::with_capacity(source.text().len());
    for (block, column) in blocks.iter().zip(columns) {
        if block.blank_before {
            text.push('\n');
        }
        text.push_str(&block.lines.join("\n"));
        if let Some(comment) = &block.comment {
            text.push_str(&" ".repeat(gap(block, comment, column)));
            text.push_str(&comment.text);
        }
        text.push('\n');
    }
    Ok(text)
}

/// Writes one line: in its style, or as it is where that would be too long.
fn block(
    source: &Source,
    line: &LogicalLine<'_>,
    style: Style<'_>,
    placed: &Placed<'_>,
    trailing: &Comments<'_>,
) -> Result<Block, Span> {
    let starts: Vec<usize> = line.physical_starts().collect();
    let at = |start: &usize| trailing.get(&source.line_of(*start)).copied();
    let breaks: Vec<Break<'_>> = line
        .breaks()
        .zip(&starts)
        .map(|(offset, start)| Break {
            at: offset,
            comment: at(start).map(|comment| comment.text.value.as_str()),
        })
        .collect();
    let behind = at(starts.last().unwrap_or(&line.whole().end));
    let column = placed.column;
    let indentation = " ".repeat(column);
    for style in [style, Style::AsWritten] {
        let written = if line.is_documentation() {
            Written {
                lines: vec![source.slice(line.whole()).to_owned()],
                comment: None,
            }
        } else {
            line::write(line, style, &breaks, column, behind.is_some())
        };
        let Written { mut lines, comment } = written;
        if let Some(first) = lines.first_mut() {
            first.insert_str(0, &indentation);
        }
        let comment = match (behind, comment) {
            (Some(comment), _) => Some(Trailing {
                text: comment.text.value.clone(),
                column: source.position(comment.text.span.start).column - 1,
            }),
            (None, Some(text)) => Some(Trailing { text, column: 0 }),
            (None, None) => None,
        };
        let block = Block {
            blank_before: placed.blank_before,
            declares: matches!(style, Style::Of(Node::Declaration(_))) && lines.len() == 1,
            lines,
            comment,
        };
        if fits(&block) {
            return Ok(block);
        }
    }
    Err(line.whole())
}

/// Whether every physical line is short enough, with the comment directly behind it. Those
/// inside of documentation are what they were.
fn fits(block: &Block) -> bool {
    let lines = || block.lines.iter().flat_map(|line| line.split('\n'));
    let comment = block.comment.as_ref();
    let comment = comment.map_or(0, |comment| length(&comment.text));
    lines().all(|line| length(line) <= MAX_LINE_CHARACTERS)
        && end(block) + comment <= MAX_LINE_CHARACTERS
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// The column behind a block's last physical line.
fn end(block: &Block) -> usize {
    let last = block.lines.last().map_or("", String::as_str);
    length(last.rsplit('\n').next().unwrap_or_default())
}

/// The blanks before a comment that would best stand in `column`.
fn gap(block: &Block, comment: &Trailing, column: Option<usize>) -> usize {
    let end = end(block);
    let last = block.lines.last().map_or("", String::as_str);
    if last.trim_start_matches(' ').is_empty() {
        return 0;
    }
    let room = MAX_LINE_CHARACTERS.saturating_sub(end + length(&comment.text));
    column
        .map_or(COMMENT_GAP, |column| column.saturating_sub(end))
        .min(room)
}

/// The column of the comment behind each block: comments behind the declarations of one
/// `define context` share one, others have none.
fn comment_columns(blocks: &[Block]) -> Vec<Option<usize>> {
    let mut columns = vec![None; blocks.len()];
    let mut from = 0;
    // Only definitions begin in the first column, so that a context's lines are one run.
    let is_outside = |block: &Block| !block.lines.iter().any(|line| line.starts_with(' '));
    for part in blocks.chunk_by(|_, next| !is_outside(next)) {
        let column = common_column(part);
        for (block, slot) in part.iter().zip(columns.iter_mut().skip(from)) {
            *slot = column.filter(|_| block.declares);
        }
        from += part.len();
    }
    columns
}

/// The column that the author aligned them in, if there is room before all of them and their
/// lines stay short; else that behind the longest line, if it can be.
fn common_column(blocks: &[Block]) -> Option<usize> {
    let commented: Vec<_> = blocks
        .iter()
        .filter(|block| block.declares)
        .filter_map(|block| Some((end(block), block.comment.as_ref()?)))
        .collect();
    let aligned = aligned_column(commented.iter().map(|(_, comment)| comment.column));
    let least = commented.iter().map(|(end, _)| end + COMMENT_GAP).max()?;
    let longest = commented
        .iter()
        .map(|(_, comment)| length(&comment.text))
        .max()?;
    let aligned = aligned.map(|column| (column, COMFORTABLE));
    aligned
        .into_iter()
        .chain([(least, MAX_LINE_CHARACTERS)])
        .find(|(column, most)| *column >= least && column + longest <= *most)
        .map(|(column, _)| column)
}

/// The column that most of several comments stand in, or that of the only one.
fn aligned_column(columns: impl Iterator<Item = usize>) -> Option<usize> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for column in columns {
        *counts.entry(column).or_default() += 1;
    }
    let total: usize = counts.values().sum();
    let (column, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count > 1 || total == 1).then_some(column)
}
