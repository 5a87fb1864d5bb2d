//! Rendering of a document with the present facts.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use parking_lot::Mutex;
use tokio::sync::Mutex as Turn;

use super::{CachedFacts, Documents, Packed, Page, policy};
use crate::AppState;
use crate::site::open_pages::facts::{self, Facts, Live};
use crate::site::open_pages::template::Template;

/// Placeholder of the server's public address in the documents. Links for search engines and
/// preview pictures need absolute addresses.
const PLACE: &str = "https://public-url.invalid";
/// Age from which a request reads the facts of the database again.
const FRESH: TimeDelta = TimeDelta::seconds(10);
/// Maximum age of facts that other requests may use while one request reads the database.
const GOOD: TimeDelta = TimeDelta::minutes(1);
/// Maximum wait for the database. Afterwards the document shows the last known facts.
const MAX_WAIT: Duration = Duration::from_secs(1);

impl Documents {
    /// Returns the document `name` with the current facts. `read` loads the document at its first
    /// use.
    ///
    /// # Errors
    /// Returns `None` if `read` finds no such document, or if it cannot be rendered.
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
        // One request renders and compresses. Meanwhile other requests get the previous rendering.
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
        let policy = policy(name);
        let template = Template::parse(&text)
            .inspect_err(|error| tracing::error!(%error, name, "failed to parse a document of the web app"))
            .ok()?;
        let page = Arc::new(Page { template, policy, sent: Mutex::default(), packing: Turn::default() });
        Some(self.pages.lock().entry(name.to_owned()).or_insert(page).clone())
    }

    /// Returns all facts. The facts of the database are at most [`FRESH`] old, unless the database
    /// does not respond.
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
}
