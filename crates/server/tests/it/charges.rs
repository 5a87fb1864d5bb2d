//! Stories of the price of a booking, of free further bookings, and of the hold when a user or the
//! portal changes something.

use chrono::TimeDelta;
use domain::country::CountryCode;
use serde_json::{Value, json};

use crate::app::Person;
use crate::prices::{friends_bring, keep, promo};
use crate::stage::{Stage, TORONTO, at};

portal_stories!(
    a_capture_entitles_its_applicants_for_a_year,
    a_larger_group_must_accept_the_price_difference,
    a_group_pays_for_an_applicant_added_after_a_booking,
    a_referrer_gets_a_bonus_once,
    a_referrer_with_the_same_portal_login_gets_no_bonus,
    a_notified_user_who_books_the_slot_pays,
    a_deleted_notify_task_is_polled_once_more,
);

async fn submit(s: &Stage, person: &Person, id: &str) -> Value {
    s.ok("POST", "/schedules/submit", person, json!({ "schedule_id": id })).await
}

/// Submits a task for a new group, and runs until the engine has booked.
async fn booked(s: &Stage, person: &Person, name: &str) -> (String, u64) {
    let number = s.booked(name);
    let id = s.configured(person, name, number).await;
    submit(s, person, &id).await;
    s.run_for(TimeDelta::minutes(2)).await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    until_booked(s, number).await;
    (id, number)
}

/// Runs until the engine has booked for a group. A single account may poll only a few times an
/// hour.
async fn until_booked(s: &Stage, number: u64) {
    for _ in 0..40 {
        s.run_for(TimeDelta::minutes(14)).await;
        let found =
            s.sandbox.with_world(|w| w.groups[&number].appointment.as_ref().map(|a| a.date.to_string()));
        if found.as_deref() == Some("2027-02-09") {
            return s.run_for(TimeDelta::minutes(5)).await;
        }
    }
    panic!("nothing was booked");
}

/// Adds an applicant to a group at the portal.
fn join(s: &Stage, number: u64, name: &str) {
    s.sandbox.with_world(|w| {
        let group = w.groups.get_mut(&number).unwrap();
        let mut joined = group.applicants[0].clone();
        (joined.id, joined.name) = (joined.id + 1_000, name.to_owned());
        group.applicants.push(joined);
    });
}

async fn kinds(s: &Stage, person: &Person) -> Vec<String> {
    let data = s.get("/users/ledger", person).await.data()["movements"].clone();
    data.as_array().unwrap().iter().map(|m| m["kind"].as_str().unwrap().to_owned()).collect()
}

// spec: 10.11.07
async fn a_capture_entitles_its_applicants_for_a_year(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let (id, number) = booked(&s, &person, "lin").await;
    let person = s.again(&person).await;
    let price = s.status(&person, &id).await["price"].clone();
    assert_eq!((&price["captured"], s.credit(&person).await), (&json!(5.0), (45.0, 0.0)));
    assert!(price["entitled_until"].is_string(), "{price}");
    s.plain("DELETE", &format!("/schedules/{id}"), &person).await.data();
    // A new task for the group is free for applicants whose price was paid, and costs the full
    // price for a new applicant.
    let id = s.configured(&person, "lin", number).await;
    let ask = async |person: &Person, id: &str| {
        let asked = json!({ "schedule_ids": [id] });
        s.ok("POST", "/pricing/calculate", person, asked).await["schedule_pricing"][0].clone()
    };
    let line = ask(&person, &id).await;
    assert_eq!((&line["entitled_applicants"], &line["total_price"]), (&json!(1), &json!(0.0)));
    join(&s, number, "SUN");
    let id = s.configured(&person, "lin", number).await;
    let line = ask(&person, &id).await;
    assert_eq!((&line["applicants_count"], &line["total_price"]), (&json!(2), &json!(5.0)));
    submit(&s, &person, &id).await;
    assert_eq!(s.credit(&person).await, (40.0, 5.0));
    s.plain("DELETE", &format!("/schedules/{id}"), &person).await.data();
    // After a year, further bookings are no longer free.
    s.wait(365 * 24 * 3600);
    let person = s.again(&person).await;
    let mut tx = s.app.db.read().await.unwrap();
    let group = domain::ids::PortalScheduleId(number.to_string());
    let now = s.clock.now();
    let left =
        store::journal::entitled(&mut tx, person.id, (CountryCode::CANADA, &group), now).await.unwrap();
    assert_eq!(left, 0);
    drop(tx);
    s.books_balance().await;
}

