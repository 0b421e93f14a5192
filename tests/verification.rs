//! The chain from source to Rego: what is done to it, and the link that is then called broken.

use std::fs;
use std::path::Path;

use stalwart::emitter::{Artifacts, emit, emit_as};
use stalwart::ir;
use stalwart::opa_tests::{TESTS_FILE, tests};
use stalwart::proof::{DEFAULT_POINTS, Options};
use stalwart::provenance::{TRANSLATOR, sha256};
use stalwart::verification::{Evidence, Link, SourceFile, Verification, verify};

use crate::compiled::{must_compile, root};

const IR: &str = "rulebook.ir.json";
const REGO: &str = "Rulebook.rego";
const PACKAGE: &str = "stalwart.policy";

/// A folder with the artifacts of a rulebook, and the rulebook's source.
struct Chain {
    folder: tempfile::TempDir,
    source: Vec<u8>,
    artifacts: Artifacts,
}

impl Chain {
    fn of(source: &[u8]) -> Self {
        let artifacts = must_compile(source, PACKAGE).emit();
        let chain = Self {
            folder: tempfile::tempdir().unwrap(),
            source: source.to_vec(),
            artifacts,
        };
        chain.write(IR, &chain.artifacts.ir);
        chain.write(REGO, &chain.artifacts.rego);
        chain
    }

    fn shop() -> Self {
        Self::of(&fs::read(root().join("fixtures/shop/policy.co")).unwrap())
    }

    /// As the shop, but another rulebook of the same name and package.
    fn other() -> Self {
        Self::of(b"define flow transfers\n  if $amount <= 100 and $who in [\"a\", \"b\"]\n    execute transfer\n  else\n    bot refuse\n")
    }

    fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.folder.path().join(file), bytes).unwrap();
    }

    fn remove(&self, file: &str) {
        fs::remove_file(self.folder.path().join(file)).unwrap();
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.folder.path().join(file)).unwrap();
        assert!(text.contains(from), "{from}");
        self.write(file, text.replacen(from, to, 1));
    }

    fn verify(&self, source: Option<&[u8]>) -> Verification {
        let source = source.map(|bytes| SourceFile {
            name: "policy.co".to_owned(),
            bytes: bytes.to_vec(),
        });
        let evidence = Evidence::gather(self.folder.path(), source).expect("files are read");
        let options = Options {
            points: DEFAULT_POINTS,
            opa: None,
            progress: &mut |_| {},
        };
        verify(&evidence, options)
    }

    /// The broken link, with the source given and without.
    fn broken(&self) -> [Option<Link>; 2] {
        [Some(self.source.as_slice()), None]
            .map(|source| self.verify(source).broken.map(|(link, _)| link))
    }
}

#[test]
fn a_whole_chain_holds() {
    for chain in [Chain::shop(), Chain::other()] {
        for source in [Some(chain.source.as_slice()), None] {
            let Verification { held, broken, .. } = chain.verify(source);
            assert!(broken.is_none(), "{broken:?}");
            let links: Vec<Link> = held.iter().map(|(link, _)| *link).collect();
            // Nothing stands beside this pair, and it is in no bundle.
            let is_of_all = |link: &Link| !matches!(link, Link::Beside | Link::Bundle);
            let wanted: Vec<Link> = Link::ALL.into_iter().filter(is_of_all).collect();
            assert_eq!(links, wanted);
            let seen = |link| &held.iter().find(|(held, _)| *held == link).unwrap().1;
            assert_eq!(seen(Link::Source) == "not given", source.is_none());
            assert!(
                seen(Link::Proof).starts_with("proved ("),
                "{}",
                seen(Link::Proof)
            );
            assert!(!seen(Link::Rego).contains("translator"));
        }
    }
}

