//! Every row of the contract's statement table, and definitions.

use super::{body, flow, statement, tree};
use crate::syntax::tree::*;
use crate::text::{Decimal, Spanned};

fn execute(line: &str) -> Execute {
    match statement(line) {
        StatementKind::Execute(execute) => execute,
        other => panic!("{other:?}"),
    }
}

fn bot(lines: &str) -> Bot {
    match statement(lines) {
        StatementKind::Bot(bot) => bot,
        other => panic!("{other:?}"),
    }
}

fn turn(lines: &str) -> Turn {
    match statement(lines) {
        StatementKind::User(turn) => turn,
        other => panic!("{other:?}"),
    }
}

fn assigned(line: &str) -> Value {
    match statement(line) {
        StatementKind::Assign(assign) => assign.value,
        other => panic!("{other:?}"),
    }
}

fn texts(texts: &[Spanned<String>]) -> Vec<&str> {
    texts.iter().map(|text| text.value.as_str()).collect()
}

#[test]
fn execute_and_its_arguments() {
    let plain = execute("execute refund_card");
    assert_eq!(plain.tool.value, "refund_card");
    assert!(plain.arguments.is_empty());
    assert_eq!(plain.result, None);
    let named = execute("execute mail/v2.send-now()");
    assert_eq!(named.tool.value, "mail/v2.send-now");

    let full = execute("$r = execute t(k=$a.b, n = 1e9, tags=[\"a,)\", ($c)], $d, it's == 2,)");
    assert_eq!(full.result.unwrap().value, "r");
    let arguments: Vec<_> = full
        .arguments
        .iter()
        .map(|argument| {
            let reads: Vec<_> = argument
                .reads
                .iter()
                .map(|path| path.value.to_string())
                .collect();
            (
                argument.name.as_deref(),
                argument.value.value.as_str(),
                reads.join(" "),
            )
        })
        .collect();
    assert_eq!(
        arguments,
        [
            (Some("k"), "$a.b", "$a.b".to_owned()),
            (Some("n"), "1e9", String::new()),
            (Some("tags"), "[\"a,)\", ($c)]", "$c".to_owned()),
            (None, "$d", "$d".to_owned()),
            (None, "it's == 2", String::new()),
        ]
    );
    let with = execute("execute t with $x, k=2");
    assert_eq!(with.arguments.len(), 2);
    assert_eq!(with.arguments[0].reads[0].value.to_string(), "$x");
    assert_eq!(with.arguments[1].name.as_deref(), Some("k"));
}

#[test]
fn bot_lines() {
    let is_named =
        |bot: Bot, want: &str| matches!(bot.message, Message::Named(name) if name.value == want);
    assert!(is_named(bot("bot refuse   refund:"), "refuse refund"));
    let worded = bot("bot refuse refund \"No.\"\n  \"Not \\\"now\\\".\"\n  'Never.'");
    assert_eq!(texts(&worded.wordings), ["No.", "Not \"now\".", "Never."]);
    assert!(is_named(worded, "refuse refund"));
    assert!(matches!(bot("bot \"text\"").message, Message::Text(text) if text.value == "text"));
    for unseen in [
        "bot $x",
        "bot ...",
        "bot \"Hello $name\"",
        "bot greet $name",
    ] {
        assert!(
            matches!(bot(unseen).message, Message::Unseen(_)),
            "{unseen}"
        );
    }
    assert!(is_named(bot("bot say \"hi\""), "say"));
    assert!(is_named(bot("bot the user's turn"), "the user's turn"));
    assert!(is_named(bot("bot rock 'n' roll"), "rock 'n' roll"));
    assert!(is_named(bot("bot say(text=\"a\")"), "say(text=\"a\")"));
    // In a flow, a quoted `bot` or `user` is text.
    assert!(matches!(bot("bot \"user x\"").message, Message::Text(_)));
}

#[test]
fn user_lines() {
    let is_named = |turn: Turn, want: &str| matches!(turn, Turn::Named(name) if name.value == want);
    assert!(is_named(turn("user ask   refund"), "ask refund"));
    assert!(matches!(turn("user ..."), Turn::Anything));
    assert!(matches!(turn("user \"pay\""), Turn::Text(text) if text.value == "pay"));
    assert!(is_named(turn("user pay \"I pay\"\n  \"pay now\""), "pay"));
    assert!(is_named(turn("user a or user b"), "a or user b"));
    assert!(is_named(turn("user \"a\" or user b"), "\"a\" or user b"));
    assert!(matches!(turn("user \"a or b\""), Turn::Text(text) if text.value == "a or b"));
    assert!(is_named(turn("user choose \"a or b\""), "choose"));
}

