//! The tests as a Rego module, as `opa fmt` leaves it.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::cases::Case;
use super::plan::Plan;
use crate::ir::Rulebook;
use crate::text::{visible_in_comment, write_escaped};

/// Most characters of a line; interpreters refuse 1,024.
const MOST_CHARACTERS: usize = 900;
/// Most characters of a part of a text that stands in several lines.
const MOST_OF_A_PART: usize = 400;

/// What the module is, behind the lines that state where it is from.
const ABOUT: &str = "\
# Tests of the package beside this file, for `opa test`. One for each branch of each flow, and for
# what lies beside each condition: a number at, just below and just above what it is compared with,
# a value of another type, no value. What each one expects is what the rulebook decides.
#
";

/// What stands above the rules that no test reaches.
const UNREACHED: &str = "Rules of the package that no test reaches, by their lines in it";

/// The module, header excluded, with the rules of the package that no test reaches.
pub fn module(rulebook: &Rulebook, plan: &Plan, unreached: &[String]) -> String {
    let package = &rulebook.package;
    let mut out = format!("{ABOUT}package {package}_test\n\nimport rego.v1\n");
    let mut flow = None;
    let mut constants = BTreeMap::new();
    for case in &plan.cases {
        if flow != Some(case.flow) {
            flow = Some(case.flow);
            let about = case.flow.and_then(|flow| rulebook.flows.get(flow));
            match about {
                Some(flow) => {
                    let name = visible_in_comment(&flow.name);
                    let _ = write!(out, "\n# flow '{name}'\n");
                }
                None => out.push_str("\n# no flow in particular\n"),
            }
        }
        write_case(case, package, &mut constants, &mut out);
    }
    write_list("There is no test of", &plan.left_out, &mut out);
    write_list(UNREACHED, unreached, &mut out);
    out
}

fn write_list(title: &str, lines: &[String], out: &mut String) {
    if lines.is_empty() {
        return;
    }
    // One comment: of two with a blank line between them `opa fmt` makes one.
    let before = if out.ends_with("}\n") || out.ends_with(")\n") {
        "\n"
    } else {
        "#\n"
    };
    let _ = write!(out, "{before}# {title}:\n#\n");
    for line in lines {
        let _ = writeln!(out, "# - {line}");
    }
}

fn write_case(
    case: &Case,
    package: &str,
    constants: &mut BTreeMap<String, String>,
    out: &mut String,
) {
    let verdict = case.decision.decision.as_str();
    let mut rule = String::new();
    write_text(&case.decision.rule, &mut rule);
    let mut expected = format!("{{\"decision\": \"{verdict}\", \"rule\": {rule}}}");
    let input = case.input.as_deref().map(spaced);
    let name = &case.name;
    let head = format!("\tdata.{package}.decision == ");
    let width = |text: &str| text.chars().count();
    let input_width = input.as_deref().map_or(0, width);
    if width(&head) + width(&expected) > MOST_CHARACTERS / 2 {
        let expected_text = format!("{{\"decision\":\"{verdict}\",\"rule\":{rule}}}");
        expected = constant("expected", &expected_text, constants, out);
    }
    let short = width(&head) + width(&expected) + input_width + 16 <= MOST_CHARACTERS;
    let input = match (input, case.input.as_deref()) {
        (Some(input), _) if short => Some(input),
        (_, Some(text)) => Some(constant("input", text, constants, out)),
        (_, None) => None,
    };
    let _ = write!(out, "\ntest_{name} if {{\n{head}{expected}");
    if let Some(input) = input {
        out.push_str(" with input as ");
        out.push_str(&input);
    }
    out.push_str("\n}\n");
}

/// The name of a rule whose value is that of a long JSON text; each text has one.
fn constant(
    kind: &str,
    json: &str,
    constants: &mut BTreeMap<String, String>,
    out: &mut String,
) -> String {
    if let Some(name) = constants.get(json) {
        return name.clone();
    }
    let name = format!("{kind}_{}", constants.len() + 1);
    constants.insert(json.to_owned(), name.clone());
    let _ = write!(out, "\n{name} := json.unmarshal(concat(\"\", [\n");
    let mut part = String::new();
    let mut width = 0;
    for letter in json.chars() {
        part.push(letter);
        width += 1;
        if width == MOST_OF_A_PART {
            write_part(&part, out);
            part.clear();
            width = 0;
        }
    }
    if !part.is_empty() {
        write_part(&part, out);
    }
    out.push_str("]))\n");
    name
}

fn write_part(part: &str, out: &mut String) {
    out.push('\t');
    write_text(part, out);
    out.push_str(",\n");
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    write_escaped(text, out);
    out.push('"');
}

/// A JSON text in one line as `opa fmt` writes it: a blank behind `,` and `:`; invisible characters
/// escaped.
fn spaced(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 4);
    let mut inside = false;
    let mut escaped = false;
    for letter in json.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            ',' | ':' if !inside => {
                out.push(letter);
                out.push(' ');
                continue;
            }
            _ => {}
        }
        if matches!(letter, '"' | '\\') {
            out.push(letter);
        } else {
            write_escaped(letter.encode_utf8(&mut [0; 4]), &mut out);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_written_as_rego_is_formatted() {
        let json = "{\"a,b\":[1,\"x\\\":,\u{202e}\"],\"c\":{}}";
        let want = "{\"a,b\": [1, \"x\\\":,\\u202e\"], \"c\": {}}";
        assert_eq!(spaced(json), want);
    }
}
