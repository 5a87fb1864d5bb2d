//! Stories of card payments that are returned: refunds by operator commands, refunds at the
//! provider, disputes, and refunds of deleted accounts.

use domain::ledger::TransferKind;
use domain::money::Money;
use sandbox::card::messages::signature;
use sandbox::world::faults::{FaultKind, InjectedFault};
use serde_json::{Value, json};
use store::card::refund::{self, RefundError};
use store::ledger::HoldError;

use crate::app::{Person, Reply};
use crate::cards::{GOOD, Prepared, hook};
use crate::stage::Stage;

portal_stories!(
    a_stolen_webhook_secret_creates_no_money,
    a_refund_is_limited_to_the_unspent_part_of_a_payment,
    a_failed_refund_returns_to_the_balance,
    a_refund_made_at_the_provider_is_debited,
    a_dispute_debits_the_balance_and_records_the_rest_as_debt,
    dispute_messages_count_once_in_any_order,
    a_payment_to_a_deleted_account_is_refunded,
);

impl Stage {
    async fn refund(&self, payment: &Prepared, cents: Option<i64>) -> Result<refund::Refund, RefundError> {
        let app = &self.app;
        let mut tx = app.db.begin().await.unwrap();
        let what = (payment.id.as_str(), cents.map(Money::cad));
        let made = refund::request(&mut tx, &app.random, what, Some("asked by mail"), self.clock.now()).await;
        tx.commit().await.unwrap();
        made
    }

    /// Puts an amount on hold, like a task.
    pub async fn hold(&self, person: &Person, cents: i64) -> Result<(), HoldError> {
        let app = &self.app;
        let mut tx = app.db.begin().await.unwrap();
        let source = ("task", domain::ids::uuid_v7(self.clock.now(), app.random.bytes()));
        let money = Money::cad(cents);
        let held =
            store::ledger::hold(&mut tx, &app.random, person.id, money, source, self.clock.now()).await;
        tx.commit().await.unwrap();
        held.map(|_| ())
    }

