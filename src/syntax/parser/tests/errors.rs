//! Errors: their places, what they say to write instead, and that nothing follows from them.

use super::{error, errors, in_flow, parse};
use crate::diagnostics::Code;
use crate::diagnostics::codes::syntax::{self, *};
use crate::syntax::tree::Definition;

/// Holds the lines of a flow to one error: its code, what is underlined, a part of the help.
fn check(cases: &[(&str, &Code, &str, &str)]) {
    for (lines, code, place, help) in cases {
        let (found, underlined, said) = error(lines);
        assert_eq!(found, code.id, "{lines}");
        assert_eq!(underlined, *place, "{lines}");
        assert!(said.contains(help), "{lines}: {said}");
    }
}

#[test]
fn conditions_and_values() {
    check(&[
        ("if $a = 1\n  stop", &EQUALS_IN_CONDITION, "=", "`==`"),
        ("if $a && $b\n  stop", &FOREIGN_OPERATOR, "&&", "`and`"),
        ("if $a || $b\n  stop", &FOREIGN_OPERATOR, "||", "`or`"),
        ("if !$a\n  stop", &FOREIGN_OPERATOR, "!", "`not`"),
        (
            "if $a then\n  stop",
            &FOREIGN_OPERATOR,
            "then",
            "end the line",
        ),
        (
            "if $a contains 'x'\n  stop",
            &FOREIGN_OPERATOR,
            "contains",
            "in $name",
        ),
        ("if $a AND $b\n  stop", &FOREIGN_OPERATOR, "AND", "`and`"),
        ("if $a == true\n  stop", &FOREIGN_CONSTANT, "true", "`True`"),
        (
            "if $a is null\n  stop",
            &FOREIGN_CONSTANT,
            "null",
            "asks for a missing value",
        ),
        ("if $a == “x”\n  stop", &TYPOGRAPHIC_QUOTE, "“", "straight"),
        ("bot refuse “x”", &TYPOGRAPHIC_QUOTE, "“", "straight"),
        ("if ($a = 1)\n  stop", &EQUALS_IN_CONDITION, "=", "`==`"),
        (
            "if user asks x\n  stop",
            &EXPRESSION,
            "user asks x",
            "`when user asks x`",
        ),
        ("$a := 1", &ASSIGNMENT, "$a", "`=`"),
        ("a = 1", &UNKNOWN_STATEMENT, "a", "`$a = 1`"),
        ("bot “x”", &TYPOGRAPHIC_QUOTE, "“", "straight"),
        ("if $a == 1e5\n  stop", &NUMBER_LITERAL, "1e5", "digits"),
        (
            "if len($a) == 1_000\n  stop",
            &NUMBER_LITERAL,
            "1_000",
            "digits",
        ),
        (
            "$a = 1234567890.123456",
            &NUMBER_LITERAL,
            "1234567890.123456",
            "15 digits",
        ),
        ("$a = 007", &NUMBER_LITERAL, "007", "digits"),
        ("$a = .5", &NUMBER_LITERAL, ".5", "digits"),
        ("if $a == '\\x'\n  stop", &STRING_ESCAPE, "\\x", "`\\\\`"),
        ("bot \"\\ud800\"", &STRING_ESCAPE, "\\ud800", "surrogate"),
        ("if $naïve\n  stop", &CONTEXT_NAME, "$naïve", "ASCII"),
        ("$1 = 2", &CONTEXT_NAME, "$1", "digit"),
        ("if $a b\n  stop", &EXPRESSION, "b", "`$`"),
        ("if $a and\n  stop", &EXPRESSION, "d", "`\\`"),
        ("if ($a\n  stop", &EXPRESSION, "a", "close"),
        ("if $a)\n  stop", &EXPRESSION, ")", ""),
        ("if\n  stop", &INCOMPLETE, "if", "`if $name`"),
        ("$x=1", &ASSIGNMENT, "=", "`$x = 1`"),
        ("$x= 1", &ASSIGNMENT, "=", "`$x = 1`"),
        ("$a.b = 1", &ASSIGNMENT, "$a.b", "without"),
        ("$a", &ASSIGNMENT, "$a", "`if`"),
        ("$a: bool", &ASSIGNMENT, "$a", "`define context`"),
        ("$a = 1 = 2", &ASSIGNMENT, "=", "one assignment"),
        ("$a =", &INCOMPLETE, "$a =", "`$limit = 100`"),
    ]);
}

