//! The words of the language, as the compiler knows them and as the editors' files do.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::programs::root;

/// Words that have another meaning in the grammar of the language than in a rulebook.
const NOT_OF_A_RULEBOOK: [&str; 1] = ["hex"];

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The words in quotes in `grammar/GRAMMAR.md`, and those that no word of an expression may be.
fn of_the_language() -> BTreeSet<String> {
    let grammar = text("grammar/GRAMMAR.md");
    let blocks = grammar.split("```").skip(1).step_by(2);
    let expressions = text("grammar/line.pest");
    let reserved = expressions.split_once("reserved   = _{").expect("a rule").1;
    let reserved = reserved.split_once('}').expect("its end").0;
    let words: BTreeSet<String> = blocks
        .flat_map(|block| block.split('\'').skip(1).step_by(2))
        .chain(reserved.split('"').skip(1).step_by(2))
        .filter(|word| is_word(word))
        .map(str::to_owned)
        .collect();
    assert!(words.len() > 50, "{words:?}");
    words
}

fn is_word(text: &str) -> bool {
    text.len() > 1
        && text
            .chars()
            .all(|character| character.is_ascii_alphabetic() || character == '-')
        && !text.starts_with('-')
        && !NOT_OF_A_RULEBOOK.contains(&text)
}

/// The words in quotes behind `name` in a file of the compiler.
fn of_the_compiler(path: &str, name: &str) -> BTreeSet<String> {
    let source = text(path);
    let list = source.split_once(name).expect("the list is there").1;
    let list = list.split_once("= [").expect("a list").1;
    let list = list.split_once(']').expect("its end").0;
    let words = list.split('"').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

/// The words in a regular expression that stand for themselves.
fn literals(expression: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut in_class = false;
    let mut characters = expression.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                if characters.next() == Some('p') {
                    characters.by_ref().find(|character| *character == '}');
                }
                plain.push(' ');
            }
            '[' => in_class = true,
            ']' => in_class = false,
            _ if in_class => {}
            _ => plain.push(character),
        }
    }
    plain
        .split(|character: char| !(character.is_ascii_alphabetic() || character == '-'))
        .filter(|word| is_word(word))
        .map(str::to_owned)
        .collect()
}

/// The words in all regular expressions of the TextMate grammar.
fn of_the_colours(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member.as_str() {
                    Some(expression) if ["match", "begin", "end"].contains(&name.as_str()) => {
                        words.extend(literals(expression));
                    }
                    _ => of_the_colours(member, words),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| of_the_colours(item, words)),
        _ => {}
    }
}

#[test]
fn the_compiler_knows_the_words_of_the_language() {
    let language = of_the_language();
    for (path, name) in [
        ("src/syntax/words.rs", "const STATEMENTS"),
        ("src/syntax/parser/head.rs", "const MODIFIERS"),
    ] {
        let words = of_the_compiler(path, name);
        assert!(words.len() > 5, "{words:?}");
        let unknown: Vec<_> = words.difference(&language).collect();
        assert_eq!(unknown, Vec::<&String>::new(), "{path}");
    }
}

#[test]
fn the_textmate_grammar_has_the_words_of_the_language() {
    let path = "editors/textmate/rulebook.tmLanguage.json";
    let grammar: Value = serde_json::from_str(&text(path)).unwrap();
    let mut words = BTreeSet::new();
    of_the_colours(&grammar, &mut words);
    assert_eq!(words, of_the_language());
}

#[test]
fn the_colours_of_neovim_have_the_words_of_statements_and_definitions() {
    let colours = text("editors/neovim/syntax/rulebook.vim");
    let statements = of_the_compiler("src/syntax/words.rs", "const STATEMENTS");
    let modifiers = of_the_compiler("src/syntax/parser/head.rs", "const MODIFIERS");
    for word in statements.iter().chain(&modifiers) {
        let known = colours
            .split(|character: char| !(character.is_ascii_alphabetic() || character == '-'))
            .any(|known| known == word || known.strip_prefix(['(', '<']) == Some(word));
        assert!(known, "{word} has no colour");
    }
}
