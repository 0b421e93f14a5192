//! From a model to the text of a rulebook.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::draft::{Condition, Draft};
use super::legal::{Rules, States, executes, guard_head};
use super::pools::{self, NAMES, Type, names_of, pick, quoted};
use super::{FlowDraft, Model, Shape};

/// Prints the rulebook that the rules leave of a model.
pub fn print(model: &Model) -> String {
    let mut subflows: Vec<(bool, Vec<Draft>)> = Vec::new();
    for draft in &model.subflows {
        let rules = Rules {
            subflows: &subflows,
            shape: if draft.guard_only {
                Shape::Guard
            } else {
                Shape::Governing
            },
            guard: draft.guard_only,
        };
        let (body, _) = rules.legal(&draft.body, States::START);
        subflows.push((draft.guard_only, body));
    }
    let flows: Vec<_> = model
        .flows
        .iter()
        .map(|flow| legal_flow(flow, &subflows))
        .collect();
    let mut used = BTreeSet::new();
    for (_, body) in &flows {
        collect_uses(body, &subflows, &mut used);
    }
    let mut printer = Printer {
        text: String::new(),
        adorned: model.adorned,
        fresh: 0,
        guard: false,
    };
    printer.head(model);
    for (index, (guard_only, body)) in subflows.iter().enumerate() {
        // `$tool_name` may be read only where guards alone come by.
        if *guard_only && !used.contains(&index) {
            continue;
        }
        let _ = writeln!(printer.text, "\ndefine subflow check {index}");
        printer.guard = *guard_only;
        printer.block(body, 1);
    }
    for (index, (flow, (opening, body))) in model.flows.iter().zip(&flows).enumerate() {
        printer.flow(index, flow, *opening, body);
    }
    printer.text
}

/// The opening and the legal body of a flow.
fn legal_flow(
    flow: &FlowDraft,
    subflows: &[(bool, Vec<Draft>)],
) -> (Option<&'static str>, Vec<Draft>) {
    let guard = flow.shape == Shape::Guard;
    let rules = Rules {
        subflows,
        shape: flow.shape,
        guard,
    };
    let opening = match flow.shape {
        Shape::Dialogue => Some("user greet"),
        Shape::Guard => flow.look.is_multiple_of(3).then_some("user ..."),
        Shape::Governing => flow.look.is_multiple_of(3).then(|| {
            let openings = ["user ask refund", "event StartRefund", "user ..."];
            pick(&openings, flow.look / 3)
        }),
    };
    let start = match opening {
        Some(_) => States::STEPPED,
        None => States::START,
    };
    let mut drafts = flow.body.clone();
    if guard {
        drafts.insert(0, guard_head(flow.look));
    }
    let mut body = rules.legal(&drafts, start).0;
    if flow.shape == Shape::Governing && !body.iter().any(|it| executes(it, subflows)) {
        let tail = [Draft::Run(flow.look), Draft::Remark(flow.look)];
        body = rules.legal(&tail, start).0;
    }
    (opening, body)
}

/// All subflows that a body inlines.
fn collect_uses(body: &[Draft], subflows: &[(bool, Vec<Draft>)], used: &mut BTreeSet<usize>) {
    for statement in body {
        match statement {
            Draft::Do(index) => {
                used.insert(usize::from(*index));
                collect_uses(&subflows[usize::from(*index)].1, subflows, used);
            }
            Draft::If(arms, otherwise) => {
                for body in arms.iter().map(|(_, body)| body).chain(otherwise) {
                    collect_uses(body, subflows, used);
                }
            }
            Draft::Constant(_, body) | Draft::Alias(_, body) => {
                collect_uses(body, subflows, used);
            }
            Draft::Wild(_, body, other) => {
                collect_uses(body, subflows, used);
                collect_uses(other, subflows, used);
            }
            _ => {}
        }
    }
}

/// Definitions of texts, with comments.
const ADORNMENT: &str = r#"
define user approve # yes
  "I do", "Yes # please"

define bot refuse
  'It\'s not \u0041'
"#;

struct Printer {
    text: String,
    adorned: bool,
    /// Numbers the names that are assigned.
    fresh: usize,
    /// Whether `$tool_name` may be read.
    guard: bool,
}

