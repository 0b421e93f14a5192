//! `emit [FILE]`: writes the artifacts, or compares a folder with them.

use std::path::{Path, PathBuf};

use super::arguments::{EmitArguments, ProofArguments};
use super::examination::{is_pressing, status_of};
use super::input;
use super::load::{Loaded, is_ir, load};
use super::project::{Target, select_file};
use super::proof::prove;
use super::report::{Summary, biting, words};
use crate::adapters::{Adapter, Silent, adapter};
use crate::artifacts::{self, ArtifactSet, shown_path};
use crate::compiler::Depth;
use crate::diagnostics::codes::artifacts::{BAD_PACKAGE, NO_PACKAGE, OPTION_WITHOUT_EFFECT};
use crate::diagnostics::codes::text::UNREADABLE;
use crate::diagnostics::{Deny, Diagnostic};
use crate::emitter::{Companion, emit};
use crate::opa_tests::tests;
use crate::package::{package_of_file, parse_package};
use crate::provenance::Header;
use crate::terminal::{Console, ExitStatus, plural};
use crate::text::quoted;

pub(super) fn run(arguments: &EmitArguments, console: &mut Console) -> ExitStatus {
    let selection = match select_file(arguments.file.as_deref(), &arguments.project) {
        Ok(selection) => selection,
        Err(diagnostic) => {
            console.complain(&diagnostic);
            return ExitStatus::Usage;
        }
    };
    let mut status = selection.complain(console);
    let mut done = 0;
    for target in &selection.targets {
        let job = Job::new(arguments, target, selection.project.is_some());
        let end = emit_file(&job, console).unwrap_or_else(|(diagnostic, status)| {
            console.complain(&diagnostic);
            status
        });
        done += usize::from(end == ExitStatus::Ok);
        status = status.max(end);
    }
    if selection.project.is_some() {
        let all = plural(selection.targets.len(), "rulebook");
        console.say(&match arguments.check {
            true => format!("current: {done} of {all}\n"),
            false => format!("emitted {done} of {all}\n"),
        });
    }
    status
}

/// What is to be done with one file: as it is asked, else as the project says, else by default.
struct Job<'a> {
    arguments: &'a EmitArguments,
    file: &'a Path,
    package: Option<&'a str>,
    folder: PathBuf,
    deny: Vec<Deny>,
    proof: ProofArguments,
    with_tests: bool,
    /// Each once, in the order of [`Adapter::ALL`].
    adapters: Vec<Adapter>,
    silent: Silent,
    /// Said before what does not say by itself which of many files it is about.
    prefix: String,
}

impl<'a> Job<'a> {
    fn new(arguments: &'a EmitArguments, target: &'a Target, is_one_of_many: bool) -> Self {
        let rulebook = target.rulebook.as_ref();
        let file = target.path.as_path();
        Self {
            arguments,
            file,
            package: arguments.package.as_deref().or(target.package()),
            folder: arguments
                .out_dir
                .as_deref()
                .or(rulebook.map(|rulebook| rulebook.out_dir.as_path()))
                .or(file.parent())
                .filter(|folder| !folder.as_os_str().is_empty())
                .unwrap_or(Path::new("."))
                .to_path_buf(),
            deny: target.denied(&arguments.deny),
            proof: arguments
                .proof
                .or(rulebook.and_then(|rulebook| rulebook.proof_points)),
            with_tests: arguments.with_tests
                || rulebook.is_some_and(|rulebook| rulebook.with_tests),
            adapters: Adapter::ALL
                .into_iter()
                .filter(|one| {
                    let mut asked = arguments.adapters.iter().copied().map(Adapter::from);
                    asked.any(|asked| asked == *one)
                        || rulebook.is_some_and(|rulebook| rulebook.adapters.contains(one))
                })
                .collect(),
            silent: match rulebook.map(|rulebook| rulebook.silent) {
                _ if arguments.deny_silent => Silent::Deny,
                Some(silent) => silent,
                None => Silent::Pass,
            },
            prefix: match is_one_of_many {
                true => format!("{}: ", shown_path(file)),
                false => String::new(),
            },
        }
    }
}

