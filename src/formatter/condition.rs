//! The style of a condition: one blank around operators and words, none inside of brackets. What
//! the gate cannot read is kept as it is written, since the tree holds its text.

use crate::syntax::lines::{Piece, PieceKind, condition_pieces};
use crate::syntax::tree::{Expression, ExpressionKind};

use super::writer::Writer;

/// Writes the condition that stands from `from` to `to` in the line's text.
pub(super) fn write(writer: &mut Writer<'_>, condition: &Expression, from: usize, to: usize) {
    let text = writer.source().get(from..to).unwrap_or_default();
    let pieces = match condition.kind {
        ExpressionKind::Unreadable(_) => None,
        _ => condition_pieces(text),
    };
    let Some(pieces) = pieces else {
        writer.gap(from, " ");
        return writer.verbatim(from, to);
    };
    let pieces: Vec<Piece> = pieces
        .into_iter()
        .map(|piece| Piece {
            start: from + piece.start,
            end: from + piece.end,
            ..piece
        })
        .collect();
    let mut behind_open = false;
    let mut comma = false;
    for piece in without_outer_brackets(writer.source(), &pieces) {
        match piece.kind {
            // A comma with nothing behind it is not needed.
            PieceKind::Comma => {
                comma = true;
                continue;
            }
            PieceKind::Close => {
                writer.gap(piece.start, "");
                writer.verbatim(piece.start, piece.end);
            }
            PieceKind::Open | PieceKind::String | PieceKind::Word => {
                if comma {
                    writer.text(",");
                }
                writer.gap(piece.start, if behind_open { "" } else { " " });
                match piece.kind {
                    PieceKind::String => writer.string(piece.start, piece.end),
                    _ => words(writer, piece.start, piece.end),
                }
            }
        }
        comma = false;
        behind_open = piece.kind == PieceKind::Open;
    }
}

/// The pieces without parentheses around the whole.
fn without_outer_brackets<'p>(text: &str, pieces: &'p [Piece]) -> &'p [Piece] {
    let mut inner = pieces;
    while let [open, between @ .., close] = inner
        && open.kind == PieceKind::Open
        && close.kind == PieceKind::Close
        && text.get(open.start..open.end) == Some("(")
        && stays_inside(between)
    {
        inner = between;
    }
    inner
}

/// Whether no bracket in the pieces closes one that was opened before them.
fn stays_inside(pieces: &[Piece]) -> bool {
    let mut depth = 0_usize;
    for piece in pieces {
        match piece.kind {
            PieceKind::Open => depth += 1,
            PieceKind::Close if depth == 0 => return false,
            PieceKind::Close => depth -= 1,
            _ => {}
        }
    }
    true
}

/// The words of one piece: `not in` has two.
fn words(writer: &mut Writer<'_>, from: usize, to: usize) {
    let text = writer.source().get(from..to).unwrap_or_default();
    let mut at = from;
    let mut separator = "";
    for word in text.split(' ') {
        let end = at + word.len();
        if !word.is_empty() {
            if at > from {
                writer.gap(at, separator);
            }
            writer.verbatim(at, end);
            separator = " ";
        }
        at = end + 1;
    }
}
