//! The ring of keys, and keyed hashes.

use std::fmt;

use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use thiserror::Error;
use zeroize::Zeroizing;

/// Longest id of a key in characters.
const MAX_ID: usize = 32;

/// What a derived key is for. A value made for one purpose never counts for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// Digests of arguments: `args_sha256`.
    Args,
    /// Sealed `requestState`s.
    State,
    /// Digests of bearer tokens.
    Token,
    /// The gateway's own idempotency keys.
    Idempotency,
    /// Signatures of webhooks.
    Webhook,
    /// What the store keeps sealed.
    Store,
    /// The chain of the audit log, and its checkpoints.
    Audit,
}

impl Purpose {
    const ALL: [Self; 7] = [
        Self::Args,
        Self::State,
        Self::Token,
        Self::Idempotency,
        Self::Webhook,
        Self::Store,
        Self::Audit,
    ];

    /// The label of HKDF.
    pub fn label(self) -> &'static str {
        match self {
            Self::Args => "args",
            Self::State => "state",
            Self::Token => "token",
            Self::Idempotency => "idempotency",
            Self::Webhook => "webhook",
            Self::Store => "store",
            Self::Audit => "audit",
        }
    }
}

/// 32 secret bytes, overwritten when they are no longer needed.
pub type Secret = Zeroizing<[u8; 32]>;

/// Why keys make no ring. No message holds a secret.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyRingError {
    /// There is none.
    #[error("there is no key")]
    Empty,
    /// An id is not 1 to 32 letters, digits, `_` or `-`. The id.
    #[error(
        "the id of a key has other characters than letters, digits, `_` and `-`, or not 1 to 32 of them"
    )]
    BadId(String),
    /// Two keys have one id.
    #[error("two keys have the id `{0}`")]
    IdTwice(String),
    /// Two keys are the same secret. The later one's id.
    #[error("the key `{0}` is the secret of another one")]
    SecretTwice(String),
}

/// One key, as derived for each purpose; in the order of [`Purpose`].
struct Key {
    id: String,
    derived: [Secret; 7],
}

/// The gateway's keys. The first makes new values, all check old ones.
pub struct KeyRing {
    first: Key,
    others: Vec<Key>,
}

impl KeyRing {
    /// A ring of keys, each an id and its secret.
    ///
    /// # Errors
    /// There is none, an id is no id, or an id or a secret is there twice.
    pub fn new(keys: Vec<(String, Secret)>) -> Result<Self, KeyRingError> {
        for (index, (id, secret)) in keys.iter().enumerate() {
            if !is_id(id) {
                return Err(KeyRingError::BadId(id.clone()));
            }
            let mut earlier = keys.iter().take(index);
            if earlier.clone().any(|(other, _)| other == id) {
                return Err(KeyRingError::IdTwice(id.clone()));
            }
            if earlier.any(|(_, other)| bool::from(other.as_slice().ct_eq(secret.as_slice()))) {
                return Err(KeyRingError::SecretTwice(id.clone()));
            }
        }
        let mut keys = keys
            .into_iter()
            .map(|(id, secret)| Key::derive(id, &secret));
        let first = keys.next().ok_or(KeyRingError::Empty)?;
        Ok(Self {
            first,
            others: keys.collect(),
        })
    }

    /// The id of the key that makes new values.
    pub fn signing_id(&self) -> &str {
        &self.first.id
    }

    /// The ids of all keys, that of the first key first.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let keys = std::iter::once(&self.first).chain(&self.others);
        keys.map(|key| key.id.as_str())
    }

    /// Whether a key of this id is in the ring.
    pub fn knows(&self, id: &str) -> bool {
        self.key(id).is_some()
    }

    /// A keyed hash: `ID:` and 64 hexadecimal digits.
    pub fn hmac(&self, purpose: Purpose, bytes: &[u8]) -> String {
        let digest = self.first.mac(purpose, bytes).finalize().into_bytes();
        format!("{}:{}", self.first.id, hex::encode(digest))
    }

    /// The keyed hashes of these bytes by every key of the ring, that of the first key first: what
    /// is looked up by its hash is found though the keys were rotated since.
    pub fn hmac_by_each(&self, purpose: Purpose, bytes: &[u8]) -> Vec<String> {
        let keys = std::iter::once(&self.first).chain(&self.others);
        keys.map(|key| {
            let digest = key.mac(purpose, bytes).finalize().into_bytes();
            format!("{}:{}", key.id, hex::encode(digest))
        })
        .collect()
    }

    /// A keyed hash by the key of this id, if it is in the ring.
    pub fn hmac_by(&self, id: &str, purpose: Purpose, bytes: &[u8]) -> Option<String> {
        let digest = self.key(id)?.mac(purpose, bytes).finalize().into_bytes();
        Some(format!("{id}:{}", hex::encode(digest)))
    }

    /// Whether a text is the keyed hash of these bytes, made by any key of the ring. The digits
    /// are compared in constant time.
    pub fn verify(&self, purpose: Purpose, bytes: &[u8], text: &str) -> bool {
        let Some((id, digits)) = text.split_once(':') else {
            return false;
        };
        let mut digest = [0; 32];
        let is_digest = hex::decode_to_slice(digits, &mut digest).is_ok()
            && !digits.bytes().any(|digit| digit.is_ascii_uppercase());
        let Some(key) = self.key(id).filter(|_| is_digest) else {
            return false;
        };
        key.mac(purpose, bytes).verify_slice(&digest).is_ok()
    }

    /// The derived key of a purpose that makes new values, with its id.
    pub(super) fn signing(&self, purpose: Purpose) -> (&str, &Secret) {
        (&self.first.id, self.first.of(purpose))
    }

    /// The derived key of a purpose by its id.
    pub(super) fn derived(&self, id: &str, purpose: Purpose) -> Option<&Secret> {
        Some(self.key(id)?.of(purpose))
    }

    fn key(&self, id: &str) -> Option<&Key> {
        std::iter::once(&self.first)
            .chain(&self.others)
            .find(|key| key.id == id)
    }
}

/// Ids alone: secrets are not printed.
impl fmt::Debug for KeyRing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = std::iter::once(&self.first).chain(&self.others);
        formatter
            .debug_list()
            .entries(ids.map(|key| &key.id))
            .finish()
    }
}

impl Key {
    fn derive(id: String, secret: &Secret) -> Self {
        let source = Hkdf::<Sha256>::new(None, secret.as_slice());
        let derived = Purpose::ALL.map(|purpose| {
            let mut key = Secret::default();
            #[expect(clippy::expect_used, reason = "HKDF-SHA256 gives up to 8160 bytes")]
            source
                .expand(purpose.label().as_bytes(), key.as_mut_slice())
                .expect("32 bytes");
            key
        });
        Self { id, derived }
    }

    fn of(&self, purpose: Purpose) -> &Secret {
        let [args, state, token, idempotency, webhook, store, audit] = &self.derived;
        match purpose {
            Purpose::Args => args,
            Purpose::State => state,
            Purpose::Token => token,
            Purpose::Idempotency => idempotency,
            Purpose::Webhook => webhook,
            Purpose::Store => store,
            Purpose::Audit => audit,
        }
    }

    fn mac(&self, purpose: Purpose, bytes: &[u8]) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(self.of(purpose).as_slice()).expect("a key");
        mac.update(bytes);
        mac
    }
}

/// Whether a text may be the id of a key.
fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
