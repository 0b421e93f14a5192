//! The side that agents connect to: one endpoint for both eras of the protocol (gateway contract,
//! section 4).
//!
//! [`Endpoint`] answers requests of callers whose token, host and origin were checked already.
//! What it decides itself is the protocol's: everything about a call is the [`Core`]'s.

mod call;
mod core;
mod endpoint;
mod exchange;
mod gateway_core;
mod mirror;
mod observer;
mod params;
mod question;
mod relay;
mod session;
mod session_era;
mod settings;
mod shape;
mod state;
mod stateless_era;

pub use self::core::{Core, RunError, UnknownRun};
pub use endpoint::{Authenticated, Endpoint, Limiter};
pub use observer::{Fault, Observer, Outcome};
pub use settings::{EndpointSettings, Now};
