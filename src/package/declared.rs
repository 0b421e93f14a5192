//! The package that any Rego text declares, ours or another's.

use serde_json::Value;

use crate::json;

/// The package that a Rego text declares, dotted; `a["b"]` is read as `a.b`. None where the text
/// does not begin with a declaration, which no engine loads.
///
/// Rego lets blanks, line ends and comments stand behind `package` and inside of brackets. All of
/// it is read, so that a file cannot hide the package that it adds to.
pub fn declared_package(rego: &str) -> Option<String> {
    let rest = rego.strip_prefix('\u{FEFF}').unwrap_or(rego);
    let rest = behind_blanks(rest).strip_prefix("package")?;
    let path = behind_blanks(rest);
    // Otherwise it is a longer word.
    if path.len() == rest.len() {
        return None;
    }
    let (root, mut rest) = identifier(path)?;
    let mut package = root.to_owned();
    loop {
        let (segment, behind) = if let Some(behind) = rest.strip_prefix('.') {
            let (segment, behind) = identifier(behind)?;
            (segment.to_owned(), behind)
        } else if let Some(inside) = rest.strip_prefix('[') {
            let (segment, behind) = string(behind_blanks(inside))?;
            (segment, behind_blanks(behind).strip_prefix(']')?)
        } else {
            return Some(package);
        };
        package.push('.');
        package.push_str(&segment);
        rest = behind;
    }
}

/// What stands behind blanks, line ends and comments.
fn behind_blanks(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        match rest.strip_prefix('#') {
            Some(comment) => rest = comment.find('\n').map_or("", |end| comment.split_at(end).1),
            None => return rest,
        }
    }
}

/// An identifier, and what stands behind it.
fn identifier(text: &str) -> Option<(&str, &str)> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let end = text.find(|character| !is_part(character));
    let (name, behind) = text.split_at(end.unwrap_or(text.len()));
    (!name.is_empty()).then_some((name, behind))
}

/// A string in quotes or backticks, and what stands behind it.
fn string(text: &str) -> Option<(String, &str)> {
    if let Some(raw) = text.strip_prefix('`') {
        let (inside, behind) = raw.split_once('`')?;
        return Some((inside.to_owned(), behind));
    }
    let inside = text.strip_prefix('"')?;
    let mut is_escaped = false;
    let end = inside.find(|character| {
        let is_end = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end
    })?;
    // The closing quote is one byte, as the opening one.
    let (quoted, behind) = text.split_at_checked(end + 2)?;
    match json::parse(quoted.as_bytes()) {
        Ok(Value::String(string)) => Some((string, behind)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_any_rego() {
        for (rego, package) in [
            ("package a.b\n", Some("a.b")),
            ("# x\n\n  package a # y\n", Some("a")),
            ("# x\n\n  package\ta.b# c\nimport rego.v1", Some("a.b")),
            ("\u{FEFF}package a[\"b\"].c", Some("a.b.c")),
            ("package\na.b", Some("a.b")),
            ("package # x\r\n\n# y\na.b", Some("a.b")),
            ("package#x\na.b", Some("a.b")),
            ("package a[`b`]", Some("a.b")),
            ("package a[ # x\n \"\\u0062\" ]\n", Some("a.b")),
            ("package a[\"b\\\"]\"]", Some("a.b\"]")),
            ("package\n", None),
            ("package a.", None),
            ("package a[\"b\"", None),
            ("package a[\"b", None),
            ("package a[b]", None),
            ("packages a", None),
            ("import rego.v1\npackage a", None),
            ("# x", None),
            ("", None),
        ] {
            assert_eq!(declared_package(rego).as_deref(), package, "{rego:?}");
        }
    }
}
