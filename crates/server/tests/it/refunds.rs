//! Stories of refunds that users request for unspent card money: amounts, payments, and outcomes.

use futures_util::future::join_all;
use sandbox::world::faults::{FaultKind, InjectedFault};
use serde_json::{Value, json};

use crate::app::{PASSWORD, Person, Reply, request};
use crate::cards::{GOOD, Prepared};
use crate::stage::Stage;

portal_stories!(
    unspent_card_money_is_refunded_to_its_payments,
    bonus_code_held_and_disputed_money_is_not_refundable,
    a_refund_that_does_not_arrive_returns_to_the_balance,
    a_slow_refund_stays_pending_until_the_bank_settles_it,
    the_same_money_is_not_refunded_twice,
    concurrent_refund_requests_do_not_exceed_the_balance,
    a_repeated_refund_request_makes_one_refund,
    refunds_are_limited_to_two_a_day_and_180_days,
    only_the_payer_can_request_a_refund,
    refundable_money_is_offered_before_an_account_deletion,
);

pub async fn proven(s: &Stage, person: &Person) {
    s.ok("POST", "/auth/step-up", person, json!({ "password": PASSWORD })).await;
}

async fn ask(s: &Stage, person: &Person, amount: f64) -> Reply {
    s.call("POST", "/payment/refunds", Some(person), Some(json!({ "amount": amount }))).await
}

async fn offered(s: &Stage, person: &Person) -> Value {
    s.get("/payment/refunds", person).await.data().clone()
}

/// Returns amount and state of each refund, sorted by amount, because refunds of one request have
/// the same time.
fn states(offer: &Value) -> Vec<(f64, String)> {
    let refunds = offer["refunds"].as_array().unwrap().iter();
    let mut states: Vec<_> =
        refunds.map(|r| (r["amount"].as_f64().unwrap(), r["state"].as_str().unwrap().to_owned())).collect();
    states.sort_by(|one, other| one.0.total_cmp(&other.0));
    states
}

/// Returns the states in refund mails, in alphabetical order.
async fn told_of(s: &Stage) -> Vec<(String, String)> {
    let mails = s.mails().await.into_iter().filter(|(template, ..)| template == "refund");
    let word = |data: &Value, name: &str| data[name].as_str().unwrap().to_owned();
    let mut told: Vec<_> = mails.map(|(_, _, data)| (word(&data, "state"), word(&data, "amount"))).collect();
    told.sort();
    told
}

fn words(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(one, two)| ((*one).to_owned(), (*two).to_owned())).collect()
}

fn fail_refund(s: &Stage, number: usize) {
    let now = s.clock.now();
    s.sandbox.with_world(|w| {
        let id = w.card.refunds[number].id.clone();
        w.card.fail_refund(&id, now).unwrap();
    });
}

// spec: 10.10.24, 10.10.25
async fn unspent_card_money_is_refunded_to_its_payments(s: Stage) {
    let person = s.payer("back", 0).await;
    let nothing = offered(&s, &person).await;
    assert_eq!((&nothing["refundable"], &nothing["payments"]), (&json!(0.0), &json!([])));
    let older = s.paid(&person, 50.0).await;
    s.wait(60);
    let newer = s.paid(&person, 20.0).await;
    s.mails().await;
    let offer = offered(&s, &person).await;
    assert_eq!(
        (&offer["refundable"], &offer["days"], &offer["too_late"]),
        (&json!(70.0), &json!(180), &json!(0.0))
    );
    let amounts: Vec<_> =
        offer["payments"].as_array().unwrap().iter().map(|p| p["amount"].as_f64()).collect();
    assert_eq!(amounts, [Some(20.0), Some(50.0)], "the newest first");
    assert_eq!(ask(&s, &person, 30.0).await.error(), (403, "STEP_UP_REQUIRED"));
    proven(&s, &person).await;
    for odd in [0.0, -5.0, 0.001, 1e12] {
        assert_eq!(ask(&s, &person, odd).await.error(), (422, "VALIDATION_FAILED"), "{odd}");
    }
    let refused = ask(&s, &person, 70.01).await;
    assert_eq!(
        (refused.error(), &refused.body["data"]["refundable"]),
        ((409, "BALANCE_CHANGED"), &json!(70.0))
    );
    let asked = ask(&s, &person, 30.0).await.data().clone();
    assert_eq!((&asked["refundable"], &asked["under_way"]), (&json!(40.0), &json!(30.0)));
    assert_eq!(states(&asked), [(10.0, "pending".to_owned()), (20.0, "pending".to_owned())]);
    assert_eq!(s.credit(&person).await, (40.0, 0.0), "the amount is debited at once");
    assert_eq!((s.went_back(&older), s.went_back(&newer)), (0, 0), "the provider is called afterwards");
    assert_eq!(told_of(&s).await, words(&[("asked", "30.00 CAD")]));
    s.sweep().await;
    s.sweep().await;
    s.told().await;
    assert_eq!((s.went_back(&older), s.went_back(&newer)), (10_00, 20_00));
    assert_eq!(told_of(&s).await, words(&[("sent", "10.00 CAD"), ("sent", "20.00 CAD")]));
    let after = offered(&s, &person).await;
    assert_eq!((&after["refundable"], &after["under_way"]), (&json!(40.0), &json!(0.0)));
    assert_eq!(states(&after), [(10.0, "sent".to_owned()), (20.0, "sent".to_owned())]);
    assert_eq!(s.credit(&person).await, (40.0, 0.0));
    s.books_balance().await;
}

