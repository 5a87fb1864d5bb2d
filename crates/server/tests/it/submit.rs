//! Stories of submissions: all tasks or none, once, and at the price that the user saw.

use std::sync::Arc;
use std::time::Duration;

use domain::channel::EventKind;
use serde_json::{Value, json};

use crate::app::{Person, Reply, request};
use crate::notices::{deliver, delivery, linked, taken, telegram};
use crate::stage::Stage;

portal_stories!(
    a_submit_holds_the_price,
    insufficient_credit_is_reported_with_the_amounts,
    all_tasks_are_submitted_or_none,
    a_submit_with_a_changed_price_is_refused,
    a_repeated_submit_gets_the_same_response,
    concurrent_submits_for_one_group_have_one_winner,
    an_invalid_submit_is_refused,
    a_submit_finishes_after_its_client_disconnects,
    a_submission_is_confirmed_by_one_mail,
);

async fn ready(s: &Stage, person: &Person, name: &str) -> String {
    let number = s.booked(name);
    s.configured(person, name, number).await
}

async fn submit(s: &Stage, person: &Person, body: Value, key: Option<&str>) -> Reply {
    let mut request = request("POST", "/schedules/submit", Some(person), Some(body));
    if let Some(key) = key {
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
    }
    s.send(request).await
}

// spec: 1.18, 3.49, 3.50, 3.52, 3.53, 3.54, 7.3.03
async fn a_submit_holds_the_price(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let (one, two) = (ready(&s, &person, "a").await, ready(&s, &person, "b").await);
    let body = json!({
        "scheduleIds": [one, two, one], "expected_total": 10.0, "promo_code": "",
        "appointmentManagement": { "keepCurrentAppointment": true },
    });
    let reply = submit(&s, &person, body, None).await;
    let data = reply.data();
    let cost = &data["cost_details"];
    assert_eq!((&cost["total_amount"], &cost["currency"]), (&json!(10.0), &json!("CAD")));
    assert_eq!((&cost["applicants_count"], &cost["price_per_applicant"]), (&json!(2), &json!(5.0)));
    let line = |id: &str| {
        let lines = cost["schedule_breakdown"].as_array().unwrap();
        lines.iter().find(|l| l["schedule_id"] == id).unwrap().clone()
    };
    let expected = json!({
        "schedule_id": one, "applicants_count": 1, "entitled_applicants": 0, "base_price": 5.0, "discounts": 0.0,
        "discount_lines": [], "currency": "CAD",
        "final_price_per_person": 5.0, "total_price": 5.0,
    });
    assert_eq!((line(&one), cost["schedule_breakdown"].as_array().unwrap().len()), (expected, 2));
    let balance = json!({ "balance_before": 50.0, "balance_after": 40.0, "currency": "CAD" });
    assert_eq!(data["user_balance"], balance);
    let task = data["schedules"].as_array().unwrap().iter().find(|t| t["id"] == json!(two)).unwrap();
    assert_eq!((&task["status"], &task["price"]["on_hold"]), (&json!("submitted"), &json!(5.0)));
    assert_eq!(
        task["schedule_config"]["keep_current_appointment"], true,
        "the value of the submit has precedence"
    );
    assert_eq!(task["engine"]["verdict"]["code"], "waiting_first_look");
    assert!(task["submitted_at"].is_string());
    assert_eq!(s.credit(&person).await, (40.0, 10.0));
    s.books_balance().await;
}

// spec: 3.49, 3.55, 4.2.17, 8.2.11
async fn insufficient_credit_is_reported_with_the_amounts(s: Stage) {
    let person = s.payer("lin", 7_50).await;
    let (one, two) = (ready(&s, &person, "a").await, ready(&s, &person, "b").await);
    let reply = submit(&s, &person, json!({ "schedule_ids": [one, two] }), None).await;
    assert_eq!(reply.error(), (402, "INSUFFICIENT_CREDIT"));
    let data = &reply.body["data"];
    let figures = (&data["required_amount"], &data["available_amount"], &data["currency"]);
    assert_eq!(figures, (&json!(10.0), &json!(7.5), &json!("CAD")));
    assert!(data["details"].is_string());
    for id in [&one, &two] {
        assert_eq!(
            s.status(&person, id).await["status"],
            "configured",
            "neither, although the balance covered one"
        );
    }
    assert_eq!(s.credit(&person).await, (7.5, 0.0));
    submit(&s, &person, json!({ "schedule_id": one }), None).await.data();
    assert_eq!(s.credit(&person).await, (2.5, 5.0));
    let poor = s.person("poor").await;
    let id = ready(&s, &poor, "c").await;
    let reply = submit(&s, &poor, json!({ "schedule_id": id }), None).await;
    assert_eq!((reply.error().0, &reply.body["data"]["available_amount"]), (402, &json!(0.0)));
}

