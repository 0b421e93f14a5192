//! `diff --git` asks Git so that no answer is taken for another: a file that cannot be read is not
//! new, and what a hook has set does not lead elsewhere.

use std::process::Command;

use super::difference::git;
use super::{Place, Ran, SHOP};

/// A repository whose rulebook is weaker than the one that is committed.
fn weakened() -> Place {
    let place = Place::new();
    place.write("rules/policy.co", SHOP);
    git(&place, &["init", "--quiet"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "--quiet", "-m", "a"]);
    let weaker = SHOP.replace("$order_paid", "$order_paid or $vip");
    place.write("rules/policy.co", weaker);
    place
}

fn denied(place: &Place, revision: &str) -> Command {
    place.command(&[
        "diff",
        "--git",
        revision,
        "rules/policy.co",
        "--deny",
        "widening",
    ])
}

#[test]
fn a_hook_s_variables_do_not_make_a_file_new() {
    let place = weakened();
    let repository = place.path(".git");
    for (name, value) in [
        ("GIT_DIR", repository.as_os_str()),
        ("GIT_DIR", ".git".as_ref()),
        ("GIT_WORK_TREE", "rules".as_ref()),
        ("GIT_PREFIX", "rules/".as_ref()),
    ] {
        let ran = Ran::from(denied(&place, "HEAD").env(name, value).output().unwrap());
        assert_eq!(ran.code, 1, "{name}: {ran:?}");
        assert!(
            ran.stdout.contains("widening: refuse `refuse` → allow"),
            "{name}: {ran:?}"
        );
    }
}

#[test]
fn an_exclusion_or_a_range_is_no_revision() {
    let place = weakened();
    for revision in ["^HEAD", "HEAD..HEAD", "HEAD^@", "HEAD^!"] {
        let ran = Ran::from(denied(&place, revision).output().unwrap());
        assert_eq!(ran.code, 2, "{revision}: {ran:?}");
        assert!(ran.stderr.contains("error[RB0671]"), "{revision}: {ran:?}");
    }
}

#[test]
fn an_object_that_is_lost_is_no_new_file() {
    let place = weakened();
    let listed = Command::new("git")
        .args(["rev-parse", "HEAD:rules/policy.co"])
        .current_dir(place.path("."))
        .output()
        .unwrap();
    let id = String::from_utf8(listed.stdout).unwrap();
    let (folder, file) = id.trim().split_at(2);
    std::fs::remove_file(place.path(format!(".git/objects/{folder}/{file}"))).unwrap();
    let ran = Ran::from(denied(&place, "HEAD").output().unwrap());
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("error[RB0670]"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_link_of_a_revision_is_no_rulebook_of_it() {
    let place = Place::new();
    place.write("rules/other.co", SHOP);
    std::os::unix::fs::symlink("other.co", place.path("rules/policy.co")).unwrap();
    git(&place, &["init", "--quiet"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "--quiet", "-m", "a"]);
    let ran = Ran::from(denied(&place, "HEAD").output().unwrap());
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("it is a link"), "{ran:?}");
}
