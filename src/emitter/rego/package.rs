//! Names of Rego packages (contract section 7).

use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts;
use crate::text::quoted;

/// Words that Rego v1 reads as something else than a name.
const KEYWORDS: [&str; 17] = [
    "as", "contains", "data", "default", "else", "every", "false", "if", "import", "in", "input",
    "not", "null", "package", "some", "true", "with",
];

/// Most characters of a package: the line must be shorter than 1,024.
const MAX_CHARACTERS: usize = 500;

/// Why a text is no name of a package, or of one segment of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackageFault {
    /// A segment is no identifier, `[A-Za-z_][A-Za-z0-9_]*`; an empty one too.
    NoIdentifier(String),
    /// A segment is a word of Rego's own.
    Keyword(String),
    /// The last segment ends in `_test`, which says that it holds tests.
    Test(String),
    /// It is too long for a line.
    TooLong,
}

impl PackageFault {
    /// What is wrong, as a clause behind the name.
    pub fn reason(&self) -> String {
        match self {
            Self::NoIdentifier(segment) => format!(
                "{} is not made of letters, digits and `_`, beginning with a letter or `_`",
                quoted(segment)
            ),
            Self::Keyword(segment) => format!("{} is a word of Rego's own", quoted(segment)),
            Self::Test(segment) => {
                format!(
                    "{} ends in `_test`, which marks a package of tests",
                    quoted(segment)
                )
            }
            Self::TooLong => format!("it has more than {MAX_CHARACTERS} characters"),
        }
    }
}

/// What is wrong with a dotted package name; nothing when it can be emitted.
pub fn package_fault(package: &str) -> Option<PackageFault> {
    if package.len() > MAX_CHARACTERS {
        return Some(PackageFault::TooLong);
    }
    let is_identifier = |segment: &str| {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        segment.bytes().all(word) && !segment.starts_with(|first: char| first.is_ascii_digit())
    };
    for segment in package.split('.') {
        if segment.is_empty() || !is_identifier(segment) {
            return Some(PackageFault::NoIdentifier(segment.to_owned()));
        }
        if KEYWORDS.contains(&segment) {
            return Some(PackageFault::Keyword(segment.to_owned()));
        }
    }
    let last = package.rsplit('.').next().unwrap_or_default();
    last.ends_with("_test")
        .then(|| PackageFault::Test(last.to_owned()))
}

/// # Errors
/// A package name that Rego cannot read.
pub fn check(package: &str) -> Result<(), Diagnostic> {
    match package_fault(package) {
        None => Ok(()),
        Some(fault) => Err(Diagnostic::without_place(
            &artifacts::PACKAGE_NAME,
            format!(
                "{} cannot name a Rego package: {}",
                quoted(package),
                fault.reason()
            ),
        )
        .with_help("name the package with `--package`, such as `--package stalwart.policy`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_rego_reads() {
        for package in [
            "stalwart.policy",
            "a",
            "_",
            "A.b_1.C",
            "stalwart.test_1",
            "a_test.b",
        ] {
            assert_eq!(package_fault(package), None, "{package}");
        }
    }

    #[test]
    fn names_that_rego_cannot_read() {
        for package in ["", ".", "a.", "a..b", "1a", "a-b", "a b", "ä", "a\n"] {
            let fault = package_fault(package);
            assert!(
                matches!(fault, Some(PackageFault::NoIdentifier(_))),
                "{package:?}"
            );
        }
        for word in KEYWORDS {
            let fault = package_fault(&format!("stalwart.{word}"));
            assert_eq!(fault, Some(PackageFault::Keyword(word.to_owned())));
        }
        assert!(matches!(
            package_fault("a.b_test"),
            Some(PackageFault::Test(_))
        ));
        assert_eq!(package_fault(&"a".repeat(501)), Some(PackageFault::TooLong));
    }
}
