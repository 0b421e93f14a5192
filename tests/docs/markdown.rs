//! Reads what a document claims: examples, tables of decisions, console sessions.

/// What a document claims, in its order.
pub struct Document<'t> {
    text: &'t str,
    /// The claims.
    pub blocks: Vec<Block>,
}

/// One claim.
pub enum Block {
    /// A rulebook that checks, or has the faults it is said to have.
    Example(Example),
    /// Another file that sessions use.
    File(File),
    /// Calls and what they earn.
    Decisions(Decisions),
    /// Lines that are refused, and what to write instead.
    Habits(Habits),
    /// Commands and what they print.
    Console(Console),
}

/// A rulebook: `<!-- example: NAME -->`, or `<!-- example: NAME error RB0301 warning RB0401 -->`,
/// and a block of `co` behind it. With `revised:` for `example:` it takes the place of an earlier
/// one of this name.
pub struct Example {
    /// The line of its text, from 1.
    pub line: usize,
    /// The file it becomes.
    pub name: String,
    /// Whether it takes the place of an earlier text.
    pub revised: bool,
    /// Errors and warnings it has, as severity and code, sorted.
    pub findings: Vec<(String, String)>,
    /// The rulebook.
    pub text: String,
}

/// A file that is no rulebook: `<!-- file: NAME -->` and a block of any language behind it.
pub struct File {
    /// The line of its text, from 1.
    pub line: usize,
    /// Where it is written; a second text of one name replaces the first.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// A table `<!-- decisions: NAME -->` with the columns `tool`, `context`, `decision`.
pub struct Decisions {
    /// The line of its header, from 1.
    pub line: usize,
    /// The rulebook.
    pub name: String,
    /// The cells of each row, the header first.
    pub rows: Vec<Vec<String>>,
}

/// A table `<!-- habits -->` with the columns `instead of` and `write`.
pub struct Habits {
    /// The line of its header, from 1.
    pub line: usize,
    /// A line that is refused, and one that is not.
    pub rows: Vec<(String, String)>,
}

/// A block of `console`: lines that start with `$ ` are commands, the others what they print.
pub struct Console {
    /// The line of its first command, from 1.
    pub line: usize,
    /// Each command with what it prints.
    pub commands: Vec<Command>,
    /// Indices of the document's lines inside the fence.
    lines: std::ops::Range<usize>,
}

/// A command with what it prints.
pub struct Command {
    /// As typed, without `$ `; continuation lines joined by line ends.
    pub typed: String,
    /// Every line with its line end.
    pub output: String,
}

impl Block {
    /// Where it stands.
    pub fn line(&self) -> usize {
        match self {
            Self::Example(it) => it.line,
            Self::File(it) => it.line,
            Self::Decisions(it) => it.line,
            Self::Habits(it) => it.line,
            Self::Console(it) => it.line,
        }
    }
}

impl Console {
    /// What each command prints.
    pub fn output(&self) -> Vec<String> {
        self.commands
            .iter()
            .map(|command| command.output.clone())
            .collect()
    }
}

/// What an HTML comment announces.
enum Announced {
    Example {
        name: String,
        revised: bool,
        findings: Vec<(String, String)>,
    },
    File(String),
    Decisions(String),
    Habits,
}

impl<'t> Document<'t> {
    /// Reads the claims of a text.
    pub fn read(text: &'t str) -> Result<Self, String> {
        let lines: Vec<&str> = text.lines().collect();
        let mut blocks = Vec::new();
        let mut announced = None;
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            let fault = |said: &str| Err(format!("{}: {said}", at + 1));
            if let Some(comment) = line
                .strip_prefix("<!-- ")
                .and_then(|it| it.strip_suffix(" -->"))
            {
                announced = read_announcement(comment).or(announced);
            } else if line.starts_with("```") {
                // A fence of more backticks holds text with fences in it.
                let language = line.trim_start_matches('`');
                let fence = line.strip_suffix(language).unwrap_or(line);
                let Some(length) = lines[at + 1..].iter().position(|line| *line == fence) else {
                    return fault("a fence that is not closed");
                };
                let inside = at + 1..at + 1 + length;
                match (language, announced.take()) {
                    (
                        "co",
                        Some(Announced::Example {
                            name,
                            revised,
                            findings,
                        }),
                    ) => {
                        blocks.push(Block::Example(Example {
                            line: at + 2,
                            name,
                            revised,
                            findings,
                            text: joined(&lines, inside.clone()),
                        }));
                    }
                    ("console" | "co", Some(Announced::File(_))) => {
                        return fault("this block is not a plain file");
                    }
                    (_, Some(Announced::File(name))) => blocks.push(Block::File(File {
                        line: at + 2,
                        name,
                        text: joined(&lines, inside.clone()),
                    })),
                    ("co", _) => return fault("an example without `<!-- example: NAME -->`"),
                    ("console", None) => {
                        blocks.push(Block::Console(read_console(&lines, inside.clone())?))
                    }
                    (_, None) => {}
                    (_, Some(_)) => return fault("the comment before announces something else"),
                }
                at = inside.end;
            } else if line.starts_with('|') {
                let rows = lines[at..].iter().take_while(|line| line.starts_with('|'));
                let length = rows.clone().count();
                let rows = rows.filter(|line| !line.starts_with("|--"));
                let rows: Vec<_> = rows.map(|line| cells(line)).collect();
                match announced.take() {
                    Some(Announced::Decisions(name)) => {
                        blocks.push(Block::Decisions(Decisions {
                            line: at + 1,
                            name,
                            rows,
                        }));
                    }
                    Some(Announced::Habits) => {
                        let rows = rows
                            .into_iter()
                            .skip(1)
                            .map(|row| (row[0].clone(), row[1].clone()));
                        let rows = rows.collect();
                        blocks.push(Block::Habits(Habits { line: at + 1, rows }));
                    }
                    Some(Announced::Example { .. } | Announced::File(_)) => {
                        return fault("an example without its text");
                    }
                    None => {}
                }
                at += length - 1;
            } else if !line.is_empty() && announced.is_some() {
                return fault("the comment before announces something else");
            } else if line.trim_start().starts_with("```") {
                return fault("an indented fence, which nobody checks");
            }
            at += 1;
        }
        Ok(Self { text, blocks })
    }

