use super::super::Execute;
use super::*;

fn step(text: &str) -> Step {
    let (kind, rest) = text.split_at(1);
    let rest = rest.to_owned();
    match kind {
        "x" => Step::Execute(Execute {
            arguments: Vec::new(),
            result: None,
            tool: rest,
        }),
        "m" => Step::Say(rest),
        "t" => Step::SayText(rest),
        "u" => Step::Turn(rest),
        "e" => Step::Event(rest),
        _ => panic!("{text}"),
    }
}

/// A branch from its steps, separated by `;`, and its end.
fn branch(steps: &str, end: End) -> Branch {
    Branch {
        end,
        id: "f1_b1".to_owned(),
        line: 1,
        path: Vec::new(),
        steps: steps
            .split(';')
            .filter(|step| !step.is_empty())
            .map(step)
            .collect(),
    }
}

#[test]
fn governing_words() {
    use End::{End as Ends, Stop};
    use Word::{Allow, Clarify, NoMatch, Refuse};
    for (steps, end, want) in [
        ("xT", Ends, Allow),
        ("xT", Stop, Allow),
        ("uopen;xT", Ends, Allow),
        ("eopen;xT", Ends, Allow),
        ("uopen;mhello;xT", Ends, Allow),
        // An event opens, so the turn behind it is a later one.
        ("eopen;mq;uyes;xT", Ends, Clarify("q")),
        ("mq;uyes;xT", Ends, Clarify("q")),
        ("uopen;mq;uyes;xT", Ends, Clarify("q")),
        // The last message before the turn; other steps may lie between.
        ("mp;mq;xS;uyes;xT", Ends, Clarify("q")),
        // The question is that of the first later turn.
        ("mp;uyes;mq;uyes;xT", Ends, Clarify("p")),
        ("mp;uyes;mq;xT", Ends, Clarify("p")),
        // Some run is asked: that run's question, though another run is free.
        ("xT;mq;uyes;xT", Ends, Clarify("q")),
        ("xT;mq;uyes;xS", Ends, Allow),
        ("twhat?;uyes;xT", Ends, Clarify("ask")),
        // Without a run of any tool.
        ("mq;uyes", Ends, Clarify("q")),
        ("mq;uyes;mbye", Ends, Refuse("bye")),
        ("uopen;mq;uyes", Stop, Clarify("q")),
        ("mask for it", Ends, Clarify("ask for it")),
        ("mclarify", Stop, Clarify("clarify")),
        ("masking", Ends, Refuse("asking")),
        ("mrefuse", Ends, Refuse("refuse")),
        ("mask;mno", Ends, Refuse("no")),
        ("mno", Stop, Refuse("no")),
        ("tno", Ends, Refuse("refuse")),
        ("tno;uwhy", Ends, Clarify("ask")),
        ("", Stop, Refuse("stop")),
        ("uopen", Stop, Refuse("stop")),
        ("", Ends, NoMatch),
        ("uopen;uagain", Ends, NoMatch),
        ("xS", Ends, NoMatch),
        ("xS;mno", Stop, NoMatch),
        // Broken rulebooks only: a run behind a turn that answers nothing.
        ("uopen;uagain;xT", Ends, UNDECIDED),
        ("eopen;uagain;xT", Ends, UNDECIDED),
    ] {
        let branch = branch(steps, end);
        assert_eq!(BranchSummary::of(&branch).word("T"), want, "{steps}");
        let mut state: StepState = StepState::new();
        for step in &branch.steps {
            state.step(step);
        }
        assert_eq!(state.word(end, "T"), want, "{steps}, step by step");
    }
}

#[test]
fn guard_words() {
    use End::{End as Ends, Stop};
    use Word::{Clarify, Refuse};
    for (steps, end, want) in [
        ("", Ends, None),
        ("mno", Ends, None),
        ("", Stop, Some(Refuse("stop"))),
        ("u...", Stop, Some(Refuse("stop"))),
        ("mno", Stop, Some(Refuse("no"))),
        ("mask;mno", Stop, Some(Refuse("no"))),
        ("mno;mask a person", Stop, Some(Clarify("ask a person"))),
        ("mclarify", Stop, Some(Clarify("clarify"))),
        ("task", Stop, Some(Refuse("refuse"))),
        // A guard clarifies by the first word alone.
        ("mno;u...", Stop, Some(Refuse("no"))),
    ] {
        let branch = branch(steps, end);
        assert_eq!(BranchSummary::of(&branch).guard_word(), want, "{steps}");
    }
}

#[test]
fn equal_states_ignore_what_words_ignore() {
    let read = |steps: &str| {
        let mut state: StepState = StepState::new();
        for step in &branch(steps, End::End).steps {
            state.step(step);
        }
        state
    };
    assert_eq!(read("xA;xB"), read("xB;xA;xA"));
    assert_eq!(read("tone"), read("tother"));
    assert_eq!(read("mp;mq"), read("mq"));
    assert_ne!(read("mp"), read("mq"));
    assert_ne!(read("mq;u..."), read("mq"));
    // The first step alone can open the flow.
    assert_ne!(read(""), read("uopen"));
}

#[test]
fn runs_of_a_summary() {
    let branch = branch("xB;mq;uyes;xA", End::End);
    let summary = BranchSummary::of(&branch);
    let runs: Vec<_> = summary.runs().collect();
    assert_eq!(runs, [("A", Some("q")), ("B", None)]);
}

#[test]
fn questions_before_the_last_run() {
    for (steps, want, runs) in [
        ("uhello;xt", &[][..], true),
        ("xt;ma;uyes;xother", &[], true),
        ("uhello;ma;uyes;xt", &["a"], true),
        ("ma;uyes;mb;uyes;xt", &["a", "b"], true),
        // The opening turn answers nothing; a message behind the last turn is no question.
        ("uhello;ma;uyes;mb;xt", &["a"], true),
        // Only what lies before the last run, and all of that.
        ("ma;uyes;xt;mb;uyes;xt;mc;uyes;xother", &["a", "b"], true),
        // The last message before the turn is the question; a turn that answers nothing has none.
        ("mremark;ma;uyes;uagain;xt", &["a"], true),
        // Other steps may lie between, and one question may be asked twice.
        ("ma;xother;uyes;ma;uyes;xt", &["a", "a"], true),
        ("tSure?;uyes;xt", &["ask"], true),
        ("ma;uyes;xother", &[], false),
        ("mask a", &[], false),
    ] {
        let branch = branch(steps, End::End);
        let questions = Questions::of(&branch, "t");
        let rules: Vec<&str> = questions
            .before_last_run
            .iter()
            .map(|question| question.question_rule())
            .collect();
        assert_eq!(rules, want, "{steps}");
        assert_eq!(questions.runs, runs, "{steps}");
        // What asks first is the word.
        let word = BranchSummary::of(&branch).word("t");
        if runs {
            let first = want.first().map_or(Word::Allow, |rule| Word::Clarify(rule));
            assert_eq!(word, first, "{steps}");
        }
    }
}
