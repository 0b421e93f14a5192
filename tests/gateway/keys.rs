//! Keys: purposes apart, rotation, sealing, and the file beside a store.

use std::os::unix::fs::{MetadataExt, PermissionsExt};

use stalwart::keys::{
    KeyFileError, KeyRing, KeyRingError, OpenError, Purpose, Randomness, RandomnessError, Secret,
    SystemRandomness,
};

const PURPOSES: [Purpose; 7] = [
    Purpose::Args,
    Purpose::State,
    Purpose::Token,
    Purpose::Idempotency,
    Purpose::Webhook,
    Purpose::Store,
    Purpose::Audit,
];

fn ring(keys: &[(&str, u8)]) -> KeyRing {
    try_ring(keys).unwrap()
}

fn try_ring(keys: &[(&str, u8)]) -> Result<KeyRing, KeyRingError> {
    KeyRing::new(
        keys.iter()
            .map(|(id, byte)| ((*id).to_owned(), Secret::new([*byte; 32])))
            .collect(),
    )
}

/// No randomness: the same nonce each time, or none at all.
struct Fixed(bool);

impl Randomness for Fixed {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomnessError> {
        bytes.fill(7);
        self.0.then_some(()).ok_or(RandomnessError("none".into()))
    }
}

#[test]
fn a_keyed_hash_is_that_of_hkdf_and_hmac() {
    // Computed by another implementation: HKDF-SHA256 without salt of 32 times 0x01, info `args`.
    let expected = include_str!("keys/args.hmac").trim();
    assert_eq!(ring(&[("k1", 1)]).hmac(Purpose::Args, b"{}"), expected);
}

#[test]
fn purposes_and_keys_are_apart() {
    let ring_one = ring(&[("k1", 1)]);
    for purpose in PURPOSES {
        let hash = ring_one.hmac(purpose, b"text");
        for other in PURPOSES {
            assert_eq!(ring_one.verify(other, b"text", &hash), purpose == other);
        }
        assert!(!ring_one.verify(purpose, b"texT", &hash));
        assert!(!ring(&[("k1", 2)]).verify(purpose, b"text", &hash));
        assert!(!ring(&[("k2", 1)]).verify(purpose, b"text", &hash));
        let sealed = ring_one
            .seal(purpose, b"use", b"plain", &SystemRandomness)
            .unwrap();
        for other in PURPOSES {
            let opened = ring_one.open(other, b"use", &sealed);
            assert_eq!(opened.is_ok(), purpose == other);
        }
    }
}

#[test]
fn the_first_key_signs_and_all_verify() {
    let old = ring(&[("old", 1)]);
    let rotated = ring(&[("new", 2), ("old", 1)]);
    let hash = old.hmac(Purpose::Audit, b"line");
    let sealed = old
        .seal(Purpose::Store, b"", b"x", &SystemRandomness)
        .unwrap();
    let text = old
        .seal_text(Purpose::State, b"", b"x", &SystemRandomness)
        .unwrap();
    assert!(rotated.verify(Purpose::Audit, b"line", &hash));
    assert_eq!(
        rotated
            .open(Purpose::Store, b"", &sealed)
            .unwrap()
            .as_slice(),
        b"x"
    );
    assert_eq!(
        rotated
            .open_text(Purpose::State, b"", &text)
            .unwrap()
            .as_slice(),
        b"x"
    );
    assert!(rotated.hmac(Purpose::Audit, b"line").starts_with("new:"));
    assert_eq!(rotated.signing_id(), "new");
    assert!(rotated.knows("old") && !rotated.knows("other"));
    let without = ring(&[("new", 2)]);
    assert!(!without.verify(Purpose::Audit, b"line", &hash));
    assert_eq!(
        without.open(Purpose::Store, b"", &sealed).unwrap_err(),
        OpenError
    );
}

