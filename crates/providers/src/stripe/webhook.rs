//! Webhook messages of the card provider: verification of the signature, and parsing.

use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::Value;
use sha2::Sha256;

use super::{Intent, Refund};

/// Maximum accepted difference in seconds between a signature's time and this server's clock. It
/// also tolerates a provider's clock that is fast.
const TOLERANCE: i64 = 300;

/// Verified message of the provider.
#[derive(Clone, Debug)]
pub struct Event {
    /// Identifier, `evt_…`. The same message may arrive several times.
    pub id: String,
    /// The provider's name of the event, e.g. `payment_intent.succeeded`.
    pub kind: String,
    /// Object that the event is about.
    pub about: About,
}

/// Object that an event is about. Messages arrive in any order, so the object may be older than the
/// stored state.
#[derive(Clone, Debug)]
pub enum About {
    /// A payment, in its state at the time of the message.
    Intent(Intent),
    /// A dispute that the payer's bank opened or decided.
    Dispute(Dispute),
    /// A payment was refunded in part or in full, possibly manually at the provider. The caller
    /// must read the payment's refunds, because the amounts in the message may be outdated.
    Refunded {
        /// The payment intent, `pi_…`.
        intent: String,
    },
    /// A refund, in its state at the time of the message.
    Refund(Refund),
    /// Any other event, which is ignored.
    Other,
}

/// Dispute: the payer's bank reclaims a payment.
#[derive(Clone, Debug, Deserialize)]
pub struct Dispute {
    /// Identifier, `dp_…` or `du_…`.
    pub id: String,
    /// Payment intent, `pi_…`. Missing for payments without an intent, which Sooner never creates.
    #[serde(rename = "payment_intent")]
    pub intent: Option<String>,
    /// Disputed amount in minor units of the currency.
    pub amount: i64,
    /// State, with the provider's name.
    pub status: String,
}

impl Dispute {
    /// Returns `true` if the dispute has moved money in either direction. An inquiry (`warning_…`)
    /// moves no money. Unknown states count as moving none.
    #[must_use]
    pub fn moves_money(&self) -> bool {
        matches!(self.status.as_str(), "needs_response" | "under_review" | "won" | "lost")
    }
}

/// Reason why a message is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotBelieved {
    /// The header is missing or contains no signature of a known scheme.
    #[error("there is no signature")]
    Unsigned,
    /// The message was signed with another secret or was modified.
    #[error("the signature is invalid")]
    Forged,
    /// The signature is valid but too old or in the future, possibly a replay.
    #[error("the signature is too old or in the future")]
    Stale,
    /// The signature is valid but the message is malformed.
    #[error("the message cannot be read")]
    Malformed,
}

#[derive(Deserialize)]
struct Envelope {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    object: Value,
}

#[derive(Deserialize)]
struct Charge {
    payment_intent: Option<String>,
}

/// Verifies signature (scheme `v1`) and age of a message, then parses the message.
pub(super) fn read(secret: &str, signature: &str, body: &[u8], now: i64) -> Result<Event, NotBelieved> {
    let mut at = None;
    let mut given = Vec::new();
    for part in signature.split(',') {
        match part.trim().split_once('=') {
            Some(("t", value)) => at = at.or(value.parse::<i64>().ok()),
            // While the secret is being replaced, the header contains two signatures.
            Some(("v1", value)) => given.extend(hex_bytes(value)),
            _ => {}
        }
    }
    let at = at.filter(|_| !given.is_empty()).ok_or(NotBelieved::Unsigned)?;
    let right = given.iter().any(|signature| {
        Hmac::<Sha256>::new_from_slice(secret.as_bytes()).is_ok_and(|mut mac| {
            mac.update(format!("{at}.").as_bytes());
            mac.update(body);
            mac.verify_slice(signature).is_ok()
        })
    });
    if !right {
        return Err(NotBelieved::Forged);
    }
    if now.abs_diff(at) > TOLERANCE.unsigned_abs() {
        return Err(NotBelieved::Stale);
    }
    let envelope: Envelope = serde_json::from_slice(body).map_err(|_| NotBelieved::Malformed)?;
    let about = about(&envelope.kind, envelope.data.object).ok_or(NotBelieved::Malformed)?;
    Ok(Event { id: envelope.id, kind: envelope.kind, about })
}

fn about(kind: &str, object: Value) -> Option<About> {
    Some(if kind.starts_with("payment_intent.") {
        About::Intent(serde_json::from_value(object).ok()?)
    } else if kind.starts_with("charge.dispute.") {
        About::Dispute(serde_json::from_value(object).ok()?)
    } else if kind.starts_with("refund.") || kind == "charge.refund.updated" {
        About::Refund(serde_json::from_value(object).ok()?)
    } else if kind == "charge.refunded" {
        let charge: Charge = serde_json::from_value(object).ok()?;
        match charge.payment_intent {
            Some(intent) => About::Refunded { intent },
            None => About::Other,
        }
    } else {
        About::Other
    })
}

fn hex_bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    if digits.1.is_empty() { digits.0.iter().map(byte).collect() } else { None }
}
