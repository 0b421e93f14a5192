//! The pictures in the documentation are the program's. `STALWART_UPDATE_DOCS=1` writes them anew;
//! then look at them.

use std::fs;

use stalwart::compiler::{Depth, compile};
use stalwart::graph::{Graph, Selection, svg};

use crate::compiled::root;

/// A picture below `docs/pictures`, and the fixture it is of.
const PICTURES: [(&str, &str); 4] = [
    ("policy", "fixtures/shop/policy.co"),
    ("transfers", "fixtures/bank/transfers.co"),
    ("patient_records", "fixtures/clinic/patient_records.co"),
    ("marketplace", "fixtures/marketplace/marketplace.co"),
];

/// The example of the README with this name.
fn readme_example(name: &str) -> String {
    let text = fs::read_to_string(root().join("README.md")).expect("the README is there");
    let mark = format!("<!-- example: {name} -->\n```co\n");
    let (_, rest) = text.split_once(&mark).expect("the example is there");
    rest.split_once("```")
        .expect("the example ends")
        .0
        .to_owned()
}

fn hold(name: &str, file: &str, text: &[u8], selection: Selection<'_>, faults: &mut Vec<String>) {
    let compilation = compile(file, text, "stalwart.pictures", Depth::Errors);
    let rulebook = compilation.rulebook.expect("the example checks");
    let picture = svg::render(&Graph::of(&rulebook, selection));
    let path = root().join("docs/pictures").join(format!("{name}.svg"));
    if std::env::var_os("STALWART_UPDATE_DOCS").is_some() {
        fs::create_dir_all(root().join("docs/pictures")).expect("the folder is made");
        fs::write(&path, picture).expect("the picture is written");
    } else if fs::read_to_string(&path).ok().as_deref() != Some(&picture) {
        faults.push(format!(
            "{} is not what the program draws (if that is right, STALWART_UPDATE_DOCS=1 writes it)",
            path.display()
        ));
    }
}

#[test]
fn the_pictures_of_the_documentation_are_current() {
    let mut faults = Vec::new();
    for (name, path) in PICTURES {
        let text = fs::read(root().join(path)).expect("a fixture is read");
        let file = path.rsplit('/').next().expect("a name");
        hold(name, file, &text, Selection::Whole, &mut faults);
    }
    let refunds = readme_example("refunds.co");
    hold(
        "refunds",
        "refunds.co",
        refunds.as_bytes(),
        Selection::Whole,
        &mut faults,
    );
    let market = fs::read(root().join("fixtures/marketplace/marketplace.co")).expect("a fixture");
    let tool = Selection::Tool("publish_listing");
    hold(
        "publish_listing",
        "marketplace.co",
        &market,
        tool,
        &mut faults,
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
