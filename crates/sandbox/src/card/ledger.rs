//! The card provider's ledger: amounts requested, paid, refunded and disputed. It is a pure state
//! machine. Tests compare the product's ledger with it.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub use super::objects::{Change, Dispute, Intent, Refund, Status};
use super::{
    CardError, Outcome, PUBLISHABLE_KEY,
    forms::Form,
    messages::{Messages, Rules},
    test_cards::{self, Card},
};
use crate::world::dice::Dice;

/// Seconds for which the slow card stays in the state *processing*.
pub(super) const PROCESSING_SECONDS: i64 = 10;

/// All payments, refunds, disputes and messages of the card provider.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CardLedger {
    /// Payments by id.
    pub intents: BTreeMap<String, Intent>,
    /// Refunds, oldest first.
    pub refunds: Vec<Refund>,
    /// Disputes by id.
    pub disputes: BTreeMap<String, Dispute>,
    /// Messages to the merchant (the product), with the rules for sending them.
    pub messages: Messages,
    /// Keeps refunds pending until [`CardLedger::settle_refunds`] is called, as refunds to wallets
    /// are.
    #[serde(default)]
    pub slow_refunds: bool,
    keys: BTreeMap<String, (String, Value)>,
    counted: u64,
    pub(crate) dice: Dice,
    #[serde(skip)]
    pub(crate) effects: Vec<Change>,
}

impl Default for CardLedger {
    fn default() -> Self {
        Self::new(0)
    }
}

