//! The chain: how a line is tied to the one before.

use super::entry::Entry;
use super::line::Line;
use crate::keys::{KeyRing, Purpose};
use crate::store::{AuditLine, ChainHead, Millis, StoreError, Transaction};

/// Appends a line to a node's chain, within a transaction: the store keeps it until the file has
/// it. It is to be given to [`Log::write`](super::Log::write) once the transaction is committed.
///
/// # Errors
/// Those of the store.
pub fn append(
    transaction: &mut dyn Transaction,
    keys: &KeyRing,
    node: &str,
    at: Millis,
    entry: Entry,
) -> Result<AuditLine, StoreError> {
    let (seq, prev) = match transaction.chain_head(node)? {
        Some(head) => (head.seq.saturating_add(1), head.hash),
        None => (1, origin(keys, node)),
    };
    let line = Line::of(entry, at, node, seq, keys.signing_id(), prev);
    let text = line
        .text()
        .map_err(|error| StoreError::Unusable(error.to_string()))?;
    let head = ChainHead {
        seq,
        hash: keys.hmac(Purpose::Audit, text.as_bytes()),
    };
    let line = AuditLine { seq, text };
    transaction.push_line(node, &line, &head)?;
    Ok(line)
}

/// The head behind a line, hashed by the key that the line names, where that is in the ring.
pub(super) fn head(keys: &KeyRing, line: &AuditLine) -> ChainHead {
    let bytes = line.text.as_bytes();
    let own =
        Line::read(&line.text).and_then(|read| keys.hmac_by(&read.key, Purpose::Audit, bytes));
    ChainHead {
        seq: line.seq,
        hash: own.unwrap_or_else(|| keys.hmac(Purpose::Audit, bytes)),
    }
}

/// The `prev` of a node's first line.
fn origin(keys: &KeyRing, node: &str) -> String {
    keys.hmac(Purpose::Audit, origin_text(node).as_bytes())
}

/// No line begins so, since lines are objects.
fn origin_text(node: &str) -> String {
    format!("node:{node}")
}

/// How a hash relates to what it should be the hash of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Holds,
    Broken,
    /// The key that made it is not in the ring.
    KeyUnknown,
}

/// Whether `hash` is the one of a line's text.
pub(super) fn link(keys: &KeyRing, text: &str, hash: &str) -> Link {
    match hash.split_once(':') {
        Some((id, _)) if !keys.knows(id) => Link::KeyUnknown,
        _ if keys.verify(Purpose::Audit, text.as_bytes(), hash) => Link::Holds,
        _ => Link::Broken,
    }
}

/// Whether `hash` is the `prev` of a node's first line.
pub(super) fn link_to_origin(keys: &KeyRing, node: &str, hash: &str) -> Link {
    link(keys, &origin_text(node), hash)
}
