//! Servers of `gateway.yaml` as the gateway reaches them over HTTP, in both eras of the protocol
//! (gateway contract, section 4).
//!
//! A server is spoken to in the caller's era where it serves it, else in the other; what it serves
//! is remembered for ten minutes. Sessions are kept by scope and never shared. Only what the
//! address says is sent for authentication; redirects are not followed, and proxies of the
//! environment not asked.
//!
//! # What became of a call
//!
//! | what came back | the call's end |
//! |---|---|
//! | no connection: name, TCP, TLS | `NotForwarded` |
//! | an argument that no header can mirror | `NotForwarded` |
//! | a result that is an object, `isError` absent or a boolean | `Result` |
//! | a result of type `input_required`, to a caller of the new era | `InputRequired` |
//! | the same to a caller of the old era | `Lost`: questions do not cross eras |
//! | a JSON-RPC error, whatever the status | `Error` |
//! | a redirect, any other status without a JSON-RPC error, no body | `Lost` |
//! | a body or stream that is too long, that ends early, or is none of this protocol | `Lost` |
//! | nothing in time | `Lost` |
//! | the caller of a stateless call went away, and its stream was closed | `Lost` |
//!
//! A call is sent once. It is sent again only where its session had expired (404), it is a read or
//! the server is marked `idempotent`, and then once.

mod address;
mod answer;
mod connection;
mod definitions;
mod exchange;
mod forwarding;
mod mirrored;
mod peer;
mod servers;

pub(crate) use connection::client as http_client;

pub use address::{AddressError, Limits, ServerAddress};
pub use definitions::pin;
pub use servers::{Clock, HttpServers};
