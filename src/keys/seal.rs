//! Sealing: nobody without the key can read or alter the value, or use it for something else.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use thiserror::Error;
use zeroize::Zeroizing;

use super::randomness::{Randomness, RandomnessError};
use super::ring::{KeyRing, Purpose, Secret};

/// Bytes of a nonce: so many that random ones do not meet.
const NONCE: usize = 24;

/// Why nothing was sealed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SealError {
    /// No nonce could be made.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
    /// The value is longer than the cipher takes: 256 GiB.
    #[error("the value is too long to be sealed")]
    TooLong,
}

/// The value is not one that a key of the ring sealed for this use: forged, altered, cut, made
/// for another purpose or with other associated data, or by a key that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the value was not sealed here for this use")]
pub struct OpenError;

impl KeyRing {
    /// Seals a value. `associated` says what it is for: it is not in the result, and must be the
    /// same when it is opened.
    ///
    /// # Errors
    /// There is no randomness for a nonce, or the value is too long.
    pub fn seal(
        &self,
        purpose: Purpose,
        associated: &[u8],
        plain: &[u8],
        randomness: &dyn Randomness,
    ) -> Result<Vec<u8>, SealError> {
        let (id, key) = self.signing(purpose);
        let mut sealed = format!("{id}:").into_bytes();
        sealed.extend(encrypt(key, associated, plain, randomness)?);
        Ok(sealed)
    }

    /// Opens what [`KeyRing::seal`] gave, by whichever key of the ring made it.
    ///
    /// # Errors
    /// The value was not sealed here for this use.
    pub fn open(
        &self,
        purpose: Purpose,
        associated: &[u8],
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, OpenError> {
        let colon = sealed.iter().position(|byte| *byte == b':');
        let (id, rest) = colon
            .and_then(|colon| sealed.split_at_checked(colon))
            .ok_or(OpenError)?;
        let id = std::str::from_utf8(id).map_err(|_| OpenError)?;
        let key = self.derived(id, purpose).ok_or(OpenError)?;
        decrypt(key, associated, rest.get(1..).unwrap_or_default())
    }

    /// As [`KeyRing::seal`], as text that may stand in JSON and URLs.
    ///
    /// # Errors
    /// As [`KeyRing::seal`].
    pub fn seal_text(
        &self,
        purpose: Purpose,
        associated: &[u8],
        plain: &[u8],
        randomness: &dyn Randomness,
    ) -> Result<String, SealError> {
        let (id, key) = self.signing(purpose);
        let sealed = encrypt(key, associated, plain, randomness)?;
        Ok(format!("{id}.{}", URL_SAFE_NO_PAD.encode(sealed)))
    }

    /// Opens what [`KeyRing::seal_text`] gave.
    ///
    /// # Errors
    /// The value was not sealed here for this use.
    pub fn open_text(
        &self,
        purpose: Purpose,
        associated: &[u8],
        sealed: &str,
    ) -> Result<Zeroizing<Vec<u8>>, OpenError> {
        let (id, rest) = sealed.split_once('.').ok_or(OpenError)?;
        let key = self.derived(id, purpose).ok_or(OpenError)?;
        let sealed = URL_SAFE_NO_PAD.decode(rest).map_err(|_| OpenError)?;
        decrypt(key, associated, &sealed)
    }
}

fn encrypt(
    key: &Secret,
    associated: &[u8],
    plain: &[u8],
    randomness: &dyn Randomness,
) -> Result<Vec<u8>, SealError> {
    let mut nonce = [0; NONCE];
    randomness.fill(&mut nonce)?;
    let payload = Payload {
        msg: plain,
        aad: associated,
    };
    let ciphertext = cipher(key)
        .encrypt(&XNonce::from(nonce), payload)
        .map_err(|_| SealError::TooLong)?;
    let mut sealed = nonce.to_vec();
    sealed.extend(ciphertext);
    Ok(sealed)
}

fn decrypt(
    key: &Secret,
    associated: &[u8],
    sealed: &[u8],
) -> Result<Zeroizing<Vec<u8>>, OpenError> {
    let (nonce, ciphertext) = sealed.split_first_chunk::<NONCE>().ok_or(OpenError)?;
    let payload = Payload {
        msg: ciphertext,
        aad: associated,
    };
    cipher(key)
        .decrypt(&XNonce::from(*nonce), payload)
        .map(Zeroizing::new)
        .map_err(|_| OpenError)
}

fn cipher(key: &Secret) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&Key::from(**key))
}
