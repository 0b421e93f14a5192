//! `agent.yaml` and catalogues: every finding, and what is loaded again.

use stalwart::catalogue::{AgentFile, Catalogue};
use stalwart::compiler::{Depth, compile};
use stalwart::ir::Rulebook;

const AGENTS: &str = include_str!("../../fixtures/gateway/shop/agent.yaml");
const POLICY: &str = include_str!("../../fixtures/gateway/shop/policy.co");
const KEPT: &str = include_str!("../../fixtures/gateway/shop/agent.catalogue.json");

fn rulebook(text: &str) -> Rulebook {
    let compiled = compile(
        "policy.co",
        text.as_bytes(),
        "stalwart.policy",
        Depth::Errors,
    );
    compiled.rulebook.expect("a rulebook")
}

/// The codes that a file has beside the note that the shop always has, and what is said.
fn found(agents: &str, policy: &str) -> (Vec<&'static str>, String, Option<Catalogue>) {
    let compiled =
        AgentFile::read("agent.yaml", agents.as_bytes()).compile(Some(&rulebook(policy)));
    let shown: Vec<String> = compiled
        .diagnostics
        .iter()
        .map(ToString::to_string)
        .collect();
    let codes = compiled.diagnostics.iter().map(|found| found.code.id);
    let codes = codes.filter(|id| *id != "RB1022").collect();
    (codes, shown.join("\n"), compiled.catalogue)
}

#[test]
fn the_shop_is_the_catalogue_that_is_kept() {
    let (codes, said, catalogue) = found(AGENTS, POLICY);
    assert_eq!(codes, Vec::<&str>::new(), "{said}");
    let bytes = catalogue.expect("a catalogue").to_bytes();
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        KEPT,
        "`stalwart verify --keep` writes it"
    );
    let loaded = Catalogue::from_bytes("agent.catalogue.json", KEPT.as_bytes()).unwrap();
    assert_eq!(loaded.to_bytes(), KEPT.as_bytes());
}

