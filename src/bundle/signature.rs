//! `.signatures.json`: a JSON Web Token over the hashes of all other files, as OPA verifies it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::{Algorithm, Member, SigningKey};
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
#[serde(deny_unknown_fields)]
struct Signatures {
    signatures: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenHeader {
    alg: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kid: Option<String>,
}

/// What is signed. It states no time: the same bundle has the same signature.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Payload {
    files: Vec<SignedFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keyid: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct SignedFile {
    name: String,
    hash: String,
    algorithm: String,
}

/// The bytes of the signatures of these members.
pub(super) fn signatures(members: &[Member], signing: &Signing<'_>) -> Result<Vec<u8>, Diagnostic> {
    let header = encoded(&TokenHeader {
        alg: signing.key.algorithm().as_str().to_owned(),
        kid: signing.key_id.map(str::to_owned),
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
    let parts: Vec<&str> = token.split('.').collect();
    let [header, payload, signature] = parts.as_slice() else {
        return None;
    };
    let decoded = |part: &str| URL_SAFE_NO_PAD.decode(part).ok();
    let header: TokenHeader = serde_json::from_slice(&decoded(header)?).ok()?;
    let payload: Payload = serde_json::from_slice(&decoded(payload)?).ok()?;
    let is_ours = Algorithm::named(&header.alg).is_some()
        && header.kid == payload.keyid
        && !decoded(signature)?.is_empty()
        && payload.files == signed_files(members);
    is_ours.then_some((payload.keyid, payload.scope))
}
