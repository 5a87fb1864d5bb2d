//! Sign-in through an identity provider with OpenID Connect: code flow with PKCE (S256), state and
//! nonce.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chrono::TimeDelta;
use domain::clock::{Clock, Instant};
use openidconnect::core::{
    CoreAuthPrompt, CoreAuthenticationFlow, CoreClient, CoreIdTokenClaims, CoreJwsSigningAlgorithm,
    CoreProviderMetadata, CoreTokenResponse,
};
use openidconnect::{
    AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken, IssuerUrl, Nonce,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope, SignatureVerificationError,
    TokenResponse as _,
};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Mutex;

mod fetch;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests;

use fetch::{Broken, Fetcher};

/// Lifetime of the provider's cached metadata.
const DISCOVERY_LIFE: TimeDelta = TimeDelta::hours(12);
/// Minimum age of the cached metadata before a token with an unknown signing key causes a new
/// fetch.
const KEYS_AGAIN_AFTER: TimeDelta = TimeDelta::seconds(30);
/// Maximum accepted difference between the clocks of the provider and this server.
const CLOCK_SKEW: TimeDelta = TimeDelta::minutes(2);
/// Maximum accepted age of an ID token, even if the token expires later.
const TOKEN_AGE: TimeDelta = TimeDelta::minutes(10);

/// Address of the identity provider and the credentials of this server there.
#[derive(Clone, Debug)]
pub struct Config {
    /// Issuer URL, e.g. `https://accounts.google.com`.
    pub issuer: String,
    /// Client id.
    pub client_id: String,
    /// Client secret.
    pub client_secret: SecretString,
    /// URL to which the provider redirects users, exactly as registered at the provider.
    pub redirect_uri: String,
    /// Timeout of one request.
    pub timeout: Duration,
}

/// Client of one identity provider.
pub struct Provider {
    issuer: IssuerUrl,
    client_id: ClientId,
    client_secret: ClientSecret,
    redirect_uri: RedirectUrl,
    http: Fetcher,
    clock: Clock,
    // Held during a fetch, so that concurrent sign-ins cause only one request.
    known: Mutex<Option<CachedMetadata>>,
    /// Number of failed fetches since the start.
    failures: AtomicU64,
}

#[derive(Clone)]
struct CachedMetadata {
    metadata: Arc<CoreProviderMetadata>,
    at: Instant,
}

/// Parameters of the redirect that sends a user to the provider.
#[derive(Clone, Copy)]
pub struct AuthorizationParameters<'a> {
    /// State parameter, which the provider returns in the redirect.
    pub state: &'a str,
    /// Nonce, which the provider includes in the ID token.
    pub nonce: &'a str,
    /// PKCE verifier, 43 to 128 unreserved characters. It is sent only in the token request.
    pub verifier: &'a str,
    /// `true` if the user must authenticate again, even if already signed in at the provider.
    pub reauthenticate: bool,
}

/// User identified by the provider's signed ID token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderUser {
    /// Issuer of the token.
    pub issuer: String,
    /// Permanent identifier of the user at the provider.
    pub subject: String,
    /// Mail address of the user at the provider.
    pub email: Option<String>,
    /// `true` if the provider has verified the mail address.
    pub email_verified: bool,
    /// Time of the user's last authentication, if the token contains it.
    pub authenticated_at: Option<Instant>,
}

/// Reason why a sign-in through the provider failed.
#[derive(Debug, thiserror::Error)]
pub enum OidcError {
    /// The provider does not respond or its response is unusable. Try again later.
    #[error("the identity provider is unavailable: {0}")]
    Unavailable(String),
    /// The code or the token is invalid. The user must start again.
    #[error("refused the identity provider's answer: {0}")]
    Refused(String),
    /// A URL in the configuration is invalid.
    #[error("invalid address {0}")]
    Setting(&'static str),
}

impl Provider {
    /// Creates a client. Sends no request.
    ///
    /// # Errors
    /// Returns an error if the issuer or the redirect URL is invalid.
    pub fn new(config: Config, clock: Clock) -> Result<Self, OidcError> {
        Ok(Self {
            issuer: IssuerUrl::new(config.issuer).map_err(|_| OidcError::Setting("the issuer"))?,
            client_id: ClientId::new(config.client_id),
            client_secret: ClientSecret::new(config.client_secret.expose_secret().to_owned()),
            redirect_uri: RedirectUrl::new(config.redirect_uri)
                .map_err(|_| OidcError::Setting("the redirect address"))?,
            http: Fetcher::new(config.timeout)?,
            clock,
            known: Mutex::default(),
            failures: AtomicU64::new(0),
        })
    }

    /// Returns the URL to which the user's browser is redirected for the sign-in.
    ///
    /// # Errors
    /// Returns an error if the provider's metadata cannot be fetched.
    pub async fn address(&self, parameters: AuthorizationParameters<'_>) -> Result<String, OidcError> {
        let known = self.discover(DISCOVERY_LIFE).await?;
        let client = self.client(&known);
        let (state, nonce) = (parameters.state.to_owned(), parameters.nonce.to_owned());
        let verifier = PkceCodeVerifier::new(parameters.verifier.to_owned());
        let mut request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || CsrfToken::new(state),
                move || Nonce::new(nonce),
            )
            .set_redirect_uri(std::borrow::Cow::Borrowed(&self.redirect_uri))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .add_scope(Scope::new("email".to_owned()));
        request = if parameters.reauthenticate {
            // Google includes auth_time only if the claim is requested and "session age claims" are
            // enabled in its console.
            request
                // Google ignores prompt=login. With max_age=0 it requests the password.
                .add_prompt(CoreAuthPrompt::SelectAccount)
                .set_max_age(Duration::ZERO)
                .add_extra_param("claims", r#"{"id_token":{"auth_time":{"essential":true}}}"#)
        } else {
            request.add_prompt(CoreAuthPrompt::SelectAccount)
        };
        Ok(request.url().0.into())
    }

