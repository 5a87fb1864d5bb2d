//! Access tokens: JWTs (HS256) that are valid for [`LIFE`], as long as their session is live.

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::{SessionId, UserId};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use store::keyring::{KeyRing, Signing};

use crate::http::error::ApiError;

/// Lifetime of an access token.
pub const LIFE: TimeDelta = TimeDelta::minutes(15);

const AUDIENCE: &str = "sooner-api";
const KIND: &str = "access";
const BOOTSTRAP_AUDIENCE: &str = "sooner-web";
const BOOTSTRAP_KIND: &str = "bootstrap";

/// Issuer and verifier of access tokens. The key is derived from the signing key of the key ring.
pub struct AccessTokens {
    encode: EncodingKey,
    decode: DecodingKey,
    issuer: String,
}

/// Content of a verified token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// User of the token.
    pub user: UserId,
    /// Session of the token.
    pub session: SessionId,
    /// Time at which the token expires.
    pub expires_at: Instant,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    typ: String,
    sub: UserId,
    sid: SessionId,
    iat: i64,
    exp: i64,
}

#[derive(Serialize)]
struct BootstrapClaims {
    iss: String,
    aud: &'static str,
    typ: &'static str,
    sub: UserId,
    iat: i64,
    exp: i64,
}

impl AccessTokens {
    /// Creates the issuer and verifier for the server with the public address `issuer`.
    #[must_use]
    pub fn new(ring: &KeyRing, issuer: &str) -> Self {
        let key = ring.sign(Signing::AccessTokens, "access-token-key|v1");
        Self {
            encode: EncodingKey::from_secret(&key),
            decode: DecodingKey::from_secret(&key),
            issuer: issuer.to_owned(),
        }
    }

    /// Signs a token that expires after [`LIFE`], or with its session if that is earlier.
    pub fn issue(
        &self,
        user: UserId,
        session: SessionId,
        session_ends: Instant,
        now: Instant,
    ) -> Result<String, ApiError> {
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: AUDIENCE.to_owned(),
            typ: KIND.to_owned(),
            sub: user,
            sid: session,
            iat: now.timestamp(),
            exp: (now + LIFE).min(session_ends).timestamp(),
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encode)
            .map_err(|e| ApiError::internal(&e))
    }

    /// Signs a token that names the user who returned from an identity provider. Only the web page
    /// reads the token; no route accepts it.
    pub fn bootstrap(&self, user: UserId, life: TimeDelta, now: Instant) -> Result<String, ApiError> {
        let claims = BootstrapClaims {
            iss: self.issuer.clone(),
            aud: BOOTSTRAP_AUDIENCE,
            typ: BOOTSTRAP_KIND,
            sub: user,
            iat: now.timestamp(),
            exp: (now + life).timestamp(),
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encode)
            .map_err(|e| ApiError::internal(&e))
    }

    /// Verifies a token. Returns `None` if the token was issued by another server, is of another
    /// kind, or has expired.
    #[must_use]
    pub fn read(&self, token: &str, now: Instant) -> Option<Claim> {
        let mut rules = Validation::new(Algorithm::HS256);
        rules.set_issuer(&[&self.issuer]);
        rules.set_audience(&[AUDIENCE]);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // The library would use the system clock, so the expiry is compared below.
        rules.validate_exp = false;
        let claims = jsonwebtoken::decode::<Claims>(token, &self.decode, &rules).ok()?.claims;
        let expires_at = Instant::from_timestamp(claims.exp, 0)?;
        (claims.typ == KIND && now < expires_at).then_some(Claim {
            user: claims.sub,
            session: claims.sid,
            expires_at,
        })
    }
}
