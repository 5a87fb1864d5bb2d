//! Stories of ask-first tasks over the API: the mode, the page of the link, and the approval, which
//! works once.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::app::{Person, token_of};
use crate::stage::{Stage, TORONTO, configuration, params};

portal_stories!(
    opening_a_question_changes_nothing_and_it_is_answered_once,
    a_question_can_be_answered_on_the_dashboard,
    a_lapsed_question_is_shown_and_its_listed_date_can_still_be_booked,
    a_question_can_be_answered_with_no,
    an_edit_without_a_booking_mode_keeps_ask_first,
    a_draft_keeps_ask_first_when_it_is_configured_again,
    an_approval_expires_if_the_engine_does_not_act,
    an_answer_with_an_invalid_or_late_link_is_refused,
    open_links_are_listed_and_revoked,
);

/// Submits an ask-first task.
pub async fn asking(s: &Stage, person: &Person, name: &str) -> String {
    let number = s.booked(name);
    let id = s.draft(person, name).await;
    let mut body = configuration(&id, number);
    body["booking_mode"] = json!("ask");
    let configured = s.ok("POST", "/schedules/configure", person, body).await;
    assert_eq!(configured["schedule"]["schedule_config"]["booking_mode"], "ask");
    assert_eq!(configured["schedule"]["schedule_config"]["keep_current_appointment"], false);
    s.ok("POST", "/schedules/submit", person, json!({ "schedule_ids": [id] })).await;
    id
}

async fn look(s: &Stage, token: &str) -> Value {
    let request = crate::app::request("GET", &format!("/questions?token={token}"), None, None);
    s.send(request).await.data().clone()
}

// spec: 10.1.15, 10.1.16
async fn opening_a_question_changes_nothing_and_it_is_answered_once(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = asking(&s, &person, "lin").await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    s.run_for(TimeDelta::seconds(20)).await;
    let token = token_of(&s.mails().await, "question", "answer");
    for _ in 0..3 {
        let seen = look(&s, &token).await;
        let told = (&seen["state"], &seen["date"], &seen["facility"], &seen["old"]["date"], &seen["new"]);
        let expected =
            (&json!("open"), &json!("2027-02-09"), &json!("Toronto"), &json!("2027-08-17"), &Value::Null);
        assert_eq!(told, expected);
        assert!(seen["price"].as_f64().unwrap() > 0.0 && seen["changes_left"].as_i64() == Some(2), "{seen}");
        assert_eq!(seen["initials"], json!(["L."]));
        assert!(!seen.to_string().contains("LIN"), "the page names nobody: {seen}");
    }
    s.run_for(TimeDelta::seconds(5)).await;
    assert_eq!(s.requests("book"), 0, "opening the page changes nothing");
    let said = s.status(&person, &id).await["engine"]["verdict"].clone();
    let asked = &said["evidence"]["asked"];
    assert_eq!((&said["code"], &asked["date"]), (&json!("watching"), &json!("2027-02-09")), "{said}");
    assert_eq!(asked["facility"], "Toronto");
    assert!(asked["until"].is_string(), "{said}");
    let tapped = s.post("/questions/answer", json!({ "token": token })).await;
    assert_eq!(tapped.data()["state"], "trying");
    s.run_for(TimeDelta::seconds(20)).await;
    let seen = look(&s, &token).await;
    assert_eq!((&seen["state"], &seen["new"]["time"]), (&json!("booked"), &json!("09:15")));
    let said = s.status(&person, &id).await["engine"]["verdict"].clone();
    assert_eq!(said["evidence"]["asked"], Value::Null, "the question was answered");
    let again = s.post("/questions/answer", json!({ "token": token })).await;
    assert_eq!(again.data()["state"], "booked");
    s.run_for(TimeDelta::minutes(10)).await;
    assert_eq!(s.requests("book"), 1);
    assert_eq!(s.status(&person, &id).await["appointments"][0]["appointment_date"], "2027-02-09");
}

