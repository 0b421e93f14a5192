//! The set of artifacts in a folder, with bytes made by hand.

use std::fs;
use std::path::Path;

use super::*;
use crate::emitter::Artifacts;
use crate::ir::{FORMAT, Rulebook, SourceFile};
use crate::provenance::Header;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A rulebook and its artifacts, as they would be emitted.
struct Emitted {
    rulebook: Rulebook,
    artifacts: Artifacts,
}

impl Emitted {
    fn new(file: &str, package: &str, text: &str) -> Self {
        let rulebook = Rulebook {
            context: Vec::new(),
            flows: Vec::new(),
            format: FORMAT.to_owned(),
            messages: Vec::new(),
            package: package.to_owned(),
            source: SourceFile {
                file: file.to_owned(),
                sha256: sha256(text.as_bytes()),
            },
            tools: Vec::new(),
        };
        let ir = serde_json::to_vec_pretty(&rulebook).unwrap();
        let rego = format!(
            "# GENERATED from {file} @ sha256:{}  -- do not edit\n# rulebook sha256:{}\n# translator {VERSION}\n#\n# more\npackage {package}\n",
            rulebook.source.sha256,
            sha256(&ir)
        );
        Self {
            rulebook,
            artifacts: Artifacts {
                header: Header::parse(&rego).unwrap(),
                ir,
                rego,
            },
        }
    }

    fn shop(text: &str) -> Self {
        Self::new("policy.co", "stalwart.policy", text)
    }

    fn set(&self, target: Target) -> ArtifactSet<'_> {
        ArtifactSet {
            rulebook: &self.rulebook,
            artifacts: &self.artifacts,
            target,
            companions: &[],
        }
    }

    fn write(&self, folder: &Path) {
        write(folder, &self.set(Target::Rego)).unwrap();
    }

    fn refusal(&self, folder: &Path, target: Target) -> Option<&'static str> {
        refusal(folder, &self.set(target))
            .err()
            .map(|found| found.code.id)
    }

    /// Codes and file names of the differences.
    fn differences(&self, folder: &Path, target: Target) -> Vec<String> {
        differences(folder, &self.set(target))
            .unwrap()
            .iter()
            .map(|found| {
                let path = found.message.split('`').nth(1).unwrap();
                let name = path.rsplit('/').next().unwrap();
                format!("{} {name}", found.code.id)
            })
            .collect()
    }
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    hex::encode(sha2::Sha256::digest(bytes))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn edit(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from));
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn a_set_is_written_whole_and_leaves_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new").join("deep");
    let emitted = Emitted::shop("a");
    for _ in 0..2 {
        let paths = write(&out, &emitted.set(Target::Rego)).unwrap();
        assert_eq!(paths, [out.join(IR_FILE), out.join(REGO_FILE)]);
        assert_eq!(names(&out), [REGO_FILE, IR_FILE]);
        assert_eq!(fs::read(out.join(IR_FILE)).unwrap(), emitted.artifacts.ir);
        assert!(emitted.differences(&out, Target::Rego).is_empty());
    }
}

#[cfg(unix)]
#[test]
fn files_have_the_mode_of_any_file_and_keep_the_one_they_had() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let emitted = Emitted::shop("a");
    let mode = |file: &str| {
        let metadata = fs::metadata(folder.path().join(file)).unwrap();
        metadata.permissions().mode() & 0o777
    };
    emitted.write(folder.path());
    fs::write(folder.path().join("other"), "").unwrap();
    assert_eq!(mode(IR_FILE), mode("other"));
    let readable = fs::Permissions::from_mode(0o604);
    fs::set_permissions(folder.path().join(REGO_FILE), readable).unwrap();
    Emitted::shop("b").write(folder.path());
    assert_eq!(mode(REGO_FILE), 0o604);
}

