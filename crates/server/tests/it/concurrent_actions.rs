//! Stories of many concurrent actions. In any order, each task ends in one state, and each hold is
//! released or captured once.

use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::json;

use crate::app::Person;
use crate::stage::{PORTAL_PASSWORD, Stage, TORONTO, params};

portal_stories!(
    many_clicks_on_one_task_have_one_outcome,
    clicks_while_the_engine_books_never_lose_money,
    concurrent_verifications_of_one_login_make_one_draft,
);

async fn click(s: &Stage, person: &Person, id: &str, n: usize) -> (usize, u16) {
    let path = |what: &str| format!("/schedules/{id}{what}");
    let (method, path, body) = match n % 5 {
        0 => ("POST", path("/stop"), None),
        1 => ("POST", path("/start"), None),
        2 => ("PUT", path(""), Some(json!({ "search_params": params() }))),
        3 => ("PUT", path("/facilities"), Some(json!({ "required_cities": ["Ottawa", "Toronto"] }))),
        _ => ("DELETE", path(""), None),
    };
    (n % 5, s.call(method, &path, Some(person), body).await.status.as_u16())
}

// spec: 10.5.11
async fn many_clicks_on_one_task_have_one_outcome(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    let s = Arc::new(s);
    let mut clicks = tokio::task::JoinSet::new();
    for n in 0..30 {
        let (s, person, id) = (s.clone(), person.clone(), id.clone());
        clicks.spawn(async move { click(&s, &person, &id, n).await });
    }
    let done = clicks.join_all().await;
    let deletions = done.iter().filter(|(kind, status)| *kind == 4 && *status == 200).count();
    assert_eq!(deletions, 1, "{done:?}");
    assert!(done.iter().all(|(_, status)| matches!(status, 200 | 404 | 409)), "{done:?}");
    assert_eq!(s.credit(&person).await, (50.0, 0.0), "released once");
    s.books_balance().await;
}

// spec: 10.5.11
async fn clicks_while_the_engine_books_never_lose_money(s: Stage) {
    let mut tasks = Vec::new();
    for n in 0..5 {
        let name = format!("p{n}");
        let person = s.payer(&name, 50_00).await;
        let id = s.submitted(&person, &name).await;
        s.slot(TORONTO, &format!("2027-02-{:02}", n + 1), "09:15");
        tasks.push((person, id));
    }
    let s = Arc::new(s);
    let mut clicks = tokio::task::JoinSet::new();
    for (n, (person, id)) in tasks.iter().enumerate() {
        let (s, person, id) = (s.clone(), person.clone(), id.clone());
        clicks.spawn(async move {
            let mut done = Vec::new();
            for kind in [2, 0, 1, 3, 0, 1, if n % 2 == 0 { 4 } else { 3 }] {
                done.push(click(&s, &person, &id, kind).await);
                tokio::task::yield_now().await;
            }
            done
        });
    }
    s.run_for(TimeDelta::seconds(30)).await;
    let done: Vec<_> = clicks.join_all().await.into_iter().flatten().collect();
    assert!(done.iter().all(|(_, status)| matches!(status, 200 | 409)), "{done:?}");
    s.run_for(TimeDelta::minutes(14)).await;
    for (person, id) in &tasks {
        let (person, booked) = (s.again(person).await, s.sandbox.with_world(|w| w.applied.clone()));
        let name = person.email.to_uppercase().replace("@EXAMPLE.COM", "");
        let changed = booked.iter().filter(|a| {
            let group = s.sandbox.with_world(|w| w.groups[&a.portal_schedule_id].applicants[0].name.clone());
            group == name
        });
        let (credit, held) = s.credit(&person).await;
        let deleted = s.get(&format!("/schedules/{id}/status"), &person).await.status == 404;
        let expected = match (changed.count(), deleted) {
            (0, true) => (50.0, 0.0),
            (0, false) => (45.0, 5.0),
            _ => (45.0, 0.0),
        };
        assert_eq!((credit, held), expected, "{name}: {booked:?}");
    }
    s.books_balance().await;
}

// spec: 10.3.12
async fn concurrent_verifications_of_one_login_make_one_draft(s: Stage) {
    let number = s.booked("lin");
    let (one, two) = (s.payer("one", 50_00).await, s.payer("two", 50_00).await);
    // Another user has already added the portal account.
    s.draft(&two, "lin").await;
    let s = Arc::new(s);
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..3 {
        let (s, person) = (s.clone(), one.clone());
        calls.spawn(async move {
            let reply = s.verify(&person, "lin", PORTAL_PASSWORD).await;
            reply.data()["schedules"][0]["id"].as_str().unwrap().to_owned()
        });
    }
    let mut ids = calls.join_all().await;
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 1, "one draft");
    // The stored password can be decrypted: the engine signs in with it.
    s.ok("POST", "/schedules/configure", &one, crate::stage::configuration(&ids[0], number)).await;
    s.ok("POST", "/schedules/submit", &one, json!({ "schedule_id": ids[0] })).await;
    s.sandbox.with_world(|w| w.sessions.clear());
    s.clock.advance(TimeDelta::hours(2));
    s.run_for(TimeDelta::minutes(5)).await;
    let one = s.again(&one).await;
    let task = s.status(&one, &ids[0]).await;
    assert_eq!(task["status"], "active", "{task}");
}
