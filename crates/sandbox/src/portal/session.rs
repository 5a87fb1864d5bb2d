//! The session cookie: a new value with every answer, all of them valid until the session ends.

use base64::{Engine, engine::general_purpose::STANDARD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sha2::{Digest, Sha256};

use crate::world::{World, accounts::Ended};

/// Name of the cookie.
pub(crate) const COOKIE: &str = "_yatri_session";

const COOKIE_SAFE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// Who is asking.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// Session id, anonymous or signed in.
    pub id: String,
    /// Username of a live session.
    pub account: Option<String>,
    /// Why a session that was there is over.
    pub ended: Option<Ended>,
}

/// Reads the cookie header; a missing or foreign cookie makes a new anonymous visitor.
pub(crate) fn visitor(world: &mut World, cookies: &str) -> Visitor {
    let known = cookies
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == COOKIE)
        .find_map(|(_, value)| open(world, value));
    let Some(id) = known else {
        world.cookies += 1;
        let id = hex(&digest(&[&world.secret, "visitor", &world.cookies.to_string()])[..16]);
        return Visitor { id, account: None, ended: None };
    };
    if !world.sessions.contains_key(&id) {
        return Visitor { id, account: None, ended: None };
    }
    match world.session(&id) {
        Ok(session) => Visitor { account: Some(session.account.clone()), id, ended: None },
        Err(why) => Visitor { id, account: None, ended: Some(why) },
    }
}

/// A fresh cookie value for this session.
pub(crate) fn seal(world: &mut World, id: &str) -> String {
    world.cookies += 1;
    let number = world.cookies.to_string();
    let padding = hex(&digest(&[&world.secret, "salt", &number]));
    let payload = STANDARD.encode(format!("{id}.{number}.{padding}"));
    let value = format!("{payload}--{}", mac(world, &payload));
    utf8_percent_encode(&value, COOKIE_SAFE).to_string()
}

fn open(world: &World, value: &str) -> Option<String> {
    let plain = percent_decode_str(value).decode_utf8().ok()?;
    let (payload, tag) = plain.rsplit_once("--")?;
    if mac(world, payload) != tag {
        return None;
    }
    let inner = String::from_utf8(STANDARD.decode(payload).ok()?).ok()?;
    inner.split('.').next().map(str::to_owned)
}

fn mac(world: &World, payload: &str) -> String {
    hex(&digest(&[&world.secret, "cookie", payload])[..20])
}

/// A hash over the parts, each ended by a zero byte.
pub(crate) fn digest(parts: &[&str]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().into()
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