#[test]
fn when_the_second_fails_the_first_is_put_back() {
    for with_predecessor in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (Emitted::shop("old"), Emitted::shop("new"));
        if with_predecessor {
            old.write(folder.path());
            fs::remove_file(folder.path().join(REGO_FILE)).unwrap();
        }
        // A folder with something in it cannot be replaced by a file.
        fs::create_dir_all(folder.path().join(REGO_FILE).join("x")).unwrap();
        let before = names(folder.path());
        let failure = write(folder.path(), &new.set(Target::Rego)).unwrap_err();
        assert_eq!(failure.code.id, "RB0640");
        assert!(failure.message.contains(REGO_FILE), "{}", failure.message);
        assert_eq!(names(folder.path()), before);
        if with_predecessor {
            let ir = fs::read(folder.path().join(IR_FILE)).unwrap();
            assert_eq!(ir, old.artifacts.ir);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_set_that_is_there_is_not_touched_and_a_part_of_it_is_not_trusted() {
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let emitted = Emitted::shop("a");
    emitted.write(folder.path());
    let files =
        || [IR_FILE, REGO_FILE].map(|file| fs::metadata(folder.path().join(file)).unwrap().ino());
    let before = files();
    emitted.write(folder.path());
    assert_eq!(files(), before);
    edit(folder.path(), REGO_FILE, "# more", "# most");
    emitted.write(folder.path());
    assert_ne!(files()[0], before[0]);
    assert!(emitted.differences(folder.path(), Target::Rego).is_empty());
}

#[cfg(unix)]
#[test]
fn links_are_replaced_and_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let emitted = Emitted::shop("a");
    for file in [IR_FILE, REGO_FILE] {
        let victim = folder.path().join(format!("victim of {file}"));
        fs::write(&victim, "untouched").unwrap();
        std::os::unix::fs::symlink(&victim, out.join(file)).unwrap();
    }
    assert_eq!(emitted.refusal(&out, Target::Rego), None);
    emitted.write(&out);
    for file in [IR_FILE, REGO_FILE] {
        assert!(!out.join(file).symlink_metadata().unwrap().is_symlink());
        let victim = folder.path().join(format!("victim of {file}"));
        assert_eq!(fs::read_to_string(victim).unwrap(), "untouched");
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_put_back_as_a_link() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join(IR_FILE)).unwrap();
    fs::create_dir_all(folder.path().join(REGO_FILE).join("x")).unwrap();
    write(folder.path(), &Emitted::shop("a").set(Target::Rego)).unwrap_err();
    let target = fs::read_link(folder.path().join(IR_FILE)).unwrap();
    assert_eq!(target, Path::new("nowhere"));
}

#[test]
fn a_folder_that_is_a_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    for out in [file.clone(), file.join("below")] {
        let failure = write(&out, &Emitted::shop("a").set(Target::Rego)).unwrap_err();
        assert_eq!(failure.code.id, "RB0640");
        assert!(
            failure.message.contains("a file, not a folder"),
            "{}",
            failure.message
        );
    }
}

