//! Which word goes before which on a tool. Every word that can decide is a [`Slot`]: there is a
//! call on which it does; and for each two neighbours a call that earns both, so that a package
//! which puts them in another order is noticed.

use super::plan::path;
use super::scene::{Required, Scene};
use crate::coverage::FlowCoverage;
use crate::evaluator::{FlowWord, Truth, decisive};
use crate::ir::{BranchSummary, FlowKind, Rulebook, UNDECIDED, Word};

/// Most ways to a word that are tried.
const MOST_WAYS: usize = 4;
/// Most pairs of words on a tool.
const MOST_PAIRS: usize = 256;

/// The kinds of words, in the order in which they win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// No branch holds.
    Undecided,
    /// A refusal that a branch says.
    Refuse,
    /// A question, and no tool runs.
    Ask,
    /// A question before the tool runs.
    AskFirst,
    /// The tool runs.
    Allow,
    /// None of these.
    NoMatch,
}

impl Kind {
    /// What it is called where there is no test of it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Undecided => "undecided",
            Self::Refuse => "refuse",
            Self::Ask => "clarify",
            Self::AskFirst => "clarify before it runs",
            Self::Allow => "allow",
            Self::NoMatch => "no_match",
        }
    }

    /// Which words it wins against: refusals, however they come about, are alike.
    fn rank(self) -> u8 {
        match self {
            Self::Undecided | Self::Refuse => 0,
            Self::Ask | Self::AskFirst => 1,
            Self::Allow => 2,
            Self::NoMatch => 3,
        }
    }

    fn of(word: Word<'_>, runs: bool) -> Self {
        match word {
            Word::Refuse(_) => Self::Refuse,
            Word::Clarify(_) if runs => Self::AskFirst,
            Word::Clarify(_) => Self::Ask,
            Word::Allow => Self::Allow,
            Word::NoMatch => Self::NoMatch,
        }
    }
}

/// Who says a word that decides on a tool: a flow that governs it, or the guards before one, by the
/// number of such flows before them; nobody, for no match.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Voice {
    /// The guards behind so many flows that govern the tool.
    Guards(usize),
    /// The flow of this id.
    Flow(String),
    /// No flow in particular.
    Nobody,
}

/// A word that can decide on a tool.
pub type Slot = (Voice, Kind);

/// The words of all speakers on a tool in the order in which they win.
pub struct Precedence<'r> {
    entries: Vec<Entry<'r>>,
}

/// The words of one kind of one speaker.
pub struct Entry<'r> {
    /// The index of the speaker.
    pub speaker: usize,
    /// The place in which they decide.
    pub slot: Slot,
    /// Each with a way to it; none where a structure leaves none.
    words: Vec<(Word<'r>, Vec<Required<'r>>)>,
}

impl<'r> Precedence<'r> {
    /// The words on a tool; without one, of the guards.
    pub fn of(scene: &Scene<'_, 'r>, tool: Option<&str>) -> Self {
        let mut entries = Vec::new();
        let mut before = 0;
        for (at, speaker) in scene.speakers.iter().enumerate() {
            let counts = speaker.counts;
            let voice = match counts.flow.kind {
                FlowKind::Guard => Voice::Guards(before),
                _ => {
                    before += 1;
                    Voice::Flow(counts.flow.id.clone())
                }
            };
            entries.extend(entries_of(counts, at, &voice, tool));
        }
        entries.sort_by_key(|entry| (entry.slot.1.rank(), entry.speaker));
        Self { entries }
    }

    /// All of them.
    pub fn entries(&self) -> &[Entry<'r>] {
        &self.entries
    }

    /// Each two neighbours of different speakers: the two, and ways on which both are earned.
    pub fn pairs(&self) -> Vec<([usize; 2], Vec<Vec<Required<'r>>>)> {
        let mut pairs = Vec::new();
        for (at, first) in self.entries.iter().enumerate() {
            let behind = self.entries.iter().skip(at + 1);
            let mut ranks = Vec::new();
            for second in behind.filter(|second| second.speaker != first.speaker) {
                // The next, and the next of each lower rank.
                let rank = second.slot.1.rank();
                if ranks.contains(&rank) {
                    continue;
                }
                let ways = first.ways_with(second);
                if ways.is_empty() {
                    continue;
                }
                ranks.push(rank);
                pairs.push(([first.speaker, second.speaker], ways));
                if pairs.len() >= MOST_PAIRS {
                    return pairs;
                }
            }
        }
        pairs
    }
}

