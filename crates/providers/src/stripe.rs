//! Client for Stripe's API: payment intents and refunds. [`webhook`] parses the messages that
//! Stripe sends.

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

/// API version of the types below. It is sent with every request, independently of the account's
/// default.
const API_VERSION: &str = "2024-06-20";
/// Maximum size of a response in bytes. An intent has a few kilobytes, and a page has up to a
/// hundred intents.
const LARGEST: usize = 4 * 1024 * 1024;

/// Address of the card provider and the credentials of this server there.
#[derive(Clone, Debug)]
pub struct Config {
    /// URL of the API without `/v1`, e.g. `https://api.stripe.com`.
    pub api_url: String,
    /// Secret API key, `sk_…`.
    pub secret_key: SecretString,
    /// Secret for verifying webhook messages, `whsec_…`.
    pub webhook_secret: SecretString,
    /// Timeout of one request.
    pub timeout: Duration,
}

/// Client for the card provider.
pub struct Stripe {
    http: reqwest::Client,
    v1: Url,
    secret_key: SecretString,
    webhook_secret: SecretString,
}

/// Payment to be created.
#[derive(Clone, Debug)]
pub struct NewIntent<'a> {
    /// Amount in minor units of the currency.
    pub amount: i64,
    /// Currency code, ISO 4217.
    pub currency: &'a str,
    /// Text entered by the payer, shown in the provider's list of payments.
    pub description: Option<&'a str>,
    /// Key-value pairs that the provider stores with the intent and returns with it.
    pub metadata: &'a [(&'a str, String)],
    /// Payment method. A payment without a card is started at creation, because the payer enters
    /// nothing on this site.
    pub method: PaymentMethod,
    /// URL to which the provider redirects the payer.
    pub return_url: &'a str,
}

/// State of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntentStatus {
    /// No card was entered yet, or the last card was declined.
    RequiresPaymentMethod,
    /// A card was entered and the payment is not confirmed yet.
    RequiresConfirmation,
    /// The payer must authenticate at the bank (3-D Secure).
    RequiresAction,
    /// The bank has not responded yet.
    Processing,
    /// Authorised but not captured. This client never requests this state.
    RequiresCapture,
    /// Paid. This state is final.
    Succeeded,
    /// Canceled. This state is final.
    Canceled,
    /// State that this client does not know.
    #[serde(other)]
    Unknown,
}

/// Payment as stored by the provider.
#[derive(Clone, Debug, Deserialize)]
pub struct Intent {
    /// Identifier, `pi_…`.
    pub id: String,
    /// Requested amount in minor units.
    pub amount: i64,
    /// Received amount in minor units.
    #[serde(default)]
    pub amount_received: i64,
    /// Currency code, ISO 4217, in lower case.
    pub currency: String,
    /// State of the payment.
    pub status: IntentStatus,
    /// Secret with which the payer's browser confirms this payment. Webhook messages do not contain
    /// it.
    #[serde(default)]
    pub client_secret: Option<SecretString>,
    /// Key-value pairs given at creation.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
    #[serde(default)]
    payment_method_types: Vec<String>,
    #[serde(default)]
    next_action: Option<NextAction>,
    #[serde(default)]
    latest_charge: Option<Charge>,
}