#[test]
fn other_rulebooks_and_other_peoples_files_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let shop = Emitted::shop("a");
    shop.write(out);
    let others = [
        Emitted::new("other.co", "stalwart.policy", "a"),
        Emitted::new("policy.co", "shop.gate", "a"),
    ];
    assert_eq!(Emitted::shop("b").refusal(out, Target::Rego), None);
    for other in &others {
        assert_eq!(other.refusal(out, Target::Rego), Some("RB0646"));
    }
    // With the IR alone, the IR says whose it is.
    fs::remove_file(out.join(REGO_FILE)).unwrap();
    for other in &others {
        assert_eq!(other.refusal(out, Target::Rego), Some("RB0646"));
        assert_eq!(other.refusal(out, Target::Ir), Some("RB0646"));
    }
    fs::write(out.join(IR_FILE), "{}").unwrap();
    assert_eq!(shop.refusal(out, Target::Rego), Some("RB0649"));
    fs::write(out.join(REGO_FILE), "package stalwart.policy\n").unwrap();
    assert_eq!(shop.refusal(out, Target::Rego), Some("RB0649"));
    // Not even beside a Rego that is ours.
    shop.write(out);
    for foreign in ["{\"my\":\"data\"}", "{\"my\":", "[]", "notes"] {
        fs::write(out.join(IR_FILE), foreign).unwrap();
        assert_eq!(shop.refusal(out, Target::Rego), Some("RB0649"), "{foreign}");
        assert_eq!(shop.refusal(out, Target::Ir), Some("RB0649"), "{foreign}");
    }
    fs::write(out.join(IR_FILE), &others[1].artifacts.ir).unwrap();
    assert_eq!(shop.refusal(out, Target::Rego), Some("RB0646"));
    // An IR of ours that was torn off, merged or edited is repaired, beside a Rego and alone.
    for with_rego in [true, false] {
        shop.write(out);
        if !with_rego {
            fs::remove_file(out.join(REGO_FILE)).unwrap();
        }
        for damaged in ["", "{", "{\n  \"context\": [],\n  \"flo"] {
            fs::write(out.join(IR_FILE), damaged).unwrap();
            assert_eq!(shop.refusal(out, Target::Rego), None, "{damaged}");
            assert_eq!(others[0].refusal(out, Target::Rego).is_some(), with_rego);
        }
        for (from, to) in [
            ("\"tools\"", "<<<<<<< ours\n  \"tools\""),
            ("\"package\"", "\"packages\""),
            ("\n", "\r\n"),
        ] {
            fs::write(out.join(IR_FILE), &shop.artifacts.ir).unwrap();
            edit(out, IR_FILE, from, to);
            assert_eq!(shop.refusal(out, Target::Rego), None, "{to}");
            assert_eq!(
                others[0].refusal(out, Target::Rego),
                Some(if with_rego || to == "\r\n" {
                    "RB0646"
                } else {
                    "RB0649"
                }),
                "{to}"
            );
        }
    }
    shop.write(out);
    // As is a Rego whose header was edited, or got other line ends.
    edit(out, REGO_FILE, "# translator", "# edited");
    assert_eq!(shop.refusal(out, Target::Rego), None);
    shop.write(out);
    edit(out, REGO_FILE, "\n", "\r\n");
    assert_eq!(shop.refusal(out, Target::Rego), None);
    assert_eq!(others[0].refusal(out, Target::Rego), Some("RB0646"));
    fs::remove_file(out.join(IR_FILE)).unwrap();
    fs::create_dir(out.join(IR_FILE)).unwrap();
    assert_eq!(shop.refusal(out, Target::Rego), Some("RB0640"));
}

#[test]
fn an_ir_alone_is_not_put_beside_a_rego_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let (old, new) = (Emitted::shop("old"), Emitted::shop("new"));
    assert_eq!(new.refusal(out, Target::Ir), None);
    old.write(out);
    assert_eq!(old.refusal(out, Target::Ir), None);
    assert_eq!(new.refusal(out, Target::Ir), Some("RB0650"));
    fs::write(out.join(REGO_FILE), "package x\n").unwrap();
    assert_eq!(old.refusal(out, Target::Ir), Some("RB0650"));
    fs::remove_file(out.join(REGO_FILE)).unwrap();
    assert_eq!(
        write(out, &new.set(Target::Ir)).unwrap(),
        [out.join(IR_FILE)]
    );
    assert_eq!(names(out), [IR_FILE]);
}

