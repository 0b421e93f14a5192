//! The key file beside a local store, where the configuration names no keys.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use thiserror::Error;
use zeroize::Zeroizing;

use super::randomness::{Randomness, RandomnessError};
use super::ring::{KeyRing, KeyRingError, Secret};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::audit::KEY_FILE;
use crate::text::reason;

/// Most bytes of a key file.
const MAX_BYTES: u64 = 1024;

/// Why there is no key beside a store. No message holds a secret.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyFileError {
    /// The store is there, its key file is not: a new key could not read what the old one sealed.
    #[error("the store is there, and its key file is not")]
    Gone,
    /// Others than its owner may read or write it. Its mode's last nine bits.
    #[error("others than its owner may use the key file: its mode is {0:04o}")]
    Loose(u32),
    /// It is not as this program writes it.
    #[error("the key file is not one line of an id, `:` and 64 hexadecimal digits")]
    Damaged,
    /// It cannot be read or written. What the system says.
    #[error("the key file cannot be used: {0}")]
    Unusable(String),
    /// A new key could not be made.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
    /// Its id is none.
    #[error(transparent)]
    Ring(#[from] KeyRingError),
}

impl KeyFileError {
    /// What ends a start that it stands in the way of.
    pub fn diagnostic(&self) -> Diagnostic {
        let help = match self {
            Self::Gone => "put the key back, or name it with `keys`",
            Self::Loose(_) => "let its owner alone read it: `chmod 600`",
            Self::Damaged | Self::Ring(_) => "put a whole copy back, or name the key with `keys`",
            Self::Unusable(_) | Self::Randomness(_) => {
                "look at the folder, its permissions and the free space, or name a key with `keys`"
            }
        };
        Diagnostic::without_place(&KEY_FILE, self.to_string()).with_help(help)
    }
}

impl KeyRing {
    /// Where the key of a store is kept: the store's path and `.key`.
    pub fn path_beside(store: &Path) -> PathBuf {
        let mut path = store.as_os_str().to_owned();
        path.push(".key");
        PathBuf::from(path)
    }

    /// The key beside a store, where one was made before; nothing is made.
    ///
    /// # Errors
    /// Others may read the key, the file is damaged, or it cannot be read.
    pub fn read_beside(store: &Path) -> Result<Option<Self>, KeyFileError> {
        read(&Self::path_beside(store))
    }

    /// The key beside a store, where the configuration names none: read, or made where neither
    /// the store nor the key is there yet. The file holds `ID:` and 64 hexadecimal digits, has
    /// mode 0600, appears whole or not at all, and is never overwritten. To be called before the
    /// store is opened.
    ///
    /// # Errors
    /// The store is there without its key, others may read the key, the file is damaged, or it
    /// cannot be read or written.
    pub fn create_beside(store: &Path, randomness: &dyn Randomness) -> Result<Self, KeyFileError> {
        let path = Self::path_beside(store);
        if let Some(ring) = read(&path)? {
            return Ok(ring);
        }
        if store.try_exists().map_err(unusable)? {
            return Err(KeyFileError::Gone);
        }
        create(&path, randomness)?;
        read(&path)?.ok_or(KeyFileError::Gone)
    }
}

fn read(path: &Path) -> Result<Option<KeyRing>, KeyFileError> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(unusable)?,
    };
    let metadata = file.metadata().map_err(unusable)?;
    let mode = metadata.mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(KeyFileError::Loose(mode));
    }
    let mut text = Zeroizing::new(String::new());
    file.take(MAX_BYTES)
        .read_to_string(&mut text)
        .map_err(unusable)?;
    let line = text.strip_suffix('\n').unwrap_or(&text);
    let (id, digits) = line.split_once(':').ok_or(KeyFileError::Damaged)?;
    let mut secret = Secret::default();
    hex::decode_to_slice(digits, secret.as_mut_slice()).map_err(|_| KeyFileError::Damaged)?;
    Ok(Some(KeyRing::new(vec![(id.to_owned(), secret)])?))
}

/// Makes the file whole under another name, and gives it its own where that is free. The id is
/// random too: a key that is made anew must not be taken for the old one.
fn create(path: &Path, randomness: &dyn Randomness) -> Result<(), KeyFileError> {
    let mut secret = Secret::default();
    let mut name = [0; 4];
    randomness.fill(secret.as_mut_slice())?;
    randomness.fill(&mut name)?;
    let digits = Zeroizing::new(hex::encode(secret.as_slice()));
    let line = Zeroizing::new(format!("local-{}:{}\n", hex::encode(name), *digits));

    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .prefix(".key")
        .make_in(folder, |path| {
            let mut options = OpenOptions::new();
            options.write(true).create_new(true).mode(0o600).open(path)
        })
        .map_err(unusable)?;
    file.write_all(line.as_bytes()).map_err(unusable)?;
    file.as_file().sync_all().map_err(unusable)?;
    match file.persist_noclobber(path) {
        // Another process was faster, and its key is as good.
        Err(failure) if failure.error.kind() == io::ErrorKind::AlreadyExists => {}
        persisted => {
            persisted.map_err(|failure| unusable(failure.error))?;
        }
    }
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(unusable)
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn unusable(error: io::Error) -> KeyFileError {
    KeyFileError::Unusable(reason(&error))
}
