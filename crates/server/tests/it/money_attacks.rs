//! Attempts to create or lose money on purpose.

use std::time::Duration;

use chrono::TimeDelta;
use domain::ids::CardRefundId;
use domain::money::Money;
use serde_json::json;
use store::topup_code::Code;

use crate::app::{PASSWORD, Person, request};
use crate::cards::{GOOD, Prepared};
use crate::charges::{takes, told};
use crate::stage::{Stage, params};

portal_stories!(
    an_idempotency_key_reused_weeks_later_makes_a_new_payment,
    a_late_message_does_not_debit_a_failed_refund_again,
    a_refund_that_failed_before_it_was_stored_is_credited,
    a_notified_user_pays_even_if_the_task_changes_or_ends,
    a_notified_user_pays_after_the_date_range_has_ended,
    money_credited_during_a_deletion_is_not_forfeited_unconfirmed,
    a_dispute_and_a_referral_capture_do_not_deadlock,
    guessing_promo_and_referral_codes_is_limited,
    a_ledger_query_out_of_date_range_is_refused,
    a_referral_bonus_is_pending_again_after_a_task_restart,
);

async fn prepared_under(s: &Stage, person: &Person, key: &str) -> Prepared {
    let body = Some(json!({ "amount": 30 }));
    let mut call = request("POST", "/payment/stripe/create-intent", Some(person), body);
    call.headers_mut().insert("idempotency-key", key.parse().unwrap());
    let made = s.send(call).await.data().clone();
    let word = |name: &str| made[name].as_str().unwrap().to_owned();
    Prepared { id: word("payment_intent_id"), secret: word("client_secret") }
}

// spec: 10.10.20
async fn an_idempotency_key_reused_weeks_later_makes_a_new_payment(s: Stage) {
    let person = s.payer("monthly", 0).await;
    let first = prepared_under(&s, &person, "every-month").await;
    assert_eq!(s.pay(&first, GOOD).await, "succeeded");
    s.told().await;
    assert_eq!(s.credit(&person).await, (30.0, 0.0));
    // Keys are valid for a day at the provider and for a week on this server.
    s.wait(30 * 86_400);
    s.sandbox.with_world(|w| w.card.forget_keys());
    let week = s.clock.now() - TimeDelta::days(7);
    store::forget::forget(&s.app.db, store::forget::ExpiringData::Answers, week).await.unwrap();
    let person = s.again(&person).await;
    let second = prepared_under(&s, &person, "every-month").await;
    assert_ne!(second.id, first.id);
    assert_eq!(s.pay(&second, GOOD).await, "succeeded");
    s.told().await;
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (60.0, 0.0), "the payment is credited");
    let status = s.get(&format!("/payment/stripe/status/{}", second.id), &person).await;
    assert_eq!(status.data()["credited"], true);
    s.books_balance().await;
}

/// Requests a refund like an operator command. Returns its id.
async fn refund(s: &Stage, payment: &Prepared, cents: i64) -> CardRefundId {
    let mut tx = s.app.db.begin().await.unwrap();
    let what = (payment.id.as_str(), Some(Money::cad(cents)));
    let made = store::card::refund::request(&mut tx, &s.app.random, what, None, s.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    made.id
}

fn fail_refunds(s: &Stage) {
    let now = s.clock.now();
    s.sandbox.with_world(|w| {
        let ids: Vec<_> = w.card.refunds.iter().map(|r| r.id.clone()).collect();
        ids.iter().for_each(|id| drop(w.card.fail_refund(id, now).unwrap()));
    });
}

// spec: 10.10.21
async fn a_late_message_does_not_debit_a_failed_refund_again(s: Stage) {
    let person = s.payer("late", 0).await;
    let payment = s.paid(&person, 50.0).await;
    refund(&s, &payment, 20_00).await;
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (30.0, 0.0));
    // The message that 20 were refunded arrives after the message that the refund failed.
    let late = s.sandbox.card_messages();
    fail_refunds(&s);
    s.told().await;
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    for message in late.iter().chain(&late) {
        assert_eq!(s.tell(message).await.status, 200);
    }
    assert_eq!(s.credit(&person).await, (50.0, 0.0), "the money is in the balance, not on the card");
    // A later refund at the provider is still recorded.
    let now = s.clock.now();
    s.sandbox.with_world(|w| w.card.refund((&payment.id, 15_00), Default::default(), now).unwrap());
    s.told().await;
    assert_eq!(s.credit(&person).await, (35.0, 0.0));
    // The bank returns that refund too, so the amount is credited to the balance again.
    s.sandbox.with_world(|w| {
        let id = w.card.refunds[1].id.clone();
        w.card.fail_refund(&id, now).unwrap();
    });
    let again = s.sandbox.card_messages();
    for message in again.iter().chain(&again).chain(&late) {
        assert_eq!(s.tell(message).await.status, 200);
    }
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    s.books_balance().await;
}