impl<'r> Entry<'r> {
    /// The ways to the words.
    pub fn ways(&self) -> impl Iterator<Item = &Vec<Required<'r>>> {
        self.words.iter().map(|(_, way)| way)
    }

    /// Ways on which both speak, and not alike.
    fn ways_with(&self, other: &Self) -> Vec<Vec<Required<'r>>> {
        let mut ways = Vec::new();
        for (word, way) in &self.words {
            for (second, behind) in &other.words {
                if word != second {
                    ways.push(way.iter().chain(behind).copied().collect());
                }
            }
        }
        ways.truncate(MOST_WAYS);
        ways
    }
}

/// The words of a speaker by kind, each of another rule once, with a way to it.
fn entries_of<'r>(
    counts: &FlowCoverage<'r>,
    speaker: usize,
    voice: &Voice,
    tool: Option<&str>,
) -> Vec<Entry<'r>> {
    let mut entries: Vec<Entry<'r>> = vec![Entry {
        speaker,
        slot: (voice.clone(), Kind::Undecided),
        words: undecided_ways(counts, speaker)
            .into_iter()
            .map(|way| (UNDECIDED, way))
            .collect(),
    }];
    for (at, branch) in counts.flow.branches.iter().enumerate() {
        let summary = BranchSummary::of(branch);
        let word = match (counts.flow.kind, tool) {
            (FlowKind::Guard, _) => summary.guard_word(),
            (_, tool) => tool.map(|tool| summary.word(tool)),
        };
        let Some(word) = word else { continue };
        let kind = Kind::of(word, summary.runs().next().is_some());
        let known = entries.iter().position(|entry| entry.slot.1 == kind);
        let way = || path(counts, speaker, at);
        match known.and_then(|known| entries.get_mut(known)) {
            Some(entry) => {
                let is_new = entry.words.iter().all(|(known, _)| *known != word);
                if entry.words.len() < MOST_WAYS && (is_new || entry.words.len() < 2) {
                    entry.words.push((word, way()));
                }
            }
            None => {
                let voice = match kind {
                    Kind::NoMatch => Voice::Nobody,
                    _ => voice.clone(),
                };
                entries.push(Entry {
                    speaker,
                    slot: (voice, kind),
                    words: vec![(word, way())],
                });
            }
        }
    }
    entries
}

/// Ways to where a condition that can lack a value does.
fn undecided_ways<'r>(counts: &FlowCoverage<'r>, speaker: usize) -> Vec<Vec<Required<'r>>> {
    let mut ways: Vec<Vec<Required<'r>>> = Vec::new();
    for branch in 0..counts.flow.branches.len() {
        let path = path(counts, speaker, branch);
        let at = path.iter().position(|required| match *required {
            Required::Arm(_, arm, _) => counts
                .arms
                .get(arm)
                .is_some_and(|arm| arm.arm.condition.can_be_undecided()),
            Required::Part(..) => false,
        });
        let Some((way, rest)) = at.and_then(|at| path.split_at_checked(at)) else {
            continue;
        };
        let mut way = way.to_vec();
        if let Some(Required::Arm(speaker, arm, _)) = rest.first() {
            way.push(Required::Arm(*speaker, *arm, Truth::Unknown));
        }
        if !ways.contains(&way) {
            ways.push(way);
        }
        if ways.len() >= MOST_WAYS {
            break;
        }
    }
    ways
}

/// The slot of the word that decides among the words of flows on a tool; none where none speaks.
pub fn deciding(rulebook: &Rulebook, words: &[FlowWord<'_>], tool: Option<&str>) -> Option<Slot> {
    let (at, word) = decisive(words.iter().map(|word| word.word))?;
    let speaker = words.get(at)?;
    let kind = match speaker.branch.map(BranchSummary::of) {
        None => Kind::Undecided,
        Some(summary) => Kind::of(word, summary.runs().next().is_some()),
    };
    if kind == Kind::NoMatch {
        return Some((Voice::Nobody, kind));
    }
    if speaker.flow.kind != FlowKind::Guard {
        return Some((Voice::Flow(speaker.flow.id.clone()), kind));
    }
    let governed = tool.and_then(|tool| rulebook.tool(tool));
    let before = rulebook
        .flows
        .iter()
        .take_while(|flow| flow.id != speaker.flow.id)
        .filter(|flow| governed.is_some_and(|tool| tool.is_governed_by(flow)));
    Some((Voice::Guards(before.count()), kind))
}