/// Identity of the payer, derived from the card or wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payer<'a> {
    /// The provider's fingerprint of a card or wallet. It is the same for every payment with that
    /// card.
    Known(&'a str),
    /// The provider has no fingerprint of this payer.
    Nameless,
    /// Not included in this object. Webhook messages lack the payer; read the intent to get it.
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

    /// Returns the payment method, or `None` for a method that this client does not know.
    #[must_use]
    pub fn method(&self) -> Option<PaymentMethod> {
        self.payment_method_types.first()?.parse().ok()
    }

    /// Returns the URL of the provider's page that the payer must visit, if there is one.
    #[must_use]
    pub fn redirect_url(&self) -> Option<&str> {
        self.next_action.as_ref()?.redirect_url()
    }

    /// Returns the picture of the code that the payer must scan, as a URL.
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

/// Reason why a request failed. The variants correspond to the caller's reactions.
#[derive(Debug, thiserror::Error)]
pub enum StripeError {
    /// The provider does not respond or its response is unusable. The operation may have been
    /// executed. Retry with the same idempotency key.
    #[error("the card provider is unavailable: {0}")]
    Unavailable(String),
    /// The idempotency key was already used with other parameters.
    #[error("the idempotency key was used for another call")]
    KeyReused,
    /// The provider does not have the requested object.
    #[error("the card provider does not have the requested object")]
    NotFound,
    /// The provider refused permanently. The text is its reason code.
    #[error("the card provider refused the request: {0}")]
    Refused(String),
    /// The provider refused the API key. The operator must act.
    #[error("the card provider refused the API key")]
    Keys,
    /// The API key lacks the permission for this request. The operator must act.
    #[error("the API key lacks the permission for this request to the card provider")]
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
    /// Creates a client. Sends no request.
    ///
    /// # Errors
    /// Returns an error if the URL is invalid.
    pub fn new(config: Config) -> Result<Self, StripeError> {
        let base = format!("{}/v1/", config.api_url.trim_end_matches('/'));
        let v1 = Url::parse(&base).ok().filter(|url| url.has_host());
        let http = reqwest::Client::builder()
            .no_proxy()
            // A redirect would send the API key to another host.
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

    /// Creates a payment and, unless the method is a card, starts it. A repeated call with the same
    /// idempotency `key` returns the same intent.
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

    /// Reads a payment, including the card with which it was paid.
    pub async fn intent(&self, id: &str) -> Result<Intent, StripeError> {
        let path = format!("payment_intents/{}?expand[]=latest_charge", intent_id(id)?);
        self.call(Method::GET, &path, &[], None).await
    }

    /// Cancels an unpaid payment, so that it can no longer be paid.
    ///
    /// # Errors
    /// Returns [`StripeError::Refused`] if the payment has succeeded or is being processed. The
    /// caller must then read the payment.
    pub async fn cancel_intent(&self, id: &str) -> Result<Intent, StripeError> {
        let path = format!("payment_intents/{}/cancel", intent_id(id)?);
        self.call(Method::POST, &path, &[], Some(&format!("cancel-{id}"))).await
    }

    /// Refunds `amount` minor units of a payment. Repeated calls with the same idempotency `key`
    /// refund once, while the provider remembers the key (a day). After a day, call
    /// [`Self::refunded_under`] before a retry.
    pub async fn refund(&self, intent: &str, amount: i64, key: &str) -> Result<Refund, StripeError> {
        let form = [
            ("payment_intent".to_owned(), intent_id(intent)?.to_owned()),
            ("amount".to_owned(), amount.to_string()),
            (format!("metadata[{REFUND_MARK}]"), key.to_owned()),
        ];
        self.call(Method::POST, "refunds", &form, Some(key)).await
    }

    /// Returns the refund of a payment that was made with this idempotency key, if there is one.
    pub async fn refunded_under(&self, intent: &str, key: &str) -> Result<Option<Refund>, StripeError> {
        Ok(self.refunds(intent).await?.into_iter().find(|refund| refund.key() == Some(key)))
    }

    /// Returns all refunds of a payment, including failed ones and those made manually at the
    /// provider.
    pub async fn refunds(&self, intent: &str) -> Result<Vec<Refund>, StripeError> {
        let path = format!("refunds?payment_intent={}&limit=100", intent_id(intent)?);
        let page: Page<Refund> = self.call(Method::GET, &path, &[], None).await?;
        Ok(page.data)
    }

    /// Verifies and parses a webhook message. `now` is in Unix seconds.
    ///
    /// # Errors
    /// Returns an error if the signature is invalid, too old or in the future, or if the message is
    /// malformed.
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
            // Do not use the parser's own error text, because it may contain a client secret.
            let malformed = |_| StripeError::Unavailable("the answer is malformed".to_owned());
            return serde_json::from_slice(&body).map_err(malformed);
        }
        Err(failure(status, &body))
    }
}

/// Converts a failed response to an error. Uses the status first, because a proxy may respond with
/// an unrelated body.
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

/// Validates an identifier before it becomes part of a URL path.
fn intent_id(id: &str) -> Result<&str, StripeError> {
    if is_intent_id(id) { Ok(id) } else { Err(StripeError::NotFound) }
}

/// Returns `true` if `id` has the format of a payment intent's identifier.
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
