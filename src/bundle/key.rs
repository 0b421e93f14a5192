//! Keys that sign bundles, by algorithms whose signatures are the same each time.

use std::fmt;

use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use ring::{error::KeyRejected, hmac};
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::{Error as PemError, PemObject as _};

use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::bundles::{ALGORITHM, BAD_KEY};
use crate::text::quoted;

/// Fewest bytes of a secret: as many as the hash has (RFC 7518, section 3.2).
const MIN_SECRET: usize = 32;

/// Most bytes of a key's file.
const MAX_KEY_BYTES: usize = 64 << 10;

/// How bundles are signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256, by a private key.
    #[default]
    Rs256,
    /// HMAC with SHA-256, by a secret that who verifies has, too.
    Hs256,
}

impl Algorithm {
    /// Its name in a signature.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::Hs256 => "HS256",
        }
    }

    /// The algorithm that a signature names so.
    pub(super) fn named(name: &str) -> Option<Self> {
        let mut own = [Self::Rs256, Self::Hs256].into_iter();
        own.find(|algorithm| algorithm.as_str() == name)
    }

    /// The algorithm of a name; case does not matter.
    ///
    /// # Errors
    /// Another name, with what to write instead.
    pub fn parse(name: &str) -> Result<Self, Diagnostic> {
        let upper = name.to_ascii_uppercase();
        Self::named(&upper).ok_or_else(|| {
            let is_random = ["PS", "ES"].iter().any(|kind| upper.starts_with(kind));
            let why = match is_random {
                true => "signatures of which no two are alike",
                false => "nothing that bundles are signed with",
            };
            let message = format!("{} gives {why}", quoted(name));
            Diagnostic::without_place(&ALGORITHM, message).with_help(
                "use RS256 with an RSA key, or HS256 with a secret: the same rulebook and key then give the same bundle",
            )
        })
    }
}

/// A key that signs. It does not show itself.
pub struct SigningKey(Kind);

enum Kind {
    Rsa(Box<RsaKeyPair>),
    Secret(hmac::Key),
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SigningKey({})", self.algorithm().as_str())
    }
}

impl SigningKey {
    /// Reads a key: PEM of an RSA private key as PKCS#1 or PKCS#8 for RS256, the bytes of a secret
    /// for HS256. `shown` is how messages call it.
    ///
    /// # Errors
    /// What is wrong with the key, never any of its bytes.
    pub fn read(algorithm: Algorithm, shown: &str, bytes: &[u8]) -> Result<Self, Diagnostic> {
        let kind = match algorithm {
            _ if bytes.len() > MAX_KEY_BYTES => Err((
                "is too long for a key: it has more than 65536 bytes",
                "name the file of the key itself",
            )),
            Algorithm::Rs256 => read_rsa(bytes).map(|pair| Kind::Rsa(Box::new(pair))),
            Algorithm::Hs256 => read_secret(bytes).map(Kind::Secret),
        };
        kind.map(Self).map_err(|(what, help)| {
            Diagnostic::without_place(&BAD_KEY, format!("{shown} {what}")).with_help(help)
        })
    }

    /// The algorithm that it signs by.
    pub fn algorithm(&self) -> Algorithm {
        match self.0 {
            Kind::Rsa(_) => Algorithm::Rs256,
            Kind::Secret(_) => Algorithm::Hs256,
        }
    }

    /// The signature of a message: the same each time.
    pub(super) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        match &self.0 {
            Kind::Secret(secret) => Ok(hmac::sign(secret, message).as_ref().to_vec()),
            Kind::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                // What is random hides the key from who measures time; it is not in the signature.
                let random = SystemRandom::new();
                pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature)
                    .map_err(|_| {
                        let message = "the key does not sign: its parts do not fit one another";
                        Diagnostic::without_place(&BAD_KEY, message)
                            .with_help("make another with `openssl genrsa 3072`")
                    })?;
                Ok(signature)
            }
        }
    }
}

/// What is wrong with a key, and what to do.
type Fault = (&'static str, &'static str);

const WANTED: &str =
    "RS256 wants an RSA private key in PEM form; `openssl genrsa -out signing.pem 3072` makes one";

fn has(bytes: &[u8], mark: &str) -> bool {
    bytes
        .windows(mark.len())
        .any(|window| window == mark.as_bytes())
}

fn read_rsa(bytes: &[u8]) -> Result<RsaKeyPair, Fault> {
    if has(bytes, "BEGIN ENCRYPTED PRIVATE KEY") || has(bytes, "Proc-Type: 4,ENCRYPTED") {
        return Err((
            "is protected by a password, and there is nobody to ask for it",
            "hand it over without: `openssl pkey -in KEY | RulebookTranslator bundle … --signing-key -`",
        ));
    }
    let key = PrivateKeyDer::from_pem_slice(bytes).map_err(|error| match error {
        PemError::NoItemsFound if has(bytes, "BEGIN PUBLIC KEY") => (
            "is a public key, which verifies and does not sign",
            "name the private key; the public one is for `--verification-key` of OPA",
        ),
        PemError::NoItemsFound => ("holds no private key in PEM form", WANTED),
        _ => ("is PEM that is damaged or cut off", WANTED),
    })?;
    let pair = match &key {
        PrivateKeyDer::Pkcs1(der) => RsaKeyPair::from_der(der.secret_pkcs1_der()),
        PrivateKeyDer::Pkcs8(der) => RsaKeyPair::from_pkcs8(der.secret_pkcs8_der()),
        _ => return Err(("is no RSA key", WANTED)),
    };
    pair.map_err(
        |rejected: KeyRejected| match rejected.to_string().as_str() {
            "TooSmall" => (
                "is too short: it has fewer than 2048 bits",
                "make a longer one: `openssl genrsa -out signing.pem 3072`",
            ),
            "TooLarge" => (
                "is too long: it has more than 4096 bits",
                "make a shorter one: `openssl genrsa -out signing.pem 3072`",
            ),
            "WrongAlgorithm" => ("is no RSA key", WANTED),
            _ => ("is no RSA private key that can be used", WANTED),
        },
    )
}

fn read_secret(bytes: &[u8]) -> Result<hmac::Key, Fault> {
    // Who verifies by a public key has told it to everybody: as a secret it would be none.
    let is_der = bytes.starts_with(&[0x30, 0x82]) || bytes.starts_with(b"MII");
    if is_der || has(bytes, "-----BEGIN ") {
        return Err((
            "is PEM or DER, the form of other keys, and HS256 signs with a secret",
            "sign by RS256, or name a file of random bytes: `openssl rand -hex 32`",
        ));
    }
    if bytes.len() < MIN_SECRET {
        return Err((
            "is too short for a secret: it has fewer than 32 bytes",
            "take random bytes: `openssl rand -hex 32`",
        ));
    }
    Ok(hmac::Key::new(hmac::HMAC_SHA256, bytes))
}
