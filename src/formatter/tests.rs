use super::*;

/// Formats a text, and once more: that changes nothing.
fn formatted(text: &str) -> String {
    let once = attempt(text).unwrap_or_else(|errors| panic!("{errors:?} of\n{text}"));
    assert_eq!(attempt(&once).as_ref(), Ok(&once), "twice, of\n{text}");
    once
}

fn attempt(text: &str) -> Result<String, Vec<Diagnostic>> {
    let (source, faults) = Source::decode("policy.co", text.as_bytes());
    format(&source, &faults)
}

/// The lines of a flow behind its head, without the indentation of its block.
fn body(lines: &str) -> String {
    let text = format!("define flow f\n{lines}\n");
    let formatted = formatted(&text);
    let body = formatted.strip_prefix("define flow f\n").unwrap();
    let lines: Vec<&str> = body
        .lines()
        .map(|line| line.strip_prefix("  ").unwrap_or(line))
        .collect();
    lines.join("\n")
}

#[track_caller]
fn is_written(line: &str, written: &str) {
    assert_eq!(body(&format!("  {line}")), written);
}

#[test]
fn blocks_are_indented_by_two() {
    assert_eq!(
        formatted(
            "define flow f\n    if $a\n         execute t\n    else\n      if $b\n       stop\n      bot x\n"
        ),
        "define flow f\n  if $a\n    execute t\n  else\n    if $b\n      stop\n    bot x\n"
    );
}

#[test]
fn definitions_have_one_blank_line_between_them() {
    assert_eq!(
        formatted(
            "\n\ndefine bot a\ndefine bot b\n\n\n\n  \"x\"\n\n\n\n  \"y\"\ndefine bot c\n\n\n"
        ),
        "define bot a\n\ndefine bot b\n  \"x\"\n\n  \"y\"\n\ndefine bot c\n"
    );
    assert_eq!(
        formatted("\"\"\"Text.\"\"\"\ndefine bot a"),
        "\"\"\"Text.\"\"\"\n\ndefine bot a\n"
    );
}

#[test]
fn a_block_begins_right_under_its_head() {
    assert_eq!(
        body("\n\n  if $a\n\n    # why\n\n    execute t\n\n  else\n\n    stop"),
        "if $a\n  # why\n\n  execute t\n\nelse\n  stop"
    );
}

#[test]
fn blanks_between_words_are_one() {
    for (line, written) in [
        ("bot   refuse    late  order", "bot refuse late order"),
        ("user   ask   refund", "user ask refund"),
        ("do   check   account", "do check account"),
        ("label   a", "label a"),
        ("create   event   Done(a=1)", "create event Done(a=1)"),
        ("bot say  \"two  blanks\"", "bot say \"two  blanks\""),
        ("bot it's  \"so  it is\"", "bot it's \"so  it is\""),
        ("user  ...", "user ..."),
        ("$x   =   5", "$x = 5"),
        ("$x+= 1", "$x += 1"),
        ("priority   2", "priority 2"),
    ] {
        is_written(line, written);
    }
    assert_eq!(
        formatted("define   parallel   flow   a  b\n  stop\n"),
        "define parallel flow a b\n  stop\n"
    );
    assert_eq!(
        formatted("define context\n  $a  :  bool\n  $b.c:number\n"),
        "define context\n  $a: bool\n  $b.c: number\n"
    );
}

#[test]
fn one_spelling_of_what_means_the_same() {
    for (line, written) in [
        ("abort", "stop"),
        ("stop:", "stop"),
        ("bot refuse :", "bot refuse"),
        // Of two colons the second would be dropped the next time.
        ("bot refuse::", "bot refuse::"),
        // A `\` at the end of the line would continue it.
        ("bot a \\:", "bot a \\:"),
        ("meta:\n    a:  1", "meta\n  a:  1"),
    ] {
        is_written(line, written);
    }
    assert_eq!(
        body(
            "  if $a:\n    bot x\n  elif $b :\n    bot y\n  else   if $c\n    bot z\n  else:\n    stop"
        ),
        "if $a\n  bot x\nelse if $b\n  bot y\nelse if $c\n  bot z\nelse\n  stop"
    );
    assert_eq!(
        body(
            "  when   user a:\n    bot x\n  else   when  event  b :\n    bot y\n  else :\n    stop"
        ),
        "when user a\n  bot x\nelse when event b\n  bot y\nelse\n  stop"
    );
    assert_eq!(
        body("  while($a):\n    break:\n  any :\n    user   a\n    event  b:"),
        "while $a\n  break\nany\n  user a\n  event b"
    );
}