#[test]
fn the_tests_beside_the_pair_are_a_link_of_their_own() {
    let chain = Chain::shop();
    let rulebook = must_compile(&chain.source, PACKAGE).rulebook;
    let tests = tests(&rulebook, &chain.artifacts.header).unwrap().text;
    chain.write(TESTS_FILE, &tests);
    let Verification { held, broken, .. } = chain.verify(Some(&chain.source));
    assert!(broken.is_none(), "{broken:?}");
    let of_folder = Link::ALL.iter().filter(|link| **link != Link::Bundle);
    assert!(held.iter().map(|(link, _)| link).eq(of_folder), "{held:?}");

    let beside = [Some(Link::Beside), Some(Link::Beside)];
    for at in (0..tests.len()).step_by(53) {
        let mut bytes = tests.clone().into_bytes();
        bytes[at] ^= 1;
        chain.write(TESTS_FILE, &bytes);
        // A first line that names no file is no mark of ours: then it is somebody else's file.
        if at > tests.find('\n').unwrap() {
            assert_eq!(chain.broken(), beside, "byte {at}");
        }
    }
    let without_header = tests.split_once("#\n").unwrap().1;
    let first_line = tests.lines().next().unwrap();
    chain.write(TESTS_FILE, format!("{first_line}\n{without_header}"));
    assert_eq!(chain.broken(), beside);
    // Without any mark it is not ours, and adds nothing to the package.
    chain.write(TESTS_FILE, without_header);
    assert_eq!(chain.broken(), [None, None]);

    let other = Chain::other();
    let rulebook = must_compile(&other.source, PACKAGE).rulebook;
    let of_other = stalwart::opa_tests::tests(&rulebook, &other.artifacts.header);
    chain.write(TESTS_FILE, of_other.unwrap().text);
    assert_eq!(chain.broken(), beside);
    let (_, found) = chain.verify(None).broken.unwrap();
    assert!(
        found.message.contains("another IR than the one beside it"),
        "{found:?}"
    );

    let version = format!("# translator {TRANSLATOR}");
    chain.write(TESTS_FILE, tests.replace(&version, "# translator 9.9.9"));
    let Verification { held, broken, .. } = chain.verify(None);
    assert!(broken.is_none(), "{broken:?}");
    let (_, seen) = held.iter().find(|(link, _)| *link == Link::Beside).unwrap();
    assert!(seen.contains("emitted by translator 9.9.9"), "{seen}");
}

#[test]
fn line_ends_and_a_mark_of_the_source_do_not_matter() {
    let chain = Chain::shop();
    let text = String::from_utf8(chain.source.clone()).unwrap();
    let other = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
    assert!(chain.verify(Some(other.as_bytes())).broken.is_none());
}

/// What is done to a chain.
type Damage = fn(&Chain);