// spec: 7.3.03, 10.5.08
async fn all_tasks_are_submitted_or_none(s: Stage) {
    let (person, rival) = (s.payer("lin", 50_00).await, s.payer("rival", 50_00).await);
    let good = ready(&s, &person, "a").await;
    let number = s.booked("b");
    let contested = s.configured(&person, "b", number).await;
    let theirs = s.configured(&rival, "b", number).await;
    submit(&s, &rival, json!({ "schedule_id": theirs }), None).await.data();
    s.booked("c");
    let draft = s.draft(&person, "c").await;
    let unknown = "00000000-0000-7000-8000-000000000000".to_owned();
    let spoilers = [
        (contested, (409, "SCHEDULE_ALREADY_EXISTS")),
        (draft, (409, "ILLEGAL_TRANSITION")),
        (theirs, (404, "NOT_FOUND")),
        (unknown, (404, "NOT_FOUND")),
    ];
    for (spoiler, error) in spoilers {
        for ids in [[&good, &spoiler], [&spoiler, &good]] {
            let reply = submit(&s, &person, json!({ "schedule_ids": ids }), None).await;
            assert_eq!(reply.error(), error);
            if error.1 == "SCHEDULE_ALREADY_EXISTS" {
                assert_eq!(reply.body["data"], json!({ "owner": "other", "schedule_ids": [] }));
            }
        }
        assert_eq!(s.status(&person, &good).await["status"], "configured");
        assert_eq!(s.credit(&person).await, (50.0, 0.0), "a hold was left");
    }
    s.books_balance().await;
}

// spec: 10.5.08
async fn a_submit_with_a_changed_price_is_refused(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = ready(&s, &person, "a").await;
    for seen in [4.99, 5.01, 0.0, 500.0] {
        let reply = submit(&s, &person, json!({ "schedule_id": id, "expected_total": seen }), None).await;
        assert_eq!(reply.error(), (409, "PRICE_CHANGED"), "{seen}");
        assert_eq!(reply.body["data"]["cost_details"]["total_amount"], 5.0);
    }
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    let reply = submit(&s, &person, json!({ "schedule_id": id, "expected_total": 5 }), None).await;
    assert_eq!(reply.data()["cost_details"]["total_amount"], 5.0);
}

// spec: 10.5.09
async fn a_repeated_submit_gets_the_same_response(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let (one, two) = (ready(&s, &person, "a").await, ready(&s, &person, "b").await);
    let body = json!({ "schedule_ids": [one] });
    let first = submit(&s, &person, body.clone(), Some("k1")).await;
    first.data();
    s.wait(60);
    let again = submit(&s, &person, body.clone(), Some("k1")).await;
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    assert_eq!(s.credit(&person).await, (45.0, 5.0), "charged once");
    let other = submit(&s, &person, json!({ "schedule_ids": [two] }), Some("k1")).await;
    assert_eq!(other.error(), (422, "IDEMPOTENCY_KEY_REUSED"));
    let fresh = submit(&s, &person, body, Some("k2")).await;
    assert_eq!(fresh.error(), (409, "ILLEGAL_TRANSITION"));
    // An error is not stored, so the user may retry with the same key after correcting the cause.
    let poor = s.person("poor").await;
    let id = ready(&s, &poor, "c").await;
    let body = json!({ "schedule_id": id });
    assert_eq!(submit(&s, &poor, body.clone(), Some("k")).await.status, 402);
    let code = s.code(5_00).await;
    s.ok("POST", "/topup/use", &poor, json!({ "code": code })).await;
    submit(&s, &poor, body, Some("k")).await.data();
    s.books_balance().await;
}

// spec: 1.16, 6.05
async fn concurrent_submits_for_one_group_have_one_winner(s: Stage) {
    let number = s.booked("lin");
    let mut sides = Vec::new();
    for name in ["one", "two", "three"] {
        let person = s.payer(name, 50_00).await;
        let id = s.configured(&person, "lin", number).await;
        sides.push((person, id));
    }
    let s = Arc::new(s);
    let mut calls = tokio::task::JoinSet::new();
    for (person, id) in sides.clone() {
        let s = s.clone();
        calls.spawn(async move { submit(&s, &person, json!({ "schedule_id": id }), None).await });
    }
    let replies = calls.join_all().await;
    assert_eq!(replies.iter().filter(|r| r.status == 200).count(), 1, "{replies:?}");
    for reply in replies.iter().filter(|r| r.status != 200) {
        assert_eq!(reply.error(), (409, "SCHEDULE_ALREADY_EXISTS"));
        assert_eq!(reply.body["data"], json!({ "owner": "other", "schedule_ids": [] }));
    }
    let mut held = 0.0;
    for (person, id) in &sides {
        let (_, on_hold) = s.credit(person).await;
        let expected = if on_hold > 0.0 { "submitted" } else { "configured" };
        assert_eq!(s.status(person, id).await["status"], expected);
        held += on_hold;
    }
    assert!((held - 5.0).abs() < f64::EPSILON);
    s.books_balance().await;
}

