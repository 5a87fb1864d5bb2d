//! Webhook: sends JSON to a URL given by the user. The signature header `t=SECONDS,v1=HEX` contains
//! the HMAC-SHA256 of `SECONDS.BODY`.

use std::fmt::Write as _;

use hmac::{Hmac, KeyInit, Mac};
use reqwest::header;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sha2::Sha256;

use super::http::{Answer, Http, Prepared};
use super::message::Message;
use super::outcome::{Outcome, Reason};

/// Name of the signature header.
const SIGNATURE: &str = "X-Signature";

/// URL with its secrets, entered by the user.
#[derive(Clone, Copy)]
pub(super) struct Hook<'a> {
    pub url: &'a SecretString,
    pub secret: &'a SecretString,
    pub authorization: Option<&'a SecretString>,
}

pub(super) fn prepare(http: &Http, hook: Hook<'_>, message: &Message) -> Result<Prepared, Reason> {
    let to = http.policy.check(hook.url.expose_secret())?;
    let body = json!({
        "id": message.id,
        "event": message.kind,
        "priority": message.priority(),
        "title": message.title,
        "text": message.text,
        "url": message.url(),
        "not_after": message.not_after,
    })
    .to_string();
    let signature = sign(hook.secret.expose_secret(), http.clock.now().timestamp(), &body)?;
    let mut request = http
        .post_checked(to)
        .header(header::CONTENT_TYPE, "application/json")
        .header(SIGNATURE, signature)
        .body(body);
    if let Some(value) = hook.authorization {
        request = request.header(header::AUTHORIZATION, value.expose_secret());
    }
    Ok(Prepared { request, judge })
}

fn sign(secret: &str, at: i64, body: &str) -> Result<String, Reason> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(|_| Reason::Credentials)?;
    mac.update(format!("{at}.{body}").as_bytes());
    let mut signature = format!("t={at},v1=");
    for byte in mac.finalize().into_bytes() {
        let _ = write!(signature, "{byte:02x}");
    }
    Ok(signature)
}

fn judge(answer: &Answer) -> Outcome {
    match answer.status.as_u16() {
        200..=299 => Outcome::ACCEPTED,
        401 | 403 => Outcome::Broken(Reason::Credentials),
        404 | 410 => Outcome::Broken(Reason::Gone),
        _ => answer.busy().unwrap_or(Outcome::Broken(Reason::Refused)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_covers_time_and_body() {
        // Result of `printf '1700000000.{}' | openssl dgst -sha256 -hmac key`.
        let signature = sign("key", 1_700_000_000, "{}");
        assert_eq!(
            signature.as_deref(),
            Ok("t=1700000000,v1=9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae")
        );
    }
}
