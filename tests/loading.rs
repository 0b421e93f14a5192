//! What is compiled loads: an IR goes through a file and comes back the same.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestRunner};
use stalwart::ir::{Rulebook, from_bytes, to_bytes};

use crate::compiled::{compile, files, root};
use crate::generator::rulebooks;

fn through_a_file(rulebook: &Rulebook, what: &str) {
    let bytes = to_bytes(rulebook);
    match from_bytes(&bytes) {
        Ok(loaded) => assert!(loaded == *rulebook, "another rulebook came back: {what}"),
        Err(error) => panic!("{error}\nin the IR of:\n{what}"),
    }
}

#[test]
fn every_fixture_loads() {
    let mut count = 0;
    for path in files("fixtures", "co") {
        let text = std::fs::read(root().join(&path)).unwrap();
        if let Ok(compiled) = compile(&text, "suite.fixture") {
            through_a_file(&compiled.rulebook, &path.display().to_string());
            count += 1;
        }
    }
    assert!(count >= 7, "only {count} fixtures compile");
}

#[test]
fn every_random_rulebook_loads() {
    let mut runner = TestRunner::new(Config {
        rng_seed: RngSeed::Fixed(20_261_130),
        failure_persistence: None,
        ..Config::default()
    });
    for _ in 0..100 {
        let source = rulebooks()
            .new_tree(&mut runner)
            .unwrap()
            .current()
            .source();
        if let Ok(compiled) = compile(source.as_bytes(), "suite.random") {
            through_a_file(&compiled.rulebook, &source);
        }
    }
}

/// Sources whose IR is unlike what it looks like it must be.
const ODD: &[&str] = &[
    // The same for `when bot`: the turns of a guard are not `...` alone.
    "define flow g\n  when bot hello there\n    bot hi\n  else when event \"x\" $y\n    bot hi\n  if $p\n    stop\n",
    "define flow g\n  when event \"x\" $y\n    bot hi\n  if $p\n    stop\n",
    // Names of definitions may be quoted, and then have any characters.
    "define bot \"$a \\n\\t b\"\n\ndefine flow \"\\n\\u0000 $x\"\n  execute t(a=, b == c, , \"d\")\n",
    "define flow f\n  event \"x\" $y(z)\n  bot rock 'n' roll\n  bot cost $ 5 (\"a  b\")\n  $r = execute t\n",
    // A text is a turn wherever a person's own turn may stand.
    "define flow f\n  user \" a  \\n\"\n  execute t(x=\\\n   [1,\\\n    2])\n",
    // The tool stands in an arm of `when` that is left out: `tools` names it, no branch runs it.
    "define flow f\n  user open\n  bot ask it\n  when user yes\n    execute t\n  else\n    bot ask it\n",
    // `when event` is a turn, and no turn of the person: the flow stays a guard.
    "define flow g\n  when event door opened\n    bot hello\n  if $p\n    stop\n",
    // An `else if` that is always true can be passed by, as far as paths are listed.
    "define flow f\n  if $p\n    execute t\n  else if True\n    bot refuse\n",
    "define flow f\n  if True\n    execute t\n",
    // One subflow twice on a path: its `if` is two.
    "define subflow s\n  if $p\n    bot hello\n  else\n    bot refuse\n    stop\n\ndefine flow f\n  do s\n  do s\n  execute t\n",
    // The tools' order is that of the text, not that of the branches.
    "define flow f\n  if $p\n    execute a\n  else\n    execute b\n  execute c\n",
    // Only inert and unseen `if`s: no branch meets one.
    "define flow g\n  if len($x) > 2\n    bot refuse\n  else\n    bot refuse\n  stop\n",
    "define flow f\n  event opened\n  $r = execute t(a, b=$c.d)\n",
    "define flow f\n  if $a.b == 1 or $a.c in [\"x\", \"x\", \"y\"] or not $d in [1, 1.0]\n    execute t\n",
];

#[test]
fn odd_rulebooks_load() {
    for source in ODD {
        match compile(source.as_bytes(), "suite.odd") {
            Ok(compiled) => through_a_file(&compiled.rulebook, source),
            Err(errors) => panic!("{errors}\nin:\n{source}"),
        }
    }
}
