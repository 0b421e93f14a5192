//! Faults that an emitter could have: each is one small change of the emitted text.

use std::collections::BTreeSet;

/// A changed package.
pub struct Mutant {
    /// What kind of fault it is.
    pub kind: Kind,
    /// Line of the text, from 1, at which it begins.
    pub line: usize,
    /// What stood there, and what stands there now.
    pub change: String,
    /// The whole text.
    pub rego: String,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    DropCondition,
    DropNot,
    AddNot,
    FlipOperator,
    FlipComparison,
    ChangeLiteral,
    ChangeWord,
    ChangeRuleName,
    SwapBranches,
    ReorderElse,
    MoveRefuseLast,
    DropElse,
    DropRule,
}

impl Kind {
    pub const ALL: [Self; 13] = [
        Self::DropCondition,
        Self::DropNot,
        Self::AddNot,
        Self::FlipOperator,
        Self::FlipComparison,
        Self::ChangeLiteral,
        Self::ChangeWord,
        Self::ChangeRuleName,
        Self::SwapBranches,
        Self::ReorderElse,
        Self::MoveRefuseLast,
        Self::DropElse,
        Self::DropRule,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::DropCondition => "drop a condition",
            Self::DropNot => "drop a `not`",
            Self::AddNot => "add a `not`",
            Self::FlipOperator => "flip an operator",
            Self::FlipComparison => "name another comparison",
            Self::ChangeLiteral => "change a literal",
            Self::ChangeWord => "change a decision",
            Self::ChangeRuleName => "name another branch",
            Self::SwapBranches => "swap two branches",
            Self::ReorderElse => "reorder an `else` chain",
            Self::MoveRefuseLast => "move a refusal to the end",
            Self::DropElse => "drop an `else`",
            Self::DropRule => "drop a rule",
        }
    }
}

const OPERATORS: [(&str, &str); 6] = [
    (" == ", " != "),
    (" != ", " == "),
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
];

/// Comparisons and what each is most easily mistaken for; dotted names and the tool have their
/// own forms.
const COMPARISONS: [(&str, &str); 12] = [
    ("number_below", "number_at_most"),
    ("number_at_most", "number_below"),
    ("number_above", "number_at_least"),
    ("number_at_least", "number_above"),
    ("number_equal", "number_unequal"),
    ("number_unequal", "number_equal"),
    ("string_equal", "string_unequal"),
    ("string_unequal", "string_equal"),
    ("boolean_equal", "boolean_unequal"),
    ("boolean_unequal", "boolean_equal"),
    ("among", "not_among"),
    ("not_among", "among"),
];

const WORDS: [(&str, &str); 5] = [
    ("\"decision\": \"refuse\"", "\"decision\": \"allow\""),
    ("\"decision\": \"clarify\"", "\"decision\": \"allow\""),
    ("\"decision\": \"allow\"", "\"decision\": \"refuse\""),
    ("\"decision\": \"silent\"", "\"decision\": \"allow\""),
    ("\"rule\": \"no_match\"", "\"rule\": \"\""),
];

/// The text in lines, with what mutants are made of.
struct Text<'t> {
    lines: Vec<&'t str>,
    /// The number of lines of the header.
    header: usize,
    found: Vec<Mutant>,
}

/// Every mutant of a package, in the order of its text.
pub fn mutants(rego: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = rego.split('\n').collect();
    let header = lines
        .iter()
        .position(|line| line.starts_with("import "))
        .expect("the imports")
        + 1;
    let mut text = Text {
        lines,
        header,
        found: Vec::new(),
    };
    text.change_lines();
    text.change_branches();
    text.change_chains();
    text.drop_rules();
    let mut seen = BTreeSet::new();
    text.found
        .retain(|mutant| mutant.rego != rego && seen.insert(mutant.rego.clone()));
    text.found.sort_by_key(|mutant| (mutant.line, mutant.kind));
    text.found
}

