//! Which rulebooks are accepted, and with which errors others are refused: a line per sentence
//! of contract sections 2 to 4.

use stalwart::compiler::{Depth, compile};
use stalwart::diagnostics::Severity;

/// The errors of a source as `line:column code`, in order.
fn errors(source: &str) -> Vec<String> {
    let compilation = compile(
        "policy.co",
        source.as_bytes(),
        "suite.verdicts",
        Depth::Errors,
    );
    compilation
        .diagnostics
        .iter()
        .filter(|found| found.severity() == Severity::Error)
        .map(|found| {
            let place = compilation.source.position(found.span().unwrap().start);
            format!("{}:{} {}", place.line, place.column, found.code.id)
        })
        .collect()
}

#[track_caller]
fn accepted(source: &str) {
    assert_eq!(errors(source), [""; 0], "{source}");
}

#[track_caller]
fn refused(source: &str, want: &[&str]) {
    assert_eq!(errors(source), want, "{source}");
}

#[test]
fn what_a_flow_assigns() {
    // A constant is substituted behind its assignment, an alias takes the value at its place.
    accepted("define flow f\n  $k = 5\n  if $n < $k\n    execute t\n");
    accepted("define flow f\n  $k = $limit\n  if $k < 5\n    execute t\n");
    accepted("define flow f\n  $a = 1\n  $b = $a\n  $a = 1.0\n  if $n < $b\n    execute t\n");
    // A read that no assignment precedes on any path reads the host's value.
    accepted("define flow f\n  if $x\n    execute t\n  else\n    stop\n  $x = True\n");
    // Some paths with an assignment, others without: a comparison may also lack its value.
    refused(
        "define flow f\n  if $g\n    $k = 1\n    execute t\n  else\n    execute t\n  if $n < $k\n    bot done\n",
        &["7:11 RB0313"],
    );
    // A second, different value.
    refused(
        "define flow f\n  $k = 1\n  $k = 2\n  if $n < $k\n    execute t\n",
        &["4:11 RB0314"],
    );
    // Where no word depends on it, all of this is fine.
    accepted("define flow f\n  user a\n  if $g\n    $k = 1\n  if $n < $k\n    bot done\n");
    // A name that is assigned in a round that no path reaches twice is no host's.
    accepted(
        "define context\n  $p: bool\n\ndefine flow f\n  execute t\n  if $p\n    while $p\n      $w = ...\n      if $w == \"x\"\n        bot say\n      stop\n",
    );
    refused(
        "define context\n  $k: number\n\ndefine flow f\n  $k = 1\n  execute t\n",
        &["5:3 RB0213"],
    );
}

#[test]
fn what_the_gate_cannot_see() {
    let result = "define flow f\n  $ok = execute look\n";
    accepted(&format!("{result}  if not $ok\n    bot refuse\n    stop\n"));
    refused(
        &format!("{result}  if $ok\n    execute pay\n"),
        &["3:3 RB0310"],
    );
    // An inert `if` is not evaluated.
    accepted(&format!("{result}  if $ok\n    bot hello\n  execute pay\n"));
    // A readable comparison beside an unseen name can be undecided.
    refused(
        &format!(
            "{result}  if $ok and $n < 5\n    execute pay\n    bot a\n  else\n    execute pay\n    bot b\n"
        ),
        &["3:3 RB0310"],
    );
    // The same words on all ways through.
    accepted(&format!(
        "{result}  if $ok\n    execute pay\n    bot a\n  else\n    execute pay\n    bot b\n"
    ));
    // `when` branches on a turn, and one without `else` goes on only through its arms.
    refused(
        "define flow f\n  bot ask\n  when user yes\n    execute pay\n  else when user no\n    bot bye\n",
        &["3:3 RB0311"],
    );
    accepted(
        "define flow f\n  bot ask\n  when user yes\n    execute pay\n  else when user sure\n    execute pay\n",
    );
    // A `while` is zero, one or two rounds.
    refused(
        "define flow f\n  while $n < 3\n    execute pay\n",
        &["2:3 RB0311"],
    );
    accepted("define flow f\n  execute pay\n  while $n < 3\n    execute pay\n");
    // An event opens a flow as its first step; behind that it may never come.
    accepted("define flow f\n  event paid\n  execute pay\n");
    refused(
        "define flow f\n  execute look\n  event paid\n  execute pay\n",
        &["3:3 RB0311"],
    );
    // A message that is worded when it is said.
    refused(
        "define flow f\n  if $a\n    execute t\n  else\n    bot $answer\n",
        &["5:5 RB0315"],
    );
    accepted("define flow f\n  bot $answer\n  execute t\n");
    // Constructs that the gate cannot read.
    for condition in [
        "10 < $n < 50",
        "len($s) > 3",
        "$a + 1 < 3",
        "$a < $b",
        "$a is None",
        "$a == None",
        "5 < $n",
        "$a[\"k\"]",
        "$s in $list",
        "$a in []",
        "$a in [1, \"x\"]",
        "$s < \"x\"",
    ] {
        let found = errors(&format!("define flow f\n  if {condition}\n    execute t\n"));
        assert!(
            matches!(found.as_slice(), [one] if one.ends_with("RB0312")),
            "{condition}: {found:?}"
        );
        accepted(&format!(
            "define flow f\n  user a\n  if {condition}\n    bot hi\n"
        ));
    }
    refused(
        "define flow f\n  label a\n  execute t\n  goto a\n",
        &["4:3 RB0307"],
    );
}