// spec: 10.11.08
async fn a_larger_group_must_accept_the_price_difference(s: Stage) {
    let person = s.payer("lin", 9_00).await;
    keep(&s, promo("SPRING", 1_00, &s)).await;
    let number = s.booked("lin");
    let id = s.configured(&person, "lin", number).await;
    let body = json!({ "schedule_id": id, "promo_code": "SPRING" });
    s.ok("POST", "/schedules/submit", &person, body).await;
    join(&s, number, "SUN");
    s.run_for(TimeDelta::minutes(5)).await;
    let task = s.status(&person, &id).await;
    assert_eq!((&task["status"], &task["status_reason"]), (&json!("error"), &json!("group_changed")));
    let difference = json!({ "applicants_now": 2, "applicants_priced": 1, "amount": 4.0 });
    assert_eq!((&task["price"]["difference"], &task["price"]["on_hold"]), (&difference, &json!(4.0)));
    let path = format!("/schedules/{id}/accept-group");
    let refused = s.call("POST", &path, Some(&person), Some(json!({ "expected_total": 5.0 }))).await;
    assert_eq!(refused.error(), (409, "PRICE_CHANGED"));
    let twice = async || {
        let mut request =
            crate::app::request("POST", &path, Some(&person), Some(json!({ "expected_total": 4.0 })));
        request.headers_mut().insert("idempotency-key", "two-tabs".parse().unwrap());
        s.send(request).await
    };
    let accepted = twice().await.data()["schedule"].clone();
    assert_eq!((&accepted["status"], &accepted["price"]["on_hold"]), (&json!("processing"), &json!(8.0)));
    assert_eq!(twice().await.data()["schedule"], accepted, "the second tab gets the first one's response");
    assert_eq!(
        (s.credit(&person).await, kinds(&s, &person).await),
        ((1.0, 8.0), ["hold", "release", "hold", "topup"].map(str::to_owned).to_vec())
    );
    let again = s.call("POST", &path, Some(&person), None).await;
    assert_eq!(again.error(), (409, "ILLEGAL_TRANSITION"));
    // The price for a third applicant exceeds the balance, so nothing changes.
    join(&s, number, "WU");
    s.run_for(TimeDelta::minutes(10)).await;
    let person = s.again(&person).await;
    let refused = s.call("POST", &path, Some(&person), None).await;
    assert_eq!(
        (refused.error(), &refused.body["data"]["required_amount"]),
        ((402, "INSUFFICIENT_CREDIT"), &json!(4.0))
    );
    assert_eq!(s.credit(&person).await, (1.0, 8.0));
    s.books_balance().await;
}

// spec: 10.11.08
async fn a_group_pays_for_an_applicant_added_after_a_booking(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let (id, number) = booked(&s, &person, "lin").await;
    join(&s, number, "SUN");
    let person = s.again(&person).await;
    s.plain("POST", &format!("/schedules/{id}/stop"), &person).await.data();
    s.plain("POST", &format!("/schedules/{id}/start"), &person).await.data();
    s.run_for(TimeDelta::minutes(5)).await;
    let task = s.status(&person, &id).await;
    assert_eq!(task["status_reason"], "group_changed", "{task}");
    assert_eq!(task["price"]["difference"]["amount"], 5.0);
    let body = json!({ "expected_total": 5.0 });
    let accepted = s.ok("POST", &format!("/schedules/{id}/accept-group"), &person, body).await;
    let price = &accepted["schedule"]["price"];
    assert_eq!(
        (&price["captured"], &price["on_hold"], &price["total"]),
        (&json!(5.0), &json!(5.0), &json!(10.0))
    );
    assert_eq!(s.credit(&person).await, (40.0, 5.0));
    s.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(
        s.credit(&person).await,
        (40.0, 5.0),
        "the earlier booking does not pay for the new applicant"
    );
    let person = s.again(&person).await;
    let released = s.plain("DELETE", &format!("/schedules/{id}"), &person).await;
    assert_eq!(released.data()["released_amount"], 5.0);
    assert_eq!(s.credit(&person).await, (45.0, 0.0));
    s.books_balance().await;
}