// spec: 10.1.15
async fn a_question_can_be_answered_on_the_dashboard(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let other = s.payer("wang", 50_00).await;
    let id = asking(&s, &person, "lin").await;
    let path = format!("/schedules/{id}/answer");
    let day = |date: &str| Some(json!({ "facility": "Toronto", "date": date }));
    let early = s.call("POST", &path, Some(&person), day("2027-02-09")).await;
    assert_eq!(early.error(), (404, "NOT_FOUND"), "no question was sent yet");
    s.slot(TORONTO, "2027-02-09", "09:15");
    s.run_for(TimeDelta::seconds(20)).await;
    let token = token_of(&s.mails().await, "question", "answer");
    assert_eq!(s.call("POST", &path, None, day("2027-02-09")).await.error().0, 401);
    assert_eq!(s.call("POST", &path, Some(&other), day("2027-02-09")).await.error(), (404, "NOT_FOUND"));
    assert_eq!(s.call("POST", &path, Some(&person), day("2027-02-10")).await.error(), (404, "NOT_FOUND"));
    assert_eq!(look(&s, &token).await["state"], "open", "none of them was an approval");
    let listed = async |stage: &str| {
        let page = s.plain("GET", &format!("/schedules?status={stage}"), &person).await;
        let page = page.data()["schedules"].clone();
        page.as_array().unwrap().iter().map(|task| task["stage"].clone()).collect::<Vec<_>>()
    };
    let used_by = async || {
        let logins = s.plain("GET", "/user/credentials", &person).await;
        logins.data()["credentials"][0]["tasks"][0]["stage"].clone()
    };
    assert_eq!((listed("needs_you").await, listed("running").await), (vec![json!("needs_you")], vec![]));
    assert_eq!(used_by().await, "needs_you");
    let said = s.call("POST", &path, Some(&person), day("2027-02-09")).await;
    assert_eq!(said.data()["state"], "trying");
    assert_eq!(look(&s, &token).await["state"], "trying", "the repeat is the same approval");
    assert_eq!((listed("needs_you").await, listed("running").await), (vec![], vec![json!("running")]));
    assert_eq!(used_by().await, "running");
    s.run_for(TimeDelta::seconds(20)).await;
    let again = s.call("POST", &path, Some(&person), day("2027-02-09")).await;
    assert_eq!(again.data()["state"], "booked");
    assert_eq!(s.requests("book"), 1);
}

// spec: 10.1.16
async fn a_lapsed_question_is_shown_and_its_listed_date_can_still_be_booked(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = asking(&s, &person, "lin").await;
    assert_eq!(s.status(&person, &id).await["latest_question"], Value::Null);
    s.slot(TORONTO, "2027-02-09", "09:15");
    s.run_for(TimeDelta::seconds(20)).await;
    let open = s.status(&person, &id).await["latest_question"].clone();
    let shown = (&open["state"], &open["date"], &open["facility"]);
    assert_eq!(shown, (&json!("open"), &json!("2027-02-09"), &json!("Toronto")));
    s.run_for(TimeDelta::minutes(30)).await;
    let person = s.again(&person).await;
    let lapsed = s.status(&person, &id).await["latest_question"].clone();
    assert_eq!(lapsed["state"], "late", "{lapsed}");
    assert!(lapsed["listed_at"].as_str() > lapsed["valid_until"].as_str(), "{lapsed}");
    let path = format!("/schedules/{id}/answer");
    let yes = |late: bool| Some(json!({ "facility": "Toronto", "date": "2027-02-09", "late": late }));
    let late = s.call("POST", &path, Some(&person), yes(false)).await;
    assert_eq!(late.data()["state"], "late");
    let now = s.call("POST", &path, Some(&person), yes(true)).await;
    assert_eq!(now.data()["state"], "trying");
    s.run_for(TimeDelta::minutes(1)).await;
    let booked = s.status(&person, &id).await["latest_question"].clone();
    assert_eq!((&booked["state"], s.requests("book")), (&json!("booked"), 1));
}

