//! How a call goes through the gateway's core.

mod client_keys;
mod questions;
mod reloads;
mod runs;
mod servers;

use stalwart::gateway::{CallRequest, OpenQuestion, Progress, Reply};
use stalwart::store::RunId;

use crate::harness::{Bench, stateless};

pub const CHARGE: &str = r#"{"order_id": "4411", "amount": 40.0}"#;
pub const ORDER: &str = r#"{"order_id": "4411"}"#;

pub fn asking(progress: Progress) -> OpenQuestion {
    match progress {
        Progress::Asking(question) => question,
        Progress::Done(reply) => panic!("nobody was asked: {reply:?}"),
    }
}

pub fn done(progress: Progress) -> Reply {
    match progress {
        Progress::Done(reply) => reply,
        Progress::Asking(question) => panic!("somebody was asked: {}", question.text),
    }
}

/// A run of `desk`, and a charge in it.
pub async fn charge_in_run(bench: &Bench) -> (RunId, CallRequest) {
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let request = stateless("desk", Some(&run), "charge_card", CHARGE);
    (run, request)
}
