//! A call as decisions see it: its tool and its context, each of which may be anything.

use serde_json::{Map, Value};

use crate::ir::is_tool_name;

/// One call, borrowed from its input document.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    tool: Option<&'a str>,
    context: Option<&'a Map<String, Value>>,
}

/// What a name stands for in a call, as far as a leaf can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostValue<'a> {
    /// A boolean.
    Bool(bool),
    /// A number, of any length and exponent.
    Number(&'a serde_json::Number),
    /// A string.
    String(&'a str),
    /// Null, an array or an object, or absent: no leaf tells these apart.
    Other,
}

impl<'a> Call<'a> {
    /// Reads the document that OPA would get. A tool that is no string is no tool; a context
    /// that is no object has no names; an input that is no object has neither.
    pub fn from_input(input: &'a Value) -> Self {
        Self {
            tool: input.get("tool").and_then(Value::as_str),
            context: input.get("context").and_then(Value::as_object),
        }
    }

    /// A call of a tool, none for one that is no string; a context that is no object has no
    /// names.
    pub fn of(tool: Option<&'a str>, context: &'a Value) -> Self {
        Self {
            tool,
            context: context.as_object(),
        }
    }

    /// A call from its parts.
    pub fn new(tool: Option<&'a str>, context: &'a Map<String, Value>) -> Self {
        Self {
            tool,
            context: Some(context),
        }
    }

    /// The tool called, when it is a string.
    pub fn tool(&self) -> Option<&'a str> {
        self.tool
    }

    /// The value of a name: `tool_name` is the tool, a dotted path reads nested objects.
    pub fn value(&self, name: &[String]) -> HostValue<'a> {
        if is_tool_name(name) {
            return self.tool.map_or(HostValue::Other, HostValue::String);
        }
        match self.json(name) {
            Some(Value::Bool(value)) => HostValue::Bool(*value),
            Some(Value::Number(number)) => HostValue::Number(number),
            Some(Value::String(text)) => HostValue::String(text),
            Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => HostValue::Other,
        }
    }

    /// What stands in the context at a path; none where nothing does, or below what is no
    /// object.
    pub fn json(&self, path: &[String]) -> Option<&'a Value> {
        let (last, parents) = path.split_last()?;
        let holder = parents.iter().try_fold(self.context?, |holder, segment| {
            holder.get(segment)?.as_object()
        });
        holder?.get(last)
    }
}