#[test]
fn branches() {
    let kind = statement("if $a:\n  stop\nelse if $b\n  abort\nelif $c\n  return\nelse:\n  bot x");
    let StatementKind::If(branch) = kind else {
        panic!("{kind:?}")
    };
    assert_eq!(branch.arms.len(), 4);
    assert!(branch.arms[..3].iter().all(|arm| arm.condition.is_some()));
    assert!(branch.arms[3].condition.is_none());
    assert!(branch.arms.iter().all(|arm| arm.body.len() == 1));

    let kind = statement(
        "when user a\n  stop\nelse when bot b\n  stop\nelse when event E(x=1)\n  stop\nelse\n  stop",
    );
    let StatementKind::When(when) = kind else {
        panic!("{kind:?}")
    };
    let triggers: Vec<_> = when.arms.iter().map(|arm| &arm.trigger).collect();
    assert!(matches!(
        triggers[..],
        [
            Some(Trigger::User(_)),
            Some(Trigger::Bot(_)),
            Some(Trigger::Event(_)),
            None
        ]
    ));

    let kind = statement("while $n < 3\n  if $a\n    break\n  continue");
    let StatementKind::While(repeat) = kind else {
        panic!("{kind:?}")
    };
    assert_eq!(repeat.body.len(), 2);
}

#[test]
fn an_else_belongs_to_the_if_of_its_column() {
    let body = body("if $a\n  if $b\n    stop\nelse\n  bot x\nbot y");
    assert_eq!(body.len(), 2);
    let StatementKind::If(outer) = &body[0].kind else {
        panic!()
    };
    assert_eq!(outer.arms.len(), 2);
    let StatementKind::If(inner) = &outer.arms[0].body[0].kind else {
        panic!()
    };
    assert_eq!(inner.arms.len(), 1);
}

#[test]
fn other_statements() {
    use StatementKind as S;
    let body = body(
        "event UserTyping(kind=\"x\")\ncreate event E(a=1)\nlabel again and again\ngoto again\n\
         priority 0.5\nmeta\n  a: 1\n    b\nmeta {\"priority\": 2}\nany\n  user a\n  event b\n\
         do check   account\nstop\nabort\nreturn",
    );
    let kinds: Vec<_> = body.into_iter().map(|statement| statement.kind).collect();
    assert!(matches!(
        &kinds[..],
        [
            S::Event(event),
            S::CreateEvent(_),
            S::Label(label),
            S::Goto(_),
            S::Priority,
            S::Meta,
            S::Meta,
            S::Any,
            S::Do(name),
            S::Stop,
            S::Stop,
            S::Return
        ] if event.value == "UserTyping(kind=\"x\")"
            && label.value == "again and again"
            && name.value == "check account"
    ));
}

#[test]
fn assignments() {
    let number = |text: &str| Literal::Number(Decimal::from_literal(text).unwrap());
    for (line, literal) in [
        ("$x = -5.50", number("-5.5")),
        ("$x = True", Literal::Boolean(true)),
        ("$x  =  'a\\u00e9'", Literal::String("aé".to_owned())),
    ] {
        let value = assigned(line);
        assert!(
            matches!(&value, Value::Literal(value) if value.value == literal),
            "{line}: {value:?}"
        );
    }
    assert!(matches!(assigned("$x = $y.z"), Value::Name(path) if path.value.to_string() == "$y.z"));
    assert!(matches!(assigned("$x = ..."), Value::Model(_)));
    let unreadable = |line: &str| match assigned(line) {
        Value::Unreadable(unreadable) => unreadable,
        other => panic!("{other:?}"),
    };
    for (line, construct) in [
        ("$x = $x + 1", Construct::Arithmetic),
        ("$x += 1", Construct::Arithmetic),
        ("$x = None", Construct::None),
        ("$x = $a and $b", Construct::Other),
        ("$x = [1, 2]", Construct::Other),
    ] {
        assert_eq!(unreadable(line).construct.value, construct, "{line}");
    }
    let call = unreadable("$x = lookup($a, k=f($b))");
    assert_eq!(call.bare_call.as_deref(), Some("lookup"));
    assert_eq!(call.reads.len(), 2);
    for other in ["$x = len($a)", "$x = f(1) + 1", "$x = $a.get(1)"] {
        assert_eq!(unreadable(other).bare_call, None, "{other}");
    }
    assert_eq!(unreadable("$x += $y").reads.len(), 2);
}

