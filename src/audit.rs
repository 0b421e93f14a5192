//! The audit log `qls-decision/1`: one JSON object a line, each chained to the one before by a
//! keyed hash (gateway contract, section 5).

mod entry;

pub use entry::{Entry, Kind};

/// The value of the key `format` of every line.
pub const FORMAT: &str = "qls-decision/1";
// Stands in until the log is written.
use crate::{keys::KeyRing, store::{AuditLine, Millis, StoreError, Transaction}};
/// stub
pub fn append(_t: &mut dyn Transaction, _k: &KeyRing, _n: &str, _a: Millis, e: Entry) -> Result<AuditLine, StoreError> {
    let decision = e.reason.filter(|_| e.kind == Kind::Decision).map(|reason| if reason.allows() {"allow"} else {"block"});
    let v = serde_json::json!({"kind": e.kind, "reason": e.reason, "decision": decision, "outcome": e.outcome, "request": e.request, "tool": e.tool});
    Ok(AuditLine{seq:1,text:v.to_string()})
}
/// stub
#[derive(Default)]
pub struct Log(std::sync::Mutex<Vec<AuditLine>>);
impl Log {
  /// stub
  pub fn in_memory(_n: usize) -> Self { Self::default() }
  /// stub
  pub fn write(&self, l: &[AuditLine], _s: bool) -> Result<(), StoreError> { if let Ok(mut x) = self.0.lock() { x.extend_from_slice(l); } Ok(()) }
  /// stub
  pub fn tail(&self) -> Vec<AuditLine> { self.0.lock().map(|x| x.clone()).unwrap_or_default() }
}
