//! What the provider keeps of a payment, of money that went back, and of a dispute.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Where a payment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No card yet, or it was declined.
    RequiresPaymentMethod,
    /// The bank asks its customer.
    RequiresAction,
    /// The bank takes its time.
    Processing,
    /// Paid.
    Succeeded,
    /// Given up.
    Canceled,
}

/// A payment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Intent {
    /// `pi_…`.
    pub id: String,
    /// What the payer's browser confirms it with.
    pub client_secret: String,
    /// Asked for, minor units.
    pub amount: i64,
    /// Paid, minor units.
    pub amount_received: i64,
    /// Given back, minor units.
    pub amount_refunded: i64,
    /// ISO 4217, lower case.
    pub currency: String,
    /// Where it stands.
    pub status: Status,
    /// The merchant's words.
    pub metadata: BTreeMap<String, String>,
    /// The payer's words.
    pub description: Option<String>,
    /// Why the last card was declined.
    pub last_error: Option<Value>,
    pub(super) created: DateTime<Utc>,
    /// Tells the card that paid from others, as the provider does.
    pub(super) fingerprint: Option<String>,
    /// The number of the card, while something is still to come of it.
    pub(super) number: Option<String>,
    pub(super) settles_at: Option<DateTime<Utc>>,
    /// What it is paid with, where that is no card.
    #[serde(default)]
    pub(super) wallet: Option<Wallet>,
}

/// A payment that is made at a page of the provider's, or with a phone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Wallet {
    /// Which one.
    pub kind: WalletKind,
    /// The page that plays it.
    pub page: String,
    /// Where the payer goes back to, if anywhere.
    pub return_url: Option<String>,
}

/// The wallets that are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WalletKind {
    /// By a page.
    Alipay,
    /// By a code to scan.
    WechatPay,
}

/// Money that went back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refund {
    /// `re_…`.
    pub id: String,
    /// The payment.
    pub payment_intent: String,
    /// Minor units.
    pub amount: i64,
    /// `succeeded` or `failed`.
    pub status: String,
    /// The merchant's words.
    pub metadata: BTreeMap<String, String>,
    /// When it was made.
    #[serde(with = "chrono::serde::ts_seconds", default)]
    pub created: DateTime<Utc>,
}

/// A payment taken back by the payer's bank.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dispute {
    /// `dp_…`.
    pub id: String,
    /// The payment.
    pub payment_intent: String,
    /// Minor units.
    pub amount: i64,
    /// `needs_response`, `won` or `lost`.
    pub status: String,
    /// When it was made.
    #[serde(with = "chrono::serde::ts_seconds", default)]
    pub created: DateTime<Utc>,
}

/// Something that changed money, for the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// `created`, `paid`, `declined`, `refunded`, `disputed`, `canceled`, `told`.
    pub what: String,
    /// The payment.
    pub intent: String,
    /// Minor units.
    pub amount: i64,
}

impl Intent {
    pub(super) fn created(&self) -> DateTime<Utc> {
        self.created
    }

    /// The payment's charge, as the API shows it when asked to.
    pub(super) fn charge(&self) -> Value {
        if self.status != Status::Succeeded {
            return Value::Null;
        }
        let details = match self.wallet.as_ref().map(|wallet| wallet.kind) {
            None => json!({ "type": "card", "card": { "fingerprint": self.fingerprint } }),
            Some(WalletKind::Alipay) => {
                json!({ "type": "alipay", "alipay": { "fingerprint": "alipay_buyer" } })
            }
            Some(WalletKind::WechatPay) => {
                json!({ "type": "wechat_pay", "wechat_pay": { "transaction_id": self.id } })
            }
        };
        json!({ "id": self.id.replace("pi_", "ch_"), "object": "charge", "payment_intent": self.id,
            "amount_refunded": self.amount_refunded, "payment_method_details": details })
    }

    /// As the API shows it.
    #[must_use]
    pub fn shown(&self) -> Value {
        let action = (self.status == Status::RequiresAction).then(|| match &self.wallet {
            None => json!({ "type": "use_stripe_sdk" }),
            Some(wallet) => wallet.next_action(),
        });
        let method = self.wallet.as_ref().map_or(json!("card"), |wallet| json!(wallet.kind));
        json!({
            "id": self.id, "object": "payment_intent", "amount": self.amount, "amount_received": self.amount_received,
            "currency": self.currency, "status": self.status, "client_secret": self.client_secret,
            "metadata": self.metadata, "description": self.description, "created": self.created.timestamp(),
            "last_payment_error": self.last_error, "next_action": action, "livemode": false,
            "payment_method_types": [method],
        })
    }
}