#[test]
fn names_lose_quotes_that_they_do_not_need() {
    for (head, written) in [
        ("define flow  'a  b':", "define flow a b"),
        ("define flow \"a-b_c 1\"", "define flow a-b_c 1"),
        ("define flow 'já não'", "define flow já não"),
        ("define flow 'a # b'", "define flow \"a # b\""),
        ("define flow \"a:\"", "define flow \"a:\""),
        ("define flow \"\\u0041\"", "define flow A"),
        ("define flow it's so", "define flow it's so"),
    ] {
        let text = formatted(&format!("{head}\n  stop\n"));
        assert_eq!(text, format!("{written}\n  stop\n"));
    }
}

#[test]
fn strings_have_double_quotes_where_that_needs_no_escape() {
    for (string, written) in [
        ("'x'", "\"x\""),
        ("'it\\'s'", "\"it's\""),
        ("'a \\\\ b\\n'", "\"a \\\\ b\\n\""),
        ("'\\\"'", "\"\\\"\""),
        ("'say \"no\"'", "'say \"no\"'"),
        ("\"say \\\"no\\\"\"", "\"say \\\"no\\\"\""),
        ("\"it's\"", "\"it's\""),
    ] {
        is_written(&format!("bot {string}"), &format!("bot {written}"));
        is_written(&format!("$x = {string}"), &format!("$x = {written}"));
        assert_eq!(
            body(&format!("  if $a == {string}\n    stop")),
            format!("if $a == {written}\n  stop")
        );
    }
    assert_eq!(
        formatted("define user u\n  'a' ,\"b\"and 'c''d',\n  a  sample  in 'words':\n"),
        "define user u\n  \"a\", \"b\" and \"c\" \"d\"\n  a sample in 'words':\n"
    );
    is_written(
        "bot refuse 'a','b'\n    'c'",
        "bot refuse \"a\", \"b\"\n  \"c\"",
    );
    is_written("user 'a'  or user b", "user 'a' or user b");
    is_written("user  'a'", "user \"a\"");
}

#[test]
fn conditions_have_one_blank_around_operators() {
    for (condition, written) in [
        ("$a==1   and not  $b", "$a == 1 and not $b"),
        ("$a<=-0.50", "$a <= -0.50"),
        ("($a)", "$a"),
        ("( ( $a or $b ) )", "$a or $b"),
        ("($a) or ($b)", "($a) or ($b)"),
        ("( $a or $b )and $c", "($a or $b) and $c"),
        ("$a   not    in[ 1,2 ,3 ]", "$a not in [1, 2, 3]"),
        ("$a in ['x',,\"y\",]", "$a in [\"x\", \"y\"]"),
        // The tree holds the text of what the gate cannot read.
        ("len( $a )>1", "len( $a )>1"),
        ("$a['k']  ==  1", "$a['k']  ==  1"),
    ] {
        assert_eq!(
            body(&format!("  if {condition}\n    stop")),
            format!("if {written}\n  stop")
        );
    }
}

#[test]
fn arguments_are_kept_and_set_apart() {
    for (line, written) in [
        ("execute   t", "execute t"),
        ("execute t( )", "execute t"),
        (
            "execute t (a=1,b = \"x  y\" )",
            "execute t(a=1, b=\"x  y\")",
        ),
        ("execute t(a,,b,)", "execute t(a, b)"),
        (
            "execute t([1,2],  {'k':  1})",
            "execute t([1,2], {'k':  1})",
        ),
        ("execute t with a = 1 , $b", "execute t(a=1, $b)"),
        ("$r  =  execute   t($a==1)", "$r = execute t($a==1)"),
        ("execute t(note='x')", "execute t(note='x')"),
    ] {
        is_written(line, written);
    }
}

