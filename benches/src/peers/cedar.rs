//! `cedar-policy`: a policy set per tool, in two translations.

use std::collections::HashMap;
use std::str::FromStr;

use cedar_policy::{
    Authorizer, Context, Decision, Entities, EntityUid, PolicySet, Request, RestrictedExpression,
};

use crate::ladder::{Ladder, expression, ladders};
use crate::race::{Entrant, Kind, Seen};
use crate::workload::Workload;

type Translation = fn(&Ladder<'_>) -> String;

const TRANSLATIONS: [(&str, Translation); 2] = [
    ("cedar-policy, a permit per branch", permit_per_branch),
    ("cedar-policy, one permit", one_permit),
];

pub fn of_values(workload: &Workload) -> impl Iterator<Item = Entrant<'_>> {
    TRANSLATIONS.iter().map(move |(name, translation)| {
        let cedar = Cedar::new(workload, *translation);
        let requests: Vec<Request> = workload
            .calls
            .iter()
            .map(|call| {
                let pairs = call
                    .context
                    .iter()
                    .map(|(name, value)| (name.clone(), RestrictedExpression::new_bool(*value)));
                cedar.request(Context::from_pairs(pairs).expect("keys differ"))
            })
            .collect();
        let decide = move |call: usize| cedar.decide(&workload.calls[call].tool, &requests[call]);
        Entrant::new(*name, Kind::Peer, decide, allowed)
    })
}

pub fn of_json(workload: &Workload) -> impl Iterator<Item = Entrant<'_>> {
    TRANSLATIONS.iter().map(move |(name, translation)| {
        let cedar = Cedar::new(workload, *translation);
        let decide = move |call: usize| {
            let call = &workload.calls[call];
            let context = Context::from_json_str(&call.json, None).expect("a context");
            cedar.decide(&call.tool, &cedar.request(context))
        };
        Entrant::new(*name, Kind::Peer, decide, allowed)
    })
}

fn allowed(decision: Decision) -> Seen {
    Seen::Allowed(decision == Decision::Allow)
}

struct Cedar {
    authorizer: Authorizer,
    entities: Entities,
    policies: HashMap<String, PolicySet>,
    principal: EntityUid,
    action: EntityUid,
    resource: EntityUid,
}

impl Cedar {
    fn new(workload: &Workload, translation: Translation) -> Self {
        let ladders = ladders(&workload.rulebook).expect("ladders");
        let policies = ladders.iter().map(|ladder| {
            let policies = PolicySet::from_str(&translation(ladder)).expect("policies");
            (ladder.tool.name.clone(), policies)
        });
        let uid = |text| EntityUid::from_str(text).expect("a uid");
        Self {
            authorizer: Authorizer::new(),
            entities: Entities::empty(),
            policies: policies.collect(),
            principal: uid(r#"Agent::"agent""#),
            action: uid(r#"Action::"call""#),
            resource: uid(r#"Tool::"tool""#),
        }
    }

    fn request(&self, context: Context) -> Request {
        let [principal, action, resource] =
            [&self.principal, &self.action, &self.resource].map(Clone::clone);
        Request::new(principal, action, resource, context, None).expect("no schema to break")
    }

    fn decide(&self, tool: &str, request: &Request) -> Decision {
        let Some(policies) = self.policies.get(tool) else {
            return Decision::Deny;
        };
        self.authorizer
            .is_authorized(request, policies, &self.entities)
            .decision()
    }
}

fn read(name: &str) -> String {
    format!("context.{name}")
}

/// Each branch that allows is a `permit`, under the complements of the earlier ones that do not;
/// these need no policy, since what nothing permits is denied.
fn permit_per_branch(ladder: &Ladder<'_>) -> String {
    let mut refused = String::new();
    let mut text = String::new();
    for rung in &ladder.rungs {
        let condition = match rung.condition {
            Some(condition) => expression(condition, &read),
            None => "true".to_owned(),
        };
        if rung.allows() {
            text +=
                &format!("permit(principal, action, resource) when {{ {condition}{refused} }};\n");
        } else {
            refused += &format!(" && !({condition})");
        }
    }
    text
}

/// The whole ladder as one `permit` under a chain of `if`.
fn one_permit(ladder: &Ladder<'_>) -> String {
    let chain = ladder
        .rungs
        .iter()
        .rev()
        .fold("false".to_owned(), |below, rung| match rung.condition {
            Some(condition) => format!(
                "if {} then {} else {below}",
                expression(condition, &read),
                rung.allows()
            ),
            None => rung.allows().to_string(),
        });
    format!("permit(principal, action, resource) when {{ {chain} }};\n")
}
