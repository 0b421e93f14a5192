//! What is written is well-formed, whatever the rulebook's texts are.

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::events::Event;

/// Elements that a picture has.
const ELEMENTS: [&str; 10] = [
    "svg", "title", "desc", "style", "g", "a", "rect", "path", "circle", "text",
];

/// One document, well-formed, of known elements, without anything from elsewhere.
pub fn is_xml(text: &str) -> Result<(), String> {
    let mut reader = Reader::from_str(text);
    let mut open: Vec<String> = Vec::new();
    loop {
        let event = reader
            .read_event()
            .map_err(|error| format!("{error} at {}", reader.error_position()))?;
        match event {
            Event::Start(start) | Event::Empty(start)
                if open.is_empty() && start.name().as_ref() != "svg" =>
            {
                return Err("the root is no svg".to_owned());
            }
            Event::Start(start) => {
                attributes(&start)?;
                open.push(name(start.name().as_ref())?);
            }
            Event::Empty(start) => {
                attributes(&start)?;
                name(start.name().as_ref())?;
            }
            Event::End(end) => {
                let expected = open.pop();
                if expected != Some(name(end.name().as_ref())?) {
                    return Err("elements are not nested".to_owned());
                }
            }
            Event::Text(text) => {
                let text = text.into_inner();
                let is_allowed = |character: char| {
                    character == '\n'
                        || (!character.is_control()
                            && !matches!(
                                character,
                                '\u{FFFE}' | '\u{FFFF}' | '\u{202A}'..='\u{202E}'
                            ))
                };
                if let Some(wrong) = text.chars().find(|it| !is_allowed(*it)) {
                    return Err(format!("{wrong:?} in a text"));
                }
            }
            Event::GeneralRef(_) => {}
            Event::Eof => break,
            other => return Err(format!("{other:?}")),
        }
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err("elements are open".to_owned())
    }
}

fn name(name: &str) -> Result<String, String> {
    if ELEMENTS.contains(&name) {
        Ok(name.to_owned())
    } else {
        Err(format!("an element `{name}`"))
    }
}

fn attributes(start: &quick_xml::events::BytesStart<'_>) -> Result<(), String> {
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let key = attribute.key.as_ref().to_string();
        let value = attribute.value.to_string();
        if key.starts_with("on") || (key == "href" && !value.starts_with('#')) {
            return Err(format!("{key}={value}"));
        }
    }
    Ok(())
}

/// A page: elements nest, its own script is the only one, nothing comes from elsewhere.
pub fn is_html(text: &str) -> Result<(), String> {
    let (_, body) = text.split_once("<body>").ok_or("no body")?;
    let (body, _) = body.split_once("<script>").ok_or("no script")?;
    for (what, times) in [("<script", 1), ("<style", 1), ("<body", 1), ("</html>", 1)] {
        if text.matches(what).count() != times {
            return Err(format!("not {times} times {what}"));
        }
    }
    // But for elements without an end, the body is XML.
    let body = body.replace(" hidden>", " hidden=\"hidden\">");
    let mut open: Vec<String> = Vec::new();
    let mut reader = Reader::from_str(&body);
    reader.config_mut().check_end_names = false;
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        match event {
            Event::Start(start) => {
                attributes(&start)?;
                let name = start.name().as_ref().to_string();
                if name != "input" {
                    open.push(name);
                }
            }
            Event::End(end) => {
                let name = end.name().as_ref().to_string();
                if open.pop().as_ref() != Some(&name) {
                    return Err(format!("`{name}` is closed and not open"));
                }
            }
            Event::Empty(start) => attributes(&start)?,
            Event::Eof => break,
            Event::Text(_) | Event::GeneralRef(_) => {}
            other => return Err(format!("{other:?}")),
        }
    }
    let ids: Vec<&str> = values(&body, " id=\"");
    let unique: BTreeSet<&&str> = ids.iter().collect();
    if unique.len() == ids.len() {
        Ok(())
    } else {
        Err("an id stands twice".to_owned())
    }
}

/// What stands behind each occurrence of a mark, up to a quote.
fn values<'t>(text: &'t str, mark: &str) -> Vec<&'t str> {
    let rests = text.split(mark).skip(1);
    rests.filter_map(|rest| rest.split('"').next()).collect()
}

/// The strings of a line, and what is outside of them. Strings have no escapes in Mermaid; in DOT
/// a backslash takes the next character.
fn strings(line: &str, escapes: bool) -> Result<(String, Vec<String>), String> {
    let (mut outside, mut inside) = (String::new(), Vec::new());
    let mut string: Option<String> = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (&mut string, character) {
            (None, '"') => {
                string = Some(String::new());
                outside.push('"');
            }
            (None, other) => outside.push(other),
            (Some(_), '"') => inside.extend(string.take()),
            (Some(string), '\\') if escapes => {
                string.push('\\');
                string.extend(characters.next());
            }
            (Some(string), other) => string.push(other),
        }
    }
    if string.is_some() {
        return Err(format!("a string is open: {line}"));
    }
    Ok((outside, inside))
}

