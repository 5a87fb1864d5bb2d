//! Access tokens: JWT, HS256, 15 minutes, useless without a live session.

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

/// Issuer and verifier of access tokens, with a key derived from the key ring's signing key.
pub struct AccessTokens {
    encode: EncodingKey,
    decode: DecodingKey,
    issuer: String,
}

/// Content of a valid token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// User of the token.
    pub user: UserId,
    /// Session of the token.
    pub session: SessionId,
    /// End of the token.
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
    /// Creates the tokens that the server at `issuer` issues and accepts.
    #[must_use]
    pub fn new(ring: &KeyRing, issuer: &str) -> Self {
        let key = ring.sign(Signing::AccessTokens, "access-token-key|v1");
        Self {
            encode: EncodingKey::from_secret(&key),
            decode: DecodingKey::from_secret(&key),
            issuer: issuer.to_owned(),
        }
    }

    /// Signs a token that ends after [`LIFE`] or with its session, whichever is first.
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

    /// Signs a token that names the user who came back from an identity provider. The web page
    /// reads it; no route accepts it.
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

    /// Verifies a token. Returns `None` if it is not from this server, of another kind, or expired.
    #[must_use]
    pub fn read(&self, token: &str, now: Instant) -> Option<Claim> {
        let mut rules = Validation::new(Algorithm::HS256);
        rules.set_issuer(&[&self.issuer]);
        rules.set_audience(&[AUDIENCE]);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // Expiry is compared below with the injected clock.
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