// spec: 10.1.15
async fn a_question_can_be_answered_with_no(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = asking(&s, &person, "lin").await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    s.run_for(TimeDelta::seconds(20)).await;
    let token = token_of(&s.mails().await, "question", "answer");
    let no = s.post("/questions/answer", json!({ "token": token, "answer": "no" })).await;
    assert_eq!(no.data()["state"], "declined");
    let forwarded = s.post("/questions/answer", json!({ "token": token })).await;
    assert_eq!(forwarded.data()["state"], "declined", "another holder of the link cannot approve after a no");
    let task = s.status(&person, &id).await;
    assert_eq!((&task["latest_question"]["state"], &task["stage"]), (&json!("declined"), &json!("running")));
    assert_eq!(task["engine"]["verdict"]["evidence"]["asked"], Value::Null);
    s.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(s.requests("book"), 0);
    let path = format!("/schedules/{id}/answer");
    let date = json!({ "facility": "Toronto", "date": "2027-02-09", "late": true });
    let after_all = s.call("POST", &path, Some(&person), Some(date)).await;
    assert_eq!(after_all.data()["state"], "trying", "the user may think again");
    let no = json!({ "facility": "Toronto", "date": "2027-02-09", "answer": "no" });
    let no = s.call("POST", &path, Some(&person), Some(no)).await;
    assert_eq!(no.data()["state"], "trying", "an approval is not taken back");
    s.run_for(TimeDelta::minutes(1)).await;
    assert_eq!(s.requests("book"), 1);
}

// spec: 10.1.15
async fn an_edit_without_a_booking_mode_keeps_ask_first(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = asking(&s, &person, "lin").await;
    let path = format!("/schedules/{id}");
    let mode = |schedule: &Value| schedule["schedule"]["schedule_config"]["booking_mode"].clone();
    let edit = async |more: Value| {
        let mut body = json!({ "search_params": params() });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        s.call("PUT", &path, Some(&person), Some(body)).await
    };
    s.ok("POST", "/auth/step-up", &person, json!({ "password": crate::app::PASSWORD })).await;
    assert_eq!(mode(edit(json!({})).await.data()), "ask");
    assert_eq!(mode(edit(json!({ "keep_current_appointment": false })).await.data()), "ask");
    assert_eq!(mode(edit(json!({ "keep_current_appointment": true })).await.data()), "notify");
    assert_eq!(mode(edit(json!({ "keep_current_appointment": false })).await.data()), "auto");
    assert_eq!(mode(edit(json!({ "booking_mode": "ask" })).await.data()), "ask");
    let both = edit(json!({ "booking_mode": "ask", "keep_current_appointment": true })).await;
    assert_eq!(both.error(), (422, "VALIDATION_FAILED"));
    assert_eq!(both.body["data"]["fields"]["booking_mode"], "contradicts");
}

// spec: 10.1.15
async fn a_draft_keeps_ask_first_when_it_is_configured_again(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let number = s.booked("lin");
    let id = s.draft(&person, "lin").await;
    let configure = async |more: Value| {
        let mut body = configuration(&id, number);
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let configured = s.ok("POST", "/schedules/configure", &person, body).await;
        configured["schedule"]["schedule_config"]["booking_mode"].clone()
    };
    assert_eq!(configure(json!({})).await, "auto");
    assert_eq!(configure(json!({ "booking_mode": "ask" })).await, "ask");
    assert_eq!(configure(json!({})).await, "ask", "a client that does not know ask-first does not end it");
    assert_eq!(configure(json!({ "keep_current_appointment": false })).await, "ask");
    assert_eq!(configure(json!({ "keep_current_appointment": true })).await, "notify");
    assert_eq!(configure(json!({})).await, "auto");
    assert_eq!(configure(json!({ "booking_mode": "ask" })).await, "ask");
    assert_eq!(configure(json!({ "booking_mode": "auto" })).await, "auto");
}

// spec: 10.1.17
async fn an_approval_expires_if_the_engine_does_not_act(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    asking(&s, &person, "lin").await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    s.run_for(TimeDelta::seconds(20)).await;
    let token = token_of(&s.mails().await, "question", "answer");
    let tapped = s.post("/questions/answer", json!({ "token": token })).await;
    assert_eq!(tapped.data()["state"], "trying");
    // The engine does not run meanwhile.
    s.wait(179);
    assert_eq!(look(&s, &token).await["state"], "trying");
    s.wait(1);
    assert_eq!(look(&s, &token).await["state"], "not_booked");
    s.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(s.requests("book"), 0, "the engine does not return to it");
    assert_eq!(look(&s, &token).await["state"], "not_booked");
}