/// A failure without a place, and what it means for the command's end.
type Failure = (Diagnostic, ExitStatus);

fn usage(diagnostic: Diagnostic) -> Failure {
    (diagnostic, ExitStatus::Usage)
}

fn emit_file(job: &Job<'_>, console: &mut Console) -> Result<ExitStatus, Failure> {
    let file = job.file;
    refuse_stdin(file)?;
    refuse_options(job)?;
    let bytes = input::read(file).map_err(usage)?;
    // A name that gives no package does not keep the rest from being looked at.
    let package = package(file, &bytes, job.package);
    let name = package.as_ref().ok().and_then(Option::as_deref);
    let loaded = load(file, &bytes, name, Depth::Analyses);
    let status = report(file, &loaded, &job.deny, console);
    package.map_err(usage)?;
    let (ExitStatus::Ok, Some(rulebook)) = (status, &loaded.rulebook) else {
        return Ok(status.max(ExitStatus::No));
    };
    refuse_other_package(rulebook, job.package).map_err(usage)?;
    let artifacts = emit(rulebook).map_err(|diagnostic| (diagnostic, ExitStatus::No))?;
    let companions = companions(job, rulebook, &artifacts.header)
        .map_err(|diagnostic| (diagnostic, ExitStatus::No))?;
    let set = ArtifactSet {
        rulebook,
        artifacts: &artifacts,
        target: job.arguments.target.into(),
        companions: &companions,
    };
    let folder = job.folder.as_path();
    let wants_proof = set.target == artifacts::Target::Rego && !job.arguments.no_proof;
    let prove = |console: &mut Console| -> Result<(), Failure> {
        if wants_proof {
            let proof = prove(rulebook, &artifacts.rego, &job.proof, console)?;
            console.say(&format!("{}{proof}\n", job.prefix));
        }
        Ok(())
    };
    if job.arguments.check {
        let status = compare(folder, &set, console)?;
        if status == ExitStatus::Ok {
            prove(console)?;
        }
        return Ok(status);
    }
    // What may not be written need not be proved.
    artifacts::refusal(folder, &set).map_err(usage)?;
    prove(console)?;
    write(folder, &set, console)
}

/// The files beside the pair that are asked for.
fn companions(
    job: &Job<'_>,
    rulebook: &crate::ir::Rulebook,
    header: &Header,
) -> Result<Vec<Companion>, Diagnostic> {
    let mut companions = Vec::new();
    if artifacts::Target::from(job.arguments.target) == artifacts::Target::Ir {
        return Ok(companions);
    }
    if job.with_tests {
        companions.push(tests(rulebook, header)?);
    }
    for one in &job.adapters {
        companions.push(adapter(rulebook, *one, job.silent, header)?);
    }
    Ok(companions)
}

/// Options that ask for what is not written.
fn refuse_options(job: &Job<'_>) -> Result<(), Failure> {
    let arguments = job.arguments;
    let refused = |message: &str, help: &str| {
        let diagnostic = Diagnostic::without_place(&OPTION_WITHOUT_EFFECT, message).with_help(help);
        Err(usage(diagnostic))
    };
    let is_ir = artifacts::Target::from(arguments.target) == artifacts::Target::Ir;
    if is_ir && arguments.with_tests {
        return refused(
            "`--with-tests` writes tests of the Rego package, and `--target ir` writes none",
            "leave out one of the two",
        );
    }
    if is_ir && !arguments.adapters.is_empty() {
        return refused(
            "`--adapter` writes an adapter of the Rego package, and `--target ir` writes none",
            "leave out one of the two",
        );
    }
    if arguments.deny_silent && job.adapters.is_empty() {
        return refused(
            "`--deny-silent` is for adapters, and none is asked for",
            "name one, such as `--adapter kong`, or leave out `--deny-silent`",
        );
    }
    Ok(())
}

