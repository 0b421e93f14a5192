//! `.signatures.json`: a JSON Web Token over the hashes of all other files, as OPA verifies it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::{Member, SigningKey};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::internal::INTERNAL;
use crate::provenance::sha256;

/// File name of the signatures.
pub const SIGNATURES_FILE: &str = ".signatures.json";

/// The name of SHA-256 in a signature.
const SHA_256: &str = "SHA-256";

/// With what a bundle is signed.
#[derive(Clone, Copy, Debug)]
pub struct Signing<'a> {
    /// The key.
    pub key: &'a SigningKey,
    /// The name under which OPA looks for the key that verifies; none leaves that to OPA.
    pub key_id: Option<&'a str>,
    /// What the bundle is for; OPA asks that it is the scope of the key that verifies.
    pub scope: Option<&'a str>,
}

#[derive(Serialize, Deserialize)]
struct Signatures {
    signatures: Vec<String>,
}

#[derive(Serialize)]
struct TokenHeader<'a> {
    alg: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kid: Option<&'a str>,
}

/// What is signed. It states no time: the same bundle has the same signature.
#[derive(Serialize, Deserialize)]
struct Payload {
    files: Vec<SignedFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keyid: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq)]
struct SignedFile {
    name: String,
    hash: String,
    algorithm: String,
}

/// The bytes of the signatures of these members.
pub(super) fn signatures(members: &[Member], signing: &Signing<'_>) -> Result<Vec<u8>, Diagnostic> {
    let header = encoded(&TokenHeader {
        alg: signing.key.algorithm().as_str(),
        kid: signing.key_id,
    })?;
    let payload = encoded(&Payload {
        files: signed_files(members),
        keyid: signing.key_id.map(str::to_owned),
        scope: signing.scope.map(str::to_owned),
    })?;
    let message = format!("{header}.{payload}");
    let signature = signing.key.sign(message.as_bytes())?;
    let signature = URL_SAFE_NO_PAD.encode(signature);
    json(&Signatures {
        signatures: vec![format!("{message}.{signature}")],
    })
}

/// OPA hashes a manifest by its value, with keys in order and without blanks: these are the bytes
/// that it has. All other files of ours are hashed as they are.
fn signed_files(members: &[Member]) -> Vec<SignedFile> {
    let signed = members
        .iter()
        .filter(|member| member.path != SIGNATURES_FILE);
    signed
        .map(|member| SignedFile {
            name: member.path.clone(),
            hash: sha256(&member.bytes),
            algorithm: SHA_256.to_owned(),
        })
        .collect()
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, Diagnostic> {
    serde_json::to_vec(value).map_err(|error| {
        let message = format!("no signature can be written: {error}");
        Diagnostic::without_place(&INTERNAL, message)
    })
}

fn encoded(value: &impl Serialize) -> Result<String, Diagnostic> {
    json(value).map(|bytes| URL_SAFE_NO_PAD.encode(bytes))
}

/// What signatures say of the members, as far as that is seen without a key: the key's name and
/// the scope, each where it is given. None where they are not those of exactly these members.
pub fn signed_as(members: &[Member]) -> Option<(Option<String>, Option<String>)> {
    let mut found = members.iter();
    let found = found.find(|member| member.path == SIGNATURES_FILE)?;
    let Signatures { signatures } = serde_json::from_slice(&found.bytes).ok()?;
    let [token] = signatures.as_slice() else {
        return None;
    };
    let payload = token.split('.').nth(1)?;
    let payload = URL_SAFE_NO_PAD.decode(payload).ok()?;
    let payload: Payload = serde_json::from_slice(&payload).ok()?;
    (payload.files == signed_files(members)).then_some((payload.keyid, payload.scope))
}
