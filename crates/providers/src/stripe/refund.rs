//! A refund as the provider has it.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Our word on a refund for the key it was made under.
pub(super) const REFUND_MARK: &str = "sooner_refund";

/// A refund as the provider has it.
#[derive(Clone, Debug, Deserialize)]
pub struct Refund {
    /// `re_…`.
    pub id: String,
    /// `pi_…`; missing for payments that were made without an intent, which ours never are.
    #[serde(default, rename = "payment_intent")]
    pub intent: Option<String>,
    /// Minor units.
    #[serde(default)]
    pub amount: i64,
    /// `pending`, `succeeded`, `failed`, `canceled`, `requires_action`.
    #[serde(default)]
    pub status: Option<String>,
    /// Our words; `null` where somebody else made it without any.
    #[serde(default)]
    metadata: Option<BTreeMap<String, String>>,
}

impl Refund {
    /// Whether the money will not arrive at the payer's.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        matches!(self.status.as_deref(), Some("failed" | "canceled"))
    }

    /// Whether the provider is still at it.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        matches!(self.status.as_deref(), Some("pending" | "requires_action"))
    }

    /// The key we asked for it under; none when somebody else did.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.metadata.as_ref()?.get(REFUND_MARK).map(String::as_str)
    }
}