// spec: 10.10.24
async fn bonus_code_held_and_disputed_money_is_not_refundable(s: Stage) {
    let person = s.payer("mixed", 20_00).await;
    let first = s.paid(&person, 50.0).await;
    s.wait(60);
    let second = s.paid(&person, 30.0).await;
    s.bonus(&person, 10_00).await;
    let refundable = async || offered(&s, &person).await["refundable"].as_f64().unwrap();
    assert!((refundable().await - 80.0).abs() < 1e-9, "neither the code's 20 nor the bonus");
    // Tasks use bonus and code money first, and then card money.
    s.hold(&person, 30_00).await.unwrap();
    assert!((refundable().await - 80.0).abs() < 1e-9);
    s.hold(&person, 25_00).await.unwrap();
    assert!((refundable().await - 55.0).abs() < 1e-9, "money on hold is not refundable");
    // The bank opens a dispute over the older payment.
    let dispute = s.dispute(&first, None);
    s.told().await;
    assert_eq!(s.credit(&person).await, (5.0, 55.0));
    assert!((refundable().await - 5.0).abs() < 1e-9);
    proven(&s, &person).await;
    assert_eq!(ask(&s, &person, 5.01).await.error(), (409, "BALANCE_CHANGED"));
    ask(&s, &person, 5.0).await.data();
    s.sweep().await;
    assert_eq!((s.went_back(&first), s.went_back(&second)), (0, 5_00));
    // The dispute is won, so the rest can be refunded again.
    let now = s.clock.now();
    s.sandbox.with_world(|w| w.card.close(&dispute, true, now).unwrap());
    s.told().await;
    assert!((refundable().await - 50.0).abs() < 1e-9);
    // A dispute over a part blocks the whole payment.
    s.dispute(&first, Some(10_00));
    s.told().await;
    assert!((refundable().await - 25.0).abs() < 1e-9, "the rest of the newer payment");
    s.books_balance().await;
    // A user with a debt has no refundable amount.
    let other = s.payer("owes", 0).await;
    let payment = s.paid(&other, 40.0).await;
    s.hold(&other, 40_00).await.unwrap();
    s.dispute(&payment, None);
    s.told().await;
    assert_eq!(offered(&s, &other).await["refundable"], 0.0);
    proven(&s, &other).await;
    assert_eq!(ask(&s, &other, 1.0).await.error(), (409, "BALANCE_CHANGED"));
    s.books_balance().await;
}

