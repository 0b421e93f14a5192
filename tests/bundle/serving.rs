//! Bundles in a real OPA: it verifies them, says which rulebook decides, and decides as the
//! evaluator does.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;
use stalwart::bundle::{Algorithm, Bundle, Signing, SigningKey};

use super::{SIGNED, VERIFIED, make, pack, place, unpack};
use crate::conformance::suites;
use crate::engines::opa::Opa;
use crate::engines::server::OpaServer;

/// All vectors, each rulebook in a signed bundle of its own, all in one server: no bundle owns what
/// is another's.
#[test]
fn all_vectors_are_decided_alike_over_http() {
    let Some(opa) = Opa::find() else { return };
    let place = place();
    let key = SigningKey::read(Algorithm::Rs256, "the key", &place.read("signing.pem")).unwrap();
    let suites = suites();
    let mut arguments: Vec<String> = VERIFIED.iter().map(ToString::to_string).collect();
    for suite in &suites {
        let signing = Signing {
            key: &key,
            key_id: Some("gate"),
            scope: Some("test"),
        };
        let artifacts = suite.compiled.emit();
        let bundle = Bundle::new(&suite.compiled.rulebook, &artifacts, &[])
            .and_then(|bundle| bundle.signed(&signing))
            .and_then(|bundle| bundle.to_bytes())
            .unwrap();
        let name = format!("{}.tar.gz", suite.package);
        place.write(&name, bundle);
        arguments.extend(["-b".to_owned(), name]);
    }
    let server = OpaServer::start(&opa, &place.path("."), &arguments).unwrap();
    let mut asked = 0;
    let mut differences = Vec::new();
    for suite in &suites {
        let path = format!("{}/decision", suite.package.replace('.', "/"));
        for vector in suite.vectors.iter().filter(|one| one.reaches("opa-1.4")) {
            asked += 1;
            let found = server.document(&path, &vector.text);
            let want = serde_json::json!({
                "decision": vector.want.decision.as_str(), "rule": vector.want.rule,
            });
            if found.as_ref() != Some(&want) {
                differences.push(format!("{}: {}: {found:?}", suite.file, vector.text));
            }
        }
    }
    assert!(asked > 1000, "{asked}");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn opa_names_the_revision_and_takes_the_ir_for_no_data() {
    let Some(opa) = Opa::find() else { return };
    let place = place();
    make(&place, SIGNED);
    place.succeed(&["emit", "policy.co"]);
    let rego = String::from_utf8(place.read("Rulebook.rego")).unwrap();
    let hash = rego.lines().nth(1).unwrap().strip_prefix("# rulebook ");
    let revision = hash.unwrap();
    let here = place.path(".");

    let inspected = opa.run(&here, &["inspect", "-f", "json", "bundle.tar.gz"]);
    let inspected: Value = serde_json::from_str(&inspected.unwrap()).unwrap();
    assert_eq!(inspected["manifest"]["revision"], revision);
    let data = opa.run(
        &here,
        &[
            "eval",
            "-b",
            "bundle.tar.gz",
            "-f",
            "raw",
            "data.stalwart.policy.format",
        ],
    );
    assert_eq!(data.unwrap().trim(), "", "the IR is data");

    let logged = ["--set", "decision_logs.console=true", "-b", "bundle.tar.gz"];
    let server = OpaServer::start(&opa, &here, &[VERIFIED, &logged].concat()).unwrap();
    let input = r#"{"tool":"refund_card","context":{}}"#;
    let answer = server.document("stalwart/policy/decision", input).unwrap();
    let evaluated = place.run(&[
        "eval",
        "policy.co",
        "--tool",
        "refund_card",
        "--context",
        "{}",
    ]);
    assert_eq!(
        answer,
        serde_json::from_str::<Value>(&evaluated.stdout).unwrap()
    );
    let log = server.log();
    assert!(
        log.contains(&format!("\"revision\":\"{revision}\"")),
        "{log}"
    );
}

#[test]
fn a_server_refuses_what_it_cannot_verify() {
    let Some(opa) = Opa::find() else { return };
    let place = place();
    let start = |verified: &[&str]| {
        let arguments = [verified, &["-b", "bundle.tar.gz"]].concat();
        OpaServer::start(&opa, &place.path("."), &arguments).map(drop)
    };
    make(&place, &[]);
    assert_eq!(start(&[]), Ok(()));
    let refused = start(VERIFIED).unwrap_err();
    assert!(refused.contains("signatures"), "{refused}");
    make(&place, SIGNED);
    assert_eq!(start(VERIFIED), Ok(()));
    let mut other = VERIFIED.to_vec();
    other[1] = "other-verification.pem";
    let refused = start(&other).unwrap_err();
    assert!(refused.contains("verif"), "{refused}");
}

/// Answers each request with the bytes of a file, as they are then; its address.
fn serve_file(path: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    // It ends with the process.
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let _ = stream.read(&mut [0; 4096]);
            let bytes = std::fs::read(&path).unwrap_or_default();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                bytes.len()
            );
            let _ = stream.write_all(&[head.as_bytes(), &bytes].concat());
        }
    });
    format!("http://{address}")
}

/// The configuration that the page on bundles shows: fetched, verified, and kept where what comes
/// next cannot be.
#[test]
fn what_is_fetched_is_verified_and_kept_until_the_next_that_is() {
    let Some(opa) = Opa::find() else { return };
    let place = place();
    make(&place, SIGNED);
    place.succeed(&["bundle", "policy.co", "--out", "plain.tar.gz", "--no-proof"]);
    place.write("served", place.read("bundle.tar.gz"));
    let key = String::from_utf8(place.read("verification.pem")).unwrap();
    let config = serde_json::json!({
        "services": {"files": {"url": serve_file(place.path("served"))}},
        "bundles": {"gate": {
            "service": "files",
            "resource": "bundle.tar.gz",
            "signing": {"keyid": "gate", "scope": "test"},
            "polling": {"min_delay_seconds": 1, "max_delay_seconds": 1},
        }},
        "keys": {"gate": {"algorithm": "RS256", "key": key}},
    });
    place.write("opa.yaml", config.to_string());
    let server = OpaServer::start(&opa, &place.path("."), &["--config-file", "opa.yaml"]).unwrap();
    let wait_for = |what: &str, holds: &dyn Fn() -> bool| {
        let start = Instant::now();
        while !holds() {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "{what}: {}",
                server.log()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let revision = || {
        let path = "system/bundles/gate/manifest/revision";
        server
            .document(path, "{}")
            .map(|revision| revision.to_string())
    };
    wait_for("a bundle", &|| {
        server.ask("GET", "/health?bundles", "").0 == 200
    });
    let first = revision();
    let input = r#"{"tool":"refund_card","context":{}}"#;
    let decide = || server.document("stalwart/policy/decision", input);
    let decision = decide();
    assert!(first.is_some() && decision.is_some());

    // Not signed, and allowing everything.
    let rego =
        b"package stalwart.policy\n\ndecision := {\"decision\": \"allow\", \"rule\": \"\"}\n";
    let mut members = unpack(&place.read("plain.tar.gz"));
    members[1].1 = rego.to_vec();
    place.write("served", pack(&members));
    wait_for("a refusal", &|| server.log().contains("Bundle load failed"));
    assert_eq!((revision(), decide()), (first.clone(), decision.clone()));

    let text = String::from_utf8(place.read("policy.co")).unwrap();
    place.write("policy.co", format!("# changed\n{text}"));
    make(&place, SIGNED);
    place.write("served", place.read("bundle.tar.gz"));
    wait_for("the next", &|| revision() != first);
    assert_eq!(decide(), decision);
}
