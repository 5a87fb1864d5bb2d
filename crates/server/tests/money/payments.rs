//! Promise 7: a payment is credited once, regardless of how often, how late and in which order the
//! card provider reports it. Meanwhile payers return and request the status, and the program is
//! killed. The results are compared with the provider's records.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use axum::extract::ConnectInfo;
use chrono::TimeDelta;
use domain::ids::{CardPaymentId, UserId};
use domain::money::Money;
use reqwest::Client;
use sandbox::Sandbox;
use sandbox::card::{PUBLISHABLE_KEY, SECRET_KEY, WEBHOOK_SECRET};
use serde_json::{Value, json};
use store::{Db, Random, all};
use uuid::Uuid;

use crate::app::{Person, TestApp, request};
use crate::house::House;
use crate::size::{seed, size};
use crate::tally;

stories!(each_payment_is_credited_once);

/// Number of payments between two kills of the program.
const EACH: usize = 10;
/// Number of payments of a payer. A user may start at most ten a minute.
const EACH_PAYER: usize = 4;
/// Maximum number of payers, because at most 200 users may register from one address in a day.
const MOST_PAYERS: usize = 150;
/// Number of a test card whose payments succeed.
const GOOD_CARD: &str = "4242424242424242";

/// A payment that will be made.
struct Payment {
    id: CardPaymentId,
    user: UserId,
    intent: String,
    client_secret: String,
}

// spec: 10.10.08
async fn each_payment_is_credited_once(app: TestApp) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let count = size("SOONER_PAYMENTS", 30, 1_000);
    let seed = seed();
    let random = Random::seeded(seed);
    let sandbox = provider(seed).await;
    let client = Client::builder().timeout(Duration::from_secs(10)).no_proxy().build().unwrap();
    let mut app = app.with_cards(&sandbox.ready());
    let mut payers = Vec::new();
    for n in 0..count.div_ceil(EACH_PAYER).min(MOST_PAYERS) {
        payers.push(app.person(&format!("payer{n}")).await);
    }
    let mut payments = Vec::new();
    for n in 0..count {
        payments.push(prepare(&app, (n, &payers[n % payers.len()]), &random).await);
    }
    let folder = tempfile::tempdir().unwrap();
    let house = House::of(&mut app, folder.path())
        .await
        .with_card(sandbox.control_url(), [SECRET_KEY, PUBLISHABLE_KEY, WEBHOOK_SECRET].map(str::to_owned));
    let base = format!("http://127.0.0.1:{}/api/v1", house.port);
    rules(&sandbox, &client, &format!("{base}/payment/stripe/webhook")).await;
    let mut kills = 0;
    for some in payments.chunks(EACH) {
        let life = house.open().await;
        let paying = futures_util::future::join_all(some.iter().map(|payment| {
            let payer = payers.iter().find(|p| p.id == payment.user).unwrap();
            pay(&sandbox, &client, &base, payment, payer)
        }));
        if random.below(3) > 0 {
            let span = Duration::from_millis(u64::from(random.below(400)));
            tokio::join!(paying, async {
                tokio::time::sleep(span).await;
                life.kill();
            });
            kills += 1;
        } else {
            paying.await;
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }
    let life = house.open().await;
    told_everything(&sandbox, &client).await;
    life.kill();
    let messages = book(&sandbox, &client).await["messages"].clone();
    judge(&house, &payments, &sandbox, &client).await;
    println!(
        "{count} payments over {kills} kills, messages {messages}: {count} credits, 0 double, 0 missing"
    );
}

/// Starts a provider that sends each message three to eight times, in any order. Some messages are
/// forged or outdated.
async fn provider(seed: u64) -> Sandbox {
    let options = sandbox::Options { scenario: "empty".to_owned(), seed, ..sandbox::Options::default() };
    sandbox::start(options).await.unwrap()
}

async fn rules(sandbox: &Sandbox, client: &Client, webhook: &str) {
    let rules = json!({
        "webhook_url": webhook, "copies": [3, 8], "delay_ms": [0, 400], "lost": 0.0, "forged": 0.2, "stale": 0.1,
    });
    let url = format!("{}/control/card", sandbox.control_url());
    let answer = client.post(url).json(&rules).send().await.unwrap();
    assert!(answer.status().is_success(), "{:?}", answer.text().await);
}