// spec: 10.10.25
async fn a_refund_that_does_not_arrive_returns_to_the_balance(s: Stage) {
    let person = s.payer("returns", 0).await;
    let payment = s.paid(&person, 50.0).await;
    proven(&s, &person).await;
    s.mails().await;
    // The provider refuses, because an operator refunded the payment there. The message about that
    // refund has not arrived yet.
    let now = s.clock.now();
    s.sandbox.with_world(|w| w.card.refund((&payment.id, 45_00), Default::default(), now).unwrap());
    let late = s.sandbox.card_messages();
    ask(&s, &person, 20.0).await.data();
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (5.0, 0.0), "refunds by hand are read when ours is refused");
    assert_eq!(told_of(&s).await, words(&[("asked", "20.00 CAD"), ("failed", "20.00 CAD")]));
    for message in &late {
        s.tell(message).await;
    }
    assert_eq!(
        (s.credit(&person).await, &offered(&s, &person).await["refundable"]),
        ((5.0, 0.0), &json!(5.0))
    );
    // The bank returns the refund after some days.
    ask(&s, &person, 5.0).await.data();
    s.sweep().await;
    s.told().await;
    assert_eq!(s.credit(&person).await, (0.0, 0.0));
    s.wait(3 * 86_400);
    fail_refund(&s, 1);
    let messages = s.sandbox.card_messages();
    for message in messages.iter().chain(&messages) {
        s.tell(message).await;
    }
    let person = s.again(&person).await;
    assert_eq!(s.credit(&person).await, (5.0, 0.0), "once");
    let told = words(&[("asked", "5.00 CAD"), ("failed", "5.00 CAD"), ("sent", "5.00 CAD")]);
    assert_eq!(told_of(&s).await, told);
    let offer = offered(&s, &person).await;
    assert_eq!((&offer["refundable"], &states(&offer)[0]), (&json!(5.0), &(5.0, "failed".to_owned())));
    // The user can request the amount again.
    proven(&s, &person).await;
    ask(&s, &person, 5.0).await.data();
    s.sweep().await;
    assert_eq!(s.went_back(&payment), 50_00);
    s.books_balance().await;
}

// spec: 10.10.25
async fn a_slow_refund_stays_pending_until_the_bank_settles_it(s: Stage) {
    let person = s.payer("patient", 0).await;
    let payment = s.paid(&person, 50.0).await;
    proven(&s, &person).await;
    s.mails().await;
    s.sandbox.with_world(|w| w.card.slow_refunds = true);
    ask(&s, &person, 30.0).await.data();
    for _ in 0..3 {
        s.sweep().await;
        s.told().await;
        s.wait(3_600);
        let person = s.again(&person).await;
        assert_eq!(states(&offered(&s, &person).await), [(30.0, "pending".to_owned())]);
    }
    assert_eq!(s.went_back(&payment), 30_00, "the refund is requested once");
    assert_eq!(told_of(&s).await, words(&[("asked", "30.00 CAD")]));
    s.sandbox.with_world(|w| w.card.settle_refunds());
    s.wait(86_400);
    s.sweep().await;
    let person = s.again(&person).await;
    assert_eq!(states(&offered(&s, &person).await), [(30.0, "sent".to_owned())]);
    assert_eq!(told_of(&s).await, words(&[("sent", "30.00 CAD")]));
    // The next refund fails after two days.
    proven(&s, &person).await;
    ask(&s, &person, 20.0).await.data();
    s.sweep().await;
    s.wait(2 * 86_400);
    fail_refund(&s, 1);
    s.sweep().await;
    s.told().await;
    let person = s.again(&person).await;
    assert_eq!((s.went_back(&payment), s.credit(&person).await), (30_00, (20.0, 0.0)));
    assert_eq!(told_of(&s).await, words(&[("asked", "20.00 CAD"), ("failed", "20.00 CAD")]));
    s.books_balance().await;
}

// spec: 10.10.25
async fn the_same_money_is_not_refunded_twice(s: Stage) {
    let person = s.payer("twice", 0).await;
    let payment = s.paid(&person, 50.0).await;
    proven(&s, &person).await;
    ask(&s, &person, 30.0).await.data();
    // An operator refunds the whole payment at the provider. The provider reports that before the
    // server's refund is sent.
    let now = s.clock.now();
    s.sandbox.with_world(|w| w.card.refund((&payment.id, 50_00), Default::default(), now).unwrap());
    let messages = s.sandbox.card_messages();
    for message in &messages {
        assert_eq!(s.tell(message).await.status, 503, "the message is repeated when our refund has ended");
    }
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (0.0, 0.0));
    for message in &messages {
        assert_eq!(s.tell(message).await.status, 200);
    }
    assert_eq!((s.went_back(&payment), s.credit(&person).await), (50_00, (0.0, 0.0)));
    assert_eq!(offered(&s, &person).await["refundable"], 0.0);
    s.books_balance().await;
}

