//! A rulebook that reads nothing but booleans, none below another key: its contexts are noted in
//! another way than others when they are read from a text.

use std::fmt::Write;

use super::dice::Dice;
use super::{agree, gate};

/// As many as take more than one word of bits, and more than are noted that way.
const NAMES: [usize; 4] = [1, 64, 100, 300];

fn name(number: usize) -> String {
    // Of all lengths that are read differently.
    format!("n{}{number}", &"a_name_that_is_long"[..number % 20])
}

fn rulebook(names: usize) -> String {
    let mut text = "define flow pay\n".to_owned();
    for number in 0..names {
        let word = if number == 0 { "if" } else { "else if" };
        let (this, other) = (name(number), name((number * 7 + 3) % names));
        let condition = match number % 8 {
            7 => format!("${this} == False and not ${other}"),
            6 => format!("${this} != False and ${other}"),
            _ => format!("${this} and not ${other}"),
        };
        let _ = writeln!(text, "  {word} {condition}\n    bot refuse case {number}");
    }
    text + "  else\n    execute pay\n"
}

#[test]
fn booleans_alone_are_read_as_all_else_is() {
    let values = [
        "true",
        "false",
        "true",
        "false",
        "null",
        "[true]",
        r#"{"a":true}"#,
        r#""true""#,
        "1.5e3",
        "\"\u{e9}\"",
    ];
    let odd = [
        "tru",
        "falsy",
        "truefalse",
        "01",
        "\"\\x\"",
        "",
        "[1",
        "trux",
    ];
    for names in NAMES {
        let gate = gate(&rulebook(names));
        let mut typed = gate.context();
        let (mut read, mut refused) = (0, 0);
        for seed in 0..400 {
            let mut dice = Dice::of(&format!("{names} {seed}"));
            let entries: Vec<String> = (0..names + 2)
                .map(|_| {
                    let key = match dice.below(20) {
                        0 => "\\u0061".to_owned(),
                        1 => "\u{e9}".to_owned(),
                        _ => name(dice.below(names + 1)),
                    };
                    // Now and then other values than booleans, in some texts none at all.
                    let value = match seed % 4 {
                        0 => values[dice.below(4)],
                        _ => values[dice.below(values.len())],
                    };
                    format!("\"{key}\" :{value}")
                })
                .collect();
            let mut text = format!("{{{}}}", entries.join(", "));
            if seed % 5 == 0 {
                text = text.replacen(values[dice.below(4)], odd[dice.below(odd.len())], 1);
            }
            for tool in [Some("pay"), Some("other"), None] {
                match agree(&gate, &mut typed, tool, text.as_bytes()) {
                    Ok(true) => read += 1,
                    Ok(false) => refused += 1,
                    Err(difference) => panic!("{difference}"),
                }
            }
        }
        assert!(read > 600 && refused > 60, "{read} and {refused}");
    }
}
