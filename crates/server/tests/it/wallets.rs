//! Stories of payments with Alipay and WeChat Pay at the sandbox's provider. The payer is
//! redirected or scans a code, and the payment is credited once.

use serde_json::{Value, json};

use crate::app::{Person, request};
use crate::stage::Stage;

portal_stories!(
    an_alipay_payment_is_credited_once_after_the_redirect,
    a_wechat_payment_is_credited_after_the_page_was_closed,
    a_cancelled_or_expired_wallet_payment_can_be_restarted,
    a_late_wallet_payment_is_credited_on_arrival,
    a_wallet_is_offered_only_if_it_is_enabled,
    repeated_clicks_start_one_wallet_payment,
    a_wallet_payment_is_refundable_within_the_wallets_deadline,
);

impl Stage {
    async fn begin(&self, person: &Person, method: &str, amount: f64) -> Value {
        self.ok(
            "POST",
            "/payment/stripe/create-intent",
            person,
            json!({ "amount": amount, "method": method }),
        )
        .await
    }

    /// Confirms or cancels the payment on the provider's page.
    fn choose(&self, begun: &Value, choice: &str) {
        let (id, now) = (begun["payment_intent_id"].as_str().unwrap(), self.clock.now());
        self.sandbox.with_world(|world| world.card.choose(id, choice, now).unwrap());
    }

    async fn standing(&self, person: &Person, begun: &Value) -> (String, bool) {
        let path = format!("/payment/stripe/status/{}", begun["payment_intent_id"].as_str().unwrap());
        let status = self.get(&path, person).await.data().clone();
        (status["status"].as_str().unwrap().to_owned(), status["credited"].as_bool().unwrap())
    }

    fn readings(&self) -> usize {
        self.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind == "card_read").count())
    }
}

// spec: 10.11.39
async fn an_alipay_payment_is_credited_once_after_the_redirect(s: Stage) {
    let person = s.payer("alipay", 0).await;
    let begun = s.begin(&person, "alipay", 38.0).await;
    assert_eq!((&begun["client_secret"], &begun["qr_image"]), (&Value::Null, &Value::Null));
    let page = begun["redirect_url"].as_str().unwrap();
    assert!(page.starts_with(&s.sandbox.control_url()), "{page}");
    assert_eq!(s.standing(&person, &begun).await, ("requires_action".to_owned(), false));
    // A request like the one of the payer's browser.
    let http =
        reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    assert!(http.get(page).send().await.unwrap().text().await.unwrap().contains("38.00 CAD"));
    let back = http.post(page).form(&[("choice", "pay")]).send().await.unwrap();
    let way = back.headers()["location"].to_str().unwrap();
    let home = format!("{}/balance/payment?payment_intent=", s.app.settings.public_url);
    assert!(way.starts_with(&home) && way.ends_with("redirect_status=succeeded"), "{way}");
    // The browser returns before and after the message.
    assert_eq!(s.standing(&person, &begun).await, ("succeeded".to_owned(), true));
    for _ in 0..2 {
        s.told().await;
    }
    assert_eq!(s.credit(&person).await, (38.0, 0.0));
    s.sweep().await;
    let rows = s.get("/users/ledger", &person).await;
    assert_eq!(rows.data()["movements"][0]["paid_with"], "alipay");
    s.books_balance().await;
}

async fn a_wechat_payment_is_credited_after_the_page_was_closed(s: Stage) {
    let person = s.payer("wechat", 0).await;
    let begun = s.begin(&person, "wechat_pay", 20.0).await;
    assert_eq!((&begun["client_secret"], &begun["redirect_url"]), (&Value::Null, &Value::Null));
    assert!(begun["qr_image"].as_str().unwrap().starts_with("data:image/"), "{begun}");
    s.choose(&begun, "pay");
    s.told().await;
    assert_eq!(s.credit(&person).await, (20.0, 0.0));
    // WeChat does not report the payer. The server reads the payment once, and not again.
    s.sweep().await;
    let read = s.readings();
    s.wait(86_400);
    s.sweep().await;
    assert_eq!(s.readings(), read, "a completely known payment is not read again");
    s.books_balance().await;
}

