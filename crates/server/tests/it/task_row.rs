//! Checks the facts in the view of a task: its condition, its next poll, and when each city was
//! last polled.

use chrono::{DateTime, TimeDelta, Utc};
use domain::booking::AttemptState;
use serde_json::{Value, json};

use crate::stage::{Stage, TORONTO};

portal_stories!(
    a_task_row_never_shows_a_past_or_wrong_next_check,
    a_portal_pause_is_shown_in_the_task_row_and_becomes_silent,
    the_last_seen_time_of_a_date_is_its_last_poll,
    actions_during_a_booking_report_the_booking,
    the_list_can_be_sorted_by_the_next_check,
);

fn instant(value: &Value) -> Option<DateTime<Utc>> {
    value.as_str().map(|text| text.parse().unwrap())
}

// spec: 10.2.32
async fn a_task_row_never_shows_a_past_or_wrong_next_check(s: Stage) {
    let (mut person, id) = crate::operator::watched(&s, "lin").await;
    let (mut limited, mut named) = (0, 0);
    // Time before which the view announced no poll, with the number of polls until then.
    let mut promised: Option<(DateTime<Utc>, usize)> = None;
    for minute in 0..180 {
        if minute % 10 == 0 {
            person = s.again(&person).await;
        }
        s.run_for(TimeDelta::minutes(1)).await;
        let (engine, now) = (s.status(&person, &id).await["engine"].clone(), s.clock.now());
        let polls = s.requests("days");
        let next = instant(&engine["next_check_at"]);
        assert!(next.is_none_or(|at| at > now), "at {now}: {engine}");
        for city in engine["cities"].as_array().unwrap() {
            assert!(instant(&city["next_check_at"]).is_none_or(|at| at > now), "at {now}: {engine}");
        }
        let verdict = &engine["verdict"];
        let is_limited = verdict["reason"] == "hour_limit";
        assert_eq!(is_limited, verdict["code"] == "budget_rest", "at {now}: {engine}");
        if let Some((until, before)) = promised
            && now < until
        {
            assert_eq!(polls, before, "a poll before {until}, which the row had promised");
        }
        promised = next.filter(|_| is_limited).map(|at| (at, polls));
        limited += usize::from(is_limited);
        named += usize::from(next.is_some());
        if engine["looks"]["hour_used"] == engine["looks"]["hour_limit"] && next.is_none() {
            panic!("at {now} the hour is used up, and the row has no end of the wait: {engine}");
        }
    }
    assert!(limited > 10 && named > 120, "{limited} {named}");
}

// spec: 10.2.32
async fn a_portal_pause_is_shown_in_the_task_row_and_becomes_silent(s: Stage) {
    let (person, id) = crate::operator::watched(&s, "lin").await;
    s.run_for(TimeDelta::minutes(20)).await;
    let at = s.clock.now();
    let mut tx = s.app.db.begin().await.unwrap();
    store::outward::pause(&mut tx, store::outward::EVERY_HOST, at, "maintenance of ours").await.unwrap();
    tx.commit().await.unwrap();
    s.run_for(TimeDelta::minutes(10)).await;
    let person = s.again(&person).await;
    let engine = s.status(&person, &id).await["engine"].clone();
    let verdict = &engine["verdict"];
    assert_eq!((&verdict["code"], &verdict["reason"]), (&json!("operator_pause"), &json!("operator_pause")));
    assert_eq!((instant(&verdict["since"]), &engine["next_check_at"]), (Some(at), &Value::Null));
    let answered = engine["cities"].as_array().unwrap().iter();
    let last = answered.filter_map(|city| instant(&city["last_answer_at"])).max().unwrap();
    s.run_for(last + TimeDelta::hours(6) - s.clock.now() - TimeDelta::seconds(1)).await;
    let person = s.again(&person).await;
    assert_eq!(s.status(&person, &id).await["engine"]["verdict"]["code"], "operator_pause");
    s.run_for(TimeDelta::seconds(1)).await;
    let verdict = s.status(&person, &id).await["engine"]["verdict"].clone();
    assert_eq!((&verdict["code"], &verdict["reason"]), (&json!("silent"), &json!("operator_pause")));
    assert_eq!(instant(&verdict["since"]), Some(last), "no poll was made since then");
    let mut tx = s.app.db.begin().await.unwrap();
    store::outward::resume(&mut tx, store::outward::EVERY_HOST).await.unwrap();
    tx.commit().await.unwrap();
    s.run_for(TimeDelta::minutes(15)).await;
    let verdict = s.status(&s.again(&person).await, &id).await["engine"]["verdict"].clone();
    assert_ne!(verdict["code"], "silent", "{verdict}");
}

