//! What is read anew while the gateway runs: it holds from then on, for calls that are under way
//! as well.

use std::sync::Arc;

use stalwart::gateway::{Answer, CallEnd, StartError, Unavailable};
use stalwart::keys::{KeyRing, Secret};
use stalwart::tool_check::{Policy, Reason};
use tokio::sync::Notify;

use super::{CHARGE, asking, charge_in_run, done};
use crate::harness::{Bench, Person, Plan, SOON, deaf, example_catalogue, reason};

/// Reads a catalogue anew in which `desk` has no `charge_card`.
async fn without_charges(bench: &Bench) {
    let mut catalogue = example_catalogue();
    catalogue
        .agents
        .get_mut("desk")
        .unwrap()
        .tools
        .remove("charge_card");
    let mut current = Plan::default().current(&bench.server, &bench.host);
    current.policy = Policy::new(catalogue, "policy-2".to_owned()).unwrap();
    bench.gateway.replace(current).await.unwrap();
}

#[tokio::test]
async fn a_call_whose_server_is_slow_is_judged_by_what_is_in_force() {
    let bench = Plan::default().start().await;
    let (_, request) = charge_in_run(&bench).await;
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    let (waits, gate) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    *bench.server.opening.lock().unwrap() = Some((Arc::clone(&waits), Arc::clone(&gate)));
    let gateway = bench.gateway.clone();
    let answering = tokio::spawn(async move {
        gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await
    });
    waits.notified().await;
    without_charges(&bench).await;
    gate.notify_one();
    let answered = tokio::time::timeout(SOON, answering)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(done(answered).reason, Reason::UnknownTool);
    assert!(bench.received().is_empty());
    assert_eq!(bench.decisions(), ["block unknown_tool"]);
}

/// The keys of these ids and secrets in force.
async fn with_keys(bench: &Bench, keys: &[(&str, u8)]) -> Result<(), StartError> {
    let keys = keys
        .iter()
        .map(|(id, byte)| ((*id).to_owned(), Secret::from([*byte; 32])));
    let mut current = Plan::default().current(&bench.server, &bench.host);
    current.keys = Arc::new(KeyRing::new(keys.collect()).unwrap());
    bench.gateway.replace(current).await
}

#[tokio::test]
async fn a_key_is_dropped_only_where_nothing_needs_it() {
    let bench = Plan::default().start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    let lost = CallEnd::Lost(Unavailable("lost".to_owned()));
    bench.server.ends.lock().unwrap().push_back(lost);
    let person = Person::who_says([Answer::Yes]);
    bench
        .gateway
        .call(&desk, "charge_card", CHARGE, &person)
        .await;
    let needed = StartError::KeyNeeded("k1".to_owned());
    assert_eq!(with_keys(&bench, &[("k2", 2)]).await, Err(needed));
    // Beside a new first key, the old one still knows the write.
    with_keys(&bench, &[("k2", 2), ("k1", 7)]).await.unwrap();
    let again = bench
        .gateway
        .call(&desk, "charge_card", CHARGE, &person)
        .await;
    assert_eq!(reason(&again), "ambiguous_outstanding");
}

#[tokio::test]
async fn an_id_stands_for_one_key() {
    let bench = Plan::default().start().await;
    let changed = StartError::KeyChanged("k1".to_owned());
    assert_eq!(with_keys(&bench, &[("k1", 8)]).await, Err(changed));
    with_keys(&bench, &[("k1", 7)]).await.unwrap();
}

#[tokio::test]
async fn a_call_that_changed_while_its_server_waited_is_closed() {
    let bench = Plan::default().start().await;
    let (request, call, round) = super::servers::until_the_server_asks(&bench).await;
    let (waits, gate) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    *bench.server.opening.lock().unwrap() = Some((Arc::clone(&waits), Arc::clone(&gate)));
    let gateway = bench.gateway.clone();
    let resuming =
        tokio::spawn(async move { gateway.resume(&request, call, &round, &deaf()).await });
    waits.notified().await;
    let mut current = Plan::default().current(&bench.server, &bench.host);
    current.policy = Policy::new(example_catalogue(), "policy-2".to_owned()).unwrap();
    bench.gateway.replace(current).await.unwrap();
    gate.notify_one();
    let resumed = tokio::time::timeout(SOON, resuming).await.unwrap().unwrap();
    assert_eq!(done(resumed).reason, Reason::Changed);
    assert_eq!(bench.received(), ["charge_card"]);
    assert_eq!(bench.outcomes(), ["ambiguous"]);
}