// spec: 10.10.25
async fn concurrent_refund_requests_do_not_exceed_the_balance(s: Stage) {
    let person = s.payer("races", 0).await;
    let payment = s.paid(&person, 50.0).await;
    proven(&s, &person).await;
    let replies = join_all((0..6).map(|_| ask(&s, &person, 50.0))).await;
    let done = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!(done, 1, "{replies:?}");
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        // A busy database returns 503, and the client repeats the request.
        assert!(matches!(reply.status.as_u16(), 409 | 503), "{reply:?}");
    }
    // A hold and a refund compete for the same money; one of them succeeds.
    let other = s.payer("both", 0).await;
    s.paid(&other, 50.0).await;
    proven(&s, &other).await;
    let (held, asked) = tokio::join!(s.hold(&other, 30_00), ask(&s, &other, 50.0));
    assert!(!(held.is_ok() && asked.status == 200));
    s.sweep().await;
    s.sweep().await;
    assert_eq!((s.went_back(&payment), s.credit(&person).await), (50_00, (0.0, 0.0)));
    s.books_balance().await;
}

// spec: 10.10.25
async fn a_repeated_refund_request_makes_one_refund(s: Stage) {
    let person = s.payer("once", 0).await;
    let payment = s.paid(&person, 50.0).await;
    proven(&s, &person).await;
    let send = async |amount: f64| {
        let mut call = request("POST", "/payment/refunds", Some(&person), Some(json!({ "amount": amount })));
        call.headers_mut().insert("idempotency-key", "two-tabs".parse().unwrap());
        s.send(call).await
    };
    let first = send(20.0).await.data().clone();
    assert_eq!(send(20.0).await.data(), &first, "the same response");
    assert_eq!(send(25.0).await.error(), (422, "IDEMPOTENCY_KEY_REUSED"));
    assert_eq!(s.credit(&person).await, (30.0, 0.0));
    // The provider is down, and the process dies. The row exists, so another process sends the
    // refund.
    let down = s.sandbox.with_world(|w| w.add_fault(InjectedFault::of(FaultKind::CardDown)));
    s.sweep().await;
    assert_eq!((s.went_back(&payment), states(&offered(&s, &person).await)[0].1.as_str()), (0, "pending"));
    s.sandbox.with_world(|w| w.remove_faults(Some(down)));
    // The provider executed the refund, and the process died before it stored that.
    let id = first["refunds"][0]["id"].as_str().unwrap();
    s.app.cards.clone().unwrap().provider.refund(&payment.id, 20_00, id).await.unwrap();
    s.wait(60);
    s.sweep().await;
    s.told().await;
    assert_eq!((s.went_back(&payment), s.credit(&person).await), (20_00, (30.0, 0.0)));
    assert_eq!(states(&offered(&s, &person).await), [(20.0, "sent".to_owned())]);
    // Frozen money cannot be refunded.
    let mut tx = s.app.db.begin().await.unwrap();
    store::ledger::freeze(&mut tx, s.clock.now(), "M1 at CAD").await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(ask(&s, &person, 10.0).await.error(), (503, "MONEY_FROZEN"));
    let mut tx = s.app.db.begin().await.unwrap();
    store::ledger::thaw(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(states(&offered(&s, &person).await).len(), 1);
    s.books_balance().await;
}

// spec: 10.10.24
async fn refunds_are_limited_to_two_a_day_and_180_days(s: Stage) {
    let person = s.payer("often", 0).await;
    s.paid(&person, 50.0).await;
    proven(&s, &person).await;
    ask(&s, &person, 5.0).await.data();
    s.wait(60);
    assert!(ask(&s, &person, 5.0).await.data()["again_at"].is_string());
    let refused = ask(&s, &person, 5.0).await;
    assert_eq!(refused.error(), (429, "TOO_MANY_ATTEMPTS"));
    assert_eq!(refused.headers["retry-after"], "86340", "a day after the first of the two");
    assert_eq!(s.credit(&person).await, (40.0, 0.0));
    s.wait(86_400);
    let person = s.again(&person).await;
    proven(&s, &person).await;
    ask(&s, &person, 5.0).await.data();
    // There is a newer payment, and the older one is too old for a refund.
    s.wait(100 * 86_400);
    let person = s.again(&person).await;
    let newer = s.paid(&person, 20.0).await;
    s.wait(80 * 86_400);
    let person = s.again(&person).await;
    let offer = offered(&s, &person).await;
    assert_eq!((&offer["refundable"], &offer["too_late"]), (&json!(20.0), &json!(35.0)));
    proven(&s, &person).await;
    assert_eq!(ask(&s, &person, 20.01).await.error(), (409, "BALANCE_CHANGED"));
    ask(&s, &person, 20.0).await.data();
    s.sweep().await;
    assert_eq!(s.went_back(&newer), 20_00);
    s.books_balance().await;
}

// spec: 10.10.24
async fn only_the_payer_can_request_a_refund(s: Stage) {
    let (person, other) = (s.payer("owner", 0).await, s.payer("nosy", 0).await);
    let payment: Prepared = s.paid(&person, 50.0).await;
    let pending = s.prepare(&other, 30.0).await;
    proven(&s, &other).await;
    assert_eq!(
        ask(&s, &other, 10.0).await.error(),
        (409, "BALANCE_CHANGED"),
        "a payment that was not made is not refundable"
    );
    assert_eq!(offered(&s, &other).await["payments"], json!([]));
    let nobody = request("POST", "/payment/refunds", None, Some(json!({ "amount": 30 })));
    assert_eq!(s.send(nobody).await.error(), (401, "UNAUTHORIZED"));
    // A refund by an operator is in the list, and its user gets no second mail.
    let mut tx = s.app.db.begin().await.unwrap();
    let what = (payment.id.as_str(), None);
    store::card::refund::request(&mut tx, &s.app.random, what, Some("by mail"), s.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    s.sweep().await;
    assert_eq!(told_of(&s).await, []);
    assert_eq!(states(&offered(&s, &person).await), [(50.0, "sent".to_owned())]);
    assert_eq!(states(&offered(&s, &other).await), []);
    assert_eq!(s.pay(&pending, GOOD).await, "succeeded");
    s.told().await;
    assert_eq!(offered(&s, &other).await["refundable"], 30.0);
    s.books_balance().await;
}

// spec: 10.10.26
async fn refundable_money_is_offered_before_an_account_deletion(s: Stage) {
    let person = s.payer("leaver", 10_00).await;
    let payment = s.paid(&person, 50.0).await;
    s.hold(&person, 30_00).await.unwrap();
    let leave = async |person: &Person, balance: f64, refundable: Option<f64>| {
        let mut body = json!({ "forfeit_balance": balance });
        if let Some(amount) = refundable {
            body["forfeit_refundable"] = json!(amount);
        }
        s.call("POST", "/user/deletion", Some(person), Some(body)).await
    };
    // Money on hold counts too, because tasks end with the account.
    let prospect = s.get("/user/deletion", &person).await.data().clone();
    assert_eq!((&prospect["refundable"], &prospect["balance"]), (&json!(50.0), &json!(60.0)));
    proven(&s, &person).await;
    for knowingly in [None, Some(49.99)] {
        let refused = leave(&person, 60.0, knowingly).await;
        assert_eq!(refused.error(), (409, "BALANCE_CHANGED"), "{knowingly:?}");
        assert_eq!(refused.body["data"], json!({ "refundable": 50.0 }));
    }
    assert_eq!(s.credit(&person).await, (30.0, 30.0), "a part was undone");
    // The user requests the refund first, and the deletion waits for its outcome.
    ask(&s, &person, 30.0).await.data();
    let prospect = s.get("/user/deletion", &person).await.data().clone();
    assert_eq!((&prospect["possible"], &prospect["blocked_by"]), (&json!(false), &json!("refund")));
    assert_eq!(leave(&person, 30.0, Some(20.0)).await.error(), (409, "ACCOUNT_BUSY"));
    s.sweep().await;
    let prospect = s.get("/user/deletion", &person).await.data().clone();
    assert_eq!((&prospect["possible"], &prospect["refundable"]), (&json!(true), &json!(20.0)));
    s.mails().await;
    assert_eq!(leave(&person, 30.0, Some(20.0)).await.data(), &json!({}));
    assert_eq!(s.mails().await[0].2, json!({ "forfeited": "30.00 CAD" }));
    assert_eq!(s.went_back(&payment), 30_00);
    // The bank returns the refund after the account was deleted. No mail is sent, and the ledger
    // balances.
    fail_refund(&s, 0);
    s.told().await;
    assert_eq!(told_of(&s).await, []);
    s.books_balance().await;
}
