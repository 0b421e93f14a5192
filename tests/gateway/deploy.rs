//! What `deploy/` holds: that those who read it accept it, that its files agree with one another,
//! and that the network policy lets nobody but the gateway reach a tool server.

pub mod files;
mod reach;
pub mod settings;

use serde_json::{Value, json};

use files::{compose, environment_of, manifests, number, object, text, texts};

/// The kinds that are deployed, and what their schemas are called.
const SCHEMAS: [(&str, &str, &str); 5] = [
    ("v1", "Namespace", "io.k8s.api.core.v1.Namespace"),
    (
        "v1",
        "PersistentVolumeClaim",
        "io.k8s.api.core.v1.PersistentVolumeClaim",
    ),
    ("v1", "Service", "io.k8s.api.core.v1.Service"),
    ("apps/v1", "Deployment", "io.k8s.api.apps.v1.Deployment"),
    (
        "networking.k8s.io/v1",
        "NetworkPolicy",
        "io.k8s.api.networking.v1.NetworkPolicy",
    ),
];

/// What a schema says against an object; nothing where it fits.
fn faults(schema: &Value, object: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).unwrap();
    validator
        .iter_errors(object)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect()
}

/// What the schema of its kind says against an object of Kubernetes.
fn faults_of_manifest(object: &Value) -> Vec<String> {
    let (version, kind) = (text(object, "/apiVersion"), text(object, "/kind"));
    let known = SCHEMAS
        .iter()
        .find(|(known, name, _)| *known == version && *name == kind);
    let Some((_, _, name)) = known else {
        return vec![format!("no schema of {version} {kind}")];
    };
    let mut schema = files::json("fixtures/schemas/kubernetes-1.37.json");
    schema["$ref"] = json!(format!("#/$defs/{name}"));
    faults(&schema, object)
}

#[test]
fn kubernetes_knows_every_key() {
    let manifests = manifests();
    assert_eq!(manifests.len(), 7);
    for (path, object) in &manifests {
        assert_eq!(faults_of_manifest(object), [""; 0], "{path}");
    }
}

#[test]
fn the_schemas_of_kubernetes_refuse_what_it_would_not_take() {
    let spoilt = [
        (
            "Deployment",
            "/spec/template/spec/containers/0/imagePull",
            json!("Always"),
        ),
        ("Deployment", "/spec/replicas", json!("one")),
        (
            "Deployment",
            "/spec/template/spec/volumes/0/config",
            json!({}),
        ),
        ("Service", "/spec/ports/0/port", json!("mcp")),
        (
            "PersistentVolumeClaim",
            "/spec/accessModes",
            json!("ReadWriteOncePod"),
        ),
        ("NetworkPolicy", "/spec/ingresses", json!([])),
        ("Namespace", "/metadata/labels", json!(["stalwart"])),
    ];
    for (kind, pointer, value) in spoilt {
        let mut object = object(kind);
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        object.pointer_mut(parent).unwrap()[key] = value;
        assert_ne!(faults_of_manifest(&object), [""; 0], "{kind} {pointer}");
    }
}

#[test]
fn compose_takes_its_file() {
    let schema = files::json("fixtures/schemas/compose-spec.json");
    let mut compose = compose();
    assert_eq!(faults(&schema, &compose), [""; 0]);
    compose["services"]["gateway"]["stop_grace"] = json!("60s");
    assert_ne!(faults(&schema, &compose), [""; 0]);
}

#[test]
fn kustomize_takes_in_every_manifest_and_the_policy_before_the_gateway() {
    let kustomization = files::yaml("deploy/kustomization.yaml");
    let listed = texts(&kustomization, "/resources");
    let mut sorted = listed.clone();
    sorted.sort();
    let mut there = files::manifest_paths();
    there.sort();
    assert_eq!(sorted, there);
    let place = |name: &str| listed.iter().position(|path| path == name).unwrap();
    assert!(place("network-policy.yaml") < place("kubernetes/deployment.yaml"));
    assert_eq!(place("kubernetes/namespace.yaml"), 0);
}

#[test]
fn one_process_has_the_store() {
    let deployment = object("Deployment");
    assert_eq!(number(&deployment, "/spec/replicas"), 1);
    assert_eq!(text(&deployment, "/spec/strategy/type"), "Recreate");
    let claim = object("PersistentVolumeClaim");
    assert_eq!(texts(&claim, "/spec/accessModes"), ["ReadWriteOncePod"]);
    let volumes = deployment.pointer("/spec/template/spec/volumes").unwrap();
    let claimed = volumes
        .as_array()
        .unwrap()
        .iter()
        .find_map(|volume| volume.pointer("/persistentVolumeClaim/claimName"));
    assert_eq!(claimed, claim.pointer("/metadata/name"));
    assert!(compose().pointer("/services/gateway/deploy").is_none());
}

