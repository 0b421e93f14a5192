//! TLS, with the cryptography of ring.

use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::settings::TlsFiles;
use crate::text::quoted;

/// Reads the files of TLS.
///
/// # Errors
/// A text for the operator; never a part of the key.
pub(super) fn read(files: &TlsFiles) -> Result<Arc<ServerConfig>, String> {
    let name = |path: &std::path::Path| quoted(&path.to_string_lossy());
    let certificate = name(&files.certificate);
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect)
        .map_err(|error| format!("the certificate {certificate} cannot be read: {error}"))?;
    if chain.is_empty() {
        return Err(format!("there is no certificate in {certificate}"));
    }
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|error| format!("the key {} cannot be read: {error}", name(&files.key)))?;
    let mut configuration = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|error| format!("certificate and key cannot be used: {error}"))?;
    configuration.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(configuration))
}