// spec: 10.10.21
async fn a_refund_that_failed_before_it_was_stored_is_credited(s: Stage) {
    let person = s.payer("early", 0).await;
    let payment = s.paid(&person, 50.0).await;
    let id = refund(&s, &payment, 20_00).await;
    // The provider executed the refund, and the process died before it stored that.
    let cards = s.app.cards.clone().unwrap();
    cards.provider.refund(&payment.id, 20_00, &id.to_string()).await.unwrap();
    fail_refunds(&s);
    s.told().await;
    s.sweep().await;
    s.wait(60);
    s.sweep().await;
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    let mut tx = s.app.db.read().await.unwrap();
    assert_eq!(store::card::refund::waiting(&mut tx).await.unwrap(), 0, "the refund is requested again");
    drop(tx);
    s.books_balance().await;
}

/// Changes the task to automatic booking, in a window in which nothing is offered.
async fn books_from_now_on(s: &Stage, person: &Person, id: &str, days: (&str, &str)) {
    let mut params = params();
    (params["start_date"], params["end_date"]) = (json!(days.0), json!(days.1));
    let body = json!({ "search_params": params, "keep_current_appointment": false });
    s.ok("POST", "/auth/step-up", person, json!({ "password": crate::app::PASSWORD })).await;
    s.ok("PUT", &format!("/schedules/{id}"), person, body).await;
}

// spec: 10.11.09
/// Checks that a user who was notified of a slot and booked it directly owes its price, even if the
/// task is changed, paused or deleted afterwards.
async fn a_notified_user_pays_even_if_the_task_changes_or_ends(s: Stage) {
    let (mut people, mut tasks) = (Vec::new(), Vec::new());
    for name in ["turned", "turnedlate", "paused", "honest"] {
        people.push((name, s.payer(name, 50_00).await));
    }
    for (name, person) in people {
        let person = s.again(&person).await;
        let (id, number) = told(&s, &person, name).await;
        let person = s.again(&person).await;
        tasks.push((person, id, number));
    }
    let [turned, turned_late, paused, honest] = &tasks[..] else { panic!("four") };
    for one in [turned, turned_late] {
        let person = s.again(&one.0).await;
        books_from_now_on(&s, &person, &one.1, ("2026-12-01", "2026-12-02")).await;
    }
    for one in [paused, honest] {
        let person = s.again(&one.0).await;
        s.plain("POST", &format!("/schedules/{}/stop", one.1), &person).await.data();
    }
    for one in [turned, turned_late, paused] {
        takes(&s, one.2, "2027-02-09");
    }
    let delete = async |one: &(Person, String, u64)| {
        let person = s.again(&one.0).await;
        s.plain("DELETE", &format!("/schedules/{}", one.1), &person).await.data().clone()
    };
    assert_eq!(delete(turned).await["released_amount"], 0.0, "the hold stays for a last reading");
    s.wait(60 * 3600);
    for _ in 0..20 {
        s.run_for(TimeDelta::hours(1)).await;
    }
    for one in [turned_late, paused] {
        assert_eq!(delete(one).await["released_amount"], 0.0);
    }
    for one in [turned, turned_late, paused] {
        let person = s.again(&one.0).await;
        assert_eq!(s.credit(&person).await, (45.0, 0.0), "{}", person.email);
    }
    let person = s.again(&honest.0).await;
    assert_eq!(s.credit(&person).await, (45.0, 5.0), "a pause does not release the hold");
    assert_eq!(delete(honest).await["released_amount"], 5.0, "a user who booked nothing owes nothing");
    s.books_balance().await;
}

