//! Where the context of a call comes from: the host, and nobody else (gateway contract,
//! section 1, *Context*).

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use thiserror::Error;

/// What the host is told when it is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextQuestion {
    /// The agent.
    pub agent: String,
    /// The run.
    pub run: String,
    /// On whose behalf the run is.
    pub subject: Option<String>,
    /// The tool.
    pub tool: String,
    /// The arguments that the tool lists in `context_arguments`: a JSON object.
    pub arguments: Map<String, Value>,
}

/// Why there is no context. What there is to tell an operator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ContextUnavailable(pub String);

/// A host that answers what the context of a call is.
pub trait ContextSource: Send + Sync {
    /// Asks once. The answer is one JSON object.
    fn ask(
        &self,
        question: ContextQuestion,
    ) -> BoxFuture<'_, Result<Map<String, Value>, ContextUnavailable>>;
}

/// The static values of `gateway.yaml`, and the host that is asked for the others.
#[derive(Clone, Default)]
pub struct ContextValues {
    /// The static values.
    pub fixed: Map<String, Value>,
    /// The host.
    pub source: Option<std::sync::Arc<dyn ContextSource>>,
}

impl ContextValues {
    /// The context of a call that nobody has to be asked for; none where a host has to be.
    pub(super) fn known(&self) -> Option<Value> {
        let fixed = || Value::Object(self.fixed.clone());
        self.source.is_none().then(fixed)
    }

    /// The context of a call.
    ///
    /// # Errors
    /// The host did not answer, or named a value that is static.
    pub(super) async fn ask(&self, question: ContextQuestion) -> Result<Value, ContextUnavailable> {
        let mut all = self.fixed.clone();
        if let Some(source) = &self.source {
            for (name, value) in source.ask(question).await? {
                if all.insert(name, value).is_some() {
                    let twice = "the host names a value that is static in the configuration";
                    return Err(ContextUnavailable(twice.to_owned()));
                }
            }
        }
        Ok(Value::Object(all))
    }
}
