//! What surrounds a run and is not as it should be: a full disk, odd files.

use super::{Place, SHOP};

#[test]
fn texts_that_are_no_rulebook_are_named() {
    let place = Place::new();
    for (name, bytes, code) in [
        ("big.co", vec![b'x'; 2 << 20], "RB0002"),
        ("lines.co", b"\n".repeat(20_001), "RB0003"),
        (
            "long.co",
            [b"#".repeat(1_025), b"\n".to_vec()].concat(),
            "RB0004",
        ),
        ("latin.co", b"# \xE9\n".to_vec(), "RB0005"),
        ("return.co", b"# a\rb\n".to_vec(), "RB0006"),
        ("nul.co", vec![0; 3], "RB0007"),
        ("bom.co", "# \u{FEFF}\n".as_bytes().to_vec(), "RB0008"),
    ] {
        place.write(name, bytes);
        let ran = place.run(&["check", name]);
        assert_eq!(ran.code, 1, "{name}: {}", ran.stdout);
        assert!(
            ran.stdout.contains(&format!("error[{code}]")),
            "{name}: {}",
            ran.stdout
        );
        assert!(
            ran.stdout.len() < 100_000,
            "{name}: {} bytes",
            ran.stdout.len()
        );
    }
}

#[test]
fn an_ir_that_is_none_is_refused_in_words() {
    let place = Place::new();
    for text in [
        "{",
        "{}",
        " \n{\"format\": \"rulebook-ir/2\"}",
        "\u{FEFF}{}",
    ] {
        place.write("rulebook.ir.json", text);
        for arguments in [
            &["check", "rulebook.ir.json"][..],
            &["emit", "rulebook.ir.json", "--out-dir", "opa"],
            &["eval", "rulebook.ir.json", "--tool", "t", "--context", "{}"],
        ] {
            let ran = place.run(arguments);
            assert_eq!(ran.code, 1, "{arguments:?} {text}: {ran:?}");
            assert!((ran.stdout + &ran.stderr).contains("error[RB06"), "{text}");
        }
        assert!(!place.path("opa").exists());
    }
}

/// A small file system of its own, if this process may mount one.
#[cfg(target_os = "linux")]
struct SmallDisk<'a> {
    place: &'a Place,
}

#[cfg(target_os = "linux")]
impl<'a> SmallDisk<'a> {
    fn mount(place: &'a Place) -> Option<Self> {
        let path = place.path("disk");
        std::fs::create_dir(&path).unwrap();
        let mounted = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(path)
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self { place })
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let path = self.place.path("disk");
        let _ = std::process::Command::new("umount").arg(path).status();
    }
}

/// Whether this process runs as root, who may mount unless a container forbids it.
#[cfg(target_os = "linux")]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    let place = Place::with_shop();
    let Some(_disk) = SmallDisk::mount(&place) else {
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci != "true") || !is_root(),
            "no tmpfs can be mounted, and CI may leave out nothing that it can do"
        );
        eprintln!("SKIPPED a_full_disk_leaves_everything_as_it_was: no tmpfs can be mounted here");
        return;
    };
    let emit = ["emit", "policy.co", "--out-dir", "disk/opa"];
    place.succeed(&emit);
    let before = (
        place.read("disk/opa/rulebook.ir.json"),
        place.read("disk/opa/Rulebook.rego"),
    );
    // A rulebook whose artifacts do not fit, first beside free space, then beside none.
    let more: String = (0..400)
        .map(|n| {
            format!("\ndefine flow f{n}\n  if $n{n}\n    execute t{n}\n  else\n    bot refuse\n")
        })
        .collect();
    place.write("policy.co", format!("{SHOP}{more}"));
    for filler in [0, 1 << 20] {
        let _ = std::fs::write(place.path("disk/filler"), vec![0; filler]);
        for arguments in [
            &emit[..],
            &["emit", "policy.co", "--out-dir", "disk/new/deep"],
        ] {
            let ran = place.run(arguments);
            assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
            assert!(
                ran.stderr.contains("no space is left on the device"),
                "{}",
                ran.stderr
            );
        }
        assert_eq!(place.names("disk"), ["filler", "opa"]);
        assert_eq!(
            place.names("disk/opa"),
            ["Rulebook.rego", "rulebook.ir.json"]
        );
        assert_eq!(place.read("disk/opa/rulebook.ir.json"), before.0);
        assert_eq!(place.read("disk/opa/Rulebook.rego"), before.1);
    }
}