#[test]
fn definitions_and_their_names() {
    let tree = tree(
        "\"\"\"About\nrefunds.\"\"\"\n# c\ndefine context\n  \"\"\"Names.\"\"\"\n  $a.b : number # n\n  $c: bool\n\n\
         define user ask   refund:\n  \"x\"\n  'y', \"z\"\n  no quotes\n\
         define bot \"no  refund\"\n\
         define bot greet\n  if $a\n    \"a\"\n  else\n    \"b\"\n\
         define parallel extension flow\n  stop\n\
         define subflow check account\n  \"\"\"d\"\"\"\n  return\n\
         define flow \"a \\\"b\\\"\"\n  stop\n\
         define flow\n  stop\n",
    );
    assert_eq!(
        tree.documentation.as_ref().unwrap().value,
        "About\nrefunds."
    );
    assert_eq!(tree.comments.len(), 2);
    assert!(tree.comments[0].own_line && !tree.comments[1].own_line);
    let [
        Definition::Context(context),
        Definition::User(user),
        Definition::Bot(refund),
        Definition::Bot(greet),
        Definition::Flow(first),
        Definition::Flow(check),
        Definition::Flow(quoted),
        Definition::Flow(last),
    ] = &tree.definitions[..]
    else {
        panic!("{:#?}", tree.definitions)
    };
    assert_eq!(context.documentation.as_ref().unwrap().value, "Names.");
    assert_eq!(context.names[0].name.value.to_string(), "$a.b");
    assert_eq!(context.names[1].value_type.value, ValueType::Boolean);
    assert_eq!(user.name.value, "ask refund");
    assert_eq!(texts(&user.texts), ["x", "y", "z", "no quotes"]);
    assert_eq!(refund.name.value, "no refund");
    assert_eq!(texts(&greet.texts), ["a", "b"]);
    assert_eq!(first.name.value, "flow 1");
    assert!(first.anonymous);
    assert_eq!(first.modifiers.len(), 2);
    assert_eq!(check.kind, FlowKind::Subflow);
    assert_eq!(check.documentation.as_ref().unwrap().value, "d");
    assert_eq!(quoted.name.value, "a \"b\"");
    // Subflows do not count.
    assert_eq!(last.name.value, "flow 3");
}

#[test]
fn action_and_snippet_are_passed_over() {
    let tree = tree(
        "define action a\n  anything: [\n     at all\n\ndefine snippet b\ndefine flow f\n  stop\n",
    );
    assert_eq!(tree.definitions.len(), 1);
}

#[test]
fn continued_lines_and_their_places() {
    let text = "define flow f\n  bot \"a  \\\n     b\" # c\n  if $x and \\  # why\n     $yy == 5\n    stop\n";
    let flow = flow(text);
    let StatementKind::Bot(bot) = &flow.body[0].kind else {
        panic!()
    };
    // The blanks before the `\` stay, the break is one, the indentation goes.
    assert!(matches!(&bot.message, Message::Text(text) if text.value == "a   b"));
    let StatementKind::If(branch) = &flow.body[1].kind else {
        panic!()
    };
    let condition = branch.arms[0].condition.as_ref().unwrap();
    let ExpressionKind::And(parts) = &condition.kind else {
        panic!("{condition:?}")
    };
    assert_eq!(text.get(parts[1].span.span.range()), Some("$yy == 5"));
}

#[test]
fn documentation_elsewhere_is_kept_as_a_comment() {
    let tree = tree(
        "define flow f\n  stop\n  \"\"\"note\n  more\"\"\"\n\n\"\"\"between\"\"\"\ndefine bot b\n",
    );
    assert_eq!(tree.comments.len(), 2);
    assert!(tree.comments[0].text.value.starts_with("\"\"\"note"));
}
