//! Which word goes before which on a tool: calls that earn two words of different flows, so that a
//! package which puts them in another order is noticed.

use super::plan::path;
use super::scene::{Required, Scene};
use crate::coverage::FlowCoverage;
use crate::evaluator::Truth;
use crate::ir::{BranchSummary, FlowKind, UNDECIDED, Word};

/// Most ways to a word that are tried.
const MOST_WAYS: usize = 4;
/// Most pairs of words on a tool.
const MOST_PAIRS: usize = 256;

/// The words of all speakers on a tool in the order in which they win.
pub struct Precedence<'r> {
    entries: Vec<Entry<'r>>,
}

/// The words of one kind of one speaker.
struct Entry<'r> {
    speaker: usize,
    /// Each with a way to it.
    words: Vec<(Word<'r>, Vec<Required<'r>>)>,
}

impl<'r> Precedence<'r> {
    /// The words on a tool; without one, of the guards.
    pub fn of(scene: &Scene<'_, 'r>, tool: Option<&str>) -> Self {
        let speakers: Vec<(usize, Vec<(Word<'r>, Vec<Required<'r>>)>)> = scene
            .speakers
            .iter()
            .enumerate()
            .map(|(at, speaker)| (at, words(speaker.counts, at, tool)))
            .collect();
        let ranks: [fn(&Word<'_>) -> bool; 4] = [
            |word| matches!(word, Word::Refuse(_)),
            |word| matches!(word, Word::Clarify(_)),
            |word| matches!(word, Word::Allow),
            |word| matches!(word, Word::NoMatch),
        ];
        let mut entries = Vec::new();
        for is_of_rank in ranks {
            for (speaker, words) in &speakers {
                let words: Vec<_> = words
                    .iter()
                    .filter(|(word, _)| is_of_rank(word))
                    .take(MOST_WAYS)
                    .cloned()
                    .collect();
                if !words.is_empty() {
                    entries.push(Entry {
                        speaker: *speaker,
                        words,
                    });
                }
            }
        }
        Self { entries }
    }

    /// Each two neighbours of different speakers: the two, and ways on which both are earned.
    pub fn pairs(&self) -> Vec<([usize; 2], Vec<Vec<Required<'r>>>)> {
        let mut pairs = Vec::new();
        for (at, first) in self.entries.iter().enumerate() {
            let behind = self.entries.iter().skip(at + 1);
            let mut others = Vec::new();
            for second in behind.filter(|second| second.speaker != first.speaker) {
                // The next, and the next of a lower rank.
                let rank = second.words.first().map(|(word, _)| rank(*word));
                if others.contains(&rank) {
                    continue;
                }
                others.push(rank);
                let ways = first.ways_with(second);
                if !ways.is_empty() {
                    pairs.push(([first.speaker, second.speaker], ways));
                }
                if pairs.len() >= MOST_PAIRS {
                    return pairs;
                }
            }
        }
        pairs
    }
}

fn rank(word: Word<'_>) -> u8 {
    match word {
        Word::Refuse(_) => 0,
        Word::Clarify(_) => 1,
        Word::Allow => 2,
        Word::NoMatch => 3,
    }
}

impl<'r> Entry<'r> {
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
        ways
    }
}

/// The words of a speaker, each of another rule once, with a way to it.
fn words<'r>(
    counts: &FlowCoverage<'r>,
    speaker: usize,
    tool: Option<&str>,
) -> Vec<(Word<'r>, Vec<Required<'r>>)> {
    let mut found: Vec<(Word<'r>, Vec<Required<'r>>)> = Vec::new();
    let mut undecided = None;
    for (at, branch) in counts.flow.branches.iter().enumerate() {
        let summary = BranchSummary::of(branch);
        let word = match (counts.flow.kind, tool) {
            (FlowKind::Guard, _) => summary.guard_word(),
            (_, Some(tool)) => Some(summary.word(tool)),
            _ => None,
        };
        let is_needed = undecided.is_none();
        let is_new = word.is_some_and(|word| found.iter().all(|(known, _)| *known != word));
        if !is_needed && !is_new {
            continue;
        }
        let path = path(counts, speaker, at);
        if is_needed {
            undecided = undecided_way(counts, &path);
        }
        if let Some(word) = word.filter(|_| is_new) {
            found.push((word, path));
        }
    }
    if let Some(way) = undecided
        && found.iter().all(|(known, _)| *known != UNDECIDED)
    {
        found.push((UNDECIDED, way));
    }
    found
}

/// The way to where a path's first condition that can lack a value does.
fn undecided_way<'r>(
    counts: &FlowCoverage<'r>,
    path: &[Required<'r>],
) -> Option<Vec<Required<'r>>> {
    let at = path.iter().position(|required| match *required {
        Required::Arm(_, arm, _) => counts
            .arms
            .get(arm)
            .is_some_and(|arm| arm.arm.condition.can_be_undecided()),
        Required::Part(..) => false,
    })?;
    let mut way: Vec<Required<'r>> = path.get(..at)?.to_vec();
    if let Some(Required::Arm(speaker, arm, _)) = path.get(at) {
        way.push(Required::Arm(*speaker, *arm, Truth::Unknown));
    }
    Some(way)
}
