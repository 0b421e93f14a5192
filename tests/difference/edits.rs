//! Edits that an author could make, as changed texts.

use stalwart::ir::{FlowKind, Rulebook, ValueType};

/// A text in lines, and the edits found.
struct Text<'t> {
    lines: Vec<&'t str>,
    /// By kind of edit, the edits of that kind in the order of the text.
    found: Vec<Vec<(String, String)>>,
}

/// Edits with their names, one of each kind in turn. Not all of them check.
pub fn edits(text: &str, rulebook: &Rulebook) -> Vec<(String, String)> {
    let mut edited = Text {
        lines: text.lines().collect(),
        found: Vec::new(),
    };
    edited.replace_in_conditions("a threshold changed", change_number);
    for (from, to) in [
        (" <= ", " < "),
        (" < ", " >= "),
        (" > ", " >= "),
        (" >= ", " < "),
        (" == ", " != "),
        (" != ", " == "),
        (" not in ", " in "),
        (" in ", " not in "),
    ] {
        edited.replace_in_conditions("an operator flipped", |line| {
            line.contains(from).then(|| line.replacen(from, to, 1))
        });
    }
    edited.remove_blocks("an arm removed", "else");
    edited.replace_in_conditions("a condition negated", |line| {
        let (head, condition) = line.split_once("if ")?;
        Some(format!(
            "{head}if not ({})",
            condition.trim_end_matches(':')
        ))
    });
    edited.replace("a message renamed", |line| {
        let rest = line.trim_start().strip_prefix("bot ")?;
        let named = !rest.starts_with(['"', '\'', '$', '.']);
        named.then(|| format!("{line} anew"))
    });
    let guards = rulebook
        .flows
        .iter()
        .filter(|flow| flow.kind == FlowKind::Guard);
    for guard in guards {
        edited.remove_blocks("a guard removed", &format!("define flow {}", guard.name));
    }
    edited.add_flows(rulebook);
    edited.replace_in_conditions("a literal added", |line| {
        if line.contains("[\"") {
            Some(line.replacen('[', "[\"added\", ", 1))
        } else {
            line.contains("in [")
                .then(|| line.replacen('[', "[4711, ", 1))
        }
    });
    edited.replace_in_conditions("`and` made `or`", |line| {
        line.contains(" and ")
            .then(|| line.replacen(" and ", " or ", 1))
    });
    edited.replace_in_conditions("`or` made `and`", |line| {
        line.contains(" or ")
            .then(|| line.replacen(" or ", " and ", 1))
    });
    edited.replace("a tool renamed", |line| {
        let (head, tool) = line.split_once("execute ")?;
        Some(format!("{head}execute renamed_{tool}"))
    });
    edited.replace("a run made a refusal", |line| {
        let (head, _) = line.split_once("execute ")?;
        head.trim()
            .is_empty()
            .then(|| format!("{head}bot refuse this"))
    });
    edited.replace("a refusal made a run", |line| {
        let (head, _) = line.split_once("bot refuse")?;
        let tool = rulebook.tools.first()?;
        Some(format!("{head}execute {}", tool.name))
    });
    edited.replace("a question made a refusal", |line| {
        line.contains("bot ask")
            .then(|| line.replacen("bot ask", "bot refuse", 1))
    });
    edited.replace("a line dropped", |line| {
        line.starts_with("  ").then(String::new)
    });
    // One of each kind in turn.
    let longest = edited.found.iter().map(Vec::len).max().unwrap_or_default();
    let found = &edited.found;
    (0..longest)
        .flat_map(|at| found.iter().filter_map(move |kind| kind.get(at).cloned()))
        .collect()
}

/// Adds one to the last digit of the first number behind an operator.
fn change_number(line: &str) -> Option<String> {
    let behind = |mark: &&str| line.find(*mark).map(|at| at + mark.len());
    let start = ["= ", "< ", "> ", "in ["].iter().filter_map(behind).min()?;
    let rest = &line[start..];
    let end = rest
        .find(|character: char| !character.is_ascii_digit() && !matches!(character, '.' | '-'))
        .unwrap_or(rest.len());
    let digits = &rest[..end];
    let last = digits.chars().next_back()?.to_digit(10)?;
    let changed = format!("{}{}", &digits[..digits.len() - 1], (last + 1) % 10);
    Some(format!("{}{changed}{}", &line[..start], &rest[end..]))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

impl Text<'_> {
    fn push(&mut self, name: &str, found: Vec<(usize, Vec<String>)>) {
        let texts = found.into_iter().map(|(line, lines)| {
            (
                format!("{name}, line {}", line + 1),
                lines.join("\n") + "\n",
            )
        });
        let texts = texts.collect();
        self.found.push(texts);
    }

    /// Every line that the edit changes, changed.
    fn replace(&mut self, name: &str, edit: impl Fn(&str) -> Option<String>) {
        let owned = || self.lines.iter().map(|line| (*line).to_owned());
        let found = self.lines.iter().enumerate().filter_map(|(at, line)| {
            let code = line.split(" #").next().unwrap_or_default();
            let changed = edit(code).filter(|changed| changed != line)?;
            let mut lines: Vec<String> = owned().collect();
            lines[at] = changed;
            Some((at, lines))
        });
        let found = found.collect();
        self.push(name, found);
    }

    fn replace_in_conditions(&mut self, name: &str, edit: impl Fn(&str) -> Option<String>) {
        self.replace(name, |line| {
            let head = line.trim_start();
            let is_condition = ["if ", "else if ", "elif "]
                .iter()
                .any(|word| head.starts_with(word));
            is_condition.then(|| edit(line)).flatten()
        });
    }

    /// Every line that begins so, removed with the lines below it.
    fn remove_blocks(&mut self, name: &str, begin: &str) {
        let mut found = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            if !line.trim_start().starts_with(begin) {
                continue;
            }
            let below = self.lines[at + 1..]
                .iter()
                .take_while(|other| other.trim().is_empty() || indent(other) > indent(line))
                .count();
            let (head, tail) = (&self.lines[..at], &self.lines[at + 1 + below..]);
            let lines = head.iter().chain(tail).map(|line| (*line).to_owned());
            found.push((at, lines.collect()));
        }
        self.push(name, found);
    }

    /// A guard and a governing flow more.
    fn add_flows(&mut self, rulebook: &Rulebook) {
        let boolean = rulebook
            .context
            .iter()
            .find(|name| name.value_type == ValueType::Bool)
            .map_or_else(
                || "True".to_owned(),
                |name| format!("${}", name.name.join(".")),
            );
        let mut flows = vec![format!(
            "define flow added guard\n  if {boolean}\n    bot refuse by the added guard\n    stop"
        )];
        for tool in &rulebook.tools {
            flows.push(format!(
                "define flow added flow\n  if {boolean}\n    execute {}\n  else\n    bot refuse added",
                tool.name
            ));
        }
        flows.push("define flow added flow\n  execute added_tool".to_owned());
        let found = flows.into_iter().map(|flow| {
            let lines = self.lines.iter().map(|line| (*line).to_owned());
            let all = lines.chain(["".to_owned(), flow]);
            (self.lines.len(), all.collect())
        });
        let found = found.collect();
        self.push("a flow added", found);
    }
}
