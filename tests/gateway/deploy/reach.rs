//! Who reaches whom under `deploy/network-policy.yaml`, by the rules of NetworkPolicy: a pod that
//! no policy selects for a direction is open in it; one that is selected lets through what some
//! policy that selects it lists.

use serde_json::{Value, json};

use super::files::{manifests, object, text, texts};

/// A pod, in its namespace.
struct Pod {
    namespace: &'static str,
    namespace_labels: Value,
    labels: Value,
}

/// Whether a selector of labels fits. An empty one fits all.
pub fn fits(wanted: &Value, labels: &Value) -> bool {
    let wanted = wanted.as_object().unwrap();
    wanted
        .iter()
        .all(|(key, value)| labels.get(key) == Some(value))
}

/// Whether a selector of a policy fits; only `matchLabels` is read.
fn selects(selector: &Value, labels: &Value) -> bool {
    let keys = selector.as_object().unwrap().keys();
    assert!(
        keys.into_iter().all(|key| key == "matchLabels"),
        "{selector}"
    );
    selector
        .get("matchLabels")
        .is_none_or(|wanted| fits(wanted, labels))
}

fn policies() -> Vec<Value> {
    let all = manifests().into_iter().map(|(_, object)| object);
    all.filter(|object| text(object, "/kind") == "NetworkPolicy")
        .collect()
}

/// Whether a policy's rules let a peer through.
fn admits(policy: &Value, rules: &str, side: &str, peer: &Pod, port: u64, protocol: &str) -> bool {
    let home = text(policy, "/metadata/namespace");
    let rules = policy["spec"].get(rules).and_then(Value::as_array);
    rules.into_iter().flatten().any(|rule| {
        let is_port =
            rule["ports"].as_array().unwrap().iter().any(|open| {
                open["port"].as_u64() == Some(port) && text(open, "/protocol") == protocol
            });
        let is_peer = rule[side].as_array().unwrap().iter().any(|entry| {
            let is_pod = entry
                .get("podSelector")
                .is_none_or(|selector| selects(selector, &peer.labels));
            is_pod
                && match entry.get("namespaceSelector") {
                    Some(selector) => selects(selector, &peer.namespace_labels),
                    None => peer.namespace == home,
                }
        });
        is_port && is_peer
    })
}

/// Whether one direction is open at a pod.
fn is_open(policies: &[Value], kind: &str, at: &Pod, peer: &Pod, port: u64, proto: &str) -> bool {
    let (rules, side) = match kind {
        "Ingress" => ("ingress", "from"),
        _ => ("egress", "to"),
    };
    let mut selected = policies
        .iter()
        .filter(|policy| {
            text(policy, "/metadata/namespace") == at.namespace
                && selects(&policy["spec"]["podSelector"], &at.labels)
                && texts(policy, "/spec/policyTypes").contains(&kind.to_owned())
        })
        .peekable();
    selected.peek().is_none()
        || selected.any(|policy| admits(policy, rules, side, peer, port, proto))
}

fn reaches(policies: &[Value], from: &Pod, to: &Pod, port: u64, protocol: &str) -> bool {
    is_open(policies, "Egress", from, to, port, protocol)
        && is_open(policies, "Ingress", to, from, port, protocol)
}

fn pod(namespace: &'static str, namespace_labels: Value, labels: Value) -> Pod {
    Pod {
        namespace,
        namespace_labels,
        labels,
    }
}

/// The pods of a cluster, by name.
fn pods() -> Vec<(&'static str, Pod)> {
    let labels = object("Deployment")
        .pointer("/spec/template/metadata/labels")
        .cloned();
    let gateway = labels.unwrap();
    let tool_server = json!({"app": "shop", "app.kubernetes.io/component": "tool-server"});
    let named = |name: &str| json!({"kubernetes.io/metadata.name": name});
    let agents = json!({"stalwart.dev/agents": "true"});
    vec![
        (
            "gateway",
            pod("stalwart", named("stalwart"), gateway.clone()),
        ),
        (
            "tools",
            pod("stalwart", named("stalwart"), tool_server.clone()),
        ),
        (
            "neighbour",
            pod("stalwart", named("stalwart"), json!({"app": "shell"})),
        ),
        ("agent", pod("agents", agents, json!({"app": "desk"}))),
        (
            "stranger",
            pod("default", named("default"), json!({"app": "shell"})),
        ),
        // Labels are anybody's to write in a namespace of their own.
        ("impostor", pod("default", named("default"), gateway)),
        (
            "names",
            pod(
                "kube-system",
                named("kube-system"),
                json!({"k8s-app": "kube-dns"}),
            ),
        ),
    ]
}

/// Who reaches whom over TCP at a port, of all pairs.
fn pairs(policies: &[Value], port: u64) -> Vec<(&'static str, &'static str)> {
    let pods = pods();
    let mut found = Vec::new();
    for (from, pod) in &pods {
        for (to, other) in &pods {
            let is_ours = other.namespace == "stalwart" || pod.namespace == "stalwart";
            if from != to && is_ours && reaches(policies, pod, other, port, "TCP") {
                found.push((*from, *to));
            }
        }
    }
    found
}

#[test]
fn only_the_gateway_reaches_the_tool_servers() {
    let policies = policies();
    assert_eq!(pairs(&policies, 8080), [("gateway", "tools")]);
    assert_eq!(pairs(&policies, 8800), [("agent", "gateway")]);
    assert_eq!(pairs(&policies, 53), [("gateway", "names")]);
    assert_eq!(pairs(&policies, 443), []);
}

#[test]
fn without_any_one_policy_somebody_else_does() {
    let all = policies();
    assert_eq!(all.len(), 3);
    for left_out in 0..all.len() {
        let mut policies = all.clone();
        let policy = policies.remove(left_out);
        let name = text(&policy, "/metadata/name").to_owned();
        let [tools, gateway, others] = [8080, 8800, 443].map(|port| pairs(&policies, port));
        match name.as_str() {
            // A tool server that an agent has turned could then reach anybody.
            "default-deny" => assert!(others.contains(&("tools", "stranger"))),
            "tool-servers" => assert_eq!(tools, []),
            "gateway" => assert_eq!((tools, gateway), (vec![], vec![])),
            other => panic!("{other}"),
        }
    }
    // Without all of them, anybody calls the tools.
    assert!(pairs(&[], 8080).contains(&("stranger", "tools")));
    assert!(pairs(&[], 8080).contains(&("agent", "tools")));
}
