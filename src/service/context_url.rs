//! The host that is asked what the context of a call is (gateway contract, section 1, *Context*):
//! once for each check, with a token of its own, in at most half a second.

use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, StreamExt as _};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, StatusCode, Url};
use serde_json::{Map, Value, json};
use zeroize::Zeroizing;

use crate::gateway::{ContextQuestion, ContextSource, ContextUnavailable};
use crate::json::{Bounds, parse_strict};
use crate::mcp::client::http_client;

/// How long the host may take.
const TIMEOUT: Duration = Duration::from_millis(500);

/// Bounds of its answer.
const ANSWER: Bounds = Bounds {
    bytes: 64 << 10,
    depth: 64,
};

/// A host that is asked over HTTP.
pub struct ContextUrl {
    client: Client,
    url: Url,
    authorization: Option<HeaderValue>,
}

impl ContextUrl {
    /// A host at an address, asked with a bearer token of its own.
    ///
    /// # Errors
    /// The address or the token cannot be used; the text does not repeat them.
    pub fn new(url: &str, token: Option<&Zeroizing<String>>) -> Result<Self, ContextUnavailable> {
        let failed = |what: &str| ContextUnavailable(what.to_owned());
        let url = Url::parse(url).map_err(|_| failed("the address cannot be used"))?;
        let client = http_client(url.scheme() == "https")
            .map_err(|_| failed("no connections can be made"))?;
        let authorization = match token {
            Some(token) => {
                let text = Zeroizing::new(format!("Bearer {}", token.as_str()));
                let value = HeaderValue::from_str(&text);
                let mut value = value.map_err(|_| failed("the token cannot stand in a header"))?;
                value.set_sensitive(true);
                Some(value)
            }
            None => None,
        };
        Ok(Self {
            client,
            url,
            authorization,
        })
    }

    async fn ask_now(
        &self,
        question: ContextQuestion,
    ) -> Result<Map<String, Value>, ContextUnavailable> {
        let failed = |what: &str| ContextUnavailable(what.to_owned());
        let body = json!({
            "agent": question.agent,
            "run": question.run,
            "subject": question.subject,
            "tool": question.tool,
            "arguments": question.arguments,
        });
        let mut request = self
            .client
            .post(self.url.clone())
            .timeout(TIMEOUT)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json")
            .body(body.to_string());
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        let response = request.send().await.map_err(|error| {
            failed(if error.is_timeout() {
                "the host did not answer in 500 ms"
            } else {
                "the host cannot be reached"
            })
        })?;
        if response.status() != StatusCode::OK {
            let status = response.status().as_u16();
            return Err(failed(&format!("the host answered with status {status}")));
        }
        let mut bytes = Vec::new();
        let mut chunks = response.bytes_stream();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|_| failed("the host's answer broke off"))?;
            if bytes.len() + chunk.len() > ANSWER.bytes {
                return Err(failed("the host's answer is longer than 64 KiB"));
            }
            bytes.extend_from_slice(&chunk);
        }
        match parse_strict(&bytes, ANSWER) {
            Ok(Value::Object(values)) => Ok(values),
            Ok(_) => Err(failed("the host's answer is no JSON object")),
            Err(error) => Err(failed(&format!(
                "the host's answer cannot be read: {error}"
            ))),
        }
    }
}

impl ContextSource for ContextUrl {
    fn ask(
        &self,
        question: ContextQuestion,
    ) -> BoxFuture<'_, Result<Map<String, Value>, ContextUnavailable>> {
        async move {
            let asked = tokio::time::timeout(TIMEOUT, self.ask_now(question)).await;
            asked.unwrap_or_else(|_| {
                Err(ContextUnavailable(
                    "the host did not answer in 500 ms".to_owned(),
                ))
            })
        }
        .boxed()
    }
}
