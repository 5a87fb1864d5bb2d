//! Signed-in session at the portal, and the credentials that open it.

use crate::PortalPath;
use domain::facility::FacilityId;
use domain::ids::PortalScheduleId;
use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Login and password of a portal account. `Debug` prints neither.
pub struct Credentials {
    pub(crate) login: SecretString,
    pub(crate) password: SecretString,
}

impl Credentials {
    /// Creates credentials from a login (an e-mail address) and a password.
    pub fn new(login: SecretString, password: SecretString) -> Self {
        Self { login, password }
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(..)")
    }
}

/// Error for an exported session that this version cannot read. The caller must sign in again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a session exported by this version")]
pub struct BadExport;

/// Cookies, tokens and remembered ETags of one portal account and one path.
///
/// Several requests may use a session at the same time, because the portal still accepts older
/// cookie values. `Debug` prints no secret.
pub struct Session {
    path: PortalPath,
    state: Mutex<State>,
    etags: Mutex<HashMap<(PortalScheduleId, FacilityId), HeaderValue>>,
}

#[derive(Default)]
struct State {
    cookies: BTreeMap<String, String>,
    csrf: Option<String>,
    home: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Export {
    v: u8,
    path: PortalPath,
    cookies: BTreeMap<String, String>,
    csrf: Option<String>,
    home: Option<String>,
}

impl Session {
    pub(crate) fn new(path: PortalPath) -> Self {
        Self { path, state: Mutex::default(), etags: Mutex::default() }
    }

    /// Returns the portal path (country, language and visa type) of this session.
    pub fn path(&self) -> &PortalPath {
        &self.path
    }

    /// Exports the state needed to continue after a restart. The text contains secrets, so the
    /// caller must encrypt it. ETags are not exported, so the first poll after an import returns a
    /// whole list.
    pub fn export(&self) -> SecretString {
        let state = self.state();
        let export = Export {
            v: 1,
            path: self.path,
            cookies: state.cookies.clone(),
            csrf: state.csrf.clone(),
            home: state.home.clone(),
        };
        SecretString::from(serde_json::to_string(&export).unwrap_or_default())
    }

    /// Restores a session from the text that [`Session::export`] returned.
    pub fn import(sealed: &SecretString) -> Result<Self, BadExport> {
        let export: Export = serde_json::from_str(sealed.expose_secret()).map_err(|_| BadExport)?;
        if export.v != 1 {
            return Err(BadExport);
        }
        let Export { path, cookies, csrf, home, .. } = export;
        Ok(Self { state: Mutex::new(State { cookies, csrf, home }), ..Self::new(path) })
    }

    /// Forgets the ETag of a list, so that the next poll returns the whole list instead of
    /// "unchanged".
    pub fn forget_etag(&self, schedule: &PortalScheduleId, facility: FacilityId) {
        self.etags().remove(&(schedule.clone(), facility));
    }

    pub(crate) fn etag(&self, schedule: &PortalScheduleId, facility: FacilityId) -> Option<HeaderValue> {
        self.etags().get(&(schedule.clone(), facility)).cloned()
    }

    pub(crate) fn set_etag(
        &self,
        schedule: &PortalScheduleId,
        facility: FacilityId,
        etag: Option<HeaderValue>,
    ) {
        let key = (schedule.clone(), facility);
        match etag {
            Some(etag) => self.etags().insert(key, etag),
            None => self.etags().remove(&key),
        };
    }

    /// Returns the `Cookie` header, marked as sensitive, or `None` if there are no cookies.
    pub(crate) fn cookie_header(&self) -> Option<HeaderValue> {
        let state = self.state();
        let pairs: Vec<String> = state.cookies.iter().map(|(k, v)| format!("{k}={v}")).collect();
        if pairs.is_empty() {
            return None;
        }
        sensitive(&pairs.join("; "))
    }

    pub(crate) fn csrf_header(&self) -> Option<HeaderValue> {
        self.state().csrf.as_deref().and_then(sensitive)
    }

    /// Stores all cookies of a response. If responses overlap, the last one to arrive wins.
    pub(crate) fn absorb_cookies(&self, headers: &HeaderMap) {
        for raw in headers.get_all(SET_COOKIE) {
            let Some(c) = raw.to_str().ok().and_then(|r| cookie::Cookie::parse(r).ok()) else {
                continue;
            };
            let gone = c.value().is_empty() || c.max_age().is_some_and(|a| !a.is_positive());
            let mut state = self.state();
            if gone {
                state.cookies.remove(c.name());
            } else {
                state.cookies.insert(c.name().to_owned(), c.value().to_owned());
            }
        }
    }

    pub(crate) fn set_csrf(&self, token: Option<String>) {
        if let Some(token) = token {
            self.state().csrf = Some(token);
        }
    }

    /// Returns the path of the groups page if it is known. All sessions of an account have the same
    /// path.
    pub fn home(&self) -> Option<String> {
        self.state().home.clone()
    }

    /// Sets the path of the groups page, which an earlier session of the account found.
    pub fn set_home(&self, home: Option<String>) {
        self.state().home = home;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn etags(&self) -> MutexGuard<'_, HashMap<(PortalScheduleId, FacilityId), HeaderValue>> {
        self.etags.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn sensitive(value: &str) -> Option<HeaderValue> {
    let mut header = HeaderValue::from_str(value).ok()?;
    header.set_sensitive(true);
    Some(header)
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("path", &self.path).finish_non_exhaustive()
    }
}
