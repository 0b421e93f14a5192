//! Regions against plain enumeration.

use stalwart::decision_space::Called;
use stalwart::regions::{Atlas, Region};

use crate::compiled::{files, must_compile, root};

#[test]
fn show() {
    for name in [
        "bank/transfers.co",
        "clinic/patient_records.co",
        "marketplace/marketplace.co",
    ] {
        let text = std::fs::read(root().join("fixtures").join(name)).unwrap();
        let compiled = must_compile(&text, "suite.regions");
        for called in Called::all(&[&compiled.rulebook], []) {
            let start = std::time::Instant::now();
            let atlas = Atlas::new(&[&compiled.rulebook], called.clone());
            let regions = atlas.decisions().unwrap();
            println!("== {called:?} {} {:?}", regions.len(), start.elapsed());
            for region in regions {
                println!(
                    "  {:?} {} {:?}\n      {}",
                    region.label.decision.decision,
                    region.label.decision.rule,
                    (region.label.flow, region.label.branch),
                    region.condition().unwrap_or_default()
                );
            }
        }
    }
}
