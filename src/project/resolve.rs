//! From what the file says to the rulebooks that it means: patterns become files, what is left out
//! gets its default, and no two rulebooks may get in each other's way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::format::{Entry, ProjectFile, Settings};
use super::paths::{parts, stem, with_stem};
use super::patterns::{Pattern, expand, select};
use super::{Project, Rulebook};
use crate::adapters::{Adapter, Silent};
use crate::diagnostics::codes::artifacts::{BAD_PACKAGE, NO_PACKAGE};
use crate::diagnostics::codes::project::{
    BAD_VALUE, LISTED_TWICE, NO_SUCH_FILE, SHARED_FOLDER, SHARED_PACKAGE,
};
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::package::{package_of_file, parse_package};
use crate::text::{Span, Spanned, quoted};

/// A rulebook with the places that its values have in the file.
struct Listed {
    /// Its path as messages call it.
    name: String,
    path_at: Span,
    package_at: Span,
    out_dir_at: Span,
    rulebook: Rulebook,
}

/// Resolves what a file says.
pub(super) fn resolve(folder: &Path, file: ProjectFile, sink: &mut Sink) -> Project {
    let exclude = patterns(&file.exclude, sink);
    let mut resolver = Resolver {
        folder,
        exclude: &exclude,
        defaults: &file.defaults,
        named: BTreeSet::new(),
        listed: Vec::new(),
        sink,
    };
    resolver.all(&file.rulebook);
    let Resolver { listed, .. } = resolver;
    let listed = refuse_twice(listed, sink);
    let has_adapters = listed
        .iter()
        .any(|listed| !listed.rulebook.adapters.is_empty());
    if let Some(deny_silent) = file.defaults.deny_silent.filter(|silent| silent.value)
        && !has_adapters
        && !sink.has_errors()
    {
        sink.push(denies_nothing(deny_silent.span));
    }
    // What is wrong already may be why: a misspelt `out-dir` leaves all in one folder.
    if !sink.has_errors() {
        refuse_shared_folders(&listed, sink);
        refuse_shared_packages(&listed, sink);
        refuse_nested_packages(&listed, sink);
    }
    Project {
        folder: folder.to_path_buf(),
        rulebooks: listed.into_iter().map(|listed| listed.rulebook).collect(),
        deny: file.defaults.deny.unwrap_or_default(),
        exclude,
    }
}

/// The rulebooks that a file lists where its folder has `files`. A file of an entry that is not
/// among them is none.
pub(super) fn list(
    files: &BTreeSet<String>,
    file: &ProjectFile,
    sink: &mut Sink,
) -> BTreeSet<String> {
    let exclude = patterns(&file.exclude, sink);
    let entries = patterns(file.rulebook.iter().map(|entry| &entry.path), sink);
    let mut listed = BTreeSet::new();
    for pattern in &entries {
        // What an entry names itself is listed though it is excluded.
        let exclude = if pattern.is_open() {
            exclude.as_slice()
        } else {
            &[]
        };
        listed.extend(select(files, pattern, exclude).cloned());
    }
    listed
}

/// Reads paths as patterns.
fn patterns<'a>(
    paths: impl IntoIterator<Item = &'a Spanned<String>>,
    sink: &mut Sink,
) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for path in paths {
        match Pattern::read(path) {
            Ok(pattern) => patterns.push(pattern),
            Err(fault) => sink.push(fault),
        }
    }
    patterns
}

struct Resolver<'a> {
    folder: &'a Path,
    exclude: &'a [Pattern],
    defaults: &'a Settings,
    /// Files that an entry names itself: no pattern takes them.
    named: BTreeSet<String>,
    listed: Vec<Listed>,
    sink: &'a mut Sink,
}

