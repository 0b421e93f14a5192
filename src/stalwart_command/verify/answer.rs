//! What `verify` answers.

use crate::catalogue::{AGENT_FILE_NAME, Catalogue};
use crate::ir::Rulebook;
use crate::terminal::plural;
use crate::text::visible;

/// One paragraph on a catalogue that holds together.
pub(super) fn line(catalogue: &Catalogue) -> String {
    let rulebook = &catalogue.rulebook;
    let pins = match &catalogue.pins {
        Some(pins) => format!("; {} pinned", plural(pins.len(), "tool")),
        None => String::new(),
    };
    format!(
        "{AGENT_FILE_NAME}: {}, {}, {}{pins}\nrulebook {}: {}\ncatalogue sha256:{}\n",
        plural(catalogue.agents.len(), "agent"),
        plural(catalogue.tools.len(), "tool"),
        plural(catalogue.order.len(), "order rule"),
        visible(&rulebook.source.file),
        governed(rulebook),
        catalogue.hash(),
    )
}

fn governed(rulebook: &Rulebook) -> String {
    let tools: Vec<String> = rulebook
        .tools
        .iter()
        .map(|tool| visible(&tool.name))
        .collect();
    match tools.as_slice() {
        [] => "governs no tool".to_owned(),
        tools => format!("governs {}", tools.join(", ")),
    }
}

/// The line that ends a refusal.
pub(super) fn refused(errors: usize) -> String {
    format!("{}; no catalogue was compiled\n", plural(errors, "error"))
}