#[test]
fn words_of_other_languages() {
    check(&[
        ("exec t", &OTHER_WORD, "exec", "`execute`"),
        ("$r = run t", &OTHER_WORD, "run", "`execute`"),
        ("done", &OTHER_WORD, "done", "`return`"),
        ("pass", &OTHER_WORD, "pass", "`continue`"),
        ("checkpoint a", &OTHER_WORD, "checkpoint", "`label`"),
        ("go to a", &OTHER_WORD, "go", "`goto`"),
        ("set $a = 1", &OTHER_WORD, "set", "`$name = value`"),
        ("include \"x\"", &INCLUSION, "include", "one file"),
        ("allow t", &VERDICT, "allow", "`execute`"),
        ("deny", &VERDICT, "deny", "`bot refuse`"),
        ("await Foo()", &FOREIGN_STATEMENT, "await", "`execute`"),
        ("match Foo()", &FOREIGN_STATEMENT, "match", "`user`"),
        ("activate foo", &FOREIGN_STATEMENT, "activate", "delete"),
        ("global $x", &FOREIGN_STATEMENT, "global", "delete"),
        ("for $x in $y\n  stop", &FOREIGN_STATEMENT, "for", "host"),
        ("print 'x'", &FOREIGN_STATEMENT, "print", "`bot`"),
        (
            "$x = ...\"city\"",
            &FOREIGN_STATEMENT,
            "...\"city\"",
            "comment",
        ),
        ("\"text\"", &UNKNOWN_STATEMENT, "\"text\"", "`bot`"),
        ("exeute t", &UNKNOWN_STATEMENT, "exeute", "`execute`"),
        ("Bot x", &UNKNOWN_STATEMENT, "Bot", "`bot`"),
    ]);
}

#[test]
fn statements_and_their_parts() {
    check(&[
        ("return $x", &TRAILING_TEXT, "$x", "`return` alone"),
        ("stop now", &TRAILING_TEXT, "now", "own"),
        ("bot stop", &RESERVED_NAME, "stop", "`stop` alone"),
        ("bot no_match \"x\"", &RESERVED_NAME, "no_match", "another"),
        ("break", &OUTSIDE_LOOP, "break", "`return`"),
        ("if $a\n  continue", &OUTSIDE_LOOP, "continue", "`stop`"),
        ("any\n  execute t", &ANY_MEMBER, "execute t", "`user`"),
        ("do $x", &SUBFLOW_CALL, "$x", "name"),
        ("do f(a=1)", &SUBFLOW_CALL, "(a=1)", "context names"),
        ("$r = do f", &SUBFLOW_CALL, "do f", "own"),
        ("execute", &INCOMPLETE, "execute", "tool"),
        ("execute \"t\"", &TOOL_NAME, "\"t\"", "alone"),
        ("execute $t", &TOOL_NAME, "$t", "name"),
        (
            "execute send email(a=1)",
            &TOOL_NAME,
            "email(a=1)",
            "`send_email`",
        ),
        ("execute t(a=1", &ARGUMENTS, "1", "close"),
        ("execute t(a=[1)", &ARGUMENTS, ")", ""),
        ("execute t(a) b", &ARGUMENTS, "b", "one statement"),
        (
            "priority high",
            &INCOMPLETE,
            "priority high",
            "`priority 10`",
        ),
        ("create foo", &INCOMPLETE, "create foo", "`create event`"),
        ("bot", &INCOMPLETE, "bot", "name"),
        ("user", &INCOMPLETE, "user", "`user ...`"),
        ("when $x\n  stop", &WHEN_WITHOUT_TRIGGER, "when $x", "`if`"),
        (
            "when agree\n  stop",
            &WHEN_WITHOUT_TRIGGER,
            "when agree",
            "`when user agree`",
        ),
    ]);
}