#[test]
fn every_kind_of_difference_is_told_apart() {
    let shop = Emitted::shop("a");
    let case = |change: &dyn Fn(&Path)| {
        let folder = tempfile::tempdir().unwrap();
        shop.write(folder.path());
        change(folder.path());
        shop.differences(folder.path(), Target::Rego)
    };
    assert_eq!(case(&|_| {}), [""; 0]);
    assert_eq!(
        case(&|out| Emitted::shop("b").write(out)),
        ["RB0641 rulebook.ir.json", "RB0641 Rulebook.rego"]
    );
    assert_eq!(
        case(&|out| edit(out, REGO_FILE, VERSION, "9.9.9")),
        ["RB0642 Rulebook.rego"]
    );
    assert_eq!(
        case(&|out| {
            edit(out, REGO_FILE, VERSION, "9.9.9");
            edit(out, IR_FILE, "\"tools\": []", "\"tools\": [ ]");
        }),
        ["RB0642 rulebook.ir.json", "RB0642 Rulebook.rego"]
    );
    assert_eq!(
        case(&|out| edit(out, REGO_FILE, "# more", "# most")),
        ["RB0643 Rulebook.rego"]
    );
    assert_eq!(
        case(&|out| edit(out, REGO_FILE, "# GENERATED", "# generated")),
        ["RB0643 Rulebook.rego"]
    );
    assert_eq!(
        case(&|out| edit(out, IR_FILE, "\"tools\": []", "\"tools\": [ ]")),
        ["RB0643 rulebook.ir.json"]
    );
    assert_eq!(
        case(&|out| fs::write(out.join(IR_FILE), "").unwrap()),
        ["RB0643 rulebook.ir.json"]
    );
    assert_eq!(
        case(&|out| fs::remove_file(out.join(IR_FILE)).unwrap()),
        ["RB0644 rulebook.ir.json"]
    );
    assert_eq!(
        case(&|out| fs::remove_dir_all(out).unwrap()),
        ["RB0644 rulebook.ir.json", "RB0644 Rulebook.rego"]
    );
    assert_eq!(
        case(&|out| {
            fs::write(out.join("b.rego"), "# x\npackage stalwart.policy\n").unwrap();
            fs::write(out.join("a.rego"), "package stalwart[\"policy\"]\n").unwrap();
            fs::write(out.join("other.rego"), "package stalwart.policy_test\n").unwrap();
            fs::write(out.join("notes.txt"), "package stalwart.policy\n").unwrap();
            fs::create_dir(out.join("folder.rego")).unwrap();
        }),
        ["RB0645 a.rego", "RB0645 b.rego"]
    );
    assert_eq!(
        case(&|out| Emitted::new("policy.co", "shop.gate", "a").write(out)),
        ["RB0646 rulebook.ir.json", "RB0646 Rulebook.rego"]
    );
}

#[test]
fn a_pair_that_was_half_replaced_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (Emitted::shop("old"), Emitted::shop("new"));
    old.write(folder.path());
    fs::write(folder.path().join(IR_FILE), &new.artifacts.ir).unwrap();
    assert_eq!(
        new.differences(folder.path(), Target::Rego),
        ["RB0641 Rulebook.rego"]
    );
    assert_eq!(
        old.differences(folder.path(), Target::Rego),
        ["RB0641 rulebook.ir.json"]
    );
}

#[test]
fn the_rego_is_extra_where_the_ir_alone_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let shop = Emitted::shop("a");
    shop.write(folder.path());
    assert_eq!(
        shop.differences(folder.path(), Target::Ir),
        ["RB0645 Rulebook.rego"]
    );
    fs::remove_file(folder.path().join(REGO_FILE)).unwrap();
    assert!(shop.differences(folder.path(), Target::Ir).is_empty());
}

#[cfg(unix)]
#[test]
fn a_file_of_the_author_keeps_its_permissions_and_its_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("policy.co");
    let link = folder.path().join("link.co");
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("policy.co", &link).unwrap();
    replace_file(&link, b"new").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"new");
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    let missing = folder.path().join("none").join("policy.co");
    assert_eq!(
        replace_file(&missing, b"new").unwrap_err().code.id,
        "RB0640"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn what_is_no_ordinary_file_is_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    assert_eq!(replace_file(&pipe, b"new").unwrap_err().code.id, "RB0640");
    assert!(pipe.symlink_metadata().unwrap().file_type().is_fifo());
}
