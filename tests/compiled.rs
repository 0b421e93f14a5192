//! One way for all tests to compile a text and to say what was wrong with it.

use std::path::{Path, PathBuf};

use stalwart::compiler::{self, Compilation, Depth};
use stalwart::diagnostics::Severity;
use stalwart::emitter::{self, Artifacts};
use stalwart::evaluator::{self, Decision};
use stalwart::ir::Rulebook;
use stalwart::syntax::tree;

use crate::reference::Reference;

/// A text that checks without errors.
pub struct Compiled {
    pub tree: tree::Rulebook,
    pub rulebook: Rulebook,
}

impl Compiled {
    /// The artifacts.
    pub fn emit(&self) -> Artifacts {
        match emitter::emit(&self.rulebook) {
            Ok(artifacts) => artifacts,
            Err(error) => panic!("nothing is emitted: {error:?}"),
        }
    }

    /// The evaluator's answer.
    pub fn decide(&self, input: &serde_json::Value) -> Decision {
        evaluator::decide(&self.rulebook, input)
    }

    /// The second opinion.
    pub fn reference(&self) -> Reference<'_> {
        Reference::new(&self.tree)
    }
}

/// Compiles a text. The error lists the errors found, one a line.
pub fn compile(text: &[u8], package: &str) -> Result<Compiled, String> {
    let compilation = compiler::compile("policy.co", text, package, Depth::Errors);
    let errors = errors(&compilation);
    match compilation {
        Compilation {
            tree: Some(tree),
            rulebook: Some(rulebook),
            ..
        } if errors.is_empty() => Ok(Compiled { tree, rulebook }),
        _ => Err(errors.join("\n")),
    }
}

/// `line:column RBxxxx message` of each error.
pub fn errors(compilation: &Compilation) -> Vec<String> {
    compilation
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity() == Severity::Error)
        .map(|diagnostic| {
            let place = diagnostic.span().map_or_else(String::new, |span| {
                let start = compilation.source.position(span.start);
                format!("{}:{} ", start.line, start.column)
            });
            format!("{place}{} {}", diagnostic.code.id, diagnostic.message)
        })
        .collect()
}

/// Compiles a text that is known to check without errors.
pub fn must_compile(text: &[u8], package: &str) -> Compiled {
    compile(text, package).unwrap_or_else(|errors| {
        panic!("errors:\n{errors}\nin:\n{}", String::from_utf8_lossy(text))
    })
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files under a folder of the repository whose name ends in `.extension`, sorted.
pub fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("an entry is read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(&format!(".{extension}")) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