#[test]
fn every_fault_has_its_code() {
    let schema = "input_schema:\n      type: object\n";
    let cases: &[(&str, &str, &str)] = &[
        ("version: 1", "version: 2", "RB1001"),
        ("ungoverned: allow", "approvals: []", "RB1002"),
        ("  desk:", "  \"front desk\":", "RB1003"),
        ("tools: [refund_card]", "tools: [refund_cart]", "RB1004"),
        ("hand_off: [billing]", "hand_off: [biling]", "RB1005"),
        (
            "exclusiveMinimum: 0 }",
            "exclusiveMinimum: none }",
            "RB1006",
        ),
        (
            "order_id: { type: string }",
            "order_id: { type: sting }",
            "RB1006",
        ),
        (
            "order_id: { type: string }",
            "order_id: { type: string, format: shop-id }",
            "RB1006",
        ),
        (
            "order_id: { type: string }",
            "order_id: { type: string, pattern: \"(?=a)b\" }",
            "RB1006",
        ),
        (
            "order_id: { type: string }",
            "order_id: { $ref: \"http://a.example/x\" }",
            "RB1007",
        ),
        (
            "order_id: { type: string }",
            "order_id: { $ref: \"#/$defs/id\" }",
            "RB1007",
        ),
        (
            "order_id: { type: string }",
            "order_id: { $ref: \"#/properties/order_id\" }",
            "RB1007",
        ),
        (
            "order_id: { type: string }",
            "order_id: { type: string }\n        confirmed: { type: string }",
            "RB1008",
        ),
        (
            "confirm: \"Refund this order?\"",
            "context_arguments: [oder_id]",
            "RB1009",
        ),
        (
            "confirm: \"Refund this order?\"",
            "confirm: \"a\\u202eb\"",
            "RB1010",
        ),
        (
            "confirm: \"Refund this order?\"",
            "undo: { tool: refund_card, arguments: { order_id: $arguments.order_id, amount: 1 } }",
            "RB1011",
        ),
        ("after: charge_card", "after: send_receipt", "RB1012"),
        ("at_most: 3", "at_most: 0", "RB1012"),
        ("after: charge_card", "after: refund_card", "RB1012"),
        (
            "{ tool: charge_card, at_most: 3 }",
            "{ tool: send_receipt, after: charge_card }",
            "RB1013",
        ),
        ("ungoverned: allow", "ungoverned: refused", "RB1014"),
        ("tools: [refund_card]", "tools: []", "RB1024"),
        (
            "tools: [refund_card]",
            "tools: [refund_card]\n    owners: [ana@example.com]",
            "RB1025",
        ),
        (
            "tools: [refund_card]",
            "tools: [refund_card, send_receipt]",
            "RB1020",
        ),
    ];
    let mut wrong = Vec::new();
    for (from, to, code) in cases {
        let text = AGENTS.replacen(from, to, 1);
        assert_ne!(text, AGENTS, "{from}");
        let (codes, said, catalogue) = found(&text, POLICY);
        let is_error = said.contains(&format!("error[{code}]"));
        if !codes.contains(code) || catalogue.is_some() == is_error {
            wrong.push(format!("{to}: wants {code}, has {codes:?}\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let one = format!(
        "version: 1\nrulebook: policy.co\nagents: {{}}\ntools:\n  refund_card:\n    operation_type: transactional\n    {schema}"
    );
    let (codes, said, _) = found(&one, POLICY);
    assert!(
        codes.contains(&"RB1015") && codes.contains(&"RB1021"),
        "{said}"
    );
}

#[test]
fn what_the_rulebook_names_is_there_and_what_nobody_checks_is_noted() {
    let policy = "define flow a\n  if $paid\n    execute refund_card(order_id=$order_id)\n\ndefine flow b\n  if $tool_name == \"wire_money\"\n    bot refuse\n    stop\n";
    let (codes, said, _) = found(AGENTS, policy);
    assert!(
        said.contains("`wire_money` is not a tool of this file"),
        "{said}"
    );
    assert!(codes.contains(&"RB1023"), "{said}");
}

/// A catalogue that someone edited is refused, with its line.
#[test]
fn an_edited_catalogue_is_refused() {
    let cases = [
        ("\"outside\": true,", ""),
        ("\"outside\": true,", "\"outside\": 1,"),
        (
            "\"format\": \"agent-catalogue/1\"",
            "\"format\": \"agent-catalogue/2\"",
        ),
        (
            "\"ungoverned\": \"allow\"",
            "\"ungoverned\": \"allow\", \"extra\": 1",
        ),
        (
            "\"ungoverned\": \"allow\"",
            "\"ungoverned\": \"allow\", \"ungoverned\": \"refuse\"",
        ),
        ("\"at_most\": 3", "\"at_most\": 0"),
        ("        \"refund_card\"\n", "        \"refund_cart\"\n"),
        ("\"type\": \"object\"", "\"type\": \"array\""),
        ("\"kind\": \"governing\"", "\"kind\": \"dialogue\""),
        ("\"sha256\": \"", "\"sha256\": \"0"),
    ];
    let mut wrong = Vec::new();
    for (from, to) in cases {
        let text = KEPT.replacen(from, to, 1);
        assert_ne!(text, KEPT, "{from}");
        match Catalogue::from_bytes("a.json", text.as_bytes()) {
            Ok(_) => wrong.push(to.to_owned()),
            Err(refused) => assert!(!refused.diagnostics.is_empty(), "{to}"),
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    let late = KEPT.replacen("\"ungoverned\": \"allow\"", "\"ungoverned\": \"alow\"", 1);
    let refused = Catalogue::from_bytes("a.json", late.as_bytes()).unwrap_err();
    let line = late.lines().position(|line| line.contains("alow")).unwrap() + 1;
    assert!(
        refused.to_string().contains(&format!("line {line}:")),
        "{refused}"
    );
    for bytes in [&b""[..], b"[]", b"{", b"\xff", b"{\"format\": 1}"] {
        assert!(Catalogue::from_bytes("a.json", bytes).is_err());
    }
}

#[test]
fn catalogues_fit_the_published_schema() {
    let schema: serde_json::Value = serde_json::from_str(&Catalogue::schema()).unwrap();
    let kept: serde_json::Value = serde_json::from_str(KEPT).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&kept), "{:?}", validator.validate(&kept));
    let published = include_str!("../../schema/agent-catalogue-1.schema.json");
    assert_eq!(
        published,
        Catalogue::schema(),
        "`stalwart schema catalogue` writes it"
    );
}
