//! Who may do what: tokens and keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use zeroize::Zeroizing;

use super::keys::SIGNING_KEY;
use super::reading::Reader;
use super::types::SecretText;
use crate::catalogue::Catalogue;
use crate::diagnostics::codes::configuration::{
    BAD_KEY, NO_SUCH_AGENT, NO_TOKEN, TOKEN_TWICE, WEAK_TOKEN,
};
use crate::diagnostics::{Diagnostic, codes};
use crate::keys::{KeyRing, KeyRingError, Secret};
use crate::text::{Span, quoted};
use crate::yaml::{Content, Entry, Node, nearest};

/// Bytes of a token.
const TOKEN_BYTES: std::ops::RangeInclusive<usize> = 16..=4_096;

/// Most tokens of one agent.
const MOST_TOKENS: usize = 16;

/// How to make a token or a key.
const MAKE: &str = "make one with `openssl rand -hex 32`, and write `${NAME}` here";

impl Reader<'_> {
    /// A bearer token, which no other place may have.
    pub(super) fn token(&mut self, node: &Node, owner: &str) -> Option<SecretText> {
        let token = self.secret(node, "a token")?;
        let is_visible = |byte: u8| byte.is_ascii_graphic();
        let text = token.expose();
        if !TOKEN_BYTES.contains(&text.len()) || !text.bytes().all(is_visible) {
            let message =
                format!("the token of {owner} has not 16 to 4,096 visible ASCII characters");
            self.report(&WEAK_TOKEN, node.place, message, MAKE);
            return None;
        }
        let first = self.tokens.iter().find(|(known, _, _)| *known == token);
        if let Some((_, place, other)) = first {
            let message = format!("the token of {owner} is that of {other}");
            let diagnostic = Diagnostic::new(&TOKEN_TWICE, node.place, message)
                .with_label("again here")
                .with_other(*place, "first here")
                .with_help(format!("who calls is known by the token alone: {MAKE}"));
            self.sink.push(diagnostic);
            return None;
        }
        self.tokens
            .push((token.clone(), node.place, owner.to_owned()));
        Some(token)
    }

    /// `agents`.
    pub(super) fn agents(
        &mut self,
        entry: Option<&Entry>,
        catalogue: Option<&Catalogue>,
    ) -> BTreeMap<String, Vec<SecretText>> {
        let mut found = BTreeMap::new();
        for agent in self.mapping(entry) {
            let name = &agent.key.value;
            let known = catalogue.map(|catalogue| &catalogue.agents);
            if let Some(known) = known.filter(|known| !known.contains_key(name)) {
                let message = format!("{} is no agent of the catalogue", quoted(name));
                let help = match nearest(name, known.keys().map(String::as_str)) {
                    Some(near) => format!("did you mean {}?", quoted(near)),
                    None => "delete it, or write the agent into `agent.yaml`".to_owned(),
                };
                self.report(&NO_SUCH_AGENT, agent.key.span, message, help);
            }
            let tokens = self.agent_tokens(agent);
            found.insert(name.clone(), tokens);
        }
        let without = catalogue.map(|catalogue| catalogue.agents.keys());
        for name in without.into_iter().flatten() {
            if !found.contains_key(name) {
                let place = entry.map_or(Span::default(), |entry| entry.key.span);
                let message = format!(
                    "{} has no token: nobody can connect as this agent",
                    quoted(name)
                );
                let help = format!("write `{name}: ${{…}}`, where it should be connected here");
                self.report(&NO_TOKEN, place, message, help);
            }
        }
        found
    }

    fn agent_tokens(&mut self, agent: &Entry) -> Vec<SecretText> {
        let owner = quoted(&agent.key.value);
        let nodes = match &agent.value.content {
            Content::List(items) => items.as_slice(),
            _ => std::slice::from_ref(&agent.value),
        };
        if !(1..=MOST_TOKENS).contains(&nodes.len()) {
            let message = format!("{owner} has not 1 to {MOST_TOKENS} tokens");
            let help = "write the token, or a list of them while they are rotated";
            self.report(&WEAK_TOKEN, agent.key.span, message, help);
            return Vec::new();
        }
        let tokens = nodes.iter();
        tokens.filter_map(|node| self.token(node, &owner)).collect()
    }

    /// `keys`.
    pub(super) fn key_ring(&mut self, entry: Option<&Entry>) -> Option<Arc<KeyRing>> {
        let entry = entry?;
        let before = self.sink.has_errors();
        let mut keys: Vec<(String, Secret)> = Vec::new();
        let mut places = Vec::new();
        for item in self.list(Some(entry)) {
            let Some(taken) = self.section(item, &SIGNING_KEY) else {
                continue;
            };
            let id = taken
                .get("id")
                .and_then(|entry| self.text(&entry.value, "the id of a key"));
            let secret = taken
                .get("secret")
                .and_then(|entry| self.key_secret(&entry.value));
            if let (Some(id), Some(secret)) = (id, secret) {
                places.push((id.value.clone(), taken.place));
                keys.push((id.value, secret));
            }
        }
        if self.sink.has_errors() && !before {
            return None;
        }
        match KeyRing::new(keys) {
            Ok(ring) => Some(Arc::new(ring)),
            Err(error) => {
                let id = match &error {
                    KeyRingError::BadId(id)
                    | KeyRingError::IdTwice(id)
                    | KeyRingError::SecretTwice(id) => Some(id),
                    _ => None,
                };
                let mut of_id = places.iter().rev().filter(|(known, _)| Some(known) == id);
                let place = of_id.next().map_or(entry.key.span, |(_, place)| *place);
                let help = "write `keys: [{ id: k1, secret: ${STALWART_KEY} }]`; the first signs";
                self.report(&BAD_KEY, place, error.to_string(), help);
                None
            }
        }
    }

    fn key_secret(&mut self, node: &Node) -> Option<Secret> {
        let text = self.secret(node, "the secret of a key")?;
        let secret = decoded(text.expose().trim());
        if secret.is_none() {
            let message = "the secret of a key is 32 bytes: 64 hexadecimal digits, or base64";
            self.report(&BAD_KEY, node.place, message, MAKE);
        }
        secret
    }

    /// Says what this build does not do with a catalogue that asks for it.
    pub(super) fn not_run(&mut self, catalogue: &Catalogue) {
        let undo = catalogue.tools.values().any(|tool| tool.undo.is_some());
        let owners = catalogue
            .agents
            .values()
            .any(|agent| !agent.owners.is_empty());
        for (is_there, key) in [(undo, "undo"), (owners, "owners")] {
            if is_there {
                let message = format!(
                    "the catalogue has {}, and this build does not run it",
                    quoted(key)
                );
                let diagnostic = Diagnostic::without_place(&codes::catalogue::NOT_RUN, message);
                self.sink
                    .push(diagnostic.with_help("it may stay as it is until a build does"));
            }
        }
    }
}

/// 32 bytes from 64 hexadecimal digits or from base64, of either alphabet, padded or not.
fn decoded(text: &str) -> Option<Secret> {
    let mut bytes = Zeroizing::new(Vec::new());
    if text.len() == 64 {
        *bytes = hex::decode(text).ok()?;
    } else {
        let engines = [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD];
        *bytes = engines.iter().find_map(|engine| engine.decode(text).ok())?;
    }
    let secret: [u8; 32] = bytes.as_slice().try_into().ok()?;
    Some(Zeroizing::new(secret))
}