    /// Exchanges the code for an ID token, validates the token, and returns the user.
    ///
    /// # Errors
    /// Returns an error if the provider does not respond or the token is invalid.
    pub async fn identify(&self, code: &str, verifier: &str, nonce: &str) -> Result<ProviderUser, OidcError> {
        let known = self.discover(DISCOVERY_LIFE).await?;
        let answer = self.trade(&known, code, verifier).await?;
        let nonce = Nonce::new(nonce.to_owned());
        match self.check(&known, &answer, &nonce) {
            // The provider may have created the signing key after the metadata was fetched. Fetch
            // again.
            Err(ClaimsVerificationError::SignatureVerification(
                SignatureVerificationError::NoMatchingKey,
            )) => {
                let known = self.discover(KEYS_AGAIN_AFTER).await?;
                self.check(&known, &answer, &nonce)
            }
            checked => checked,
        }
        .map_err(|e| OidcError::Refused(e.to_string()))
    }

    async fn trade(
        &self,
        known: &CachedMetadata,
        code: &str,
        verifier: &str,
    ) -> Result<CoreTokenResponse, OidcError> {
        let http = self.http.as_client();
        let client = self.client(known);
        let request = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|e| OidcError::Unavailable(e.to_string()))?
            .set_redirect_uri(std::borrow::Cow::Borrowed(&self.redirect_uri))
            .set_pkce_verifier(PkceCodeVerifier::new(verifier.to_owned()));
        request.request_async(&http).await.map_err(|error| match error {
            RequestTokenError::Request(broken) => broken.into(),
            RequestTokenError::ServerResponse(refusal) => OidcError::Refused(refusal.error().to_string()),
            // Do not use the parser's own error text, because it may contain the token.
            RequestTokenError::Parse(..) => OidcError::Refused("the token answer is malformed".to_owned()),
            RequestTokenError::Other(what) => OidcError::Refused(what),
        })
    }

    /// Validates signature, issuer, audience, nonce and times of an ID token.
    fn check(
        &self,
        known: &CachedMetadata,
        answer: &CoreTokenResponse,
        nonce: &Nonce,
    ) -> Result<ProviderUser, ClaimsVerificationError> {
        let now = self.clock.now();
        let client = self.client(known);
        let verifier = client
            .id_token_verifier()
            // Do not use the algorithms in the provider's metadata. They may include `none`, or
            // HMAC with the client secret as key.
            .set_allowed_algs([
                CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
                CoreJwsSigningAlgorithm::EcdsaP256Sha256,
            ])
            .set_time_fn(move || now - CLOCK_SKEW)
            .set_issue_time_verifier_fn(move |at| {
                let fresh = now - TOKEN_AGE <= at && at <= now + CLOCK_SKEW;
                fresh.then_some(()).ok_or_else(|| "issued at another time".to_owned())
            });
        let token = answer
            .id_token()
            .ok_or_else(|| ClaimsVerificationError::Other("there is no id token".to_owned()))?;
        let claims: &CoreIdTokenClaims = token.claims(&verifier, nonce)?;
        Ok(ProviderUser {
            issuer: claims.issuer().to_string(),
            subject: claims.subject().to_string(),
            email: claims.email().map(|email| email.to_string()),
            email_verified: claims.email_verified() == Some(true),
            authenticated_at: claims.auth_time(),
        })
    }

    /// Returns the provider's metadata, from the cache if the cached copy is younger than
    /// `believed`.
    async fn discover(&self, believed: TimeDelta) -> Result<CachedMetadata, OidcError> {
        let failures = self.failures.load(Ordering::Relaxed);
        let mut known = self.known.lock().await;
        if self.failures.load(Ordering::Relaxed) != failures {
            // Another request failed while this one waited. Do not fetch again, or each waiting
            // user would wait for one more timeout.
            return Err(OidcError::Unavailable("the provider did not answer recently".to_owned()));
        }
        let now = self.clock.now();
        if let Some(known) = known.as_ref().filter(|k| k.at <= now && now - k.at < believed) {
            return Ok(known.clone());
        }
        let http = self.http.as_client();
        let found = CoreProviderMetadata::discover_async(self.issuer.clone(), &http).await;
        let metadata = found.map_err(|e| {
            self.failures.fetch_add(1, Ordering::Relaxed);
            match e {
                openidconnect::DiscoveryError::Request(broken) => broken.into(),
                other => OidcError::Unavailable(other.to_string()),
            }
        })?;
        let fresh = CachedMetadata { metadata: Arc::new(metadata), at: now };
        *known = Some(fresh.clone());
        Ok(fresh)
    }

    fn client(&self, known: &CachedMetadata) -> Discovered {
        CoreClient::from_provider_metadata(
            CoreProviderMetadata::clone(&known.metadata),
            self.client_id.clone(),
            Some(self.client_secret.clone()),
        )
    }
}

/// OpenID Connect client whose provider metadata is known.
type Discovered = CoreClient<
    openidconnect::EndpointSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointMaybeSet,
    openidconnect::EndpointMaybeSet,
>;

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Provider({})", self.issuer.as_str())
    }
}

impl From<Broken> for OidcError {
    fn from(broken: Broken) -> Self {
        Self::Unavailable(broken.to_string())
    }
}
