//! OPA bundles: the same bytes everywhere, what a real OPA makes of them, signatures, and what is
//! said of those that are there.

mod chain;
mod keys;
mod making;
mod serving;
mod tampering;

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::command_line::{Place, Ran};
use crate::compiled::root;

/// The arguments that most bundles are made with.
const PLAIN: &[&str] = &["bundle", "policy.co", "--out", "bundle.tar.gz"];
/// Those that sign.
const SIGNED: &[&str] = &[
    "--signing-key",
    "signing.pem",
    "--key-id",
    "gate",
    "--scope",
    "test",
];
/// Those by which OPA verifies what these sign.
const VERIFIED: &[&str] = &[
    "--verification-key",
    "verification.pem",
    "--verification-key-id",
    "gate",
    "--scope",
    "test",
];

/// A folder with the shop and the keys of the fixtures, which only their owner may read.
fn place() -> Place {
    let place = Place::new();
    let shop = std::fs::read(root().join("fixtures/shop/policy.co")).unwrap();
    place.write("policy.co", shop);
    for entry in std::fs::read_dir(root().join("fixtures/keys")).unwrap() {
        let from = entry.unwrap();
        place.write(from.file_name(), std::fs::read(from.path()).unwrap());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::Permissions::from_mode(0o600);
            std::fs::set_permissions(place.path(from.file_name()), mode).unwrap();
        }
    }
    place
}

/// Makes `bundle.tar.gz`, without a proof, with more arguments.
fn make(place: &Place, more: &[&str]) -> Ran {
    place.succeed(&[PLAIN, &["--no-proof"], more].concat())
}

/// Names and bytes of what an archive holds.
fn unpack(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = tar::Archive::new(GzDecoder::new(bytes));
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let name = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (name, bytes)
    });
    entries.collect()
}

/// A tar archive of ordinary files as bundles have them.
fn tar_of(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Regular);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        builder
            .append_data(&mut header, name, bytes.as_slice())
            .unwrap();
    }
    builder.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn pack(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    gzip(&tar_of(members))
}
