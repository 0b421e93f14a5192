//! `gateway.yaml`: every finding, what is resolved, and that no secret is shown.

use std::path::Path;

use stalwart::command_line::rendered;
use stalwart::configuration::{self, ReadConfiguration, SECTIONS, Surroundings};
use stalwart::service::assembly::bound_keys;

const GATEWAY: &str = include_str!("../../fixtures/gateway/shop/gateway.yaml");
const CATALOGUE: &[u8] = include_bytes!("../../fixtures/gateway/shop/agent.catalogue.json");

fn variable(name: &str) -> Option<String> {
    match name {
        "EMPTY" | "UNSET" | "STALWART_ROUTER_URL" | "QLS_ROUTER_URL" | "TOOL_POLICIES_PATH" => None,
        "SHORT" => Some("short-secret".to_owned()),
        "KEY" => Some("ab".repeat(32)),
        other => Some(format!("secret-value-of-{other}")),
    }
}

fn read(text: &str) -> ReadConfiguration {
    let surroundings = Surroundings {
        folder: Path::new("/etc/shop"),
        variable: &variable,
        file: &|path| {
            Ok(path
                .ends_with("agent.catalogue.json")
                .then(|| CATALOGUE.to_vec()))
        },
    };
    configuration::read("gateway.yaml", text.as_bytes(), &surroundings)
}

/// Everything that a person is shown.
fn shown(read: &ReadConfiguration) -> String {
    let reports = rendered(read.source.clone(), read.diagnostics.clone());
    reports.into_iter().map(|(_, report)| report).collect()
}

#[test]
fn the_shop_is_resolved() {
    let read = read(GATEWAY);
    let said = shown(&read);
    let configuration = read.configuration.unwrap_or_else(|| panic!("{said}"));
    assert_eq!(configuration.listen.to_string(), "127.0.0.1:8800");
    assert_eq!(configuration.store, Path::new("/etc/shop/gateway.db"));
    assert_eq!(configuration.upstreams["*"], "shop");
    assert_eq!(
        configuration.agents["desk"][0].expose(),
        "secret-value-of-DESK_TOKEN"
    );
    assert_eq!(configuration.run_ttl.as_secs(), 86_400);
    assert!(!format!("{configuration:?}").contains("secret-value"));
    assert!(!said.contains("secret-value"), "{said}");
}

/// Within braces too, where a brace would end a word.
#[test]
fn variables_stand_anywhere() {
    let text = "catalogue: agent.catalogue.json\nservers: { shop: { url: \"http://${HOST}/mcp\", headers: { Authorization: Bearer ${SHOP_TOKEN} } } }\nupstreams: { \"*\": shop }\nagents: { desk: [${A_TOKEN}, ${B_TOKEN}], billing: ${C_TOKEN} }\nkeys: [{ id: k1, secret: ${KEY} }]\ncontext: { shop: ${SHOP}, plain: $5 }\n";
    let read = read(text);
    let said = shown(&read);
    let configuration = read.configuration.unwrap_or_else(|| panic!("{said}"));
    let header = &configuration.servers["shop"].headers[0].1;
    assert_eq!(header.expose(), "Bearer secret-value-of-SHOP_TOKEN");
    assert_eq!(configuration.agents["desk"].len(), 2);
    assert_eq!(configuration.context["shop"], "secret-value-of-SHOP");
    assert_eq!(configuration.context["plain"], "$5");
    assert!(configuration.keys.is_some());
}

