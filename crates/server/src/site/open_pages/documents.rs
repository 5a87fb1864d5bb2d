//! Documents of the open pages: filled in, compressed, and cached until their content changes.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderValue;
use chrono::TimeDelta;
use domain::clock::Instant;
use parking_lot::Mutex;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use tokio::sync::Mutex as Turn;

use super::facts::{self, Facts, Live};
use super::template::Template;
use crate::AppState;
use crate::site::dist;
use crate::site::security;

/// Placeholder of the server's address in the documents. Links for search engines and shared
/// pictures need an absolute address.
const PLACE: &str = "https://public-url.invalid";
/// Quality and window. The result is a twentieth smaller than with quality 9, for about 30 ms in
/// which no other request waits.
const BROTLI: (u32, u32) = (10, 18);
/// Maximum age of database facts before a request reads them again.
const FRESH: TimeDelta = TimeDelta::seconds(10);
/// Maximum age of facts that other requests get while one reads the database.
const GOOD: TimeDelta = TimeDelta::minutes(1);
/// Maximum wait for the database; after it the document is sent without its figures.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// The build's list of scripts and styles in its documents.
static LISTED: LazyLock<HashMap<String, Parts>> = LazyLock::new(|| {
    let list = dist::bytes("documents/policies.json").unwrap_or_default();
    serde_json::from_slice(&list).unwrap_or_default()
});

/// Hashes of a document's own scripts and styles.
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

/// Facts of the database, with the time of the read.
#[derive(Clone)]
struct CachedFacts {
    at: Instant,
    told: Option<Arc<Live>>,
}

/// A document, with its last sent form.
struct Page {
    template: Template,
    policy: Option<HeaderValue>,
    sent: Mutex<Option<(Facts, Arc<Packed>)>>,
    packing: Turn<()>,
}

/// A document in all its encodings.
#[derive(Debug)]
pub struct Packed {
    /// Uncompressed.
    pub plain: Body,
    /// For browsers on plain HTTP.
    pub gzip: Body,
    /// For all other browsers.
    pub brotli: Body,
    /// Policy of the page: its scripts and styles are allowed by their hashes.
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
    /// Returns the document `name` with the present facts; `read` is called at its first use.
    ///
    /// # Errors
    /// Returns `None` if `read` has no such document, or it cannot be filled in.
    pub async fn get(
        &self,
        app: &AppState,
        name: &str,
        read: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Arc<Packed>> {
        let page = self.page(app, name, read)?;
        let facts = self.facts(app).await.of(page.template.names());
        if let Some(packed) = page.saying(&facts) {
            return Some(packed);
        }
        // One request compresses; the others meanwhile get the previous form.
        let turn = match page.packing.try_lock() {
            Ok(turn) => turn,
            Err(_) => match page.newest() {
                Some(before) => return Some(before),
                None => page.packing.lock().await,
            },
        };
        if let Some(packed) = page.saying(&facts) {
            return Some(packed);
        }
        let filled = page
            .template
            .fill(&facts)
            .inspect_err(|error| tracing::error!(%error, name, "failed to fill a document of the web app"));
        let text = filled.ok()?;
        let policy = page.policy.clone();
        let work = tokio::task::spawn_blocking(move || Packed::new(text.into_bytes(), policy));
        let packed = Arc::new(work.await.ok()?);
        *page.sent.lock() = Some((facts, packed.clone()));
        drop(turn);
        Some(packed)
    }

    fn page(&self, app: &AppState, name: &str, read: impl FnOnce() -> Option<Vec<u8>>) -> Option<Arc<Page>> {
        if let Some(page) = self.pages.lock().get(name) {
            return Some(page.clone());
        }
        let base = app.settings.public_url.trim_end_matches('/');
        let text = String::from_utf8(read()?).ok()?.replace(PLACE, base);
        let policy = self::policy(name);
        let template = Template::parse(&text)
            .inspect_err(|error| tracing::error!(%error, name, "failed to parse a document of the web app"))
            .ok()?;
        let page = Arc::new(Page { template, policy, sent: Mutex::default(), packing: Turn::default() });
        Some(self.pages.lock().entry(name.to_owned()).or_insert(page).clone())
    }

    /// Returns all facts. Those of the database are at most [`FRESH`] old, or from its last
    /// response.
    async fn facts(&self, app: &AppState) -> Facts {
        let told = self.live(app).await;
        facts::all(app, told.as_deref())
    }

    async fn live(&self, app: &AppState) -> Option<Arc<Live>> {
        let younger = |than: TimeDelta| {
            let known = self.live.lock().clone();
            known.filter(|asked| (TimeDelta::zero()..than).contains(&(app.now() - asked.at)))
        };
        if let Some(asked) = younger(FRESH) {
            return asked.told;
        }
        let turn = match self.asking.try_lock() {
            Ok(turn) => turn,
            Err(_) => match younger(GOOD) {
                Some(asked) => return asked.told,
                None => self.asking.lock().await,
            },
        };
        if let Some(asked) = younger(FRESH) {
            return asked.told;
        }
        let answer = tokio::time::timeout(MAX_WAIT, Live::read(app)).await;
        let told = match answer {
            Ok(Ok(live)) => Some(Arc::new(live)),
            Ok(Err(error)) => {
                tracing::warn!(%error, "failed to read new figures for the public pages");
                self.before()
            }
            Err(_) => {
                tracing::warn!(
                    "failed to read new figures for the public pages: the database did not answer in time"
                );
                self.before()
            }
        };
        *self.live.lock() = Some(CachedFacts { at: app.now(), told: told.clone() });
        drop(turn);
        told
    }

    /// Returns the facts of the database before it stopped responding.
    fn before(&self) -> Option<Arc<Live>> {
        let before = self.live.lock().as_ref().and_then(|asked| asked.told.clone());
        before.map(|live| Arc::new(live.silenced()))
    }
}

impl Page {
    /// Returns the last sent form if its facts are the same.
    fn saying(&self, facts: &Facts) -> Option<Arc<Packed>> {
        self.sent.lock().as_ref().filter(|(said, _)| said == facts).map(|(_, packed)| packed.clone())
    }

    fn newest(&self) -> Option<Arc<Packed>> {
        self.sent.lock().as_ref().map(|(_, packed)| packed.clone())
    }
}

impl Packed {
    fn new(plain: Vec<u8>, policy: Option<HeaderValue>) -> Self {
        // A write to memory does not fail. If it did, the document would be sent uncompressed.
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

/// Returns the policy of a document whose scripts and styles the build has listed. None of them
/// contains the server's address.
#[must_use]
pub fn policy(name: &str) -> Option<HeaderValue> {
    let parts = LISTED.get(name.strip_prefix("documents/")?)?;
    security::policy_of(&parts.scripts, &parts.styles)
}
