//! Stories of individual prices and discount codes over HTTP.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::ids::PricingPlanId;
use domain::money::Money;
use serde_json::{Value, json};
use store::operator::{groups, promos, referrals, users};
use uuid::Uuid;

use crate::app::{Person, Reply};
use crate::stage::Stage;

portal_stories!(
    every_discount_is_shown_on_its_own_line,
    an_invalid_promo_code_returns_the_reason,
    the_last_use_of_a_promo_code_is_given_once,
    a_released_hold_returns_its_promo_code_use,
    a_used_up_promo_code_changes_the_price_of_a_restart,
    a_free_task_is_paid_at_once,
    a_changed_price_must_be_confirmed_again,
    ledger_movements_show_the_balance_after_each,
    a_deleted_account_forfeits_its_balance_by_a_transfer,
    a_referral_code_is_valid_for_new_users_only,
    a_second_account_with_the_same_login_counts_as_one_user,
);

/// Returns a promotion with a discount of `cents`, for all users and without an end.
pub fn promo(code: &str, cents: i64, s: &Stage) -> promos::Promo {
    promos::Promo {
        id: Uuid::from_bytes(s.app.random.bytes()),
        code: code.to_owned(),
        amount: Money::cad(cents),
        starts_at: s.clock.now() - TimeDelta::hours(1),
        ends_at: None,
        use_limit: None,
        per_user_limit: None,
        uses: 0,
        only_user: None,
        only_group: None,
        note: None,
        revoked_at: None,
    }
}

