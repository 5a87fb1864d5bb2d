//! A thin client of Stripe's API: payment intents and refunds. What Stripe tells us on its own is read in [`webhook`].

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

/// The shapes below are those of this version, whatever the account's default is.
const API_VERSION: &str = "2024-06-20";
/// An intent is a few kilobytes, and a page has a hundred.
const LARGEST: usize = 4 * 1024 * 1024;

/// Which provider, and who we are there.
#[derive(Clone, Debug)]
pub struct Config {
    /// The API's address without `/v1`, e.g. `https://api.stripe.com`.
    pub api_url: String,
    /// Our secret key (`sk_…`).
    pub secret_key: SecretString,
    /// The secret our webhook's messages are signed with (`whsec_…`).
    pub webhook_secret: SecretString,
    /// How long one call may take.
    pub timeout: Duration,
}

/// The card provider.
pub struct Stripe {
    http: reqwest::Client,
    v1: Url,
    secret_key: SecretString,
    webhook_secret: SecretString,
}

/// What somebody is about to pay.
#[derive(Clone, Debug)]
pub struct NewIntent<'a> {
    /// Minor units.
    pub amount: i64,
    /// ISO 4217.
    pub currency: &'a str,
    /// The payer's own words, for the provider's list of payments.
    pub description: Option<&'a str>,
    /// Words of ours that come back with every reading of the intent.
    pub metadata: &'a [(&'a str, String)],
    /// How it is paid. Anything but a card is begun at once: the payer has nothing to type here.
    pub method: PaymentMethod,
    /// Where a payer who leaves for the provider's page comes back to.
    pub return_url: &'a str,
}

/// Where a payment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntentStatus {
    /// No card was given, or the last one was declined.
    RequiresPaymentMethod,
    /// A card was given, nobody has said yes yet.
    RequiresConfirmation,
    /// The bank asks its customer something (3-D Secure).
    RequiresAction,
    /// The bank has not answered yet.
    Processing,
    /// Authorised, not taken; we never ask for that.
    RequiresCapture,
    /// Paid. It never changes again.
    Succeeded,
    /// Given up. It never changes again.
    Canceled,
    /// A word this client does not know.
    #[serde(other)]
    Unknown,
}

/// A payment as the provider has it.
#[derive(Clone, Debug, Deserialize)]
pub struct Intent {
    /// `pi_…`.
    pub id: String,
    /// What was asked for, minor units.
    pub amount: i64,
    /// What has come in, minor units.
    #[serde(default)]
    pub amount_received: i64,
    /// ISO 4217, lower case.
    pub currency: String,
    /// Where it stands.
    pub status: IntentStatus,
    /// With it the payer's browser confirms this one payment. Not sent with webhooks.
    #[serde(default)]
    pub client_secret: Option<SecretString>,
    /// Our words.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
    #[serde(default)]
    payment_method_types: Vec<String>,
    #[serde(default)]
    next_action: Option<NextAction>,
    #[serde(default)]
    latest_charge: Option<Charge>,
}

/// Who paid, as the provider tells payers apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payer<'a> {
    /// The provider's word for a card or wallet, the same for the same one.
    Known(&'a str),
    /// The provider has no word for it.
    Nameless,
    /// Not said: webhooks do not, a reading does.
    Unread,
}

impl Intent {
    /// Who paid.
    #[must_use]
    pub fn payer(&self) -> Payer<'_> {
        let Some(Charge::Whole { payment_method_details: Some(paid) }) = &self.latest_charge else {
            return Payer::Unread;
        };
        let known = paid.card.as_ref().or(paid.alipay.as_ref()).and_then(|with| with.fingerprint.as_deref());
        known.map_or(Payer::Nameless, Payer::Known)
    }

    /// How it is paid, as far as this client knows the word.
    #[must_use]
    pub fn method(&self) -> Option<PaymentMethod> {
        self.payment_method_types.first()?.parse().ok()
    }

    /// The page of the provider's that the payer must go to.
    #[must_use]
    pub fn redirect_url(&self) -> Option<&str> {
        self.next_action.as_ref()?.redirect_url()
    }

    /// The code that the payer must scan, as the address of a picture that holds it.
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