#[test]
fn what_must_not_stand_before_a_run() {
    refused(
        "define flow f\n  bot refuse it\n  execute t\n",
        &["3:3 RB0301"],
    );
    accepted("define flow f\n  if $a\n    bot refuse it\n    stop\n  execute t\n");
    // `return` ends the subflow only, and the error stands in the flow that goes on.
    refused(
        "define subflow s\n  if $a\n    bot refuse it\n    return\n\ndefine flow f\n  do s\n  execute t\n",
        &["8:3 RB0301"],
    );
    accepted(
        "define subflow s\n  if $a\n    bot refuse it\n    stop\n\ndefine flow f\n  do s\n  execute t\n",
    );
    refused(
        "define flow f\n  bot ask it\n  execute t\n",
        &["3:3 RB0302"],
    );
    accepted("define flow f\n  bot ask it\n  user yes\n  execute t\n");
    refused(
        "define flow f\n  user a\n  user b\n  execute t\n",
        &["4:3 RB0303"],
    );
    accepted("define flow f\n  user a\n  bot confirm\n  user b\n  execute t\n");
    refused(
        "define flow f\n  execute t\n  stop\n  bot bye\n",
        &["4:3 RB0304"],
    );
    refused(
        "define flow f\n  if $a\n    stop\n  else\n    return\n  execute t\n",
        &["6:3 RB0304"],
    );
    // Constant conditions do not make a statement unreachable in this sense.
    accepted("define flow f\n  if True\n    stop\n  execute t\n");
}

#[test]
fn names_and_types() {
    refused(
        "define flow f\n  if $a == 1\n    execute t\n  else if $a == \"x\"\n    stop\n",
        &["4:11 RB0211"],
    );
    refused(
        "define flow f\n  if $a.b\n    execute t\n  else if $a\n    stop\n",
        &["4:11 RB0212"],
    );
    refused(
        "define flow f\n  if $tool_name == \"t\"\n    execute t\n",
        &["2:6 RB0214"],
    );
    accepted("define flow f\n  if $tool_name == \"t\"\n    stop\n");
    refused(
        "define flow f\n  if $tool_name\n    stop\n",
        &["2:6 RB0211"],
    );
    refused(
        "define context\n  $tool_name: string\n\ndefine flow f\n  execute t\n",
        &["2:3 RB0214"],
    );
    // Types are errors everywhere, dialogue and unused subflows included.
    refused(
        "define flow f\n  user a\n  if $a == 1\n    bot x\n  else if $a\n    bot y\n",
        &["5:11 RB0211"],
    );
    refused(
        "define subflow s\n  if $a == 1\n    bot x\n  else if $a\n    bot y\n",
        &["4:11 RB0211"],
    );
}

#[test]
fn nothing_is_said_twice_or_for_no_reason() {
    // One error a cycle.
    refused(
        "define subflow a\n  do a\n  do a\n\ndefine flow f\n  do a\n  execute t\n",
        &["2:6 RB0206"],
    );
    // One error for a name at two types, at the first use of the later one.
    refused(
        "define flow f\n  if $a\n    execute t\n  else if $a == 1\n    stop\n  else if $a == 2\n    stop\n",
        &["4:11 RB0211"],
    );
    // A `goto` in dialogue hides nothing elsewhere.
    refused(
        "define flow talk\n  user hello\n  label a\n  bot hi\n  goto a\n\ndefine flow f\n  if $a\n    stop\n  else\n    stop\n  execute t\n",
        &["12:3 RB0304"],
    );
}

#[test]
fn loops_nest_like_ifs() {
    let nested = |start: &str, end: &str| {
        let mut source = format!("define flow f\n  {start}\n");
        for depth in 0..64 {
            source += &format!("{}while $a\n", "  ".repeat(depth + 1));
        }
        source + &"  ".repeat(65) + end + "\n"
    };
    // In dialogue no word depends on a loop.
    accepted(&nested("user hello", "bot hi"));
    refused(&nested("execute t", "bot hi"), &["1:13 RB0306"]);
}