// spec: 10.2.32
async fn the_last_seen_time_of_a_date_is_its_last_poll(s: Stage) {
    let (person, id) = crate::operator::watched(&s, "lin").await;
    let slot = s.slot(TORONTO, "2027-07-20", "09:00");
    s.run_for(TimeDelta::hours(2)).await;
    let person = s.again(&person).await;
    let toronto = |task: &Value| {
        let cities = task["engine"]["cities"].as_array().unwrap().clone();
        cities.into_iter().find(|city| city["facility"] == "Toronto").unwrap()
    };
    let task = s.status(&person, &id).await;
    let city = toronto(&task);
    assert_eq!(city["earliest_listed"], "2027-07-20");
    assert!(
        s.clock.now() - instant(&city["listed_at"]).unwrap() < TimeDelta::hours(1),
        "an unchanged list counts: {city}"
    );
    assert_eq!(city["last_answer_at"], city["listed_at"]);
    assert_eq!(
        task["earliest_seen"]["seen_at"], city["listed_at"],
        "seen by the last poll, not by the first"
    );
    let evidence = &task["engine"]["verdict"]["evidence"];
    let listed = json!({ "date": "2027-07-20", "facility": "Toronto", "at": city["listed_at"] });
    assert_eq!((&evidence["earliest_listed"], &evidence["days_after_window"]), (&listed, &json!(50)));
    // A date that disappeared was last seen by the poll before.
    s.sandbox.with_world(|w| w.remove_slot(slot));
    let before = city["listed_at"].clone();
    let mut last = before.clone();
    let mut person = person;
    for _ in 0..180 {
        s.run_for(TimeDelta::minutes(1)).await;
        person = s.again(&person).await;
        let now = toronto(&s.status(&person, &id).await);
        if now["earliest_listed"].is_null() {
            break;
        }
        last = now["listed_at"].clone();
    }
    let task = s.status(&person, &id).await;
    assert_eq!(toronto(&task)["earliest_listed"], Value::Null, "the list was polled since");
    assert_eq!(task["earliest_seen"]["seen_at"], last);
    assert_eq!(
        task["engine"]["verdict"]["evidence"]["earliest_listed"],
        Value::Null,
        "it is on no list any more"
    );
    let calendar = s.get(&format!("/schedules/{id}/calendar?days=7"), &person).await.data().clone();
    assert_eq!(calendar["cities"][0]["days"][0]["last_seen_at"], last, "{calendar}");
}

// spec: 10.2.32
async fn actions_during_a_booking_report_the_booking(s: Stage) {
    let (person, id) = crate::operator::watched(&s, "lin").await;
    let edit = async || {
        s.ok("PUT", &format!("/schedules/{id}"), &person, json!({ "search_params": crate::stage::params() }))
            .await
    };
    assert_eq!(edit().await["booking_under_way"], Value::Null);
    crate::operator::unconfirmed(&s, &id, AttemptState::Sending).await;
    let under_way = json!({ "date": "2027-02-03", "time": "08:15", "facility": "Toronto" });
    assert_eq!(edit().await["booking_under_way"], under_way);
    let stopped = s.plain("POST", &format!("/schedules/{id}/stop"), &person).await.data().clone();
    assert_eq!(stopped["booking_under_way"], under_way);
    let deleted = s.plain("DELETE", &format!("/schedules/{id}"), &person).await.data().clone();
    assert_eq!((&deleted["released_amount"], &deleted["booking_under_way"]), (&json!(0.0), &under_way));
}

// spec: 10.2.32
async fn the_list_can_be_sorted_by_the_next_check(s: Stage) {
    let person = s.payer("lin", 100_00).await;
    for name in ["lin", "wu", "xu"] {
        s.submitted(&person, name).await;
    }
    s.run_for(TimeDelta::minutes(33)).await;
    let person = s.again(&person).await;
    let listed = s.get("/schedules?sort=next_check", &person).await.data()["schedules"].clone();
    let checks: Vec<_> =
        listed.as_array().unwrap().iter().map(|task| instant(&task["engine"]["next_check_at"])).collect();
    assert_eq!(checks.len(), 3);
    let mut sorted = checks.clone();
    sorted.sort_by_key(|at| (at.is_none(), *at));
    assert_eq!(checks, sorted);
    assert!(checks[0].is_some(), "{checks:?}");
}
