//! Webhook messages of the card provider: signature check and parsing.

use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::Value;
use sha2::Sha256;

use super::{Intent, Refund};

/// Largest accepted difference between a signature's time and now, in seconds. It also covers a
/// provider's clock that is ahead.
const TOLERANCE: i64 = 300;

/// A verified message of the provider.
#[derive(Clone, Debug)]
pub struct Event {
    /// `evt_…`; the same message may arrive several times.
    pub id: String,
    /// Provider's name of the event, e.g. `payment_intent.succeeded`.
    pub kind: String,
    /// Object of the event.
    pub about: About,
}

/// Object of a message. Messages arrive in any order, so it may be older than the stored state.
#[derive(Clone, Debug)]
pub enum About {
    /// A payment in its state at that time.
    Intent(Intent),
    /// The payer's bank takes a payment back, or has decided.
    Dispute(Dispute),
    /// A payment was refunded in part or in full, by this server or by hand at the provider. The
    /// caller must read its refunds: the sums in the message may be outdated, because a refund may
    /// have failed since.
    Refunded {
        /// `pi_…`.
        intent: String,
    },
    /// A refund in its present state.
    Refund(Refund),
    /// An event that is ignored.
    Other,
}

/// A payment taken back by the payer's bank.
#[derive(Clone, Debug, Deserialize)]
pub struct Dispute {
    /// `dp_…` (`du_…`).
    pub id: String,
    /// `pi_…`; missing for payments without an intent, which Sooner never makes.
    #[serde(rename = "payment_intent")]
    pub intent: Option<String>,
    /// Disputed amount in minor units.
    pub amount: i64,
    /// Provider's name of the state.
    pub status: String,
}

impl Dispute {
    /// Returns `true` if the dispute has taken the money or given it back. An inquiry (`warning_…`)
    /// moves no money yet. An unknown state counts as moving none.
    #[must_use]
    pub fn moves_money(&self) -> bool {
        matches!(self.status.as_str(), "needs_response" | "under_review" | "won" | "lost")
    }
}

/// Reason that a message is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotBelieved {
    /// The header is missing or has no signature of a known scheme.
    #[error("there is no signature")]
    Unsigned,
    /// Signed with another secret, or modified in transit.
    #[error("the signature is invalid")]
    Forged,
    /// Correctly signed but too old or too new: perhaps a replay.
    #[error("the signature is of another time")]
    Stale,
    /// Signed, but cannot be parsed.
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

/// Checks signature (scheme `v1`) and age, then parses the message.
pub(super) fn read(secret: &str, signature: &str, body: &[u8], now: i64) -> Result<Event, NotBelieved> {
    let mut at = None;
    let mut given = Vec::new();
    for part in signature.split(',') {
        match part.trim().split_once('=') {
            Some(("t", value)) => at = at.or(value.parse::<i64>().ok()),
            // There are two signatures while the secret is being replaced.
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
