//! What in a suite the rulebook at hand does not know.

use std::collections::BTreeSet;

use super::{ANY_TOOL, SetName, Suite};
use crate::diagnostics::codes::suites;
use crate::diagnostics::{Diagnostic, Sink};
use crate::ir::{Condition, Literal, Rulebook, Step, ValueType, is_tool_name};
use crate::text::{Span, Spanned, quoted};
use crate::yaml::nearest;

/// Warns of context names that the rulebook never reads and of tools that it never names: with
/// either, a case may pass for the wrong reason.
pub fn examine(suite: &Suite, rulebook: &Rulebook, sink: &mut Sink) {
    let known = Known::of(rulebook);
    for case in &suite.cases {
        for name in &case.names {
            known.look_at_name(name, sink);
            if let Some(place) = name.looks_boolean {
                look_at_word(name, place, rulebook, sink);
            }
        }
        if let Some(tool) = &case.tool {
            known.look_at_tool(tool, sink);
        }
    }
}

/// What a rulebook reads and names.
struct Known {
    /// Context names, dotted.
    names: BTreeSet<String>,
    tools: BTreeSet<String>,
}

impl Known {
    fn of(rulebook: &Rulebook) -> Self {
        let mut names: BTreeSet<String> = rulebook
            .context
            .iter()
            .map(|context| context.name.join("."))
            .collect();
        let mut tools: BTreeSet<String> = rulebook
            .tools
            .iter()
            .map(|tool| tool.name.clone())
            .collect();
        for flow in &rulebook.flows {
            let arms = flow.ifs.iter().flat_map(|decision| &decision.arms);
            for leaf in arms.flat_map(|arm| arm.condition.leaves()) {
                match leaf.name() {
                    Some(name) if is_tool_name(name) => tools.extend(literals(leaf)),
                    Some(name) => {
                        names.insert(name.join("."));
                    }
                    None => {}
                }
            }
            let steps = flow.branches.iter().flat_map(|branch| &branch.steps);
            for step in steps {
                if let Step::Execute(execute) = step {
                    let arguments = execute.arguments.iter();
                    names.extend(arguments.flat_map(|argument| names_in(&argument.value)));
                }
            }
        }
        Self { names, tools }
    }

    /// A name is read when the rulebook reads it, something in it, or something around it.
    fn look_at_name(&self, name: &SetName, sink: &mut Sink) {
        let text = name.name.join(".");
        let text = text.as_str();
        let reaches = |longer: &str, shorter: &str| {
            longer
                .strip_prefix(shorter)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if self
            .names
            .iter()
            .any(|known| reaches(known, text) || reaches(text, known))
        {
            return;
        }
        let message = format!("no condition reads {}", quoted(&format!("${text}")));
        let help = match nearest(text, self.names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean {}?", quoted(near)),
            None => "correct the name, or delete it: it changes nothing".to_owned(),
        };
        sink.push(Diagnostic::new(&suites::UNREAD_NAME, name.span, message).with_help(help));
    }

    fn look_at_tool(&self, tool: &Spanned<String>, sink: &mut Sink) {
        if self.tools.contains(&tool.value) || tool.value == ANY_TOOL || self.tools.is_empty() {
            return;
        }
        let message = format!(
            "no flow governs {}, and no guard names it",
            quoted(&tool.value)
        );
        let help = match nearest(&tool.value, self.tools.iter().map(String::as_str)) {
            Some(near) => format!("did you mean {}?", quoted(near)),
            None => "correct the name, if no foreign tool is meant".to_owned(),
        };
        sink.push(Diagnostic::new(&suites::UNKNOWN_TOOL, tool.span, message).with_help(help));
    }
}

/// Text is fine where text is compared.
fn look_at_word(name: &SetName, place: Span, rulebook: &Rulebook, sink: &mut Sink) {
    let mut context = rulebook.context.iter();
    let known = context.find(|known| known.name == name.name);
    if known.is_some_and(|known| known.value_type == ValueType::String) {
        return;
    }
    let message = "this word is text, not a boolean";
    sink.push(
        Diagnostic::new(&suites::LOOKS_BOOLEAN, place, message)
            .with_help("write `true` or `false`; if text is meant, put it in quotes"),
    );
}

/// The strings that a leaf compares with.
fn literals(leaf: &Condition) -> Vec<String> {
    let values: &[Literal] = match leaf {
        Condition::Compare(compare) => std::slice::from_ref(&compare.value),
        Condition::OneOf(one_of) => &one_of.values,
        _ => &[],
    };
    let strings = values.iter().filter_map(|value| match value {
        Literal::String(text) => Some(text.clone()),
        _ => None,
    });
    strings.collect()
}

/// The context names in an argument as it is written: those behind a `$`.
fn names_in(argument: &str) -> Vec<String> {
    let rest = argument.split('$').skip(1);
    let name = |text: &str| -> String {
        let letters = text.chars();
        let name: String = letters
            .take_while(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.'))
            .collect();
        name.trim_end_matches('.').to_owned()
    };
    rest.map(name).filter(|name| !name.is_empty()).collect()
}
