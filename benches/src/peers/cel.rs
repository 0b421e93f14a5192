//! `cel`: an expression per tool that gives the number of the branch.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use cel::{Context, Env, Program, Value};
use serde::de::{Deserializer as _, MapAccess, Visitor};

use crate::ladder::{Answer, Ladder, expression, ladders};
use crate::race::{Entrant, Kind, Seen};
use crate::workload::Workload;

const NAME: &str = "cel, an expression per tool";

/// The contexts are prepared, functions included.
pub fn of_values(workload: &Workload) -> Entrant<'_> {
    let cel = Cel::new(workload);
    let contexts: Vec<Context<'_, '_>> = workload
        .calls
        .iter()
        .map(|call| {
            let mut context = Context::with_env(cel.env.clone());
            for (name, value) in &call.context {
                context.add_variable_from_value(name.clone(), *value);
            }
            context
        })
        .collect();
    let decide = move |call: usize| cel.decide(&workload.calls[call].tool, &contexts[call]);
    Entrant::new(NAME, Kind::Peer, decide, seen)
}

/// The variables are read from JSON into a scope of their own, as booleans and without a value
/// tree, in favour of the peer.
pub fn of_json(workload: &Workload) -> Entrant<'_> {
    let cel = Cel::new(workload);
    let root = Context::with_env(cel.env.clone());
    let decide = move |call: usize| {
        let call = &workload.calls[call];
        let mut scope = root.new_inner_scope();
        let mut reader = serde_json::Deserializer::from_str(&call.json);
        reader
            .deserialize_map(Variables(&mut scope))
            .and_then(|()| reader.end())
            .expect("an object of booleans");
        cel.decide(&call.tool, &scope)
    };
    Entrant::new(NAME, Kind::Peer, decide, seen)
}

fn seen((verdict, rule): Answer<'_>) -> Seen {
    Seen::Decision(verdict, rule.to_owned())
}

struct Cel<'a> {
    env: Arc<Env>,
    tools: HashMap<&'a str, (Program, Vec<Answer<'a>>)>,
}

impl<'a> Cel<'a> {
    fn new(workload: &'a Workload) -> Self {
        let env = Arc::new(Env::stdlib());
        let of_ladder = |ladder: Ladder<'a>| {
            let program = env
                .compile(&number_of_branch(&ladder))
                .expect("an expression");
            let answers = ladder.rungs.iter().map(|rung| rung.answer).collect();
            (ladder.tool.name.as_str(), (program, answers))
        };
        let ladders = ladders(&workload.rulebook).expect("ladders");
        let tools = ladders.into_iter().map(of_ladder).collect();
        Self { env, tools }
    }

    fn decide(&self, tool: &str, context: &Context<'_, '_>) -> Answer<'a> {
        let (program, answers) = &self.tools[tool];
        match program.execute(context) {
            Ok(Value::Int(number)) => answers[number as usize],
            other => panic!("no number of a branch: {other:?}"),
        }
    }
}

fn number_of_branch(ladder: &Ladder<'_>) -> String {
    let rungs = ladder.rungs.iter().enumerate().rev();
    rungs.fold("-1".to_owned(), |below, (number, rung)| {
        match rung.condition {
            Some(condition) => {
                let condition = expression(condition, &str::to_owned);
                format!("{condition} ? {number} : ({below})")
            }
            None => number.to_string(),
        }
    })
}

struct Variables<'s, 'p, 'v>(&'s mut Context<'p, 'v>);

impl<'de> Visitor<'de> for Variables<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of booleans")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((name, value)) = map.next_entry::<String, bool>()? {
            self.0.add_variable_from_value(name, value);
        }
        Ok(())
    }
}
