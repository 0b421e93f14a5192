//! What a real OPA refuses of a signed bundle: each change of it.

use super::{PLAIN, SIGNED, VERIFIED, make, pack, place, unpack};
use crate::command_line::Place;
use crate::engines::opa::Opa;

/// How many places of a file are changed, one at a time.
const PLACES: usize = 24;

/// What OPA says of a bundle.
fn verify(
    opa: &Opa,
    place: &Place,
    verified: &[&str],
    members: &[(String, Vec<u8>)],
) -> Result<String, String> {
    place.write("tampered.tar.gz", pack(members));
    let build = ["build", "-b", "tampered.tar.gz", "-o", "built.tar.gz"];
    opa.run(&place.path("."), &[&build, verified].concat())
}

#[test]
fn every_changed_byte_is_refused() {
    let Some(opa) = Opa::find() else { return };
    let place = place();
    make(&place, SIGNED);
    let members = unpack(&place.read("bundle.tar.gz"));
    assert!(verify(&opa, &place, VERIFIED, &members).is_ok());
    for (index, (name, bytes)) in members.iter().enumerate() {
        // The last character of a token has bits that are not read.
        let (first, last) = match name.as_str() {
            ".signatures.json" => (br#"{"signatures":[""#.len(), bytes.len() - 5),
            _ => (0, bytes.len() - 1),
        };
        for step in 0..=PLACES {
            let mut changed = members.clone();
            let at = first + (last - first) * step / PLACES;
            changed[index].1[at] ^= 1;
            let said = verify(&opa, &place, VERIFIED, &changed);
            assert!(said.is_err(), "{name}: byte {at} may be changed");
        }
    }
}

#[test]
fn other_files_keys_and_scopes_are_refused() {
    let Some(opa) = Opa::find() else { return };
    let place = place();
    make(&place, SIGNED);
    let members = unpack(&place.read("bundle.tar.gz"));
    type Change = fn(&mut Vec<(String, Vec<u8>)>);
    let changes: [(&str, Change); 6] = [
        ("a file more", |members| {
            let rego = b"package stalwart.policy\n\nmore := true\n".to_vec();
            members.push(("stalwart/policy/more.rego".to_owned(), rego));
        }),
        ("data", |members| {
            let data = br#"{"stalwart":{"policy":{"more":1}}}"#.to_vec();
            members.push(("data.json".to_owned(), data));
        }),
        ("no IR", |members| members.truncate(3)),
        ("no manifest", |members| drop(members.remove(0))),
        ("no signatures", |members| drop(members.remove(1))),
        ("another name", |members| {
            members[2].0 = "stalwart/policy/Other.rego".to_owned()
        }),
    ];
    for (what, change) in changes {
        let mut changed = members.clone();
        change(&mut changed);
        assert!(verify(&opa, &place, VERIFIED, &changed).is_err(), "{what}");
    }
    let with = |index: usize, value: &'static str| {
        let mut other = VERIFIED.to_vec();
        other[index] = value;
        verify(&opa, &place, &other, &members)
    };
    assert!(with(1, "other-verification.pem").is_err());
    assert!(with(5, "another").is_err());
    assert!(
        verify(&opa, &place, &VERIFIED[..4], &members).is_err(),
        "no scope"
    );
    assert!(verify(&opa, &place, VERIFIED, &members).is_ok());
}

#[test]
fn a_secret_signs_too() {
    let Some(opa) = Opa::find() else { return };
    let place = place();
    make(
        &place,
        &["--signing-key", "secret", "--signing-algorithm", "hs256"],
    );
    let members = unpack(&place.read("bundle.tar.gz"));
    let with = |key: &str| {
        verify(
            &opa,
            &place,
            &["--verification-key", key, "--signing-alg", "HS256"],
            &members,
        )
    };
    assert_eq!(with("secret"), Ok(String::new()));
    let secret = String::from_utf8(place.read("secret")).unwrap();
    assert_eq!(with(&secret), Ok(String::new()));
    assert!(with("verification.pem").is_err());
}

/// OPA hashes a manifest by its value: the name of a source is any text.
#[test]
fn odd_names_of_sources_are_signed_as_opa_reads_them() {
    let Some(opa) = Opa::find() else { return };
    let place = place();
    let source = place.read("policy.co");
    for name in [
        "<a> & 'b' \"c\".co",
        "política \\ ü.co",
        "\u{7f}\u{2028}\u{202e}\u{1}.co",
        "日本.co",
    ] {
        place.write(name, &source);
        place.succeed(
            &[
                &["bundle", name],
                &PLAIN[2..],
                SIGNED,
                &["--no-proof", "--package", "a.b"],
            ]
            .concat(),
        );
        let members = unpack(&place.read("bundle.tar.gz"));
        let said = verify(&opa, &place, VERIFIED, &members);
        assert_eq!(said, Ok(String::new()), "{name:?}");
        std::fs::remove_file(place.path("bundle.tar.gz")).unwrap();
    }
}
