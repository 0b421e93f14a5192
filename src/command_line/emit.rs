//! `emit [FILE]`: writes the artifacts, or compares a folder with them.

use std::path::{Path, PathBuf};

use super::arguments::{EmitArguments, ProofArguments};
use super::emission::{Emission, Failure, WantedAdapters, compile, usage};
use super::project::{Target, select_file};
use super::proof::prove;
use crate::artifacts::{self, ArtifactSet, shown_path};
use crate::diagnostics::codes::artifacts::OPTION_WITHOUT_EFFECT;
use crate::diagnostics::{Deny, Diagnostic};
use crate::emitter::Companion;
use crate::opa_tests::tests;
use crate::provenance::Header;
use crate::terminal::{Console, ExitStatus, plural};

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
    adapters: WantedAdapters,
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
            deny: target.denied(&arguments.emission.deny),
            proof: arguments
                .emission
                .proof
                .or(rulebook.and_then(|rulebook| rulebook.proof_points)),
            with_tests: arguments.with_tests
                || rulebook.is_some_and(|rulebook| rulebook.with_tests),
            adapters: WantedAdapters::new(&arguments.adapters, arguments.deny_silent, rulebook),
            prefix: match is_one_of_many {
                true => format!("{}: ", shown_path(file)),
                false => String::new(),
            },
        }
    }
}

fn emit_file(job: &Job<'_>, console: &mut Console) -> Result<ExitStatus, Failure> {
    refuse_options(job)?;
    let compiled = compile(
        job.file,
        job.package,
        &job.deny,
        "nothing is emitted",
        console,
    )?;
    let Emission {
        rulebook,
        artifacts,
    } = match &compiled {
        Ok(emission) => emission,
        Err(status) => return Ok(*status),
    };
    let companions = companions(job, rulebook, &artifacts.header)
        .map_err(|diagnostic| (diagnostic, ExitStatus::No))?;
    let set = ArtifactSet {
        rulebook,
        artifacts,
        target: job.arguments.target.into(),
        companions: &companions,
    };
    let folder = job.folder.as_path();
    let wants_proof = set.target == artifacts::Target::Rego && !job.arguments.emission.no_proof;
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
    companions.extend(job.adapters.emit(rulebook, header)?);
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
    job.adapters.refuse_vain_option().map_err(usage)
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