impl Resolver<'_> {
    fn all(&mut self, entries: &[Entry]) {
        let mut read = Vec::new();
        for entry in entries {
            match Pattern::read(&entry.path) {
                Ok(pattern) => read.push((entry, pattern)),
                Err(fault) => self.sink.push(fault),
            }
        }
        let named = read.iter().map(|(_, pattern)| pattern);
        self.named = named
            .filter(|pattern| !pattern.is_open())
            .map(Pattern::as_path)
            .collect();
        for (entry, pattern) in read {
            for path in self.files(&entry.path, &pattern, true) {
                if let Err(fault) = self.rulebook(entry, path) {
                    self.sink.push(fault);
                }
            }
        }
    }

    /// The files that a path or pattern means; there must be one.
    fn files(&mut self, path: &Spanned<String>, pattern: &Pattern, sources: bool) -> Vec<String> {
        if !pattern.is_open() {
            let name = pattern.as_path();
            let file = self.folder.join(&name);
            if file.is_dir() {
                let ending = if sources { ".co" } else { "" };
                let what = format!("{} is a folder", quoted(&name));
                self.sink.push(
                    Diagnostic::new(&NO_SUCH_FILE, path.span, what).with_help(format!(
                        "name a file, or write `{}*{ending}` for all of its files",
                        if name.is_empty() {
                            name.clone()
                        } else {
                            format!("{name}/")
                        },
                    )),
                );
                return Vec::new();
            }
            if !file.exists() {
                let what = format!("there is no file {}", quoted(&name));
                self.sink.push(
                    Diagnostic::new(&NO_SUCH_FILE, path.span, what)
                        .with_help("paths are relative to the folder of `rulebook.toml`"),
                );
                return Vec::new();
            }
            return vec![name];
        }
        let exclude = if sources { self.exclude } else { &[] };
        match expand(self.folder, pattern, exclude) {
            Err(fault) => {
                self.sink.push(fault);
                Vec::new()
            }
            Ok(found) if found.is_empty() => {
                let what = format!("{} fits no file", quoted(&path.value));
                self.sink
                    .push(Diagnostic::new(&NO_SUCH_FILE, path.span, what).with_help(
                        "`*` is any part of a name, `**` any folders; names that begin with \
                         a dot are passed over, and so is what `exclude` names",
                    ));
                Vec::new()
            }
            Ok(found) if sources => {
                let is_free = |path: &String| !self.named.contains(path);
                found.into_iter().filter(is_free).collect()
            }
            Ok(found) => found.into_iter().collect(),
        }
    }

    fn rulebook(&mut self, entry: &Entry, path: String) -> Result<(), Diagnostic> {
        let stem = stem(&path).to_owned();
        let (package, package_at) = package(entry, &path, &stem)?;
        let (out_dir, out_dir_at) = match &entry.out_dir {
            Some(out_dir) => (parts(&with_stem(out_dir, &stem)?)?.join("/"), out_dir.span),
            None => {
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                (folder.to_owned(), entry.path.span)
            }
        };
        let tests = match &entry.tests {
            Some(tests) => Some(self.tests(tests, &stem)?),
            None => None,
        };
        let settings = &entry.settings;
        let chosen = settings
            .adapters
            .as_ref()
            .or(self.defaults.adapters.as_ref());
        let is_chosen = |one: &Adapter| chosen.is_some_and(|chosen| chosen.contains(one));
        let adapters: Vec<Adapter> = Adapter::ALL.into_iter().filter(is_chosen).collect();
        if let Some(deny_silent) = settings.deny_silent.filter(|silent| silent.value)
            && adapters.is_empty()
        {
            self.sink.push(denies_nothing(deny_silent.span));
        }
        let deny_silent = settings.deny_silent.or(self.defaults.deny_silent);
        let deny = settings.deny.as_ref().or(self.defaults.deny.as_ref());
        let rulebook = Rulebook {
            path: self.folder.join(&path),
            package,
            out_dir: self.folder.join(out_dir),
            tests,
            deny: deny.cloned().unwrap_or_default(),
            proof_points: settings.proof_points.or(self.defaults.proof_points),
            coverage_threshold: settings
                .coverage_threshold
                .or(self.defaults.coverage_threshold),
            with_tests: settings
                .with_tests
                .or(self.defaults.with_tests)
                .unwrap_or_default(),
            adapters,
            silent: match deny_silent.is_some_and(|silent| silent.value) {
                true => Silent::Deny,
                false => Silent::Pass,
            },
        };
        self.listed.push(Listed {
            name: path,
            path_at: entry.path.span,
            package_at,
            out_dir_at,
            rulebook,
        });
        Ok(())
    }

    fn tests(&mut self, tests: &[Spanned<String>], stem: &str) -> Result<Vec<PathBuf>, Diagnostic> {
        let mut found = Vec::new();
        for test in tests {
            let test = with_stem(test, stem)?;
            let pattern = Pattern::read(&test)?;
            for path in self.files(&test, &pattern, false) {
                let path = self.folder.join(path);
                if !found.contains(&path) {
                    found.push(path);
                }
            }
        }
        Ok(found)
    }
}

/// The package of an entry's file, and the place that gave it.
fn package(entry: &Entry, path: &str, stem: &str) -> Result<(String, Span), Diagnostic> {
    match &entry.package {
        Some(asked) => {
            let asked = with_stem(asked, stem)?;
            let fault = |error| {
                let what = format!("{} is no package name: {error}", quoted(&asked.value));
                Diagnostic::new(&BAD_PACKAGE, asked.span, what)
                    .with_help("`package` is a whole name, such as `shop.gate`")
            };
            let package = parse_package(&asked.value).map_err(fault)?;
            Ok((package, asked.span))
        }
        None => {
            let name = path.rsplit('/').next().unwrap_or(path);
            let fault = |error| {
                let what = format!("{} gives no package name: {error}", quoted(name));
                Diagnostic::new(&NO_PACKAGE, entry.path.span, what).with_help(
                    "rename the file, or write `package = \"…\"`, a whole name such as `shop.gate`",
                )
            };
            let package = package_of_file(name).map_err(fault)?;
            Ok((package, entry.path.span))
        }
    }
}