/// What is done, and the link that is broken with the source given and without it.
const CASES: &[(&str, Damage, [Option<Link>; 2])] = {
    use Link::{Extra, Ir, Rego, Source};
    const IN_IR: [Option<Link>; 2] = [Some(Ir), Some(Ir)];
    const IN_REGO: [Option<Link>; 2] = [Some(Rego), Some(Rego)];
    &[
        ("nothing", |_| {}, [None, None]),
        // Removals.
        ("no IR", |it| it.remove(IR), IN_IR),
        ("no Rego", |it| it.remove(REGO), IN_REGO),
        ("an empty IR", |it| it.write(IR, ""), IN_IR),
        ("an empty Rego", |it| it.write(REGO, ""), IN_REGO),
        // Additions.
        (
            "more of the package",
            |it| it.write("more.rego", "package stalwart.policy\n"),
            [Some(Extra), Some(Extra)],
        ),
        (
            "more of the package, in other words",
            |it| it.write("more.rego", "# x\npackage stalwart[\"policy\"] # y\n"),
            [Some(Extra), Some(Extra)],
        ),
        (
            "more of the package, on another line",
            |it| it.write("more.rego", "package # x\n\nstalwart[`policy`]\n"),
            [Some(Extra), Some(Extra)],
        ),
        (
            "a package above, whose rules reach into ours",
            |it| it.write("more.rego", "package stalwart\n\npolicy.decision := 1\n"),
            [Some(Extra), Some(Extra)],
        ),
        (
            "a package below",
            |it| it.write("more.rego", "package stalwart.policy.decision\n"),
            [Some(Extra), Some(Extra)],
        ),
        (
            "a package whose name begins alike",
            |it| it.write("more.rego", "package stalwart.policy2\n"),
            [None, None],
        ),
        (
            "another package",
            |it| it.write("more.rego", "package stalwart.other\n"),
            [None, None],
        ),
        (
            "another file",
            |it| it.write("readme.md", "x"),
            [None, None],
        ),
        // Swaps with the files of another rulebook.
        (
            "the other IR",
            |it| it.write(IR, Chain::other().artifacts.ir),
            [Some(Ir), Some(Rego)],
        ),
        (
            "the other Rego",
            |it| it.write(REGO, Chain::other().artifacts.rego),
            IN_REGO,
        ),
        (
            "both of the other",
            |it| {
                it.write(IR, Chain::other().artifacts.ir);
                it.write(REGO, Chain::other().artifacts.rego);
            },
            [Some(Source), None],
        ),
        // The IR, one byte of each kind.
        (
            "IR: a key",
            |it| it.edit(IR, "\"steps\"", "\"stepz\""),
            IN_IR,
        ),
        (
            "IR: the format",
            |it| it.edit(IR, "rulebook-ir/1", "rulebook-ir/2"),
            IN_IR,
        ),
        (
            "IR: the package",
            |it| it.edit(IR, PACKAGE, "stalwart.policx"),
            IN_REGO,
        ),
        (
            "IR: the source's name",
            |it| it.edit(IR, "policy.co", "polixy.co"),
            IN_REGO,
        ),
        (
            "IR: the source's hash",
            |it| it.edit(IR, "d25dadcd", "d25dadce"),
            [Some(Ir), Some(Rego)],
        ),
        (
            "IR: a name",
            |it| it.edit(IR, "\"order_paid\"", "\"order_pait\""),
            IN_IR,
        ),
        (
            "IR: a tool",
            |it| it.edit(IR, "refund_card", "refund_cart"),
            IN_IR,
        ),
        (
            "IR: a wording",
            |it| {
                it.edit(
                    IR,
                    "\"wordings\": []",
                    "\"wordings\": [\n        \"Yes.\"\n      ]",
                )
            },
            [Some(Ir), Some(Rego)],
        ),
        (
            "IR: a line",
            |it| it.edit(IR, "\"line\": 4", "\"line\": 5"),
            IN_IR,
        ),
        ("IR: an id", |it| it.edit(IR, "f1_b1", "f1_b9"), IN_IR),
        (
            "IR: a condition",
            |it| it.edit(IR, "is_true", "not_true"),
            IN_IR,
        ),
        ("IR: a blank more", |it| it.edit(IR, ": ", ":  "), IN_IR),
        (
            "IR: the last line end",
            |it| {
                let mut bytes = it.artifacts.ir.clone();
                bytes.pop();
                it.write(IR, bytes);
            },
            IN_IR,
        ),
        (
            "IR: other line ends",
            |it| {
                let text = String::from_utf8(it.artifacts.ir.clone()).unwrap();
                it.write(IR, text.replace('\n', "\r\n"));
            },
            IN_IR,
        ),
        (
            "IR: a letter as an escape",
            |it| it.edit(IR, "refund_card", "refund\\u005fcard"),
            IN_IR,
        ),
        (
            "IR: no UTF-8",
            |it| it.write(IR, b"{\"format\": \"\xff\"}"),
            IN_IR,
        ),
        // The Rego, one byte of each kind.
        (
            "Rego: the mark",
            |it| it.edit(REGO, "GENERATED", "Generated"),
            IN_REGO,
        ),
        (
            "Rego: the source's name",
            |it| it.edit(REGO, "policy.co", "polixy.co"),
            IN_REGO,
        ),
        (
            "Rego: the source's hash",
            |it| it.edit(REGO, "d25dadcd", "d25dadce"),
            IN_REGO,
        ),
        (
            "Rego: the IR's hash",
            |it| it.edit(REGO, "24826594", "24826595"),
            IN_REGO,
        ),
        (
            "Rego: no version",
            |it| it.edit(REGO, "translator 1", "translator x"),
            IN_REGO,
        ),
        (
            "Rego: a version before the first",
            |it| it.edit(REGO, "translator 1.1", "translator 1.0"),
            IN_REGO,
        ),
        (
            "Rego: a fact of the header",
            |it| it.edit(REGO, "only the gate", "also the gate"),
            IN_REGO,
        ),
        (
            "Rego: a blank line",
            |it| it.edit(REGO, "\npackage", "\n\npackage"),
            IN_REGO,
        ),
        (
            "Rego: the package",
            |it| it.edit(REGO, "package stalwart.policy", "package stalwart.policx"),
            IN_REGO,
        ),
        (
            "Rego: a keyword",
            |it| it.edit(REGO, " if ", " iff "),
            IN_REGO,
        ),
        (
            "Rego: a decision",
            |it| it.edit(REGO, "\"allow\"", "\"refuse\""),
            IN_REGO,
        ),
        (
            "Rego: a rule",
            |it| it.edit(REGO, "f1_b1_first", "f1_b2_first"),
            IN_REGO,
        ),
        (
            "Rego: a comment",
            |it| it.edit(REGO, "# flow 'refunds'", "# flow 'refundz'"),
            IN_REGO,
        ),
        ("Rego: a tab", |it| it.edit(REGO, "\t", "  "), IN_REGO),
        (
            "Rego: a line more",
            |it| it.write(REGO, format!("{}\n", it.artifacts.rego)),
            IN_REGO,
        ),
        (
            "Rego: a byte order mark",
            |it| it.write(REGO, format!("\u{FEFF}{}", it.artifacts.rego)),
            IN_REGO,
        ),
        (
            "Rego: other line ends",
            |it| it.write(REGO, it.artifacts.rego.replace('\n', "\r\n")),
            IN_REGO,
        ),
        ("Rego: no UTF-8", |it| it.write(REGO, b"\xff"), IN_REGO),
        // Both, so that they fit each other.
        (
            "another condition, all hashes made to fit",
            |it| {
                let source = String::from_utf8(it.source.clone()).unwrap();
                let other = source.replace("order_paid", "order_open");
                let mut rulebook = must_compile(other.as_bytes(), PACKAGE).rulebook;
                rulebook.source.sha256 = sha256(&it.source);
                let forged = emit(&rulebook).unwrap();
                it.write(IR, forged.ir);
                it.write(REGO, forged.rego);
            },
            [Some(Ir), None],
        ),
        (
            "another source's hash in both",
            |it| {
                let mut rulebook = ir::from_bytes(&it.artifacts.ir).unwrap();
                rulebook.source.sha256 = "0".repeat(64);
                let forged = emit(&rulebook).unwrap();
                it.write(IR, forged.ir);
                it.write(REGO, forged.rego);
            },
            [Some(Source), None],
        ),
    ]
};

