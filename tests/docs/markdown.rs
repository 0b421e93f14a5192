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
    /// Calls and what they earn.
    Decisions(Decisions),
    /// Commands and what they print.
    Console(Console),
}

/// A rulebook: `<!-- example: NAME -->`, or `<!-- example: NAME error RB0301 warning RB0401 -->`,
/// and a block of `co` behind it.
pub struct Example {
    /// The line of its text, from 1.
    pub line: usize,
    /// The file it becomes.
    pub name: String,
    /// Errors and warnings it has, as severity and code, sorted.
    pub findings: Vec<(String, String)>,
    /// The rulebook.
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
            Self::Decisions(it) => it.line,
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
    Example(String, Vec<(String, String)>),
    Decisions(String),
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
            } else if let Some(language) = line.strip_prefix("```") {
                let Some(length) = lines[at + 1..].iter().position(|line| *line == "```") else {
                    return fault("a fence that is not closed");
                };
                let inside = at + 1..at + 1 + length;
                match (language, announced.take()) {
                    ("co", Some(Announced::Example(name, findings))) => {
                        blocks.push(Block::Example(Example {
                            line: at + 2,
                            name,
                            findings,
                            text: lines[inside.clone()]
                                .iter()
                                .map(|line| format!("{line}\n"))
                                .collect(),
                        }));
                    }
                    ("co", _) => return fault("an example without `<!-- example: NAME -->`"),
                    ("console", None) => {
                        blocks.push(Block::Console(read_console(&lines, inside.clone())?))
                    }
                    (_, None) => {}
                    (_, Some(_)) => return fault("the comment before announces something else"),
                }
                at = inside.end;
            } else if line.starts_with('|') {
                if let Some(Announced::Decisions(name)) = announced.take() {
                    let rows = lines[at..].iter().take_while(|line| line.starts_with('|'));
                    let rows = rows
                        .filter(|line| !line.starts_with("|--"))
                        .map(|line| cells(line));
                    blocks.push(Block::Decisions(Decisions {
                        line: at + 1,
                        name,
                        rows: rows.collect(),
                    }));
                }
                at += lines[at..]
                    .iter()
                    .take_while(|line| line.starts_with('|'))
                    .count()
                    - 1;
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
            Block::Example(_) => false,
            Block::Decisions(decisions) => decisions.name == name,
            Block::Console(console) => console.commands.iter().any(|command| {
                command.typed.contains(&format!("eval {name} "))
                    || command.output.contains("\"decision\"")
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
    if let Some(name) = comment.strip_prefix("decisions: ") {
        return Some(Announced::Decisions(name.to_owned()));
    }
    let mut words = comment
        .strip_prefix("example: ")?
        .split(' ')
        .map(str::to_owned);
    let name = words.next()?;
    let mut findings = Vec::new();
    while let Some(severity) = words.next() {
        findings.push((severity, words.next().expect("a code behind the severity")));
    }
    findings.sort();
    Some(Announced::Example(name, findings))
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
    fn what_nobody_would_check_is_refused() {
        for text in [
            "```co\nx\n```\n",
            "```console\nx\n```\n",
            "```co\n",
            "  ```co\n",
            "<!-- decisions: a.co -->\nText\n",
        ] {
            assert!(Document::read(text).is_err(), "{text:?}");
        }
    }
}
