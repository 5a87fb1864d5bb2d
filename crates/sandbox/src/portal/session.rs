//! The session cookie. Every response sets a new value, and older values stay valid until the
//! session ends.

use base64::{Engine, engine::general_purpose::STANDARD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sha2::{Digest, Sha256};

use super::words::Lang;
use crate::world::{World, accounts::SessionEndReason};

/// Name of the cookie.
pub(crate) const COOKIE: &str = "_yatri_session";

const COOKIE_SAFE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// Visitor of the portal, identified by the session cookie.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// Identifier of the session, which may be anonymous.
    pub id: String,
    /// Username, if the session is signed in.
    pub account: Option<String>,
    /// Reason why an earlier session ended, if it did.
    pub ended: Option<SessionEndReason>,
    /// Message that the previous response stored for this page.
    pub notice: Option<Notice>,
}

/// Message on the sign-in page after a redirect. It is stored in the cookie, as Rails does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    SignIn,
    Expired,
}

impl Notice {
    /// Returns the message for a visitor who has no session or whose session ended.
    pub fn of(ended: Option<SessionEndReason>) -> Self {
        if ended == Some(SessionEndReason::Expired) { Self::Expired } else { Self::SignIn }
    }

    /// Returns the portal's text of the message.
    pub fn words(self, lang: Lang) -> &'static str {
        match self {
            Self::SignIn => lang.text(
                "You need to sign in or sign up before continuing.",
                "Vous devez vous connecter ou vous inscrire pour continuer.",
            ),
            Self::Expired => lang.text(
                "Your session expired. Please sign in again to continue.",
                "Votre session a expiré. Veuillez vous reconnecter pour continuer.",
            ),
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Self::SignIn => "sign_in",
            Self::Expired => "expired",
        }
    }

    fn from_mark(mark: &str) -> Option<Self> {
        [Self::SignIn, Self::Expired].into_iter().find(|notice| notice.mark() == mark)
    }
}

/// Reads the `Cookie` header. Creates a new anonymous visitor if the cookie is missing or invalid.
pub(crate) fn visitor(world: &mut World, cookies: &str) -> Visitor {
    let known = cookies
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == COOKIE)
        .find_map(|(_, value)| open(world, value));
    let Some((id, notice)) = known else {
        world.cookies += 1;
        let id = hex(&digest(&[&world.secret, "visitor", &world.cookies.to_string()])[..16]);
        return Visitor { id, account: None, ended: None, notice: None };
    };
    if !world.sessions.contains_key(&id) {
        return Visitor { id, account: None, ended: None, notice };
    }
    match world.session(&id) {
        Ok(session) => Visitor { account: Some(session.account.clone()), id, ended: None, notice },
        Err(why) => Visitor { id, account: None, ended: Some(why), notice },
    }
}

/// Creates a new cookie value for a session, with an optional message for its next page.
pub(crate) fn seal(world: &mut World, id: &str, notice: Option<Notice>) -> String {
    world.cookies += 1;
    let number = world.cookies.to_string();
    let padding = hex(&digest(&[&world.secret, "salt", &number]));
    let mark = notice.map_or("", Notice::mark);
    let payload = STANDARD.encode(format!("{id}.{number}.{padding}.{mark}"));
    let value = format!("{payload}--{}", mac(world, &payload));
    utf8_percent_encode(&value, COOKIE_SAFE).to_string()
}

/// Reads a cookie value. Returns the session's identifier and the message for this page.
fn open(world: &World, value: &str) -> Option<(String, Option<Notice>)> {
    let plain = percent_decode_str(value).decode_utf8().ok()?;
    let (payload, tag) = plain.rsplit_once("--")?;
    if mac(world, payload) != tag {
        return None;
    }
    let inner = String::from_utf8(STANDARD.decode(payload).ok()?).ok()?;
    let mut parts = inner.split('.');
    let id = parts.next()?.to_owned();
    Some((id, parts.nth(2).and_then(Notice::from_mark)))
}

fn mac(world: &World, payload: &str) -> String {
    hex(&digest(&[&world.secret, "cookie", payload])[..20])
}

/// Computes a hash over the parts. A zero byte follows each part.
pub(crate) fn digest(parts: &[&str]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().into()
}

/// Formats bytes in lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
