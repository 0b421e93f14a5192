//! The tools as a server describes them, and their hashes.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use tokio::time::sleep;

use super::connection::{Failure, no_answer};
use super::mirrored::{Mirrored, annotations};
use crate::gateway::{Era, ToolDefinition};
use crate::json::{canonical_members, items, parse};
use crate::mcp::wire::without_own_meta;
use crate::store::Millis;

/// How long definitions count, in milliseconds (contract section 4).
const FRESH: Millis = 60_000;

/// The members of a definition that its hash is taken of: those that a model or a person sees.
const PINNED: [&str; 6] = [
    "annotations",
    "description",
    "inputSchema",
    "name",
    "outputSchema",
    "title",
];

/// The hash of a tool's definition, as [`crate::catalogue::Pin::sha256`] has it: SHA-256 of the
/// canonical JSON of its name, title, description, schemas and annotations. None for a text that is
/// no definition.
pub fn pin(definition: &str) -> Option<String> {
    let Ok(Value::Object(members)) = parse(definition.as_bytes()) else {
        return None;
    };
    members.get("name")?.as_str()?;
    let pinned = canonical_members(&members, |key| PINNED.contains(&key));
    Some(hex::encode(Sha256::digest(pinned)))
}

/// Definitions that were read.
#[derive(Clone, Debug)]
pub(super) struct Definitions {
    pub(super) tools: Arc<[ToolDefinition]>,
    pub(super) mirrored: Arc<BTreeMap<String, Vec<Mirrored>>>,
}

/// What came of reading them; nothing while they are read.
type Outcome = Option<Result<Definitions, Failure>>;

/// Keeps definitions for as long as they count.
#[derive(Debug, Default)]
pub(super) struct Kept(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    known: Option<(Millis, Definitions)>,
    has_changed: bool,
    /// Where the outcome of the reading on the way comes. Its sender is dropped where who reads
    /// went away.
    reading: Option<watch::Receiver<Outcome>>,
}

/// What somebody who wants definitions does.
enum Turn {
    Has(Definitions),
    Reads(watch::Sender<Outcome>),
    /// Waits for who reads; the outcome counts unless they changed meanwhile.
    Waits(watch::Receiver<Outcome>, bool),
}

impl Kept {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The server said that they changed.
    pub(super) fn change(&self) {
        self.state().has_changed = true;
    }

    fn turn(&self, now: Millis) -> Turn {
        let mut state = self.state();
        if let Some(reading) = &state.reading
            && reading.has_changed().is_ok()
        {
            return Turn::Waits(reading.clone(), !state.has_changed);
        }
        if let Some((read_at, definitions)) = &state.known
            && !state.has_changed
            && (0..FRESH).contains(&now.saturating_sub(*read_at))
        {
            return Turn::Has(definitions.clone());
        }
        let (sender, reading) = watch::channel(None);
        *state = State {
            known: None,
            has_changed: false,
            reading: Some(reading),
        };
        Turn::Reads(sender)
    }

    /// Those that are kept, or what `read` gives within `limit`. Who comes while they are read
    /// waits for the same outcome, and holds up nobody.
    pub(super) async fn get(
        &self,
        clock: &(dyn Fn() -> Millis + Send + Sync),
        limit: Duration,
        read: impl Future<Output = Result<Definitions, Failure>>,
    ) -> Result<Definitions, Failure> {
        let mut read = pin!(read);
        let mut time = pin!(sleep(limit));
        let too_late = || Err(no_answer(limit));
        loop {
            let now = clock();
            match self.turn(now) {
                Turn::Has(definitions) => return Ok(definitions),
                Turn::Reads(sender) => {
                    let outcome = tokio::select! {
                        biased;
                        outcome = &mut read => outcome,
                        () = &mut time => too_late(),
                    };
                    let mut state = self.state();
                    state.known = outcome.clone().ok().map(|definitions| (now, definitions));
                    state.reading = None;
                    drop(state);
                    sender.send_replace(Some(outcome.clone()));
                    return outcome;
                }
                Turn::Waits(mut reading, counts) => {
                    let outcome = tokio::select! {
                        biased;
                        outcome = reading.wait_for(Option::is_some) => {
                            outcome.ok().and_then(|outcome| outcome.clone())
                        }
                        () = &mut time => return too_late(),
                    };
                    match outcome {
                        Some(outcome) if counts => return outcome,
                        // Who read them went away, or they changed: somebody reads them again.
                        _ => {}
                    }
                }
            }
        }
    }
}

/// Collects the pages of a list.
#[derive(Default)]
pub(super) struct Pages {
    tools: BTreeMap<String, (ToolDefinition, Vec<Mirrored>)>,
    /// Names that are no tool's: listed twice.
    doubtful: BTreeSet<String>,
    count: usize,
}

impl Pages {
    /// Adds the tools of a page. What is no definition is left out: a tool that cannot be read
    /// cannot be called.
    ///
    /// # Errors
    /// It is no list of tools, or of too many. What is wrong.
    pub(super) fn add(&mut self, list: &str, era: Era, most: usize) -> Result<(), String> {
        let listed = items(list).ok().flatten();
        let listed = listed.ok_or("`tools` is no array")?;
        self.count += listed.len();
        if self.count > most {
            return Err(format!("it has more than {most} tools"));
        }
        for definition in listed {
            let Ok(value) = parse(definition.as_bytes()) else {
                continue;
            };
            let Some(name) = value.get("name").and_then(Value::as_str) else {
                continue;
            };
            let (Some(schema @ Value::Object(_)), Some(sha256)) =
                (value.get("inputSchema"), pin(definition))
            else {
                continue;
            };
            // Before 2026-07-28 the keyword means nothing.
            let mirrored = match era {
                Era::Stateless => annotations(schema),
                Era::Session => Ok(Vec::new()),
            };
            let Ok(mirrored) = mirrored else {
                continue;
            };
            let tool = ToolDefinition {
                name: name.to_owned(),
                json: without_own_meta(definition),
                sha256,
            };
            if self
                .tools
                .insert(name.to_owned(), (tool, mirrored))
                .is_some()
            {
                self.doubtful.insert(name.to_owned());
            }
        }
        Ok(())
    }

    /// All that were added, sorted by name.
    pub(super) fn definitions(self) -> Definitions {
        let mut tools = Vec::new();
        let mut mirrored = BTreeMap::new();
        for (name, (tool, headers)) in self.tools {
            if self.doubtful.contains(&name) {
                continue;
            }
            tools.push(tool);
            if !headers.is_empty() {
                mirrored.insert(name, headers);
            }
        }
        Definitions {
            tools: tools.into(),
            mirrored: Arc::new(mirrored),
        }
    }
}
