//! Stories of card payments at the sandbox's provider. A payment is credited once, regardless of
//! the order of its messages.

use axum::body::Body;
use axum::http::Request;
use chrono::TimeDelta;
use domain::card::PaymentMethod;
use futures_util::future::join_all;
use providers::stripe::NewIntent;
use sandbox::card::messages::{Message, Rules, Signed, signature};
use sandbox::world::faults::{FaultKind, InjectedFault};
use serde_json::{Value, json};

use crate::app::{Person, Reply, TestApp, request};
use crate::stage::Stage;

portal_stories!(
    a_payment_is_credited_once_for_repeated_messages,
    declined_cards_pay_nothing_and_banks_may_authenticate,
    a_payment_without_a_webhook_is_read_from_the_provider,
    forged_and_stale_webhooks_are_refused,
    the_received_amount_is_credited_instead_of_the_requested,
    a_payment_amount_must_be_money_within_the_limits,
    a_provider_outage_loses_no_payment,
    an_unknown_payment_is_read_before_it_is_credited,
    repeated_clicks_prepare_one_payment,
    an_unpaid_payment_is_cancelled,
    a_frozen_ledger_credits_payments_after_the_unfreeze,
    a_payment_is_visible_only_to_its_payer,
    only_the_payment_page_allows_the_providers_scripts,
    a_payment_page_on_its_own_origin_is_served_only_there,
);

mod unconfigured {
    stories!(cards_are_off_unless_configured);
    use super::cards_are_off_unless_configured;
}

pub const GOOD: &str = "4242424242424242";

/// A prepared payment.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub id: String,
    pub secret: String,
}

impl Stage {
    pub async fn prepare(&self, person: &Person, amount: f64) -> Prepared {
        let body = json!({ "amount": amount, "currency": "CAD", "description": "family trip", "metadata": { "source": "web", "language": "zh" } });
        let made = self.ok("POST", "/payment/stripe/create-intent", person, body).await;
        let word = |name: &str| made[name].as_str().unwrap().to_owned();
        Prepared { id: word("payment_intent_id"), secret: word("client_secret") }
    }

    /// Confirms a payment like the payer's browser. Returns the status of the payment, or the error
    /// of the provider.
    pub async fn confirm(&self, payment: &Prepared, what: &str, field: (&str, &str)) -> String {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let url = format!("{}/v1/payment_intents/{}/{what}", self.sandbox.control_url(), payment.id);
        let form = [("key", "pk_test_sandbox"), ("client_secret", payment.secret.as_str()), field];
        let said: Value = client.post(url).form(&form).send().await.unwrap().json().await.unwrap();
        let word = said["status"]
            .as_str()
            .or(said["error"]["decline_code"].as_str())
            .or(said["error"]["code"].as_str());
        word.unwrap().to_owned()
    }

    pub async fn pay(&self, payment: &Prepared, card: &str) -> String {
        self.confirm(payment, "confirm", ("payment_method_data[card][number]", card)).await
    }

    /// Makes a payment and delivers its messages.
    pub async fn paid(&self, person: &Person, amount: f64) -> Prepared {
        let payment = self.prepare(person, amount).await;
        assert_eq!(self.pay(&payment, GOOD).await, "succeeded");
        self.told().await;
        payment
    }

    /// Delivers all messages of the provider, and returns the status of each response.
    pub async fn told(&self) -> Vec<u16> {
        let mut statuses = Vec::new();
        for message in self.sandbox.card_messages() {
            statuses.push(self.tell(&message).await.status.as_u16());
        }
        statuses
    }

    pub async fn tell(&self, message: &Message) -> Reply {
        self.send(hook(&message.signature, &message.body)).await
    }

    fn rules(&self, change: impl FnOnce(&mut Rules)) {
        self.sandbox.with_world(|world| change(&mut world.card.messages.rules));
    }

    async fn payment_status(&self, person: &Person, payment: &Prepared) -> Value {
        self.get(&format!("/payment/stripe/status/{}", payment.id), person).await.data().clone()
    }