impl Printer {
    fn head(&mut self, model: &Model) {
        if self.adorned {
            self.text
                .push_str("# A rulebook.\n\"\"\"What it is about.\"\"\"\n");
        }
        if model.declared {
            self.text.push_str("define context\n");
            for (name, value_type) in NAMES {
                let word = match value_type {
                    Type::Boolean => "bool",
                    Type::Number => "number",
                    Type::String => "string",
                };
                let _ = writeln!(self.text, "  ${name}: {word}");
            }
        }
        if self.adorned {
            self.text.push_str(ADORNMENT);
        }
    }

    fn flow(&mut self, index: usize, flow: &FlowDraft, opening: Option<&str>, body: &[Draft]) {
        let name = pick(pools::FLOW_NAMES, flow.look).replace('%', &index.to_string());
        let adorned = |every: u8| self.adorned && flow.look.is_multiple_of(every);
        let modifier = if adorned(7) { "parallel " } else { "" };
        let colon = if adorned(5) { ":" } else { "" };
        let documented = adorned(4);
        let _ = writeln!(self.text, "\ndefine {modifier}flow {name}{colon}");
        if documented {
            self.line(1, "\"\"\"What it is for.\"\"\"");
        }
        self.guard = flow.shape == Shape::Guard;
        if let Some(opening) = opening {
            self.line(1, opening);
        }
        if flow.shape == Shape::Dialogue {
            self.unreadable(flow.look);
        }
        self.block(body, 1);
    }

    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = depth * 2);
    }

    /// Talk that the gate cannot read, in a dialogue flow.
    fn unreadable(&mut self, look: u8) {
        let lines: &[&str] = match look % 5 {
            0 => &[
                "if len($user_message) > 5",
                "  bot say less",
                "else if $x[\"k\"] is None",
                "  bot say more",
            ],
            1 => &[
                "while $amount < 3",
                "  bot count up",
                "  if $amount == 2",
                "    break",
            ],
            2 => &[
                "when user laugh",
                "  bot laugh too",
                "else when user cry",
                "  bot cry too",
            ],
            3 => &["$topic = ...", "if $topic", "  bot talk on"],
            _ => &["label again", "any", "  user agree", "  user disagree"],
        };
        for line in lines {
            self.line(1, line);
        }
    }

    fn block(&mut self, body: &[Draft], depth: usize) {
        for statement in body {
            self.statement(statement, depth);
        }
    }

    fn statement(&mut self, statement: &Draft, depth: usize) {
        match statement {
            Draft::Run(choice) => {
                let tool = pick(pools::TOOLS, *choice);
                let line = match choice / 8 % 5 {
                    0 => format!("execute {tool}(id=$order_id, tags=[\"a\", 1], note=\"x # )\")"),
                    1 => {
                        self.fresh += 1;
                        format!("$result{} = execute {tool}", self.fresh)
                    }
                    2 => format!("execute {tool}($amount)"),
                    _ => format!("execute {tool}"),
                };
                self.line(depth, &line);
            }
            Draft::Remark(choice) => self.bot(pools::REMARKS, *choice, depth),
            Draft::Refuse(choice) => self.bot(pools::REFUSALS, *choice, depth),
            Draft::Ask(choice) => self.bot(pools::QUESTIONS, *choice, depth),
            Draft::Text(choice) => {
                let text = quoted(pick(pools::TEXTS, *choice), choice % 2 == 0);
                self.line(depth, &format!("bot {text}"));
            }
            Draft::Turn(choice) => {
                self.line(depth, &format!("user {}", pick(pools::TURNS, *choice)));
            }
            Draft::Stop => self.line(
                depth,
                if depth.is_multiple_of(2) {
                    "stop"
                } else {
                    "abort"
                },
            ),
            Draft::Return => self.line(depth, "return"),
            Draft::Do(index) => self.line(depth, &format!("do check {index}")),
            Draft::If(arms, otherwise) => {
                for (index, (condition, body)) in arms.iter().enumerate() {
                    let word = match (index, depth % 2) {
                        (0, _) => "if",
                        (_, 0) => "else if",
                        _ => "elif",
                    };
                    let condition = self.condition(condition, 0);
                    let colon = if self.adorned && index == 0 { ":" } else { "" };
                    self.line(depth, &format!("{word} {condition}{colon}"));
                    self.block(body, depth + 1);
                }
                if let Some(body) = otherwise {
                    self.line(depth, "else");
                    self.block(body, depth + 1);
                }
            }
            Draft::Constant(look, body) => {
                self.fresh += 1;
                let constant = format!("$limit{}", self.fresh);
                let (value, condition) = match look % 3 {
                    0 => {
                        let name = pick(&names_of(Type::Number), look / 3);
                        let value = pick(pools::NUMBERS, look / 2).to_owned();
                        (value, format!("${name} <= {constant}"))
                    }
                    1 => {
                        let name = pick(&names_of(Type::String), look / 3);
                        let value = quoted(pick(pools::STRINGS, look / 2), false);
                        (value, format!("${name} != {constant}"))
                    }
                    _ => {
                        let name = pick(&names_of(Type::Boolean), look / 3);
                        ("False".to_owned(), format!("${name} == {constant}"))
                    }
                };
                self.line(depth, &format!("{constant} = {value}"));
                self.line(depth, &format!("if {condition}"));
                self.block(body, depth + 1);
            }
            Draft::Alias(look, body) => {
                self.fresh += 1;
                let alias = format!("$alias{}", self.fresh);
                let (name, value_type) = pick(NAMES, *look);
                let condition = match value_type {
                    Type::Boolean => format!("not {alias}"),
                    Type::Number => format!("{alias} > {}", pick(pools::NUMBERS, look / 2)),
                    Type::String => {
                        format!(
                            "{alias} == {}",
                            quoted(pick(pools::STRINGS, look / 2), true)
                        )
                    }
                };
                self.line(depth, &format!("{alias} = ${name}"));
                self.line(depth, &format!("if {condition}"));
                self.block(body, depth + 1);
            }
            Draft::Unseen(look) => self.unseen(*look, depth),
            Draft::Wild(look, body, other) => self.wild(*look, [body, other], depth),
            Draft::Ignored(look) => {
                self.line(
                    depth,
                    pick(&["label again", "meta", "priority 2", "label done"], *look),
                );
                if look % 4 == 1 {
                    self.line(depth + 1, "x: 1");
                }
            }
        }
    }

    fn bot(&mut self, pool: &[&str], choice: u8, depth: usize) {
        let message = pick(pool, choice);
        let wording = if self.adorned && choice.is_multiple_of(9) {
            " \"So it is.\""
        } else {
            ""
        };
        self.line(depth, &format!("bot {message}{wording}"));
    }

    /// A run, something unseen on which no word depends, and the end.
    fn unseen(&mut self, look: u8, depth: usize) {
        self.fresh += 1;
        let number = self.fresh;
        let tool = pick(pools::TOOLS, look);
        self.line(depth, &format!("$outcome{number} = execute {tool}"));
        let condition = format!("if $outcome{number}");
        let lines: [&[&str]; 7] = [
            &[&condition, "  bot say done", "else", "  bot say failed"],
            &[&condition, "  bot refuse afterwards"],
            &[
                "if len($user_message) > 5 and $order_paid",
                "  bot note length",
            ],
            &[
                "when user thank",
                "  bot welcome",
                "else when user complain",
                "  bot be sorry",
            ],
            &["while $order_paid", "  bot wait", "  break"],
            &["create event Done(a=1)", "bot $answer"],
            &[
                "$word = ...",
                "if $word == \"x\" and $order_paid",
                "  bot say so",
                "else if $frozen",
                "  stop",
            ],
        ];
        for line in lines[usize::from(look / 5) % lines.len()] {
            self.line(depth, line);
        }
        self.line(depth, "stop");
    }

    /// Something unseen with blocks of its own.
    fn wild(&mut self, look: u8, [body, other]: [&[Draft]; 2], depth: usize) {
        self.fresh += 1;
        let name = format!("$unseen{}", self.fresh);
        let (before, heads): (&str, [&str; 2]) = match look % 10 {
            0 => ("= ...", ["if %", ""]),
            1 => ("= ...", ["if % == \"x\" and $amount > 5", "else"]),
            2 => ("= ...", ["if $frozen", "else if not %"]),
            3 => (
                "= $amount + 1",
                ["if % > 3 or $order_paid", "else if $frozen"],
            ),
            4 => ("", ["when user wonder", "else when user doubt"]),
            5 => ("", ["when user wonder", ""]),
            6 => ("", ["when user wonder", "else"]),
            7 => ("", ["while $order_paid", ""]),
            8 => ("", ["if $amount > 5 and len($x) > 3", "else"]),
            _ => ("", ["if $region == \"gold\"", ""]),
        };
        if !before.is_empty() {
            self.line(depth, &format!("{name} {before}"));
        }
        self.line(depth, &heads[0].replace('%', &name));
        if look % 10 == 9 {
            // Assigned on some paths only.
            self.line(depth + 1, &format!("{name} = 100"));
        }
        self.block(body, depth + 1);
        if !heads[1].is_empty() {
            self.line(depth, &heads[1].replace('%', &name));
            self.block(other, depth + 1);
        }
        if look % 10 == 9 && (look / 10).is_multiple_of(2) {
            self.line(depth, &format!("if $amount < {name}"));
            self.line(depth + 1, "bot compare");
        }
    }

    /// A condition; `outer` is 0 where anything may stand, 1 within `or`, 2 within `and`, 3
    /// within `not`.
    fn condition(&self, condition: &Condition, outer: u8) -> String {
        let parts = |all: &[Condition], word: &str, inner: u8| {
            let texts: Vec<_> = all.iter().map(|part| self.condition(part, inner)).collect();
            texts.join(word)
        };
        let (text, binding) = match condition {
            Condition::Constant(true) => ("True".to_owned(), 4),
            Condition::Constant(false) => ("False".to_owned(), 4),
            Condition::Bare(name) => (format!("${}", pick(&names_of(Type::Boolean), *name)), 4),
            Condition::Boolean(name, look) => {
                let name = pick(&names_of(Type::Boolean), *name);
                let operator = if look % 2 == 0 { "==" } else { "!=" };
                let value = if look % 4 < 2 { "True" } else { "False" };
                (format!("${name} {operator} {value}"), 4)
            }
            Condition::Number(name, operator, value) => {
                let name = pick(&names_of(Type::Number), *name);
                let operator = pick(&["<=", "<", ">", ">=", "==", "!="], *operator);
                (
                    format!("${name} {operator} {}", pick(pools::NUMBERS, *value)),
                    4,
                )
            }
            Condition::String(name, value, equal) => {
                let name = pick(&names_of(Type::String), *name);
                let operator = if *equal { "==" } else { "!=" };
                let value = quoted(pick(pools::STRINGS, *value), value % 2 == 0);
                (format!("${name} {operator} {value}"), 4)
            }
            Condition::Numbers(name, values, negated) => {
                let name = pick(&names_of(Type::Number), *name);
                let values: Vec<_> = values
                    .iter()
                    .map(|value| pick(pools::NUMBERS, *value))
                    .collect();
                (membership(name, &values.join(", "), *negated), 4)
            }
            Condition::Strings(name, values, negated) => {
                let name = pick(&names_of(Type::String), *name);
                let values: Vec<_> = values
                    .iter()
                    .map(|value| quoted(pick(pools::STRINGS, *value), false))
                    .collect();
                (membership(name, &values.join(", "), *negated), 4)
            }
            Condition::Tool(look, negated) if self.guard => {
                let tool = |choice: u8| {
                    quoted(
                        if choice.is_multiple_of(4) {
                            pick(pools::ODD_TOOLS, choice / 4)
                        } else {
                            pick(pools::TOOLS, choice)
                        },
                        false,
                    )
                };
                let text = if look % 2 == 0 {
                    membership(
                        "tool_name",
                        &[tool(*look), tool(look / 2)].join(", "),
                        *negated,
                    )
                } else {
                    let operator = if *negated { "!=" } else { "==" };
                    format!("$tool_name {operator} {}", tool(*look))
                };
                (text, 4)
            }
            Condition::Tool(look, _) => (format!("${}", pick(&names_of(Type::Boolean), *look)), 4),
            Condition::Not(inner) => (format!("not {}", self.condition(inner, 3)), 3),
            Condition::And(all) => (parts(all, " and ", 2), 2),
            Condition::Or(all) => (parts(all, " or ", 1), 1),
        };
        if binding < outer || (binding == outer && outer < 3 && outer > 0) {
            format!("({text})")
        } else {
            text
        }
    }
}

fn membership(name: &str, values: &str, negated: bool) -> String {
    let word = if negated { "not in" } else { "in" };
    format!("${name} {word} [{values}]")
}