async fn an_invalid_submit_is_refused(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = ready(&s, &person, "a").await;
    let many: Vec<_> = (0..21_u128).map(|n| uuid::Uuid::from_u128(n).to_string()).collect();
    let cases = [
        (json!({}), json!({ "schedule_ids": "required" })),
        (json!({ "schedule_ids": [] }), json!({ "schedule_ids": "required" })),
        (json!({ "schedule_ids": many }), json!({ "schedule_ids": "required" })),
        (json!({ "schedule_id": id, "promo_code": "X".repeat(65) }), json!({ "promo_code": "too_long" })),
        (json!({ "schedule_id": id, "expected_total": -1 }), json!({ "expected_total": "out_of_range" })),
        (json!({ "schedule_id": id, "expected_total": 1e12 }), json!({ "expected_total": "out_of_range" })),
    ];
    for (body, fields) in cases {
        let reply = submit(&s, &person, body.clone(), None).await;
        assert_eq!(reply.error(), (422, "VALIDATION_FAILED"), "{body}");
        assert_eq!(reply.body["data"]["fields"], fields);
    }
    for body in [json!({ "schedule_ids": ["x"] }), json!({ "schedule_id": 7 }), json!({ "schedule_ids": id })]
    {
        let reply = submit(&s, &person, body.clone(), None).await;
        assert_eq!(reply.error(), (400, "INVALID_BODY"), "{body}");
    }
    assert_eq!(s.status(&person, &id).await["status"], "configured");
}

// spec: 10.5.10
async fn a_submit_finishes_after_its_client_disconnects(s: Stage) {
    let person = s.payer("lin", 100_00).await;
    let mut ids = Vec::new();
    for n in 0..10 {
        ids.push(ready(&s, &person, &format!("p{n}")).await);
    }
    for (n, id) in ids.iter().enumerate() {
        let call = submit(&s, &person, json!({ "schedule_id": id }), None);
        // The client disconnects at a random time between the first byte and the response.
        let _ = tokio::time::timeout(Duration::from_micros(400 * n as u64), call).await;
    }
    // The last task is submitted by a client that waits, so that at least one succeeds on a slow
    // machine.
    submit(&s, &person, json!({ "schedule_id": ids[9] }), None).await;
    // Every started request is complete: each submitted task has a hold, and each hold has a task.
    let settled = async {
        loop {
            let mut submitted = 0.0;
            for id in &ids {
                let status = s.status(&person, id).await["status"].clone();
                assert!(status == "submitted" || status == "configured");
                submitted += if status == "submitted" { 5.0 } else { 0.0 };
            }
            let (credit, held) = s.credit(&person).await;
            assert!((credit + held - 100.0).abs() < 1e-9);
            if (held - submitted).abs() < 1e-9 && submitted > 4.0 {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), settled).await.unwrap();
    s.books_balance().await;
}

// spec: 10.1.61
async fn a_submission_is_confirmed_by_one_mail(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    linked(&s, &person, &telegram(), &EventKind::OF_USERS).await;
    let (one, two) = (ready(&s, &person, "anna").await, ready(&s, &person, "bo").await);
    let refused = submit(&s, &person, json!({ "schedule_ids": [one], "expected_total": 1.0 }), None).await;
    assert_eq!(refused.status, 409);
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    deliver(&delivery).await;
    assert!(s.sandbox.mails().iter().all(|mail| !mail.subject.contains("正在监控")));
    for _ in 0..2 {
        submit(&s, &person, json!({ "schedule_ids": [one, two] }), Some("key-1")).await.data();
    }
    deliver(&delivery).await;
    let mails: Vec<_> =
        s.sandbox.mails().into_iter().filter(|mail| mail.subject.contains("正在监控")).collect();
    let [mail] = &mails[..] else { panic!("one mail: {mails:?}") };
    let text = mail.text.clone().unwrap();
    let facts = [
        "ANNA",
        "BO",
        "2027-08-17",
        "2026-12-01 至 2027-05-31",
        "多伦多、渥太华",
        "查到合适的日期会立即预约",
        "已冻结 10.00 CAD，约到才扣",
        "暂停",
        &one,
        &two,
    ];
    for fact in facts {
        assert!(text.contains(fact), "{fact}: {text}");
    }
    assert!(taken(&s, "telegram").is_empty(), "it is sent by mail alone");
    let history = s.get("/user/notifications", &person).await.data().clone();
    assert!(
        history["entries"].as_array().unwrap().iter().any(|entry| entry["event"] == "submitted"),
        "{history}"
    );
    // A restart is no submission.
    s.ok("POST", &format!("/schedules/{one}/stop"), &person, json!({})).await;
    s.ok("POST", &format!("/schedules/{one}/start"), &person, json!({})).await;
    deliver(&delivery).await;
    assert_eq!(s.sandbox.mails().iter().filter(|mail| mail.subject.contains("正在监控")).count(), 1);
}
