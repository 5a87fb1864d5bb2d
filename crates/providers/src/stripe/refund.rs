//! A refund as stored by the provider.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Metadata name under which a refund carries its idempotency key.
pub(super) const REFUND_MARK: &str = "sooner_refund";

/// A refund as stored by the provider.
#[derive(Clone, Debug, Deserialize)]
pub struct Refund {
    /// `re_…`.
    pub id: String,
    /// `pi_…`; missing for payments without an intent, which Sooner never makes.
    #[serde(default, rename = "payment_intent")]
    pub intent: Option<String>,
    /// Amount in minor units.
    #[serde(default)]
    pub amount: i64,
    /// `pending`, `succeeded`, `failed`, `canceled`, `requires_action`.
    #[serde(default)]
    pub status: Option<String>,
    /// Metadata given at creation; `null` if the refund was made elsewhere without any.
    #[serde(default)]
    metadata: Option<BTreeMap<String, String>>,
}

impl Refund {
    /// Returns `true` if the money will not reach the payer.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        matches!(self.status.as_deref(), Some("failed" | "canceled"))
    }

    /// Returns `true` if the provider is still processing it.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        matches!(self.status.as_deref(), Some("pending" | "requires_action"))
    }

    /// Returns the key under which this server requested it, or `None` if it was made elsewhere.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.metadata.as_ref()?.get(REFUND_MARK).map(String::as_str)
    }
}