    /// Examples that check, and of which the document shows no decision.
    pub fn examples_without_decision(&self) -> impl Iterator<Item = &Example> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Example(example)
                if !example
                    .findings
                    .iter()
                    .any(|(severity, _)| severity == "error")
                    && !self.shows_decision_of(&example.name) =>
            {
                Some(example)
            }
            _ => None,
        })
    }

    fn shows_decision_of(&self, name: &str) -> bool {
        self.blocks.iter().any(|block| match block {
            Block::Example(_) | Block::File(_) | Block::Habits(_) => false,
            Block::Decisions(decisions) => decisions.name == name,
            Block::Console(console) => console.commands.iter().any(|command| {
                let of_artifact = ["opa eval ", "eval rulebook.ir.json "];
                let asked = command.typed.contains(&format!("eval {name} "))
                    || of_artifact.iter().any(|ask| command.typed.contains(ask));
                asked && command.output.contains("\"decision\"")
            }),
        })
    }

    /// The text with other output in some of its sessions.
    pub fn with_outputs(&self, replacements: &[(&Console, Vec<String>)]) -> String {
        let lines: Vec<&str> = self.text.lines().collect();
        let mut updated = String::new();
        let mut at = 0;
        for (console, said) in replacements {
            let unchanged = &lines[at..console.lines.start];
            updated.extend(unchanged.iter().map(|line| format!("{line}\n")));
            for (command, said) in console.commands.iter().zip(said) {
                updated += &format!("$ {}\n{said}", command.typed);
            }
            at = console.lines.end;
        }
        updated.extend(lines[at..].iter().map(|line| format!("{line}\n")));
        updated
    }
}

fn read_announcement(comment: &str) -> Option<Announced> {
    if comment == "habits" {
        return Some(Announced::Habits);
    }
    if let Some(name) = comment.strip_prefix("decisions: ") {
        return Some(Announced::Decisions(name.to_owned()));
    }
    if let Some(name) = comment.strip_prefix("file: ") {
        return Some(Announced::File(name.to_owned()));
    }
    let (kind, said) = comment.split_once(": ")?;
    let revised = match kind {
        "example" => false,
        "revised" => true,
        _ => return None,
    };
    let mut words = said.split(' ').map(str::to_owned);
    let name = words.next()?;
    let mut findings = Vec::new();
    while let Some(severity) = words.next() {
        findings.push((severity, words.next().expect("a code behind the severity")));
    }
    findings.sort();
    Some(Announced::Example {
        name,
        revised,
        findings,
    })
}

