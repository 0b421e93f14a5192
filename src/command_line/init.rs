//! `init [DIR]`: a rulebook to begin with.

use std::path::Path;

use super::arguments::{Ci, InitArguments};
use crate::artifacts::{create_files, shown_path};
use crate::terminal::{Console, ExitStatus};

/// What a new folder begins with, for a rulebook named `policy`.
const SOURCE: &str = include_str!("init/policy.co");
const TESTS: &str = include_str!("init/policy.test.yaml");
const PROJECT: &str = include_str!("init/rulebook.toml");
const ATTRIBUTES_FILE: &str = ".gitattributes";
const ATTRIBUTES: &str = include_str!("init/gitattributes");

/// What continuous integration reads: the file, its text, and the word in it that stands for the
/// address of this program.
fn for_ci(ci: Ci) -> Option<(&'static str, String, &'static str)> {
    let (file, text, blank) = match ci {
        Ci::Github => (
            ".github/workflows/rulebooks.yml",
            include_str!("init/ci/github.yml"),
            "OWNER/REPOSITORY",
        ),
        Ci::Gitlab => (
            ".gitlab-ci.yml",
            include_str!("init/ci/gitlab.yml"),
            "ADDRESS",
        ),
        Ci::None => return None,
    };
    Some((
        file,
        text.replace("VERSION", env!("CARGO_PKG_VERSION")),
        blank,
    ))
}

/// The commands to go on with. What `rulebook.toml` says, they need not be told.
const NEXT: &[&str] = &[
    "check",
    "test",
    "emit",
    "verify",
    "eval policy.co --tool refund_card --context '{\"account_frozen\": false, \"order_paid\": true, \"amount\": 40}'",
];

pub(super) fn run(arguments: &InitArguments, console: &mut Console) -> ExitStatus {
    let named = |text: &str| text.replace("policy.", &format!("{}.", arguments.name));
    let mut files = vec![
        (named("policy.co"), SOURCE.to_owned()),
        (named("policy.test.yaml"), named(TESTS)),
        ("rulebook.toml".to_owned(), named(PROJECT)),
    ];
    // A repository has its own already, more often than not: it is no reason to refuse.
    let has_attributes = has_attributes(&arguments.folder);
    if !has_attributes {
        files.push((ATTRIBUTES_FILE.to_owned(), ATTRIBUTES.to_owned()));
    }
    let for_ci = for_ci(arguments.ci);
    files.extend(
        for_ci
            .iter()
            .map(|(file, text, _)| ((*file).to_owned(), text.clone())),
    );
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_bytes()))
        .collect();
    match create_files(&arguments.folder, &files) {
        Ok(paths) => {
            for path in paths {
                console.answer(&format!("wrote {}\n", shown_path(&path)));
            }
            if has_attributes {
                console.say(&lines_to_add(&arguments.folder));
            }
            if let Some((file, _, blank)) = for_ci {
                let path = shown_path(&arguments.folder.join(file));
                console.say(&format!(
                    "\nin `{path}`, put the repository of this program in the place of {blank}\n"
                ));
            }
            let commands = NEXT.iter().map(|command| named(command));
            console.say(&next_steps(&arguments.folder, commands));
            ExitStatus::Ok
        }
        Err(diagnostic) => {
            console.complain(&diagnostic);
            ExitStatus::Usage
        }
    }
}

fn has_attributes(folder: &Path) -> bool {
    folder.join(ATTRIBUTES_FILE).symlink_metadata().is_ok()
}

fn lines_to_add(folder: &Path) -> String {
    let lines: String = ATTRIBUTES
        .lines()
        .map(|line| format!("  {line}\n"))
        .collect();
    let path = shown_path(&folder.join(ATTRIBUTES_FILE));
    format!("\n`{path}` is there already, and should have these lines:\n{lines}")
}

fn next_steps(folder: &Path, commands: impl Iterator<Item = String>) -> String {
    let shown = shown_path(folder);
    let place = if shown == "." {
        String::new()
    } else {
        format!(" in {shown}")
    };
    let lines: String = commands
        .map(|command| format!("  RulebookTranslator {command}\n"))
        .collect();
    format!("\nnext{place}:\n{lines}")
}
