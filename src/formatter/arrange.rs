//! Where each line and comment goes: its column, and whether a blank line stands before it.
//!
//! A source without errors is strict about its blocks (contract section 1), so columns alone say
//! what belongs together: a deeper line opens a block, and a shallower one returns to the column
//! of an open one. Only what stands under `meta`, and under definitions that are no part of a
//! rulebook, follows rules of its own; it moves as a whole.

use crate::syntax::lines::LogicalLine;
use crate::syntax::tree::{Comment, StatementKind};
use crate::text::{MAX_LINE_CHARACTERS, Source};

use super::line::Style;
use super::nodes::{Node, Nodes};

/// How much deeper than its head a block stands.
const STEP: usize = 2;

/// A line, or a comment on a line of its own, and where it goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'t> {
    /// What it is.
    pub(super) item: Item<'t>,
    /// The column it goes to.
    pub(super) column: usize,
    /// Whether a blank line stands before it.
    pub(super) blank_before: bool,
}

/// A logical line, or a comment on a line of its own.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'t> {
    /// The line with this index, and how it is written.
    Line(usize, Style<'t>),
    /// The comment's text.
    Comment(&'t str),
}

/// A column that lines stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    /// In the source.
    old: usize,
    /// Behind formatting.
    new: usize,
}

/// Where definitions stand.
const OUTERMOST: Level = Level { old: 0, new: 0 };

/// Places all lines, and all comments that stand on lines of their own.
pub(super) fn arrange<'t>(
    source: &Source,
    lines: &[LogicalLine<'_>],
    nodes: &Nodes<'t>,
    comments: &'t [Comment],
) -> Vec<Placed<'t>> {
    let mut pass = Pass {
        source,
        open: Vec::new(),
        free: None,
        in_definition: false,
        placed: Vec::with_capacity(lines.len() + comments.len()),
        before: None,
    };
    // Documentation where none belongs is in the tree as a comment, and here as a line.
    let mut comments = comments
        .iter()
        .filter(|comment| comment.own_line && !comment.text.value.starts_with('"'))
        .peekable();
    for (index, line) in lines.iter().enumerate() {
        let start = line.whole().start;
        let mut waiting = Vec::new();
        while let Some(comment) = comments.next_if(|comment| comment.text.span.start < start) {
            waiting.push(comment);
        }
        pass.line(index, line, nodes, &waiting);
    }
    pass.in_definition = false;
    let levels = pass.levels_from(OUTERMOST);
    pass.comments(&comments.collect::<Vec<_>>(), &levels, false);
    pass.placed
}

struct Pass<'s, 't> {
    source: &'s Source,
    /// The blocks that are open, from the outermost.
    open: Vec<Level>,
    /// The line under which everything deeper goes by rules of its own.
    free: Option<Free>,
    in_definition: bool,
    placed: Vec<Placed<'t>>,
    before: Option<Before>,
}

/// A head under which lines stand in any column.
#[derive(Clone, Copy, Debug)]
struct Free {
    head: Level,
    /// The column of its first line.
    first: Option<Level>,
}

/// What stands before the next item.
#[derive(Clone, Copy, Debug)]
struct Before {
    /// The number of its last physical line.
    last: usize,
    /// It belongs to no definition.
    outside: bool,
    is_comment: bool,
    /// It is the documentation of the rulebook.
    opens_file: bool,
}

