//! What the adapters of proxies must answer, said a second time: in Rust, of the input as it is.

use serde_json::{Map, Value, json};
use stalwart::adapters::{Adapter, Silent};
use stalwart::evaluator::Verdict;
use stalwart::json::{Bounds, check_strict};

use crate::compiled::Compiled;

const HARMLESS: [&str; 9] = [
    "initialize",
    "ping",
    "tools/list",
    "server/discover",
    "subscriptions/listen",
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "notifications/roots/list_changed",
];

/// What a proxy tells, whichever it is.
struct Told<'a> {
    one: Adapter,
    input: &'a Value,
    http: &'a Map<String, Value>,
}

/// Whether an input passes, and the reason where it does not.
pub fn expected(
    one: Adapter,
    silent: Silent,
    compiled: &Compiled,
    document: Option<&Value>,
    input: &Value,
) -> Result<(), String> {
    let nothing = Map::new();
    let http = match one {
        Adapter::Kong => input.pointer("/request/http"),
        _ => input.pointer("/attributes/request/http"),
    };
    let http = http.and_then(Value::as_object).unwrap_or(&nothing);
    let told = Told { one, input, http };
    let Some(message) = told.request().map_err(str::to_owned)? else {
        return Ok(());
    };
    if message["method"] != "tools/call" {
        return Ok(());
    }
    let context = told.context(document).ok_or("context")?;
    let call = json!({"tool": message["params"]["name"], "context": context});
    match compiled.decide(&call).decision {
        Verdict::Allow => Ok(()),
        Verdict::Silent if silent == Silent::Pass => Ok(()),
        Verdict::Silent => Err("silent".to_owned()),
        Verdict::Refuse => Err("rulebook".to_owned()),
        Verdict::Clarify => Err("clarify".to_owned()),
    }
}

