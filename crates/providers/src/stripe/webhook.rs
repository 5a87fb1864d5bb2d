//! Messages of the card provider: whether they are its own, and what they say.

use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::Value;
use sha2::Sha256;

use super::{Intent, Refund};

/// How old a signature may be, in seconds; as much ahead of us may the provider's clock be.
const TOLERANCE: i64 = 300;

/// A message that is the provider's.
#[derive(Clone, Debug)]
pub struct Event {
    /// `evt_…`; the same message may come several times.
    pub id: String,
    /// The provider's word for what happened, e.g. `payment_intent.succeeded`.
    pub kind: String,
    /// What it is about.
    pub about: About,
}

/// What a message is about. Messages come in any order, so this may be older than what we know.
#[derive(Clone, Debug)]
pub enum About {
    /// A payment as it stood then.
    Intent(Intent),
    /// The payer's bank takes a payment back, or has decided.
    Dispute(Dispute),
    /// Something of a payment has been given back, by us or by hand at the provider: its refunds are to be read. What it
    /// says of sums is of then: a refund of it may have failed since.
    Refunded {
        /// `pi_…`.
        intent: String,
    },
    /// How a refund stands now.
    Refund(Refund),
    /// Nothing we act upon.
    Other,
}

/// A payment taken back by the payer's bank.
#[derive(Clone, Debug, Deserialize)]
pub struct Dispute {
    /// `dp_…` (`du_…`).
    pub id: String,
    /// `pi_…`; missing for payments that were made without an intent, which ours never are.
    #[serde(rename = "payment_intent")]
    pub intent: Option<String>,
    /// What is taken back, minor units.
    pub amount: i64,
    /// The provider's word for where it stands.
    pub status: String,
}

impl Dispute {
    /// Whether it has taken the money, or gave it back. An inquiry (`warning_…`) moves none yet; of a word that we do not know
    /// nothing is assumed.
    #[must_use]
    pub fn moves_money(&self) -> bool {
        matches!(self.status.as_str(), "needs_response" | "under_review" | "won" | "lost")
    }
}

/// Why a message is not acted upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotBelieved {
    /// The header is missing or has no signature of a kind we know.
    #[error("there is no signature")]
    Unsigned,
    /// Signed with another secret, or changed on the way.
    #[error("the signature does not hold")]
    Forged,
    /// Right, but of another time: perhaps somebody's recording.
    #[error("the signature is of another time")]
    Stale,
    /// Signed, but not a message.
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

/// Checks signature (scheme `v1`) and age, then reads.
pub(super) fn read(secret: &str, signature: &str, body: &[u8], now: i64) -> Result<Event, NotBelieved> {
    let mut at = None;
    let mut given = Vec::new();
    for part in signature.split(',') {
        match part.trim().split_once('=') {
            Some(("t", value)) => at = at.or(value.parse::<i64>().ok()),
            // There are two while a secret is being replaced.
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
