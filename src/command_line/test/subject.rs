//! The rulebook and its tests files, loaded.

use std::path::{Path, PathBuf};

use super::super::ExitStatus;
use super::super::console::Console;
use super::super::eval;
use super::super::input;
use super::super::load::is_ir;
use crate::artifacts::shown_path;
use crate::diagnostics::codes::suites::OTHER_RULEBOOK;
use crate::diagnostics::text_faults::decode_document;
use crate::diagnostics::{Diagnostic, Severity, Sink};
use crate::ir::Rulebook;
use crate::test_suite::{self, Suite};
use crate::text::{Source, Spanned, quoted};

/// A rulebook with its tests.
pub(super) struct Subject {
    pub(super) rulebook: Rulebook,
    pub(super) suites: Vec<LoadedSuite>,
    /// The worst of what was wrong with the tests files.
    pub(super) status: ExitStatus,
}

/// A tests file.
pub(super) struct LoadedSuite {
    /// Its path as it is recorded.
    pub(super) file: String,
    /// Its text; none where it could not be read.
    pub(super) source: Option<Source>,
    /// The suite; none where there are errors.
    pub(super) suite: Option<Suite>,
    /// What was found in it, sorted.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Subject {
    /// Loads both; what is wrong is shown. The error is what a rulebook that cannot be used means
    /// for the command's end.
    pub(super) fn load(
        file: &Path,
        tests: &[PathBuf],
        console: &mut Console,
    ) -> Result<Self, ExitStatus> {
        let rulebook = eval::rulebook(file, console)?;
        let (suites, status) = load_suites(file, tests, &rulebook, console);
        Ok(Self {
            rulebook,
            suites,
            status,
        })
    }
}

/// The tests files that are named, or the one beside the rulebook; what is wrong with them is
/// shown. And the worst of that.
pub(super) fn load_suites(
    file: &Path,
    tests: &[PathBuf],
    rulebook: &Rulebook,
    console: &mut Console,
) -> (Vec<LoadedSuite>, ExitStatus) {
    let default = [default_tests(file, rulebook)];
    let paths = if tests.is_empty() { &default } else { tests };
    let mut status = ExitStatus::Ok;
    let mut suites = Vec::new();
    for path in paths {
        let (loaded, worst) = load_suite(path, file, rulebook, tests.is_empty());
        console.complain_all(loaded.source.as_ref(), &loaded.diagnostics);
        status = status.max(worst);
        suites.push(loaded);
    }
    (suites, status)
}

/// The tests file that stands beside a rulebook: its name with another extension. Beside an IR
/// it is named for the source.
pub(super) fn default_tests(file: &Path, rulebook: &Rulebook) -> PathBuf {
    if is_compiled(file) {
        file.with_file_name(&rulebook.source.file)
            .with_extension("test.yaml")
    } else {
        file.with_extension("test.yaml")
    }
}

fn is_compiled(file: &Path) -> bool {
    input::read(file).is_ok_and(|bytes| is_ir(&bytes))
}

fn load_suite(
    path: &Path,
    file: &Path,
    rulebook: &Rulebook,
    is_default: bool,
) -> (LoadedSuite, ExitStatus) {
    let name = input::name_of(path);
    let bytes = match input::read(path) {
        Ok(bytes) => bytes,
        Err(diagnostic) => {
            let diagnostic = if is_default {
                diagnostic.with_help(format!(
                    "name the tests with `--tests PATH`; or `RulebookTranslator test {} --suggest --write` writes first ones for you to judge",
                    shown_path(file)
                ))
            } else {
                diagnostic
            };
            let loaded = LoadedSuite {
                file: name,
                source: None,
                suite: None,
                diagnostics: vec![diagnostic],
            };
            return (loaded, ExitStatus::Usage);
        }
    };
    let (source, faults) = decode_document(&name, &bytes);
    let mut sink = Sink::new();
    let suite = if faults.is_empty() {
        test_suite::read(&source, &mut sink)
    } else {
        sink.extend(faults);
        None
    };
    if let Some(suite) = &suite {
        if let Some(stated) = &suite.rulebook
            && !is_of(stated, path, file, rulebook)
        {
            sink.push(of_another(stated, file));
        }
        test_suite::examine(suite, rulebook, &mut sink);
    }
    let diagnostics = sink.into_sorted();
    let failed = diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity() == Severity::Error);
    let status = if failed {
        ExitStatus::No
    } else {
        ExitStatus::Ok
    };
    let loaded = LoadedSuite {
        file: name,
        source: Some(source),
        suite: suite.filter(|_| !failed),
        diagnostics,
    };
    (loaded, status)
}

/// Whether the rulebook that a tests file names is the one at hand. Of an IR only the name of its
/// source is known.
fn is_of(stated: &Spanned<String>, tests: &Path, file: &Path, rulebook: &Rulebook) -> bool {
    let folder = tests.parent().unwrap_or(Path::new(""));
    let stated = folder.join(&stated.value);
    if is_compiled(file) {
        let name = stated.file_name().and_then(|name| name.to_str());
        return name == Some(rulebook.source.file.as_str()) || is_same(&stated, file);
    }
    is_same(&stated, file)
}

/// Whether two paths lead to one file.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn of_another(stated: &Spanned<String>, file: &Path) -> Diagnostic {
    let message = format!(
        "these tests are for {}, and are run against {}",
        quoted(&stated.value),
        quoted(&shown_path(file))
    );
    Diagnostic::new(&OTHER_RULEBOOK, stated.span, message)
        .with_help("name the right tests with `--tests`, or correct this line; it is a path from the folder of the tests file")
}

/// The text of a source, to be shown; none of an IR.
pub(super) fn source_text(file: &Path) -> Option<Source> {
    let bytes = input::read(file).ok().filter(|bytes| !is_ir(bytes))?;
    Some(Source::decode(input::name_of(file), &bytes).0)
}

/// The name of the file whose lines are counted: the source, of an IR the one beside it.
pub(super) fn traced_name(file: &Path, rulebook: &Rulebook) -> String {
    if is_compiled(file) {
        input::name_of(&file.with_file_name(&rulebook.source.file))
    } else {
        input::name_of(file)
    }
}