    pub async fn sweep(&self) {
        server::workers::card_reconciliation::round(&self.app).await.unwrap();
    }
}

pub fn hook(signature: &str, body: &str) -> Request<Body> {
    let request = Request::builder().method("POST").uri("/api/v1/payment/stripe/webhook");
    let request = request.header("content-type", "application/json").header("stripe-signature", signature);
    request.body(Body::from(body.to_owned())).unwrap()
}

// spec: 1.20, 3.61, 7.2.09, 10.11.27
async fn a_payment_is_credited_once_for_repeated_messages(s: Stage) {
    s.rules(|rules| rules.copies = (3, 8));
    let config = s.send(request("GET", "/payment/stripe/config", None, None)).await;
    let offer = |method: &str| json!({ "method": method, "min_amount": 5.0, "max_amount": 1000.0, "currency": "CAD" });
    let expected = json!({ "enabled": true, "publishable_key": "pk_test_sandbox", "min_amount": 5.0, "max_amount": 1000.0,
        "default_currency": "CAD", "js_url": format!("{}/stripe.js", s.sandbox.control_url()),
        "page_url": null, "methods": [offer("card"), offer("alipay"), offer("wechat_pay")] });
    assert_eq!(config.data(), &expected);
    let person = s.payer("card", 0).await;
    let mut payments = Vec::new();
    for amount in [50.0, 20.5, 5.0, 1000.0] {
        let payment = s.prepare(&person, amount).await;
        assert_eq!(s.payment_status(&person, &payment).await["credited"], false);
        assert_eq!(s.pay(&payment, GOOD).await, "succeeded");
        payments.push(payment);
    }
    // The messages arrive concurrently and in any order, while the browser requests the status.
    let messages = s.sandbox.card_messages();
    assert!(messages.len() >= 24);
    let paths: Vec<_> = payments.iter().map(|p| format!("/payment/stripe/status/{}", p.id)).collect();
    let asking = join_all(paths.iter().map(|path| s.get(path, &person)));
    let (told, asked) = tokio::join!(join_all(messages.iter().map(|message| s.tell(message))), asking);
    for reply in told {
        // A busy database returns 503, and the provider repeats the message.
        assert!(matches!(reply.status.as_u16(), 200 | 503), "{reply:?}");
    }
    for reply in asked {
        assert!(matches!(reply.status.as_u16(), 200 | 503), "{reply:?}");
    }
    for message in &messages {
        assert_eq!(s.tell(message).await.status, 200);
    }
    assert_eq!(s.credit(&person).await, (1075.5, 0.0));
    let status = s.payment_status(&person, &payments[1]).await;
    assert_eq!(status, json!({ "status": "succeeded", "amount": 20.5, "currency": "CAD", "credited": true }));
    let ledger = s.get("/users/ledger", &person).await;
    let movements = ledger.data()["movements"].as_array().unwrap();
    assert!(movements.len() == 4 && movements.iter().all(|m| m["kind"] == "card"));
    assert!(movements.iter().all(|m| m["description"] == "family trip"), "the payer's note is in the list");
    let first = format!("/users/ledger/{}", movements[0]["id"].as_str().unwrap());
    assert_eq!(
        s.get(&first, &person).await.data()["description"],
        "family trip",
        "the payer's note is on the receipt"
    );
    let told = s.mails().await;
    let told: Vec<_> = told.iter().filter(|(template, ..)| template == "credited").collect();
    assert_eq!(told.len(), 4, "one mail each, however often the message came");
    assert!(told.iter().all(|(_, to, data)| *to == person.email && data["description"] == "family trip"));
    s.sweep().await;
    assert_eq!(cards_known(&s).await, 1, "one card, whichever payment it was for");
    s.books_balance().await;
}

