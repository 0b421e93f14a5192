//! What the shape of the code promises, read from its files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::compiled::{files, root};

/// The modules of the library by layer: each may use those above it, and itself.
const LAYERS: &[&str] = &[
    "text",
    "json",
    "package",
    "palette",
    "diagnostics",
    "yaml",
    "syntax",
    "formatter",
    "ir",
    "evaluator",
    "decision_space",
    "gate",
    "graph",
    "test_suite",
    "coverage",
    "regions",
    "diff",
    "table",
    "lowering",
    "checks",
    "provenance",
    "compiler",
    "emitter",
    "opa_tests",
    "adapters",
    "proof",
    "project",
    "artifacts",
    "bundle",
    "verification",
    "language_server",
    "terminal",
    "command_line",
    "catalogue",
    "keys",
    "tool_check",
    "configuration",
    "store",
    "audit",
    "gateway",
    "mcp",
    "service",
    "demo",
    "stalwart_command",
];

/// Longest file in lines.
const MAX_LINES: usize = 600;

/// Names that say nothing about what a file is for.
const EMPTY_NAMES: &[&str] = &[
    "utils", "util", "helpers", "helper", "common", "misc", "shared",
];

/// Words that must not stand in the code of the library: unfinished work, and types that make
/// a run differ from another, or a number from what was written.
const FORBIDDEN_CODE: &[&str] = &[
    "todo",
    "f32",
    "f64",
    "HashMap",
    "HashSet",
    "unsafe",
    "Instant",
    "SystemTime",
];

/// Words that must not stand anywhere, in two parts so that they do not stand here.
const FORBIDDEN_TEXT: &[(&str, &str)] = &[
    ("TO", "DO"),
    ("FIX", "ME"),
    ("XX", "X:"),
    ("/ro", "ot/"),
    ("/wo", "rk/"),
    ("/ho", "me/"),
    ("pypi", ".org"),
    ("npmjs", ".com"),
    ("crates", ".io/"),
];

/// A source file of the library.
struct File {
    path: PathBuf,
    /// Its text with comments, strings and characters blanked.
    code: String,
}

fn library() -> Vec<File> {
    files("src", "rs")
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("code is text");
            let code = without_comments_and_strings(&text);
            File { path, code }
        })
        .collect()
}

