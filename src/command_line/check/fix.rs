//! `check --fix`: rewrites the files by what their findings propose, before they are checked.

use std::path::Path;

use crate::artifacts::replace_file;
use crate::command_line::arguments::{CheckArguments, Format};
use crate::command_line::examination::status_of;
use crate::command_line::fmt::read_source;
use crate::command_line::load::load;
use crate::command_line::project::{Selection, Target};
use crate::command_line::{input, unified_diff};
use crate::compiler::Depth;
use crate::compiler::fixing::{Fixed, fix};
use crate::diagnostics::codes::text::UNREADABLE;
use crate::diagnostics::{Diagnostic, Severity};
use crate::terminal::{Console, ExitStatus};
use crate::text::{Source, escaped};

/// Fixes the files of a selection, or shows with `--diff` what that would change, and which errors
/// would be left. Without `--diff` what is wrong with a file itself is for the check behind it to
/// say, but for what is never rewritten.
pub(super) fn run(
    selection: &Selection,
    arguments: &CheckArguments,
    console: &mut Console,
) -> ExitStatus {
    let mut status = ExitStatus::Ok;
    for target in &selection.targets {
        status = status.max(match fix_file(target, arguments, console) {
            Ok(status) => status,
            Err(diagnostic) => {
                console.complain(&diagnostic);
                ExitStatus::Usage
            }
        });
        if console.is_closed() {
            break;
        }
    }
    status
}

fn fix_file(
    target: &Target,
    arguments: &CheckArguments,
    console: &mut Console,
) -> Result<ExitStatus, Diagnostic> {
    let path = target.path.as_path();
    refuse_stdin(path)?;
    let bytes = match read_source(path) {
        // The check says so, too.
        Err(diagnostic) if diagnostic.code == &UNREADABLE && !arguments.diff => {
            return Ok(ExitStatus::Ok);
        }
        read => read?,
    };
    let name = input::name_of(path);
    let fixed = fix(&name, &bytes);
    if arguments.diff {
        let left = show_what_is_left(target, &fixed.bytes, console);
        if fixed.applied.is_empty() {
            return Ok(left);
        }
        let (before, _) = Source::decode(name, &bytes);
        let (behind, _) = Source::decode("", &fixed.bytes);
        unified_diff::print(&before, behind.text(), console);
        return Ok(left.max(ExitStatus::No));
    }
    if fixed.applied.is_empty() {
        return Ok(ExitStatus::Ok);
    }
    replace_file(path, &fixed.bytes)?;
    for line in lines(&name, &fixed) {
        match arguments.format {
            Format::Human => console.answer(&line),
            // Standard output is what another program reads.
            _ => console.say(&line),
        }
    }
    Ok(ExitStatus::Ok)
}

/// Shows the errors that a file has behind its fixes, at their places there, and says what they
/// mean for the command's end.
fn show_what_is_left(target: &Target, fixed: &[u8], console: &mut Console) -> ExitStatus {
    let loaded = load(&target.path, fixed, target.package(), Depth::Errors);
    let all = loaded.diagnostics.iter();
    let errors = all.filter(|found| found.severity() == Severity::Error);
    console.complain_all(loaded.source.as_ref(), errors);
    status_of(&loaded, &[])
}

/// Standard input has no file that could be rewritten.
fn refuse_stdin(path: &Path) -> Result<(), Diagnostic> {
    if !input::is_stdin(path) {
        return Ok(());
    }
    let message = "standard input cannot be rewritten";
    Err(Diagnostic::without_place(&UNREADABLE, message)
        .with_help("name a file; to see what would change, add `--diff`"))
}

/// `fixed RB0120 at policy.co:3:1: write …` for each change.
fn lines(name: &str, fixed: &Fixed) -> Vec<String> {
    let name = escaped(name);
    let line = |applied: &crate::compiler::fixing::Applied| {
        let (line, column) = (applied.position.line, applied.position.column);
        let (code, title) = (applied.code.id, &applied.title);
        format!("fixed {code} at {name}:{line}:{column}: {title}\n")
    };
    fixed.applied.iter().map(line).collect()
}