/// The lines of a block as the text of a file.
fn joined(lines: &[&str], inside: std::ops::Range<usize>) -> String {
    let lines = lines[inside].iter();
    lines.map(|line| format!("{line}\n")).collect()
}

fn cells(row: &str) -> Vec<String> {
    let inner = row.trim().trim_start_matches('|').trim_end_matches('|');
    inner
        .split('|')
        .map(|cell| cell.trim().replace('`', ""))
        .collect()
}

fn read_console(lines: &[&str], inside: std::ops::Range<usize>) -> Result<Console, String> {
    let mut commands: Vec<Command> = Vec::new();
    for at in inside.clone() {
        let line = lines[at];
        if let Some(typed) = line.strip_prefix("$ ") {
            commands.push(Command {
                typed: typed.to_owned(),
                output: String::new(),
            });
            continue;
        }
        let Some(command) = commands.last_mut() else {
            return Err(format!("{}: output before the first command", at + 1));
        };
        if command.output.is_empty() && command.typed.ends_with('\\') {
            command.typed += &format!("\n{line}");
        } else {
            command.output += &format!("{line}\n");
        }
    }
    Ok(Console {
        line: inside.start + 1,
        commands,
        lines: inside,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Title\n\n<!-- example: a.co error RB0001 -->\n\n```co\ndefine flow a\n```\n\n\
        <!-- decisions: a.co -->\n| tool | context |\n|---|---|\n| `t` | `{}` |\n\nText.\n\n\
        ```console\n$ one\nold\n$ two \\\n  three\n```\nEnd.\n";

    #[test]
    fn claims_are_found() {
        let document = Document::read(TEXT).unwrap();
        let [
            Block::Example(example),
            Block::Decisions(decisions),
            Block::Console(console),
        ] = &document.blocks[..]
        else {
            panic!("three claims");
        };
        assert_eq!(
            (example.line, example.text.as_str()),
            (6, "define flow a\n")
        );
        assert_eq!(
            example.findings,
            [("error".to_owned(), "RB0001".to_owned())]
        );
        assert_eq!(decisions.rows, [["tool", "context"], ["t", "{}"]]);
        assert_eq!(console.output(), ["old\n", ""]);
        assert_eq!(console.commands[1].typed, "two \\\n  three");
        let updated = document.with_outputs(&[(console, vec!["new\n".into(), "x\n".into()])]);
        assert!(updated.ends_with("```console\n$ one\nnew\n$ two \\\n  three\nx\n```\nEnd.\n"));
    }

    #[test]
    fn revisions_are_told_from_examples() {
        for (kind, revised) in [("example", false), ("revised", true)] {
            let text = format!("<!-- {kind}: a.co -->\n```co\nx\n```\n");
            let document = Document::read(&text).unwrap();
            let [Block::Example(example)] = &document.blocks[..] else {
                panic!("an example");
            };
            assert_eq!((example.name.as_str(), example.revised), ("a.co", revised));
        }
        assert!(Document::read("<!-- revision: a.co -->\n```co\nx\n```\n").is_err());
    }

    #[test]
    fn other_files_are_found() {
        let document =
            Document::read("<!-- file: a/b.rego -->\n\n```rego\npackage a\n\nx := 1\n```\n")
                .unwrap();
        let [Block::File(file)] = &document.blocks[..] else {
            panic!("a file");
        };
        assert_eq!((file.line, file.name.as_str()), (4, "a/b.rego"));
        assert_eq!(file.text, "package a\n\nx := 1\n");
    }

    #[test]
    fn what_nobody_would_check_is_refused() {
        for text in [
            "```co\nx\n```\n",
            "```console\nx\n```\n",
            "```co\n",
            "  ```co\n",
            "<!-- decisions: a.co -->\nText\n",
            "<!-- file: a.yaml -->\n| a |\n",
            "<!-- file: a.co -->\n```co\nx\n```\n",
        ] {
            assert!(Document::read(text).is_err(), "{text:?}");
        }
    }
}