impl CardLedger {
    /// Creates an empty ledger. `seed` determines all its random numbers.
    #[must_use]
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            intents: BTreeMap::new(),
            refunds: Vec::new(),
            disputes: BTreeMap::new(),
            messages: Messages::default(),
            slow_refunds: false,
            keys: BTreeMap::new(),
            counted: 0,
            dice: Dice::new(seed ^ 0x00CA_2D5E),
            effects: Vec::new(),
        }
    }

    /// Runs an operation once for each idempotency key. Returns the first result again for a
    /// repeated key, and an error if the key comes with another body.
    pub(super) fn once(
        &mut self,
        key: Option<&str>,
        what: &str,
        form: &Form,
        act: impl FnOnce(&mut Self) -> Outcome,
    ) -> Outcome {
        let Some(key) = key else { return act(self) };
        let (key, text) = (format!("{what}|{key}"), form.text());
        if let Some((body, answer)) = self.keys.get(&key) {
            let words = "Keys for idempotent requests can only be used with the same parameters";
            let same = *body == text;
            return if same {
                Ok(answer.clone())
            } else {
                Err(CardError::new(400, "idempotency_error", "", words))
            };
        }
        let answer = act(self)?;
        self.keys.insert(key, (text, answer.clone()));
        Ok(answer)
    }

    /// Forgets all idempotency keys, as the real provider does after a day.
    pub fn forget_keys(&mut self) {
        self.keys.clear();
    }

    /// Creates a payment. `address` is the base address of the provider's own pages.
    pub(super) fn create(&mut self, form: &Form, address: &str, now: DateTime<Utc>) -> Outcome {
        let amount = form.amount("amount")?;
        if amount < 50 {
            return Err(CardError::request("amount_too_small", "Amount must convert to at least 50 cents"));
        }
        if amount > 99_999_999 {
            return Err(CardError::request("amount_too_large", "Amount must be no more than 999,999.99"));
        }
        let currency = form.get("currency").unwrap_or_default().to_owned();
        if currency.len() != 3 || !currency.bytes().all(|b| b.is_ascii_lowercase()) {
            return Err(CardError::request("parameter_invalid", "Invalid currency"));
        }
        let id = format!("pi_{}", self.new_id("intent", now));
        let intent = Intent {
            client_secret: format!("{id}_secret_{}", self.new_id("secret", now)),
            id: id.clone(),
            amount,
            amount_received: 0,
            amount_refunded: 0,
            currency,
            status: Status::RequiresPaymentMethod,
            metadata: form.under("metadata").collect(),
            description: form.get("description").map(str::to_owned),
            last_error: None,
            created: now,
            fingerprint: None,
            number: None,
            settles_at: None,
            wallet: None,
        };
        self.change("created", &id, amount);
        self.intents.insert(id.clone(), intent);
        self.send_intent("payment_intent.created", &id, now);
        if form.get("confirm") == Some("true") {
            self.begin_wallet(&id, form, address, now)?;
        }
        Ok(self.intent(&id)?.shown())
    }

    pub(crate) fn intent(&self, id: &str) -> Result<&Intent, CardError> {
        self.intents.get(id).ok_or_else(|| CardError::missing("payment_intent"))
    }

    pub(super) fn intent_mut(&mut self, id: &str) -> Result<&mut Intent, CardError> {
        self.intents.get_mut(id).ok_or_else(|| CardError::missing("payment_intent"))
    }

    /// Checks that a request from outside contains the payment's client secret.
    pub(super) fn of_payer(&self, id: &str, form: &Form) -> Result<(), CardError> {
        let known = self.intent(id)?.client_secret == form.get("client_secret").unwrap_or_default();
        if known && form.get("key") == Some(PUBLISHABLE_KEY) {
            Ok(())
        } else {
            Err(CardError::missing("payment_intent"))
        }
    }

    pub(super) fn confirm(&mut self, id: &str, number: &str, now: DateTime<Utc>) -> Outcome {
        let intent = self.intent_mut(id)?;
        if intent.status != Status::RequiresPaymentMethod {
            let words = "This PaymentIntent could not be confirmed in its present state";
            return Err(CardError::request("payment_intent_unexpected_state", words));
        }
        intent.last_error = None;
        intent.fingerprint = Some(test_cards::fingerprint(number));
        match test_cards::card(number) {
            Card::Pays => self.pay(id, None, now)?,
            Card::Declines(code, decline) => return Err(self.decline(id, code, decline, now)),
            Card::Asks(_) => {
                intent.status = Status::RequiresAction;
                intent.number = Some(number.to_owned());
                self.send_intent("payment_intent.requires_action", id, now);
            }
            Card::TakesTime => {
                intent.status = Status::Processing;
                intent.settles_at = Some(now + Duration::seconds(PROCESSING_SECONDS));
                self.send_intent("payment_intent.processing", id, now);
            }
            Card::Disputes => {
                self.pay(id, None, now)?;
                self.dispute(id, None, now)?;
            }
        }
        Ok(self.intent(id)?.shown())
    }

    pub(super) fn authenticate(&mut self, id: &str, yes: bool, now: DateTime<Utc>) -> Outcome {
        let intent = self.intent_mut(id)?;
        if intent.status != Status::RequiresAction {
            return Err(CardError::request("payment_intent_unexpected_state", "Nothing is asked"));
        }
        let card = test_cards::card(&intent.number.take().unwrap_or_default());
        if !yes {
            intent.status = Status::RequiresPaymentMethod;
            let words = "We are unable to authenticate your payment method. Please choose a different payment method and try again.";
            let error = json!({ "type": "invalid_request_error", "code": "payment_intent_authentication_failure", "message": words });
            return Err(self.fail(id, error, now));
        }
        if card == Card::Asks(true) {
            self.pay(id, None, now)?;
            return Ok(self.intent(id)?.shown());
        }
        Err(self.decline(id, "card_declined", "generic_decline", now))
    }

    /// Marks a payment as paid. `amount` replaces the requested amount if given.
    pub fn pay(&mut self, id: &str, amount: Option<i64>, now: DateTime<Utc>) -> Result<(), CardError> {
        let intent = self.intent_mut(id)?;
        if intent.status.is_over() {
            return Err(CardError::request("payment_intent_unexpected_state", "It is over"));
        }
        intent.status = Status::Succeeded;
        intent.amount_received = amount.unwrap_or(intent.amount);
        intent.settles_at = None;
        let received = intent.amount_received;
        self.change("paid", id, received);
        self.send_intent("payment_intent.succeeded", id, now);
        Ok(())
    }

    fn decline(&mut self, id: &str, code: &str, decline: &str, now: DateTime<Utc>) -> CardError {
        let message = test_cards::words(code, decline);
        self.fail(
            id,
            json!({ "type": "card_error", "code": code, "decline_code": decline, "message": message }),
            now,
        )
    }

    pub(super) fn fail(&mut self, id: &str, mut error: Value, now: DateTime<Utc>) -> CardError {
        if let Some(intent) = self.intents.get_mut(id) {
            intent.status = Status::RequiresPaymentMethod;
            intent.last_error = Some(error.clone());
            error["payment_intent"] = intent.shown();
        }
        self.change("declined", id, 0);
        self.send_intent("payment_intent.payment_failed", id, now);
        CardError { status: 402, error }
    }

    pub(super) fn cancel(&mut self, id: &str, now: DateTime<Utc>) -> Outcome {
        let intent = self.intent_mut(id)?;
        if intent.status.is_over() || intent.status == Status::Processing {
            return Err(CardError::request(
                "payment_intent_unexpected_state",
                "It cannot be canceled any more",
            ));
        }
        intent.status = Status::Canceled;
        self.change("canceled", id, 0);
        self.send_intent("payment_intent.canceled", id, now);
        Ok(self.intent(id)?.shown())
    }

    /// Refunds a payment, on request of the merchant or manually at the provider.
    pub fn refund(
        &mut self,
        (id, amount): (&str, i64),
        metadata: BTreeMap<String, String>,
        now: DateTime<Utc>,
    ) -> Outcome {
        let intent = self.intent_mut(id)?;
        if amount > intent.amount_received - intent.amount_refunded {
            return Err(CardError::request(
                "charge_already_refunded",
                "It is more than is left of the payment",
            ));
        }
        intent.amount_refunded += amount;
        let charge = json!({ "id": id.replace("pi_", "ch_"), "object": "charge", "payment_intent": id,
            "amount_refunded": intent.amount_refunded });
        let refund = Refund {
            id: format!("re_{}", self.new_id("refund", now)),
            payment_intent: id.to_owned(),
            amount,
            status: if self.slow_refunds { "pending" } else { "succeeded" }.to_owned(),
            metadata,
            created: now,
        };
        let shown = json!(refund);
        self.refunds.push(refund);
        self.change("refunded", id, amount);
        self.send("charge.refunded", id, charge, now);
        Ok(shown)
    }

    /// Completes all refunds that are pending at the payers' banks.
    pub fn settle_refunds(&mut self) {
        for refund in self.refunds.iter_mut().filter(|refund| refund.status == "pending") {
            refund.status = "succeeded".to_owned();
        }
    }

    /// Fails a refund that the payer's bank has rejected.
    pub fn fail_refund(&mut self, refund: &str, now: DateTime<Utc>) -> Outcome {
        let found = self.refunds.iter_mut().find(|r| r.id == refund && r.status != "failed");
        let found = found.ok_or_else(|| CardError::missing("refund"))?;
        found.status = "failed".to_owned();
        let (shown, intent, amount) = (json!(found), found.payment_intent.clone(), found.amount);
        self.intent_mut(&intent)?.amount_refunded -= amount;
        self.send("refund.failed", &intent, shown.clone(), now);
        Ok(shown)
    }

    /// Opens a dispute: the payer's bank reclaims all or a part of a payment.
    pub fn dispute(&mut self, id: &str, amount: Option<i64>, now: DateTime<Utc>) -> Outcome {
        let intent = self.intent(id)?;
        let amount = amount.unwrap_or(intent.amount_received - intent.amount_refunded);
        if intent.status != Status::Succeeded || amount <= 0 || amount > intent.amount_received {
            return Err(CardError::request("payment_intent_unexpected_state", "There is nothing to dispute"));
        }
        let dispute = Dispute {
            id: format!("dp_{}", self.new_id("dispute", now)),
            payment_intent: id.to_owned(),
            amount,
            status: "needs_response".to_owned(),
            created: now,
        };
        let shown = json!(dispute);
        self.disputes.insert(dispute.id.clone(), dispute);
        self.change("disputed", id, amount);
        self.send("charge.dispute.created", id, shown.clone(), now);
        Ok(shown)
    }

    /// Closes a dispute with the decision of the payer's bank.
    pub fn close(&mut self, dispute: &str, won: bool, now: DateTime<Utc>) -> Outcome {
        let found = self.disputes.get_mut(dispute).filter(|d| d.status == "needs_response");
        let found = found.ok_or_else(|| CardError::missing("dispute"))?;
        found.status = if won { "won" } else { "lost" }.to_owned();
        let (shown, id) = (json!(found), found.payment_intent.clone());
        self.send("charge.dispute.closed", &id, shown.clone(), now);
        Ok(shown)
    }

    /// Performs all events that are due at `now`.
    pub(crate) fn advance(&mut self, now: DateTime<Utc>) {
        let due = |i: &&Intent| i.status == Status::Processing && i.settles_at.is_some_and(|at| at <= now);
        let due: Vec<String> = self.intents.values().filter(due).map(|i| i.id.clone()).collect();
        for id in due {
            let _ = self.pay(&id, None, now);
        }
    }

    /// Sends the merchant one more message with the current state of a payment.
    pub(crate) fn send_again(&mut self, id: &str, now: DateTime<Utc>) -> Outcome {
        let kind = match self.intent(id)?.status {
            Status::RequiresPaymentMethod => "payment_intent.created",
            Status::RequiresAction => "payment_intent.requires_action",
            Status::Processing => "payment_intent.processing",
            Status::Succeeded => "payment_intent.succeeded",
            Status::Canceled => "payment_intent.canceled",
        };
        self.send_intent(kind, id, now);
        Ok(json!({ "told": kind }))
    }

    pub(super) fn send_intent(&mut self, kind: &str, id: &str, now: DateTime<Utc>) {
        if let Some(intent) = self.intents.get(id) {
            let mut object = intent.shown();
            object.as_object_mut().map(|fields| fields.remove("client_secret"));
            self.send(kind, id, object, now);
        }
    }

    fn send(&mut self, kind: &str, id: &str, object: Value, now: DateTime<Utc>) {
        let event = json!({
            "id": format!("evt_{}", self.new_id("event", now)), "object": "event", "type": kind,
            "created": now.timestamp(), "livemode": false, "data": { "object": object },
        });
        let Self { messages, dice, .. } = self;
        messages.queue(kind, id, &event, dice, now);
    }

    fn change(&mut self, what: &str, intent: &str, amount: i64) {
        self.effects.push(Change { what: what.to_owned(), intent: intent.to_owned(), amount });
    }

    /// Sets the rules for sending messages to the merchant.
    pub fn set_rules(&mut self, rules: Rules) {
        self.messages.rules = rules;
    }

    /// Returns a new identifier that is unique in this run and in other runs with the same seed.
    fn new_id(&mut self, what: &str, now: DateTime<Utc>) -> String {
        self.counted += 1;
        let hash = Sha256::digest(format!("{what}|{}|{}", self.counted, now.timestamp_micros()));
        hash[..12].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
