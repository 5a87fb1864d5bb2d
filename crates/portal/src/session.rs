//! A signed-in session at the portal, and the credentials that open one.

use crate::PortalPath;
use domain::facility::FacilityId;
use domain::ids::PortalScheduleId;
use reqwest::header::{HeaderMap, HeaderValue, SET_COOKIE};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Login and password of a portal account. Neither is printed by `Debug`.
pub struct Credentials {
    pub(crate) login: SecretString,
    pub(crate) password: SecretString,
}

impl Credentials {
    /// Wraps the login (an e-mail address) and password.
    pub fn new(login: SecretString, password: SecretString) -> Self {
        Self { login, password }
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(..)")
    }
}

/// Error for a sealed session text that this version cannot read. The caller must sign in again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a session exported by this version")]
pub struct BadExport;

/// Cookies, tokens and remembered ETags of one portal account on one path.
///
/// Methods of the client take it by shared reference. Two requests may run at once, because the
/// portal keeps old cookie values valid. `Debug` prints no secret.
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

    /// Returns the part of the portal that this session belongs to.
    pub fn path(&self) -> &PortalPath {
        &self.path
    }

    /// Exports the state needed to continue after a restart, to be sealed at rest. ETags are left
    /// out, so the first poll after an import returns a whole list.
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

    /// Restores a session from the text of [`Session::export`].
    pub fn import(sealed: &SecretString) -> Result<Self, BadExport> {
        let export: Export = serde_json::from_str(sealed.expose_secret()).map_err(|_| BadExport)?;
        if export.v != 1 {
            return Err(BadExport);
        }
        let Export { path, cookies, csrf, home, .. } = export;
        Ok(Self { state: Mutex::new(State { cookies, csrf, home }), ..Self::new(path) })
    }

    /// Makes the next poll of this calendar return a whole list instead of "unchanged".
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

    /// Returns the `Cookie` header, marked sensitive; `None` without cookies.
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

    /// Stores every cookie of an answer. The last answer to arrive wins.
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

    /// Returns the path of the groups page, once known. Every session of the account has the same
    /// path.
    pub fn home(&self) -> Option<String> {
        self.state().home.clone()
    }

    /// Sets the path of the groups page, as found by an earlier session of the account.
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
