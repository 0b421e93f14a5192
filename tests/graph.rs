//! Pictures say what the evaluator decides, and can be read: over all fixtures, large and hostile
//! rulebooks, and random ones.

mod layout;
mod parts;
mod pictures;
mod syntax;
mod walk;

use proptest::test_runner::TestCaseError;
use stalwart::graph::drawing::NOTHING_SPEAKS;
use stalwart::graph::{Graph, Selection, dot, html, mermaid, svg};
use stalwart::ir::Rulebook;

use crate::compiled::{files, must_compile};
use crate::properties::over_rulebooks;

/// Names and texts that end elements, hide, or are wider than any box.
pub fn hostile() -> String {
    let long = "x".repeat(900);
    let words = "word ".repeat(180);
    format!(
        r##"define bot refuse </text><script>alert(1)</script>
  "</text><script>alert('x')</script> & \u202e bidi \ud83e\udd80 \n line ]]> <!--"

define bot ask `code` **bold** _it_ [x](y) %%{{init}}%% $$ #quot; ; --> | end
  "1. first"

define bot ask list
  "- item <b>bold</b> C:\\path \\N {{curly}} [square] (round) \"quoted\" \uffff"

define bot ask long
  "{words}"

define flow guard <img src=x onerror=alert(1)>
  if $tool_name in ["</title>", "a\"b", "\uffff"] and $x == "\u0000 \\ \" ' <b>&amp;"
    bot refuse </text><script>alert(1)</script>
    stop

define flow 1. {long}
  if $a == "`tick` **b** 1. %% end; #35; $$x$$ |y| {{z}}" and $b in ["漢字漢字", "🦀🦀🦀", "{long}"]
    bot ask `code` **bold** _it_ [x](y) %%{{init}}%% $$ #quot; ; --> | end
    user ok
    execute tool_{long}
  else if $a == "- x"
    bot ask list
  else if $a == "end"
    bot ask long
    user ok
    execute end
  else if $c
    execute graph
  else
    bot refuse e{accent}e{accent} שלום العربية

define flow end
  execute subgraph

define flow talk about x"]> things
  user hello
  bot greet
"##,
        accent = '\u{301}',
    )
}

/// Two hundred flows, each with its tool and up to nine arms, and guards on some of the tools.
pub fn large() -> String {
    let mut text = String::new();
    for flow in 0..200 {
        if flow % 20 == 0 {
            text.push_str(&format!(
                "define flow guard {flow}\n  if $tool_name in [\"tool_{flow}\"] and $stop_{flow} == True\n    stop\n"
            ));
        }
        text.push_str(&format!("define flow number {flow}\n"));
        for arm in 0..=flow % 9 {
            let word = if arm == 0 { "if" } else { "else if" };
            let step = match (flow + arm) % 4 {
                0 => "bot refuse limit".to_owned(),
                1 => format!("bot ask first\n    user yes\n    execute tool_{flow}"),
                2 => "stop".to_owned(),
                _ => format!("execute tool_{flow}"),
            };
            text.push_str(&format!(
                "  {word} $amount <= {} and $fact_{arm}\n    {step}\n",
                arm * 100
            ));
        }
        text.push_str(&format!("  else\n    execute tool_{flow}\n"));
    }
    text
}

/// One flow of a thousand branches below one another, and one of 512 that nest.
pub fn deep() -> String {
    let mut text = String::from("define flow chain\n");
    for arm in 0..999 {
        let word = if arm == 0 { "if" } else { "else if" };
        let step = ["execute t", "bot refuse", "bot ask why", "stop"][arm % 4];
        text.push_str(&format!("  {word} $a == {arm}\n    {step}\n"));
    }
    text.push_str("define flow nest\n");
    for level in 0..9 {
        text.push_str(&format!("  if $b{level} < {level}\n    execute u{level}\n"));
    }
    // The yes side grows, a condition for each column, unless the tree is turned.
    text.push_str("define flow stairs\n");
    for level in 0..100 {
        text.push_str(&format!(
            "  if $c{level} < {level}\n    bot note {level}\n  else\n    stop\n"
        ));
    }
    text.push_str("  execute v\n");
    text
}

