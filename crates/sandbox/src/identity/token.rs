//! Signing key and ID tokens of the identity provider.

use base64::{Engine as _, prelude::BASE64_STANDARD, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{DateTime, Duration, Utc};
use p256::ecdsa::{Signature, SigningKey, signature::Signer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{CLIENT_ID, Grant, users::Broken};

/// Seed of a second key, which is never published.
const UNKNOWN: u64 = u64::MAX;

/// Derives the signing key from the world's seed, so that a resumed sandbox signs with the same
/// key.
fn key(seed: u64, purpose: &str) -> SigningKey {
    let mut round = 0_u32;
    loop {
        let mut hash = Sha256::new();
        hash.update(format!("sandbox identity key|{purpose}|{seed}|{round}"));
        // Nearly every hash is a valid key. If it is not, try the next one.
        if let Ok(key) = SigningKey::from_slice(&hash.finalize()) {
            return key;
        }
        round += 1;
    }
}

fn key_id(seed: u64) -> String {
    format!("sandbox-{seed}")
}

/// Returns the published keys (JWKS).
pub(super) fn keys(seed: u64) -> Value {
    let point = key(seed, "published").verifying_key().to_sec1_point(false);
    let bytes = point.as_bytes();
    json!({ "keys": [{
        "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": key_id(seed),
        "x": url(&bytes[1..33]), "y": url(&bytes[33..65]),
    }] })
}

/// Returns the ID token for a grant, or `None` for the invented user whose token is missing.
pub(super) fn id_token(issuer: &str, seed: u64, grant: &Grant, now: DateTime<Utc>) -> Option<String> {
    let person = &grant.person;
    let broken = person.broken;
    if broken == Some(Broken::Missing) {
        return None;
    }
    let pick = |way: Broken, wrong: &str, right: &str| {
        if broken == Some(way) { wrong.to_owned() } else { right.to_owned() }
    };
    let issued = if broken == Some(Broken::Expired) { now - Duration::hours(2) } else { now };
    let proved = match grant.asked.afresh() && broken != Some(Broken::Stale) {
        true => now,
        false => now - Duration::days(1),
    };
    let claims = json!({
        "iss": pick(Broken::Issuer, "https://elsewhere.example.com", issuer),
        "aud": pick(Broken::Audience, "somebody-elses-client", CLIENT_ID),
        "nonce": pick(Broken::Nonce, "another-nonce", &grant.asked.nonce),
        "sub": person.subject,
        "iat": issued.timestamp(),
        "exp": (issued + Duration::hours(1)).timestamp(),
        "auth_time": proved.timestamp(),
        "email": person.email,
        "email_verified": person.email_verified,
        "name": person.name,
    });
    if broken == Some(Broken::Unsigned) {
        let head = url(br#"{"alg":"none","typ":"JWT"}"#);
        return Some(format!("{head}.{}.", url(claims.to_string().as_bytes())));
    }
    let signer =
        if broken == Some(Broken::Signature) { key(UNKNOWN, "unknown") } else { key(seed, "published") };
    let head = json!({ "alg": "ES256", "typ": "JWT", "kid": key_id(seed) });
    let signed = format!("{}.{}", url(head.to_string().as_bytes()), url(claims.to_string().as_bytes()));
    let signature: Signature = signer.sign(signed.as_bytes());
    Some(format!("{signed}.{}", url(&signature.to_bytes())))
}

/// Returns the S256 code challenge of a PKCE verifier.
pub(super) fn challenge(verifier: &str) -> String {
    url(&Sha256::digest(verifier))
}

/// Returns a hash of several texts, in base64url.
pub(super) fn digest(parts: &[&str]) -> String {
    url(&Sha256::digest(parts.join("|")))
}

/// Encodes a text in base64, for an authorization header.
pub(super) fn base64(text: &str) -> String {
    BASE64_STANDARD.encode(text)
}

fn url(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
