use super::*;

fn fixed(text: &str) -> String {
    let fixed = fix("policy.co", text.as_bytes());
    String::from_utf8(fixed.bytes).unwrap()
}

/// A statement of a flow, and what is written instead.
#[track_caller]
fn becomes(line: &str, written: &str) {
    let flow = |line: &str| format!("define flow f\n  bot x\n  {line}\n");
    assert_eq!(fixed(&flow(line)), flow(written));
}

/// A condition, and what is written instead.
#[track_caller]
fn condition(text: &str, written: &str) {
    let flow = |text: &str| format!("define flow f\n  if {text}\n    stop\n");
    assert_eq!(fixed(&flow(text)), flow(written));
}

#[test]
fn operators_of_other_languages() {
    condition("$a&&$b || $c", "$a and $b or $c");
    condition("$a === 1 && $b !== 2", "$a == 1 and $b != 2");
    condition(
        "$a <> 1 AND $b => 2 Or $c =< 3",
        "$a != 1 and $b >= 2 or $c <= 3",
    );
    condition("$a = 1 then", "$a == 1");
    condition(
        "!$a && !($b || $c) and ! $d",
        "not $a and not ($b or $c) and not $d",
    );
    condition("$a == true or $b == FALSE", "$a == True or $b == False");
    condition("$a NOT IN [1] and $b In [2]", "$a not in [1] and $b in [2]");
    // It is about the name in one language, about the comparison in another.
    condition("!$a == $b", "!$a == $b");
    condition("!$a > 1", "!$a > 1");
    condition("$a contains 1", "$a contains 1");
}

#[test]
fn words_of_other_languages() {
    becomes("exec t", "execute t");
    becomes("$r = run t(a=1)", "$r = execute t(a=1)");
    becomes("call t(a=1)", "execute t(a=1)");
    becomes("say \"hello\"", "bot \"hello\"");
    becomes("Stop", "stop");
    becomes("done", "return");
    becomes("go to there", "goto there");
    becomes("checkpoint there", "label there");
    becomes("set $a = 1", "$a = 1");
    becomes("let $a = 1", "$a = 1");
    becomes("new event E", "create event E");
    becomes("do check()", "do check");
    becomes("execute 'send'", "execute send");
    becomes("exit", "stop");
    // What a verdict or a list is about, nobody knows.
    becomes("allow t", "allow t");
    becomes("execute send mail", "execute send mail");
    becomes("exeute t", "exeute t");
}

#[test]
fn assignments_and_declarations() {
    becomes("$a=1", "$a = 1");
    becomes("$a:=1", "$a = 1");
    becomes("limit = 100", "$limit = 100");
    assert_eq!(
        fixed("define context\n  a.b: bool\n  $c: Boolean\n  $d number\n  $e: int\n  $f: date\n"),
        "define context\n  $a.b: bool\n  $c: bool\n  $d: number\n  $e: number\n  $f: date\n"
    );
}

#[test]
fn numbers_and_strings() {
    condition("$a < 1_000_000", "$a < 1000000");
    condition(
        "$a < .5 or $b > -.5 or $c < 5.",
        "$a < 0.5 or $b > -0.5 or $c < 5",
    );
    condition("$a < 1e3", "$a < 1e3");
    condition("$a < 007", "$a < 007");
    condition("$a == “gold”", "$a == \"gold\"");
    becomes("bot «one» ", "bot \"one\" ");
    becomes("bot ‘it’s’", "bot ‘it’s’");
    becomes("bot \"C:\\orders\\data\"", "bot \"C:\\\\orders\\\\data\"");
    // A line end, or a folder?
    becomes("bot \"C:\\orders\\new\"", "bot \"C:\\orders\\new\"");
    becomes("bot \"\\x41\"", "bot \"\\x41\"");
    assert_eq!(
        fixed("define bot b\n  Not now.\n  say \"no\"\n"),
        "define bot b\n  \"Not now.\"\n  say \"no\"\n"
    );
}

#[test]
fn arms() {
    assert_eq!(
        fixed(
            "define flow f\n  if $a\n    stop\n  elseif $b\n    stop\n  else $c\n    stop\n  Else\n    stop\n"
        ),
        "define flow f\n  if $a\n    stop\n  else if $b\n    stop\n  else if $c\n    stop\n  else\n    stop\n"
    );
}

#[test]
fn lines_that_mean_nothing_go() {
    assert_eq!(
        fixed("define flow f\n  if $a\n    stop\n  end\n  pass # why\n  bot x\n  endif"),
        "define flow f\n  if $a\n    stop\n   # why\n  bot x\n"
    );
    // The block would be empty.
    let text = "define flow f\n  if $a\n    pass\n  else\n    stop\n";
    assert_eq!(fixed(text), text);
}

#[test]
fn blanks() {
    assert_eq!(
        fixed("define flow f\n\tif\t$a\n\t\tstop\n\t\n  # c\n\tbot\u{A0}xy\u{200B}\n"),
        "define flow f\n  if $a\n    stop\n\n  # c\n  bot xy\n"
    );
    assert_eq!(
        fixed("define flow f\n\u{A0} if $a\n  \u{A0}\u{A0}stop\n"),
        "define flow f\n  if $a\n    stop\n"
    );
    // One word or two?
    let text = "define flow f\n  bot x\u{200B}y\n";
    assert_eq!(fixed(text), text);
    // How wide is a tab?
    for text in [
        "define flow f\n  if $a\n\tstop\n",
        "define flow f\n\tif $a\n\t  stop\n",
        "define flow f\n\u{3000}stop\n",
    ] {
        assert_eq!(fixed(text), text);
    }
}

#[test]
fn heads() {
    assert_eq!(
        fixed("def flow f\n  stop\n define bot b\n  \"x\"\ndefine bot c\nsubflow s\n  stop\n"),
        "define flow f\n  stop\ndefine bot b\n  \"x\"\ndefine bot c\ndefine subflow s\n  stop\n"
    );
    // Whose are the lines behind it?
    let text = "define flow f\n  define flow g\n    stop\n  bot x\n";
    assert_eq!(fixed(text), text);
}

#[test]
fn bytes_around_a_change_are_kept() {
    let fixed = fix(
        "policy.co",
        "\u{FEFF}define flow f\r\n\r\n  exec t # é\r\n  pass\r\n  stop\r\n".as_bytes(),
    );
    assert_eq!(
        String::from_utf8(fixed.bytes).unwrap(),
        "\u{FEFF}define flow f\r\n\r\n  execute t # é\r\n  stop\r\n"
    );
    let places: Vec<_> = fixed
        .applied
        .iter()
        .map(|applied| {
            (
                applied.code.id,
                applied.position.line,
                applied.position.column,
            )
        })
        .collect();
    assert_eq!(places, [("RB0120", 3, 3), ("RB0120", 4, 3)]);
    let broken = b"define flow f\n  exec t # \xFF\n";
    assert_eq!(fix("policy.co", broken).bytes, broken);
}

#[test]
fn what_is_read_again_and_again_comes_to_an_end() {
    let many = format!("define flow f\n  if {}$b\n    stop\n", "$a&&".repeat(60));
    assert!(!fixed(&many).contains('&'));
    let more = format!("define flow f\n{}", "  exec t\n".repeat(200));
    assert!(!fixed(&more).contains("exec "));
    // A file that is no rulebook at all gets none.
    let other = "flow main\n  activate refunds\n";
    assert_eq!(fixed(other), other);
}