/// Prepares a payment with two concurrent requests from a separate address. The payment is not paid
/// yet.
async fn prepare(app: &TestApp, (n, payer): (usize, &Person), random: &Random) -> Payment {
    // All users together may start ten payments a second, and this function sends two requests.
    app.clock.advance(TimeDelta::milliseconds(200));
    let cents = i64::from(random.below(20_000)) + 5_00;
    let key = hex::encode(random.bytes::<12>());
    let address = SocketAddr::from(([10, 0, (n >> 8) as u8, n as u8], 443));
    let click = || {
        let body = Some(json!({ "amount": Money::cad(cents).to_wire(), "metadata": { "source": "money" } }));
        let mut call = request("POST", "/payment/stripe/create-intent", Some(payer), body);
        call.headers_mut().insert("idempotency-key", key.parse().unwrap());
        call.extensions_mut().insert(ConnectInfo(address));
        app.send(call)
    };
    let (one, other) = tokio::join!(click(), click());
    // One of two concurrent requests may have to be repeated.
    let made: Vec<_> = [&one, &other].into_iter().filter(|reply| reply.status == 200).collect();
    assert!(!made.is_empty(), "{one:?} {other:?}");
    let text = |name: &str| made[0].data()[name].as_str().unwrap().to_owned();
    assert!(made.iter().all(|reply| reply.data() == made[0].data()), "one click is one payment");
    let intent = text("payment_intent_id");
    let mut tx = app.app.db.read().await.unwrap();
    let kept = store::card::find(&mut tx, &intent).await.unwrap().unwrap();
    assert_eq!((kept.user, kept.asked), (payer.id, Money::cad(cents)));
    Payment { id: kept.id, user: payer.id, client_secret: text("client_secret"), intent }
}

/// Pays like the browser, and requests the status three times concurrently, while messages arrive.
async fn pay(sandbox: &Sandbox, client: &Client, base: &str, payment: &Payment, payer: &Person) {
    let url = format!("{}/v1/payment_intents/{}/confirm", sandbox.control_url(), payment.intent);
    let form = [
        ("key", PUBLISHABLE_KEY),
        ("client_secret", &payment.client_secret),
        ("payment_method_data[card][number]", GOOD_CARD),
    ];
    let paid = client.post(url).form(&form).send().await.unwrap();
    assert!(paid.status().is_success(), "{:?}", paid.text().await);
    let url = format!("{base}/payment/stripe/status/{}", payment.intent);
    let asked = (0..3).map(|_| client.get(&url).bearer_auth(&payer.access).send());
    futures_util::future::join_all(asked).await;
}

async fn book(sandbox: &Sandbox, client: &Client) -> Value {
    let url = format!("{}/control/card", sandbox.control_url());
    client.get(url).send().await.unwrap().json().await.unwrap()
}

/// Waits until the provider has sent all messages. It repeats refused ones for six minutes. A
/// message that left the provider's list may still be in transit, so the counts must have stopped
/// changing too.
async fn told_everything(sandbox: &Sandbox, client: &Client) {
    let (mut last, mut rested) = (Value::Null, 0);
    for _ in 0..3_000 {
        let messages = book(sandbox, client).await["messages"].take();
        rested = if messages == last && messages["waiting"] == 0 { rested + 1 } else { 0 };
        if rested == 10 {
            return;
        }
        last = messages;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("promise 7: messages are never accepted: {last}");
}

/// Compares the provider's records with the server's, for each payment.
async fn judge(house: &House, payments: &[Payment], sandbox: &Sandbox, client: &Client) {
    let theirs = book(sandbox, client).await;
    let received: HashMap<&str, i64> = theirs["intents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| (i["id"].as_str().unwrap(), i["amount_received"].as_i64().unwrap()))
        .collect();
    let db = Db::open(&house.url).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let rows =
        all!(&mut tx, (Uuid, i64), "SELECT source_id, amount FROM ledger_transfer WHERE kind = 'card'")
            .unwrap();
    drop(tx);
    let mut credits: HashMap<Uuid, Vec<i64>> = HashMap::new();
    for (source, amount) in rows.iter().copied() {
        credits.entry(source).or_default().push(amount);
    }
    let mut purses: HashMap<UserId, i64> = HashMap::new();
    for payment in payments {
        let paid = received[payment.intent.as_str()];
        assert!(paid > 0, "{} was never paid", payment.intent);
        let ours = credits.remove(&payment.id.0).unwrap_or_default();
        assert_eq!(ours, [paid], "promise 7: {} was paid {paid} once", payment.intent);
        *purses.entry(payment.user).or_default() += paid;
    }
    assert!(credits.is_empty(), "promise 7: credits without a payment: {credits:?}");
    let (found, broken) = tally::stored(&db).await;
    assert_eq!(broken, Vec::<String>::new(), "promise 7");
    for (user, paid) in purses {
        assert_eq!(found[&user].posted, paid, "promise 7: {user}");
    }
    let mut tx = db.read().await.unwrap();
    assert_eq!(store::ledger::check(&mut tx).await.unwrap(), []);
}