#[test]
fn blocks_and_lines() {
    check(&[
        ("if $a: stop", &STATEMENT_ON_HEAD, ":", "next line"),
        (
            "if $a\n  stop\nelse bot x",
            &STATEMENT_ON_HEAD,
            "bot x",
            "next line",
        ),
        (
            "if $a\n  stop\nelse $b\n  stop",
            &STATEMENT_ON_HEAD,
            "$b",
            "`else if`",
        ),
        ("else\n  stop", &ELSE_WITHOUT_IF, "else", "`if`"),
        (
            "if $a\n  stop\nelse when user b\n  stop",
            &ELSE_WITHOUT_IF,
            "else when user b",
            "`when`",
        ),
        (
            "if $a\n  stop\nelse\n  stop\nelse\n  stop",
            &ARM_AFTER_ELSE,
            "else",
            "new `if`",
        ),
        (
            "if $a\n  stop\nelse\n  stop\nelse if $b\n  stop",
            &ARM_AFTER_ELSE,
            "else if $b",
            "new `if`",
        ),
        ("bot x\n  stop", &UNEXPECTED_INDENTATION, "stop", "texts"),
        (
            "execute t\n  a: 1",
            &UNEXPECTED_INDENTATION,
            "a: 1",
            "arguments",
        ),
        (
            "if $a\n    stop\n  bot x",
            &INDENTATION,
            "bot x",
            "0, 2 or 6",
        ),
        ("if $a\nstop", &EMPTY_BLOCK, "if $a", "indent"),
        ("if $a\n  # nothing", &EMPTY_BLOCK, "if $a", "comments"),
        ("bot \"x", &UNCLOSED_STRING, "\"x", "`\"`"),
        ("bot\tx", &FOREIGN_BLANK, "\t", "space"),
        ("bot x\u{a0}y", &FOREIGN_BLANK, "\u{a0}", "space"),
        ("stop \\", &NOTHING_CONTINUES, "\\", "delete"),
    ]);
}

#[test]
fn definitions() {
    for (text, want) in [
        ("define rule x\n  stop\n", vec!["1:8 RB0115"]),
        ("define\n", vec!["1:1 RB0115"]),
        ("define user\n  \"x\"\n", vec!["1:1 RB0115"]),
        ("define important flow x\n  stop\n", vec!["1:8 RB0115"]),
        ("define context x\n  $a: bool\n", vec!["1:16 RB0115"]),
        ("def flow x\n  stop\n", vec!["1:1 RB0120"]),
        ("define bot stop\n  \"x\"\n", vec!["1:12 RB0116"]),
        (
            "define context\n  $a: int\n  $b\n  c: bool\n",
            vec!["2:7 RB0117", "3:3 RB0117", "4:3 RB0117"],
        ),
        ("define user a\n  bot x\n", vec!["2:3 RB0118"]),
        ("define bot a\n  no quotes\n", vec!["2:3 RB0118"]),
        ("define bot a\n  \"x\" y\n", vec!["2:7 RB0125"]),
        (
            "define flow a\n  stop\n define flow b\n  stop\n",
            vec!["3:2 RB0114"],
        ),
        (
            "define flow a\n\ndefine flow b\n  stop\n",
            vec!["1:1 RB0111"],
        ),
        ("define flow a\n  \"\"\"only this\"\"\"", vec!["1:1 RB0111"]),
        ("define flow a", vec!["1:1 RB0111"]),
        ("define context\n  # none\n", vec!["1:1 RB0111"]),
        (
            "define flow a\n  stop\n\"\"\"open\ndefine flow b\n  stop\n",
            vec!["3:1 RB0107"],
        ),
        (
            "define flow a\n  stop\nimport x\ninclude y\n",
            vec!["3:1 RB0121", "4:1 RB0121"],
        ),
    ] {
        assert_eq!(errors(text), want, "{text}");
    }
}

#[test]
fn other_files_give_one_error() {
    for (text, want) in [
        ("", "1:1 RB0101"),
        ("# only\n\n\"\"\"words\"\"\"\n", "1:1 RB0101"),
        ("models:\n  - type: main\n    engine: x\n", "1:1 RB0101"),
        ("fn main() {}\n", "1:1 RB0101"),
        (
            "import core\n\nflow main\n  activate x\n  await Y()\n",
            "3:1 RB0102",
        ),
        (
            "@active\nflow a\n\tmatch B\n  bot say \"x\"\n",
            "1:1 RB0102",
        ),
        (
            "define user a\n  \"x\"\nflow main\n  match X\n  nonsense\n",
            "3:1 RB0103",
        ),
        ("define flow a\n  await X()\n  match Y()\n", "2:3 RB0103"),
    ] {
        assert_eq!(errors(text), [want], "{text}");
        assert!(parse(text).0.is_none(), "{text}");
    }
    // Words of samples are no sign of 2.x.
    assert_eq!(
        errors("define user a\n  start over\n  send it\ndefine flow f\n  exec x\n"),
        ["5:3 RB0120"]
    );
}