// spec: 10.11.09
async fn a_notified_user_pays_after_the_date_range_has_ended(s: Stage) {
    let (mut people, mut tasks) = (Vec::new(), Vec::new());
    for name in ["sly", "plain"] {
        people.push((name, s.payer(name, 50_00).await));
    }
    for (name, person) in people {
        let person = s.again(&person).await;
        let (id, number) = told(&s, &person, name).await;
        let person = s.again(&person).await;
        let today = domain::facility::FacilityId::TORONTO.today(s.clock.now()).to_string();
        let mut params = params();
        (params["start_date"], params["end_date"]) = (json!(today), json!(today));
        s.ok("POST", "/auth/step-up", &person, json!({ "password": crate::app::PASSWORD })).await;
        s.ok("PUT", &format!("/schedules/{id}"), &person, json!({ "search_params": params })).await;
        tasks.push((person, id, number));
    }
    s.run_for(TimeDelta::hours(26)).await;
    for (person, id, _) in &tasks {
        let person = s.again(person).await;
        let task = s.status(&person, id).await;
        assert_eq!(task["status_reason"], "range_over", "{task}");
        assert_eq!(s.credit(&person).await, (45.0, 5.0), "the notified slot still counts");
    }
    takes(&s, tasks[0].2, "2027-02-09");
    s.wait(36 * 3600);
    for _ in 0..14 {
        s.run_for(TimeDelta::hours(1)).await;
    }
    let (sly, plain) = (s.again(&tasks[0].0).await, s.again(&tasks[1].0).await);
    assert_eq!(s.credit(&sly).await, (45.0, 0.0));
    assert_eq!(s.credit(&plain).await, (50.0, 0.0), "a user who booked nothing gets the money back");
    s.books_balance().await;
}

// spec: 10.11.19
async fn money_credited_during_a_deletion_is_not_forfeited_unconfirmed(s: Stage) {
    let person = s.payer("leaver", 0).await;
    let code = Code::parse(&s.code(50_00).await).unwrap();
    s.ok("POST", "/auth/step-up", &person, json!({ "password": PASSWORD })).await;
    // Another tab is redeeming a code, which is not committed yet.
    let (app, now) = (&s.app, s.clock.now());
    let mut tx = app.db.begin().await.unwrap();
    let mine = (person.id, &code);
    store::topup_code::redeem(&mut tx, &app.keyring, &app.random, mine, now).await.unwrap();
    let leave = s.call("POST", "/user/deletion", Some(&person), Some(json!({ "forfeit_balance": 0.0 })));
    tokio::pin!(leave);
    let early = tokio::time::timeout(Duration::from_millis(500), &mut leave).await;
    tx.commit().await.unwrap();
    let reply = match early {
        Ok(reply) => reply,
        Err(_) => leave.await,
    };
    assert_eq!(reply.error(), (409, "BALANCE_CHANGED"));
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    // In the other order, the user is deleted before the code is redeemed, and the code stays
    // unused.
    let late = s.code(7_00).await;
    let mut tx = app.db.begin().await.unwrap();
    store::ledger::lock(&mut tx, &app.random, person.id, now).await.unwrap();
    let user = store::user::get(&mut tx, person.id).await.unwrap().unwrap();
    store::deletion::erase(&mut tx, &user, now).await.unwrap();
    let using = s.call("POST", "/topup/use", Some(&person), Some(json!({ "code": late })));
    tokio::pin!(using);
    let early = tokio::time::timeout(Duration::from_millis(500), &mut using).await;
    tx.commit().await.unwrap();
    let reply = match early {
        Ok(reply) => reply,
        Err(_) => using.await,
    };
    assert_eq!(reply.error(), (401, "UNAUTHORIZED"));
    let other = s.payer("other", 0).await;
    s.ok("POST", "/topup/use", &other, json!({ "code": late })).await;
    assert_eq!(s.credit(&other).await, (7.0, 0.0), "the code is still valid");
    s.books_balance().await;
}

