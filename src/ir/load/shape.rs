//! From the JSON tree to the types: keys and kinds of values.

use std::collections::BTreeMap;

use super::super::{
    Argument, Arm, Branch, Choice, Compare, Condition, ContextName, End, Execute, FORMAT, Flow,
    FlowKind, If, Literal, Message, Name, Number, OneOf, Operator, Rulebook, SourceFile, Step,
    Tool, ValueType,
};
use super::Fault;
use super::node::{Json, Node, escaped};
use crate::text::{Decimal, quoted};

/// A part of the file and the way to it.
#[derive(Clone, Copy)]
struct At<'a> {
    node: &'a Node,
    parent: Option<&'a At<'a>>,
    segment: Segment<'a>,
}

#[derive(Clone, Copy)]
enum Segment<'a> {
    Key(&'a str),
    Index(usize),
}

type Read<T> = Result<T, Fault>;

impl<'a> At<'a> {
    fn fault<T>(&self, message: impl Into<String>) -> Read<T> {
        let mut segments = Vec::new();
        let mut place = Some(self);
        while let Some(at) = place {
            if at.parent.is_some() {
                segments.push(match at.segment {
                    Segment::Key(key) => escaped(key),
                    Segment::Index(index) => index.to_string(),
                });
            }
            place = at.parent;
        }
        let pointer = segments
            .iter()
            .rev()
            .map(|segment| format!("/{segment}"))
            .collect();
        Err(Fault {
            pointer,
            message: message.into(),
        })
    }

    fn list<T>(&self, read: impl Fn(&At<'_>) -> Read<T>) -> Read<Vec<T>> {
        let Json::Array(items) = &self.node.value else {
            return self.fault("a list belongs here");
        };
        items
            .iter()
            .enumerate()
            .map(|(index, node)| {
                read(&At {
                    node,
                    parent: Some(self),
                    segment: Segment::Index(index),
                })
            })
            .collect()
    }

    fn fields(&self) -> Read<&'a BTreeMap<String, Node>> {
        match &self.node.value {
            Json::Object(fields) => Ok(fields),
            _ => self.fault("an object belongs here"),
        }
    }

    /// The object's keys are these, and the optional ones where they are there.
    fn object(&self, keys: &[&str], optional: &[&str]) -> Read<()> {
        let fields = self.fields()?;
        let known =
            |key: &&String| keys.contains(&key.as_str()) || optional.contains(&key.as_str());
        if let Some(unknown) = fields.keys().find(|key| !known(key)) {
            return self.fault(format!("the key {} is unknown", quoted(unknown)));
        }
        match keys.iter().find(|key| !fields.contains_key(**key)) {
            Some(missing) => self.fault(format!("the key {} is missing", quoted(missing))),
            None => Ok(()),
        }
    }

    fn get<'s>(&'s self, key: &'s str) -> Option<At<'s>> {
        let node = self.fields().ok()?.get(key)?;
        Some(At {
            node,
            parent: Some(self),
            segment: Segment::Key(key),
        })
    }