/// Counts the fingerprints of cards in the database.
async fn cards_known(s: &Stage) -> i64 {
    let mut tx = s.app.db.read().await.unwrap();
    store::scalar!(&mut tx, i64, "SELECT COUNT(*) FROM payment_card").unwrap()
}

async fn declined_cards_pay_nothing_and_banks_may_authenticate(s: Stage) {
    let person = s.payer("tries", 0).await;
    let payment = s.prepare(&person, 40.0).await;
    for (card, why) in [
        ("4000000000000002", "generic_decline"),
        ("4000000000009995", "insufficient_funds"),
        ("4000000000000069", "expired_card"),
    ] {
        assert_eq!(s.pay(&payment, card).await, why);
        assert!(s.told().await.iter().all(|status| *status == 200));
        assert_eq!(s.payment_status(&person, &payment).await["status"], "requires_payment_method");
    }
    assert_eq!(s.pay(&payment, "4000002760003184").await, "requires_action");
    assert_eq!(s.payment_status(&person, &payment).await["status"], "requires_action");
    assert_eq!(
        s.confirm(&payment, "authenticate", ("outcome", "fail")).await,
        "payment_intent_authentication_failure"
    );
    s.pay(&payment, "4000002760003184").await;
    assert_eq!(s.credit(&person).await, (0.0, 0.0));
    assert_eq!(s.confirm(&payment, "authenticate", ("outcome", "ok")).await, "succeeded");
    s.told().await;
    assert_eq!(s.credit(&person).await, (40.0, 0.0));
    let slow = s.prepare(&person, 10.0).await;
    assert_eq!(s.pay(&slow, "4000000000007726").await, "processing");
    s.told().await;
    let status = s.payment_status(&person, &slow).await;
    assert_eq!((&status["status"], &status["credited"]), (&json!("processing"), &json!(false)));
    s.wait(10);
    s.told().await;
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    s.books_balance().await;
}

// spec: 7.2.11
async fn a_payment_without_a_webhook_is_read_from_the_provider(s: Stage) {
    s.rules(|rules| rules.lost = 1.0);
    let person = s.payer("quiet", 0).await;
    let asked = s.prepare(&person, 30.0).await;
    s.pay(&asked, GOOD).await;
    // The browser returns from the payment and requests the status.
    assert_eq!(s.payment_status(&person, &asked).await["credited"], true);
    let silent = s.prepare(&person, 12.0).await;
    s.pay(&silent, GOOD).await;
    // In this case the browser does not return, and no message arrives.
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (30.0, 0.0), "the payment is not due yet");
    s.wait(20);
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (42.0, 0.0));
    let reads = s.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind == "card_read").count());
    s.wait(86_400);
    s.sweep().await;
    let after = s.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind == "card_read").count());
    assert_eq!((reads, after), (2, 2), "a settled payment is not read again");
    s.books_balance().await;
}

async fn forged_and_stale_webhooks_are_refused(s: Stage) {
    s.rules(|rules| {
        rules.forged = 1.0;
        rules.stale = 1.0;
    });
    let person = s.payer("forged", 0).await;
    let payment = s.prepare(&person, 50.0).await;
    s.pay(&payment, GOOD).await;
    let messages = s.sandbox.card_messages();
    for message in messages.iter().filter(|m| m.signed != Signed::Well) {
        assert_eq!(s.tell(message).await.error(), (400, "INVALID_SIGNATURE"), "{message:?}");
    }
    let good =
        messages.iter().find(|m| m.kind == "payment_intent.succeeded" && m.signed == Signed::Well).unwrap();
    for (signature, body) in [
        (String::new(), good.body.clone()),
        ("v1=00".to_owned(), good.body.clone()),
        (good.signature.clone(), good.body.replace("5000", "9000")),
        (good.signature.clone(), String::new()),
        (signature("", s.clock.now().timestamp(), &good.body), good.body.clone()),
    ] {
        assert_eq!(s.send(hook(&signature, &body)).await.error(), (400, "INVALID_SIGNATURE"));
    }
    let huge = "x".repeat(70_000);
    assert_eq!(s.send(hook(&good.signature, &huge)).await.error(), (413, "BODY_TOO_LARGE"));
    assert_eq!(s.credit(&person).await, (0.0, 0.0));
    s.wait(301);
    assert_eq!(s.tell(good).await.error(), (400, "INVALID_SIGNATURE"), "a message recorded five minutes ago");
    let url = format!("{}/control/card/intents/{}/tell", s.sandbox.control_url(), payment.id);
    reqwest::Client::builder().no_proxy().build().unwrap().post(url).send().await.unwrap();
    s.told().await;
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    s.books_balance().await;
}

