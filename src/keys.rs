//! The gateway's keys: what is signed, sealed and hashed with a secret (gateway contract,
//! section 3, *Keys*). Each purpose has a key of its own, derived from one secret by HKDF-SHA256,
//! and every value carries the id of the key that made it. The first key of the ring makes new
//! values; all check old ones.
//!
//! Forms, where `ID` is the key's id (1 to 32 of `A-Z a-z 0-9 _ -`):
//!
//! - a keyed hash, `args_sha256` too: `ID:` and 64 hexadecimal digits of HMAC-SHA256;
//! - a sealed value: the bytes `ID:`, a nonce of 24 bytes, and XChaCha20-Poly1305's ciphertext
//!   with its tag; as text, `ID.` and the rest in base64url without padding.

mod beside;
mod randomness;
mod ring;
mod seal;
mod token;

pub use beside::KeyFileError;
pub use randomness::{Randomness, RandomnessError, SystemRandomness};
pub use ring::{KeyRing, KeyRingError, Purpose, Secret};
pub use seal::{OpenError, SealError};
pub use token::TokenDigest;
