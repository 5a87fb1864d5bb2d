//! Documents of the open pages: filled with the server's facts, compressed, and cached until a fact
//! changes.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::http::HeaderValue;
use domain::clock::Instant;
use parking_lot::Mutex;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use tokio::sync::Mutex as Turn;

use super::facts::{Facts, Live};
use super::template::Template;
use crate::site::content_policy;
use crate::site::dist;

mod render;

/// Quality and window of brotli. The result is 5 % smaller than with quality 9, and takes about 30
/// ms longer.
const BROTLI: (u32, u32) = (10, 18);
/// Hashes of the scripts and styles of each document, from a list in the build.
static LISTED: LazyLock<HashMap<String, Parts>> = LazyLock::new(|| {
    let list = dist::bytes("documents/policies.json").unwrap_or_default();
    serde_json::from_slice(&list).unwrap_or_default()
});

/// Hashes of the inline scripts and styles of a document.
#[derive(Debug, Deserialize)]
struct Parts {
    scripts: Vec<String>,
    styles: Vec<String>,
}

/// Documents of the open pages of this server.
#[derive(Default)]
pub struct Documents {
    pages: Mutex<HashMap<String, Arc<Page>>>,
    live: Mutex<Option<CachedFacts>>,
    asking: Turn<()>,
}

/// Facts from the database, with the time at which they were read.
#[derive(Clone)]
struct CachedFacts {
    at: Instant,
    told: Option<Arc<Live>>,
}

/// A document, with the result of its last rendering.
struct Page {
    template: Template,
    policy: Option<HeaderValue>,
    sent: Mutex<Option<(Facts, Arc<Packed>)>>,
    packing: Turn<()>,
}

/// A rendered document in all encodings.
#[derive(Debug)]
pub struct Packed {
    /// Uncompressed.
    pub plain: Body,
    /// Compressed with gzip, for browsers without brotli.
    pub gzip: Body,
    /// Compressed with brotli.
    pub brotli: Body,
    /// Content policy of the document, which permits its scripts and styles by their hashes.
    pub policy: Option<HeaderValue>,
}

/// Bytes with their entity tag.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Bytes to send; empty if compression failed.
    pub bytes: Bytes,
    /// Entity tag, with quotes.
    pub tag: String,
}

impl Documents {
    /// Returns the last facts of a database that does not respond any more.
    fn before(&self) -> Option<Arc<Live>> {
        let before = self.live.lock().as_ref().and_then(|asked| asked.told.clone());
        before.map(|live| Arc::new(live.silenced()))
    }
}

impl Page {
    /// Returns the last rendering if its facts are the same.
    fn saying(&self, facts: &Facts) -> Option<Arc<Packed>> {
        self.sent.lock().as_ref().filter(|(said, _)| said == facts).map(|(_, packed)| packed.clone())
    }

    fn newest(&self) -> Option<Arc<Packed>> {
        self.sent.lock().as_ref().map(|(_, packed)| packed.clone())
    }
}

impl Packed {
    fn new(plain: Vec<u8>, policy: Option<HeaderValue>) -> Self {
        // Writing to memory does not fail. If it did, the document would be sent uncompressed.
        let gzip = dist::gzip(&plain).unwrap_or_default();
        let mut brotli = Vec::new();
        let (quality, window) = BROTLI;
        let packed = brotli::CompressorWriter::new(&mut brotli, 4096, quality, window).write_all(&plain);
        if packed.is_err() {
            brotli.clear();
        }
        Self { plain: Body::of(plain), gzip: Body::of(gzip), brotli: Body::of(brotli), policy }
    }
}

impl Body {
    fn of(bytes: Vec<u8>) -> Self {
        let tag = format!("\"{}\"", hex::encode(&Sha256::digest(&bytes)[..12]));
        Self { bytes: bytes.into(), tag }
    }
}

/// Returns the content policy of a document, from the build's list of hashes. The scripts and
/// styles do not contain the server's address, so the hashes stay valid.
#[must_use]
pub fn policy(name: &str) -> Option<HeaderValue> {
    let parts = LISTED.get(name.strip_prefix("documents/")?)?;
    content_policy::policy_of(&parts.scripts, &parts.styles)
}