// spec: 10.10.22
/// Checks that a dispute and a capture that credits a referrer cannot deadlock. The referrer
/// registered first, so that account is locked first; the dispute must use the same order.
async fn a_dispute_and_a_referral_capture_do_not_deadlock(s: Stage) {
    let friend = s.person("friend").await;
    // Locks are taken in the order of ids, and ids of one millisecond have no defined order.
    s.wait(1);
    let newcomer = s.payer("newcomer", 10_00).await;
    let (app, now) = (&s.app, s.clock.now());
    let task = crate::prices::ready(&s, &newcomer, "newcomer").await.parse().unwrap();
    let mut tx = app.db.begin().await.unwrap();
    let worth =
        store::referral::ReferralTerms { newcomer_discount: Money::cad(0), referrer_bonus: Money::cad(3_00) };
    let offer = store::referral::Offer { referrer: friend.id, worth };
    let mine = (newcomer.id, task);
    assert!(store::referral::reserve(&mut tx, &app.random, &offer, mine, now).await.unwrap());
    tx.commit().await.unwrap();
    let payment = s.paid(&newcomer, 20.0).await;
    // A capture has locked the referrer's account, and waits to lock the new user's.
    let mut tx = app.db.begin().await.unwrap();
    store::ledger::lock(&mut tx, &app.random, friend.id, now).await.unwrap();
    let disputed =
        crate::card_refunds_and_disputes::tell_dispute(&s, &payment, "dp_1", 20_00, "needs_response");
    tokio::pin!(disputed);
    let early = tokio::time::timeout(Duration::from_millis(500), &mut disputed).await;
    assert!(early.is_err(), "the dispute waits for the referrer's account");
    let (locked, told) = tokio::join!(
        async {
            let locked = store::ledger::lock(&mut tx, &app.random, newcomer.id, now).await;
            tx.commit().await.unwrap();
            locked
        },
        disputed
    );
    locked.unwrap();
    assert_eq!(told, 200, "the first message is accepted");
    assert_eq!(s.credit(&newcomer).await, (10.0, 0.0));
    s.books_balance().await;
}