async fn the_received_amount_is_credited_instead_of_the_requested(s: Stage) {
    let person = s.payer("other", 0).await;
    let (less, more) = (s.prepare(&person, 50.0).await, s.prepare(&person, 50.0).await);
    let now = s.clock.now();
    s.sandbox.with_world(|w| {
        w.card.pay(&less.id, Some(43_21), now).unwrap();
        w.card.pay(&more.id, Some(60_00), now).unwrap();
    });
    s.told().await;
    assert_eq!(s.credit(&person).await, (103.21, 0.0));
    assert_eq!(s.payment_status(&person, &less).await["amount"], 43.21);
    s.books_balance().await;
}

// spec: 3.62, 7.2.10
async fn a_payment_amount_must_be_money_within_the_limits(s: Stage) {
    let person = s.payer("numbers", 0).await;
    let send = |body: String| {
        let mut call = request("POST", "/payment/stripe/create-intent", Some(&person), Some(json!({})));
        *call.body_mut() = Body::from(body);
        s.send(call)
    };
    for (amount, code) in [
        ("0", "below_min"),
        ("-5", "below_min"),
        ("4.99", "below_min"),
        ("0.001", "not_money"),
        ("10.005", "not_money"),
        ("1000.01", "above_max"),
        ("1e9", "above_max"),
    ] {
        let reply = send(format!("{{\"amount\":{amount}}}")).await;
        assert_eq!(reply.error(), (422, "VALIDATION_FAILED"), "{amount}");
        assert_eq!(reply.body["data"]["fields"]["amount"], code, "{amount}");
    }
    for body in
        ["{\"amount\":NaN}", "{\"amount\":\"50\"}", "{\"amount\":null}", "{\"amount\":1e400}", "{}", "[50]"]
    {
        assert_eq!(send(body.to_owned()).await.error(), (400, "INVALID_BODY"), "{body}");
    }
    for (field, value) in [
        ("currency", json!("USD")),
        ("currency", json!("")),
        ("description", json!("x".repeat(201))),
        ("description", json!("a\u{7}b")),
        ("metadata", json!({ "source": "<script>" })),
        ("metadata", json!({ "language": "fr" })),
    ] {
        let reply = send(json!({ "amount": 50, field: value }).to_string()).await;
        assert_eq!(reply.error(), (422, "VALIDATION_FAILED"), "{field}");
    }
    assert_eq!(s.sandbox.with_world(|w| w.card.intents.len()), 0);
    let made =
        send(json!({ "amount": 1000, "currency": "cad", "description": " 十一月 " }).to_string()).await;
    assert_eq!(made.status, 200);
    let kept = s.sandbox.with_world(|w| w.card.intents.values().next().unwrap().clone());
    assert_eq!((kept.amount, kept.description.as_deref()), (1000_00, Some("十一月")));
}

