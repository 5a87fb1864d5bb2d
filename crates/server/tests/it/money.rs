//! Stories of balances, top-up codes and prices.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::app::{Person, Reply, TestApp, request};
use crate::open_pages::{PROFILE, set_up};

stories!(
    a_topup_code_is_credited_once,
    concurrent_users_of_one_code_get_one_credit,
    concurrent_requests_with_one_key_get_one_credit,
    a_repeated_request_gets_the_same_response,
    guessing_topup_codes_is_limited,
    prices_are_shown,
    frozen_money_does_not_move,
    a_charge_has_a_receipt_with_its_tax,
);

// spec: 10.11.27, 3.06, 3.60, 7.2.01, 7.2.06, 7.2.07, 8.3.01, 8.3.02, 8.3.03
async fn a_topup_code_is_credited_once(app: TestApp) {
    let person = app.person("payer").await;
    let code = app.code(50_00).await;
    let typed = format!("{} {}-{}{}", &code[..4], code[4..8].to_uppercase(), &code[8..12], &code[12..]);
    let body = || Some(json!({ "code": typed }));
    let valid = app.call("POST", "/topup/validate", Some(&person), body()).await;
    assert_eq!(valid.data(), &json!({ "valid": true }));
    let used = app.call("POST", "/topup/use", Some(&person), body()).await;
    let expected = json!({
        "message": "Topup successful", "amount": 50.0, "currency": "CAD", "balance_before": 0.0, "balance_after": 50.0,
    });
    assert_eq!(used.data(), &expected);
    let again = app.call("POST", "/topup/use", Some(&person), body()).await;
    assert_eq!(again.error(), (409, "TOPUP_CODE_USED"));
    assert_eq!(again.body["error"]["message"], "Topup code has already been used");
    assert_eq!(app.call("POST", "/topup/validate", Some(&person), body()).await.data()["valid"], false);
    let credit = app.get("/users/credit", &person).await;
    assert_eq!(credit.data(), &json!({ "credit": 50.0, "on_hold": 0.0, "currency": "CAD" }));
    let ledger = app.get("/users/ledger?limit=10", &person).await;
    let movement = &ledger.data()["movements"][0];
    assert_eq!((&movement["kind"], &movement["amount"]), (&json!("topup"), &json!(50.0)));
    assert_eq!((&movement["code_tail"], &ledger.data()["next"]), (&json!(&code[12..]), &Value::Null));
    let told =
        json!({ "amount": "50.00 CAD", "available": "50.00 CAD", "tail": &code[12..], "description": null });
    assert_eq!(app.mails().await, [("credited".to_owned(), person.email.clone(), told)], "once");
    let wrong = app.call("POST", "/topup/use", Some(&person), Some(json!({ "code": "0".repeat(16) }))).await;
    assert_eq!(wrong.error(), (404, "TOPUP_CODE_INVALID"));
    let late = app.code(10_00).await;
    app.wait(3600);
    let person = refresh(&app, &person).await;
    let late = app.call("POST", "/topup/use", Some(&person), Some(json!({ "code": late }))).await;
    assert_eq!(late.error(), (410, "TOPUP_CODE_EXPIRED"));
    assert_eq!(app.get("/users/ledger?limit=0", &person).await.error(), (422, "VALIDATION_FAILED"));
    assert_eq!(app.get("/users/ledger?page=1", &person).await.error(), (400, "INVALID_QUERY"));
    app.books_balance().await;
}

async fn refresh(app: &TestApp, person: &Person) -> Person {
    let reply = app.post("/auth/refresh", json!({ "refresh_token": person.refresh })).await;
    let access = reply.data()["access_token"].as_str().unwrap().to_owned();
    Person { access, refresh: reply.data()["refresh_token"].as_str().unwrap().to_owned(), ..person.clone() }
}

async fn concurrent_users_of_one_code_get_one_credit(app: TestApp) {
    let mut people = Vec::new();
    for n in 0..8 {
        people.push(app.person(&format!("rush{n}")).await);
    }
    let code = app.code(50_00).await;
    let replies = at_once(app, 64, |n| (people[n % 8].clone(), json!({ "code": code }), None)).await;
    let (app, replies) = replies;
    assert_eq!(replies.iter().filter(|r| r.status == 200).count(), 1);
    let mut sum = 0.0;
    for person in &people {
        sum += app.get("/users/credit", person).await.data()["credit"].as_f64().unwrap();
    }
    assert!((sum - 50.0).abs() < f64::EPSILON);
    app.books_balance().await;
}

