//! What the page's files promise, without a browser.

use std::io::Write as _;

use stalwart::palette;

use crate::built::{given, root};

fn page(name: &str) -> String {
    let path = root().join("playground/page").join(name);
    std::fs::read_to_string(path).expect("a file of the page")
}

#[test]
fn the_page_has_the_palette_of_pictures_and_reports() {
    assert_eq!(page("palette.css"), palette::VARIABLES);
}

#[test]
fn nothing_is_fetched_from_elsewhere() {
    for name in ["index.html", "style.css"] {
        let text = page(name);
        assert!(
            !text.contains("http:") && !text.contains("https:"),
            "{name}"
        );
        assert!(
            !text.contains("src=\"//") && !text.contains("url("),
            "{name}"
        );
    }
    assert!(page("index.html").contains("default-src 'none'"));
}

#[test]
fn what_is_said_by_a_rulebook_is_never_read_as_html() {
    let sources = root().join("playground/page/source");
    for entry in std::fs::read_dir(sources).expect("the page's sources") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a source");
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
        ] {
            assert!(!text.contains(word), "{}: {word}", path.display());
        }
    }
}

/// What a reader waits for.
#[test]
fn the_compiler_is_small() {
    let Some(folder) = given("STALWART_PLAYGROUND") else {
        return;
    };
    let bytes = std::fs::read(folder.join("playground.wasm")).expect("the compiler");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&bytes).expect("memory");
    let packed = packed.finish().expect("memory").len();
    println!("{} bytes, {packed} compressed", bytes.len());
    assert!(packed < 2_000_000, "{packed} bytes");
}
