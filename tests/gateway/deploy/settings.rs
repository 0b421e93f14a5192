//! `deploy/gateway.yaml` beside what runs it: ports, paths, times.

use std::path::Path;

use serde_json::Value;
use stalwart::configuration::{ReadConfiguration, Surroundings};
use stalwart::diagnostics::Severity;

use super::files::{self, compose, manifests, number, object, text, texts};

fn settings() -> Value {
    files::yaml("deploy/gateway.yaml")
}

/// The number behind the last colon.
fn port_of(address: &str) -> u64 {
    let (_, rest) = address.rsplit_once(':').unwrap();
    rest.split('/').next().unwrap().parse().unwrap()
}

/// The ports of a policy's rules that lead to, or come from, a component.
fn policy_ports(name: &str, rules: &str) -> Vec<u64> {
    let policy = manifests().into_iter().map(|(_, object)| object);
    let policy = policy
        .filter(|object| text(object, "/kind") == "NetworkPolicy")
        .find(|object| text(object, "/metadata/name") == name)
        .unwrap();
    let rule = &policy["spec"][rules][0];
    let ports = rule["ports"].as_array().unwrap();
    ports.iter().map(|port| number(port, "/port")).collect()
}

#[test]
fn the_port_is_one_in_every_file() {
    let settings = settings();
    let port = port_of(text(&settings, "/listen"));
    let deployment = object("Deployment");
    let container = deployment
        .pointer("/spec/template/spec/containers/0")
        .unwrap();
    assert_eq!(number(container, "/ports/0/containerPort"), port);
    let name = text(container, "/ports/0/name");
    let service = object("Service");
    assert_eq!(text(&service, "/spec/ports/0/targetPort"), name);
    assert_eq!(number(&service, "/spec/ports/0/port"), port);
    assert_eq!(policy_ports("gateway", "ingress"), [port]);
    let compose = compose();
    let published = texts(&compose, "/services/gateway/ports");
    assert_eq!(published, [format!("127.0.0.1:{port}:{port}")]);
    assert_eq!(files::dockerfile("EXPOSE"), [port.to_string()]);
    for probe in ["startupProbe", "livenessProbe", "readinessProbe"] {
        let probe = &container[probe]["httpGet"];
        assert_eq!(text(probe, "/port"), name);
        assert_eq!(text(probe, "/scheme"), "HTTPS");
    }
    assert!(settings.get("tls").is_some());
}

#[test]
fn the_policy_opens_the_ports_of_the_tool_servers() {
    let settings = settings();
    let servers = settings["servers"].as_object().unwrap();
    for (name, server) in servers {
        let port = port_of(text(server, "/url"));
        assert_eq!(policy_ports("tool-servers", "ingress"), [port], "{name}");
        assert_eq!(policy_ports("gateway", "egress"), [port], "{name}");
        let host = format!("http://{name}:");
        assert!(text(server, "/url").starts_with(&host), "{name}");
        assert!(compose()["services"].get(name).is_some(), "{name}");
    }
}

/// The folders that a container of the Deployment mounts, with the name of the volume.
fn mounts() -> Vec<(String, String)> {
    let deployment = object("Deployment");
    let mounts = deployment.pointer("/spec/template/spec/containers/0/volumeMounts");
    let mounts = mounts.and_then(Value::as_array).unwrap().iter();
    mounts
        .map(|mount| {
            (
                text(mount, "/mountPath").to_owned(),
                text(mount, "/name").to_owned(),
            )
        })
        .collect()
}

#[test]
fn every_path_is_mounted() {
    let settings = settings();
    let volume_of = |path: &str| {
        let (folder, _) = path.rsplit_once('/').unwrap();
        let mounts = mounts();
        let found = mounts.iter().find(|(mount, _)| mount == folder);
        let (_, name) = found.unwrap_or_else(|| panic!("{path} is not mounted"));
        name.clone()
    };
    assert_eq!(volume_of(text(&settings, "/catalogue")), "configuration");
    assert_eq!(
        volume_of(text(&settings, "/tls/certificate")),
        "certificate"
    );
    assert_eq!(volume_of(text(&settings, "/tls/key")), "certificate");
    assert_eq!(volume_of(text(&settings, "/store")), "state");
    assert_eq!(volume_of(text(&settings, "/audit")), "state");

    // Compose mounts the same, and systemd makes the folder of the store.
    let compose = compose();
    let mounted: Vec<String> = texts(&compose, "/services/gateway/volumes")
        .iter()
        .map(|volume| volume.split(':').nth(1).unwrap().to_owned())
        .collect();
    for path in ["/catalogue", "/tls/certificate", "/store", "/audit"] {
        let path = text(&settings, path);
        let is_below = |mount: &String| path == mount || path.starts_with(&format!("{mount}/"));
        assert!(mounted.iter().any(is_below), "{path}");
    }
    let state = files::dockerfile("VOLUME");
    assert!(text(&settings, "/store").starts_with(&format!("{}/", state[0])));
    assert_eq!(
        files::unit("StateDirectory"),
        [state[0].rsplit('/').next().unwrap()]
    );
}

