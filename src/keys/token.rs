//! Bearer tokens: kept and compared as keyed digests alone.

use std::fmt;

use subtle::{Choice, ConstantTimeEq};

use super::ring::{KeyRing, Purpose};

/// The keyed digest of a bearer token. Neither printed nor ordered, and compared in constant time
/// whatever it holds.
#[derive(Clone)]
pub struct TokenDigest(String);

impl TokenDigest {
    /// Whether it is the digest of the same token, made by the same ring.
    pub fn matches(&self, other: &Self) -> bool {
        self.is(other).into()
    }

    /// The first of `known` that is the digest of the same token. Looks at all of them, wherever
    /// it is found.
    pub fn find<'a, T>(&self, known: impl IntoIterator<Item = (&'a Self, T)>) -> Option<T> {
        let mut found = None;
        for (digest, owner) in known {
            if self.matches(digest) && found.is_none() {
                found = Some(owner);
            }
        }
        found
    }

    fn is(&self, other: &Self) -> Choice {
        self.0.as_bytes().ct_eq(other.0.as_bytes())
    }
}

impl fmt::Debug for TokenDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TokenDigest")
    }
}

impl KeyRing {
    /// The digest of a bearer token. Digests of one ring can be compared; a new ring makes others.
    pub fn token_digest(&self, token: &str) -> TokenDigest {
        TokenDigest(self.hmac(Purpose::Token, token.as_bytes()))
    }
}
