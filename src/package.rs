//! Names of Rego packages: from the name of a source file, or given whole (contract section 7).

mod declared;

use thiserror::Error;

use crate::text::is_identifier;

pub use declared::declared_package;

/// What every package made from a file name begins with.
const ROOT: &str = "stalwart";

/// Most characters of a package name, so that no line of the Rego passes its limit.
const MAX_CHARACTERS: usize = 256;

/// Words of Rego that cannot be a part of a package name.
const KEYWORDS: &[&str] = &[
    "as", "contains", "default", "else", "every", "false", "if", "import", "in", "not", "null",
    "package", "some", "true", "with",
];

/// Why a name is no package name. The message starts with the part that is at fault.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PackageError {
    /// A part is empty.
    #[error("a part of the name is empty")]
    Empty,
    /// A part is no identifier.
    #[error("{} is not made of letters, digits and `_` alone, or starts with a digit", crate::text::quoted(.0))]
    NoIdentifier(String),
    /// A part is a word of Rego.
    #[error("`{0}` is a word of Rego")]
    Keyword(String),
    /// A part is one of Rego's two documents.
    #[error("`{0}` is the name of a document that Rego reserves")]
    Document(String),
    /// The last part ends as test packages do.
    #[error("`{0}` ends in `_test`, as packages of tests do")]
    Test(String),
    /// The name is too long.
    #[error("the name has more than 256 characters")]
    TooLong,
}

/// The package of a source file: `stalwart.` and the file's name without its last extension.
/// `file` is the last component of a path.
///
/// # Errors
/// The name without its extension is no identifier of Rego that a package may end in; the way
/// out is to name the package, see [`parse_package`].
pub fn package_of_file(file: &str) -> Result<String, PackageError> {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    check_part(stem)?;
    check_last(stem)?;
    check_length(format!("{ROOT}.{stem}"))
}

/// Checks a package name that is given whole: identifiers joined by dots. Nothing is added.
///
/// # Errors
/// A part that Rego, or this compiler, cannot take as part of a package.
pub fn parse_package(name: &str) -> Result<String, PackageError> {
    name.split('.').try_for_each(check_part)?;
    check_last(name)?;
    check_length(name.to_owned())
}

fn check_part(part: &str) -> Result<(), PackageError> {
    if part.is_empty() {
        return Err(PackageError::Empty);
    }
    if !is_identifier(part) {
        return Err(PackageError::NoIdentifier(part.to_owned()));
    }
    if KEYWORDS.contains(&part) {
        return Err(PackageError::Keyword(part.to_owned()));
    }
    if matches!(part, "input" | "data") {
        return Err(PackageError::Document(part.to_owned()));
    }
    Ok(())
}

fn check_last(name: &str) -> Result<(), PackageError> {
    let last = name.rsplit('.').next().unwrap_or(name);
    if last.ends_with("_test") {
        return Err(PackageError::Test(last.to_owned()));
    }
    Ok(())
}

fn check_length(name: String) -> Result<String, PackageError> {
    if name.chars().nth(MAX_CHARACTERS).is_some() {
        return Err(PackageError::TooLong);
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stem_of_a_file_is_the_package() {
        for (file, package) in [
            ("policy.co", "stalwart.policy"),
            ("policy", "stalwart.policy"),
            ("_Shop9.rulebook", "stalwart._Shop9"),
            ("tests.co", "stalwart.tests"),
        ] {
            assert_eq!(package_of_file(file).as_deref(), Ok(package), "{file}");
        }
    }

    #[test]
    fn stems_that_are_no_package_are_refused() {
        for file in [
            "",
            ".co",
            "a.b.co",
            "my-rules.co",
            "9a.co",
            "mudança.co",
            "a b.co",
            "a\n.co",
            "if.co",
            "contains.co",
            "input.co",
            "data.co",
            "policy_test.co",
            "_test.co",
        ] {
            assert!(package_of_file(file).is_err(), "{file:?}");
        }
    }

    #[test]
    fn a_given_name_is_the_whole_package() {
        assert_eq!(parse_package("shop.gate").as_deref(), Ok("shop.gate"));
        assert_eq!(parse_package("shop").as_deref(), Ok("shop"));
        for name in [
            "", ".", "a.", ".a", "a..b", "a.if", "data.a", "a.b_test", "a-b", "a.1",
        ] {
            assert!(parse_package(name).is_err(), "{name:?}");
        }
        assert!(parse_package("a_test.b").is_ok());
    }

    #[test]
    fn the_length_is_limited() {
        assert!(parse_package(&"a".repeat(MAX_CHARACTERS)).is_ok());
        assert_eq!(
            parse_package(&"a".repeat(MAX_CHARACTERS + 1)),
            Err(PackageError::TooLong)
        );
    }
}