// spec: 10.11.18
async fn guessing_promo_and_referral_codes_is_limited(s: Stage) {
    crate::prices::keep(&s, crate::prices::promo("SPRING", 1_00, &s)).await;
    let person = s.payer("guesser", 50_00).await;
    let task = crate::prices::ready(&s, &person, "guesser").await;
    let ask =
        async |body: serde_json::Value| s.call("POST", "/pricing/calculate", Some(&person), Some(body)).await;
    for n in 0..20 {
        // A valid code does not count as a guess.
        assert_eq!(ask(json!({ "promo_code": "SPRING" })).await.data()["promo"]["status"], "applied");
        let field = if n % 2 == 0 { "promo_code" } else { "referral_code" };
        assert_eq!(ask(json!({ field: format!("GUESS{n}") })).await.status, 200, "{n}");
    }
    let refused = ask(json!({ "promo_code": "GUESS" })).await;
    assert_eq!(refused.error(), (429, "TOO_MANY_ATTEMPTS"));
    assert!(refused.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() > 0);
    let right = ask(json!({ "promo_code": "SPRING" })).await;
    assert_eq!(right.error(), (429, "TOO_MANY_ATTEMPTS"), "or else the answer would reveal a right guess");
    let submit = json!({ "schedule_id": task, "promo_code": "SPRING" });
    let submit = s.call("POST", "/schedules/submit", Some(&person), Some(submit)).await;
    assert_eq!(submit.error(), (429, "TOO_MANY_ATTEMPTS"));
    assert_eq!(
        ask(json!({ "schedule_ids": [task] })).await.status,
        200,
        "prices themselves are always returned"
    );
    assert_eq!(s.get("/pricing/calculate", &person).await.status, 200);
    let other = s.payer("other", 0).await;
    let theirs =
        s.call("POST", "/pricing/calculate", Some(&other), Some(json!({ "promo_code": "SPRING" }))).await;
    assert_eq!(theirs.data()["promo"]["status"], "applied");
    s.wait(3_700);
    let person = s.again(&person).await;
    let submit = json!({ "schedule_id": task, "promo_code": "SPRING" });
    s.ok("POST", "/schedules/submit", &person, submit).await;
    // A code that is refused at the submission counts as a guess too.
    let task = crate::prices::ready(&s, &person, "second").await;
    for n in 0..20 {
        let body = json!({ "schedule_id": task, "promo_code": format!("GUESS{n}") });
        let refused = s.call("POST", "/schedules/submit", Some(&person), Some(body)).await;
        assert_eq!(refused.error().1, "PROMO_REFUSED", "{n}");
    }
    let body = json!({ "schedule_id": task, "promo_code": "SPRING" });
    let refused = s.call("POST", "/schedules/submit", Some(&person), Some(body)).await;
    assert_eq!(refused.error(), (429, "TOO_MANY_ATTEMPTS"));
    s.books_balance().await;
}

// spec: 10.11.21
async fn a_ledger_query_out_of_date_range_is_refused(s: Stage) {
    let person = s.payer("ages", 1_00).await;
    for (window, status) in [
        ("from=-250000-01-01", 422),
        ("to=%2B262142-12-31", 422),
        ("from=0000-01-01", 422),
        ("from=0001-01-01&to=9998-12-31", 200),
    ] {
        assert_eq!(s.get(&format!("/users/ledger?{window}"), &person).await.status, status, "{window}");
    }
}

// spec: 10.11.20
async fn a_referral_bonus_is_pending_again_after_a_task_restart(s: Stage) {
    // Referrals give no discount, but still a bonus for the referrer.
    crate::prices::friends_bring(&s, 0, 3_00).await;
    let (friend, person) = (s.person("friend").await, s.payer("newcomer", 50_00).await);
    let code = s.get("/users/referral", &friend).await.data()["code"].as_str().unwrap().to_owned();
    let number = s.booked("newcomer");
    let id = s.configured(&person, "newcomer", number).await;
    s.ok("POST", "/schedules/submit", &person, json!({ "schedule_id": id, "referral_code": code })).await;
    let waiting = async || s.get("/users/referral", &friend).await.data()["waiting"].clone();
    assert_eq!(waiting().await, 1);
    // The group disappears from the portal and returns; its hold was released in between.
    let group = s.sandbox.with_world(|w| w.groups.remove(&number).unwrap());
    s.run_for(TimeDelta::minutes(10)).await;
    assert_eq!((s.credit(&person).await, waiting().await), ((50.0, 0.0), json!(0)));
    s.sandbox.with_world(|w| w.groups.insert(number, group));
    s.plain("POST", &format!("/schedules/{id}/start"), &person).await.data();
    assert_eq!((s.credit(&person).await, waiting().await), ((45.0, 5.0), json!(1)));
    s.books_balance().await;
}
