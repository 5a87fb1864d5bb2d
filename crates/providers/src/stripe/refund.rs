//! Refund as stored by the provider.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Metadata key under which a refund stores its idempotency key.
pub(super) const REFUND_MARK: &str = "sooner_refund";

/// Refund as stored by the provider.
#[derive(Clone, Debug, Deserialize)]
pub struct Refund {
    /// Identifier, `re_…`.
    pub id: String,
    /// Payment intent, `pi_…`. Missing for payments without an intent, which Sooner never creates.
    #[serde(default, rename = "payment_intent")]
    pub intent: Option<String>,
    /// Amount in minor units of the currency.
    #[serde(default)]
    pub amount: i64,
    /// State: `pending`, `succeeded`, `failed`, `canceled` or `requires_action`.
    #[serde(default)]
    pub status: Option<String>,
    /// Metadata given at creation. `null` for a refund made elsewhere without metadata.
    #[serde(default)]
    metadata: Option<BTreeMap<String, String>>,
}

impl Refund {
    /// Returns `true` if the refund failed or was canceled, so that the payer does not get the
    /// money.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        matches!(self.status.as_deref(), Some("failed" | "canceled"))
    }

    /// Returns `true` if the provider is still processing the refund.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        matches!(self.status.as_deref(), Some("pending" | "requires_action"))
    }

    /// Returns the idempotency key with which this server requested the refund, or `None` for a
    /// refund made elsewhere.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.metadata.as_ref()?.get(REFUND_MARK).map(String::as_str)
    }
}
