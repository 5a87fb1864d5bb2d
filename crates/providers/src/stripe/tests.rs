//! Tests with signatures as documented by Stripe, and with a provider that misbehaves.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::webhook::{About, NotBelieved};
use super::*;

const NOW: i64 = 1_795_000_000;

fn client(api_url: &str) -> Stripe {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Stripe::new(Config {
        api_url: api_url.to_owned(),
        secret_key: "sk_test_x".to_owned().into(),
        webhook_secret: "whsec_x".to_owned().into(),
        timeout: Duration::from_millis(300),
    })
    .unwrap()
}

fn signed(secret: &str, at: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{at}.{body}").as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={at},v1={hex}")
}

fn intent() -> Value {
    json!({ "id": "pi_1", "object": "payment_intent", "amount": 5000, "amount_received": 5000, "currency": "cad",
        "status": "succeeded", "metadata": { "sooner_user": "u" } })
}

fn message(kind: &str, object: &Value) -> String {
    json!({ "id": "evt_1", "object": "event", "type": kind, "data": { "object": object } }).to_string()
}

#[test]
fn only_signed_recent_webhooks_are_accepted() {
    let stripe = client("https://api.example.com");
    let body = message("payment_intent.succeeded", &intent());
    let right = signed("whsec_x", NOW, &body);
    let read = |signature: &str, body: &str, now| stripe.event(signature, body.as_bytes(), now);
    let event = read(&right, &body, NOW).unwrap();
    let About::Intent(intent) = event.about else { panic!("an intent") };
    assert_eq!((intent.amount_received, intent.status), (5000, IntentStatus::Succeeded));
    assert!(read(&right, &body, NOW + 300).is_ok() && read(&right, &body, NOW - 300).is_ok());
    for now in [NOW + 301, NOW - 301, i64::MAX, i64::MIN] {
        assert_eq!(read(&right, &body, now).unwrap_err(), NotBelieved::Stale);
    }
    for wrong in ["", "t=1", "v1=00", "t=x,v1=00", "t=1795000000,v0=00", "t=1795000000,v1=0", "nonsense"] {
        assert_eq!(read(wrong, &body, NOW).unwrap_err(), NotBelieved::Unsigned, "{wrong}");
    }
    assert_eq!(read(&signed("whsec_y", NOW, &body), &body, NOW).unwrap_err(), NotBelieved::Forged);
    assert_eq!(read(&right, &body.replace("5000", "9000"), NOW).unwrap_err(), NotBelieved::Forged);
    assert_eq!(
        read(&right.replace("t=1795000000", "t=1795000001"), &body, NOW).unwrap_err(),
        NotBelieved::Forged
    );
    // While the secret is being replaced, the header contains two signatures.
    let old = signed("whsec_old", NOW, &body);
    assert!(read(&format!("{old},{}", right.split_once(',').unwrap().1), &body, NOW).is_ok());
    let empty = "{}".to_owned();
    assert_eq!(read(&signed("whsec_x", NOW, &empty), &empty, NOW).unwrap_err(), NotBelieved::Malformed);
}

#[test]
fn webhooks_parse_into_typed_objects() {
    let stripe = client("https://api.example.com");
    let about = |kind: &str, object: Value| {
        let body = message(kind, &object);
        stripe.event(&signed("whsec_x", NOW, &body), body.as_bytes(), NOW).unwrap().about
    };
    let dispute =
        json!({ "id": "dp_1", "payment_intent": "pi_1", "amount": 5000, "status": "needs_response" });
    let About::Dispute(dispute) = about("charge.dispute.created", dispute) else { panic!("a dispute") };
    assert!(dispute.moves_money());
    for status in ["warning_needs_response", "warning_closed", "prevented"] {
        let inquiry = json!({ "id": "dp_2", "payment_intent": "pi_1", "amount": 1, "status": status });
        let About::Dispute(inquiry) = about("charge.dispute.created", inquiry) else { panic!("a dispute") };
        assert!(!inquiry.moves_money(), "{status}");
    }
    let charge = json!({ "id": "ch_1", "payment_intent": "pi_1", "amount_refunded": 300 });
    assert!(matches!(about("charge.refunded", charge), About::Refunded { intent } if intent == "pi_1"));
    let refund =
        json!({ "id": "re_1", "status": "failed", "amount": 300, "metadata": { "sooner_refund": "r" } });
    let About::Refund(refund) = about("refund.failed", refund) else { panic!("a refund") };
    assert!(refund.has_failed());
    assert_eq!((refund.amount, refund.key()), (300, Some("r")));
    assert!(matches!(about("customer.created", json!({ "id": "cus_1" })), About::Other));
}

/// Returns a client of a provider that sends `answer` in response to every request.
async fn answering(answer: String) -> Stripe {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let answer = answer.clone();
            tokio::spawn(async move {
                let mut request = vec![0; 4096];
                let _ = stream.read(&mut request).await;
                let _ = stream.write_all(answer.as_bytes()).await;
            });
        }
    });
    client(&url)
}

fn http(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn provider_failures_have_clear_messages() {
    let cases = [
        (http("401 Unauthorized", "{}"), "the card provider refused the API key"),
        (http("404 Not Found", "{}"), "the card provider does not have the requested object"),
        (
            http("400 Bad Request", r#"{"error":{"type":"idempotency_error"}}"#),
            "the idempotency key was used for another call",
        ),
        (
            http("402 Payment Required", r#"{"error":{"type":"card_error","code":"card_declined"}}"#),
            "the card provider refused the request: card_declined",
        ),
        (http("429 Too Many Requests", "{}"), "the card provider is unavailable: it answers 429"),
        (http("503 Service Unavailable", "<html>"), "the card provider is unavailable: it answers 503"),
        (
            http("302 Found\r\nlocation: http://127.0.0.1:1/", ""),
            "the card provider is unavailable: it answers 302",
        ),
        (
            http("200 OK", r#"{"client_secret":"pi_1_secret_x"}"#),
            "the card provider is unavailable: the answer is malformed",
        ),
        (
            http("200 OK", &"x".repeat(LARGEST + 1)),
            "the card provider is unavailable: the answer is too large",
        ),
    ];
    for (answer, expected) in cases {
        let stripe = answering(answer).await;
        let refused = stripe.refund("pi_1", 100, "k").await.unwrap_err().to_string();
        assert!(refused.starts_with(expected), "{refused}");
        let unread = stripe.intent("pi_1").await.unwrap_err().to_string();
        assert!(unread.starts_with(expected), "{unread}");
    }
    let silent = answering(String::new()).await;
    assert!(matches!(silent.intent("pi_1").await, Err(StripeError::Unavailable(_))));
    let nobody = client("http://127.0.0.1:1");
    assert!(matches!(nobody.intent("pi_1").await, Err(StripeError::Unavailable(_))));
    for odd in ["pi_1/../../refunds", "pi_1?x", "", "ch_1", "pi_é"] {
        assert!(matches!(nobody.intent(odd).await, Err(StripeError::NotFound)), "{odd}");
    }
    assert!(!format!("{nobody:?}").contains("sk_test"));
}