    pub async fn bonus(&self, person: &Person, cents: i64) {
        let app = &self.app;
        let mut tx = app.db.begin().await.unwrap();
        let source = ("test", domain::ids::uuid_v7(self.clock.now(), app.random.bytes()));
        let what = (TransferKind::Bonus, Money::cad(cents));
        store::ledger::credit(&mut tx, &app.random, person.id, what, source, self.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn owes(&self, person: &Person) -> i64 {
        let mut tx = self.app.db.read().await.unwrap();
        store::ledger::debt(&mut tx, person.id).await.unwrap().minor
    }

    /// Returns the amount that was returned to the card, according to the provider.
    pub fn went_back(&self, payment: &Prepared) -> i64 {
        self.sandbox.with_world(|w| w.card.intents[&payment.id].amount_refunded)
    }

    pub fn dispute(&self, payment: &Prepared, cents: Option<i64>) -> String {
        let now = self.clock.now();
        let made = self.sandbox.with_world(|w| w.card.dispute(&payment.id, cents, now).unwrap());
        made["id"].as_str().unwrap().to_owned()
    }
}

impl Stage {
    /// Sends a message that the test created and signed with the webhook secret.
    async fn forge(&self, kind: &str, object: Value) -> Reply {
        let body = json!({ "id": "evt_forged", "type": kind, "data": { "object": object } }).to_string();
        let secret = self.sandbox.ready().card_webhook_secret;
        self.send(hook(&signature(&secret, self.clock.now().timestamp(), &body), &body)).await
    }

    async fn forge_payment(&self, payment: &Prepared, received: i64) -> Reply {
        let object = json!({
            "id": payment.id, "amount": 100_00, "amount_received": received, "currency": "cad",
            "status": "succeeded",
        });
        self.forge("payment_intent.succeeded", object).await
    }
}

// spec: 10.11.27
async fn a_stolen_webhook_secret_creates_no_money(s: Stage) {
    let person = s.payer("mallory", 0).await;
    let payment = s.prepare(&person, 100.0).await;
    let refused = (400, "INVALID_SIGNATURE");
    for received in [i64::MAX, 100_01, 100_00, 1] {
        assert_eq!(
            s.forge_payment(&payment, received).await.error(),
            refused,
            "{received}: nothing was paid"
        );
    }
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (0.0, 0.0));
    assert_eq!(s.pay(&payment, GOOD).await, "succeeded");
    let genuine = s.sandbox.card_messages();
    assert_eq!(s.forge_payment(&payment, i64::MAX).await.error(), refused, "less was received");
    assert_eq!(s.credit(&person).await, (100.0, 0.0), "the amount that the provider reports");
    for message in &genuine {
        assert_eq!(s.tell(message).await.status, 200);
    }
    assert_eq!(s.forge_payment(&payment, i64::MAX).await.status, 200, "the payment is credited already");
    // A message alone does not undo a refund that succeeded.
    s.refund(&payment, Some(40_00)).await.unwrap();
    s.sweep().await;
    s.told().await;
    let refund = s.sandbox.with_world(|w| w.card.refunds[0].id.clone());
    let failed = json!({ "id": refund, "payment_intent": payment.id, "amount": 40_00, "status": "failed" });
    assert_eq!(s.forge("refund.failed", failed).await.error(), refused);
    assert_eq!((s.went_back(&payment), s.credit(&person).await), (40_00, (60.0, 0.0)));
    s.books_balance().await;
}

async fn a_refund_is_limited_to_the_unspent_part_of_a_payment(s: Stage) {
    let person = s.payer("back", 0).await;
    let (first, second) = (s.paid(&person, 50.0).await, s.paid(&person, 20.0).await);
    s.bonus(&person, 10_00).await;
    let pending = s.prepare(&person, 20.0).await;
    assert!(matches!(s.refund(&pending, None).await, Err(RefundError::Unknown)));
    for (cents, most) in [(50_01, 50_00), (0, 50_00), (-1, 50_00)] {
        let Err(RefundError::TooMuch { most: found }) = s.refund(&first, Some(cents)).await else {
            panic!("{cents}")
        };
        assert_eq!(found, Money::cad(most));
    }
    // The balance is 80, of which 10 are a bonus. The bonus is used first, so the remaining 45
    // contain no bonus.
    s.hold(&person, 35_00).await.unwrap();
    let Err(RefundError::TooMuch { most }) = s.refund(&first, Some(50_00)).await else {
        panic!("the money is spent")
    };
    assert_eq!(most, Money::cad(45_00));
    s.refund(&first, Some(30_00)).await.unwrap();
    assert_eq!(s.credit(&person).await, (15.0, 35.0), "the amount is debited at once");
    assert_eq!(s.went_back(&first), 0, "the provider is called afterwards");
    s.sweep().await;
    s.sweep().await;
    assert_eq!(s.went_back(&first), 30_00);
    s.told().await;
    assert_eq!(s.credit(&person).await, (15.0, 35.0), "the provider's message changes nothing");
    let rest = s.refund(&second, None).await.unwrap();
    assert_eq!(rest.amount, Money::cad(15_00));
    assert!(matches!(s.refund(&first, None).await, Err(RefundError::NothingLeft { .. })));
    s.sweep().await;
    assert_eq!((s.went_back(&second), s.credit(&person).await), (15_00, (0.0, 35.0)));
    s.books_balance().await;
}

async fn a_failed_refund_returns_to_the_balance(s: Stage) {
    let person = s.payer("fails", 0).await;
    let payment = s.paid(&person, 50.0).await;
    // The provider is down, so the refund waits.
    let down = s.sandbox.with_world(|w| w.add_fault(InjectedFault::of(FaultKind::CardDown)));
    s.refund(&payment, Some(20_00)).await.unwrap();
    s.sweep().await;
    assert_eq!((s.went_back(&payment), s.credit(&person).await), (0, (30.0, 0.0)));
    s.sandbox.with_world(|w| w.remove_faults(Some(down)));
    // After this wait the provider may have forgotten the idempotency key.
    s.wait(86_400);
    s.sweep().await;
    assert_eq!(s.went_back(&payment), 20_00);
    s.told().await;
    // The bank returns the refund to the provider.
    let (now, person) = (s.clock.now(), s.again(&person).await);
    s.sandbox.with_world(|w| {
        let id = w.card.refunds[0].id.clone();
        w.card.fail_refund(&id, now).unwrap();
    });
    s.told().await;
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    // The provider refuses, because an operator refunded the payment there. The message about that
    // refund has not arrived yet.
    s.sandbox.with_world(|w| w.card.refund((&payment.id, 50_00), Default::default(), now).unwrap());
    let late = s.sandbox.card_messages();
    s.refund(&payment, Some(10_00)).await.unwrap();
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (0.0, 0.0), "other refunds are read when ours is refused");
    for message in &late {
        s.tell(message).await;
    }
    assert_eq!((s.went_back(&payment), s.credit(&person).await), (50_00, (0.0, 0.0)));
    s.books_balance().await;
}

// spec: 10.10.21
async fn a_refund_made_at_the_provider_is_debited(s: Stage) {
    let person = s.payer("byhand", 0).await;
    let payment = s.paid(&person, 50.0).await;
    s.hold(&person, 40_00).await.unwrap();
    let now = s.clock.now();
    for cents in [5_00, 25_00] {
        s.sandbox.with_world(|w| w.card.refund((&payment.id, cents), Default::default(), now).unwrap());
    }
    let messages = s.sandbox.card_messages();
    for message in messages.iter().chain(&messages) {
        assert_eq!(s.tell(message).await.status, 200);
    }
    assert_eq!((s.credit(&person).await, s.owes(&person).await), ((0.0, 40.0), 20_00));
    s.books_balance().await;
}

