//! Each flow's word on a call, with the questions to ask for it (contract section 4): what a
//! gateway needs to ask a person, so that one yes never answers two questions.

use serde::Serialize;
use serde_json::Value;

use crate::evaluator::{self, Call, Decision, Verdict, combine};
use crate::ir::{
    Branch, Flow, FlowKind, Questions, RULE_NO_MATCH, RULE_STOP, Rulebook, Spoken, Word,
};

use super::Gate;

/// What all flows say on a call, and what that comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Words<'g> {
    /// The decision, which these words are combined to.
    #[serde(flatten)]
    pub decision: Decision,
    /// The words in source order: of the guards that speak, and of all flows that govern the
    /// tool.
    pub words: Vec<FlowWord<'g>>,
}

/// What one flow says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FlowWord<'g> {
    /// The flow.
    pub flow: FlowPlace<'g>,
    /// The branch that holds; none when the flow is undecided.
    pub branch: Option<BranchPlace<'g>>,
    /// `allow`, `clarify` or `refuse`; `no_match` is a refuse only where no flow says another
    /// word.
    pub word: WordKind,
    /// The rule that a decision by this word names: of an allow, nothing.
    pub rule: &'g str,
    /// What a person is shown of the rule: the message's first text, its own name where it has
    /// none. None where no message stands behind the word.
    pub wording: Option<&'g str>,
    /// Whether a yes can lift this word: it is a clarify, and the branch runs the tool behind
    /// the question.
    pub answerable: bool,
    /// All questions before the last run of the tool on the branch, in order. Each wants a yes of
    /// its own. A message that is asked twice stands here twice.
    pub questions: Vec<Asked<'g>>,
}

/// A flow's name and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FlowPlace<'g> {
    /// `f<n>`.
    pub id: &'g str,
    /// Its name.
    pub name: &'g str,
    /// Governing or guard.
    pub kind: FlowKind,
    /// Line of its definition, from 1.
    pub line: usize,
}

/// A branch's id and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BranchPlace<'g> {
    /// `f<n>_b<m>`.
    pub id: &'g str,
    /// Line of the last arm taken, else of the last `if` passed, else of the flow.
    pub line: usize,
}

/// The four words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WordKind {
    /// The tool runs and nobody is asked before.
    Allow,
    /// A person is asked first.
    Clarify,
    /// The call is refused; the rule of an undecided flow is `no_match`.
    Refuse,
    /// The path runs other tools, or nothing happens on it.
    NoMatch,
}

/// A question to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Asked<'g> {
    /// The message's name; `ask` of an unnamed one.
    pub rule: &'g str,
    /// What to show: the message's first text, its own name where it has none.
    pub wording: &'g str,
}

impl Words<'_> {
    /// Whether the decision is a clarify that yeses can lift: each clarify word is answerable.
    pub fn is_answerable(&self) -> bool {
        let mut asking = self.clarify_words().peekable();
        self.decision.decision == Verdict::Clarify
            && asking.peek().is_some()
            && asking.all(|word| word.answerable)
    }

    /// All questions to ask for an answerable clarify, in order: those of each clarify word, in
    /// source order.
    pub fn questions(&self) -> impl Iterator<Item = &Asked<'_>> {
        self.clarify_words().flat_map(|word| &word.questions)
    }

    fn clarify_words(&self) -> impl Iterator<Item = &FlowWord<'_>> {
        let words = self.words.iter();
        words.filter(|word| word.word == WordKind::Clarify)
    }
}

impl Gate {
    /// What each flow says on a call, with the questions to ask for it. A tool that is no string
    /// is none; a context that is no object has no names.
    ///
    /// The decision is the one that [`evaluator::decide`] comes to. This looks at flows one by
    /// one, so it is for calls that are to be asked about, not for every call.
    pub fn words<'t>(&self, tool: impl Into<Option<&'t str>>, context: &Value) -> Words<'_> {
        let tool = tool.into();
        let said = evaluator::words(self.rulebook(), &Call::of(tool, context));
        Words::of(self.rulebook(), &said, tool)
    }
}

impl<'g> Words<'g> {
    pub(super) fn of(
        rulebook: &'g Rulebook,
        said: &[evaluator::FlowWord<'g>],
        tool: Option<&str>,
    ) -> Self {
        Self {
            decision: combine(said.iter().map(|word| word.word)),
            words: said
                .iter()
                .map(|word| FlowWord::of(rulebook, word, tool))
                .collect(),
        }
    }
}

impl<'g> FlowWord<'g> {
    fn of(rulebook: &'g Rulebook, said: &evaluator::FlowWord<'g>, tool: Option<&str>) -> Self {
        let questions = said
            .branch
            .zip(tool)
            .map(|(branch, tool)| Questions::of(branch, tool));
        let answerable = matches!(said.word, Word::Clarify(_))
            && questions.as_ref().is_some_and(|questions| questions.runs);
        let asked = questions
            .into_iter()
            .flat_map(|questions| questions.before_last_run);
        let asked: Vec<Asked<'g>> = asked.map(|one| Asked::of(rulebook, one)).collect();
        // Elsewhere the last message is the rule; `stop` and `no_match` are said by none.
        let wording = match said.word {
            Word::Clarify(_) if answerable => asked.first().map(|first| first.wording),
            Word::Clarify(rule) | Word::Refuse(rule) if !is_rule_of_none(rule) => said
                .branch
                .and_then(Spoken::last_of)
                .map(|message| message.wording(rulebook)),
            _ => None,
        };
        Self {
            flow: FlowPlace::of(said.flow),
            branch: said.branch.map(BranchPlace::of),
            word: WordKind::from(said.word),
            rule: said.word.rule(),
            wording,
            answerable,
            questions: asked,
        }
    }
}

/// Whether a rule is one that no message has: these names are reserved.
fn is_rule_of_none(rule: &str) -> bool {
    [RULE_STOP, RULE_NO_MATCH].contains(&rule)
}

impl<'g> FlowPlace<'g> {
    pub(super) fn of(flow: &'g Flow) -> Self {
        Self {
            id: &flow.id,
            name: &flow.name,
            kind: flow.kind,
            line: flow.line,
        }
    }
}

impl<'g> BranchPlace<'g> {
    pub(super) fn of(branch: &'g Branch) -> Self {
        Self {
            id: &branch.id,
            line: branch.line,
        }
    }
}

impl From<Word<'_>> for WordKind {
    fn from(word: Word<'_>) -> Self {
        match word {
            Word::Allow => Self::Allow,
            Word::Clarify(_) => Self::Clarify,
            Word::Refuse(_) => Self::Refuse,
            Word::NoMatch => Self::NoMatch,
        }
    }
}

impl<'g> Asked<'g> {
    fn of(rulebook: &'g Rulebook, question: Spoken<'g>) -> Self {
        Self {
            rule: question.question_rule(),
            wording: question.wording(rulebook),
        }
    }
}

#[cfg(test)]
mod tests;
