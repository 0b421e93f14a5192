//! Why a call is decided so, as lines of text.

use std::fmt;

use crate::text::{escaped, quoted};

use super::super::words::{FlowWord, WordKind};
use super::{Change, Edit, FlowTrace, LeafTrace, MetArm, NoChange, Outcome, Why};

/// Lines without an end of the last one.
impl fmt::Display for Why<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decision = self.decision.decision.as_str();
        match self.decision.rule.as_str() {
            "" => formatter.write_str(decision)?,
            rule => write!(formatter, "{decision} {}", quoted(rule))?,
        }
        match &self.decided_by {
            None => formatter.write_str(": no flow speaks on this call")?,
            Some(by) => {
                let (name, line) = (quoted(by.flow.name), by.line);
                write!(formatter, ": flow {name}, line {line}")?;
                match by.branch {
                    Some(branch) => write!(formatter, " (branch {})", branch.id)?,
                    None => formatter.write_str(" (undecided)")?,
                }
            }
        }
        for flow in &self.flows {
            write!(formatter, "\n{flow}")?;
        }
        write!(formatter, "\n{}", self.change)
    }
}

impl fmt::Display for FlowTrace<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FlowWord { flow, word, .. } = &self.said;
        let name = quoted(flow.name);
        write!(formatter, "flow {name}, line {}: ", flow.line)?;
        match (word, self.undecided_at) {
            (_, Some(line)) => write!(formatter, "undecided at line {line}")?,
            (WordKind::NoMatch, None) => formatter.write_str("says nothing on this tool")?,
            (WordKind::Allow, None) => formatter.write_str("allow")?,
            (WordKind::Refuse, None) => write!(formatter, "refuse {}", quoted(self.said.rule))?,
            (WordKind::Clarify, None) => {
                write!(formatter, "clarify {}", quoted(self.said.rule))?;
                if !self.said.answerable {
                    formatter.write_str(", and nothing runs behind it")?;
                }
            }
        }
        for arm in &self.met {
            write!(formatter, "\n{arm}")?;
        }
        Ok(())
    }
}

impl fmt::Display for MetArm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_else {
            return write!(formatter, "  line {}: `else`", self.line);
        }
        let outcome = match self.outcome {
            Outcome::Held => "held",
            Outcome::Failed => "failed",
            Outcome::Lacked => "is neither true nor false",
        };
        write!(
            formatter,
            "  line {}: {} {outcome}",
            self.line,
            quoted(&self.condition)
        )?;
        for leaf in &self.leaves {
            write!(formatter, "\n    {leaf}")?;
        }
        Ok(())
    }
}

impl fmt::Display for LeafTrace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = match self.outcome {
            Outcome::Held => "held",
            Outcome::Failed => "failed",
            Outcome::Lacked => "lacks a value",
        };
        let (leaf, name) = (quoted(&self.leaf), quoted(&format!("${}", self.name)));
        write!(
            formatter,
            "{leaf} {outcome}: {name} is {}",
            self.seen.kind.as_str()
        )?;
        if let Some(parent) = &self.seen.below {
            write!(
                formatter,
                ", {} is no object",
                quoted(&format!("${parent}"))
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unneeded => formatter.write_str("allowed as it is"),
            Self::Smallest { edits } => {
                formatter.write_str("the smallest change that would allow it:")?;
                list(formatter, edits)
            }
            Self::NotExact { edits } => {
                formatter.write_str("a change that would allow it; there may be a smaller one:")?;
                list(formatter, edits)
            }
            Self::None {
                because: NoChange::NotGoverned,
            } => formatter.write_str("no context allows it: no flow governs this tool"),
            Self::None {
                because: NoChange::NeverAllowed,
            } => formatter.write_str("no context allows this tool"),
            Self::NotFound { at_least } => write!(
                formatter,
                "no change that would allow it was found; it would change {at_least} names or more"
            ),
        }
    }
}

fn list(formatter: &mut fmt::Formatter<'_>, edits: &[Edit]) -> fmt::Result {
    for edit in edits {
        write!(formatter, "\n  {edit}")?;
    }
    Ok(())
}

impl fmt::Display for Edit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = quoted(&format!("${}", self.name.join(".")));
        match &self.set {
            Some(value) => write!(formatter, "set {name} to `{}`", escaped(&value.to_string()))?,
            None => write!(formatter, "remove {name}")?,
        }
        if let Some(parent) = &self.replaces {
            write!(
                formatter,
                ", an object in place of {}",
                quoted(&format!("${parent}"))
            )?;
        }
        Ok(())
    }
}