impl Text<'_> {
    fn push(&mut self, kind: Kind, line: usize, change: String, lines: Vec<String>) {
        self.found.push(Mutant {
            kind,
            line: line + 1,
            change,
            rego: lines.join("\n"),
        });
    }

    fn owned(&self) -> Vec<String> {
        self.lines.iter().map(|line| (*line).to_owned()).collect()
    }

    /// Puts another line in the place of one; none drops it.
    fn replace(&mut self, kind: Kind, at: usize, with: Option<String>) {
        let old = self.lines[at].trim();
        let change = match &with {
            Some(new) => format!("`{old}` -> `{}`", new.trim()),
            None => format!("`{old}` dropped"),
        };
        let mut lines = self.owned();
        match with {
            Some(new) => lines[at] = new,
            None => drop(lines.remove(at)),
        }
        self.push(kind, at, change, lines);
    }

    fn change_lines(&mut self) {
        for at in self.header..self.lines.len() {
            let line = self.lines[at];
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            self.drop_condition(at, line);
            for (kind, table) in [
                (Kind::FlipOperator, OPERATORS.as_slice()),
                (Kind::FlipComparison, COMPARISONS.as_slice()),
                (Kind::ChangeWord, WORDS.as_slice()),
            ] {
                for (from, to) in table {
                    self.replace_each(kind, at, line, from, to);
                }
            }
            self.change_literals(at, line);
            self.change_rule_names(at, line);
        }
    }

    fn drop_condition(&mut self, at: usize, line: &str) {
        if let Some(statement) = line.strip_prefix('\t') {
            let is_only = self.lines[at - 1].ends_with('{') && self.lines[at + 1].starts_with('}');
            let rest = is_only.then(|| "\ttrue".to_owned());
            self.replace(Kind::DropCondition, at, rest);
            match statement.strip_prefix("not ") {
                Some(positive) => self.replace(Kind::DropNot, at, Some(format!("\t{positive}"))),
                None if !statement.contains(":=") => {
                    self.replace(Kind::AddNot, at, Some(format!("\tnot {statement}")));
                }
                None => {}
            }
        } else if let Some((head, condition)) = line.split_once(" if ")
            && !line.ends_with('{')
        {
            self.replace(Kind::DropCondition, at, Some(format!("{head} if true")));
            let other = condition.strip_prefix("not ");
            match other {
                Some(positive) => {
                    self.replace(Kind::DropNot, at, Some(format!("{head} if {positive}")));
                }
                None => {
                    self.replace(Kind::AddNot, at, Some(format!("{head} if not {condition}")));
                }
            }
        }
    }

    fn replace_each(&mut self, kind: Kind, at: usize, line: &str, from: &str, to: &str) {
        for (place, _) in line.match_indices(from) {
            let (before, after) = (&line[..place], &line[place + from.len()..]);
            let is_inside = kind == Kind::FlipComparison
                && (before.ends_with(|it: char| it.is_alphanumeric())
                    || (from == "among" && before.ends_with("not_"))
                    || !after.starts_with(['(', '2', '3', '4']));
            // A definition that is given another's name is another fault: the next kind's.
            let is_definition = kind == Kind::FlipComparison && line.ends_with('{');
            if !is_inside && !is_definition {
                self.replace(kind, at, Some(format!("{before}{to}{after}")));
            }
        }
    }

    /// Numbers, booleans and texts; of a text its last letter, so that names and wordings count.
    fn change_literals(&mut self, at: usize, line: &str) {
        let code = line.strip_prefix('\t').unwrap_or(line);
        let start = line.len() - code.len();
        let mut inside = false;
        let mut escaped = false;
        for (place, letter) in line.char_indices().skip(start) {
            let (before, after) = (&line[..place], &line[place..]);
            match letter {
                _ if escaped => escaped = false,
                '\\' if inside => escaped = true,
                '"' => {
                    let is_key =
                        after[1..].starts_with("decision\"") || after[1..].starts_with("rule\"");
                    let is_word = before.ends_with("\"decision\": ") || after.starts_with("\"\"");
                    if !inside && !is_key && !is_word {
                        let with = format!("{before}\"x{}", &after[1..]);
                        self.replace(Kind::ChangeLiteral, at, Some(with));
                    }
                    inside = !inside;
                }
                '0'..='9' if !inside && before.ends_with([' ', '[', '-']) => {
                    let end = after.find(|it: char| !it.is_ascii_digit() && it != '.');
                    let (number, rest) = after.split_at(end.unwrap_or(after.len()));
                    for other in [format!("{number}1"), format!("{number}.5")] {
                        if !(number.contains('.') && other.ends_with(".5")) {
                            self.replace(
                                Kind::ChangeLiteral,
                                at,
                                Some(format!("{before}{other}{rest}")),
                            );
                        }
                    }
                }
                _ => {}
            }
        }
        for (from, to) in [("true", "false"), ("false", "true")] {
            for end in [")", "", ","] {
                let (from, to) = (format!(" {from}{end}"), format!(" {to}{end}"));
                if let Some(before) = line.strip_suffix(&from) {
                    self.replace(Kind::ChangeLiteral, at, Some(format!("{before}{to}")));
                }
            }
        }
    }

    /// `f2_b3_holds` -> `f2_b4_holds`, or of the branch before where there is none behind.
    fn change_rule_names(&mut self, at: usize, line: &str) {
        for (place, _) in line.match_indices("_b") {
            let (before, after) = (&line[..place + 2], &line[place + 2..]);
            let end = after.find(|it: char| !it.is_ascii_digit()).unwrap_or(0);
            let Ok(number) = after[..end].parse::<usize>() else {
                continue;
            };
            let start = before.rfind(|it: char| !it.is_alphanumeric() && it != '_');
            let prefix = &before[start.map_or(0, |at| at + 1)..];
            let rest = &after[end..];
            let suffix_end = rest.find(|it: char| !it.is_alphanumeric() && it != '_');
            let suffix = &rest[..suffix_end.unwrap_or(rest.len())];
            let others = [number + 1, number.saturating_sub(1)];
            let exists = |other: &usize| {
                let name = format!("{prefix}{other}{suffix} ");
                self.lines.iter().any(|line| line.starts_with(&name))
            };
            if let Some(other) = others.into_iter().find(exists) {
                self.replace(
                    Kind::ChangeRuleName,
                    at,
                    Some(format!("{before}{other}{rest}")),
                );
            }
        }
    }

    /// The bodies of neighbouring branches change places, of each of the three rules.
    fn change_branches(&mut self) {
        let heads: Vec<(usize, usize, String)> = (self.header..self.lines.len())
            .filter_map(|at| {
                let line = self.lines[at];
                let name = line.split(' ').next()?;
                let is_rule = ["_enclosing", "_holds"]
                    .iter()
                    .any(|end| name.ends_with(end));
                if !is_rule || line.starts_with(['\t', '}']) {
                    return None;
                }
                let length = self.lines[at..].iter().position(|line| line.is_empty())?;
                Some((at, at + length, name.to_owned()))
            })
            .collect();
        for (number, (start, end, name)) in heads.iter().enumerate() {
            let kind = name.rsplit('_').next();
            let flow = name.split("_b").next();
            let Some((other_start, other_end, other)) =
                heads[number + 1..].iter().find(|(_, _, other)| {
                    other.rsplit('_').next() == kind && other.split("_b").next() == flow
                })
            else {
                continue;
            };
            let rename = |line: &str, from: &str, to: &str| line.replacen(from, to, 1);
            let mut lines = self.owned();
            lines[*start] = rename(self.lines[*start], name, other);
            lines[*other_start] = rename(self.lines[*other_start], other, name);
            let same = self.lines[start + 1..*end] == self.lines[other_start + 1..*other_end];
            if !same || self.lines[*start].len() != self.lines[*other_start].len() {
                let change = format!("the bodies of `{name}` and `{other}` swapped");
                self.push(Kind::SwapBranches, *start, change, lines);
            }
        }
    }

    /// The cases of each `else` chain: neighbours swapped, one dropped, a refusal moved last.
    fn change_chains(&mut self) {
        let mut at = self.header;
        while at < self.lines.len() {
            let length = self.lines[at..].iter().position(|line| line.is_empty());
            let end = at + length.unwrap_or(self.lines.len() - at);
            if self.lines[at..end]
                .iter()
                .any(|line| line.starts_with("} else"))
            {
                self.change_chain(at, end);
            }
            at = end + 1;
        }
    }

    fn change_chain(&mut self, start: usize, end: usize) {
        let mut cases: Vec<Vec<String>> = Vec::new();
        let mut name = "";
        for line in &self.lines[start..end] {
            if let Some(head) = line.strip_prefix("} else := ") {
                cases.push(vec![head.to_owned()]);
            } else if let Some((rule, head)) = line.split_once(" := ").filter(|_| cases.is_empty())
            {
                name = rule;
                cases.push(vec![head.to_owned()]);
            } else if *line != "}" {
                cases.last_mut().expect("a case").push((*line).to_owned());
            }
        }
        let mut orders: Vec<(Kind, String, Vec<usize>)> = Vec::new();
        let all: Vec<usize> = (0..cases.len()).collect();
        for at in 0..cases.len() {
            let mut order = all.clone();
            order.remove(at);
            orders.push((
                Kind::DropElse,
                format!("case {} dropped", at + 1),
                order.clone(),
            ));
            if cases[at][0].contains("\"refuse\"") {
                order.push(at);
                orders.push((
                    Kind::MoveRefuseLast,
                    format!("case {} moved to the end", at + 1),
                    order,
                ));
            }
            if at + 1 < cases.len() {
                let mut order = all.clone();
                order.swap(at, at + 1);
                let change = format!("cases {} and {} swapped", at + 1, at + 2);
                orders.push((Kind::ReorderElse, change, order));
            }
        }
        for (kind, change, order) in orders {
            let mut chain: Vec<String> = Vec::new();
            for (place, case) in order.iter().enumerate() {
                let lead = if place == 0 {
                    format!("{name} := ")
                } else {
                    "} else := ".to_owned()
                };
                chain.push(format!("{lead}{}", cases[*case][0]));
                chain.extend(cases[*case][1..].iter().cloned());
            }
            if !chain.is_empty() {
                chain.push("}".to_owned());
            }
            let mut lines = self.owned();
            lines.splice(start..end, chain);
            let change = format!("`{}`: {change}", self.lines[start]);
            self.push(kind, start, change, lines);
        }
    }

    fn drop_rules(&mut self) {
        let mut at = self.header;
        while at < self.lines.len() {
            let length = self.lines[at..].iter().position(|line| line.is_empty());
            let end = at + length.unwrap_or(self.lines.len() - at);
            let line = self.lines[at];
            if !line.is_empty() && !line.starts_with('#') {
                let mut lines = self.owned();
                lines.drain(at..end);
                self.push(Kind::DropRule, at, format!("`{line}` dropped"), lines);
            }
            at = end + 1;
        }
    }
}