#[test]
fn nothing_follows_from_an_error() {
    for (lines, want) in [
        // The arms of a refused `if` are read.
        (
            "if $a = 1\n  exec t\nelse if $b\n  stop\nelse\n  stop",
            vec!["2:9 RB0139", "3:5 RB0120"],
        ),
        (
            "unknown $a\n  stop\nelse\n  run t",
            vec!["2:3 RB0119", "5:5 RB0120"],
        ),
        // An unclosed string ends with its line.
        ("if $a == \"x\n  stop\nbot \"y\"", vec!["2:12 RB0106"]),
        // Each wrong column is said once.
        (
            "bot x\n  stop\n  bot y\nbot z\n   bot z",
            vec!["3:5 RB0110", "6:6 RB0110"],
        ),
        ("if $a\n\tstop\n  stop\nelse\n  stop", vec!["3:3 RB0105"]),
    ] {
        assert_eq!(errors(&in_flow(lines)), want, "{lines}");
    }
    // Lines behind an empty definition are most likely its own.
    assert_eq!(errors("define flow a\nuser x\nbot y\n"), ["1:1 RB0111"]);
    // Other definitions are read.
    let (tree, found, _) = parse("define flow a\n  exec t\ndefine flow b\n  stop\n");
    assert_eq!(found.len(), 1);
    let broken: Vec<_> = tree
        .unwrap()
        .definitions
        .iter()
        .map(|definition| matches!(definition, Definition::Flow(flow) if flow.broken))
        .collect();
    assert_eq!(broken, [true, false]);
}

#[test]
fn a_file_indented_with_tabs_says_so_and_no_more() {
    let found = errors("define flow a\n\tif $x\n\t\tstop\n\telse\n\t\tbot y\n");
    assert_eq!(
        found,
        ["2:1 RB0105", "3:1 RB0105", "4:1 RB0105", "5:1 RB0105"]
    );
}

#[test]
fn fifty_errors_and_a_count() {
    let (_, found, source) = parse(&in_flow(&"exec t\n".repeat(60)));
    assert_eq!(found.len(), 51);
    let last = found.last().unwrap();
    assert_eq!(last.code.id, MORE_ERRORS.id);
    assert!(last.message.starts_with("10 more errors"));
    assert_eq!(source.position(last.span().unwrap().start).line, 52);
}

#[test]
fn faults_of_the_text_stand_beside_errors_of_other_lines() {
    assert_eq!(
        errors("define flow a\n  bot \0x\n  exec t\n"),
        ["2:7 RB0007", "3:3 RB0120"]
    );
    assert_eq!(errors(&"\0".repeat(5_000)), ["1:1 RB0007"]);
    assert_eq!(errors("define flow a\r  stop\n"), ["1:14 RB0006"]);
}

/// Every first example of a code's long text triggers the code; what the text says to write
/// instead is free of errors.
#[test]
fn examples_of_the_long_texts_hold() {
    let right_at_once = [&NO_RULEBOOK, &BLOCKS_TOO_DEEP, &EXPRESSION_TOO_DEEP];
    for code in syntax::ALL {
        let blocks: Vec<_> = code
            .explanation
            .split("```co\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .collect();
        for (index, block) in blocks.iter().enumerate() {
            let (_, found, _) = parse(block);
            if index == 0 && !right_at_once.contains(code) {
                assert!(
                    found.iter().any(|error| error.code.id == code.id),
                    "{}: {found:#?}",
                    code.id
                );
            } else {
                assert!(found.is_empty(), "{}: {found:#?}", code.id);
            }
        }
        assert!(
            !blocks.is_empty() || code.id == MORE_ERRORS.id,
            "{}",
            code.id
        );
    }
}
