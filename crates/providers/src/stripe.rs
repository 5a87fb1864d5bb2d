//! Thin client of Stripe's API: payment intents and refunds. Messages that Stripe sends on its own
//! are parsed in [`webhook`].

use std::collections::BTreeMap;
use std::time::Duration;

use domain::card::PaymentMethod;
use reqwest::{Method, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;

mod lists;
mod next_action;
mod refund;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests;
pub mod webhook;

use next_action::NextAction;
use refund::REFUND_MARK;
pub use refund::Refund;

/// API version whose shapes are used below, whatever the account's default is.
const API_VERSION: &str = "2024-06-20";
/// Largest accepted answer in bytes. An intent is a few kilobytes, and a page has a hundred.
const LARGEST: usize = 4 * 1024 * 1024;

/// Card provider, and this server's credentials there.
#[derive(Clone, Debug)]
pub struct Config {
    /// URL of the API without `/v1`, e.g. `https://api.stripe.com`.
    pub api_url: String,
    /// Secret API key (`sk_…`).
    pub secret_key: SecretString,
    /// Secret that signs webhook messages (`whsec_…`).
    pub webhook_secret: SecretString,
    /// Timeout of one call.
    pub timeout: Duration,
}

/// Client of the card provider.
pub struct Stripe {
    http: reqwest::Client,
    v1: Url,
    secret_key: SecretString,
    webhook_secret: SecretString,
}

/// A payment to be created.
#[derive(Clone, Debug)]
pub struct NewIntent<'a> {
    /// Amount in minor units.
    pub amount: i64,
    /// Currency, ISO 4217.
    pub currency: &'a str,
    /// Payer's own text, for the provider's list of payments.
    pub description: Option<&'a str>,
    /// Key-value pairs that every reading of the intent returns.
    pub metadata: &'a [(&'a str, String)],
    /// Payment method. A payment by any method but a card starts at once, because the payer has
    /// nothing to enter here.
    pub method: PaymentMethod,
    /// URL to which the provider's page sends the payer back.
    pub return_url: &'a str,
}

/// State of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntentStatus {
    /// No card was given, or the last one was declined.
    RequiresPaymentMethod,
    /// A card was given but not yet confirmed.
    RequiresConfirmation,
    /// The bank requires an action of its customer (3-D Secure).
    RequiresAction,
    /// The bank has not answered yet.
    Processing,
    /// Authorised but not captured. This client never requests that.
    RequiresCapture,
    /// Paid. This state is final.
    Succeeded,
    /// Canceled. This state is final.
    Canceled,
    /// A state that this client does not know.
    #[serde(other)]
    Unknown,
}

/// A payment as stored by the provider.
#[derive(Clone, Debug, Deserialize)]
pub struct Intent {
    /// `pi_…`.
    pub id: String,
    /// Requested amount in minor units.
    pub amount: i64,
    /// Received amount in minor units.
    #[serde(default)]
    pub amount_received: i64,
    /// ISO 4217, lower case.
    pub currency: String,
    /// State of the payment.
    pub status: IntentStatus,
    /// Secret with which the payer's browser confirms this one payment. Webhook messages lack it.
    #[serde(default)]
    pub client_secret: Option<SecretString>,
    /// Metadata given at creation.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
    #[serde(default)]
    payment_method_types: Vec<String>,
    #[serde(default)]
    next_action: Option<NextAction>,
    #[serde(default)]
    latest_charge: Option<Charge>,
}

/// Identity of the payer, as the provider distinguishes payers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payer<'a> {
    /// Provider's fingerprint of a card or wallet, the same for the same one.
    Known(&'a str),
    /// The provider has no fingerprint.
    Nameless,
    /// Not included: webhook messages lack it, a reading of the intent has it.
    Unread,
}

