//! Where the editors' programs are, and how they are run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is said without the programs.
const SKIPPED: &str = "
!!! SKIPPED: STALWART_EDITORS is not set, so no editor was put before the language server.
!!! Run scripts/test-editors, or set it to the folder that it prints with --install-only.

";

/// The program with the language server in it.
pub const SERVER: &str = env!("CARGO_BIN_EXE_RulebookTranslator");

/// The programs of this run.
#[derive(Clone, Debug)]
pub struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// The programs, if there are any; without, what is said, or in CI a failure.
    pub fn find() -> Option<Self> {
        let folder = std::env::var_os("STALWART_EDITORS").filter(|folder| !folder.is_empty());
        if folder.is_none() {
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "STALWART_EDITORS is not set, and in CI no test with an editor is skipped"
            );
            // Not `eprintln!`, which is captured where a test passes.
            let said = std::io::stderr().write_all(SKIPPED.as_bytes());
            said.expect("standard error is open");
        }
        let folder = PathBuf::from(folder?);
        Some(Self { folder })
    }

    /// The packages for Node.js.
    pub fn modules(&self) -> PathBuf {
        self.folder.join("node_modules")
    }

    /// A program in a folder, with the Node.js of the project and the server on its `PATH`.
    pub fn command(&self, program: &str, folder: &Path) -> Command {
        let own = self.folder.join("bin").join(program);
        let mut command = match own.exists() {
            true => Command::new(own),
            false => Command::new(program),
        };
        let server = Path::new(SERVER).parent().expect("a folder");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = [self.folder.join("bin"), server.to_path_buf()]
            .into_iter()
            .chain(std::env::split_paths(&path));
        command
            .current_dir(folder)
            .env("PATH", std::env::join_paths(folders).expect("a path"))
            .env("HOME", folder)
            .env("XDG_CONFIG_HOME", folder.join("settings"))
            .env("XDG_STATE_HOME", folder.join("state"))
            .env("XDG_CACHE_HOME", folder.join("cache"))
            .env("RULEBOOK_SERVER", SERVER)
            .env("RULEBOOK_ROOT", root())
            .env_remove("UPDATE_SNAPSHOTS")
            .stdin(Stdio::null());
        command
    }
}

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What a program prints; a failure with all of it if the program fails.
pub fn run(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?} ends with {}\n{said}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    said
}

/// Copies a folder, but what was installed or built in it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder can be made");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name();
        let path = entry.path();
        if ["node_modules", "dist", "syntaxes"].contains(&name.to_string_lossy().as_ref()) {
            continue;
        }
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            std::fs::copy(&path, to.join(name)).expect("a file can be copied");
        }
    }
}
