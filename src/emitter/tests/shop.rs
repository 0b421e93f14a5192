//! The smallest rulebook, whose body the contract gives byte by byte.

use super::rulebooks::*;
use crate::emitter::emit;
use crate::ir::Rulebook;
use crate::provenance::{Header, sha256};

pub fn shop() -> Rulebook {
    rulebook(vec![governing(
        "refunds",
        vec![either(
            is_true("order_paid"),
            vec![execute("refund_card")],
            vec![say("refuse")],
        )],
    )])
}

#[test]
fn the_body_is_the_contracts() {
    let artifacts = emit(&shop()).unwrap();
    let (header, body) = artifacts.rego.split_once("package ").unwrap();
    assert_eq!(format!("package {body}"), include_str!("shop.body.rego"));
    assert!(header.lines().all(|line| line.starts_with('#')));
}

#[test]
fn the_header_names_both_hashes() {
    let artifacts = emit(&shop()).unwrap();
    let header = Header::parse(&artifacts.rego).unwrap();
    assert_eq!(header.source_file, "policy.co");
    assert_eq!(header.source_sha256, "0".repeat(64));
    assert_eq!(header.rulebook_sha256, sha256(&artifacts.ir));
    assert_eq!(header.translator, env!("CARGO_PKG_VERSION"));
}
