//! The compiler's public face: from the bytes of a source to a checked rulebook.

use crate::checks;
use crate::diagnostics::{Diagnostic, Sink};
use crate::ir::{self, SourceFile};
use crate::lowering::lower;
use crate::provenance::source_sha256;
use crate::syntax::{self, tree};
use crate::text::Source;

/// What came of compiling one source.
#[derive(Debug)]
#[non_exhaustive]
pub struct Compilation {
    /// The source, also when it has faults, so that diagnostics can be shown in it.
    pub source: Source,
    /// The tree; none when the text could not be read as a rulebook at all.
    pub tree: Option<tree::Rulebook>,
    /// The rulebook; none when there are errors.
    pub rulebook: Option<ir::Rulebook>,
    /// Everything found, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// What is looked at beyond what makes a rulebook valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Depth {
    /// Errors only: syntax, structure, names, words.
    Errors,
    /// The analyses of the decision too (contract section 5), which give warnings and notes.
    #[default]
    Analyses,
}

/// Compiles the bytes of one source.
///
/// `name` is the path that messages show (relative, with `/`); its last component is the file
/// name that the IR records. `package` is the Rego package that the IR records.
///
/// ```
/// use stalwart::compiler::{Depth, compile};
///
/// let text = b"define flow refunds\n  if $order_paid\n    execute refund_card\n";
/// let compilation = compile("policy.co", text, "stalwart.policy", Depth::Analyses);
/// let rulebook = compilation.rulebook.expect("the rulebook has no errors");
/// assert_eq!(rulebook.tools[0].name, "refund_card");
/// ```
pub fn compile(name: &str, bytes: &[u8], package: &str, depth: Depth) -> Compilation {
    let (source, faults) = Source::decode(name, bytes);
    let mut sink = Sink::new();
    let tree = syntax::parse(&source, &faults, &mut sink);
    let file = name.rsplit('/').next().unwrap_or(name);
    let source_file = SourceFile {
        file: file.to_owned(),
        sha256: source_sha256(&source),
    };
    let output = tree
        .as_ref()
        .and_then(|tree| lower(tree, &source, (package.to_owned(), source_file), &mut sink));
    if let (Some(output), Depth::Analyses) = (&output, depth) {
        checks::run(&output.rulebook, &output.places, &mut sink);
    }
    Compilation {
        tree,
        rulebook: output.map(|output| output.rulebook),
        diagnostics: sink.into_sorted(),
        source,
    }
}
