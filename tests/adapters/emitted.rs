//! The files themselves: of every rulebook of the fixtures, checked and formatted by a real OPA.

use std::path::Path;

use stalwart::adapters::{Adapter, adapter};

use super::BUILDS;
use crate::compiled::{files, must_compile};
use crate::engines::opa::Opa;

#[test]
fn opa_takes_the_adapters_of_every_fixture() {
    let Some(opa) = Opa::find() else { return };
    let mut packages = Vec::new();
    let rulebooks = files("fixtures", "co").into_iter();
    let rulebooks = rulebooks.filter(|path| {
        !path
            .components()
            .any(|part| part.as_os_str() == "diagnostics")
    });
    for (number, path) in rulebooks.enumerate() {
        let text = std::fs::read(&path).expect("a fixture is read");
        for (silent, build) in BUILDS {
            let package = format!("{build}.p{number}");
            let compiled = must_compile(&text, &package);
            let artifacts = compiled.emit();
            packages.push((package, artifacts.rego.clone()));
            for one in Adapter::ALL {
                let written = adapter(&compiled.rulebook, one, silent, &artifacts.header);
                let text = written.expect("an adapter").text;
                packages.push((one.package(&compiled.rulebook), text));
            }
        }
    }
    assert!(packages.len() > 300, "{}", packages.len());
    assert_eq!(opa.accepts(&packages), Ok(()));
}

#[test]
fn adapters_look_so() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/shop/policy.co");
    let text = std::fs::read(path).expect("a fixture is read");
    let compiled = must_compile(&text, "stalwart.policy");
    let header = compiled.emit().header;
    for one in Adapter::ALL {
        for (silent, build) in BUILDS {
            // The two builds differ in two places, and Envoy's differs from the other's in words.
            if build == "denying" && one != Adapter::Http {
                continue;
            }
            let written = adapter(&compiled.rulebook, one, silent, &header).expect("an adapter");
            let text = written.text.replace(env!("CARGO_PKG_VERSION"), "VERSION");
            insta::assert_snapshot!(format!("{}.{build}", one.as_str()), text);
        }
    }
}
