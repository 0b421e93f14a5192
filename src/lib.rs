//! Compiles a *rulebook* (which tool an agent may call in which context) to an intermediate
//! representation and to a Rego package for Open Policy Agent, and decides from it in process.
//!
//! # Compile and check
//!
//! [`compiler::compile`] takes the bytes of a source and gives back everything found, and the
//! rulebook where nothing found is an error:
//!
//! ```
//! use stalwart::compiler::{Depth, compile};
//!
//! let text = "\
//! define flow refunds
//!   if $order_paid and $amount <= 100
//!     execute refund_card
//!   else if $amount
//!     execute refund_voucher
//! ";
//! let compilation = compile("refunds.co", text.as_bytes(), "shop.refunds", Depth::Analyses);
//! assert!(compilation.rulebook.is_none());
//!
//! let found = &compilation.diagnostics[0];
//! assert_eq!(
//!     found.to_string(),
//!     "error[RB0211]: `$amount` is used as a boolean, and first used as a number"
//! );
//! let place = compilation.source.position(found.span().unwrap().start);
//! assert_eq!((place.line, place.column), (4, 11));
//! ```
//!
//! # Decide
//!
//! A [`gate::Gate`] decides, says which questions to ask, and why; it is shared by any number of
//! threads:
//!
//! ```
//! use stalwart::compiler::{Depth, compile};
//! use stalwart::evaluator::Verdict;
//! use stalwart::gate::Gate;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = b"define flow refunds\n  if $order_paid\n    execute refund_card\n  else\n    bot refuse\n";
//! let compilation = compile("refunds.co", text, "shop.refunds", Depth::Errors);
//! let gate = Gate::new(compilation.rulebook.ok_or("the rulebook has errors")?);
//!
//! let paid = gate.decide_json("refund_card", br#"{"order_paid": true}"#)?;
//! assert_eq!((paid.decision, paid.rule), (Verdict::Allow, ""));
//! let unpaid = gate.decide_json("refund_card", b"{}")?;
//! assert_eq!((unpaid.decision, unpaid.rule), (Verdict::Refuse, "refuse"));
//! # Ok(())
//! # }
//! ```
//!
//! [`evaluator::decide`] answers the same from the [IR](ir) as it is, without anything built
//! beforehand.
//!
//! # Emit and prove
//!
//! ```
//! use stalwart::compiler::{Depth, compile};
//! use stalwart::proof::{DEFAULT_POINTS, Options, prove};
//! use stalwart::{emitter, ir};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = b"define flow refunds\n  if $order_paid\n    execute refund_card\n";
//! let compilation = compile("refunds.co", text, "shop.refunds", Depth::Errors);
//! let rulebook = compilation.rulebook.ok_or("the rulebook has errors")?;
//! let artifacts = emitter::emit(&rulebook)?;
//! assert_eq!(ir::from_bytes(&artifacts.ir)?, rulebook);
//!
//! let options = Options { points: DEFAULT_POINTS, opa: None, progress: &mut |_| {} };
//! let proof = prove(&rulebook, &artifacts.rego, options)?;
//! assert!(proof.to_string().starts_with("proved ("));
//! # Ok(())
//! # }
//! ```
//!
//! # What may grow
//!
//! Types that are read and may gain fields or cases are marked so, and want a `..` or a `_`. What
//! the language fixes is not: the four [verdicts](evaluator::Verdict), the two keys of a
//! [`Decision`](evaluator::Decision), the [tree](syntax::tree) and the [IR](ir) of this version,
//! whose readers want to hear of every case.
//!
//! # Layers
//!
//! Data flows one way: text -> tree -> IR -> artifact. Modules are listed by layer; a module
//! imports only from the layers above it in this list (held by a test).

pub mod text;

pub mod json;

pub mod package;

pub mod palette;

pub mod diagnostics;

pub mod yaml;

pub mod syntax;

pub mod formatter;

pub mod ir;

pub mod evaluator;

pub mod decision_space;

pub mod gate;

pub mod graph;
pub mod test_suite;

pub mod coverage;

pub mod regions;

pub mod diff;

pub mod table;

pub mod lowering;

pub mod checks;

pub mod provenance;

pub mod compiler;

pub mod emitter;

pub mod opa_tests;

pub mod adapters;

pub mod proof;

#[cfg(feature = "command-line")]
pub mod project;

#[cfg(feature = "command-line")]
pub mod artifacts;

#[cfg(feature = "command-line")]
pub mod bundle;

#[cfg(feature = "command-line")]
pub mod verification;

#[cfg(feature = "command-line")]
pub mod language_server;

#[cfg(feature = "command-line")]
pub mod terminal;

#[cfg(feature = "command-line")]
pub mod command_line;

#[cfg(feature = "gateway")]
pub mod catalogue;

#[cfg(feature = "gateway")]
pub mod keys;

#[cfg(feature = "gateway")]
pub mod tool_check;

#[cfg(feature = "gateway")]
pub mod configuration;

#[cfg(feature = "gateway")]
pub mod store;

#[cfg(feature = "gateway")]
pub mod audit;

#[cfg(feature = "gateway")]
pub mod gateway;

#[cfg(feature = "gateway")]
pub mod mcp;

#[cfg(feature = "gateway")]
pub mod service;

#[cfg(feature = "gateway")]
pub mod demo;

#[cfg(feature = "gateway")]
pub mod stalwart_command;