impl Intent {
    /// Returns the identity of the payer.
    #[must_use]
    pub fn payer(&self) -> Payer<'_> {
        let Some(Charge::Whole { payment_method_details: Some(paid) }) = &self.latest_charge else {
            return Payer::Unread;
        };
        let known = paid.card.as_ref().or(paid.alipay.as_ref()).and_then(|with| with.fingerprint.as_deref());
        known.map_or(Payer::Nameless, Payer::Known)
    }

    /// Returns the payment method, or `None` if this client does not know it.
    #[must_use]
    pub fn method(&self) -> Option<PaymentMethod> {
        self.payment_method_types.first()?.parse().ok()
    }

    /// Returns the URL of the provider's page that the payer must visit.
    #[must_use]
    pub fn redirect_url(&self) -> Option<&str> {
        self.next_action.as_ref()?.redirect_url()
    }

    /// Returns the code that the payer must scan, as the URL of a picture.
    #[must_use]
    pub fn qr_image(&self) -> Option<&str> {
        self.next_action.as_ref()?.qr_image()
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Charge {
    Whole { payment_method_details: Option<PaidWith> },
    Id(#[allow(dead_code, reason = "only the whole one tells anything")] String),
}

#[derive(Clone, Debug, Deserialize)]
struct PaidWith {
    card: Option<Means>,
    alipay: Option<Means>,
}

#[derive(Clone, Debug, Deserialize)]
struct Means {
    fingerprint: Option<String>,
}

/// Reason that a call failed, by the action to take.
#[derive(Debug, thiserror::Error)]
pub enum StripeError {
    /// The provider does not answer, or gives no usable answer. The call may have been executed:
    /// retry with the same key.
    #[error("the card provider is unavailable: {0}")]
    Unavailable(String),
    /// The key was used for another call.
    #[error("the idempotency key was used for another call")]
    KeyReused,
    /// The provider has no such object.
    #[error("the card provider knows no such object")]
    NotFound,
    /// Permanently refused, with the provider's code for the reason.
    #[error("the card provider refuses: {0}")]
    Refused(String),
    /// The provider refuses the key. An operator has to act.
    #[error("the card provider refuses the key of this server")]
    Keys,
    /// The key lacks the permission for this call. An operator has to act.
    #[error("the card provider does not permit the key to do this")]
    Forbidden,
    /// A URL in the configuration is invalid.
    #[error("invalid address {0}")]
    Setting(&'static str),
}

#[derive(Deserialize)]
struct Page<T> {
    data: Vec<T>,
    #[serde(default)]
    has_more: bool,
}

#[derive(Deserialize)]
struct Failure {
    error: Reason,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Reason {
    r#type: String,
    code: Option<String>,
}

impl Stripe {
    /// Creates a client. Sends no request yet.
    ///
    /// # Errors
    /// Returns an error if the URL is invalid.
    pub fn new(config: Config) -> Result<Self, StripeError> {
        let base = format!("{}/v1/", config.api_url.trim_end_matches('/'));
        let v1 = Url::parse(&base).ok().filter(|url| url.has_host());
        let http = reqwest::Client::builder()
            .no_proxy()
            // A redirected call would send the key to another host.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(config.timeout / 2)
            .timeout(config.timeout)
            .build()
            .map_err(|e| StripeError::Unavailable(e.to_string()))?;
        Ok(Self {
            http,
            v1: v1.ok_or(StripeError::Setting("the card provider's API"))?,
            secret_key: config.secret_key,
            webhook_secret: config.webhook_secret,
        })
    }

    /// Creates a payment, and starts one that needs no card. The same key returns the same intent.
    pub async fn create_intent(&self, new: &NewIntent<'_>, key: &str) -> Result<Intent, StripeError> {
        let mut form = vec![
            ("amount".to_owned(), new.amount.to_string()),
            ("currency".to_owned(), new.currency.to_ascii_lowercase()),
            ("payment_method_types[]".to_owned(), new.method.as_str().to_owned()),
        ];
        let begun = next_action::begin(new).into_iter();
        form.extend(begun.map(|(name, value)| (name.to_owned(), value.to_owned())));
        form.extend(new.description.map(|words| ("description".to_owned(), words.to_owned())));
        form.extend(new.metadata.iter().map(|(name, value)| (format!("metadata[{name}]"), value.clone())));
        self.call(Method::POST, "payment_intents", &form, Some(key)).await
    }

    /// Reads a payment, including the card that paid it.
    pub async fn intent(&self, id: &str) -> Result<Intent, StripeError> {
        let path = format!("payment_intents/{}?expand[]=latest_charge", intent_id(id)?);
        self.call(Method::GET, &path, &[], None).await
    }

    /// Cancels an unpaid payment, so that it cannot be paid any more.
    ///
    /// # Errors
    /// Returns [`StripeError::Refused`] if it has succeeded or is being processed. The caller must
    /// read it then.
    pub async fn cancel_intent(&self, id: &str) -> Result<Intent, StripeError> {
        let path = format!("payment_intents/{}/cancel", intent_id(id)?);
        self.call(Method::POST, &path, &[], Some(&format!("cancel-{id}"))).await
    }

    /// Refunds `amount` minor units of a payment. The same key refunds once, as long as the
    /// provider keeps keys (a day). After that, call [`Self::refunded_under`] before a retry.
    pub async fn refund(&self, intent: &str, amount: i64, key: &str) -> Result<Refund, StripeError> {
        let form = [
            ("payment_intent".to_owned(), intent_id(intent)?.to_owned()),
            ("amount".to_owned(), amount.to_string()),
            (format!("metadata[{REFUND_MARK}]"), key.to_owned()),
        ];
        self.call(Method::POST, "refunds", &form, Some(key)).await
    }

    /// Returns the refund of a payment that was made under this key, if there is one.
    pub async fn refunded_under(&self, intent: &str, key: &str) -> Result<Option<Refund>, StripeError> {
        Ok(self.refunds(intent).await?.into_iter().find(|refund| refund.key() == Some(key)))
    }

    /// Returns the refunds of a payment, including those made by hand and those that failed.
    pub async fn refunds(&self, intent: &str) -> Result<Vec<Refund>, StripeError> {
        let path = format!("refunds?payment_intent={}&limit=100", intent_id(intent)?);
        let page: Page<Refund> = self.call(Method::GET, &path, &[], None).await?;
        Ok(page.data)
    }

    /// Parses a webhook message of the provider; `now` is in Unix seconds.
    ///
    /// # Errors
    /// Returns an error if the message is not the provider's, or too old or too new.
    pub fn event(
        &self,
        signature: &str,
        body: &[u8],
        now: i64,
    ) -> Result<webhook::Event, webhook::NotBelieved> {
        webhook::read(self.webhook_secret.expose_secret(), signature, body, now)
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        form: &[(String, String)],
        key: Option<&str>,
    ) -> Result<T, StripeError> {
        let url = self.v1.join(path).map_err(|_| StripeError::NotFound)?;
        let mut request = self
            .http
            .request(method, url)
            .bearer_auth(self.secret_key.expose_secret())
            .header("Stripe-Version", API_VERSION);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key).form(form);
        }
        let mut answer = request.send().await.map_err(unavailable)?;
        let status = answer.status();
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(unavailable)? {
            if body.len() + chunk.len() > LARGEST {
                return Err(StripeError::Unavailable("the answer is too large".to_owned()));
            }
            body.extend_from_slice(&chunk);
        }
        if status.is_success() {
            // The parser's own message is never used, because it may quote a client secret.
            let malformed = |_| StripeError::Unavailable("the answer is malformed".to_owned());
            return serde_json::from_slice(&body).map_err(malformed);
        }
        Err(failure(status, &body))
    }
}

/// Maps a failure to an error, by status first: a proxy may answer with pages of its own.
fn failure(status: StatusCode, body: &[u8]) -> StripeError {
    let reason = serde_json::from_slice::<Failure>(body).map(|f| f.error).unwrap_or_default();
    match status.as_u16() {
        401 => StripeError::Keys,
        403 => StripeError::Forbidden,
        404 => StripeError::NotFound,
        400 if reason.r#type == "idempotency_error" => StripeError::KeyReused,
        400 | 402 => StripeError::Refused(reason.code.unwrap_or(reason.r#type)),
        other => StripeError::Unavailable(format!("it answers {other}")),
    }
}

fn unavailable(error: reqwest::Error) -> StripeError {
    StripeError::Unavailable(error.without_url().to_string())
}

/// Checks an id before it becomes part of a path.
fn intent_id(id: &str) -> Result<&str, StripeError> {
    if is_intent_id(id) { Ok(id) } else { Err(StripeError::NotFound) }
}

/// Returns `true` if `id` has the form of an intent's id.
#[must_use]
pub fn is_intent_id(id: &str) -> bool {
    let word = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    word && id.len() <= 255 && id.starts_with("pi_")
}

impl std::fmt::Debug for Stripe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Stripe({})", self.v1)
    }
}
