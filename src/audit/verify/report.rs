//! What verifying a log found.

use std::fmt;

use thiserror::Error;

use crate::audit::line::Line;
use crate::diagnostics::{Code, Diagnostic, codes};
use crate::text::quoted;

/// Most findings that are kept; the others are counted.
const MOST: usize = 1000;

/// The file cannot be read. What the system says.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the audit log cannot be read: {0}")]
pub struct VerifyError(pub String);

impl VerifyError {
    /// The same as a finding.
    pub fn diagnostic(&self) -> Diagnostic {
        let help = "look at the file's path and permissions";
        Diagnostic::without_place(&codes::audit::AUDIT_UNUSABLE, self.to_string()).with_help(help)
    }
}

/// What verifying a log found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// How many lines could be read.
    pub lines: u64,
    /// The number of the first, and the last.
    pub first: Option<u64>,
    /// The highest number.
    pub last: Option<u64>,
    /// The node of the first line.
    pub node: Option<String>,
    /// Whether hashes were checked.
    pub chain: Chain,
    /// Whether the end was checked.
    pub tail: Tail,
    /// What is wrong, by line.
    pub findings: Vec<Finding>,
    /// How many findings more there are.
    pub more: u64,
}

/// Whether the hashes between lines were checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// There are no keys to check them with.
    NotChecked,
    /// They were.
    Checked,
}

/// Whether the end of the file was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// There is no store that knows where it was.
    NotChecked,
    /// It was; so many lines are still in the store and not in the file.
    Checked {
        /// How many.
        waiting: u64,
    },
    /// The file ends where a signed checkpoint says that it was moved away.
    Rotated,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The line of the file, from 1.
    pub line: u64,
    /// Its number in the chain, where it is known.
    pub seq: Option<u64>,
    /// What is wrong.
    pub fault: Fault,
}

/// What can be wrong with a log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It is not a line of this format, or not written as this program writes them.
    NoLine,
    /// The file ends within it.
    Torn,
    /// Lines before it are missing.
    Missing {
        /// The number of the first of them.
        first: u64,
        /// The number of the last.
        last: u64,
    },
    /// It is not as it was written.
    Altered,
    /// It stands behind lines that were written later.
    Moved,
    /// Its number was there before.
    Repeated,
    /// It is another node's.
    OtherNode(String),
    /// The hash of the line before is of a key that is not in the ring.
    KeyUnknown(String),
    /// Its call was decided before.
    SecondDecision,
    /// It is the outcome of a call that was not decided.
    NoDecision,
    /// The chain had lines behind it.
    Cut {
        /// The last line that it had.
        had: u64,
    },
}

impl Fault {
    /// Its code.
    pub fn code(&self) -> &'static Code {
        match self {
            Self::NoLine => &codes::audit::NO_LINE,
            Self::Torn => &codes::audit::TORN,
            Self::Missing { .. } => &codes::audit::MISSING,
            Self::Altered => &codes::audit::ALTERED,
            Self::Moved | Self::Repeated => &codes::audit::MOVED,
            Self::OtherNode(_) => &codes::audit::FOREIGN,
            Self::KeyUnknown(_) => &codes::audit::KEY_UNKNOWN,
            Self::SecondDecision | Self::NoDecision => &codes::audit::DECISIONS,
            Self::Cut { .. } => &codes::audit::CUT,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}", self.line)?;
        if let Some(seq) = self.seq {
            write!(formatter, " (seq {seq})")?;
        }
        formatter.write_str(": ")?;
        match &self.fault {
            Fault::NoLine => formatter.write_str("this is not a line as the gateway writes them"),
            Fault::Torn => formatter.write_str("the file ends within this line"),
            Fault::Missing { first, last } if first == last => {
                write!(formatter, "seq {first} is missing before this line")
            }
            Fault::Missing { first, last } => {
                write!(
                    formatter,
                    "seq {first} to {last} are missing before this line"
                )
            }
            Fault::Altered => formatter.write_str("this line is not as it was written"),
            Fault::Moved => formatter.write_str("this line stands behind later ones"),
            Fault::Repeated => formatter.write_str("a line of this number stands before"),
            Fault::OtherNode(node) => {
                write!(formatter, "this line is of another node, {}", quoted(node))
            }
            Fault::KeyUnknown(id) => write!(
                formatter,
                "the line before was hashed with the key {}, which is not in `keys`",
                quoted(id)
            ),
            Fault::SecondDecision => formatter.write_str("this call was decided before"),
            Fault::NoDecision => {
                formatter.write_str("this is the outcome of a call that was not decided")
            }
            Fault::Cut { had } => {
                write!(
                    formatter,
                    "the log had lines through seq {had}: its end was cut off"
                )
            }
        }
    }
}

impl Report {
    pub(super) fn new(has_keys: bool) -> Self {
        Self {
            lines: 0,
            first: None,
            last: None,
            node: None,
            chain: if has_keys {
                Chain::Checked
            } else {
                Chain::NotChecked
            },
            tail: Tail::NotChecked,
            findings: Vec::new(),
            more: 0,
        }
    }

    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    pub(super) fn count(&mut self, line: &Line) {
        self.lines += 1;
        self.first.get_or_insert(line.seq);
        self.last = self.last.max(Some(line.seq));
        self.node.get_or_insert_with(|| line.node.clone());
    }

    /// Adds a finding, once.
    pub(super) fn find(&mut self, line: u64, seq: Option<u64>, fault: Fault) {
        let finding = Finding { line, seq, fault };
        let recent = self.findings.iter().rev().take(4);
        if recent.into_iter().any(|other| *other == finding) {
            return;
        }
        if self.findings.len() < MOST {
            self.findings.push(finding);
        } else {
            self.more += 1;
        }
    }

    pub(super) fn sort(&mut self) {
        self.findings.sort_by_key(|finding| finding.line);
    }
}