async fn concurrent_requests_with_one_key_get_one_credit(app: TestApp) {
    let person = app.person("clicker").await;
    let code = app.code(50_00).await;
    let (app, replies) = at_once(app, 64, |_| (person.clone(), json!({ "code": code }), Some("one"))).await;
    // All requests with the same key get the first response, or must be repeated.
    let done: Vec<_> = replies.iter().filter(|r| r.status == 200).map(|r| r.body.clone()).collect();
    assert!(!done.is_empty() && done.iter().all(|body| body == &done[0]));
    for reply in replies.iter().filter(|r| r.status != 200) {
        assert_eq!(reply.status, 409, "{reply:?}");
    }
    assert_eq!(app.get("/users/credit", &person).await.data()["credit"], 50.0);
    app.books_balance().await;
}

async fn at_once(
    app: TestApp,
    count: usize,
    what: impl Fn(usize) -> (Person, Value, Option<&'static str>),
) -> (Arc<TestApp>, Vec<Reply>) {
    let app = Arc::new(app);
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..count {
        let (app, (person, body, key)) = (app.clone(), what(n));
        calls.spawn(async move { app.send(keyed("/topup/use", &person, &body, key)).await });
    }
    (app, calls.join_all().await)
}

fn keyed(path: &str, person: &Person, body: &Value, key: Option<&str>) -> Request<Body> {
    let mut request = request("POST", path, Some(person), Some(body.clone()));
    if let Some(key) = key {
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
    }
    request
}

// spec: 10.5.09
async fn a_repeated_request_gets_the_same_response(app: TestApp) {
    let person = app.person("repeater").await;
    let (first, second) = (app.code(10_00).await, app.code(20_00).await);
    let use_code =
        |code: &str, key: &'static str| keyed("/topup/use", &person, &json!({ "code": code }), Some(key));
    let answer = app.send(use_code(&first, "k1")).await;
    assert_eq!(answer.data()["balance_after"], 10.0);
    app.send(use_code(&second, "k2")).await.data();
    let again = app.send(use_code(&first, "k1")).await;
    assert_eq!(again.body, answer.body, "the old response, although the balance has changed");
    let other = app.send(use_code(&second, "k1")).await;
    assert_eq!(other.error(), (422, "IDEMPOTENCY_KEY_REUSED"));
    let stranger = app.person("stranger").await;
    let theirs = app.send(keyed("/topup/use", &stranger, &json!({ "code": first }), Some("k1"))).await;
    assert_eq!(theirs.error(), (409, "TOPUP_CODE_USED"), "keys belong to their user");
    let mut odd = use_code(&first, "k1");
    odd.headers_mut().insert("idempotency-key", "x".repeat(256).parse().unwrap());
    assert_eq!(app.send(odd).await.error(), (400, "INVALID_QUERY"));
    assert_eq!(app.get("/users/credit", &person).await.data()["credit"], 30.0);
    app.books_balance().await;
}

// spec: 10.7.04
async fn guessing_topup_codes_is_limited(app: TestApp) {
    let person = app.person("guesser").await;
    let code = app.code(10_00).await;
    for n in 0..10 {
        let body = Some(json!({ "code": format!("{n:016x}") }));
        assert_eq!(app.call("POST", "/topup/validate", Some(&person), body).await.data()["valid"], false);
    }
    for path in ["/topup/validate", "/topup/use"] {
        let reply = app.call("POST", path, Some(&person), Some(json!({ "code": code }))).await;
        assert_eq!(reply.error(), (429, "TOO_MANY_ATTEMPTS"));
        assert!(reply.headers.contains_key("retry-after"));
    }
    let other = app.person("bystander").await;
    let reply = app.call("POST", "/topup/use", Some(&other), Some(json!({ "code": code }))).await;
    assert_eq!(reply.status, 200);
}

// spec: 3.07, 3.09, 3.10, 3.11, 7.2.02, 7.2.03, 7.2.04
async fn prices_are_shown(app: TestApp) {
    let person = app.person("reader").await;
    let plans = app.send(request("GET", "/pricing/plans", None, None)).await;
    let plan = &plans.data()["plans"][0];
    assert_eq!((&plan["unit_price"], &plan["currency"]), (&json!(5.0), &json!("CAD")));
    let own = json!({ "user_id": person.id, "pricing_plan_id": plan["id"], "promo_code": "NONE", "referral_code": "x" });
    let price = app.call("POST", "/pricing/calculate", Some(&person), Some(own)).await;
    assert_eq!((&price.data()["unit_price"], &price.data()["original_price"]), (&json!(5.0), &json!(5.0)));
    assert_eq!(price.data()["calculation"]["user_specific_price"], 5.0);
    assert_eq!(price.data()["promo"], json!({ "code": "NONE", "status": "unknown", "amount": 0.0 }));
    let plain = app.get("/pricing/calculate", &person).await.data().clone();
    assert_eq!((&plain["calculation"], &plain["promo"]), (&price.data()["calculation"], &Value::Null));
    let other = json!({ "user_id": "00000000-0000-7000-8000-000000000000" });
    let refused = app.call("POST", "/pricing/calculate", Some(&person), Some(other)).await;
    assert_eq!(refused.error(), (403, "FORBIDDEN"));
    let unknown = json!({ "pricing_plan_id": "00000000-0000-7000-8000-000000000000" });
    let refused = app.call("POST", "/pricing/calculate", Some(&person), Some(unknown)).await;
    assert_eq!(refused.error(), (404, "NOT_FOUND"));
}

async fn frozen_money_does_not_move(app: TestApp) {
    let person = app.person("frozen").await;
    let code = app.code(10_00).await;
    let mut tx = app.app.db.begin().await.unwrap();
    store::ledger::freeze(&mut tx, app.clock.now(), "M1 at CAD").await.unwrap();
    tx.commit().await.unwrap();
    let body = || Some(json!({ "code": code }));
    let refused = app.call("POST", "/topup/use", Some(&person), body()).await;
    assert_eq!(refused.error(), (503, "MONEY_FROZEN"));
    server::run::housekeeping_round(&app.app).await.unwrap();
    let mut tx = app.app.db.begin().await.unwrap();
    store::ledger::thaw(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(
        app.call("POST", "/topup/use", Some(&person), body()).await.status,
        200,
        "the code was not lost"
    );
}

// spec: 10.11.26
async fn a_charge_has_a_receipt_with_its_tax(mut app: TestApp) {
    let person = app.person("payer").await;
    let code = app.code(50_00).await;
    assert_eq!(
        app.call("POST", "/topup/use", Some(&person), Some(json!({ "code": code }))).await.status,
        200
    );
    let (now, amount) = (app.app.now(), domain::money::Money::cad(38_00));
    let mut tx = app.app.db.begin().await.unwrap();
    let task = (store::ledger::SOURCE_TASK, domain::ids::uuid_v7(now, app.app.random.bytes()));
    let hold = store::ledger::hold(&mut tx, &app.app.random, person.id, amount, task, now).await.unwrap();
    store::ledger::capture(&mut tx, &app.app.random, hold, now).await.unwrap();
    tx.commit().await.unwrap();
    let receipts = async |app: &TestApp| {
        let ledger = app.get("/users/ledger", &person).await.data()["movements"].clone();
        let mut receipts = Vec::new();
        for movement in ledger.as_array().unwrap() {
            let path = format!("/users/ledger/{}", movement["id"].as_str().unwrap());
            receipts.push(app.get(&path, &person).await.data().clone());
        }
        receipts
    };
    for unnamed in receipts(&app).await {
        assert_eq!((&unnamed["issuer"], &unnamed["included_tax"]), (&Value::Null, &Value::Null));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("operator.toml");
    std::fs::write(&file, PROFILE).unwrap();
    set_up(&mut app, |settings| settings.operator = Some(file));
    let issuer =
        json!({ "name": "Example <Ltd>", "address": "1 Main St, Toronto", "tax_number": "12345 RT0001" });
    let holds = app.get("/users/ledger?kind=hold&limit=1", &person).await;
    assert_eq!(holds.data()["kinds"], json!(["topup", "hold", "capture"]), "whatever the filter");
    for receipt in receipts(&app).await {
        assert_eq!(receipt["issuer"], issuer);
        let tax = match receipt["kind"].as_str().unwrap() {
            "capture" => json!({ "name": "HST", "percent": "13", "amount": 4.37 }),
            // A top-up or a hold sells nothing yet.
            _ => Value::Null,
        };
        assert_eq!(receipt["included_tax"], tax, "{receipt}");
    }
    app.books_balance().await;
}
