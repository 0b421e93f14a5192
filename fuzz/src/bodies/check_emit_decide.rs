//! Any bytes as a rulebook: what checks is emitted, and decides alike in process and in Rego.
//!
//! Bytes that begin with 0 are a seed of the generator of random rulebooks, others are a text.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use stalwart::compiler::{Depth, compile};
use stalwart::ir::Rulebook;

use super::points;
use crate::generator::rulebooks;

/// Questions to each rulebook.
const POINTS: usize = 12;

pub fn run(bytes: &[u8]) {
    let rulebook = match bytes.split_first() {
        Some((0, seed)) => generated(seed),
        _ => checked(bytes),
    };
    if let Some(rulebook) = rulebook {
        points::hold(&rulebook, points::seed(bytes), POINTS);
    }
}

fn checked(text: &[u8]) -> Option<Rulebook> {
    compile("policy.co", text, "fuzz.policy", Depth::Errors).rulebook
}

/// The rulebook that the generator draws from some seed. The bytes are not the choices
/// themselves: where these end, a generator that draws again what it cannot use never ends.
fn generated(seed: &[u8]) -> Option<Rulebook> {
    let mut key = [0; 32];
    key.iter_mut().zip(seed).for_each(|(to, from)| *to = *from);
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &key);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let model = rulebooks().new_tree(&mut runner).ok()?.current();
    checked(model.source().as_bytes())
}
