//! The rulebook and its tests files, loaded.

use std::path::{Path, PathBuf};

use super::super::input;
use super::super::load::{Refused, is_ir, required_or_refused};
use crate::artifacts::shown_path;
use crate::diagnostics::codes::suites::OTHER_RULEBOOK;
use crate::diagnostics::codes::text::UNREADABLE;
use crate::diagnostics::text_faults::decode_document;
use crate::diagnostics::{Diagnostic, Severity, Sink};
use crate::ir::Rulebook;
use crate::terminal::{Console, ExitStatus};
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
    /// Loads both; what is wrong is shown. The error is why the rulebook cannot be used.
    pub(super) fn load(
        file: &Path,
        tests: &[PathBuf],
        is_listed: bool,
        console: &mut Console,
    ) -> Result<Self, Box<Refused>> {
        let rulebook = rulebook(file, "no case is run", console)?;
        let (suites, status) = load_suites(file, tests, &rulebook, is_listed, console);
        Ok(Self {
            rulebook,
            suites,
            status,
        })
    }
}

/// The rulebook; what is wrong with it is shown, and what follows from that.
pub(super) fn rulebook(
    file: &Path,
    consequence: &str,
    console: &mut Console,
) -> Result<Rulebook, Box<Refused>> {
    if input::is_stdin(file) {
        let message = "a rulebook that is tested is not read from standard input";
        let diagnostic = Diagnostic::without_place(&UNREADABLE, message)
            .with_help("name a file: its tests stand beside it");
        return Err(Box::new(Refused::unread(diagnostic, console)));
    }
    required_or_refused(file, consequence, console)
}

/// The tests files that are named, or the one beside the rulebook; what is wrong with them is
/// shown. And the worst of that. A rulebook that is looked at because the project lists it may go
/// without.
pub(super) fn load_suites(
    file: &Path,
    tests: &[PathBuf],
    rulebook: &Rulebook,
    is_listed: bool,
    console: &mut Console,
) -> (Vec<LoadedSuite>, ExitStatus) {
    let default = [default_tests(file, rulebook)];
    let paths = if tests.is_empty() { &default } else { tests };
    let help = tests.is_empty().then(|| how_to_begin(file, is_listed));
    let mut status = ExitStatus::Ok;
    let mut suites = Vec::new();
    for path in paths {
        let (loaded, worst) = load_suite(path, file, rulebook, help.as_deref());
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

/// What to do about a rulebook that has no tests beside it.
fn how_to_begin(file: &Path, is_listed: bool) -> String {
    let mut help = format!(
        "name the tests with `--tests PATH`; or `RulebookTranslator test {} --suggest --write` writes first ones for you to judge",
        shown_path(file)
    );
    if is_listed {
        help.push_str("; or write `tests = []` for it in `rulebook.toml`");
    }
    help
}

fn load_suite(
    path: &Path,
    file: &Path,
    rulebook: &Rulebook,
    help: Option<&str>,
) -> (LoadedSuite, ExitStatus) {
    let name = input::name_of(path);
    let bytes = match input::read(path) {
        Ok(bytes) => bytes,
        Err(diagnostic) => {
            let diagnostic = match help {
                Some(help) => diagnostic.with_help(help),
                None => diagnostic,
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