#[test]
fn each_damage_breaks_its_link() {
    let mut wrong = Vec::new();
    for (what, damage, want) in CASES {
        let chain = Chain::shop();
        damage(&chain);
        let found = chain.broken();
        if found != *want {
            wrong.push(format!("{what}: {found:?}, not {want:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn another_version_is_accepted_with_a_note() {
    let chain = Chain::shop();
    let rulebook = ir::from_bytes(&chain.artifacts.ir).unwrap();
    chain.write(REGO, emit_as(&rulebook, "7.0.1").unwrap().rego);
    for source in [Some(chain.source.as_slice()), None] {
        let Verification { held, broken, .. } = chain.verify(source);
        assert!(broken.is_none(), "{broken:?}");
        let note = format!("emitted by translator 7.0.1, this is {TRANSLATOR}");
        assert!(
            held.iter()
                .any(|(link, seen)| *link == Link::Rego && seen.contains(&note))
        );
    }
    // The note excuses nothing else.
    chain.edit(REGO, "\"allow\"", "\"refuse\"");
    assert_eq!(chain.broken(), [Some(Link::Rego); 2]);
}

/// Every single byte of both artifacts counts, whatever it is.
#[test]
fn no_byte_can_be_flipped() {
    let chain = Chain::shop();
    let flip = |file: &str, whole: &[u8], may_pass: &dyn Fn(&[u8]) -> bool| {
        for at in 0..whole.len() {
            let mut bytes = whole.to_vec();
            bytes[at] ^= 1;
            chain.write(file, &bytes);
            let Verification { broken, .. } = chain.verify(None);
            assert!(
                broken.is_some() || may_pass(&bytes),
                "{file}: byte {at} of {:?}",
                String::from_utf8_lossy(&bytes)
            );
        }
        chain.write(file, whole);
    };
    flip(IR, &chain.artifacts.ir, &|_| false);
    // A later version may have written the same.
    let rulebook = ir::from_bytes(&chain.artifacts.ir).unwrap();
    flip(REGO, chain.artifacts.rego.as_bytes(), &|bytes| {
        let text = String::from_utf8_lossy(bytes);
        let version = text
            .lines()
            .nth(2)
            .and_then(|line| line.strip_prefix("# translator "));
        version.is_some_and(|version| {
            version != TRANSLATOR && emit_as(&rulebook, version).unwrap().rego == text
        })
    });
}

#[test]
fn a_path_without_a_folder_is_no_chain() {
    for path in ["missing", "Cargo.toml"] {
        let error = Evidence::gather(&root().join(path), None).unwrap_err();
        assert_eq!(error.code.id, "RB0714");
    }
    assert!(Evidence::gather(Path::new(root()), None).is_ok());
}
