//! How a shop behaves.

use std::time::Duration;

/// The eras that it serves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ServedEras {
    /// Both.
    #[default]
    Both,
    /// Sessions only.
    Session,
    /// Stateless requests only.
    Stateless,
}

/// How a shop behaves, for tests.
#[derive(Clone, Debug, Default)]
pub struct Conduct {
    /// The eras that it serves.
    pub eras: ServedEras,
    /// How it answers `tools/call`.
    pub manner: Manner,
}

/// How a shop answers `tools/call`. In each manner the call counts as received.
#[derive(Clone, Debug, Default)]
pub enum Manner {
    /// As it should.
    #[default]
    Usual,
    /// After a while.
    Slow(Duration),
    /// With these bytes, of this status and type; `$ID` in them is the request's id.
    Raw {
        /// The HTTP status.
        status: u16,
        /// The `content-type`; none where empty.
        content_type: String,
        /// Where a redirect leads; none where empty.
        location: String,
        /// The body.
        body: String,
    },
    /// With a stream of events, whose bytes come one by one.
    ByteByByte,
    /// With a stream that breaks behind its head.
    Broken,
    /// With a stream that ends without an answer, and goes on with it when it is taken up again.
    Resumed,
    /// With progress under the call's token and under another, a message of its log, and the news
    /// that its tools changed; then the answer.
    Chatty,
    /// With a question to the client first: these are its params. Its answer is the result's text.
    Asks(String),
    /// With a request of this method first, as an old server may; the response is the result's
    /// text.
    Requests(String),
    /// Only when it is told that the call is cancelled: with an answer that says so.
    UntilCancelled,
    /// With a result of so many bytes of text.
    Huge(usize),
}
