//! `verify` of a bundle: the chain in it, the bundle around it, and archives that are none of ours.

use super::{PLAIN, SIGNED, gzip, make, pack, place, tar_of, unpack};
use crate::command_line::{Place, Ran};

fn verify(place: &Place, members: &[(String, Vec<u8>)]) -> Ran {
    place.write("bundle.tar.gz", pack(members));
    place.run(&["verify", "bundle.tar.gz", "--source", "policy.co"])
}

#[test]
fn a_whole_bundle_holds() {
    let place = place();
    for (more, said) in [
        (&[] as &[&str], "not signed\n"),
        (
            SIGNED,
            "signed, key id `gate`, scope `test`; the signature is OPA's to verify\n",
        ),
    ] {
        make(&place, more);
        let ran = place.succeed(&["verify", "bundle.tar.gz", "--source", "policy.co"]);
        let links: Vec<&str> = ran
            .stdout
            .lines()
            .filter_map(|line| line.split(':').next())
            .collect();
        assert_eq!(links, ["source", "ir", "rego", "proof", "bundle"]);
        assert!(ran.stdout.ends_with(said), "{}", ran.stdout);
        assert!(
            ran.stdout
                .contains("`bundle.tar.gz:stalwart/policy/rulebook.ir.json`")
        );
        let ran = place.succeed(&["verify", "bundle.tar.gz"]);
        assert!(ran.stdout.starts_with("source: not given\n"));
    }
}

#[test]
fn the_first_broken_link_is_named() {
    let place = place();
    make(&place, SIGNED);
    let golden = unpack(&place.read("bundle.tar.gz"));
    place.succeed(&["bundle", "policy.co", "--out", "plain.tar.gz", "--no-proof"]);
    let plain = unpack(&place.read("plain.tar.gz"));
    let edit = |members: &[(String, Vec<u8>)], index: usize, from: &str, to: &str| {
        let mut edited = members.to_vec();
        let text = String::from_utf8(edited[index].1.clone()).unwrap();
        assert!(text.contains(from), "{from}");
        edited[index].1 = text.replacen(from, to, 1).into_bytes();
        edited
    };
    let without = |index: usize| {
        let mut fewer = plain.clone();
        fewer.remove(index);
        fewer
    };
    let with = |name: &str| {
        let mut more = plain.clone();
        more.push((name.to_owned(), b"package a\n".to_vec()));
        more
    };
    let moved = || {
        let mut moved = plain.clone();
        for member in &mut moved[1..] {
            member.0 = member.0.replace("stalwart/", "elsewhere/");
        }
        moved
    };
    for (members, link, said) in [
        (edit(&plain, 2, "is_true", "not_true"), "ir", "RB0711"),
        (without(2), "ir", "is missing"),
        (edit(&plain, 1, "\"allow\"", "\"refuse\""), "rego", "RB0712"),
        (without(1), "rego", "is missing"),
        (without(0), "bundle", "has no `.manifest`"),
        (
            edit(&plain, 0, "stalwart/policy", ""),
            "bundle",
            "claims the roots ``",
        ),
        (
            edit(
                &plain,
                0,
                "\"revision\":\"sha256:",
                "\"revision\":\"sha256:0",
            ),
            "bundle",
            "has the revision",
        ),
        (
            edit(&plain, 0, ":1,", ":0,"),
            "bundle",
            "has another manifest",
        ),
        (
            edit(&plain, 0, "{", "{\"wasm\":[],"),
            "bundle",
            "no translator writes",
        ),
        (with("data.json"), "bundle", "holds `data.json`"),
        (
            with("stalwart/policy/Rulebook_test.rego"),
            "bundle",
            "holds `stalwart/policy/Rulebook_test.rego`",
        ),
        (moved(), "bundle", "holds `elsewhere/policy/Rulebook.rego`"),
        (
            edit(&golden, 1, "\":[\"", "\":[\"a."),
            "bundle",
            "signatures that are not of exactly what is in it",
        ),
    ] {
        let ran = verify(&place, &members);
        assert_eq!(ran.code, 3, "{said}: {ran:?}");
        assert!(
            ran.stdout.ends_with(&format!("{link}: broken\n")),
            "{said}: {ran:?}"
        );
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
        if link == "bundle" {
            assert!(ran.stderr.contains("RB0698"), "{said}: {}", ran.stderr);
        }
    }
    place.write("policy.co", "define flow other\n  execute t\n");
    let ran = verify(&place, &golden);
    assert_eq!(ran.stdout, "source: broken\n");
}