async fn a_dispute_debits_the_balance_and_records_the_rest_as_debt(s: Stage) {
    let person = s.payer("disputes", 0).await;
    let payment = s.paid(&person, 50.0).await;
    s.hold(&person, 30_00).await.unwrap();
    let dispute = s.dispute(&payment, None);
    s.told().await;
    assert_eq!((s.credit(&person).await, s.owes(&person).await), ((0.0, 30.0), 30_00));
    assert!(
        matches!(s.hold(&person, 1_00).await, Err(HoldError::InDebt(_))),
        "a user who owes money can make no hold"
    );
    assert!(matches!(s.refund(&payment, None).await, Err(RefundError::NothingLeft { .. })));
    // A new payment covers the debt first.
    s.paid(&person, 40.0).await;
    assert_eq!((s.credit(&person).await, s.owes(&person).await), ((10.0, 30.0), 0));
    s.hold(&person, 5_00).await.unwrap();
    // The bank decides for the merchant.
    let now = s.clock.now();
    s.sandbox.with_world(|w| w.card.close(&dispute, true, now).unwrap());
    s.told().await;
    assert_eq!((s.credit(&person).await, s.owes(&person).await), ((55.0, 35.0), 0));
    // Another dispute is lost; nothing further is debited.
    let other = s.payer("loses", 0).await;
    s.bonus(&other, 3_00).await;
    let payment = s.prepare(&other, 20.0).await;
    assert_eq!(s.pay(&payment, "4000000000000259").await, "succeeded");
    while s.told().await.contains(&503) {
        s.wait(60);
    }
    let id = s.sandbox.with_world(|w| {
        let disputes = w.card.disputes.values();
        disputes.filter(|d| d.payment_intent == payment.id).map(|d| d.id.clone()).next().unwrap()
    });
    // The provider would repeat a message that came too early; in this story the test repeats it.
    tell_dispute(&s, &payment, &id, 20_00, "needs_response").await;
    assert_eq!(s.credit(&other).await, (0.0, 0.0), "a bonus is void with it");
    tell_dispute(&s, &payment, &id, 20_00, "lost").await;
    assert_eq!((s.credit(&other).await, s.owes(&other).await), ((0.0, 0.0), 0));
    s.books_balance().await;
}

pub async fn tell_dispute(s: &Stage, payment: &Prepared, id: &str, cents: i64, status: &str) -> u16 {
    let dispute = json!({ "id": id, "payment_intent": payment.id, "amount": cents, "status": status });
    let body =
        json!({ "id": "evt_x", "type": "charge.dispute.updated", "data": { "object": dispute } }).to_string();
    let signature = sandbox::card::messages::signature("whsec_sandbox", s.clock.now().timestamp(), &body);
    s.send(crate::cards::hook(&signature, &body)).await.status.as_u16()
}

async fn dispute_messages_count_once_in_any_order(s: Stage) {
    let person = s.payer("order", 0).await;
    // The message about the dispute arrives before the one about the payment.
    let payment = s.prepare(&person, 50.0).await;
    s.pay(&payment, GOOD).await;
    let early = tell_dispute(&s, &payment, "dp_1", 50_00, "needs_response").await;
    assert_eq!(early, 503, "the message is to be repeated, and the payment is read meanwhile");
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    for status in ["warning_needs_response", "needs_response", "under_review", "needs_response"] {
        assert_eq!(tell_dispute(&s, &payment, "dp_1", 50_00, status).await, 200);
        let taken = if status.starts_with("warning") { 50.0 } else { 0.0 };
        assert_eq!(s.credit(&person).await, (taken, 0.0), "{status}");
    }
    for status in ["won", "won", "needs_response", "lost"] {
        assert_eq!(tell_dispute(&s, &payment, "dp_1", 50_00, status).await, 200);
        assert_eq!(s.credit(&person).await, (50.0, 0.0), "a decision stays: {status}");
    }
    // The dispute was won before the first message arrived, so nothing is debited or credited.
    assert_eq!(tell_dispute(&s, &payment, "dp_2", 50_00, "won").await, 200);
    assert_eq!(tell_dispute(&s, &payment, "dp_2", 50_00, "needs_response").await, 200);
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    // A payment of another merchant is read once and then ignored.
    let stranger = Prepared { id: "pi_elsewhere".to_owned(), secret: String::new() };
    assert_eq!(tell_dispute(&s, &stranger, "dp_3", 50_00, "needs_response").await, 503);
    s.sweep().await;
    assert_eq!(tell_dispute(&s, &stranger, "dp_3", 50_00, "needs_response").await, 200);
    s.books_balance().await;
}

async fn a_payment_to_a_deleted_account_is_refunded(s: Stage) {
    let person = s.payer("leaver", 0).await;
    let payment = s.prepare(&person, 30.0).await;
    s.pay(&payment, GOOD).await;
    s.ok("POST", "/auth/step-up", &person, json!({ "password": crate::app::PASSWORD })).await;
    s.ok("POST", "/user/deletion", &person, json!({ "forfeit_balance": 0.0 })).await;
    s.told().await;
    s.sweep().await;
    assert_eq!(s.went_back(&payment), 30_00);
    let mut tx = s.app.db.read().await.unwrap();
    assert_eq!(store::ledger::balance(&mut tx, person.id).await.unwrap().available, Money::cad(0));
    drop(tx);
    s.books_balance().await;
}
