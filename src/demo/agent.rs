//! An agent that calls tools through the gateway as any program would: over HTTP, in either era,
//! with a person who answers what is asked.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

use crate::gateway::{
    CallEnd, Clock as _, Era, ForwardedCall, Relay, RelayError, ServerQuestion, Servers as _,
    SystemClock, Unavailable, UpstreamAnswers, UpstreamScope, UpstreamSession,
};
use crate::json::{Members, parse};
use crate::mcp::client::{HttpServers, Limits, ServerAddress};
use crate::mcp::wire::write_text;

/// How long an agent waits for anything.
const PATIENCE: Duration = Duration::from_secs(30);

/// Most questions that an agent answers about one call.
const MOST_ROUNDS: usize = 10;

/// Answers a question: whether the person says yes.
pub type Person = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// An agent with a session at the gateway.
pub struct Agent {
    session: Arc<dyn UpstreamSession>,
    person: Option<Person>,
}

/// How a call of an agent ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The tool ran: its result, as it was written.
    Ran(String),
    /// The gateway refused: its reason.
    Refused(String),
    /// Anything else.
    Failed(String),
}

impl Agent {
    /// Connects to a gateway. Without a person, the agent declares that nobody can be asked.
    ///
    /// # Errors
    /// The gateway cannot be reached, or does not take the token.
    pub async fn connect(
        url: &str,
        token: &str,
        era: Era,
        person: Option<Person>,
    ) -> Result<Self, Unavailable> {
        let authorization = Zeroizing::new(format!("Bearer {token}"));
        let gateway = ServerAddress {
            name: "gateway".to_owned(),
            url: url.to_owned(),
            headers: vec![("Authorization".to_owned(), authorization)],
            idempotent: false,
            timeout: PATIENCE,
        };
        let clock = Arc::new(|| SystemClock.now());
        let servers = HttpServers::of_agent(vec![gateway], Limits::default(), clock)
            .map_err(|error| Unavailable(error.to_string()))?;
        let capabilities = match person {
            Some(_) => r#"{"elicitation":{"form":{}}}"#,
            None => "{}",
        };
        let scope = UpstreamScope {
            key: "agent".to_owned(),
            era,
            capabilities: capabilities.to_owned(),
        };
        let session = servers.open("gateway", &scope).await?;
        Ok(Self { session, person })
    }

    /// The names of the tools that it sees, in the gateway's order.
    ///
    /// # Errors
    /// The gateway cannot be reached.
    pub async fn tools(&self) -> Result<Vec<String>, Unavailable> {
        let tools = self.session.tools().await?;
        Ok(tools.iter().map(|tool| tool.name.clone()).collect())
    }

    /// Calls a tool, with arguments as they are written.
    pub async fn call(&self, tool: &str, arguments: &str) -> Ended {
        let relay = Answering(self.person.clone());
        let mut call = ForwardedCall {
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
            meta: None,
            idempotency_key: None,
            answers: None,
            timeout: PATIENCE,
        };
        for _ in 0..MOST_ROUNDS {
            match self.session.call(&call, &relay).await {
                CallEnd::InputRequired(result) => match self.answers(&result) {
                    Some(answers) => call.answers = Some(answers),
                    None => return Ended::Failed("a question that nobody can read".to_owned()),
                },
                end => return ended(end),
            }
        }
        Ended::Failed("too many questions".to_owned())
    }

    /// Answers to the questions of an `input_required` result.
    fn answers(&self, result: &str) -> Option<UpstreamAnswers> {
        let result = Members::read(result).ok()??;
        let requests = Members::read(result.get("inputRequests")?).ok()??;
        let mut responses = Vec::new();
        for request in requests.iter() {
            let params = Members::read(request.value).ok()??.get("params")?;
            let answer = answer(self.person.as_ref(), params)?;
            responses.push(format!("{}:{answer}", write_text(&request.key)));
        }
        Some(UpstreamAnswers {
            responses: format!("{{{}}}", responses.join(",")),
            state: result.get("requestState").map(str::to_owned),
        })
    }
}

/// What a person answers to an elicitation: its result's text. None where there is no message.
fn answer(person: Option<&Person>, params: &str) -> Option<&'static str> {
    let params = parse(params.as_bytes()).ok()?;
    let message = params.get("message")?.as_str()?;
    Some(match person {
        Some(person) if person(message) => r#"{"action":"accept","content":{"confirm":true}}"#,
        Some(_) => r#"{"action":"decline"}"#,
        None => r#"{"action":"cancel"}"#,
    })
}

fn ended(end: CallEnd) -> Ended {
    let reason = |json: &str, keys: &[&str]| {
        let value = parse(json.as_bytes()).ok()?;
        let found = keys.iter().try_fold(&value, |value, key| value.get(*key))?;
        Some(found.as_str()?.to_owned())
    };
    match end {
        CallEnd::Result { json, is_error } => {
            match reason(&json, &["_meta", "dev.stalwart/reason"]).filter(|_| is_error) {
                Some(reason) => Ended::Refused(reason),
                None if is_error => Ended::Failed(json),
                None => Ended::Ran(json),
            }
        }
        CallEnd::Error(json) => match reason(&json, &["data", "stalwart", "refused"]) {
            Some(reason) => Ended::Refused(reason),
            None => Ended::Failed(json),
        },
        CallEnd::InputRequired(json) => Ended::Failed(json),
        CallEnd::NotForwarded(error) | CallEnd::Lost(error) => Ended::Failed(error.to_string()),
    }
}

/// A relay that lets a person answer.
struct Answering(Option<Person>);

impl Relay for Answering {
    fn notify(&self, _: &str, _: &str) -> BoxFuture<'_, ()> {
        std::future::ready(()).boxed()
    }

    fn ask(&self, question: ServerQuestion) -> BoxFuture<'_, Result<String, RelayError>> {
        let answer = answer(self.0.as_ref(), &question.params);
        let unread = || RelayError("a question without a message".to_owned());
        std::future::ready(answer.map(str::to_owned).ok_or_else(unread)).boxed()
    }

    fn cancellation(&self) -> CancellationToken {
        CancellationToken::new()
    }
}
