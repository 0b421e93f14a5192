//! What a branch says, as a person is told it.

use crate::ir::{Branch, BranchSummary, Questions, Rulebook, Spoken, Tool, Word};
use crate::palette::Tone;

/// What a branch says on some tools.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outcome<'a> {
    /// Which word it is.
    pub kind: Kind,
    /// The rule that a decision by it names.
    pub rule: &'a str,
    /// What is shown to a person, in order: questions, or the reason of a refusal.
    pub wordings: Vec<&'a str>,
    /// The tools that it is about; none where it is about all of the flow.
    pub tools: Vec<&'a str>,
    /// Whether the tools run behind the questions.
    pub runs: bool,
    /// Whether no other flow governs any of the tools.
    pub is_alone: bool,
}

/// The words that a branch can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The tools may run.
    Allow,
    /// A person is asked first.
    Clarify,
    /// The call is refused.
    Refuse,
    /// A governing flow says nothing on the tools.
    NoWord,
    /// A guard says nothing: the call goes on.
    Passes,
}

impl Kind {
    /// How it looks.
    pub fn tone(self) -> Tone {
        match self {
            Self::Allow => Tone::Allow,
            Self::Clarify => Tone::Clarify,
            Self::Refuse => Tone::Refuse,
            Self::NoWord | Self::Passes => Tone::Silent,
        }
    }

    /// What it is called in a picture.
    pub fn label(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Clarify => "ask",
            Self::Refuse => "refuse",
            Self::NoWord => "no word",
            Self::Passes => "passes",
        }
    }

    /// Its sign.
    pub fn mark(self) -> char {
        match self {
            Self::Passes => '→',
            other => other.tone().mark(),
        }
    }

    fn of(word: Word<'_>) -> Self {
        match word {
            Word::Allow => Self::Allow,
            Word::Clarify(_) => Self::Clarify,
            Word::Refuse(_) => Self::Refuse,
            Word::NoMatch => Self::NoWord,
        }
    }
}

/// Most tools that are named where a word is about all of a flow.
const MOST_NAMED: usize = 4;

impl Outcome<'_> {
    /// The tools that it is about, of a flow that governs these.
    pub fn tool_words(&self, all: &[&str]) -> String {
        match self.tools.as_slice() {
            [] if all.len() > MOST_NAMED => format!("all {} tools", all.len()),
            [] => all.join(", "),
            some => some.join(", "),
        }
    }
}

/// What a branch of a governing flow says, tools of one word together.
pub fn outcomes<'a>(
    rulebook: &'a Rulebook,
    branch: &'a Branch,
    tools: &[&'a Tool],
) -> Vec<Outcome<'a>> {
    let summary = BranchSummary::of(branch);
    let mut found: Vec<Outcome<'a>> = Vec::new();
    for tool in tools {
        let word = summary.word(&tool.name);
        let questions = match word {
            Word::Clarify(_) => Questions::of(branch, &tool.name),
            _ => Questions {
                before_last_run: Vec::new(),
                runs: word == Word::Allow,
            },
        };
        let spoken = if questions.before_last_run.is_empty() {
            last_message(branch, word)
        } else {
            questions.before_last_run
        };
        let wordings: Vec<&str> = spoken.iter().map(|said| said.wording(rulebook)).collect();
        let is_alone = tool.flows.len() == 1;
        let (kind, rule) = (Kind::of(word), word.rule());
        let same = found.iter_mut().find(|outcome| {
            outcome.kind == kind && outcome.rule == rule && outcome.wordings == wordings
        });
        match same {
            Some(outcome) => {
                outcome.tools.push(&tool.name);
                outcome.is_alone &= is_alone;
            }
            None => found.push(Outcome {
                kind,
                rule,
                wordings,
                tools: vec![&tool.name],
                runs: questions.runs,
                is_alone,
            }),
        }
    }
    if let [outcome] = found.as_mut_slice() {
        outcome.tools.clear();
    }
    found.sort_by_key(|outcome| outcome.kind);
    found
}

/// What a branch of a guard says.
pub fn guard_outcome<'a>(rulebook: &'a Rulebook, branch: &'a Branch) -> Outcome<'a> {
    let word = BranchSummary::of(branch).guard_word();
    let spoken = word.map(|word| last_message(branch, word));
    Outcome {
        kind: word.map_or(Kind::Passes, Kind::of),
        rule: word.map_or("", Word::rule),
        wordings: spoken
            .unwrap_or_default()
            .iter()
            .map(|said| said.wording(rulebook))
            .collect(),
        tools: Vec::new(),
        runs: false,
        is_alone: false,
    }
}

/// The message that a refusal or a question without a run behind it is.
fn last_message<'a>(branch: &'a Branch, word: Word<'_>) -> Vec<Spoken<'a>> {
    match word {
        Word::Clarify(_) | Word::Refuse(_) => Spoken::last_of(branch).into_iter().collect(),
        Word::Allow | Word::NoMatch => Vec::new(),
    }
}
