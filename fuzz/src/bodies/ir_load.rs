//! Any bytes as an IR: refused, or as good as a compiled one.

use stalwart::ir::{from_bytes, to_bytes};

use super::points;

/// Questions to each rulebook.
const POINTS: usize = 8;

pub fn run(bytes: &[u8]) {
    let rulebook = match from_bytes(bytes) {
        Ok(rulebook) => rulebook,
        Err(error) => {
            let message = error.to_diagnostic().message;
            assert!(!message.is_empty() && !message.contains('\n'), "{message}");
            return;
        }
    };
    let written = to_bytes(&rulebook);
    match from_bytes(&written) {
        Ok(again) => assert!(again == rulebook, "another rulebook came back"),
        Err(error) => panic!("what was written does not load: {error}"),
    }
    points::hold(&rulebook, points::seed(bytes), POINTS);
}
