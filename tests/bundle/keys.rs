//! Signing keys: which are taken, what is said of the others, and that a key is never shown.

use super::{PLAIN, SIGNED, make, place};

#[test]
fn what_is_no_key_is_told_apart() {
    let place = place();
    let private = String::from_utf8(place.read("signing.pem")).unwrap();
    place.write("cut.pem", &private[..private.len() / 2]);
    place.write("empty.pem", "");
    place.write("short-secret", "x".repeat(31));
    place.write("long-secret", "x".repeat(65_537));
    for (key, algorithm, said) in [
        ("protected.pem", "RS256", "is protected by a password"),
        ("protected-pkcs1.pem", "RS256", "is protected by a password"),
        ("verification.pem", "RS256", "is a public key"),
        ("short.pem", "RS256", "has fewer than 2048 bits"),
        ("elliptic.pem", "RS256", "is no RSA key"),
        ("cut.pem", "RS256", "is PEM that is damaged or cut off"),
        ("empty.pem", "RS256", "holds no private key in PEM form"),
        ("secret", "RS256", "holds no private key in PEM form"),
        ("short-secret", "HS256", "has fewer than 32 bytes"),
        ("long-secret", "HS256", "has more than 65536 bytes"),
        (
            "signing.pem",
            "HS256",
            "is PEM or DER, the form of other keys, and HS256 signs with a secret",
        ),
        ("signing.pem", "PS256", "RB0696"),
        ("elliptic.pem", "ES256", "RB0696"),
        ("signing.pem", "none", "RB0696"),
    ] {
        let asked = ["--signing-key", key, "--signing-algorithm", algorithm];
        let ran = place.run(&[PLAIN, &asked].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{key}: {ran:?}");
        assert!(ran.stderr.contains(said), "{key}: {}", ran.stderr);
        assert!(ran.stderr.contains("help: "), "{key}: {}", ran.stderr);
        assert!(!place.path("bundle.tar.gz").exists(), "{key}");
        let text = String::from_utf8(place.read(key)).unwrap();
        for line in text
            .lines()
            .filter(|line| line.len() > 20 && !line.contains("-----"))
        {
            assert!(!ran.stderr.contains(line), "{key} is shown: {}", ran.stderr);
        }
    }
    // Without a key these say nothing.
    for option in [
        ["--key-id", "a"],
        ["--scope", "a"],
        ["--signing-algorithm", "HS256"],
    ] {
        assert_eq!(place.run(&[PLAIN, &option].concat()).code, 2, "{option:?}");
    }
}

#[test]
fn one_key_signs_alike_in_every_form() {
    let place = place();
    make(&place, SIGNED);
    let golden = place.read("bundle.tar.gz");
    let as_pkcs1 = [&["--signing-key", "signing-pkcs1.pem"], &SIGNED[2..]].concat();
    make(&place, &as_pkcs1);
    assert!(place.read("bundle.tar.gz") == golden);
    let from_stdin = [PLAIN, &["--no-proof", "--signing-key", "-"], &SIGNED[2..]].concat();
    let ran = place.run_with(&from_stdin, place.read("signing.pem"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    assert!(place.read("bundle.tar.gz") == golden);
}

#[cfg(unix)]
#[test]
fn a_key_that_everybody_reads_is_warned_of() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = place();
    for (mode, warns) in [(0o600, false), (0o640, false), (0o644, true)] {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(place.path("signing.pem"), permissions).unwrap();
        let ran = make(&place, SIGNED);
        assert_eq!(ran.stderr.contains("warning[RB0697]"), warns, "{mode:o}");
    }
}
