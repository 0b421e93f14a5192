//! Adapters: what proxies send is answered as their pages say, by a real OPA over HTTP and by OPA
//! 1.20; nothing passes that a model, written again here, does not let pass.

mod cases;
mod context;
mod emitted;
mod hostile;
mod model;
mod mutants;
mod proxies;
mod random;
mod requests;
mod settings;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stalwart::adapters::{Adapter, Silent, adapter};

use crate::compiled::{Compiled, must_compile};
use crate::engines::opa::Opa;
use crate::engines::opa_1_20::OpaEngine;
use crate::engines::server::OpaServer;

/// The rulebook that the cases are about.
const GATE: &str = "\
define flow refunds
  user ask refund
  if $order_paid and $amount <= 100
    execute refund_card
  else if $order_paid
    bot ask for approval
    user approve
    execute refund_card
  else
    bot refuse unpaid order
";

/// What the host knows, unless a test says otherwise.
fn document() -> Value {
    json!({
        "*": {"shop": "open"},
        "agents": {
            "small": {"order_paid": true, "amount": 40},
            "large": {"order_paid": true, "amount": 400},
            "unpaid": {"order_paid": false},
            "double": {"order_paid": true, "amount": 40, "shop": "open"},
        },
    })
}

/// The two ways to write adapters.
const BUILDS: [(Silent, &str); 2] = [(Silent::Pass, "passing"), (Silent::Deny, "denying")];

/// The rulebook and its adapters, in both builds, each in packages of its own.
struct Gate {
    compiled: Compiled,
    modules: Vec<String>,
}

impl Gate {
    fn new(source: &str) -> Self {
        let mut modules = Vec::new();
        for (silent, package) in BUILDS {
            let compiled = must_compile(source.as_bytes(), package);
            let artifacts = compiled.emit();
            modules.push(artifacts.rego.clone());
            for one in Adapter::ALL {
                let written = adapter(&compiled.rulebook, one, silent, &artifacts.header);
                modules.push(written.expect("an adapter").text);
            }
        }
        Self {
            compiled: must_compile(source.as_bytes(), BUILDS[0].1),
            modules,
        }
    }

    /// A server that has the packages, and no document.
    fn serve(&self, opa: &Opa) -> OpaServer {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let mut names = Vec::new();
        for (number, module) in self.modules.iter().enumerate() {
            let name = format!("p{number}.rego");
            std::fs::write(folder.path().join(&name), module).expect("a file is written");
            names.push(name);
        }
        // They are loaded before it answers, and not looked at again.
        OpaServer::start(opa, folder.path(), &names).unwrap_or_else(|said| panic!("{said}"))
    }

    /// What an adapter of OPA 1.20 answers on each input. This engine ends at what a built-in
    /// function cannot take, where the server goes on without a value: there is no such thing.
    fn engine(
        &self,
        engine: &OpaEngine,
        document: Option<&Value>,
        package: &str,
        one: Adapter,
        inputs: &[String],
    ) -> Vec<Value> {
        let answers = self.try_engine(engine, document, package, one, inputs);
        let shown = answers.into_iter().zip(inputs);
        shown
            .map(|(answer, input)| answer.unwrap_or_else(|error| panic!("{input}: {error}")))
            .collect()
    }

    /// The same; errors of an input are its answer.
    fn try_engine(
        &self,
        engine: &OpaEngine,
        document: Option<&Value>,
        package: &str,
        one: Adapter,
        inputs: &[String],
    ) -> Vec<Result<Value, String>> {
        let data = document.map(|value| ("rulebook_context".to_owned(), value.to_string()));
        let data: BTreeMap<String, String> = data.into_iter().collect();
        let rule = format!("{package}.{}.answer", one.as_str());
        engine.values(&self.modules, &data, &rule, inputs)
    }
}

/// Gives the server another document, or none.
fn put(server: &OpaServer, document: Option<&Value>) {
    let path = "/v1/data/rulebook_context";
    let (status, said) = match document {
        Some(document) => server.ask("PUT", path, &document.to_string()),
        None => server.ask("DELETE", path, ""),
    };
    assert!(matches!(status, 204 | 404), "{status} {said}");
}

/// What the server's adapter answers.
fn ask(server: &OpaServer, package: &str, one: Adapter, input: &str) -> Value {
    let path = format!("{package}/{}/answer", one.as_str());
    let answer = server.document(&path, input);
    answer.unwrap_or_else(|| panic!("{path} is undefined for {input}"))
}

/// Whether an answer lets a request pass, and the reason where it does not. Everything that a proxy
/// reads has to be there.
fn verdict(one: Adapter, answer: &Value) -> Result<(), String> {
    let (passes, status, error) = match one {
        Adapter::Kong => {
            let error = answer["message"]["error"].clone();
            (&answer["allow"], &answer["status"], error)
        }
        Adapter::Http => (&answer["allow"], &answer["status"], answer["body"].clone()),
        Adapter::Envoy | Adapter::AgentGateway => {
            let body: Value = answer["body"].as_str().map_or(Value::Null, |body| {
                serde_json::from_str(body).expect("a body in JSON")
            });
            (
                &answer["allowed"],
                &answer["http_status"],
                body["error"].clone(),
            )
        }
    };
    if passes.as_bool().expect("true or false") {
        assert!(error.is_null(), "{answer}");
        return Ok(());
    }
    assert!(*status == 403 || *status == 400, "{answer}");
    assert!(
        error["message"].is_string() && error["code"].is_i64(),
        "{answer}"
    );
    Err(error["data"]["reason"]
        .as_str()
        .expect("a reason")
        .to_owned())
}
