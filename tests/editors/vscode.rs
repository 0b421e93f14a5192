//! The extension for VS Code: its types and style, its tests in Node.js, its package.

use std::path::PathBuf;

use crate::programs::{Programs, copy, root, run};

/// A copy of the extension in a folder of its own, since building writes into it.
struct Extension {
    programs: Programs,
    folder: tempfile::TempDir,
}

impl Extension {
    fn copied() -> Option<Self> {
        let programs = Programs::find()?;
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        copy(&root().join("editors"), &folder.path().join("editors"));
        std::fs::copy(root().join("LICENSE"), folder.path().join("LICENSE")).unwrap();
        let extension = Self { programs, folder };
        std::os::unix::fs::symlink(
            extension.programs.modules(),
            extension.path().join("node_modules"),
        )
        .unwrap();
        Some(extension)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("editors/vscode")
    }

    /// Runs a script of its `package.json`.
    fn script(&self, name: &str) -> String {
        let mut command = self.programs.command("npm", &self.path());
        run(command.args(["run", name]))
    }
}

#[test]
fn types_and_style_are_right() {
    if let Some(extension) = Extension::copied() {
        extension.script("check");
    }
}

#[test]
fn the_grammar_the_extension_and_the_server_fit() {
    if let Some(extension) = Extension::copied() {
        let said = extension.script("test");
        assert!(said.contains("# fail 0"), "{said}");
        assert!(!said.contains("# pass 0"), "{said}");
    }
}

#[test]
fn the_package_holds_what_it_needs_and_no_more() {
    let Some(extension) = Extension::copied() else {
        return;
    };
    extension.script("package");
    let list = "import fs from 'node:fs'; import yauzl from 'yauzl'; \
        const zip = await yauzl.openPromise('rulebook.vsix'); \
        for await (const { fileName } of zip.eachEntry()) console.log(fileName);";
    let mut command = extension.programs.command("node", &extension.path());
    let said = run(command.args(["--input-type=module", "--eval", list]));
    let mut files: Vec<&str> = said.lines().collect();
    files.sort_unstable();
    assert_eq!(
        files,
        [
            "[Content_Types].xml",
            "extension.vsixmanifest",
            "extension/LICENSE.txt",
            "extension/changelog.md",
            "extension/dist/THIRD-PARTY.txt",
            "extension/dist/extension.js",
            "extension/icon.png",
            "extension/language-configuration.json",
            "extension/package.json",
            "extension/readme.md",
            "extension/syntaxes/rulebook.tmLanguage.json",
        ]
    );
}

#[test]
fn the_lockfile_names_no_address_and_the_version_is_the_projects() {
    let extension = root().join("editors/vscode");
    let lock = std::fs::read_to_string(extension.join("package-lock.json")).unwrap();
    assert!(!lock.contains("\"resolved\""), "an address in the lockfile");
    let package: serde_json::Value =
        serde_json::from_slice(&std::fs::read(extension.join("package.json")).unwrap()).unwrap();
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
}