#[test]
fn the_configuration_is_the_one_that_kustomize_hands_over() {
    let kustomization = files::yaml("deploy/kustomization.yaml");
    let generated = kustomization.pointer("/configMapGenerator/0").unwrap();
    let deployment = object("Deployment");
    let volumes = deployment.pointer("/spec/template/spec/volumes").unwrap();
    let volumes = volumes.as_array().unwrap();
    let configuration = volumes
        .iter()
        .find(|volume| volume["name"] == "configuration");
    let named = configuration.unwrap().pointer("/configMap/name");
    assert_eq!(named, generated.get("name"));
    let files = texts(generated, "/files");
    let settings = settings();
    let catalogue = text(&settings, "/catalogue").rsplit('/').next().unwrap();
    assert_eq!(files, ["gateway.yaml", catalogue]);
}

/// The arguments that each of them starts the gateway with.
#[test]
fn all_start_it_alike() {
    let deployment = object("Deployment");
    let arguments = texts(&deployment, "/spec/template/spec/containers/0/args");
    assert_eq!(texts(&compose(), "/services/gateway/command"), arguments);
    let default = &files::dockerfile("CMD")[0];
    let default: Vec<String> = serde_json::from_str(default).unwrap();
    assert_eq!(default, arguments);
    let line = format!("/usr/local/bin/stalwart {}", arguments.join(" "));
    assert_eq!(files::unit("ExecStart"), std::slice::from_ref(&line));
    assert_eq!(
        files::unit("ExecStartPre"),
        [format!("{line} --check-config")]
    );
}

#[test]
fn nobody_is_killed_while_a_write_is_awaited() {
    let deployment = object("Deployment");
    let pod = deployment.pointer("/spec/template/spec").unwrap();
    let seconds = number(pod, "/terminationGracePeriodSeconds");
    let compose = compose();
    assert_eq!(
        text(&compose, "/services/gateway/stop_grace_period"),
        format!("{seconds}s")
    );
    assert_eq!(files::unit("TimeoutStopSec"), [seconds.to_string()]);
    let settings = settings();
    for server in settings["servers"].as_object().unwrap().values() {
        assert!(number(server, "/timeout") < seconds);
    }
}

/// What a configuration says where every variable is set, and every file is the catalogue.
pub fn configured(text: &str, catalogue: &[u8]) -> ReadConfiguration {
    let surroundings = Surroundings {
        folder: Path::new("/etc/stalwart"),
        // A key is 32 bytes in hexadecimal digits; tokens may look like one.
        // But those by which later builds are set up.
        variable: &|name| {
            let is_of_later_builds = name.ends_with("_ROUTER_URL") || name == "TOOL_POLICIES_PATH";
            (!is_of_later_builds).then(|| format!("{:0>64}", hex::encode(name)))
        },
        file: &|_| Ok(Some(catalogue.to_vec())),
    };
    stalwart::configuration::read("gateway.yaml", text.as_bytes(), &surroundings)
}

#[test]
fn the_gateway_takes_its_configuration() {
    let catalogue = files::read("fixtures/gateway/shop/agent.catalogue.json");
    let text = files::read("deploy/gateway.yaml");
    let read = configured(&text, catalogue.as_bytes());
    // The shop of the fixtures is not pinned.
    let found = read.diagnostics.iter().map(|found| found.code.id);
    assert_eq!(
        found.collect::<Vec<_>>(),
        ["RB1121"],
        "{:?}",
        read.lines(Severity::Note)
    );
    let configuration = read.configuration.unwrap();
    assert!(configuration.tls.is_some() && configuration.audit.is_some());
    let without = text.replace("tls:", "limits:");
    assert!(
        configured(&without, catalogue.as_bytes())
            .configuration
            .is_none()
    );
}
