//! Codes of JSON-RPC errors.

/// The code of a JSON-RPC error that the gateway itself gives or tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// The body is no JSON.
    Parse,
    /// The body is JSON, and no message.
    InvalidRequest,
    /// Nobody here knows the method.
    MethodNotFound,
    /// The params do not fit the method; no such tool.
    InvalidParams,
    /// A fault of the receiver.
    Internal,
    /// A header differs from the body (2026-07-28).
    HeaderMismatch,
    /// The client lacks a capability that the request needs (2026-07-28).
    MissingCapability,
    /// The protocol version is none that is served (2026-07-28).
    UnsupportedVersion,
}

impl ErrorCode {
    /// The number on the wire.
    pub const fn number(self) -> i32 {
        match self {
            Self::Parse => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::Internal => -32603,
            Self::HeaderMismatch => -32020,
            Self::MissingCapability => -32021,
            Self::UnsupportedVersion => -32022,
        }
    }

    /// The code of an error object's `code`, as it is written; none for one that is not in this
    /// list.
    pub fn of_text(code: &str) -> Option<Self> {
        let number: i32 = code.parse().ok()?;
        Self::ALL.into_iter().find(|known| known.number() == number)
    }

    /// Every code.
    pub const ALL: [Self; 8] = [
        Self::Parse,
        Self::InvalidRequest,
        Self::MethodNotFound,
        Self::InvalidParams,
        Self::Internal,
        Self::HeaderMismatch,
        Self::MissingCapability,
        Self::UnsupportedVersion,
    ];
}
