//! Tests of the card provider, with requests as sent by an independent client of the real provider.

use reqwest::{Method, RequestBuilder};
use sandbox::Sandbox;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::client::{fault, quiet};

fn http(sandbox: &Sandbox, method: Method, path: &str) -> RequestBuilder {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    http.request(method, format!("{}{path}", sandbox.control_url()))
}

async fn answer(request: RequestBuilder) -> (u16, Value) {
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    (status, serde_json::from_str(&answer.text().await.unwrap()).unwrap_or(Value::Null))
}

/// Sends a request on behalf of the merchant's server.
async fn merchant(sandbox: &Sandbox, path: &str, form: &[(&str, &str)], key: &str) -> (u16, Value) {
    let key_header = ("idempotency-key", key);
    let request =
        http(sandbox, Method::POST, path).bearer_auth("sk_test_sandbox").header(key_header.0, key_header.1);
    answer(request.form(form)).await
}

async fn intent(sandbox: &Sandbox, cents: &str) -> Value {
    let form = [("amount", cents), ("currency", "cad"), ("metadata[user]", "ann")];
    let (status, intent) = merchant(sandbox, "/v1/payment_intents", &form, &format!("k{cents}")).await;
    assert_eq!((status, &intent["status"]), (200, &json!("requires_payment_method")));
    intent
}

/// Sends a request on behalf of the payer's browser.
async fn payer(sandbox: &Sandbox, intent: &Value, what: &str, field: (&str, &str)) -> (u16, Value) {
    let path = format!("/v1/payment_intents/{}/{what}", intent["id"].as_str().unwrap());
    let secret = intent["client_secret"].as_str().unwrap();
    answer(http(sandbox, Method::POST, &path).form(&[
        ("key", "pk_test_sandbox"),
        ("client_secret", secret),
        field,
    ]))
    .await
}

async fn pay(sandbox: &Sandbox, intent: &Value, number: &str) -> (u16, Value) {
    payer(sandbox, intent, "confirm", ("payment_method_data[card][number]", number)).await
}

#[tokio::test]
async fn cards_can_succeed_decline_require_action_or_delay() {
    let (sandbox, hands) = quiet("empty").await;
    let one = intent(&sandbox, "5000").await;
    for (number, code, decline) in [
        ("4000000000000002", "card_declined", "generic_decline"),
        ("4000000000009995", "card_declined", "insufficient_funds"),
        ("4000000000000069", "expired_card", "expired_card"),
        ("1234567812345678", "card_declined", "test_mode_live_card"),
    ] {
        let (status, said) = pay(&sandbox, &one, number).await;
        assert_eq!(
            (status, &said["error"]["code"], &said["error"]["decline_code"]),
            (402, &json!(code), &json!(decline))
        );
    }
    let (_, paid) = pay(&sandbox, &one, "4242424242424242").await;
    assert_eq!((&paid["status"], &paid["amount_received"]), (&json!("succeeded"), &json!(5000)));
    assert_eq!(pay(&sandbox, &one, "4242424242424242").await.0, 400, "the payment was paid twice");
    let asked = intent(&sandbox, "6000").await;
    assert_eq!(pay(&sandbox, &asked, "4000002760003184").await.1["status"], "requires_action");
    assert_eq!(payer(&sandbox, &asked, "authenticate", ("outcome", "fail")).await.0, 402);
    pay(&sandbox, &asked, "4000002760003184").await;
    assert_eq!(payer(&sandbox, &asked, "authenticate", ("outcome", "ok")).await.1["status"], "succeeded");
    let slow = intent(&sandbox, "7000").await;
    assert_eq!(pay(&sandbox, &slow, "4000000000007726").await.1["status"], "processing");
    hands.advance(chrono::Duration::seconds(10));
    let path = format!("/v1/payment_intents/{}?expand[]=latest_charge", slow["id"].as_str().unwrap());
    let (_, read) = answer(http(&sandbox, Method::GET, &path).bearer_auth("sk_test_sandbox")).await;
    assert_eq!(read["status"], "succeeded");
    assert!(read["latest_charge"]["payment_method_details"]["card"]["fingerprint"].is_string());
    let stranger = json!({ "id": slow["id"], "client_secret": "guessed" });
    assert_eq!(pay(&sandbox, &stranger, "4242424242424242").await.0, 404);
    assert_eq!(answer(http(&sandbox, Method::GET, &path).bearer_auth("sk_live_x")).await.0, 401);
}