#[test]
fn what_nobody_reads_moves_as_a_whole() {
    assert_eq!(
        formatted(
            "define flow f\n    meta  {\"x\":   1}\n        a:   1\n            b:  'x'\n      c:\n    stop\ndefine action host (x):\n      any  thing\n"
        ),
        "define flow f\n  meta  {\"x\":   1}\n    a:   1\n        b:  'x'\n   c:\n  stop\n\ndefine action host (x):\n  any  thing\n"
    );
    is_written("bot x\n      'under'", "bot x\n  \"under\"");
}

#[test]
fn comments_stand_in_the_column_of_what_they_are_about() {
    assert_eq!(
        formatted(
            "#a\ndefine flow f#b\n# c\n    if $a  #   d\n  # e\n        execute t# f\n        # g\n    # h\n# i\n    else\n      stop\n      # j\n    # k\n# l\ndefine bot b\n#m"
        ),
        "#a\ndefine flow f  #b\n  # c\n  if $a  #   d\n    # e\n    execute t  # f\n    # g\n  # h\n  # i\n  else\n    stop\n    # j\n  # k\n\n# l\ndefine bot b\n\n#m\n"
    );
}

#[test]
fn comments_behind_declarations_share_a_column() {
    let context = |gaps: [usize; 2]| {
        let [a, b] = gaps.map(|gap| " ".repeat(gap));
        format!(
            "define context\n  $a: bool{a}# x\n\n  # own\n  $name.long: string{b}# y\n  $c: bool\n"
        )
    };
    // The author's column, if all of them fit.
    assert_eq!(formatted(&context([15, 5])), context([15, 5]));
    // Else the first that they all fit in.
    assert_eq!(formatted(&context([15, 1])), context([12, 2]));
    assert_eq!(formatted(&context([1, 40])), context([12, 2]));
    assert_eq!(formatted(&context([310, 300])), context([12, 2]));
    // A name more, with a comment anywhere, moves no other.
    let more = |gap: usize| context([15, 5]) + &format!("  $d: bool{}# z\n", " ".repeat(gap));
    assert_eq!(formatted(&more(1)), more(15));
    is_written("stop        # x", "stop  # x");
}

#[test]
fn documentation_is_kept_to_the_byte() {
    assert_eq!(
        formatted(
            "\"\"\" one  \n\ttwo\n     \"\"\"   #c\n# d\ndefine flow f\n      \"\"\"in  side\n   x\"\"\"\n      stop\n      \"\"\"stray\"\"\"\n\"\"\"outside\"\"\"\n"
        ),
        "\"\"\" one  \n\ttwo\n     \"\"\"  #c\n\n# d\ndefine flow f\n  \"\"\"in  side\n   x\"\"\"\n  stop\n  \"\"\"stray\"\"\"\n\n\"\"\"outside\"\"\"\n"
    );
}

#[test]
fn breaks_stay_where_they_are() {
    assert_eq!(
        body("  if $a \\\n   and   $b\\\n                or $c\n    stop"),
        "if $a \\\n    and $b \\\n    or $c\n  stop"
    );
    // In strings and in what is not read, also the blanks before them.
    assert_eq!(
        body("  bot 'a  \\\n b'\n  $x = f(  1, \\\n2)"),
        "bot \"a  \\\n    b\"\n$x = f(  1, \\\n    2)"
    );
    // Several, one with nothing on either side, one behind all.
    is_written("bot a \\\n\\\n  b \\\n", "bot a \\\n    b");
    is_written(
        "execute t( \\\n a = \\\n 1 \\\n )",
        "execute t( \\\n    a=1 \\\n    )",
    );
}

#[test]
fn comments_behind_breaks_are_kept() {
    is_written(
        "if $a \\# one\n   and $b \\   #   two\n or $c # three\n    stop",
        "if $a \\  # one\n    and $b \\  #   two\n    or $c  # three\n  stop",
    );
    // Nothing is left to continue.
    is_written("execute t( \\ # one\n )", "execute t  # one");
    is_written(
        "execute t( \\ # one\n ) # two",
        "execute t \\  # one\n    # two",
    );
    is_written("stop \\\n # one", "stop  # one");
}

