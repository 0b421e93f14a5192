//! Which tools a rulebook asks after by name: what a tool's new name has to leave as it is. A name
//! may stand in a string far from the condition that compares it with `$tool_name`, so what counts
//! is what the compiler makes of the text, and not where a name is written.

use crate::compiler::{Depth, compile};
use crate::ir::{Condition, Literal, Rulebook, is_tool_name};

/// Whether two texts ask after the same tools, the second by another name for one of them.
///
/// # Errors
/// Why that tool cannot be called so.
pub(super) fn same_tools(
    before: &str,
    after: &str,
    (old_name, new_name): (&str, &str),
) -> Result<(), String> {
    let read = |text: &str| compile("", text.as_bytes(), "a", Depth::Errors).rulebook;
    let Some(before) = read(before) else {
        return Err("the rulebook has errors: correct them first".to_owned());
    };
    let mut wanted = names(&before);
    for name in wanted.iter_mut().filter(|name| *name == old_name) {
        new_name.clone_into(name);
    }
    wanted.sort();
    let mut found = read(after).as_ref().map(names).unwrap_or_default();
    found.sort();
    match found == wanted {
        true => Ok(()),
        false => Err(format!(
            "a string that does not stand beside `$tool_name` means this tool too, and would not be \
             renamed with it: write `{old_name}` in the condition itself first"
        )),
    }
}

/// The names of all tools that run, and of all that conditions ask after, as often as they do.
fn names(rulebook: &Rulebook) -> Vec<String> {
    let mut names: Vec<String> = rulebook
        .tools
        .iter()
        .map(|tool| tool.name.clone())
        .collect();
    let ifs = rulebook.flows.iter().flat_map(|flow| &flow.ifs);
    let leaves = ifs
        .flat_map(|one| &one.arms)
        .flat_map(|arm| arm.condition.leaves());
    for leaf in leaves {
        let text = |literal: &Literal| match literal {
            Literal::String(text) => Some(text.clone()),
            _ => None,
        };
        match leaf {
            Condition::Compare(compare) if is_tool_name(&compare.name) => {
                names.extend(text(&compare.value));
            }
            Condition::OneOf(one_of) if is_tool_name(&one_of.name) => {
                names.extend(one_of.values.iter().filter_map(text));
            }
            _ => {}
        }
    }
    names
}