/// A tar archive of one entry of some type.
fn entry(kind: tar::EntryType, name: &str, link: Option<&str>, bytes: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(bytes.len() as u64);
    let field = &mut header.as_gnu_mut().unwrap().name;
    field[..name.len()].copy_from_slice(name.as_bytes());
    if let Some(link) = link {
        header.set_link_name(link).unwrap();
    }
    header.set_cksum();
    let mut builder = tar::Builder::new(Vec::new());
    builder.append(&header, bytes).unwrap();
    builder.into_inner().unwrap()
}

#[test]
fn hostile_archives_are_refused() {
    use tar::EntryType;

    let place = place();
    make(&place, &[]);
    let golden = place.read("bundle.tar.gz");
    let members = unpack(&golden);
    let plain = tar_of(&members);
    let twice = [members.as_slice(), &members[..1]].concat();
    let many: Vec<_> = (0..40)
        .map(|index| (index.to_string(), Vec::new()))
        .collect();
    let in_other_order: Vec<_> = members.iter().rev().cloned().collect();
    let file = |name| gzip(&entry(EntryType::Regular, name, None, b""));
    let mut with_owner = plain.clone();
    with_owner[108..116].copy_from_slice(b"0001750\0");
    for (what, bytes) in [
        ("cut off", golden[..golden.len() - 1].to_vec()),
        ("cut off early", golden[..200].to_vec()),
        ("something behind", [golden.as_slice(), b"x"].concat()),
        (
            "a second stream",
            [golden.as_slice(), &pack(&many)].concat(),
        ),
        (
            "something behind the end",
            gzip(&[plain.as_slice(), b"x"].concat()),
        ),
        (
            "zeros behind the end",
            gzip(&[plain.as_slice(), &[0; 512]].concat()),
        ),
        ("no end", gzip(&plain[..plain.len() - 1024])),
        ("a torn file", gzip(&plain[..700])),
        ("a bomb", gzip(&vec![0; 200 << 20])),
        ("an owner", gzip(&with_owner)),
        ("an empty archive", gzip(&[0; 1024])),
        (
            "a link",
            gzip(&entry(EntryType::Symlink, "a", Some("/etc/passwd"), b"")),
        ),
        (
            "a hard link",
            gzip(&entry(EntryType::Link, "a", Some("b"), b"")),
        ),
        (
            "a folder",
            gzip(&entry(EntryType::Directory, "a/", None, b"")),
        ),
        ("a device", gzip(&entry(EntryType::Char, "a", None, b""))),
        ("a name upwards", file("../a")),
        ("a name upwards inside", file("a/../../b")),
        ("a name from the root on", file("/a")),
        ("an empty name", file("")),
        ("twice", pack(&twice)),
        ("many", pack(&many)),
    ] {
        place.write("hostile.tar.gz", &bytes);
        for (command, code) in [
            (&["verify", "hostile.tar.gz"] as &[&str], 3),
            (
                &["bundle", "policy.co", "--out", "hostile.tar.gz", "--check"],
                1,
            ),
        ] {
            let ran = place.run(command);
            assert_eq!(
                (ran.code, ran.stdout.as_str()),
                (code, ""),
                "{what}: {ran:?}"
            );
            assert!(ran.stderr.contains("RB0692"), "{what}: {}", ran.stderr);
        }
        let ran = place.run(&["bundle", "policy.co", "--out", "hostile.tar.gz"]);
        assert_eq!(ran.code, 2, "{what}: {ran:?}");
        assert!(place.read("hostile.tar.gz") == bytes, "{what}");
    }
    for bytes in [b"" as &[u8], &plain] {
        place.write("hostile.tar.gz", bytes);
        let ran = place.run(&["verify", "hostile.tar.gz"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
        assert!(ran.stderr.contains("RB0714"), "{}", ran.stderr);
    }
    // The order of its files is no matter to who reads it, but is one of bytes.
    place.write("bundle.tar.gz", pack(&in_other_order));
    let ran = place.run(&[PLAIN, &["--check"]].concat());
    assert_eq!(ran.code, 1, "{ran:?}");
}