async fn a_cancelled_or_expired_wallet_payment_can_be_restarted(s: Stage) {
    let person = s.payer("undecided", 0).await;
    for choice in ["cancel", "expire"] {
        let begun = s.begin(&person, "alipay", 25.0).await;
        s.choose(&begun, choice);
        s.told().await;
        assert_eq!(
            s.standing(&person, &begun).await,
            ("requires_payment_method".to_owned(), false),
            "{choice}"
        );
    }
    let left = s.begin(&person, "wechat_pay", 25.0).await;
    assert_eq!(s.standing(&person, &left).await, ("requires_action".to_owned(), false));
    assert_eq!(s.credit(&person).await, (0.0, 0.0));
    let again = s.begin(&person, "alipay", 25.0).await;
    s.choose(&again, "pay");
    s.told().await;
    assert_eq!(s.credit(&person).await, (25.0, 0.0));
    for _ in 0..24 * 4 {
        s.wait(3_600);
        s.sweep().await;
    }
    let states =
        s.sandbox.with_world(|w| w.card.intents.values().filter(|i| json!(i.status) == "canceled").count());
    assert_eq!(states, 3, "an unpaid payment cannot be paid any more");
    s.books_balance().await;
}

async fn a_late_wallet_payment_is_credited_on_arrival(s: Stage) {
    let person = s.payer("late", 0).await;
    let begun = s.begin(&person, "alipay", 50.0).await;
    s.choose(&begun, "later");
    s.told().await;
    assert_eq!(s.standing(&person, &begun).await, ("processing".to_owned(), false));
    assert_eq!(s.credit(&person).await, (0.0, 0.0));
    s.wait(30);
    // There is no message and no status request. The reconciliation finds the payment.
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    s.told().await;
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    s.books_balance().await;
}

async fn a_wallet_is_offered_only_if_it_is_enabled(s: Stage) {
    let person = s.payer("plain", 0).await;
    let with = |words: &str| {
        let mut settings = s.app.settings.as_ref().clone();
        settings.card_secret_key = Some("sk_test_sandbox".to_owned());
        settings.card_publishable_key = Some("pk_test_sandbox".to_owned());
        settings.card_webhook_secret = Some("whsec_sandbox".to_owned());
        settings.card_api_url = s.sandbox.control_url();
        settings.card_js_url = format!("{}/stripe.js", s.sandbox.control_url());
        settings.card_methods = words.to_owned();
        server::card::Cards::new(&settings)
    };
    for wrong in ["", "card,", "paypal", "card;alipay"] {
        assert_eq!(with(wrong).unwrap_err().0, "--card-methods", "{wrong:?}");
    }
    let mut app = s.app.clone();
    app.cards = with("card").unwrap();
    let router = server::router(app);
    let body = Some(json!({ "amount": 20.0, "method": "alipay" }));
    let call = request("POST", "/payment/stripe/create-intent", Some(&person), body);
    let reply = tower::ServiceExt::oneshot(router, call).await.unwrap();
    assert_eq!(reply.status(), 422);
    let unknown = Some(json!({ "amount": 20.0, "method": "paypal" }));
    let reply = s.call("POST", "/payment/stripe/create-intent", Some(&person), unknown).await;
    assert_eq!(reply.error(), (400, "INVALID_BODY"));
    assert_eq!(s.sandbox.with_world(|w| w.card.intents.len()), 0);
}

async fn repeated_clicks_start_one_wallet_payment(s: Stage) {
    let person = s.payer("double", 0).await;
    let click = || {
        let body = Some(json!({ "amount": 30.0, "method": "alipay" }));
        let mut call = request("POST", "/payment/stripe/create-intent", Some(&person), body);
        call.headers_mut().insert("idempotency-key", "tap".parse().unwrap());
        s.send(call)
    };
    let first = click().await.data().clone();
    assert_eq!(click().await.data(), &first, "the same page again");
    s.choose(&first, "pay");
    let after = click().await.data().clone();
    assert_eq!(after["payment_intent_id"], first["payment_intent_id"]);
    assert_eq!(after["redirect_url"], Value::Null, "no action is left");
    assert_eq!(s.sandbox.with_world(|w| w.card.intents.len()), 1);
}

// spec: 10.10.24
async fn a_wallet_payment_is_refundable_within_the_wallets_deadline(s: Stage) {
    let person = s.payer("late", 0).await;
    for (method, amount) in [("alipay", 20.0), ("wechat_pay", 30.0)] {
        let begun = s.begin(&person, method, amount).await;
        s.choose(&begun, "pay");
        s.told().await;
    }
    for (days, refundable, too_late) in [(90, 50.0, 0.0), (1, 30.0, 20.0), (90, 0.0, 50.0)] {
        s.wait(days * 86_400);
        let offer = s.get("/payment/refunds", &s.again(&person).await).await.data().clone();
        assert_eq!((&offer["refundable"], &offer["too_late"]), (&json!(refundable), &json!(too_late)));
    }
}