async fn a_provider_outage_loses_no_payment(s: Stage) {
    let person = s.payer("down", 0).await;
    let payment = s.prepare(&person, 25.0).await;
    s.pay(&payment, GOOD).await;
    let down = s.sandbox.with_world(|w| w.add_fault(InjectedFault::of(FaultKind::CardDown)));
    let body = Some(json!({ "amount": 25.0 }));
    let refused = s.call("POST", "/payment/stripe/create-intent", Some(&person), body).await;
    assert_eq!(refused.error(), (502, "CARD_PROVIDER_UNAVAILABLE"));
    let status = s.get(&format!("/payment/stripe/status/{}", payment.id), &person).await;
    assert_eq!(status.error(), (502, "CARD_PROVIDER_UNAVAILABLE"));
    s.wait(20);
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (0.0, 0.0));
    s.sandbox.with_world(|w| w.remove_faults(Some(down)));
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (0.0, 0.0), "the pauses grow");
    s.wait(60);
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (25.0, 0.0));
    s.told().await;
    assert_eq!(s.credit(&person).await, (25.0, 0.0));
    s.books_balance().await;
}

async fn an_unknown_payment_is_read_before_it_is_credited(s: Stage) {
    let person = s.payer("lost", 0).await;
    let cards = s.app.cards.clone().unwrap();
    // The database has neither payment. One belongs to this server, whose process died between the
    // provider's response and the commit. The other belongs to another merchant with the same
    // account.
    let payment = domain::ids::CardPaymentId::new(s.clock.now(), s.app.random.bytes());
    let marks = server::card::marks(&s.app, person.id, payment);
    let mut forged = marks.clone();
    forged[0].1 = s.payer("thief", 0).await.id.to_string();
    let mut made = Vec::new();
    for (n, metadata) in [&marks[..], &forged[..], &[]].into_iter().enumerate() {
        let new = NewIntent {
            amount: 50_00,
            currency: "CAD",
            description: None,
            metadata,
            method: PaymentMethod::Card,
            return_url: "https://sooner.example.com/balance/payment",
        };
        let intent = cards.provider.create_intent(&new, &n.to_string()).await.unwrap();
        let now = s.clock.now();
        s.sandbox.with_world(|w| w.card.pay(&intent.id, None, now).unwrap());
        made.push(intent.id);
    }
    assert!(
        s.told().await.iter().all(|status| *status == 200),
        "a message about an unknown payment is accepted"
    );
    assert_eq!(s.credit(&person).await, (0.0, 0.0), "its content is not trusted");
    for _ in 0..2 {
        s.sweep().await;
        assert_eq!(s.credit(&person).await, (50.0, 0.0));
    }
    let thief = s.login("thief@example.com", crate::app::PASSWORD).await;
    let thief = s.signed_in("thief@example.com", &thief);
    assert_eq!(s.credit(&thief).await, (0.0, 0.0), "a forged owner gets nothing");
    let mut tx = s.app.db.read().await.unwrap();
    assert!(store::card::find(&mut tx, &made[0]).await.unwrap().is_some());
    assert!(store::card::find(&mut tx, &made[1]).await.unwrap().is_none());
    drop(tx);
    s.books_balance().await;
}

// spec: 3.63, 7.2.10
async fn repeated_clicks_prepare_one_payment(s: Stage) {
    let person = s.payer("clicks", 0).await;
    let click = |amount: f64, key: &'static str| {
        let body = Some(json!({ "amount": amount }));
        let mut call = request("POST", "/payment/stripe/create-intent", Some(&person), body);
        call.headers_mut().insert("idempotency-key", key.parse().unwrap());
        s.send(call)
    };
    let replies = join_all((0..4).map(|_| click(30.0, "one"))).await;
    let done: Vec<_> = replies.iter().filter(|r| r.status == 200).map(|r| r.data().clone()).collect();
    assert!(!done.is_empty() && done.iter().all(|data| *data == done[0]));
    assert!(replies.iter().all(|r| matches!(r.status.as_u16(), 200 | 409 | 503)), "{replies:?}");
    assert_eq!(click(30.0, "one").await.data(), &done[0], "the same payment, with its secret");
    assert_eq!(s.sandbox.with_world(|w| w.card.intents.len()), 1);
    assert_eq!(click(31.0, "one").await.error(), (422, "IDEMPOTENCY_KEY_REUSED"));
    assert_ne!(click(30.0, "two").await.data(), &done[0]);
    // The database contains no secret with which a payment could be made.
    let mut tx = s.app.db.read().await.unwrap();
    let kept: Vec<(Value,)> = store::all!(&mut tx, (Value,), "SELECT answer FROM idempotency").unwrap();
    assert!(!json!(kept.iter().map(|(v,)| v).collect::<Vec<_>>()).to_string().contains("_secret_"));
    drop(tx);
    for _ in 0..12 {
        click(40.0, "more").await;
    }
    assert_eq!(click(41.0, "again").await.error(), (429, "TOO_MANY_ATTEMPTS"));
}