/// Why a call came to nothing, by what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum StripeError {
    /// The provider does not answer, or not as one. Whether the call was done is not known: try again under the same key.
    #[error("the card provider is unavailable: {0}")]
    Unavailable(String),
    /// The key was used for another call.
    #[error("the idempotency key was used for another call")]
    KeyReused,
    /// No such payment there.
    #[error("the card provider knows no such object")]
    NotFound,
    /// Never will be done; the provider's word for why.
    #[error("the card provider refuses: {0}")]
    Refused(String),
    /// Our keys are refused there: an operator must look.
    #[error("the card provider refuses our key")]
    Keys,
    /// Our key may not do this there: an operator must look.
    #[error("the card provider does not let our key do this")]
    Forbidden,
    /// An address of the configuration is none.
    #[error("{0} is not a usable address")]
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
    /// A client that has called nobody yet.
    ///
    /// # Errors
    /// When the address is none.
    pub fn new(config: Config) -> Result<Self, StripeError> {
        let base = format!("{}/v1/", config.api_url.trim_end_matches('/'));
        let v1 = Url::parse(&base).ok().filter(|url| url.has_host());
        let http = reqwest::Client::builder()
            .no_proxy()
            // A redirected call would carry our key there.
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

    /// Prepares a payment, and begins one that needs no card; the same key gives the same intent again.
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

    /// Reads a payment, and which card paid it.
    pub async fn intent(&self, id: &str) -> Result<Intent, StripeError> {
        let path = format!("payment_intents/{}?expand[]=latest_charge", intent_id(id)?);
        self.call(Method::GET, &path, &[], None).await
    }

    /// Gives up a payment that nobody made, so that it cannot be made any more.
    ///
    /// # Errors
    /// [`StripeError::Refused`] when it has succeeded or is being processed: read it then.
    pub async fn cancel_intent(&self, id: &str) -> Result<Intent, StripeError> {
        let path = format!("payment_intents/{}/cancel", intent_id(id)?);
        self.call(Method::POST, &path, &[], Some(&format!("cancel-{id}"))).await
    }

    /// Gives `amount` minor units of a payment back; the same key gives back once, as long as the provider keeps keys
    /// (a day). Ask [`Self::refunded_under`] before trying again after that.
    pub async fn refund(&self, intent: &str, amount: i64, key: &str) -> Result<Refund, StripeError> {
        let form = [
            ("payment_intent".to_owned(), intent_id(intent)?.to_owned()),
            ("amount".to_owned(), amount.to_string()),
            (format!("metadata[{REFUND_MARK}]"), key.to_owned()),
        ];
        self.call(Method::POST, "refunds", &form, Some(key)).await
    }

    /// The refund of a payment that was made under this key, if there is one.
    pub async fn refunded_under(&self, intent: &str, key: &str) -> Result<Option<Refund>, StripeError> {
        Ok(self.refunds(intent).await?.into_iter().find(|refund| refund.key() == Some(key)))
    }

    /// The refunds of a payment, also those made by hand and those that failed.
    pub async fn refunds(&self, intent: &str) -> Result<Vec<Refund>, StripeError> {
        let path = format!("refunds?payment_intent={}&limit=100", intent_id(intent)?);
        let page: Page<Refund> = self.call(Method::GET, &path, &[], None).await?;
        Ok(page.data)
    }

    /// Reads a message of the provider's; `now` in Unix seconds.
    ///
    /// # Errors
    /// Whatever makes it not the provider's, or not of now.
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
            // Never the parser's words: they may quote a client secret.
            let malformed = |_| StripeError::Unavailable("the answer is malformed".to_owned());
            return serde_json::from_slice(&body).map_err(malformed);
        }
        Err(failure(status, &body))
    }
}

/// By status first: a proxy in between may answer pages of its own.
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

/// An id becomes part of a path: nothing but a word may.
fn intent_id(id: &str) -> Result<&str, StripeError> {
    if is_intent_id(id) { Ok(id) } else { Err(StripeError::NotFound) }
}

/// Whether this can be the id of an intent.
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
