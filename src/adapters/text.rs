//! The text of an adapter, put together from parts that are Rego themselves.

use super::{Adapter, Silent, reads_context};
use crate::ir::Rulebook;
use crate::provenance::Header;

/// What every adapter is not.
const ABOUT: &str = "\
# It is the gate alone: no confirmation, no rules on the order of calls, no schema of arguments, and
# `tools/list` is not filtered. `clarify` is a refusal here, since nobody can be asked.
#
";

/// What the adapters of proxies do with requests.
const REQUESTS: &str = "\
# Calls are let through as the rulebook decides, and methods that run nothing; everything else is
# denied, and so is what cannot be read with certainty.
#
";

/// The line of an adapter that says what silent calls get.
pub(super) fn silent_line(silent: Silent) -> &'static str {
    match silent {
        Silent::Pass => "# A call that no rule speaks of passes: written without `--deny-silent`.",
        Silent::Deny => "# A call that no rule speaks of is denied: written with `--deny-silent`.",
    }
}

pub(super) fn text(
    rulebook: &Rulebook,
    adapter: Adapter,
    silent: Silent,
    header: &Header,
) -> String {
    let package = adapter.package(rulebook);
    let mut parts = vec![format!(
        "{}{}package {package}",
        header.facts(),
        introduction(rulebook, adapter, silent)
    )];
    parts.push("import rego.v1".to_owned());
    let decision = format!("data.{}.decision", rulebook.package);
    let decision = match adapter {
        Adapter::Http => format!("decision := {decision} if has_fitting_input"),
        _ => format!(
            "decision := found if {{\n\tfound := {decision} with input as {{\"tool\": message.params.name, \"context\": context}}\n}}"
        ),
    };
    let mut push = |part: &str| parts.push(part.trim_end().to_owned());
    push(match adapter {
        Adapter::Kong => include_str!("kong.rego"),
        Adapter::Envoy | Adapter::AgentGateway => include_str!("envoy.rego"),
        Adapter::Http => include_str!("http.rego"),
    });
    push(match silent {
        Silent::Pass => "passing_decisions := [\"allow\", \"silent\"]",
        Silent::Deny => "passing_decisions := [\"allow\"]",
    });
    push(&decision);
    if adapter == Adapter::Http {
        push(include_str!("numbers.rego"));
    } else {
        push(include_str!("request.rego"));
        if reads_context(rulebook) {
            push(match adapter {
                Adapter::Kong => include_str!("kong_context.rego"),
                _ => include_str!("envoy_context.rego"),
            });
            push(include_str!("context.rego"));
            push(include_str!("numbers.rego"));
        } else {
            push("# No condition of the rulebook reads a value of the context.\ncontext := {}");
        }
        push(include_str!("error.rego"));
    }
    let mut text = parts.join("\n\n");
    text.push('\n');
    text
}

fn introduction(rulebook: &Rulebook, adapter: Adapter, silent: Silent) -> String {
    let package = adapter.package(rulebook);
    let path = package.replace('.', "/");
    let asked = match adapter {
        Adapter::Kong => format!(
            "\
# Stands between the OPA plugin of Kong and the rulebook's package. The plugin's `opa_path` is
# `/v1/data/{path}/answer`.
#
"
        ),
        Adapter::Envoy => format!(
            "\
# Stands between Envoy and the rulebook's package. Envoy asks by `ext_authz` over gRPC, and the
# `path` of OPA's plugin `envoy_ext_authz_grpc` is `{path}/answer`.
#
"
        ),
        Adapter::AgentGateway => format!(
            "\
# Stands between agentgateway and the rulebook's package. agentgateway asks by `extAuthz` over gRPC,
# and the `path` of OPA's plugin `envoy_ext_authz_grpc` is `{path}/answer`.
#
"
        ),
        Adapter::Http => format!(
            "\
# Stands between a service that runs tools and the rulebook's package. The service posts an object
# whose `input` is an object of `tool` and `context` alone to `/v1/data/{path}/answer`.
# It vouches for both: what an agent says of itself is no context.
#
"
        ),
    };
    let silent = silent_line(silent);
    let requests = match adapter {
        Adapter::Http => "",
        _ => REQUESTS,
    };
    let mut text = format!("{asked}{ABOUT}{requests}{silent}\n#\n");
    if adapter != Adapter::Http && reads_context(rulebook) {
        text.push_str(match adapter {
            Adapter::Kong => "\
# Context is never what the agent sends. It is the document `data.rulebook_context`: what `\"*\"` holds,
# and what `agents` holds for the consumer that Kong has authenticated. A name in two of them, or no
# context at all, denies every call.
#
",
            _ => "\
# Context is never what the agent sends. It is the document `data.rulebook_context`: what `\"*\"` holds,
# and what `agents` holds for the agent; and what the proxy vouches for, in the metadata `stalwart`:
# `agent` and `context`. A name in two of them, or no context at all, denies every call.
#
",
        });
    }
    // The last line of the words is no empty one.
    text.truncate(text.trim_end_matches("#\n").len());
    text
}
