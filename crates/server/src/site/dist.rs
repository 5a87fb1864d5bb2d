//! Embedded build of the web app. Compressible files are embedded only in brotli compression.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use parking_lot::Mutex;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

/// Embedded files. The excluded kinds are compressible: `web/scripts/compress.mjs` writes a `.br`
/// file beside each of them.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[exclude = "*.js"]
#[exclude = "*.css"]
#[exclude = "*.html"]
#[exclude = "*.svg"]
#[exclude = "*.json"]
#[exclude = "*.txt"]
#[exclude = "*.xml"]
#[exclude = "*.webmanifest"]
struct Dist;

/// A file of the build, ready to be served.
#[derive(Debug)]
pub struct File {
    /// Media type, for example `text/css; charset=utf-8`.
    pub kind: String,
    /// Entity tag, with quotes.
    pub tag: String,
    /// Bytes of the file, compressed with `encoding`.
    pub bytes: Bytes,
    /// Compression: `br` or `gzip`.
    pub encoding: Option<&'static str>,
}

/// Files that were requested before, by path and encoding. Decompressing a file again would cost
/// more than serving it.
type FileCache = HashMap<(String, Option<&'static str>), Arc<File>>;

static OPENED: LazyLock<Mutex<FileCache>> = LazyLock::new(Mutex::default);

/// Returns a file in the given encoding (`br` or `gzip`), or unencoded if its kind is not
/// compressible. Returns `None` if the build has no such file.
#[must_use]
pub fn file(path: &str, encoding: Option<&'static str>) -> Option<Arc<File>> {
    // A backslash would be read as a slash and bypass the check of hidden paths.
    if path.contains('\\') {
        return None;
    }
    let key = (path.to_owned(), encoding);
    if let Some(known) = OPENED.lock().get(&key) {
        return Some(known.clone());
    }
    let (bytes, encoding) = match (packed(path), encoding) {
        (Some(packed), Some("br")) => (packed, Some("br")),
        (Some(packed), Some("gzip")) => (gzip(&unpack(&packed)?)?.into(), Some("gzip")),
        (Some(packed), _) => (unpack(&packed)?.into(), None),
        (None, _) => (plain(path)?, None),
    };
    let kind = mime_guess::from_path(path).first_or_octet_stream().to_string();
    let file = Arc::new(File {
        kind: if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind },
        tag: format!("\"{}\"", hex::encode(&Sha256::digest(&bytes)[..12])),
        bytes,
        encoding,
    });
    // Only existing files are cached, so that clients cannot fill the memory. In development
    // nothing is cached, because the build is read from the disk.
    if !cfg!(debug_assertions) {
        OPENED.lock().insert(key, file.clone());
    }
    Some(file)
}

/// Returns the uncompressed content of a file, for use as a template.
#[must_use]
pub fn bytes(path: &str) -> Option<Vec<u8>> {
    match packed(path) {
        Some(packed) => unpack(&packed),
        None => plain(path).map(Vec::from),
    }
}

fn packed(path: &str) -> Option<Bytes> {
    embedded(&format!("{path}.br"))
}

fn plain(path: &str) -> Option<Bytes> {
    if path.ends_with(".br") { None } else { embedded(path) }
}

fn embedded(name: &str) -> Option<Bytes> {
    Some(match Dist::get(name)?.data {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        std::borrow::Cow::Owned(bytes) => bytes.into(),
    })
}

/// Decompresses a brotli file of the build; returns `None` if that fails.
fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    brotli::Decompressor::new(packed, 4096).read_to_end(&mut plain).ok()?;
    Some(plain)
}

/// Compresses with gzip, for browsers that do not accept brotli, e.g. over plain HTTP.
#[must_use]
pub fn gzip(plain: &[u8]) -> Option<Vec<u8>> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(plain).ok()?;
    packed.finish().ok()
}