// spec: 10.1.16
async fn an_answer_with_an_invalid_or_late_link_is_refused(s: Stage) {
    for token in ["", "abc", &"0".repeat(64)] {
        let reply = s.post("/questions/answer", json!({ "token": token })).await;
        assert_eq!(reply.error(), (400, "INVALID_TOKEN"), "{token}");
    }
    let person = s.payer("lin", 50_00).await;
    let id = asking(&s, &person, "lin").await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    s.run_for(TimeDelta::seconds(20)).await;
    let token = token_of(&s.mails().await, "question", "answer");
    s.plain("POST", &format!("/schedules/{id}/stop"), &person).await.data();
    assert_eq!(look(&s, &token).await["state"], "paused");
    let tapped = s.post("/questions/answer", json!({ "token": token })).await;
    assert_eq!(tapped.data()["state"], "paused");
    let said = s.status(&person, &id).await["engine"]["verdict"].clone();
    assert_eq!(said["evidence"]["asked"], Value::Null, "no approval is possible now");
    s.plain("POST", &format!("/schedules/{id}/start"), &person).await.data();
    s.wait(180);
    let tapped = s.post("/questions/answer", json!({ "token": token })).await;
    assert_eq!(tapped.data()["state"], "late");
    s.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(s.requests("book"), 0);
}

// spec: 10.7.90
async fn open_links_are_listed_and_revoked(s: Stage) {
    let (person, other) = (s.payer("lin", 50_00).await, s.person("other").await);
    let links = async |person: &Person| {
        let open = s.get("/user/links", person).await.data()["links"].clone();
        open.as_array().unwrap().clone()
    };
    assert_eq!(links(&person).await, Vec::<Value>::new(), "the link of the registration was used");
    let id = asking(&s, &person, "lin").await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    s.run_for(TimeDelta::seconds(20)).await;
    s.post("/auth/forgot-password", json!({ "email": person.email })).await;
    let mails = s.mails().await;
    let (answer, reset) =
        (token_of(&mails, "question", "answer"), token_of(&mails, "reset_password", "reset-password"));
    let open = links(&person).await;
    assert_eq!(
        open.iter().map(|link| link["kind"].clone()).collect::<Vec<_>>(),
        ["answer", "reset_password"]
    );
    let asked = json!({ "schedule_id": id, "facility": "Toronto", "date": "2027-02-09" });
    assert_eq!((&open[0]["question"], &open[1]["question"]), (&asked, &Value::Null));
    assert_eq!(links(&other).await, Vec::<Value>::new());
    let path = |link: &Value| format!("/user/links/{}", link["id"].as_str().unwrap());
    for token in [&answer, &reset] {
        assert!(!json!(open).to_string().contains(token.as_str()), "the list opens no link");
        let guess = s.plain("DELETE", &format!("/user/links/{token}"), &person).await;
        assert_eq!(guess.error(), (404, "NOT_FOUND"));
    }
    assert_eq!(s.plain("DELETE", &path(&open[0]), &other).await.error(), (404, "NOT_FOUND"));
    assert_eq!(look(&s, &answer).await["state"], "open");
    for link in &open {
        assert_eq!(s.plain("DELETE", &path(link), &person).await.status, 200);
        assert_eq!(s.plain("DELETE", &path(link), &person).await.error(), (404, "NOT_FOUND"));
    }
    // The question is still open in the app.
    assert_eq!(links(&person).await, Vec::<Value>::new());
    let yes = s.post("/questions/answer", json!({ "token": answer })).await;
    assert_eq!(yes.error(), (400, "INVALID_TOKEN"));
    let password = json!({ "token": reset, "password": "Sunrise#2027x" });
    assert_eq!(s.post("/auth/reset-password", password).await.error(), (400, "INVALID_TOKEN"));
    assert_eq!(s.status(&person, &id).await["latest_question"]["state"], "open");
    let date = json!({ "facility": "Toronto", "date": "2027-02-09" });
    let said = s.ok("POST", &format!("/schedules/{id}/answer"), &person, date).await;
    assert_eq!(said["state"], "trying");
}