impl<'t> Pass<'_, 't> {
    fn line(
        &mut self,
        index: usize,
        line: &LogicalLine<'_>,
        nodes: &Nodes<'t>,
        waiting: &[&'t Comment],
    ) {
        let column = line.column();
        let whole = line.whole();
        let node = nodes.get(&whole.start).copied();
        let is_head = column == 0 && !line.is_documentation();
        let outside = is_head || column == 0 || !self.in_definition;
        let opens_file = outside && line.is_documentation() && self.placed_no_line();
        let mut style = node.map_or(Style::Unheld, Style::Of);
        let (level, levels, deeper);
        if outside {
            level = OUTERMOST;
            levels = self.levels_from(OUTERMOST);
            deeper = false;
            self.open.clear();
            self.free = None;
        } else if let Some(free) = self.free.filter(|free| column > free.head.old) {
            style = Style::AsWritten;
            level = free.place(column);
            levels = vec![level];
            deeper = free.first.is_none();
            if deeper {
                let first = Some(level);
                self.free = Some(Free { first, ..free });
                self.open.push(level);
            }
        } else {
            self.free = None;
            let is_open = self.open.iter().find(|open| open.old == column).copied();
            deeper = is_open.is_none();
            level = is_open.unwrap_or(Level {
                old: column,
                new: self.open.last().map_or(0, |above| above.new) + STEP,
            });
            levels = match deeper {
                true => vec![level],
                false => self.levels_from(level),
            };
            self.open.retain(|open| open.old < column);
            self.open.push(level);
        }
        self.comments(waiting, &levels, deeper);
        if is_head {
            self.in_definition = true;
        } else if outside {
            self.in_definition = false;
        }
        let is_free = match node {
            None => is_head,
            Some(Node::Statement(StatementKind::Meta)) => true,
            Some(_) => false,
        };
        if is_free && self.free.is_none() {
            self.free = Some(Free {
                head: level,
                first: None,
            });
        }
        if is_head && node.is_none() {
            style = Style::AsWritten;
        }
        let first = self.source.line_of(whole.start);
        let blank_before = self.blank_before(first, outside, deeper);
        self.placed.push(Placed {
            item: Item::Line(index, style),
            column: level.new,
            blank_before,
        });
        let last = line.physical_starts().last().unwrap_or(whole.end);
        self.before = Some(Before {
            last: self.source.line_of(last),
            outside: outside && !is_head,
            is_comment: false,
            opens_file,
        });
    }

    /// Whether this is the first line.
    fn placed_no_line(&self) -> bool {
        let is_line = |placed: &Placed<'_>| matches!(placed.item, Item::Line(..));
        !self.placed.iter().any(is_line)
    }

    /// The columns that a comment before a line of this level may stand in: its own, and those
    /// of the blocks that it closes.
    fn levels_from(&self, level: Level) -> Vec<Level> {
        let closed = self.open.iter().filter(|open| open.old > level.old);
        std::iter::once(level).chain(closed.copied()).collect()
    }

    /// Places comments before a line. `deeper`: the line opens a block.
    fn comments(&mut self, comments: &[&'t Comment], levels: &[Level], deeper: bool) {
        let mut deepest = levels.len();
        for comment in comments {
            let text = comment.text.value.as_str();
            let start = comment.text.span.start;
            let position = self.source.position(start);
            let choices = levels.get(..deepest).unwrap_or_default();
            let count = choices
                .iter()
                .filter(|level| level.old < position.column)
                .count()
                .max(1);
            let room = MAX_LINE_CHARACTERS.saturating_sub(text.chars().count());
            let choice = choices.iter().take(count);
            let (count, column) = choice
                .enumerate()
                .rfind(|(_, level)| level.new <= room)
                .map_or((1, room), |(index, level)| (index + 1, level.new));
            // A comment behind one of an outer block is no part of an inner one.
            deepest = count;
            let outside = levels.first() == Some(&OUTERMOST) && count == 1;
            let blank_before = self.blank_before(position.line, outside, deeper);
            self.placed.push(Placed {
                item: Item::Comment(text),
                column,
                blank_before,
            });
            self.before = Some(Before {
                last: position.line,
                outside,
                is_comment: true,
                opens_file: false,
            });
        }
    }

    /// Whether a blank line stands before an item whose first physical line has this number.
    fn blank_before(&self, first: usize, outside: bool, deeper: bool) -> bool {
        let Some(before) = self.before else {
            return false;
        };
        if before.opens_file || (outside && !before.outside) {
            return true;
        }
        // A block begins right under its head.
        let under_head = deeper && !before.is_comment;
        first > before.last + 1 && !under_head
    }
}

impl Free {
    fn place(self, column: usize) -> Level {
        let shallowest = self.head.new + 1;
        let new = match self.first {
            None => self.head.new + STEP,
            Some(first) => (column + first.new)
                .saturating_sub(first.old)
                .max(shallowest),
        };
        Level { old: column, new }
    }
}