#[test]
fn every_fault_has_its_code() {
    let desk = "desk: ${DESK_TOKEN}";
    let cases: &[(&str, &str, &str)] = &[
        ("audit: decisions.jsonl", "approvers: {}", "RB1101"),
        (
            "audit: decisions.jsonl",
            "store: postgres://u:hunter2@db/x",
            "RB1101",
        ),
        (desk, "desk: ${UNSET}", "RB1102"),
        (desk, "desk: ${1X}", "RB1103"),
        (desk, "desk: $A_TOKEN_WITHOUT_BRACES", "RB1103"),
        (desk, "desk: ${SHORT}", "RB1104"),
        (desk, "desk: hunter2", "RB1104"),
        (desk, "desk: ${BILLING_TOKEN}", "RB1105"),
        (desk, "desk: ${HOST_TOKEN}", "RB1105"),
        ("audit: decisions.jsonl", "listen: 0.0.0.0:8800", "RB1106"),
        ("http://127.0.0.1:8080/mcp", "ftp://tools/mcp", "RB1107"),
        (
            "http://127.0.0.1:8080/mcp",
            "http://u:hunter2@tools/mcp",
            "RB1107",
        ),
        (
            "upstreams: { \"*\": shop }",
            "upstreams: { refund_cart: shop, \"*\": shop }",
            "RB1108",
        ),
        (
            "upstreams: { \"*\": shop }",
            "upstreams: { refund_card: shop }",
            "RB1109",
        ),
        (
            "upstreams: { \"*\": shop }",
            "upstreams: { \"*\": shp }",
            "RB1109",
        ),
        (desk, "dsk: ${DESK_TOKEN}", "RB1110"),
        (
            "audit: decisions.jsonl",
            "keys: [{ id: k1, secret: ${SHORT} }]",
            "RB1111",
        ),
        (
            "audit: decisions.jsonl",
            "keys: [{ id: k1, secret: ${KEY} }, { id: k1, secret: ${KEY} }]",
            "RB1111",
        ),
        ("audit: decisions.jsonl", "run_ttl: soon", "RB1112"),
        ("./agent.catalogue.json", "./other.json", "RB1113"),
        ("  desk: ${DESK_TOKEN}\n", "", "RB1120"),
        ("catalogue:", "catalogue:", "RB1121"),
        ("audit: decisions.jsonl", "", "RB1122"),
        (
            "upstreams: { \"*\": shop }",
            "upstreams: { \"*\": \"http://127.0.0.1:9/mcp\" }",
            "RB1123",
        ),
        ("admin_token", "admin_tokn", "RB0510"),
    ];
    let mut wrong = Vec::new();
    for (from, to, code) in cases {
        let text = GATEWAY.replacen(from, to, 1);
        assert!(GATEWAY.contains(from), "{from}");
        let read = read(&text);
        let said = shown(&read);
        let found = read.diagnostics.iter().find(|found| found.code.id == *code);
        let is_refused = read.configuration.is_none();
        let is_right = found.is_some_and(|found| {
            is_refused == (found.severity() == stalwart::diagnostics::Severity::Error)
        });
        if !is_right {
            wrong.push(format!(
                "{to}: wants {code}\n{}",
                read.lines(stalwart::diagnostics::Severity::Note).join("\n")
            ));
        }
        for secret in [
            "hunter2",
            "secret-value-of",
            "short-secret",
            "\u{07FB}",
            &"ab".repeat(32),
        ] {
            assert!(!said.contains(secret), "{to}: {said}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_cannot_be_read_shows_no_secret() {
    for text in [
        "admin_token: hunter2-hunter2\n  x: [",
        "agents: { desk: hunter2-hunter2",
        "admin_token: hunter2-hunter2\nagents:\n  - hunter2-hunter2\nnode: 0x12\n",
        "admin_token: 0x123456789abcdef0123\n",
        "admin_tokn: hunter2-hunter2\n",
        "admin_token: [hunter2-hunter2]\n",
    ] {
        let read = read(text);
        let said = shown(&read);
        assert!(read.configuration.is_none());
        assert!(
            !said.contains("hunter2") && !said.contains("0x1234"),
            "{said}"
        );
    }
}

/// Each key of the table is read: a value of a kind that none of them has is refused.
#[test]
fn every_key_of_the_table_is_read() {
    for section in SECTIONS {
        for key in section.keys.iter().filter(|key| key.is_built) {
            let value = "[[[]]]";
            let inner = format!("{}: {value}", key.name);
            let text = match section.place {
                "" => inner,
                "servers.NAME" => format!("servers: {{ shop: {{ {inner} }} }}"),
                "keys[]" => format!("keys: [{{ {inner} }}]"),
                place => format!("{place}: {{ {inner} }}"),
            };
            let read = read(&text);
            let is_read = read.diagnostics.iter().any(|found| {
                found.severity() == stalwart::diagnostics::Severity::Error
                    && found.code.id != "RB0510"
                    && found
                        .span()
                        .is_some_and(|span| read.source.slice(span).starts_with('['))
            });
            assert!(is_read, "{text}\n{}", shown(&read));
        }
    }
}

#[test]
fn the_documented_table_is_that_of_the_reader() {
    let page = include_str!("../../docs/gateway-configuration.md");
    assert!(
        page.contains(&configuration::table()),
        "{}",
        configuration::table()
    );
}

#[test]
fn what_a_reload_cannot_apply_is_named() {
    let configured = |more: &str| {
        let read = read(&format!("{GATEWAY}{more}"));
        let said = shown(&read);
        read.configuration.unwrap_or_else(|| panic!("{said}"))
    };
    let old = configured("");
    let changed = |more: &str| bound_keys(&old, &configured(more));
    for bound in [
        "listen: 127.0.0.1:8801",
        "store: ./other.db",
        "node: two",
        "behind_proxy: true",
        "elicitation_timeout: 60",
        "tls: { certificate: a.pem, key: b.pem }",
    ] {
        let key = bound.split(':').next().unwrap();
        assert_eq!(changed(&format!("{bound}\n")), [key]);
    }
    let limits = SECTIONS.iter().find(|section| section.place == "limits");
    let applied = ["runs", "questions_per_run", "questions_per_agent"];
    for key in limits.unwrap().keys {
        // The smallest body is larger than the deepest JSON.
        let number = if key.name == "body" { 2048 } else { 9 };
        let changed = changed(&format!("limits: {{ {}: {number} }}\n", key.name));
        let expected = match applied.contains(&key.name) {
            true => Vec::new(),
            false => vec![format!("limits.{}", key.name)],
        };
        assert_eq!(changed, expected);
    }
    for applied in [
        "rate: { calls_per_minute: 5 }",
        "run_ttl: 1h",
        "run_idle: 1h",
        "replay_ttl: 1h",
        "allowed_origins: [\"https://app.example.com\"]",
        "context_url: http://127.0.0.1:9/context",
    ] {
        assert!(changed(&format!("{applied}\n")).is_empty(), "{applied}");
    }
}
