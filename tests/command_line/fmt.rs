//! `fmt`: what is written where, what is left alone, and how it ends.

use std::fs;

use super::{BROKEN, Place, SHOP};

/// The [`SHOP`] in another style.
fn ugly() -> String {
    SHOP.replace("  ", "    ").replace("else", "else:")
}

fn ends(ran: &super::Ran, code: i32, stdout: &str, stderr: &str) {
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (code, stdout, stderr)
    );
}

#[test]
fn a_file_is_rewritten_once() {
    let place = Place::new();
    place.write("policy.co", ugly());
    let ran = place.run(&["fmt", "policy.co"]);
    ends(&ran, 0, "formatted policy.co\n", "1 file formatted\n");
    assert_eq!(place.read("policy.co"), SHOP.as_bytes());
    assert_eq!(place.names("."), ["policy.co"]);
    let before = fs::metadata(place.path("policy.co")).unwrap();
    let ran = place.run(&["fmt", "policy.co"]);
    ends(&ran, 0, "", "1 file is in style\n");
    let behind = fs::metadata(place.path("policy.co")).unwrap();
    assert_eq!(before.modified().unwrap(), behind.modified().unwrap());
}

#[test]
fn check_names_what_would_change_and_writes_nothing() {
    let place = Place::with_shop();
    place.write("p/a.co", ugly());
    place.write("p/b.co", SHOP.replace('\n', "\r\n"));
    place.write("p/c.co", format!("\u{FEFF}{SHOP}"));
    place.write("p/d.co", SHOP);
    place.write("p/.hidden/e.co", ugly());
    let ran = place.run(&["fmt", "--check", "p", "policy.co"]);
    ends(
        &ran,
        1,
        "would format p/a.co (line 2)\n\
         would format p/b.co (line ends only)\n\
         would format p/c.co (a byte order mark or line ends only)\n",
        "3 files would be formatted, 2 files are in style\n",
    );
    assert_eq!(place.read("p/a.co"), ugly().as_bytes());
    ends(
        &place.run(&["fmt", "--check", "policy.co"]),
        0,
        "",
        "1 file is in style\n",
    );
}

#[test]
fn a_folder_is_every_rulebook_below_it() {
    let place = Place::new();
    place.write("p/b/c.co", ugly());
    place.write("p/a.co", SHOP.replace('\n', "\r\n"));
    place.write("p/other.txt", ugly());
    let ran = place.run(&["fmt", "p"]);
    let files = "formatted p/a.co\nformatted p/b/c.co\n";
    ends(&ran, 0, files, "2 files formatted\n");
    assert_eq!(place.read("p/a.co"), SHOP.as_bytes());
    assert_eq!(place.read("p/b/c.co"), SHOP.as_bytes());
    assert_eq!(place.read("p/other.txt"), ugly().as_bytes());
}

#[test]
fn a_diff_is_shown_and_can_be_applied() {
    let place = Place::new();
    place.write("policy.co", SHOP.replace("else", "else :"));
    let ran = place.run(&["fmt", "--diff", "policy.co"]);
    let diff = "\
--- policy.co
+++ policy.co
@@ -4,5 +4,5 @@
 define flow refunds
   if $order_paid
     execute refund_card
-  else :
+  else
     bot refuse
";
    ends(&ran, 1, diff, "1 file would be formatted\n");
    let ran = place.run(&["fmt", "--diff", "--check", "policy.co"]);
    let both = format!("would format policy.co (line 7)\n{diff}");
    ends(&ran, 1, &both, "1 file would be formatted\n");
    place.write("policy.co", SHOP.replace('\n', "\r\n"));
    let ran = place.run(&["fmt", "--diff", "policy.co"]);
    ends(
        &ran,
        1,
        "",
        "policy.co: only line ends or a byte order mark differ\n1 file would be formatted\n",
    );
    let ran = place.run(&["fmt", "--diff", "policy.co", "--color", "always"]);
    assert_eq!(ran.stdout, "");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let place = Place::new();
    ends(&place.run_with(&["fmt", "-"], ugly()), 0, SHOP, "");
    ends(&place.run_with(&["fmt", "-"], SHOP), 0, SHOP, "");
    let ran = place.run_with(&["fmt", "-", "--check"], ugly());
    ends(&ran, 1, "would format <stdin> (line 2)\n", "");
    let ran = place.run_with(&["fmt", "-"], BROKEN);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("[<stdin>:2:"), "{}", ran.stderr);
}

#[test]
fn a_file_with_errors_is_left_alone_and_others_are_not() {
    let place = Place::new();
    place.write("a.co", BROKEN);
    place.write("b.co", ugly());
    let ran = place.run(&["fmt", "a.co", "b.co"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (1, "formatted b.co\n"),
        "{ran:?}"
    );
    assert!(ran.stderr.starts_with("error[RB0"), "{}", ran.stderr);
    assert!(
        ran.stderr
            .ends_with("\n1 file formatted, 1 file could not be formatted\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(place.read("a.co"), BROKEN.as_bytes());
    // An error of meaning is none of style.
    place.write("c.co", "define flow f\n    do nobody\n");
    assert_eq!(place.succeed(&["fmt", "c.co"]).stdout, "formatted c.co\n");
}

#[test]
fn what_is_no_source_is_refused() {
    let place = Place::with_shop();
    place.succeed(&["emit", "policy.co", "--no-proof"]);
    let before = place.read("rulebook.ir.json");
    let ran = place.run(&["fmt", "rulebook.ir.json"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with("error[RB0691]"), "{}", ran.stderr);
    assert_eq!(place.read("rulebook.ir.json"), before);
    for (arguments, code) in [
        (["fmt", "missing.co"], "RB0001"),
        (["fmt", "empty"], "RB0651"),
    ] {
        fs::create_dir_all(place.path("empty")).unwrap();
        let ran = place.run(&arguments);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains(code), "{}", ran.stderr);
    }
    assert_eq!(place.run(&["fmt"]).code, 2);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_read_only_files_are_not_replaced() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    place.write("kept/policy.co", ugly());
    symlink("kept/policy.co", place.path("link.co")).unwrap();
    assert_eq!(
        place.succeed(&["fmt", "link.co"]).stdout,
        "formatted link.co\n"
    );
    let link = place.path("link.co").symlink_metadata().unwrap();
    assert!(link.is_symlink());
    assert_eq!(place.read("kept/policy.co"), SHOP.as_bytes());
    place.write("read_only.co", ugly());
    let path = place.path("read_only.co");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let ran = place.run(&["fmt", "read_only.co"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr
            .contains("`read_only.co` cannot be written: permission is denied"),
        "{}",
        ran.stderr
    );
    assert_eq!(place.read("read_only.co"), ugly().as_bytes());
    let ran = place.run(&["fmt", "read_only.co", "--check"]);
    assert_eq!(ran.code, 1, "{ran:?}");
}

#[test]
fn what_was_emitted_is_stale_and_decides_the_same() {
    let place = Place::new();
    place.write("policy.co", ugly());
    place.succeed(&["emit", "policy.co", "--no-proof"]);
    place.succeed(&["fmt", "policy.co"]);
    let ran = place.run(&["emit", "policy.co", "--no-proof", "--check"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("stale"), "{}", ran.stderr);
    place.succeed(&["emit", "policy.co", "--no-proof"]);
    place.succeed(&["emit", "policy.co", "--no-proof", "--check"]);
}
