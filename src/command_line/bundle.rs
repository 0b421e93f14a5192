//! `bundle FILE`: writes an OPA bundle, or compares one with what would be written.

use std::path::Path;

use super::arguments::BundleArguments;
use super::emission::{Emission, Failure, WantedAdapters, compile, usage};
use super::input;
use super::project::select_file;
use super::proof::prove;
use crate::artifacts::{create_folder, replace_file, shown_path};
use crate::bundle::{Algorithm, Bundle, Signing, SigningKey, differences, read_bundle, refusal};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::CANNOT_WRITE;
use crate::diagnostics::codes::bundles::KEY_EXPOSED;
use crate::terminal::{Console, ExitStatus};

pub(super) fn run(arguments: &BundleArguments, console: &mut Console) -> ExitStatus {
    make(arguments, console).unwrap_or_else(|(diagnostic, status)| {
        console.complain(&diagnostic);
        status
    })
}

fn make(arguments: &BundleArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    // What is asked for in vain is said before any work is done.
    refuse_stdout(&arguments.out).map_err(usage)?;
    let algorithm = Algorithm::parse(&arguments.signing_algorithm).map_err(usage)?;
    let selection = select_file(Some(&arguments.file), &arguments.project).map_err(usage)?;
    let status = selection.complain(console);
    let Some(target) = selection.targets.first() else {
        return Ok(status);
    };
    let (names, of_project) = (&arguments.adapters, target.rulebook.as_ref());
    let adapters = WantedAdapters::new(names, arguments.deny_silent, of_project);
    adapters.refuse_vain_option().map_err(usage)?;
    let key = match &arguments.signing_key {
        Some(file) => Some(signing_key(file, algorithm, console).map_err(usage)?),
        None => None,
    };
    let asked = arguments.package.as_deref().or(target.package());
    let deny = target.denied(&arguments.emission.deny);
    let compiled = compile(&target.path, asked, &deny, "no bundle is made", console)?;
    let Emission {
        rulebook,
        artifacts,
    } = match &compiled {
        Ok(emission) => emission,
        Err(status) => return Ok(*status),
    };
    let failed = |diagnostic| (diagnostic, ExitStatus::No);
    let adapters = adapters.emit(rulebook, &artifacts.header).map_err(failed)?;
    let mut bundle = Bundle::new(rulebook, artifacts, &adapters).map_err(failed)?;
    if let Some(key) = &key {
        let signing = Signing {
            key,
            key_id: arguments.key_id.as_deref(),
            scope: arguments.scope.as_deref(),
        };
        bundle = bundle.signed(&signing).map_err(usage)?;
    }
    let prove = |console: &mut Console| -> Result<(), Failure> {
        if !arguments.emission.no_proof {
            let points = of_project.and_then(|rulebook| rulebook.proof_points);
            let options = arguments.emission.proof.or(points);
            let proof = prove(rulebook, &artifacts.rego, &options, console)?;
            console.say(&format!("{proof}\n"));
        }
        Ok(())
    };
    let there = read_bundle(&arguments.out).map_err(usage)?;
    if arguments.check {
        let status = compare(&arguments.out, there.as_deref(), &bundle, console)?;
        if status == ExitStatus::Ok {
            prove(console)?;
        }
        return Ok(status);
    }
    // What may not be written need not be proved.
    if let Some(there) = &there {
        refusal(&shown_path(&arguments.out), there, &bundle).map_err(usage)?;
    }
    prove(console)?;
    write(&arguments.out, there.as_deref(), &bundle, console)
}

fn refuse_stdout(out: &Path) -> Result<(), Diagnostic> {
    match input::is_stdin(out) {
        true => Err(Diagnostic::without_place(
            &CANNOT_WRITE,
            "a bundle is not written to standard output: it replaces its file whole, or not at all",
        )
        .with_help("name a file, such as `--out bundle.tar.gz`")),
        false => Ok(()),
    }
}

fn signing_key(
    file: &Path,
    algorithm: Algorithm,
    console: &mut Console,
) -> Result<SigningKey, Diagnostic> {
    let bytes = input::read(file)?;
    let shown = match input::is_stdin(file) {
        true => "the key on standard input".to_owned(),
        false => format!("the key `{}`", shown_path(file)),
    };
    let key = SigningKey::read(algorithm, &shown, &bytes)?;
    if !input::is_stdin(file) && is_open_to_all(file) {
        let message = format!("every user of this machine can read {shown}");
        console.complain(
            &Diagnostic::without_place(&KEY_EXPOSED, message)
                .with_help(format!("take that away: `chmod 600 {}`", shown_path(file))),
        );
    }
    Ok(key)
}

/// Whether the permissions of a file let everybody read it; where the system has none of that
/// kind, that is not known.
fn is_open_to_all(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.metadata()
            .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o004 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        false
    }
}

fn compare(
    path: &Path,
    there: Option<&[u8]>,
    bundle: &Bundle,
    console: &mut Console,
) -> Result<ExitStatus, Failure> {
    let shown = shown_path(path);
    let found = differences(&shown, there, bundle).map_err(usage)?;
    if !found.is_empty() {
        console.complain_all(None, &found);
        return Ok(ExitStatus::No);
    }
    let is_signed = || {
        let opened = there.and_then(|bytes| Bundle::open(&shown, bytes).ok());
        opened.is_some_and(|bundle| bundle.is_signed())
    };
    console.say(&match !bundle.is_signed() && is_signed() {
        true => format!(
            "the bundle {shown} is current; its signature covers it, and is not checked without the key\n"
        ),
        false => format!("the bundle {shown} is current\n"),
    });
    Ok(ExitStatus::Ok)
}

fn write(
    path: &Path,
    there: Option<&[u8]>,
    bundle: &Bundle,
    console: &mut Console,
) -> Result<ExitStatus, Failure> {
    let bytes = bundle.to_bytes().map_err(usage)?;
    // What is there already is left alone: nothing that watches it wakes up.
    if there != Some(bytes.as_slice()) {
        if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
            create_folder(folder).map_err(usage)?;
        }
        replace_file(path, &bytes).map_err(usage)?;
    }
    console.answer(&format!("wrote {}\n", shown_path(path)));
    Ok(ExitStatus::Ok)
}
