//! Configuration of card payments, from the settings.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use domain::card::{Limits, PaymentMethod};
use domain::money::Money;
use providers::stripe::{Config, Stripe};
use secrecy::SecretString;
use tokio::sync::Notify;

use super::{CardOrigin, Policy};
use crate::config::Settings;

/// Time limit of a call to the provider, while a user waits.
const TIMEOUT: Duration = Duration::from_secs(8);
/// Configuration of card payments, if they are set up.
#[derive(Debug)]
pub struct Cards {
    /// Client of the provider.
    pub provider: Stripe,
    /// Provider's key for browsers.
    pub publishable_key: String,
    /// Address of the provider's library for browsers.
    pub js_url: String,
    /// Content policy of the payment page.
    pub policy: Policy,
    /// Separate origin of the payment page, if it has one.
    pub origin: Option<CardOrigin>,
    /// Accepted payment methods.
    pub methods: Vec<PaymentMethod>,
    /// Minimum and maximum amount of one payment.
    pub limits: Limits,
    /// Time after a payment within which its user can have it refunded.
    pub refund_deadline: TimeDelta,
    /// Wakes the reconciliation loop when there is a payment to read or a refund to send.
    pub wake: Notify,
}

impl Cards {
    /// Creates the configuration from the settings; `None` if no key is set.
    ///
    /// # Errors
    /// Returns the wrong setting with the reason.
    pub fn new(settings: &Settings) -> Result<Option<Arc<Self>>, (&'static str, String)> {
        // An empty variable counts as unset.
        let given = |value: &Option<String>| value.clone().filter(|v| !v.is_empty());
        let keys = (
            given(&settings.card_secret_key),
            given(&settings.card_publishable_key),
            given(&settings.card_webhook_secret),
        );
        let (secret, publishable_key, webhook_secret) = match keys {
            (Some(secret), Some(publishable), Some(webhook)) => (secret, publishable, webhook),
            (None, None, None) => return Ok(None),
            _ => {
                let why = "set it together with --card-publishable-key and --card-webhook-secret";
                return Err(("--card-secret-key", why.to_owned()));
            }
        };
        let config = Config {
            api_url: settings.card_api_url.clone(),
            secret_key: SecretString::from(secret),
            webhook_secret: SecretString::from(webhook_secret),
            timeout: TIMEOUT,
        };
        let provider = Stripe::new(config).map_err(|e| ("--card-api-url", e.to_string()))?;
        let origin = given(&settings.card_origin)
            .map(|origin| CardOrigin::new(&origin, &settings.public_url))
            .transpose()
            .map_err(|why| ("--card-origin", why.to_owned()))?;
        let framer = origin.as_ref().map_or("'self'", |origin| origin.framer.as_str());
        let policy = Policy::new(&settings.card_js_url, &settings.card_api_url, framer).ok_or_else(|| {
            ("--card-js-url", "not an address such as https://js.example.com/x.js".to_owned())
        })?;
        let amount = |name, text: &str| {
            let money = Money::parse_decimal(text).filter(|money| money.minor > 0);
            money.ok_or((name, "not an amount such as 5.00".to_owned()))
        };
        let limits = Limits {
            min: amount("--card-min", &settings.card_min)?,
            max: amount("--card-max", &settings.card_max)?,
        };
        if limits.min.minor > limits.max.minor {
            return Err(("--card-max", "less than --card-min".to_owned()));
        }
        let methods = methods(&settings.card_methods).ok_or_else(|| {
            ("--card-methods", "not a comma-separated list of card, alipay, wechat_pay".to_owned())
        })?;
        let js_url = settings.card_js_url.clone();
        let refund_deadline = TimeDelta::days(settings.card_refund_days.into());
        let wake = Notify::new();
        let cards = Self {
            provider,
            publishable_key,
            js_url,
            policy,
            origin,
            methods,
            limits,
            refund_deadline,
            wake,
        };
        Ok(Some(Arc::new(cards)))
    }
}

/// Parses a comma-separated list of at least one method.
fn methods(words: &str) -> Option<Vec<PaymentMethod>> {
    let methods: Option<Vec<_>> = words.split(',').map(|word| word.trim().parse().ok()).collect();
    methods.filter(|methods| !methods.is_empty())
}