#[test]
fn no_line_gets_longer_than_a_line_may_be() {
    // A comment: in the column that leaves room for it, behind the code with what is left.
    let long = |length: usize| format!("#{}", "x".repeat(length - 1));
    let comment = long(1_023);
    let text = formatted(&format!("define flow f\n {comment}\n stop\n"));
    assert_eq!(text, format!("define flow f\n {comment}\n  stop\n"));
    let comment = long(1_020);
    let text = formatted(&format!(
        "define flow f\n  if $a\n    bot x\n    {comment}\n  else\n    stop\n"
    ));
    assert!(text.contains(&format!("    {comment}\n")), "{text}");
    let comment = long(1_024 - 6);
    let text = formatted(&format!("define flow f\n  stop{comment}\n"));
    assert_eq!(text, format!("define flow f\n  stop{comment}\n"));
    // A condition with no room for blanks keeps its own.
    let condition = format!("$a==\"{}\"", "x".repeat(1_024 - 11));
    let text = format!("define flow f\n  if {condition}\n    stop\n");
    assert_eq!(formatted(&text), text);
    // A line with no room for its indentation is named.
    let line = format!(" bot {}", "x".repeat(1_024 - 5));
    let errors = attempt(&format!("define flow f\n{line}\n")).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].code, &FORMATTED_TOO_LARGE);
    assert_eq!(errors[0].span().unwrap().start, 15);
}

#[test]
fn a_file_does_not_get_larger_than_a_file_may_be() {
    let lines = "define bot b\n".repeat(15_000);
    let errors = attempt(&lines).unwrap_err();
    assert_eq!(errors[0].code, &FORMATTED_TOO_LARGE);
    assert!(errors[0].message.contains("20000 lines"), "{errors:?}");
}

#[test]
fn errors_are_those_of_the_parser() {
    let errors = attempt("define flow f\n\tstop\n").unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].code.id, "RB0105");
    assert_eq!(attempt("# nothing\n").unwrap_err()[0].code.id, "RB0101");
    // What is wrong with its meaning is no matter of style.
    is_written("do  nobody\n  execute  t", "do nobody\nexecute t");
}

#[test]
fn a_text_that_is_not_the_same_is_not_handed_out() {
    let text = "define flow f\n  # a\n  meta\n    x: 1\n  bot y  # b\n";
    let (source, faults) = Source::decode("policy.co", text.as_bytes());
    let tree = read(&source, &faults).unwrap();
    let lines = logical_lines(&source);
    let held = |formatted: &str| {
        let kept = BTreeSet::from([2]);
        compare(&source, (&tree, &lines, &kept), formatted)
    };
    assert_eq!(held(text), Ok(()));
    for (from, to) in [
        ("bot y", "bot z"),
        ("# a", "# c"),
        ("  # a\n", ""),
        ("x: 1", "x: 2"),
        ("    x: 1\n", "    x: 1\n    z\n"),
        ("bot y", "bot \"y"),
    ] {
        let errors = held(&text.replace(from, to)).unwrap_err();
        assert_eq!(errors[0].code, &FORMATTER, "{from}");
    }
    let swapped = text
        .replace("# a", "# c")
        .replace("# b", "# a")
        .replace("# c", "# b");
    assert!(held(&swapped).is_err());
}

#[test]
fn sixty_four_blocks_and_nots_run_on_a_small_stack() {
    let mut text = String::from("define flow f\n");
    for depth in 1..=64 {
        text.push_str(&format!(
            "{}if {}$a\n",
            " ".repeat(depth),
            "not ".repeat(64)
        ));
    }
    text.push_str(&format!("{}stop\n", " ".repeat(65)));
    let run = std::thread::Builder::new().stack_size(1 << 20);
    let formatted = run.spawn(move || formatted(&text)).unwrap().join().unwrap();
    assert!(formatted.ends_with(&format!("\n{}stop\n", " ".repeat(130))));
}