    /// Reads a field that [`At::object`] has seen.
    fn field<T>(&self, key: &str, read: impl Fn(&At<'_>) -> Read<T>) -> Read<T> {
        match self.get(key) {
            Some(at) => read(&at),
            None => self.fault(format!("the key {} is missing", quoted(key))),
        }
    }

    fn optional<T>(&self, key: &str, read: impl Fn(&At<'_>) -> Read<T>) -> Read<Option<T>> {
        self.get(key).map(|at| read(&at)).transpose()
    }

    /// Reads an object of one field, whose key tells the kind.
    fn only_field<T>(
        &self,
        kinds: &str,
        read: impl Fn(&str, &At<'_>) -> Option<Read<T>>,
    ) -> Read<T> {
        let fields = self.fields()?;
        let mut entries = fields.iter();
        if let (Some((key, node)), None) = (entries.next(), entries.next()) {
            let inner = At {
                node,
                parent: Some(self),
                segment: Segment::Key(key),
            };
            if let Some(value) = read(key, &inner) {
                return value;
            }
            return self.fault(format!("the key {} is unknown; {kinds}", quoted(key)));
        }
        self.fault(format!("an object with one key belongs here; {kinds}"))
    }

    /// Reads one of some words.
    fn word<T: Copy>(&self, words: &[(&str, T)]) -> Read<T> {
        let text = string(self)?;
        match words.iter().find(|(word, _)| *word == text) {
            Some((_, value)) => Ok(*value),
            None => {
                let known: Vec<_> = words.iter().map(|(word, _)| quoted(word)).collect();
                self.fault(format!("{} is none of {}", quoted(&text), known.join(", ")))
            }
        }
    }
}

fn string(at: &At<'_>) -> Read<String> {
    match &at.node.value {
        Json::String(text) => Ok(text.clone()),
        _ => at.fault("a string belongs here"),
    }
}

fn boolean(at: &At<'_>) -> Read<bool> {
    match &at.node.value {
        Json::Bool(value) => Ok(*value),
        _ => at.fault("`true` or `false` belongs here"),
    }
}

fn count(at: &At<'_>) -> Read<usize> {
    let count = match &at.node.value {
        Json::Number(text) => text.parse().ok().filter(|count| *count > 0),
        _ => None,
    };
    match count {
        Some(count) => Ok(count),
        None => at.fault("a whole number from 1 belongs here"),
    }
}

fn root(node: &Node) -> At<'_> {
    At {
        node,
        parent: None,
        segment: Segment::Key(""),
    }
}

/// Tells a rulebook from everything else before any other key is looked at.
pub(super) fn check_format(node: &Node) -> Read<()> {
    let root = root(node);
    let format = match &node.value {
        Json::Object(_) => root.get("format"),
        _ => None,
    };
    let Some(format) = format else {
        return root.fault("this is no compiled rulebook: it has no `format`");
    };
    match &format.node.value {
        Json::String(text) if text == FORMAT => Ok(()),
        Json::String(text) => format.fault(format!(
            "the format {} is not read here, {} is",
            quoted(text),
            quoted(FORMAT)
        )),
        _ => format.fault("this is no compiled rulebook: its `format` is no string"),
    }
}

/// Reads the file as a rulebook.
pub(super) fn rulebook(node: &Node) -> Read<Rulebook> {
    let at = root(node);
    at.object(
        &[
            "context", "flows", "format", "messages", "package", "source", "tools",
        ],
        &[],
    )?;
    Ok(Rulebook {
        context: at.field("context", |at| at.list(context_name))?,
        flows: at.field("flows", |at| at.list(flow))?,
        format: at.field("format", string)?,
        messages: at.field("messages", |at| at.list(message))?,
        package: at.field("package", string)?,
        source: at.field("source", source_file)?,
        tools: at.field("tools", |at| at.list(tool))?,
    })
}

fn source_file(at: &At<'_>) -> Read<SourceFile> {
    at.object(&["file", "sha256"], &[])?;
    Ok(SourceFile {
        file: at.field("file", string)?,
        sha256: at.field("sha256", string)?,
    })
}

fn strings(at: &At<'_>) -> Read<Vec<String>> {
    at.list(string)
}

fn context_name(at: &At<'_>) -> Read<ContextName> {
    at.object(&["name", "type"], &[])?;
    let types = [
        ("bool", ValueType::Bool),
        ("number", ValueType::Number),
        ("string", ValueType::String),
    ];
    Ok(ContextName {
        name: at.field("name", name)?,
        value_type: at.field("type", |at| at.word(&types))?,
    })
}

fn name(at: &At<'_>) -> Read<Name> {
    strings(at)
}

fn message(at: &At<'_>) -> Read<Message> {
    at.object(&["name", "wordings"], &[])?;
    Ok(Message {
        name: at.field("name", string)?,
        wordings: at.field("wordings", strings)?,
    })
}

fn tool(at: &At<'_>) -> Read<Tool> {
    at.object(&["flows", "name"], &[])?;
    Ok(Tool {
        flows: at.field("flows", strings)?,
        name: at.field("name", string)?,
    })
}

fn flow(at: &At<'_>) -> Read<Flow> {
    at.object(&["branches", "id", "ifs", "kind", "line", "name"], &[])?;
    let kinds = [
        ("governing", FlowKind::Governing),
        ("guard", FlowKind::Guard),
        ("dialogue", FlowKind::Dialogue),
    ];
    Ok(Flow {
        branches: at.field("branches", |at| at.list(branch))?,
        id: at.field("id", string)?,
        ifs: at.field("ifs", |at| at.list(decision))?,
        kind: at.field("kind", |at| at.word(&kinds))?,
        line: at.field("line", count)?,
        name: at.field("name", string)?,
    })
}

fn decision(at: &At<'_>) -> Read<If> {
    at.object(&["arms", "id", "line"], &[])?;
    Ok(If {
        arms: at.field("arms", |at| at.list(arm))?,
        id: at.field("id", string)?,
        line: at.field("line", count)?,
    })
}

fn arm(at: &At<'_>) -> Read<Arm> {
    at.object(&["complement", "condition", "line"], &[])?;
    Ok(Arm {
        complement: at.field("complement", condition)?,
        condition: at.field("condition", condition)?,
        line: at.field("line", count)?,
    })
}

/// Recursion as deep as the file nests, which its reader has bounded.
fn condition(at: &At<'_>) -> Read<Condition> {
    at.only_field(
        "a condition is `all`, `any`, `compare`, `const`, `is_true`, `not_true` or `one_of`",
        |key, inner| {
            Some(match key {
                "all" => inner.list(condition).map(Condition::All),
                "any" => inner.list(condition).map(Condition::Any),
                "compare" => compare(inner).map(Condition::Compare),
                "const" => boolean(inner).map(Condition::Const),
                "is_true" => name(inner).map(Condition::IsTrue),
                "not_true" => name(inner).map(Condition::NotTrue),
                "one_of" => one_of(inner).map(Condition::OneOf),
                _ => return None,
            })
        },
    )
}

fn compare(at: &At<'_>) -> Read<Compare> {
    at.object(&["name", "op", "value"], &[])?;
    let operators = [
        ("==", Operator::Equal),
        ("!=", Operator::NotEqual),
        ("<", Operator::Less),
        ("<=", Operator::LessOrEqual),
        (">", Operator::Greater),
        (">=", Operator::GreaterOrEqual),
    ];
    Ok(Compare {
        name: at.field("name", name)?,
        op: at.field("op", |at| at.word(&operators))?,
        value: at.field("value", literal)?,
    })
}

fn one_of(at: &At<'_>) -> Read<OneOf> {
    at.object(&["name", "negated", "values"], &[])?;
    Ok(OneOf {
        name: at.field("name", name)?,
        negated: at.field("negated", boolean)?,
        values: at.field("values", |at| at.list(literal))?,
    })
}

fn literal(at: &At<'_>) -> Read<Literal> {
    at.only_field("a literal is `bool`, `number` or `string`", |key, inner| {
        Some(match key {
            "bool" => boolean(inner).map(Literal::Bool),
            "number" => number(inner).map(Literal::Number),
            "string" => string(inner).map(Literal::String),
            _ => return None,
        })
    })
}

fn number(at: &At<'_>) -> Read<Number> {
    let text = string(at)?;
    match Decimal::from_literal(&text) {
        Ok(number) if number.to_string() == text => Ok(Number(number)),
        _ => at.fault(format!(
            "{} is no number in normal form: a plain decimal of at most 15 digits without trailing zeros",
            quoted(&text)
        )),
    }
}

fn branch(at: &At<'_>) -> Read<Branch> {
    at.object(&["end", "id", "line", "path", "steps"], &[])?;
    let ends = [("end", End::End), ("stop", End::Stop)];
    Ok(Branch {
        end: at.field("end", |at| at.word(&ends))?,
        id: at.field("id", string)?,
        line: at.field("line", count)?,
        path: at.field("path", |at| at.list(choice))?,
        steps: at.field("steps", |at| at.list(step))?,
    })
}

fn choice(at: &At<'_>) -> Read<Choice> {
    at.object(&["if"], &["arm", "passed"])?;
    let arm = at.optional("arm", count)?;
    let passed = at.optional("passed", boolean)?;
    let passed = match (arm, passed) {
        (Some(_), None) => false,
        (None, Some(true)) => true,
        _ => return at.fault("either `arm` or `\"passed\": true` belongs here"),
    };
    Ok(Choice {
        arm,
        if_id: at.field("if", string)?,
        passed,
    })
}

fn step(at: &At<'_>) -> Read<Step> {
    at.only_field(
        "a step is `event`, `execute`, `say`, `say_text` or `turn`",
        |key, inner| {
            Some(match key {
                "event" => string(inner).map(Step::Event),
                "execute" => execute(inner).map(Step::Execute),
                "say" => string(inner).map(Step::Say),
                "say_text" => string(inner).map(Step::SayText),
                "turn" => string(inner).map(Step::Turn),
                _ => return None,
            })
        },
    )
}

fn execute(at: &At<'_>) -> Read<Execute> {
    at.object(&["arguments", "tool"], &["result"])?;
    Ok(Execute {
        arguments: at.field("arguments", |at| at.list(argument))?,
        result: at.optional("result", string)?,
        tool: at.field("tool", string)?,
    })
}

fn argument(at: &At<'_>) -> Read<Argument> {
    at.object(&["value"], &["name"])?;
    Ok(Argument {
        name: at.optional("name", string)?,
        value: at.field("value", string)?,
    })
}