#[test]
fn everything_is_of_one_namespace() {
    for (path, object) in manifests() {
        let place = match text(&object, "/kind") {
            "Namespace" => "/metadata/name",
            _ => "/metadata/namespace",
        };
        assert_eq!(text(&object, place), "stalwart", "{path}");
    }
}

#[test]
fn selectors_find_the_gateway() {
    let deployment = object("Deployment");
    let labels = deployment
        .pointer("/spec/template/metadata/labels")
        .unwrap();
    for selector in [
        deployment.pointer("/spec/selector/matchLabels").unwrap(),
        object("Service").pointer("/spec/selector").unwrap(),
    ] {
        assert!(reach::fits(selector, labels), "{selector}");
    }
}

#[test]
fn nothing_runs_with_more_rights_than_it_needs() {
    let deployment = object("Deployment");
    let pod = deployment.pointer("/spec/template/spec").unwrap();
    let container = pod.pointer("/containers/0/securityContext").unwrap();
    assert_eq!(
        container,
        &json!({
            "allowPrivilegeEscalation": false,
            "readOnlyRootFilesystem": true,
            "capabilities": {"drop": ["ALL"]},
        })
    );
    assert_eq!(
        pod.pointer("/securityContext/runAsNonRoot"),
        Some(&json!(true))
    );
    assert_eq!(
        pod.pointer("/automountServiceAccountToken"),
        Some(&json!(false))
    );
    let user = number(pod, "/securityContext/runAsUser");
    assert_eq!(number(pod, "/securityContext/fsGroup"), user);
    let pair = format!("{user}:{user}");

    let compose = compose();
    let gateway = compose.pointer("/services/gateway").unwrap();
    assert_eq!(text(gateway, "/user"), pair);
    assert_eq!(gateway.pointer("/read_only"), Some(&json!(true)));
    assert_eq!(texts(gateway, "/cap_drop"), ["ALL"]);
    assert_eq!(files::dockerfile("USER"), [pair]);
}

#[test]
fn every_variable_comes_from_one_secret() {
    let wanted = files::variables("deploy/gateway.yaml");
    assert!(wanted.len() > 4, "{wanted:?}");
    let deployment = object("Deployment");
    let (given, secrets) = environment_of(&deployment);
    assert_eq!(given, wanted);
    assert_eq!(secrets, ["stalwart-gateway".to_owned()].into());
    let compose = compose();
    let environment = compose.pointer("/services/gateway/environment").unwrap();
    let named = environment.as_object().unwrap();
    assert_eq!(
        named
            .keys()
            .cloned()
            .collect::<std::collections::BTreeSet<_>>(),
        wanted
    );
    for (name, value) in named {
        // Compose ends where it is not set, and does not start with an empty token.
        assert_eq!(value, &json!(format!("${{{name}:?}}")));
    }
}

#[test]
fn the_tool_server_has_no_other_network() {
    let compose = compose();
    assert_eq!(texts(&compose, "/services/shop/networks"), ["tools"]);
    assert!(compose.pointer("/services/shop/ports").is_none());
    assert_eq!(
        compose.pointer("/networks/tools/internal"),
        Some(&json!(true))
    );
    for (name, service) in compose["services"].as_object().unwrap() {
        let is_in_tools = texts(service, "/networks").contains(&"tools".to_owned());
        assert_eq!(is_in_tools, name == "gateway" || name == "shop", "{name}");
    }
}

#[test]
fn all_run_the_same_image() {
    let deployment = object("Deployment");
    let image = text(&deployment, "/spec/template/spec/containers/0/image").to_owned();
    let compose = compose();
    assert_eq!(text(&compose, "/services/gateway/image"), image);
    let dockerfile = files::read("deploy/Dockerfile");
    assert!(dockerfile.contains(&format!("--tag {image} .")));
    // The compiler that builds it is one that the package can be built with.
    let package: toml::Value = toml::from_str(&files::read("Cargo.toml")).unwrap();
    let needed = package["package"]["rust-version"].as_str().unwrap();
    let builder = &files::dockerfile("FROM")[0];
    assert!(builder.starts_with(&format!("rust:{needed}-")), "{builder}");
}
