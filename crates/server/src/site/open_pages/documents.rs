//! The documents as they are sent: filled in, packed, and kept until what they say has changed.

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

/// Stands for the server's address in the documents: links for search engines and shared pictures must name it whole.
const PLACE: &str = "https://public-url.invalid";
/// Quality and window: a twentieth less than 9 makes of it, for some 30 ms while nobody else waits.
const BROTLI: (u32, u32) = (10, 18);
/// The database is asked again after so long, when somebody wants to see a document.
const FRESH: TimeDelta = TimeDelta::seconds(10);
/// While one asks it, others are given what is no older than this.
const GOOD: TimeDelta = TimeDelta::minutes(1);
/// So long a reader waits for the database: then the document goes without its figures.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// The build's list of what stands in its documents.
static LISTED: LazyLock<HashMap<String, Parts>> = LazyLock::new(|| {
    let list = dist::bytes("documents/policies.json").unwrap_or_default();
    serde_json::from_slice(&list).unwrap_or_default()
});

/// The hashes of a document's own scripts and styles.
#[derive(Debug, Deserialize)]
struct Parts {
    scripts: Vec<String>,
    styles: Vec<String>,
}

/// The open pages' documents of this server.
#[derive(Default)]
pub struct Documents {
    pages: Mutex<HashMap<String, Arc<Page>>>,
    live: Mutex<Option<CachedFacts>>,
    asking: Turn<()>,
}

/// What the database told, and when it was asked.
#[derive(Clone)]
struct CachedFacts {
    at: Instant,
    told: Option<Arc<Live>>,
}

/// One document, and how it was last sent.
struct Page {
    template: Template,
    policy: Option<HeaderValue>,
    sent: Mutex<Option<(Facts, Arc<Packed>)>>,
    packing: Turn<()>,
}

/// A document in every encoding it is sent in.
#[derive(Debug)]
pub struct Packed {
    /// As it is.
    pub plain: Body,
    /// For browsers on plain http.
    pub gzip: Body,
    /// For all others.
    pub brotli: Body,
    /// The page's policy: what stands in it is allowed by its hash.
    pub policy: Option<HeaderValue>,
}

/// Bytes and what they are known by.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// What is sent; empty where packing failed.
    pub bytes: Bytes,
    /// An entity tag with its quotes.
    pub tag: String,
}

impl Documents {
    /// The document `name` with what is so now; `read` is called for its first use.
    ///
    /// # Errors
    /// None where `read` knows no such document, or it cannot be filled in.
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
        // One packs; whoever comes meanwhile is given what was there.
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
        let filled = page.template.fill(&facts).inspect_err(
            |error| tracing::error!(%error, name, "a document of the web app cannot be filled in"),
        );
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
            .inspect_err(
                |error| tracing::error!(%error, name, "a document of the web app cannot be filled in"),
            )
            .ok()?;
        let page = Arc::new(Page { template, policy, sent: Mutex::default(), packing: Turn::default() });
        Some(self.pages.lock().entry(name.to_owned()).or_insert(page).clone())
    }

    /// All facts; the database's are at most [`FRESH`] old, or as old as its last answer.
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
                tracing::warn!(%error, "the open pages go without new figures");
                self.before()
            }
            Err(_) => {
                tracing::warn!("the open pages go without new figures: the database takes too long");
                self.before()
            }
        };
        *self.live.lock() = Some(CachedFacts { at: app.now(), told: told.clone() });
        drop(turn);
        told
    }

    /// What the database told before it fell silent.
    fn before(&self) -> Option<Arc<Live>> {
        let before = self.live.lock().as_ref().and_then(|asked| asked.told.clone());
        before.map(|live| Arc::new(live.silenced()))
    }
}

impl Page {
    /// How it was last sent, if that says the same.
    fn saying(&self, facts: &Facts) -> Option<Arc<Packed>> {
        self.sent.lock().as_ref().filter(|(said, _)| said == facts).map(|(_, packed)| packed.clone())
    }

    fn newest(&self) -> Option<Arc<Packed>> {
        self.sent.lock().as_ref().map(|(_, packed)| packed.clone())
    }
}

impl Packed {
    fn new(plain: Vec<u8>, policy: Option<HeaderValue>) -> Self {
        // Writing to memory does not fail; if it did, the document would be sent as it is.
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

/// The policy of a document whose scripts and styles the build has listed; the server's address is in none of them.
#[must_use]
pub fn policy(name: &str) -> Option<HeaderValue> {
    let parts = LISTED.get(name.strip_prefix("documents/")?)?;
    security::policy_of(&parts.scripts, &parts.styles)
}