pub async fn keep(s: &Stage, promo: promos::Promo) {
    let mut tx = s.app.db.begin().await.unwrap();
    assert!(promos::add(&mut tx, &promo, s.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
}

pub async fn friends_bring(s: &Stage, newcomer: i64, referrer: i64) {
    let mut tx = s.app.db.begin().await.unwrap();
    referrals::set_worth(&mut tx, Money::cad(newcomer), Money::cad(referrer), s.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn uses(s: &Stage, code: &str) -> i64 {
    let mut tx = s.app.db.read().await.unwrap();
    store::promo::by_code(&mut tx, code).await.unwrap().unwrap().uses
}

pub async fn ready(s: &Stage, person: &Person, name: &str) -> String {
    let number = s.booked(name);
    s.configured(person, name, number).await
}

async fn calculate(s: &Stage, person: &Person, body: Value) -> Value {
    s.ok("POST", "/pricing/calculate", person, body).await
}

async fn submit(s: &Stage, person: &Person, body: Value) -> Reply {
    s.call("POST", "/schedules/submit", Some(person), Some(body)).await
}

// spec: 3.10, 3.11, 3.12, 3.51, 10.11.01
async fn every_discount_is_shown_on_its_own_line(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let mut tx = s.app.db.begin().await.unwrap();
    let group = groups::add(&mut tx, &s.app.random, "agents", Money::cad(50), s.clock.now()).await.unwrap();
    groups::assign(&mut tx, person.id, group).await.unwrap();
    users::set_discount(&mut tx, person.id, Some(Money::cad(1_00)), None, s.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    keep(&s, promo("SPRING", 2_00, &s)).await;
    let lines = json!([
        { "type": "personal", "amount": 1.0 }, { "type": "group", "amount": 0.5 }, { "type": "promo", "amount": 2.0 },
    ]);
    let one = calculate(&s, &person, json!({ "promo_code": " spr-ing " })).await;
    assert_eq!(
        (&one["unit_price"], &one["original_price"], &one["discount_amount"]),
        (&json!(1.5), &json!(5.0), &json!(3.5))
    );
    assert_eq!(one["discount_lines"], lines);
    assert_eq!(one["promo"], json!({ "code": "spr-ing", "status": "applied", "amount": 2.0 }));
    assert_eq!((&one["referral"], &one["calculation"]["user_group_discount"]), (&Value::Null, &json!(0.5)));
    let plain = s.get("/pricing/calculate", &person).await.data().clone();
    assert_eq!((&plain["unit_price"], &plain["promo"]), (&json!(3.5), &Value::Null));
    let (a, b) = (ready(&s, &person, "a").await, ready(&s, &person, "b").await);
    let both = calculate(&s, &person, json!({ "promo_code": "SPRING", "schedule_ids": [a, b] })).await;
    assert_eq!((&both["total_price"], both["schedule_pricing"].as_array().unwrap().len()), (&json!(3.0), 2));
    assert_eq!(both["schedule_pricing"][0]["currency"], "CAD");
    let stranger = s.person("stranger").await;
    let theirs =
        s.call("POST", "/pricing/calculate", Some(&stranger), Some(json!({ "schedule_ids": [a] }))).await;
    assert_eq!(theirs.error(), (404, "NOT_FOUND"));
    let body = json!({ "schedule_ids": [a, b], "promo_code": "SPRING", "expected_total": 3.0 });
    let cost = submit(&s, &person, body).await.data()["cost_details"].clone();
    assert_eq!(
        cost["schedule_breakdown"], both["schedule_pricing"],
        "the submit costs what the preview showed"
    );
    assert_eq!(
        (&cost["schedule_breakdown"][0]["discount_lines"], &cost["total_amount"]),
        (&lines, &json!(3.0))
    );
    assert_eq!(s.credit(&person).await, (47.0, 3.0));
    let price = s.status(&person, &a).await["price"].clone();
    assert_eq!(
        (&price["discount_lines"], &price["original_unit_price"], &price["on_hold"]),
        (&lines, &json!(5.0), &json!(1.5))
    );
    let ledger = s.get("/users/ledger?kind=hold", &person).await.data()["movements"].clone();
    let receipt = s.get(&format!("/users/ledger/{}", ledger[0]["id"].as_str().unwrap()), &person).await;
    let expected = json!([
        { "type": "base", "count": 1, "unit_amount": 5.0, "amount": 5.0 },
        { "type": "personal", "count": 1, "unit_amount": -1.0, "amount": -1.0 },
        { "type": "group", "count": 1, "unit_amount": -0.5, "amount": -0.5 },
        { "type": "promo", "count": 1, "unit_amount": -2.0, "amount": -2.0 },
    ]);
    assert_eq!((&receipt.data()["lines"], &receipt.data()["total"]), (&expected, &json!(1.5)));
    assert_eq!(receipt.data()["to"], "lin@example.com");
    assert_eq!(uses(&s, "SPRING").await, 2);
    s.books_balance().await;
}

// spec: 3.51, 10.11.02
async fn an_invalid_promo_code_returns_the_reason(s: Stage) {
    let (person, other) = (s.payer("lin", 50_00).await, s.payer("sun", 50_00).await);
    let now = s.clock.now();
    keep(&s, promos::Promo { starts_at: now + TimeDelta::hours(9), ..promo("SOON", 1_00, &s) }).await;
    keep(&s, promos::Promo { ends_at: Some(now - TimeDelta::seconds(1)), ..promo("LATE", 1_00, &s) }).await;
    keep(&s, promos::Promo { use_limit: Some(1), ..promo("LAST", 1_00, &s) }).await;
    keep(&s, promos::Promo { per_user_limit: Some(1), ..promo("ONCE", 1_00, &s) }).await;
    keep(&s, promos::Promo { only_user: Some(other.id), ..promo("THEIRS", 1_00, &s) }).await;
    let theirs = ready(&s, &other, "c").await;
    submit(&s, &other, json!({ "schedule_id": theirs, "promo_code": "LAST" })).await.data();
    let first = ready(&s, &person, "a").await;
    submit(&s, &person, json!({ "schedule_id": first, "promo_code": "ONCE" })).await.data();
    let id = ready(&s, &person, "b").await;
    let cases = [
        ("NOSUCH", "unknown"),
        ("SOON", "not_yet"),
        ("LATE", "expired"),
        ("LAST", "used_up"),
        ("ONCE", "used_by_you"),
        ("THEIRS", "not_yours"),
    ];
    for (code, why) in cases {
        let price = calculate(&s, &person, json!({ "promo_code": code, "schedule_ids": [id] })).await;
        assert_eq!(price["promo"], json!({ "code": code, "status": why, "amount": 0.0 }));
        assert_eq!(price["total_price"], 5.0, "priced without it");
        let refused = submit(&s, &person, json!({ "schedule_id": id, "promo_code": code })).await;
        assert_eq!(refused.error(), (422, "PROMO_REFUSED"));
        assert_eq!(refused.body["data"], json!({ "reason": why }));
    }
    // A free task has no amount that could be discounted.
    let mut tx = s.app.db.begin().await.unwrap();
    users::set_discount(&mut tx, person.id, Some(Money::cad(9_00)), None, now).await.unwrap();
    tx.commit().await.unwrap();
    keep(&s, promo("MORE", 1_00, &s)).await;
    let price = calculate(&s, &person, json!({ "promo_code": "MORE", "schedule_ids": [id] })).await;
    assert_eq!((&price["promo"]["status"], &price["total_price"]), (&json!("nothing_left"), &json!(0.0)));
    assert_eq!(s.credit(&person).await, (46.0, 4.0), "a hold was left");
    s.books_balance().await;
}

// spec: 10.11.03
async fn the_last_use_of_a_promo_code_is_given_once(s: Stage) {
    keep(&s, promos::Promo { use_limit: Some(1), ..promo("LAST", 2_00, &s) }).await;
    let mut sides = Vec::new();
    for name in ["one", "two", "three", "four"] {
        let person = s.payer(name, 50_00).await;
        let id = ready(&s, &person, name).await;
        sides.push((person, id));
    }
    let s = Arc::new(s);
    let mut calls = tokio::task::JoinSet::new();
    for (person, id) in sides {
        let s = s.clone();
        calls.spawn(
            async move { submit(&s, &person, json!({ "schedule_id": id, "promo_code": "LAST" })).await },
        );
    }
    let replies = calls.join_all().await;
    assert_eq!(replies.iter().filter(|r| r.status == 200).count(), 1, "{replies:?}");
    for refused in replies.iter().filter(|r| r.status != 200) {
        assert_eq!(
            (refused.error(), &refused.body["data"]["reason"]),
            ((422, "PROMO_REFUSED"), &json!("used_up"))
        );
    }
    assert_eq!(uses(&s, "LAST").await, 1);
    s.books_balance().await;
}

// spec: 10.11.04
async fn a_released_hold_returns_its_promo_code_use(s: Stage) {
    keep(&s, promos::Promo { use_limit: Some(1), ..promo("LAST", 2_00, &s) }).await;
    let (person, other) = (s.payer("lin", 50_00).await, s.payer("sun", 50_00).await);
    let id = ready(&s, &person, "a").await;
    submit(&s, &person, json!({ "schedule_id": id, "promo_code": "LAST" })).await.data();
    assert_eq!(s.credit(&person).await, (47.0, 3.0));
    let released = s.plain("DELETE", &format!("/schedules/{id}"), &person).await;
    assert_eq!((&released.data()["released_amount"], uses(&s, "LAST").await), (&json!(3.0), 0));
    let theirs = ready(&s, &other, "b").await;
    submit(&s, &other, json!({ "schedule_id": theirs, "promo_code": "LAST" })).await.data();
    assert_eq!(uses(&s, "LAST").await, 1);
    s.books_balance().await;
}

// spec: 10.11.04
async fn a_used_up_promo_code_changes_the_price_of_a_restart(s: Stage) {
    keep(&s, promos::Promo { use_limit: Some(1), ..promo("LAST", 2_00, &s) }).await;
    let (person, other) = (s.payer("lin", 50_00).await, s.payer("sun", 50_00).await);
    let number = s.booked("a");
    let id = s.configured(&person, "a", number).await;
    submit(&s, &person, json!({ "schedule_id": id, "promo_code": "LAST" })).await.data();
    // The group disappears and returns. Hold and code were released in between, and another user
    // used the code.
    let group = s.sandbox.with_world(|w| w.groups.remove(&number).unwrap());
    s.run_for(TimeDelta::minutes(10)).await;
    assert_eq!((s.credit(&person).await, uses(&s, "LAST").await), ((50.0, 0.0), 0));
    s.sandbox.with_world(|w| w.groups.insert(number, group));
    let theirs = ready(&s, &other, "b").await;
    submit(&s, &other, json!({ "schedule_id": theirs, "promo_code": "LAST" })).await.data();
    let path = format!("/schedules/{id}/start");
    let refused = s.plain("POST", &path, &person).await;
    assert_eq!(refused.error(), (409, "PRICE_CHANGED"));
    assert_eq!(refused.body["data"]["cost_details"]["total_amount"], 5.0);
    let started = s.ok("POST", &path, &person, json!({ "expected_total": 5.0 })).await;
    assert_eq!(started["schedule"]["price"]["discount_lines"], json!([]));
    assert_eq!(s.credit(&person).await, (45.0, 5.0));
    s.books_balance().await;
}

// spec: 10.11.05
async fn a_free_task_is_paid_at_once(s: Stage) {
    keep(&s, promo("FREE", 5_00, &s)).await;
    let person = s.person("lin").await;
    let id = ready(&s, &person, "a").await;
    let body = json!({ "schedule_id": id, "promo_code": "FREE", "expected_total": 0 });
    let data = submit(&s, &person, body).await.data().clone();
    assert_eq!(data["cost_details"]["total_amount"], 0.0);
    let price = s.status(&person, &id).await["price"].clone();
    assert!(price["captured_at"].is_string() && price["entitled_until"].is_string(), "{price}");
    assert_eq!((&price["captured"], &price["on_hold"]), (&json!(0.0), &json!(0.0)));
    assert_eq!(
        s.get("/users/ledger", &person).await.data()["movements"],
        json!([]),
        "there is no transfer of zero"
    );
    s.plain("DELETE", &format!("/schedules/{id}"), &person).await.data();
    assert_eq!(uses(&s, "FREE").await, 1, "the code is used up");
    s.books_balance().await;
}

// spec: 10.11.06
async fn a_changed_price_must_be_confirmed_again(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = ready(&s, &person, "a").await;
    let seen = calculate(&s, &person, json!({ "schedule_ids": [id] })).await["total_price"].clone();
    let mut tx = s.app.db.begin().await.unwrap();
    let now = s.clock.now();
    let plan = PricingPlanId::new(now, s.app.random.bytes());
    store::pricing::set_standing(&mut tx, now, plan, Money::cad(7_50)).await.unwrap();
    tx.commit().await.unwrap();
    let refused = submit(&s, &person, json!({ "schedule_id": id, "expected_total": seen })).await;
    assert_eq!(refused.error(), (409, "PRICE_CHANGED"));
    let new = refused.body["data"]["cost_details"]["total_amount"].clone();
    assert_eq!((&new, s.credit(&person).await), (&json!(7.5), (50.0, 0.0)));
    submit(&s, &person, json!({ "schedule_id": id, "expected_total": new })).await.data();
    assert_eq!(s.credit(&person).await, (42.5, 7.5));
}

// spec: 10.11.13
async fn ledger_movements_show_the_balance_after_each(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = ready(&s, &person, "a").await;
    submit(&s, &person, json!({ "schedule_id": id })).await.data();
    s.plain("DELETE", &format!("/schedules/{id}"), &person).await.data();
    let data = s.get("/users/ledger", &person).await.data().clone();
    let figures = |m: &Value| {
        ["amount", "held_change", "balance_after", "held_after"].map(|name| m[name].as_f64().unwrap())
    };
    let seen: Vec<_> = data["movements"].as_array().unwrap().iter().map(figures).collect();
    assert_eq!(seen, [[5.0, -5.0, 50.0, 0.0], [-5.0, 5.0, 45.0, 5.0], [50.0, 0.0, 50.0, 0.0]]);
    assert_eq!(
        (&data["movements"][1]["task"]["id"], &data["movements"][1]["task"]["label"]),
        (&json!(id), &json!("A"))
    );
    let first = s.get("/users/ledger?limit=2", &person).await.data().clone();
    let rest =
        s.get(&format!("/users/ledger?limit=2&before={}", first["next"].as_str().unwrap()), &person).await;
    assert_eq!(
        (rest.data()["movements"][0]["kind"].as_str(), &rest.data()["next"]),
        (Some("topup"), &Value::Null)
    );
    let day = s.clock.now().date_naive();
    for (query, count) in [
        ("kind=release".to_owned(), 1),
        (format!("from={day}&to={day}"), 3),
        (format!("from={}", day + TimeDelta::days(1)), 0),
        (format!("to={}", day - TimeDelta::days(1)), 0),
    ] {
        let found = s.get(&format!("/users/ledger?{query}"), &person).await.data()["movements"].clone();
        assert_eq!(found.as_array().unwrap().len(), count, "{query}");
    }
    assert_eq!(s.get("/users/ledger?from=soon", &person).await.error(), (422, "VALIDATION_FAILED"));
    assert_eq!(s.get("/users/ledger?kind=gift", &person).await.error(), (400, "INVALID_QUERY"));
    let path = format!("/users/ledger/{}", data["movements"][2]["id"].as_str().unwrap());
    let receipt = s.get(&path, &person).await.data().clone();
    assert_eq!((&receipt["lines"][0]["type"], &receipt["total"]), (&json!("topup"), &json!(50.0)));
    assert!(receipt["number"].as_str().unwrap().starts_with('S'));
    let stranger = s.person("stranger").await;
    assert_eq!(s.get(&path, &stranger).await.error(), (404, "NOT_FOUND"));
}

// spec: 10.11.14
async fn a_deleted_account_forfeits_its_balance_by_a_transfer(s: Stage) {
    let person = s.payer("lin", 20_00).await;
    let id = ready(&s, &person, "a").await;
    keep(&s, promo("SPRING", 2_00, &s)).await;
    submit(&s, &person, json!({ "schedule_id": id, "promo_code": "SPRING" })).await.data();
    s.ok("POST", "/auth/step-up", &person, json!({ "password": crate::app::PASSWORD })).await;
    s.ok("POST", "/user/deletion", &person, json!({ "forfeit_balance": 20.0 })).await;
    let mut tx = s.app.db.read().await.unwrap();
    let left =
        store::ledger::movements(&mut tx, person.id, &store::ledger::Filter::default(), 9).await.unwrap();
    let kinds: Vec<_> = left.iter().map(|m| (m.kind.as_str(), m.balance_after.minor)).collect();
    assert_eq!(kinds[0], ("forfeit", 0), "{kinds:?}");
    drop(tx);
    assert_eq!(uses(&s, "SPRING").await, 0);
    s.books_balance().await;
}

// spec: 3.12, 10.11.10
async fn a_referral_code_is_valid_for_new_users_only(s: Stage) {
    let friend = s.payer("friend", 50_00).await;
    let own = s.get("/users/referral", &friend).await.data().clone();
    assert_eq!((&own["newcomer_discount"], &own["invited"]), (&json!(0.0), &json!(0)));
    let code = own["code"].as_str().unwrap().to_owned();
    let person = s.payer("lin", 50_00).await;
    let ask = async |who: &Person, code: &str| {
        calculate(&s, who, json!({ "referral_code": code })).await["referral"]["status"].clone()
    };
    assert_eq!(ask(&person, &code).await, "nothing_left", "the referral gives nothing yet");
    friends_bring(&s, 1_00, 3_00).await;
    assert_eq!(ask(&person, &code.to_uppercase()).await, "applied");
    assert_eq!(ask(&person, "nobody").await, "unknown");
    assert_eq!(ask(&friend, &code).await, "own_code");
    // Two accounts with one portal login are not a referral.
    let number = s.booked("shared");
    let (theirs, mine) =
        (s.configured(&friend, "shared", number).await, s.configured(&person, "shared", number).await);
    assert_eq!(ask(&person, &code).await, "not_yours");
    let refused = submit(&s, &person, json!({ "schedule_id": mine, "referral_code": code })).await;
    assert_eq!(
        (refused.error(), &refused.body["data"]["reason"]),
        ((422, "REFERRAL_REFUSED"), &json!("not_yours"))
    );
    submit(&s, &friend, json!({ "schedule_id": theirs })).await.data();
    // Only the first task of a user counts. If its hold is released, the next task counts as the
    // first.
    let third = s.payer("wu", 50_00).await;
    let (a, b) = (ready(&s, &third, "a").await, ready(&s, &third, "b").await);
    let body = json!({ "schedule_ids": [a, b], "referral_code": code });
    let cost = submit(&s, &third, body).await.data()["cost_details"].clone();
    assert_eq!(cost["total_amount"], 9.0, "only the first of two");
    assert_eq!(ask(&third, &code).await, "not_first");
    assert_eq!(s.get("/users/referral", &friend).await.data()["waiting"], 1);
    for id in [&a, &b] {
        s.plain("DELETE", &format!("/schedules/{id}"), &third).await.data();
    }
    assert_eq!(ask(&third, &code).await, "applied");
    s.books_balance().await;
}

// spec: 10.7.71
async fn a_second_account_with_the_same_login_counts_as_one_user(s: Stage) {
    keep(&s, promos::Promo { per_user_limit: Some(1), ..promo("ONCE", 1_00, &s) }).await;
    friends_bring(&s, 1_00, 1_00).await;
    let group = |name: &str| sandbox::world::NewGroup {
        appointment: Some(crate::stage::at(crate::stage::TORONTO, "2027-08-17", "08:15")),
        applicants: vec![name.to_owned()],
        ..sandbox::world::NewGroup::default()
    };
    let numbers = s.portal("family", vec![group("ONE"), group("TWO")]);
    let (friend, first) = (s.payer("friend", 50_00).await, s.payer("lin", 50_00).await);
    let id = s.configured(&first, "family", numbers[0]).await;
    submit(&s, &first, json!({ "schedule_id": id, "promo_code": "ONCE" })).await.data();
    // Another account verifies the same portal login. The first account is deleted in between.
    let second = s.payer("lin+1", 50_00).await;
    let found = s.verify(&second, "family", crate::stage::PORTAL_PASSWORD).await;
    let other = found.data()["schedules"]
        .as_array()
        .unwrap()
        .iter()
        .find(|task| task["appointments"][0]["schedule_id"] == json!(numbers[1].to_string()));
    let other = other.unwrap()["id"].as_str().unwrap().to_owned();
    s.ok("POST", "/schedules/configure", &second, crate::stage::configuration(&other, numbers[1])).await;
    let price = calculate(&s, &second, json!({ "promo_code": "ONCE", "schedule_ids": [other] })).await;
    assert_eq!(price["promo"]["status"], "used_by_you");
    let code = s.get("/users/referral", &friend).await.data()["code"].as_str().unwrap().to_owned();
    let price = calculate(&s, &second, json!({ "referral_code": code, "schedule_ids": [other] })).await;
    assert_eq!(price["referral"]["status"], "not_first");
    let refused = submit(&s, &second, json!({ "schedule_id": other, "promo_code": "ONCE" })).await;
    assert_eq!(refused.error(), (422, "PROMO_REFUSED"));
    // An unrelated user may use the code.
    let third = s.payer("sun", 50_00).await;
    let id = ready(&s, &third, "sun").await;
    let price = calculate(&s, &third, json!({ "promo_code": "ONCE", "schedule_ids": [id] })).await;
    assert_eq!(price["promo"]["status"], "applied");
}
