//! The provider's stored objects: payments, refunds, and disputes.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// State of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No card is given yet, or it was declined.
    RequiresPaymentMethod,
    /// The bank requires authentication of its customer.
    RequiresAction,
    /// The bank is processing the payment.
    Processing,
    /// The payment succeeded.
    Succeeded,
    /// The payment was cancelled.
    Canceled,
}

/// Payment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Intent {
    /// `pi_…`.
    pub id: String,
    /// Secret with which the payer's browser confirms the payment.
    pub client_secret: String,
    /// Requested amount, minor units.
    pub amount: i64,
    /// Paid amount, minor units.
    pub amount_received: i64,
    /// Refunded amount, minor units.
    pub amount_refunded: i64,
    /// ISO 4217, lower case.
    pub currency: String,
    /// The state of the payment.
    pub status: Status,
    /// The merchant's fields.
    pub metadata: BTreeMap<String, String>,
    /// The text for the payer.
    pub description: Option<String>,
    /// Reason for the decline of the last card.
    pub last_error: Option<Value>,
    pub(super) created: DateTime<Utc>,
    /// Identifier of the card that paid, as the provider has one.
    pub(super) fingerprint: Option<String>,
    /// The number of the card, while an event of it is still due.
    pub(super) number: Option<String>,
    pub(super) settles_at: Option<DateTime<Utc>>,
    /// The wallet, if the payment is not by card.
    #[serde(default)]
    pub(super) wallet: Option<Wallet>,
}

/// Payment made on a page of the provider, or with a phone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Wallet {
    /// The kind of the wallet.
    pub kind: WalletKind,
    /// The page that simulates the wallet.
    pub page: String,
    /// Return address of the payer, if any.
    pub return_url: Option<String>,
}

/// Simulated wallets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WalletKind {
    /// Wallet with a page.
    Alipay,
    /// Wallet with a code to scan.
    WechatPay,
}

/// Refund of a payment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refund {
    /// `re_…`.
    pub id: String,
    /// The payment of the refund.
    pub payment_intent: String,
    /// Minor units.
    pub amount: i64,
    /// `succeeded` or `failed`.
    pub status: String,
    /// The merchant's fields.
    pub metadata: BTreeMap<String, String>,
    /// Creation time.
    #[serde(with = "chrono::serde::ts_seconds", default)]
    pub created: DateTime<Utc>,
}

/// Dispute: a payment taken back by the payer's bank.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dispute {
    /// `dp_…`.
    pub id: String,
    /// The payment of the dispute.
    pub payment_intent: String,
    /// Minor units.
    pub amount: i64,
    /// `needs_response`, `won` or `lost`.
    pub status: String,
    /// Creation time.
    #[serde(with = "chrono::serde::ts_seconds", default)]
    pub created: DateTime<Utc>,
}

/// Change of money, for the journal.
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

    /// Returns the payment's charge, as the API shows it on request.
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

    /// Returns the object as the API shows it.
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