/// The path below `src` without `.rs`, in segments.
fn module(path: &Path) -> Vec<String> {
    let below = path
        .strip_prefix(root().join("src"))
        .expect("a file of src");
    let below = below.with_extension("");
    below
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn modules_use_only_layers_above_them() {
    let rank = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    let mut wrong = Vec::new();
    for file in library() {
        let module = module(&file.path);
        if ["main", "lib", "stalwart"].contains(&module[0].as_str()) {
            continue;
        }
        let Some(own) = rank(&module[0]) else {
            wrong.push(format!("`{}` is in no layer", module[0]));
            continue;
        };
        for (line, used) in crate_paths(&file.code, module.len()) {
            match rank(&used) {
                Some(other) if other <= own => {}
                Some(_) => wrong.push(format!(
                    "{}:{line}: `{}` uses `{used}`, which is above it",
                    file.path.display(),
                    module[0]
                )),
                None => wrong.push(format!("{}:{line}: `crate::{used}`", file.path.display())),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the gateway's modules may use of those that are there without it.
const UNDER_THE_GATEWAY: &[&str] = &[
    "text",
    "json",
    "package",
    "palette",
    "diagnostics",
    "yaml",
    "ir",
    "evaluator",
    "gate",
    "provenance",
    "artifacts",
];

/// The gateway knows nothing of how a rulebook is written, nor of the compiler's command line; its
/// own command line asks the compiler in one place.
#[test]
fn the_gateway_sits_on_the_rulebook_and_not_on_the_compiler() {
    let rank = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    let first = rank("catalogue").expect("a layer");
    let mut wrong = Vec::new();
    for file in library() {
        let module = module(&file.path);
        if rank(&module[0]).is_none_or(|own| own < first) {
            continue;
        }
        let is_command = module[0] == "stalwart_command";
        let is_verify = module.starts_with(&["stalwart_command".to_owned(), "verify".to_owned()]);
        for (line, used) in crate_paths(&file.code, module.len()) {
            let is_own = rank(&used).is_some_and(|other| other >= first);
            let may = is_own
                || UNDER_THE_GATEWAY.contains(&used.as_str())
                || (is_command && used == "terminal")
                || (is_verify && used == "compiler");
            if !may {
                wrong.push(format!("{}:{line}: `{used}`", file.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first segments of all paths from the root of the crate, with their lines. `depth` is the
/// number of segments of the file's own path, which that many `super`s leave.
fn crate_paths(code: &str, depth: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices("crate::") {
        let line = code[..start].lines().count().max(1);
        found.extend(first_segments(&code[start + "crate::".len()..]).map(|used| (line, used)));
    }
    let chain = "super::".repeat(depth);
    for (start, _) in code.match_indices(chain.as_str()) {
        let line = code[..start].lines().count().max(1);
        let layers = first_segments(&code[start + chain.len()..])
            .filter(|used| LAYERS.contains(&used.as_str()));
        found.extend(layers.map(|used| (line, used)));
    }
    found
}

/// `a` of `a::b`; `a` and `c` of `{a::{b}, c}`.
fn first_segments(rest: &str) -> impl Iterator<Item = String> {
    let word = |text: &str| -> String {
        let letters = text.trim_start().chars();
        letters
            .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
            .collect()
    };
    let mut words = BTreeSet::new();
    if let Some(group) = rest.strip_prefix('{') {
        let mut depth = 0;
        let mut first = true;
        for (index, letter) in group.char_indices() {
            if depth == 0 && first && !letter.is_whitespace() {
                words.insert(word(&group[index..]));
                first = false;
            }
            match letter {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => first = true,
                _ => {}
            }
        }
    } else {
        words.insert(word(rest));
    }
    words.into_iter().filter(|word| !word.is_empty())
}

#[test]
fn the_library_lists_its_modules_by_layer() {
    let text = std::fs::read_to_string(root().join("src/lib.rs")).expect("code is text");
    let code = without_comments_and_strings(&text);
    let listed: Vec<&str> = code
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    let known: Vec<&str> = LAYERS
        .iter()
        .copied()
        .filter(|layer| listed.contains(layer))
        .collect();
    assert_eq!(listed, known, "in another order, or in no layer");
}

#[test]
fn files_are_short_and_named_for_what_they_are() {
    let mut wrong = Vec::new();
    for folder in ["src", "tests"] {
        for path in files(folder, "rs") {
            let text = std::fs::read_to_string(&path).expect("code is text");
            let lines = text.lines().count();
            if lines > MAX_LINES {
                wrong.push(format!("{}: {lines} lines", path.display()));
            }
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            if EMPTY_NAMES.contains(&name.as_str()) || name == "mod" {
                wrong.push(format!("{}: `{name}` says nothing", path.display()));
            }
            // Unit tests in a file of their own are declared, and described, beside the code.
            let exempt = name == "tests" || path.ends_with("tests/suite.rs");
            if !text.starts_with("//!") && !exempt {
                wrong.push(format!("{}: begins without documentation", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_public_module_is_documented() {
    let mut wrong = Vec::new();
    for file in library() {
        let mut module = module(&file.path);
        if ["main", "lib", "stalwart"].contains(&module[0].as_str()) {
            module.clear();
        }
        for line in file.code.lines() {
            let Some(name) = line
                .trim()
                .strip_prefix("pub mod ")
                .and_then(|rest| rest.strip_suffix(';'))
            else {
                continue;
            };
            let path = module
                .iter()
                .map(String::as_str)
                .chain([name])
                .collect::<PathBuf>();
            let path = root().join("src").join(path).with_extension("rs");
            let text = std::fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            if !text.starts_with("//! ") {
                wrong.push(format!("{}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn forbidden_words_are_absent() {
    let mut wrong = Vec::new();
    for file in library() {
        for (number, line) in file.code.lines().enumerate() {
            let mut words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            // All others are told the time.
            let is_clock = file.path.ends_with("src/gateway/clock.rs");
            let may_stand = |word: &str| is_clock && word == "SystemTime";
            let is_forbidden = |word: &&str| FORBIDDEN_CODE.contains(word) && !may_stand(word);
            if let Some(word) = words.find(is_forbidden) {
                wrong.push(format!("{}:{}: `{word}`", file.path.display(), number + 1));
            }
        }
    }
    let folders = [
        ("src", "rs"),
        ("tests", "rs"),
        ("fixtures", "co"),
        ("fixtures", "md"),
        ("docs", "md"),
    ];
    let in_folders = folders
        .iter()
        .filter(|(folder, _)| root().join(folder).is_dir())
        .flat_map(|(folder, extension)| files(folder, extension));
    let at_root = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|name| root().join(name));
    for path in in_folders.chain(at_root.into_iter().filter(|path| path.is_file())) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned();
        for (head, tail) in FORBIDDEN_TEXT {
            let word = format!("{head}{tail}");
            for (number, _) in text
                .lines()
                .enumerate()
                .filter(|(_, line)| line.contains(&word))
            {
                wrong.push(format!("{}:{}: `{word}`", path.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Blanks comments, string and character literals; line ends stay.
fn without_comments_and_strings(text: &str) -> String {
    let bytes: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let at_or = |at: usize| bytes.get(at).copied().unwrap_or('\0');
    while at < bytes.len() {
        let end = match (at_or(at), at_or(at + 1)) {
            ('/', '/') => (at..bytes.len())
                .find(|end| at_or(*end) == '\n')
                .unwrap_or(bytes.len()),
            ('/', '*') => end_of_block_comment(&bytes, at),
            ('"', _) => end_of_string(&bytes, at + 1, 0, true),
            ('r', '"' | '#') if !at_or(at.wrapping_sub(1)).is_alphanumeric() => {
                let hashes = bytes[at + 1..].iter().take_while(|it| **it == '#').count();
                if at_or(at + 1 + hashes) == '"' {
                    end_of_string(&bytes, at + 2 + hashes, hashes, false)
                } else {
                    at
                }
            }
            ('\'', '\\') => (at + 3..bytes.len())
                .find(|end| at_or(*end) == '\'')
                .map_or(bytes.len(), |end| end + 1),
            ('\'', _) if at_or(at + 2) == '\'' => at + 3,
            _ => at,
        };
        if end == at {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let end = end.min(bytes.len());
        out.extend(
            bytes[at..end]
                .iter()
                .map(|it| if *it == '\n' { '\n' } else { ' ' }),
        );
        at = end;
    }
    out
}

/// Block comments nest.
fn end_of_block_comment(text: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at + 1 < text.len() {
        match (text[at], text[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn end_of_string(text: &[char], start: usize, hashes: usize, escapes: bool) -> usize {
    let mut at = start;
    while at < text.len() {
        if escapes && text[at] == '\\' {
            at += 2;
            continue;
        }
        if text[at] == '"'
            && text[at + 1..]
                .iter()
                .take(hashes)
                .filter(|it| **it == '#')
                .count()
                == hashes
        {
            return at + 1 + hashes;
        }
        at += 1;
    }
    text.len()
}

#[test]
fn code_is_told_from_comments_and_strings() {
    let text = "a // crate::b\n\"crate::c \\\" x\" d /* e /* f */ crate::g */ h r#\"i\" crate::j\"# '\"' k '\\'' l<'m> 'n";
    let code = without_comments_and_strings(text);
    let words: Vec<&str> = code.split_whitespace().collect();
    assert_eq!(words, ["a", "d", "h", "k", "l<'m>", "'n"]);
    let code = "use crate::{ir::{Flow, If}, text}; x(crate::syntax::tree); use super::super::emitter::emit;";
    let found: Vec<_> = crate_paths(code, 2)
        .into_iter()
        .map(|(_, used)| used)
        .collect();
    assert_eq!(found, ["ir", "text", "syntax", "emitter"]);
}