#[test]
fn any_altered_byte_of_a_sealed_value_is_found() {
    let ring = ring(&[("k1", 1)]);
    let sealed = ring
        .seal(Purpose::Store, b"use", b"plain", &SystemRandomness)
        .unwrap();
    for index in 0..sealed.len() {
        let mut altered = sealed.clone();
        altered[index] ^= 1;
        assert!(ring.open(Purpose::Store, b"use", &altered).is_err());
        assert!(ring.open(Purpose::Store, b"use", &sealed[..index]).is_err());
    }
    assert!(ring.open(Purpose::Store, b"other", &sealed).is_err());
    for hostile in ["", ".", "k1.", "k1.!!", ":", "k1:", "é.é", "k1.AAAA"] {
        assert!(ring.open_text(Purpose::State, b"", hostile).is_err());
        assert!(ring.open(Purpose::State, b"", hostile.as_bytes()).is_err());
        assert!(!ring.verify(Purpose::State, b"", hostile));
    }
    let upper = ring
        .hmac(Purpose::Args, b"")
        .replace(char::is_lowercase, "A");
    assert!(!ring.verify(Purpose::Args, b"", &upper));
}

#[test]
fn nothing_is_sealed_without_randomness() {
    let ring = ring(&[("k1", 1)]);
    let seal = |source| ring.seal(Purpose::Store, b"", b"plain", &source);
    assert!(seal(Fixed(false)).is_err());
    assert_eq!(
        seal(Fixed(true)),
        seal(Fixed(true)),
        "the nonce is passed in"
    );
    let sealed = seal(Fixed(true)).unwrap();
    assert!(!sealed.windows(5).any(|window| window == b"plain"));
}

#[test]
fn a_ring_of_bad_keys_is_refused_and_none_is_printed() {
    assert_eq!(try_ring(&[]).unwrap_err(), KeyRingError::Empty);
    for id in ["", "a b", "a:b", "a.b", "é", &"a".repeat(33)] {
        assert!(matches!(try_ring(&[(id, 1)]), Err(KeyRingError::BadId(_))));
    }
    let twice = try_ring(&[("a", 1), ("a", 2)]);
    assert_eq!(twice.unwrap_err(), KeyRingError::IdTwice("a".into()));
    let same = try_ring(&[("a", 1), ("b", 1)]);
    assert_eq!(same.unwrap_err(), KeyRingError::SecretTwice("b".into()));
    assert_eq!(
        format!("{:?}", ring(&[("a", 1), ("b-_9", 2)])),
        r#"["a", "b-_9"]"#
    );
}

#[test]
fn tokens_are_found_by_their_digest() {
    let ring = ring(&[("k1", 1)]);
    let known = [
        ring.token_digest("desk-token"),
        ring.token_digest("billing-token"),
    ];
    let owners = || known.iter().zip(["desk", "billing"]);
    assert_eq!(
        ring.token_digest("billing-token").find(owners()),
        Some("billing")
    );
    assert_eq!(ring.token_digest("billing-toke").find(owners()), None);
    assert_eq!(format!("{:?}", known[0]), "TokenDigest");
}

#[test]
fn a_key_is_made_beside_a_store_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("gateway.db");
    let open = || KeyRing::create_beside(&store, &SystemRandomness);
    let made = open().unwrap();
    let path = KeyRing::path_beside(&store);
    assert_eq!(path, folder.path().join("gateway.db.key"));
    let written = std::fs::read(&path).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    std::fs::write(&store, "").unwrap();
    let hash = made.hmac(Purpose::Audit, b"line");
    assert!(open().unwrap().verify(Purpose::Audit, b"line", &hash));
    assert_eq!(std::fs::read(&path).unwrap(), written);
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 2, "nothing else is left behind");

    for mode in [0o640, 0o604, 0o620] {
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        assert_eq!(open().unwrap_err(), KeyFileError::Loose(mode));
    }
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
    for damaged in ["", "k1", "k1:00", &format!("k1:{}", "g".repeat(64))] {
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(open().unwrap_err(), KeyFileError::Damaged, "{damaged}");
    }
    std::fs::remove_file(&path).unwrap();
    assert_eq!(open().unwrap_err(), KeyFileError::Gone);
    assert!(!path.exists());
}

#[test]
fn processes_that_start_together_have_one_key() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("gateway.db");
    let open = || KeyRing::create_beside(&store, &SystemRandomness).unwrap();
    let hashes: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| open().hmac(Purpose::Args, b"x")))
            .collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert!(hashes.iter().all(|hash| *hash == hashes[0]));
}