/// A flowchart: known lines only, texts that hold nothing Mermaid would read, edges between nodes
/// that are there.
pub fn is_mermaid(text: &str) -> Result<(), String> {
    let mut nodes = BTreeSet::new();
    let mut edges = Vec::new();
    let mut open = 0_usize;
    let mut lines = text.lines();
    if lines.next() != Some("flowchart LR") {
        return Err("no flowchart".to_owned());
    }
    for line in lines {
        let (outside, inside) = strings(line.trim(), false)?;
        for text in &inside {
            label(text)?;
        }
        let words: Vec<&str> = outside.split(' ').collect();
        match words.as_slice() {
            ["subgraph", id, "[\"]"] => {
                nodes.insert((*id).to_owned());
                open += 1;
            }
            ["direction", "LR"] if open > 0 => {}
            ["end"] if open > 0 => open -= 1,
            [from, "-->", to] | [from, "-->|yes|" | "-->|no|" | "-->|\"|", to] => {
                edges.extend([(*from).to_owned(), (*to).to_owned()]);
            }
            ["classDef" | "class", ..] => {}
            [node] => {
                let shapes = [
                    "([\"])",
                    "{{\"}}",
                    "([\"]):::allow",
                    "([\"]):::clarify",
                    "([\"]):::refuse",
                    "([\"]):::silent",
                ];
                let id = shapes.iter().find_map(|shape| node.strip_suffix(shape));
                let id = id.ok_or_else(|| format!("a line {line}"))?;
                if !nodes.insert(id.to_owned()) {
                    return Err(format!("{id} is there twice"));
                }
            }
            _ => return Err(format!("a line {line}")),
        }
    }
    let missing = edges.iter().find(|id| !nodes.contains(*id));
    match missing {
        Some(id) => Err(format!("an edge of {id}, which is not there")),
        None if open > 0 => Err("a subgraph is open".to_owned()),
        None => Ok(()),
    }
}

/// The text of a box: all that could be markup, Markdown or syntax is a number.
fn label(text: &str) -> Result<(), String> {
    let text = text.replace("<br/>", "\u{1}");
    for line in text.split('\u{1}') {
        let mut rest = line;
        while let Some((before, number)) = rest.split_once('#') {
            plain(before)?;
            let (number, after) = number.split_once(';').ok_or("a number is open")?;
            if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(format!("#{number};"));
            }
            rest = after;
        }
        plain(rest)?;
        if line.starts_with([' ', '-', '+'])
            || line
                .split_once(". ")
                .is_some_and(|(head, _)| head.parse::<u64>().is_ok())
        {
            return Err(format!("a list: {line}"));
        }
    }
    if text.contains("$$") || text.contains("--") {
        return Err(text);
    }
    Ok(())
}

fn plain(text: &str) -> Result<(), String> {
    let wrong = text
        .chars()
        .find(|it| it.is_control() || "\"`<>&*[]{}|%;~^\\@'".contains(*it));
    wrong.map_or(Ok(()), |wrong| Err(format!("{wrong:?} in {text}")))
}

/// A digraph: balanced, known statements only, edges between nodes that are there.
pub fn is_dot(text: &str) -> Result<(), String> {
    let mut nodes = BTreeSet::new();
    let mut ends = Vec::new();
    let mut open = 0_usize;
    for line in text.lines() {
        let (outside, inside) = strings(line.trim(), true)?;
        for text in &inside {
            let bare = text.replace("&amp;", "");
            let wrong = bare.chars().find(|it| it.is_control() || *it == '&');
            if let Some(wrong) = wrong {
                return Err(format!("{wrong:?} in {text}"));
            }
            let mut characters = text.chars();
            while let Some(character) = characters.next() {
                if character == '\\' && !matches!(characters.next(), Some('\\' | '"' | 'n')) {
                    return Err(format!("an escape in {text}"));
                }
            }
        }
        let words: Vec<&str> = outside.split(' ').collect();
        match words.as_slice() {
            ["digraph", "rulebook", "{"] | ["subgraph", _, "{"] => open += 1,
            ["}"] => open = open.checked_sub(1).ok_or("a brace too many")?,
            ["graph" | "node" | "edge", attributes, ..] if attributes.starts_with('[') => {}
            [setting] if setting.contains('=') => {}
            [from, "->", to, ..] => ends.extend([(*from).to_owned(), (*to).to_owned()]),
            [node, attributes, ..]
                if attributes.starts_with("[label=") && outside.ends_with(']') =>
            {
                if !nodes.insert((*node).to_owned()) {
                    return Err(format!("{node} is there twice"));
                }
            }
            _ => return Err(format!("a line {line}")),
        }
    }
    let missing = ends.iter().find(|id| !nodes.contains(*id));
    match missing {
        Some(id) => Err(format!("an edge of {id}, which is not there")),
        None if open > 0 => Err("a brace is open".to_owned()),
        None => Ok(()),
    }
}

#[test]
fn faults_are_found() {
    assert!(is_xml("<svg><text>a &lt; b</text></svg>").is_ok());
    for wrong in [
        "<svg><text></svg>",
        "<svg><script></script></svg>",
        "<p/>",
        "<svg>\u{202e}</svg>",
        "<svg><a href=\"x\"/></svg>",
    ] {
        assert!(is_xml(wrong).is_err(), "{wrong}");
    }
    assert!(is_mermaid("flowchart LR\n  a([\"x\"])\n  b{{\"y\"}}\n  a --> b\n").is_ok());
    for wrong in [
        "a([\"x\"y\"])",
        "a([\"<b>\"])",
        "a --> b",
        "a([\"1. x\"])",
        "graph",
    ] {
        assert!(
            is_mermaid(&format!("flowchart LR\n  {wrong}\n")).is_err(),
            "{wrong}"
        );
    }
    assert!(is_dot("digraph rulebook {\n  a [label=\"x\"]\n  a -> a\n}\n").is_ok());
    for wrong in [
        "a [label=\"x\"y\"]",
        "a -> b",
        "a [label=\"\\N\"]",
        "a [label=\"&lt;\"]",
        "{",
    ] {
        assert!(
            is_dot(&format!("digraph rulebook {{\n  {wrong}\n}}\n")).is_err(),
            "{wrong}"
        );
    }
}
