//! Why a log cannot be opened or written.

use std::io;

use thiserror::Error;

use crate::diagnostics::{Code, Diagnostic, codes};
use crate::store::StoreError;
use crate::text::{quoted, reason};

/// Why a log cannot be opened or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file ends before a line that it once had.
    #[error(
        "the audit log ends at line {file} of its chain, and had {store} lines: its end was cut off"
    )]
    Cut {
        /// The last line that is there.
        file: u64,
        /// The last line that was.
        store: u64,
    },
    /// A line is not as it was written. Its number in the chain, or the one that it should have.
    #[error("line {0} of the audit log's chain is not as it was written")]
    Altered(u64),
    /// It is another gateway's. That one's node.
    #[error("the audit log is the one of node {node}", node = quoted(.0))]
    OtherNode(String),
    /// It belongs to a chain that the store does not know.
    #[error("the audit log does not belong to this store")]
    OtherStore,
    /// A line was hashed with a key that is not in the configuration. The key's id.
    #[error("the audit log was hashed with the key {id}, which is not in `keys`", id = quoted(.0))]
    KeyUnknown(String),
    /// Another process has it.
    #[error("another process writes the audit log")]
    InUse,
    /// Somebody else wrote, cut or removed the file while it was open.
    #[error("the audit log was changed by another program while it was open")]
    Changed,
    /// Lines before this one are missing, in the store too. The number of the first.
    #[error("line {0} of the audit log's chain is missing")]
    Missing(u64),
    /// It cannot be read or written. What the system says.
    #[error("the audit log cannot be used: {0}")]
    Unusable(String),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LogError {
    /// The system's refusal.
    #[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
    pub(super) fn of(error: io::Error) -> Self {
        Self::Unusable(reason(&error))
    }

    /// The code, and what there is to do.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, help): (&'static Code, &str) = match self {
            Self::Cut { .. } => (
                &codes::audit::CUT,
                "put the whole file back, or look into who cut it; a file that was moved away \
                 while the gateway stood still is put back, and moved while it runs",
            ),
            Self::Altered(_) | Self::Missing(_) => (
                &codes::audit::ALTERED,
                "run `stalwart audit verify` on the file, and look into who changed it",
            ),
            Self::OtherNode(_) | Self::OtherStore => (
                &codes::audit::FOREIGN,
                "give each gateway, and each store, an `audit` file of its own",
            ),
            Self::KeyUnknown(_) => (
                &codes::audit::KEY_UNKNOWN,
                "keep old keys in `keys`, behind the one that signs",
            ),
            Self::InUse => (
                &codes::audit::IN_USE,
                "stop the other process, or give this one an `audit` file of its own",
            ),
            Self::Changed => (
                &codes::audit::CHANGED,
                "let nothing but the gateway write the file; to rotate it, move it and send SIGHUP",
            ),
            Self::Unusable(_) => (
                &codes::audit::AUDIT_UNUSABLE,
                "look at the file's folder, its permissions and the free space",
            ),
            Self::Store(error) => return error.diagnostic(),
        };
        Diagnostic::without_place(code, self.to_string()).with_help(help)
    }
}
