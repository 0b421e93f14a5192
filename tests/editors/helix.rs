//! The settings for Helix, read by Helix.

use crate::programs::{Programs, SERVER, root, run};

#[test]
fn helix_reads_the_settings_and_finds_the_server() {
    let Some(programs) = Programs::find() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("settings/helix");
    std::fs::create_dir_all(&settings).unwrap();
    std::fs::copy(
        root().join("editors/helix/languages.toml"),
        settings.join("languages.toml"),
    )
    .unwrap();
    let health = run(programs
        .command("hx", folder.path())
        .args(["--health", "rulebook"]));
    let found = format!("rulebook: \u{1b}[0;32m{SERVER}");
    let plain = format!("rulebook: {SERVER}");
    assert!(
        health.contains(&found) || health.contains(&plain),
        "{health}"
    );
    assert!(health.contains('✓'), "{health}");
}