async fn an_unpaid_payment_is_cancelled(s: Stage) {
    let person = s.payer("idle", 0).await;
    let payment = s.prepare(&person, 30.0).await;
    let reads =
        || s.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind == "card_read").count());
    for _ in 0..24 * 4 {
        s.wait(3600);
        s.sweep().await;
    }
    assert!((5..12).contains(&reads()), "{} readings in four days", reads());
    let at_provider = s.sandbox.with_world(|w| json!(w.card.intents[&payment.id].status));
    assert_eq!(at_provider, "canceled", "the payment cannot be paid any more");
    let person = s.again(&person).await;
    assert_eq!(s.payment_status(&person, &payment).await["status"], "canceled");
    assert_eq!(s.pay(&payment, GOOD).await, "payment_intent_unexpected_state");
    s.wait(86_400 * 30);
    let before = reads();
    s.sweep().await;
    assert_eq!(reads(), before);
}

async fn a_frozen_ledger_credits_payments_after_the_unfreeze(s: Stage) {
    let person = s.payer("frozen", 0).await;
    let payment = s.prepare(&person, 30.0).await;
    s.pay(&payment, GOOD).await;
    let mut tx = s.app.db.begin().await.unwrap();
    store::ledger::freeze(&mut tx, s.clock.now(), "M1 at CAD").await.unwrap();
    tx.commit().await.unwrap();
    let messages = s.sandbox.card_messages();
    let told = messages.iter().find(|m| m.kind == "payment_intent.succeeded").unwrap();
    assert_eq!(s.tell(told).await.error(), (503, "MONEY_FROZEN"), "the provider repeats the message");
    assert_eq!(s.payment_status_error(&person, &payment).await, (503, "MONEY_FROZEN".to_owned()));
    let mut tx = s.app.db.begin().await.unwrap();
    store::ledger::thaw(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(s.tell(told).await.status, 200);
    assert_eq!(s.credit(&person).await, (30.0, 0.0));
    s.books_balance().await;
}

impl Stage {
    async fn payment_status_error(&self, person: &Person, payment: &Prepared) -> (u16, String) {
        let reply = self.get(&format!("/payment/stripe/status/{}", payment.id), person).await;
        let (status, code) = reply.error();
        (status, code.to_owned())
    }
}

// spec: 7.2.11
async fn a_payment_is_visible_only_to_its_payer(s: Stage) {
    let (person, other) = (s.payer("payer", 0).await, s.payer("nosy", 0).await);
    let payment = s.prepare(&person, 30.0).await;
    assert_eq!(s.payment_status_error(&other, &payment).await, (404, "NOT_FOUND".to_owned()));
    for odd in ["pi_unknown", "pi_1%2F..%2F..%2Frefunds", "%00", "x"] {
        let reply = s.get(&format!("/payment/stripe/status/{odd}"), &person).await;
        assert_eq!(reply.error(), (404, "NOT_FOUND"), "{odd}");
    }
    let nobody = request("POST", "/payment/stripe/create-intent", None, Some(json!({ "amount": 30 })));
    assert_eq!(s.send(nobody).await.error(), (401, "UNAUTHORIZED"));
}

async fn only_the_payment_page_allows_the_providers_scripts(s: Stage) {
    let provider = s.sandbox.control_url();
    let page = |path: &'static str| s.send(Request::builder().uri(path).body(Body::empty()).unwrap());
    for path in ["/pay", "/pay/", "/pay.html"] {
        let reply = page(path).await;
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains(&format!("script-src 'self' {provider};")), "{policy}");
        assert!(
            policy.contains(&format!("connect-src 'self' {provider};"))
                && policy.contains("frame-ancestors 'self'")
        );
        assert_eq!(reply.headers["x-frame-options"], "SAMEORIGIN");
    }
    for path in
        ["/", "/dashboard", "/payments", "/pay/x", "/assets/pay", "/api/v1/payment/stripe/config", "/healthz"]
    {
        let reply = page(path).await;
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        assert!(!policy.contains(&provider) && policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(reply.headers["x-frame-options"], "DENY");
    }
}

// spec: 10.7.73
async fn a_payment_page_on_its_own_origin_is_served_only_there(s: Stage) {
    let s = s.with_card_origin("https://pay.example.com");
    let provider = s.sandbox.control_url();
    let page = |host: &'static str, path: &'static str| {
        s.send(Request::builder().uri(path).header("host", host).body(Body::empty()).unwrap())
    };
    let policy =
        |reply: &crate::app::Reply| reply.headers["content-security-policy"].to_str().unwrap().to_owned();
    let config = page("sooner.example.com", "/api/v1/payment/stripe/config").await;
    assert_eq!(config.data()["page_url"], "https://pay.example.com/pay");
    assert_eq!(page("pay.example.com", "/api/v1/payment/stripe/config").await.data(), config.data());
    let own = page("pay.example.com", "/pay?lang=en").await;
    assert!(policy(&own).contains(&format!("script-src 'self' {provider};")), "{}", policy(&own));
    assert!(policy(&own).ends_with("frame-ancestors https://sooner.example.com"), "{}", policy(&own));
    assert!(!own.headers.contains_key("x-frame-options"), "that header names no other origin");
    assert_eq!(
        page("sooner.example.com", "/pay").await.status,
        404,
        "the payment page is not on the origin of our tokens"
    );
    for path in ["/", "/dashboard", "/api/v1/user/profile", "/worker.js"] {
        assert_eq!(page("pay.example.com", path).await.error(), (404, "NOT_FOUND"), "{path}");
    }
    let dashboard = page("sooner.example.com", "/dashboard").await;
    let said = policy(&dashboard);
    assert!(
        said.ends_with("frame-src 'self' https://pay.example.com") && !said.contains(&provider),
        "{said}"
    );
    assert_eq!(dashboard.headers["cross-origin-resource-policy"], "same-origin");
}

// spec: 1.20, 7.2.09
async fn cards_are_off_unless_configured(app: TestApp) {
    let person = app.person("nocard").await;
    let config = app.get("/payment/stripe/config", &person).await;
    assert_eq!((&config.data()["enabled"], &config.data()["publishable_key"]), (&json!(false), &Value::Null));
    let body = Some(json!({ "amount": 50 }));
    let refused = app.call("POST", "/payment/stripe/create-intent", Some(&person), body).await;
    assert_eq!(refused.error(), (503, "CARD_NOT_CONFIGURED"));
    assert_eq!(app.get("/payment/stripe/status/pi_1", &person).await.error(), (503, "CARD_NOT_CONFIGURED"));
    assert_eq!(app.send(hook("t=1,v1=00", "{}")).await.error(), (503, "CARD_NOT_CONFIGURED"));
    let page = app.send(Request::builder().uri("/pay").body(Body::empty()).unwrap()).await;
    assert!(page.headers["content-security-policy"].to_str().unwrap().contains("frame-src 'none'"));
    server::workers::card_reconciliation::round(&app.app).await.unwrap();
    let mut half = app.app.settings.as_ref().clone();
    half.card_secret_key = Some("sk_test_x".to_owned());
    assert!(server::card::Cards::new(&half).is_err(), "an incomplete configuration is refused");
    app.clock.advance(TimeDelta::seconds(1));
}