// spec: 10.11.10, 10.11.11
async fn a_referrer_gets_a_bonus_once(s: Stage) {
    friends_bring(&s, 1_00, 3_00).await;
    let friend = s.person("friend").await;
    let code = s.get("/users/referral", &friend).await.data()["code"].as_str().unwrap().to_owned();
    let person = s.payer("lin", 50_00).await;
    let number = s.booked("lin");
    let id = s.configured(&person, "lin", number).await;
    let body = json!({ "schedule_id": id, "referral_code": code });
    let cost = s.ok("POST", "/schedules/submit", &person, body).await["cost_details"].clone();
    assert_eq!(cost["total_amount"], 4.0);
    s.run_for(TimeDelta::minutes(2)).await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    until_booked(&s, number).await;
    let (friend, person) = (s.again(&friend).await, s.again(&person).await);
    assert_eq!((s.credit(&person).await, s.credit(&friend).await), ((46.0, 0.0), (3.0, 0.0)));
    let movement = s.get("/users/ledger", &friend).await.data()["movements"][0].clone();
    assert_eq!((&movement["kind"], &movement["note"]), (&json!("bonus"), &json!("referral")));
    let brought = s.get("/users/referral", &friend).await.data().clone();
    assert_eq!(
        (&brought["invited"], &brought["credited"], &brought["credited_amount"]),
        (&json!(1), &json!(1), &json!(3.0))
    );
    let asked = json!({ "referral_code": code });
    let price = s.ok("POST", "/pricing/calculate", &person, asked).await;
    assert_eq!((&price["referral"]["status"], &price["unit_price"]), (&json!("not_first"), &json!(5.0)));
    let mut tx = s.app.db.read().await.unwrap();
    assert_eq!(
        store::ledger::refundable(&mut tx, friend.id).await.unwrap().minor,
        0,
        "a bonus is never paid out"
    );
    drop(tx);
    // The referred user's card payment is disputed. The referrer's bonus is reversed, as far as the
    // balance permits.
    let mut tx = s.app.db.begin().await.unwrap();
    let (amount, source) = (domain::money::Money::cad(10_00), ("card_dispute", uuid::Uuid::from_u128(1)));
    store::referral::void_all(&mut tx, &s.app.random, person.id, s.clock.now()).await.unwrap();
    store::ledger::dispute(&mut tx, &s.app.random, person.id, amount, source, s.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!((s.credit(&friend).await, kinds(&s, &friend).await[0].as_str()), ((0.0, 0.0), "void"));
    s.books_balance().await;
}

// spec: 10.11.10
async fn a_referrer_with_the_same_portal_login_gets_no_bonus(s: Stage) {
    friends_bring(&s, 1_00, 3_00).await;
    let friend = s.person("friend").await;
    let code = s.get("/users/referral", &friend).await.data()["code"].as_str().unwrap().to_owned();
    let person = s.payer("lin", 50_00).await;
    let number = s.booked("lin");
    let id = s.configured(&person, "lin", number).await;
    let body = json!({ "schedule_id": id, "referral_code": code });
    s.ok("POST", "/schedules/submit", &person, body).await;
    // After the submission, the referrer verifies the same portal login.
    s.verify(&friend, "lin", crate::stage::PORTAL_PASSWORD).await;
    s.run_for(TimeDelta::minutes(2)).await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    until_booked(&s, number).await;
    let (friend, person) = (s.again(&friend).await, s.again(&person).await);
    assert_eq!((s.credit(&person).await, s.credit(&friend).await), ((46.0, 0.0), (0.0, 0.0)));
    assert_eq!(s.get("/users/referral", &friend).await.data()["credited"], 0);
    s.books_balance().await;
}

/// Submits a task that only notifies, and lets it notify its user of 2027-02-09 in Toronto.
pub async fn told(s: &Stage, person: &Person, name: &str) -> (String, u64) {
    let number = s.booked(name);
    let id = s.configured(person, name, number).await;
    let body = json!({ "schedule_id": id, "appointment_management": { "keep_current_appointment": true } });
    s.ok("POST", "/schedules/submit", person, body).await;
    s.run_for(TimeDelta::minutes(5)).await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    for _ in 0..40 {
        s.run_for(TimeDelta::minutes(14)).await;
        let mut tx = s.app.db.read().await.unwrap();
        if store::journal::last_alert(&mut tx, id.parse().unwrap()).await.unwrap().is_some() {
            let held = store::ledger::balance(&mut tx, person.id).await.unwrap().held;
            assert_eq!(held.minor, 5_00, "a notification costs nothing yet");
            return (id, number);
        }
    }
    panic!("no notice was sent")
}

/// Changes the user's appointment directly at the portal.
pub fn takes(s: &Stage, number: u64, date: &str) {
    let taken = Some(at(TORONTO, date, "09:15"));
    s.sandbox.with_world(|w| w.groups.get_mut(&number).unwrap().appointment = taken);
}

// spec: 10.11.09
async fn a_notified_user_who_books_the_slot_pays(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let (id, number) = told(&s, &person, "lin").await;
    takes(&s, number, "2027-02-09");
    s.run_for(TimeDelta::hours(7)).await;
    let person = s.again(&person).await;
    assert_eq!(s.credit(&person).await, (45.0, 0.0));
    assert!(s.status(&person, &id).await["price"]["entitled_until"].is_string());
    s.books_balance().await;
}

// spec: 10.11.09, 10.11.27
async fn a_deleted_notify_task_is_polled_once_more(s: Stage) {
    let (candidate, other, third) =
        (s.payer("lin", 50_00).await, s.payer("sun", 50_00).await, s.payer("wu", 50_00).await);
    let mut tasks = Vec::new();
    for (person, name) in [(&candidate, "lin"), (&other, "sun"), (&third, "wu")] {
        let person = s.again(person).await;
        tasks.push((told(&s, &person, name).await, person));
    }
    for ((id, _), person) in &tasks {
        let person = s.again(person).await;
        let deleted = s.plain("DELETE", &format!("/schedules/{id}"), &person).await;
        assert_eq!(deleted.data()["released_amount"], 0.0);
        assert_eq!(s.get(&format!("/schedules/{id}/status"), &person).await.error(), (404, "NOT_FOUND"));
    }
    takes(&s, tasks[0].0.1, "2027-02-09");
    // The password of one account is changed at the portal, so its group can no longer be read.
    s.sandbox.with_world(|w| {
        w.accounts.values_mut().for_each(|a| {
            if a.username == "wu@example.com" {
                a.password = "changed".to_owned();
            }
        })
    });
    s.wait(70 * 3600);
    s.run_for(TimeDelta::minutes(5)).await;
    s.mails().await;
    let (candidate, other, third) = (s.again(&candidate).await, s.again(&other).await, s.again(&third).await);
    for person in [&candidate, &other, &third] {
        assert_eq!(s.credit(person).await, (45.0, 5.0), "the hold stays until the last reading");
    }
    s.run_for(TimeDelta::hours(3)).await;
    let (candidate, other, third) = (s.again(&candidate).await, s.again(&other).await, s.again(&third).await);
    assert_eq!(s.credit(&candidate).await, (45.0, 0.0), "the notified slot was booked");
    assert_eq!(s.credit(&other).await, (50.0, 0.0), "nothing was booked");
    assert_eq!(s.credit(&third).await, (50.0, 0.0), "unreadable pages are decided in the customer's favour");
    let mut returned = s.mails().await;
    returned.retain(|(template, ..)| template == "hold_released");
    returned.sort_by(|(_, one, _), (_, two, _)| one.cmp(two));
    let to: Vec<_> =
        returned.iter().map(|(_, to, data)| (to.as_str(), &data["released"], &data["after"])).collect();
    let (amount, after) = (json!("5.00 CAD"), json!("deletion"));
    assert_eq!(to, [("sun@example.com", &amount, &after), ("wu@example.com", &amount, &after)]);
    let reads = s.requests("groups");
    s.run_for(TimeDelta::hours(3)).await;
    assert_eq!(s.requests("groups"), reads, "one last reading each, and none after it");
    let mut tx = s.app.db.read().await.unwrap();
    for person in [&candidate, &other, &third] {
        let kept = store::credential::all_of_user(&mut tx, person.id).await.unwrap();
        assert!(kept.is_empty(), "passwords are deleted with the last reading");
    }
    drop(tx);
    s.books_balance().await;
}