impl Told<'_> {
    fn headers(&self, name: &str) -> Vec<&Value> {
        let all = self.http.get("headers").and_then(Value::as_object);
        let all = all.into_iter().flatten();
        all.filter(|(key, _)| key.to_lowercase() == name)
            .map(|(_, value)| value)
            .collect()
    }

    /// Nothing where it is absent; an error where it is not one text.
    fn header(&self, name: &str) -> Result<Option<&str>, ()> {
        match self.headers(name).as_slice() {
            [] => Ok(None),
            [Value::String(text)] => Ok(Some(text)),
            _ => Err(()),
        }
    }

    fn raw(&self) -> Option<&Value> {
        let is_given = |value: &&Value| **value != json!("") && !value.is_null();
        let raw = self.http.get("body").filter(is_given);
        match self.one {
            Adapter::Kong => raw,
            // The random inputs have no packed body.
            _ => raw.or(self.http.get("rawBody").filter(is_given)),
        }
    }

    fn parsed(&self) -> Option<&Value> {
        let parsed = match self.one {
            Adapter::Kong => self.http.get("parsed_body"),
            _ => self.input.get("parsed_body"),
        };
        parsed.filter(|value| !value.is_null())
    }

    fn size(&self) -> Option<Value> {
        if self.one == Adapter::Kong {
            return self.http.get("body_size").cloned();
        }
        let size = self.http.get("size")?;
        let is_number = |text: &str| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            (1..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let read = size.as_str().filter(|text| is_number(text));
        Some(read.map_or_else(|| size.clone(), |text| json!(text.parse::<i64>().unwrap())))
    }

    /// In both of the forms that Envoy has for a body.
    fn is_given_twice(&self) -> bool {
        let is_given = |name: &str| {
            let given = self.http.get(name);
            given.is_some_and(|value| *value != json!("") && !value.is_null())
        };
        self.one != Adapter::Kong && is_given("body") && is_given("rawBody")
    }

    fn has_body(&self) -> bool {
        let no_size = [json!(0), json!(-1), Value::Null];
        self.raw().is_some()
            || self.parsed().is_some()
            || self.size().is_some_and(|size| !no_size.contains(&size))
            || !matches!(self.header("content-length"), Ok(None | Some("0")))
            || !self.headers("transfer-encoding").is_empty()
    }

    fn is_too_large(&self) -> bool {
        let is_cut = self.one != Adapter::Kong
            && (self
                .input
                .get("truncated_body")
                .is_some_and(|cut| *cut != json!(false))
                || !matches!(
                    self.header("x-envoy-auth-partial-body"),
                    Ok(None | Some("false"))
                ));
        let raw = self.raw().and_then(Value::as_str);
        is_cut
            || self.is_given_twice()
            || raw.is_some_and(|raw| raw.chars().count() > 65536)
            || raw.is_some_and(|raw| raw.matches('"').count() > 4096)
            || self
                .size()
                .is_some_and(|size| size.as_i64().is_some_and(|size| size > 65536))
    }

    /// The message that is decided on; nothing for a method without a body.
    fn request(&self) -> Result<Option<Value>, &'static str> {
        match self.http.get("method").and_then(Value::as_str) {
            Some("GET" | "DELETE") if self.has_body() => return Err("body"),
            Some("GET" | "DELETE") => return Ok(None),
            Some("POST") => {}
            _ => return Err("http_method"),
        }
        match self.header("content-encoding") {
            Ok(None) => {}
            Ok(Some(coding)) if coding.to_lowercase() == "identity" => {}
            _ => return Err("content_encoding"),
        }
        match self.header("content-type") {
            Ok(Some(kind)) if is_json(kind) => {}
            _ => return Err("content_type"),
        }
        if self.is_too_large() {
            return Err("body_size");
        }
        let parsed = self.parsed().and_then(Value::as_object).ok_or("body")?;
        let message = match self.raw() {
            None => Value::Object(parsed.clone()),
            Some(raw) => {
                let raw = raw.as_str().ok_or("body")?;
                let read: Value = serde_json::from_str(raw).map_err(|_| "body")?;
                if !read.is_object() {
                    return Err("body");
                }
                // The project's own reader of JSON refuses a key that stands twice.
                let bounds = Bounds {
                    bytes: 1 << 20,
                    depth: 500,
                };
                check_strict(raw.as_bytes(), bounds).map_err(|_| "duplicate_key")?;
                read
            }
        };
        self.message(&message, parsed)?;
        Ok(Some(message))
    }

    fn message(&self, message: &Value, parsed: &Map<String, Value>) -> Result<(), &'static str> {
        let members = message.as_object().ok_or("body")?;
        let known = ["jsonrpc", "id", "method", "params"];
        if members.keys().any(|key| !known.contains(&key.as_str())) || message["jsonrpc"] != "2.0" {
            return Err("message");
        }
        let method = message["method"].as_str().ok_or("method")?;
        let is_call = method == "tools/call";
        if !is_call && !HARMLESS.contains(&method) {
            return Err("method");
        }
        let fits = match members.get("id") {
            None => method.starts_with("notifications/"),
            Some(id) => !method.starts_with("notifications/") && (id.is_string() || id.is_number()),
        };
        if !fits {
            return Err("id");
        }
        let params = members.get("params");
        if params.is_some_and(|params| !params.is_object()) {
            return Err("params");
        }
        let name = params.and_then(|params| params.get("name"));
        if is_call {
            let params = params.and_then(Value::as_object).ok_or("params")?;
            let known = [
                "name",
                "arguments",
                "_meta",
                "inputResponses",
                "requestState",
            ];
            let name = name.and_then(Value::as_str).ok_or("params")?;
            let is_visible = name.bytes().all(|byte| byte.is_ascii_graphic());
            if params.keys().any(|key| !known.contains(&key.as_str()))
                || params.get("arguments").is_some_and(|it| !it.is_object())
                || !is_visible
                || !(1..=256).contains(&name.len())
            {
                return Err("params");
            }
        }
        if parsed.get("jsonrpc") != members.get("jsonrpc")
            || parsed.get("method") != members.get("method")
            || (is_call && parsed.get("params").and_then(|params| params.get("name")) != name)
        {
            return Err("two_readings");
        }
        let mirrors = match (self.header("mcp-method"), self.header("mcp-name")) {
            (Err(()), _) | (_, Err(())) => false,
            (Ok(of_method), Ok(of_name)) => {
                let name = name.and_then(Value::as_str);
                of_method.is_none_or(|given| given == method)
                    && of_name.is_none_or(|given| {
                        is_call
                            && (Some(given) == name
                                || given == "=?base64?cmVmdW5kX2NhcmQ=?="
                                    && name == Some("refund_card"))
                    })
            }
        };
        if mirrors {
            Ok(())
        } else {
            Err("mirrored_header")
        }
    }

    /// All that the host knows, when no name comes from two sources.
    fn context(&self, document: Option<&Value>) -> Option<Value> {
        let mut agent = self
            .input
            .pointer("/consumer/username")
            .and_then(Value::as_str);
        let mut sources = Vec::new();
        if self.one != Adapter::Kong {
            let path = "/attributes/metadataContext/filterMetadata/stalwart";
            let vouched = self.input.pointer(path).filter(|it| **it != json!(false));
            agent = None;
            if let Some(vouched) = vouched {
                let vouched = vouched.as_object()?;
                let is_known = |key: &String| key == "agent" || key == "context";
                if !vouched.keys().all(is_known) {
                    return None;
                }
                if let Some(name) = vouched.get("agent") {
                    agent = Some(name.as_str()?);
                }
                sources.extend(vouched.get("context"));
            }
        }
        if let Some(document) = document.filter(|it| **it != json!(false)) {
            let document = document.as_object()?;
            let is_known = |key: &String| key == "*" || key == "agents";
            if !document.keys().all(is_known) {
                return None;
            }
            sources.extend(document.get("*"));
            if let Some(agents) = document.get("agents") {
                let agents = agents.as_object()?;
                sources.extend(agent.and_then(|agent| agents.get(agent)));
            }
        }
        if sources.is_empty() {
            return None;
        }
        let mut context = Map::new();
        for source in sources {
            for (name, value) in source.as_object()? {
                if context.insert(name.clone(), value.clone()).is_some() {
                    return None;
                }
            }
        }
        Some(Value::Object(context))
    }
}

fn is_json(kind: &str) -> bool {
    let blanks: &[char] = &[' ', '\t'];
    let kind = kind.to_lowercase();
    let (kind, rest) = kind.split_once(';').unwrap_or((&kind, "charset=utf-8"));
    let rest = rest.trim_matches(blanks);
    let is_known = ["", "charset=utf-8", "charset=\"utf-8\""].contains(&rest);
    kind.trim_end_matches(blanks) == "application/json" && is_known
}