/// Adapters that nobody asks for deny nothing.
fn denies_nothing(place: Span) -> Diagnostic {
    let message = "`deny-silent` is for adapters, and there are none";
    Diagnostic::new(&BAD_VALUE, place, message)
        .with_help("write `adapters = [\"kong\"]`, for example, or leave `deny-silent` out")
}

/// Says of each two rulebooks of one key that they are.
fn refuse_equal<K: Ord>(
    code: &'static Code,
    listed: &[Listed],
    key: impl Fn(&Listed) -> (K, Span),
    message: impl Fn(&Listed, &Listed) -> String,
    help: &str,
    sink: &mut Sink,
) {
    let mut first: BTreeMap<K, &Listed> = BTreeMap::new();
    for later in listed {
        let (value, place) = key(later);
        let Some(earlier) = first.get(&value).copied() else {
            first.insert(value, later);
            continue;
        };
        let mut diagnostic = Diagnostic::new(code, place, message(earlier, later)).with_help(help);
        let (_, other) = key(earlier);
        if other != place {
            diagnostic = diagnostic.with_other(other, format!("{} here", quoted(&earlier.name)));
        }
        sink.push(diagnostic);
    }
}

/// Keeps the first of each file, so that the others are not also said to share its folder.
fn refuse_twice(mut listed: Vec<Listed>, sink: &mut Sink) -> Vec<Listed> {
    refuse_equal(
        &LISTED_TWICE,
        &listed,
        |listed| (listed.name.clone(), listed.path_at),
        |_, later| format!("{} is listed twice", quoted(&later.name)),
        "a file is one rulebook: delete one entry, or make one of the patterns narrower",
        sink,
    );
    let mut seen = BTreeSet::new();
    listed.retain(|listed| seen.insert(listed.name.clone()));
    listed
}

fn refuse_shared_folders(listed: &[Listed], sink: &mut Sink) {
    refuse_equal(
        &SHARED_FOLDER,
        listed,
        |listed| (real(&listed.rulebook.out_dir), listed.out_dir_at),
        |earlier, later| {
            format!(
                "{} and {} would be written into one folder",
                quoted(&earlier.name),
                quoted(&later.name)
            )
        },
        "the artifacts of each rulebook have a folder of their own: write \
         `out-dir = \"opa/{stem}\"`, for example",
        sink,
    );
}

fn refuse_shared_packages(listed: &[Listed], sink: &mut Sink) {
    refuse_equal(
        &SHARED_PACKAGE,
        listed,
        |listed| (listed.rulebook.package.clone(), listed.package_at),
        |earlier, later| {
            format!(
                "{} and {} have one package, {}",
                quoted(&earlier.name),
                quoted(&later.name),
                quoted(&later.rulebook.package)
            )
        },
        "an engine that loads both takes them for one: write `package = \"shop.{stem}\"`, \
         for example",
        sink,
    );
}

/// A package below another: bundles of both claim one root, so that OPA loads neither, and an
/// adapter's package may be the other's own.
fn refuse_nested_packages(listed: &[Listed], sink: &mut Sink) {
    for inner in listed {
        let package = inner.rulebook.package.as_str();
        let is_above = |outer: &&Listed| {
            let rest = package.strip_prefix(outer.rulebook.package.as_str());
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        let Some(outer) = listed.iter().find(is_above) else {
            continue;
        };
        sink.push(
            Diagnostic::new(
                &SHARED_PACKAGE,
                inner.package_at,
                format!(
                    "the package {} of {} lies below {}, that of {}",
                    quoted(package),
                    quoted(&inner.name),
                    quoted(&outer.rulebook.package),
                    quoted(&outer.name)
                ),
            )
            .with_help(
                "one engine does not load bundles of both: write `package = \"shop.{stem}\"` for \
                 each, for example",
            ),
        );
    }
}

/// A folder as the system knows it, links resolved as far as there is something.
fn real(folder: &Path) -> PathBuf {
    for ancestor in folder.ancestors() {
        if let (Ok(real), Ok(rest)) = (fs::canonicalize(ancestor), folder.strip_prefix(ancestor)) {
            return real.join(rest);
        }
    }
    folder.to_path_buf()
}