fn refuse_stdin(file: &Path) -> Result<(), Failure> {
    if input::is_stdin(file) {
        let diagnostic = Diagnostic::without_place(
            &UNREADABLE,
            "a rulebook is not emitted from standard input: its file's name is recorded",
        )
        .with_help("name a file");
        return Err(usage(diagnostic));
    }
    Ok(())
}

/// The package that is asked for, or that the file's name gives; an IR has its own.
fn package(file: &Path, bytes: &[u8], asked: Option<&str>) -> Result<Option<String>, Diagnostic> {
    if let Some(asked) = asked {
        return parse_package(asked).map(Some).map_err(|error| {
            Diagnostic::without_place(
                &BAD_PACKAGE,
                format!("{} is no package name: {error}", quoted(asked)),
            )
            .with_help("`--package` takes a whole name, such as `shop.gate`")
        });
    }
    if is_ir(bytes) {
        return Ok(None);
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    package_of_file(&name).map(Some).map_err(|error| {
        Diagnostic::without_place(
            &NO_PACKAGE,
            format!("{} gives no package name: {error}", quoted(&name)),
        )
        .with_help("rename the file, or give a whole package name with `--package NAME`")
    })
}

/// An IR records its package, and its bytes are not changed on the way through.
fn refuse_other_package(
    rulebook: &crate::ir::Rulebook,
    asked: Option<&str>,
) -> Result<(), Diagnostic> {
    match asked {
        Some(asked) if asked != rulebook.package => Err(Diagnostic::without_place(
            &BAD_PACKAGE,
            format!("the IR has the package {}", quoted(&rulebook.package)),
        )
        .with_help("leave out `--package`, or emit from the source")),
        _ => Ok(()),
    }
}

/// Errors and warnings in full; how many notes there are, since `check` shows them.
fn report(file: &Path, loaded: &Loaded, deny: &[Deny], console: &mut Console) -> ExitStatus {
    let status = status_of(loaded, deny);
    let denied: Vec<Deny> = biting(deny, &loaded.diagnostics).collect();
    // What stops emission is shown, though it be a note.
    let is_shown =
        |found: &&Diagnostic| is_pressing(found) || denied.iter().any(|deny| deny.covers(found));
    let pressing: Vec<&Diagnostic> = loaded.diagnostics.iter().filter(is_shown).collect();
    let has_pressing = !pressing.is_empty();
    console.complain_all(loaded.source.as_ref(), pressing);
    if has_pressing {
        let summary = Summary::of(&loaded.diagnostics);
        let line = summary.line(Some(&shown_path(file)));
        let end = match status {
            ExitStatus::Ok => String::new(),
            _ if summary.errors > 0 => "; nothing is emitted".to_owned(),
            _ => format!("; {}, nothing is emitted", words(&denied)),
        };
        console.say(&format!("{line}{end}\n"));
    }
    status
}

fn compare(
    folder: &Path,
    set: &ArtifactSet<'_>,
    console: &mut Console,
) -> Result<ExitStatus, Failure> {
    let found = artifacts::differences(folder, set).map_err(usage)?;
    let shown = shown_path(folder);
    let Some(first) = found.first() else {
        console.say(&format!("the artifacts in {shown} are current\n"));
        return Ok(ExitStatus::Ok);
    };
    console.complain_all(None, &found);
    console.say(&match found.len() {
        1 => format!("1 difference in {shown}\n"),
        many => format!(
            "{many} differences in {shown}; the first: {}\n",
            first.message
        ),
    });
    Ok(ExitStatus::No)
}

fn write(
    folder: &Path,
    set: &ArtifactSet<'_>,
    console: &mut Console,
) -> Result<ExitStatus, Failure> {
    for path in artifacts::write(folder, set).map_err(usage)? {
        console.answer(&format!("wrote {}\n", shown_path(&path)));
    }
    for note in artifacts::left_behind(folder, set).map_err(usage)? {
        console.complain(&note);
    }
    Ok(ExitStatus::Ok)
}
