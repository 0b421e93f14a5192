//! A rulebook in Neovim, through its own client: `neovim.lua` says what is done.

use crate::programs::{Programs, root, run};

fn rulebook_in(program: &str) {
    let Some(programs) = Programs::find() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let said = run(programs
        .command(program, folder.path())
        .arg("--headless")
        .arg("--clean")
        .arg("--cmd")
        .arg(format!(
            "set runtimepath^={}",
            root().join("editors/neovim").display()
        ))
        .arg("-c")
        .arg(format!(
            "luafile {}",
            root().join("tests/editors/neovim.lua").display()
        ))
        .env("RULEBOOK_FILE", folder.path().join("shop.co")));
    assert!(said.contains("well"), "{said}");
}

#[test]
fn the_oldest_neovim() {
    rulebook_in("nvim-0.7");
}

#[test]
fn the_last_neovim_before_settings_of_servers() {
    rulebook_in("nvim-0.10");
}

#[test]
fn a_new_neovim() {
    rulebook_in("nvim-0.12");
}
