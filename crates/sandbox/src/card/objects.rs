//! Objects that the card provider stores: payments, refunds and disputes.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// State of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No card was entered yet, or the card was declined.
    RequiresPaymentMethod,
    /// The payer must authenticate at the bank.
    RequiresAction,
    /// The bank is processing the payment.
    Processing,
    /// The payment succeeded.
    Succeeded,
    /// The payment was cancelled.
    Canceled,
}

/// Payment intent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Intent {
    /// Identifier, `pi_…`.
    pub id: String,
    /// Secret with which the payer's browser confirms this payment.
    pub client_secret: String,
    /// Requested amount in minor units.
    pub amount: i64,
    /// Paid amount in minor units.
    pub amount_received: i64,
    /// Refunded amount in minor units.
    pub amount_refunded: i64,
    /// Currency code, ISO 4217, in lower case.
    pub currency: String,
    /// The state of the payment.
    pub status: Status,
    /// Key-value pairs given by the merchant.
    pub metadata: BTreeMap<String, String>,
    /// Description shown to the payer.
    pub description: Option<String>,
    /// Error with the reason why the last card was declined.
    pub last_error: Option<Value>,
    pub(super) created: DateTime<Utc>,
    /// Fingerprint of the card that paid.
    pub(super) fingerprint: Option<String>,
    /// Number of the card, until the last scheduled event of the card has happened.
    pub(super) number: Option<String>,
    pub(super) settles_at: Option<DateTime<Utc>>,
    /// The wallet, unless the payment is by card.
    #[serde(default)]
    pub(super) wallet: Option<Wallet>,
}

/// Payment by wallet, made on a page of the provider or by scanning a code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Wallet {
    /// The kind of the wallet.
    pub kind: WalletKind,
    /// Address of the page that simulates the wallet.
    pub page: String,
    /// Address to which the payer returns, if the merchant gave one.
    pub return_url: Option<String>,
}

/// Kinds of simulated wallets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WalletKind {
    /// Alipay, with a page.
    Alipay,
    /// WeChat Pay, with a code to scan.
    WechatPay,
}

/// Refund of a payment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refund {
    /// Identifier, `re_…`.
    pub id: String,
    /// Identifier of the refunded payment.
    pub payment_intent: String,
    /// Amount in minor units.
    pub amount: i64,
    /// State, `succeeded` or `failed`.
    pub status: String,
    /// Key-value pairs given by the merchant.
    pub metadata: BTreeMap<String, String>,
    /// Creation time.
    #[serde(with = "chrono::serde::ts_seconds", default)]
    pub created: DateTime<Utc>,
}

/// Dispute: the payer's bank reclaims a payment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dispute {
    /// Identifier, `dp_…`.
    pub id: String,
    /// Identifier of the disputed payment.
    pub payment_intent: String,
    /// Amount in minor units.
    pub amount: i64,
    /// State: `needs_response`, `won` or `lost`.
    pub status: String,
    /// Creation time.
    #[serde(with = "chrono::serde::ts_seconds", default)]
    pub created: DateTime<Utc>,
}

/// Movement of money or related event, for the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Kind of the event: `created`, `paid`, `declined`, `refunded`, `disputed`, `canceled` or
    /// `told` (a message was sent).
    pub what: String,
    /// Identifier of the payment.
    pub intent: String,
    /// Amount in minor units.
    pub amount: i64,
}

impl Intent {
    pub(super) fn created(&self) -> DateTime<Utc> {
        self.created
    }

    /// Returns the payment's charge in the format of the API.
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

    /// Returns the payment in the format of the API.
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