/// Every fixture that checks, and the rulebooks above.
pub fn rulebooks() -> Vec<(String, Rulebook)> {
    let mut all: Vec<(String, Rulebook)> = Vec::new();
    for path in files("fixtures", "co") {
        let bytes = std::fs::read(&path).expect("a fixture is read");
        if let Ok(compiled) = crate::compiled::compile(&bytes, "suite.graph") {
            all.push((path.display().to_string(), compiled.rulebook));
        }
    }
    for (name, text) in [("hostile", hostile()), ("large", large()), ("deep", deep())] {
        let compiled = must_compile(text.as_bytes(), "suite.graph");
        all.push((name.to_owned(), compiled.rulebook));
    }
    all
}

/// What is true of every picture.
fn hold(rulebook: &Rulebook) -> Result<(), String> {
    let whole = Graph::of(rulebook, Selection::Whole);
    walk::every_branch_is_there_once(&whole)?;
    layout::nothing_overlaps(&whole)?;
    let pictures = [
        svg::render(&whole),
        html::render(&whole),
        mermaid::render(&whole),
        dot::render(&whole),
    ];
    let [svg, html, mermaid, dot] = &pictures;
    syntax::is_xml(svg)?;
    layout::every_tool_is_there_once(&whole, svg)?;
    syntax::is_html(html)?;
    syntax::is_mermaid(mermaid)?;
    syntax::is_dot(dot)?;
    let again = Graph::of(rulebook, Selection::Whole);
    if svg::render(&again) != *svg || html::render(&again) != *html {
        return Err("two pictures of one rulebook differ".to_owned());
    }
    Ok(())
}

#[test]
fn pictures_of_all_fixtures_hold() {
    for (name, rulebook) in rulebooks() {
        if let Err(fault) = hold(&rulebook) {
            panic!("{name}: {fault}");
        }
    }
}

#[test]
fn pictures_of_random_rulebooks_hold() {
    over_rulebooks(150, 1, |_, compiled, _| {
        hold(&compiled.rulebook).map_err(TestCaseError::fail)
    });
}

#[test]
fn parts_of_a_rulebook_hold() {
    for (name, rulebook) in rulebooks().into_iter().take(40) {
        for tool in Graph::tool_names(&rulebook) {
            let graph = Graph::of(&rulebook, Selection::Tool(&tool));
            for flow in graph.speaking() {
                assert!(flow.speaks_on(&tool), "{name}: {tool}");
            }
            for picture in [svg::render(&graph), html::render(&graph)] {
                let is_empty = graph.speaking().next().is_none();
                assert_eq!(picture.contains(NOTHING_SPEAKS), is_empty, "{name}: {tool}");
            }
            syntax::is_mermaid(&mermaid::render(&graph)).expect("Mermaid");
        }
        for flow in &rulebook.flows {
            let graph = Graph::of(&rulebook, Selection::Flow(&flow.name));
            let drawn: Vec<_> = graph.speaking().map(|drawn| &drawn.flow.id).collect();
            let speaks = flow.kind != stalwart::ir::FlowKind::Dialogue;
            assert_eq!(
                drawn,
                if speaks { vec![&flow.id] } else { vec![] },
                "{name}"
            );
            syntax::is_dot(&dot::render(&graph)).expect("DOT");
        }
    }
}

#[test]
fn size_grows_as_the_rulebook_does() {
    let text = large();
    let compiled = must_compile(text.as_bytes(), "suite.graph");
    let graph = Graph::of(&compiled.rulebook, Selection::Whole);
    let ends: usize = graph.speaking().map(|flow| flow.endings().count()).sum();
    for (picture, most) in [
        (svg::render(&graph), 1_100),
        (html::render(&graph), 1_400),
        (mermaid::render(&graph), 300),
        (dot::render(&graph), 700),
    ] {
        assert!(
            picture.len() < most * ends,
            "{} bytes an end",
            picture.len() / ends
        );
    }
}
