//! `fmt [FILE|DIR|-]…`: rulebooks in one canonical style.

use std::path::{Path, PathBuf};

use super::arguments::FmtArguments;
use super::input;
use super::load::is_ir;
use super::project::select;
use super::unified_diff;
use crate::artifacts::{replace_file, shown_path};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::internal::FORMATTER;
use crate::diagnostics::codes::rewriting::FMT_OF_IR;
use crate::formatter::format;
use crate::terminal::{Console, ExitStatus};
use crate::text::{BYTE_ORDER_MARK, Source, escaped};

pub(super) fn run(arguments: &FmtArguments, console: &mut Console) -> ExitStatus {
    let mut counts = Counts::default();
    let mut status = ExitStatus::Ok;
    let files = match arguments.paths.is_empty() {
        false => files(&arguments.paths, &mut status, console),
        true => match select(&[], &arguments.project) {
            Ok(selection) => {
                status = selection.complain(console);
                let targets = selection.targets.into_iter();
                targets.map(|target| target.path).collect()
            }
            Err(diagnostic) => {
                console.complain(&diagnostic);
                return ExitStatus::Usage;
            }
        },
    };
    for path in files {
        status = status.max(format_file(&path, arguments, &mut counts, console));
        if console.is_closed() {
            break;
        }
    }
    let mut paths = arguments.paths.iter();
    let only_stdin = paths.len() > 0 && paths.all(|path| input::is_stdin(path));
    if let Some(line) = counts.line(arguments).filter(|_| !only_stdin) {
        console.say(&line);
    }
    status
}

/// All files that are named, and those below folders that are.
fn files(paths: &[PathBuf], status: &mut ExitStatus, console: &mut Console) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if input::is_stdin(path) || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let (found, faults) = input::sources_below(path);
        files.extend(found);
        for fault in &faults {
            console.complain(fault);
            *status = ExitStatus::Usage;
        }
    }
    files
}

/// How many files came to what.
#[derive(Default)]
struct Counts {
    changed: usize,
    kept: usize,
    refused: usize,
}

impl Counts {
    fn line(&self, arguments: &FmtArguments) -> Option<String> {
        let files = |count: usize| match count {
            1 => "1 file".to_owned(),
            _ => format!("{count} files"),
        };
        let would = match arguments.check || arguments.diff {
            true => "would be formatted",
            false => "formatted",
        };
        let kept = match self.kept {
            1 => "is in style",
            _ => "are in style",
        };
        let parts = [
            (self.changed, would),
            (self.kept, kept),
            (self.refused, "could not be formatted"),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", files(count)))
            .collect();
        (!parts.is_empty()).then(|| format!("{}\n", parts.join(", ")))
    }
}

fn format_file(
    path: &Path,
    arguments: &FmtArguments,
    counts: &mut Counts,
    console: &mut Console,
) -> ExitStatus {
    let refused = |counts: &mut Counts, status| {
        counts.refused += 1;
        status
    };
    let bytes = match read_source(path) {
        Ok(bytes) => bytes,
        Err(diagnostic) => {
            console.complain(&diagnostic);
            return refused(counts, ExitStatus::Usage);
        }
    };
    let (source, faults) = Source::decode(input::name_of(path), &bytes);
    let formatted = match format(&source, &faults) {
        Ok(formatted) => formatted,
        Err(diagnostics) => {
            console.complain_all(Some(&source), &diagnostics);
            let is_fault = |found: &Diagnostic| found.code == &FORMATTER;
            return refused(
                counts,
                match diagnostics.iter().any(is_fault) {
                    true => ExitStatus::Fault,
                    false => ExitStatus::No,
                },
            );
        }
    };
    let only_shown = arguments.check || arguments.diff;
    if input::is_stdin(path) && !only_shown {
        console.answer(&formatted);
        return ExitStatus::Ok;
    }
    if formatted.as_bytes() == bytes {
        counts.kept += 1;
        return ExitStatus::Ok;
    }
    if !only_shown {
        if let Err(diagnostic) = replace_file(path, formatted.as_bytes()) {
            console.complain(&diagnostic);
            return refused(counts, ExitStatus::Usage);
        }
        counts.changed += 1;
        console.answer(&format!("formatted {}\n", shown_path(path)));
        return ExitStatus::Ok;
    }
    counts.changed += 1;
    if arguments.check {
        let name = escaped(source.name());
        let place = first_difference(&source, &bytes, &formatted);
        console.answer(&format!("would format {name} ({place})\n"));
    }
    if arguments.diff {
        unified_diff::print(&source, &formatted, console);
    }
    ExitStatus::No
}

/// Reads what is to be rewritten: a source, never an IR.
pub(super) fn read_source(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let bytes = input::read(path)?;
    if is_ir(&bytes) {
        let message = format!(
            "`{}` is a compiled rulebook",
            escaped(&input::name_of(path))
        );
        return Err(Diagnostic::without_place(&FMT_OF_IR, message)
            .with_help("name the `.co` file that it was emitted from"));
    }
    Ok(bytes)
}

/// Where a file and its formatted text first differ.
fn first_difference(source: &Source, bytes: &[u8], formatted: &str) -> String {
    let text = source.text();
    if text == formatted {
        return match bytes.starts_with(BYTE_ORDER_MARK) {
            true => "a byte order mark or line ends only".to_owned(),
            false => "line ends only".to_owned(),
        };
    }
    let alike = text
        .split('\n')
        .zip(formatted.split('\n'))
        .take_while(|(before, behind)| before == behind)
        .count();
    format!("line {}", alike + 1)
}
