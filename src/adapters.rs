//! Adapters: small Rego packages that stand before the rulebook's own, one for each proxy. They map
//! the proxy's input to `tool` and `context`, and the decision to the answer that the proxy wants
//! (gateway contract, section 8). The facts about inputs and answers are those of Kong's OPA plugin,
//! of OPA's plugin `envoy_ext_authz_grpc` and of agentgateway's external authorization.

mod text;

use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::BAD_PACKAGE;
use crate::emitter::Companion;
use crate::ir::{Condition, Rulebook, is_tool_name};
use crate::provenance::Header;
use crate::text::quoted;

/// The document of OPA that holds the context, beside the bundle: outside of every package that a
/// rulebook may have with adapters.
pub const CONTEXT_DOCUMENT: &str = "rulebook_context";

/// A proxy, or another program, that asks Open Policy Agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Adapter {
    /// The OPA plugin of Kong.
    Kong,
    /// The `ext_authz` filter of Envoy, through the plugin `envoy_ext_authz_grpc` of OPA.
    Envoy,
    /// agentgateway, by the gRPC form of `extAuthz`, through the same plugin.
    AgentGateway,
    /// Any program that asks OPA over HTTP.
    Http,
}

impl Adapter {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Kong, Self::Envoy, Self::AgentGateway, Self::Http];

    /// Its name, on the command line, in packages and in names of files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Kong => "kong",
            Self::Envoy => "envoy",
            Self::AgentGateway => "agentgateway",
            Self::Http => "http",
        }
    }

    /// The adapter of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|adapter| adapter.as_str() == name)
    }

    /// Its file's name beside the pair, such as `Rulebook_kong.rego`.
    pub fn file(self) -> String {
        format!("Rulebook_{}.rego", self.as_str())
    }

    /// Its package: the rulebook's own, and its name.
    pub fn package(self, rulebook: &Rulebook) -> String {
        format!("{}.{}", rulebook.package, self.as_str())
    }
}

/// What a call gets that no rule speaks of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Silent {
    /// It passes.
    #[default]
    Pass,
    /// It is denied: `--deny-silent`.
    Deny,
}

/// Writes an adapter. The same rulebook and header give the same bytes.
///
/// # Errors
/// A package that lies where the adapters look for the context ([`CONTEXT_DOCUMENT`]).
pub fn adapter(
    rulebook: &Rulebook,
    adapter: Adapter,
    silent: Silent,
    header: &Header,
) -> Result<Companion, Diagnostic> {
    if rulebook.package.split('.').next() == Some(CONTEXT_DOCUMENT) {
        return Err(Diagnostic::without_place(
            &BAD_PACKAGE,
            format!(
                "{} lies where the adapters look for the context",
                quoted(&rulebook.package)
            ),
        )
        .with_help("name the package with `--package`, such as `--package stalwart.policy`"));
    }
    Ok(Companion {
        file: adapter.file(),
        text: text::text(rulebook, adapter, silent, header),
    })
}

/// What an adapter's text says that silent calls get; none for a text that does not say it.
pub fn silent_of(text: &str) -> Option<Silent> {
    // Where a text says both, it is no text of ours, and is taken at its stricter word.
    [Silent::Deny, Silent::Pass]
        .into_iter()
        .find(|silent| text.lines().any(|line| line == text::silent_line(*silent)))
}

/// Whether one adapter would let pass what the other, which it replaces, denies.
pub fn is_looser(new: &str, old: &str) -> bool {
    (silent_of(old), silent_of(new)) == (Some(Silent::Deny), Some(Silent::Pass))
}

/// Whether a condition of the rulebook reads anything that the host has to tell.
fn reads_context(rulebook: &Rulebook) -> bool {
    let arms = rulebook
        .flows
        .iter()
        .flat_map(|flow| &flow.ifs)
        .flat_map(|one| &one.arms);
    arms.flat_map(|arm| arm.condition.leaves())
        .any(|leaf| match leaf {
            Condition::Compare(compare) => !is_tool_name(&compare.name),
            Condition::OneOf(one_of) => !is_tool_name(&one_of.name),
            Condition::IsTrue(name) | Condition::NotTrue(name) => !is_tool_name(name),
            Condition::All(_) | Condition::Any(_) | Condition::Const(_) => false,
        })
}

#[cfg(test)]
mod tests;
