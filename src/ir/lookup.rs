//! Finding things of an IR by their ids.

use super::{Condition, Flow, FlowKind, If, Message, Rulebook, Tool};

impl Rulebook {
    /// The governed tool of this name.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// The message of this name. Messages stand by name, so this takes no long search.
    pub fn message(&self, name: &str) -> Option<&Message> {
        let found = self
            .messages
            .binary_search_by(|message| message.name.as_str().cmp(name));
        found.ok().and_then(|at| self.messages.get(at))
    }
}

impl Tool {
    /// Whether this flow governs the tool.
    pub fn is_governed_by(&self, flow: &Flow) -> bool {
        flow.kind == FlowKind::Governing && self.flows.contains(&flow.id)
    }
}

impl Flow {
    /// Whether the last arm of one of its `if`s is an `else`. It looks like an `else if True`,
    /// but no path goes past it.
    pub fn ends_in_else(&self, decision: &If) -> bool {
        let last = decision.arms.iter().skip(1).next_back();
        let mut choices = self.branches.iter().flat_map(|branch| &branch.path);
        last.is_some_and(|arm| arm.condition == Condition::Const(true))
            && !choices.any(|choice| choice.passed && choice.if_id == decision.id)
    }

    /// The `if` with this id. Ids count, so this takes no search.
    pub fn find_if(&self, id: &str) -> Option<&If> {
        self.ifs.get(self.if_index(id)?)
    }

    /// The index in `ifs` of the `if` with this id.
    pub fn if_index(&self, id: &str) -> Option<usize> {
        let (_, number) = id.rsplit_once("_i")?;
        let index = number.parse::<usize>().ok()?.checked_sub(1)?;
        self.ifs.get(index).filter(|found| found.id == id)?;
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::super::example;

    #[test]
    fn ifs_are_found_by_id() {
        let rulebook = example::maximal();
        for flow in &rulebook.flows {
            for decision in &flow.ifs {
                assert_eq!(flow.find_if(&decision.id), Some(decision));
            }
            for id in ["", "f1_i0", "f9_i1", "f1_i99", "f1_i01", "_i1", "1"] {
                assert_eq!(flow.find_if(id), None, "{id}");
            }
        }
    }

    #[test]
    fn tools_are_found_by_name() {
        let rulebook = example::maximal();
        let tool = rulebook.tool("refund_card").unwrap();
        assert!(tool.is_governed_by(&rulebook.flows[0]));
        assert!(!tool.is_governed_by(&rulebook.flows[1]));
        assert!(rulebook.tool("nothing").is_none());
    }

    #[test]
    fn messages_are_found_by_name() {
        let rulebook = example::maximal();
        for message in &rulebook.messages {
            assert_eq!(rulebook.message(&message.name), Some(message));
        }
        assert_eq!(rulebook.message("nothing"), None);
    }
}