#[tokio::test]
async fn idempotency_keys_repeat_and_refunds_happen_once() {
    let (sandbox, _) = quiet("empty").await;
    let one = intent(&sandbox, "5000").await;
    assert_eq!(intent(&sandbox, "5000").await, one, "the same key returns the same payment");
    let other = [("amount", "9000"), ("currency", "cad")];
    let (status, said) = merchant(&sandbox, "/v1/payment_intents", &other, "k5000").await;
    assert_eq!((status, &said["error"]["type"]), (400, &json!("idempotency_error")));
    for amount in ["0", "-5", "0.5", "49", "x", "100000000"] {
        let form = [("amount", amount), ("currency", "cad")];
        assert_eq!(merchant(&sandbox, "/v1/payment_intents", &form, amount).await.0, 400, "{amount}");
    }
    pay(&sandbox, &one, "4242424242424242").await;
    let id = one["id"].as_str().unwrap();
    let back = [("payment_intent", id), ("amount", "3000")];
    let (_, first) = merchant(&sandbox, "/v1/refunds", &back, "r1").await;
    assert_eq!(merchant(&sandbox, "/v1/refunds", &back, "r1").await.1, first);
    assert_eq!(merchant(&sandbox, "/v1/refunds", &back, "r2").await.0, 400, "only 20 dollars are left");
    let (_, books) = answer(http(&sandbox, Method::GET, "/control/card")).await;
    assert_eq!(
        (&books["intents"][0]["amount_refunded"], &books["refunds"][0]["amount"]),
        (&json!(3000), &json!(3000))
    );
    fault(&sandbox, json!({ "fault": "card_down", "times": 1 }));
    assert_eq!(pay(&sandbox, &one, "4242424242424242").await.0, 503);
    let journal =
        sandbox.with_world(|w| w.journal.after(0).iter().map(|e| e.kind.clone()).collect::<Vec<_>>());
    assert_eq!(journal.iter().filter(|kind| *kind == "card_refund").count(), 3);
}

#[tokio::test]
async fn webhooks_are_signed_duplicated_forged_and_resent() {
    let (sandbox, hands) = quiet("empty").await;
    let rules = json!({ "copies": [3, 8], "forged": 1.0, "stale": 1.0 });
    let change = |rules: Value| http(&sandbox, Method::POST, "/control/card").json(&rules);
    assert_eq!(answer(change(rules)).await.0, 200);
    assert_eq!(answer(change(json!({ "copies": [0, 1] }))).await.0, 422);
    assert_eq!(answer(change(json!({ "webhook_url": "ftp://x" }))).await.0, 422);
    let one = intent(&sandbox, "5000").await;
    pay(&sandbox, &one, "4242424242424242").await;
    let messages = sandbox.card_messages();
    let told = |signed| {
        messages
            .iter()
            .filter(|m| m.kind == "payment_intent.succeeded" && json!(m.signed) == json!(signed))
            .count()
    };
    assert!((3..=8).contains(&told("well")));
    assert_eq!((told("forged"), told("stale")), (1, 1));
    assert!(messages.iter().all(|m| !m.body.contains("_secret_")), "a message contained the client secret");
    assert!(sandbox.card_messages().is_empty());
    // A message that the server refused is sent again.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    change(json!({ "webhook_url": url, "copies": [1, 1], "forged": 0.0, "stale": 0.0 }))
        .send()
        .await
        .unwrap();
    let path = format!("/control/card/intents/{}/tell", one["id"].as_str().unwrap());
    assert_eq!(answer(http(&sandbox, Method::POST, &path)).await.0, 200);
    let first = taken(&listener, "503 Service Unavailable").await;
    assert!(
        first.starts_with("POST /hook HTTP/1.1\r\n") && first.contains("stripe-signature: t="),
        "{first}"
    );
    let refused = || sandbox.with_world(|w| w.card.messages.refused);
    while refused() == 0 {
        tokio::task::yield_now().await;
    }
    hands.advance(chrono::Duration::seconds(1));
    let second = taken(&listener, "200 OK").await;
    let body = |request: &str| request.split_once("\r\n\r\n").unwrap().1.to_owned();
    assert_eq!(body(&first), body(&second));
}

/// Accepts one request on behalf of the merchant's server and responds with `status`.
async fn taken(listener: &tokio::net::TcpListener, status: &str) -> String {
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut bytes = vec![0; 8192];
    let read = stream.read(&mut bytes).await.unwrap();
    let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
    stream.write_all(answer.as_bytes()).await.unwrap();
    String::from_utf8_lossy(&bytes[..read]).into_owned()
}
