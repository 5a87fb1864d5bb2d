//! Stories of the event stream: changes since the last event, until the session ends.

use std::time::Duration;

use axum::body::Body;
use chrono::TimeDelta;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::app::{Person, request};
use crate::stage::Stage;

portal_stories!(
    changes_are_sent_and_missed_ones_after_a_reconnect,
    changes_of_other_users_are_not_sent,
    a_stream_ends_with_its_sign_in,
    each_change_is_sent_among_many_tasks,
    a_forged_last_event_id_does_no_harm,
    streams_are_limited_per_user,
);

/// An open event stream.
struct Events {
    body: Body,
    text: String,
}

#[derive(Debug)]
struct Event {
    name: String,
    id: i64,
    data: Value,
}

async fn open(s: &Stage, person: &Person, last: Option<i64>) -> Events {
    let mut request = request("GET", "/events", Some(person), None);
    if let Some(last) = last {
        request.headers_mut().insert("last-event-id", last.to_string().parse().unwrap());
    }
    let response = s.router.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut events = Events { body: response.into_body(), text: String::new() };
    let first = events.next(20).await.expect("the balance is sent on every connection");
    assert_eq!(first.name, "credit");
    events
}

impl Events {
    /// Returns the next event within `seconds`; `None` if there was none or the stream ended.
    async fn next(&mut self, seconds: u64) -> Option<Event> {
        let read = async {
            loop {
                while let Some((event, rest)) = self.text.split_once("\n\n") {
                    let event = event.to_owned();
                    self.text = rest.to_owned();
                    let field = |name: &str| {
                        let line = event.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(':'));
                        line.map(|l| l.trim().to_owned())
                    };
                    if let Some(name) = field("event") {
                        let id = field("id").unwrap().parse().unwrap();
                        let data = serde_json::from_str(&field("data").unwrap()).unwrap();
                        return Some(Event { name, id, data });
                    }
                }
                let frame = self.body.frame().await?.unwrap();
                self.text.push_str(std::str::from_utf8(&frame.into_data().unwrap()).unwrap());
            }
        };
        tokio::time::timeout(Duration::from_secs(seconds), read).await.ok().flatten()
    }

    /// Returns the next event with a name.
    async fn named(&mut self, name: &str) -> Event {
        loop {
            let event = self.next(20).await.unwrap_or_else(|| panic!("no {name} came"));
            if event.name == name {
                return event;
            }
        }
    }

    /// Returns `true` if the stream ends within 20 seconds.
    async fn ends(mut self) -> bool {
        let rest = async { while self.body.frame().await.is_some() {} };
        tokio::time::timeout(Duration::from_secs(20), rest).await.is_ok()
    }
}

// spec: 10.7.06, 10.8.11
async fn changes_are_sent_and_missed_ones_after_a_reconnect(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    s.wait(10);
    let mut events = open(&s, &person, None).await;
    // The stream has queried the database once before anything changes.
    assert!(events.next(1).await.is_none(), "earlier changes are not sent");
    let other = s.submitted(&person, "sun").await;
    let credit = events.named("credit").await;
    assert!(credit.data["version"].is_i64());
    let balance = s.plain("GET", "/users/credit", &person).await;
    for name in ["credit", "on_hold"] {
        assert_eq!(credit.data[name], balance.data()[name], "{name}: the stream and the request agree");
    }
    drop(events);

    s.wait(10);
    let mut events = open(&s, &person, None).await;
    assert!(events.next(1).await.is_none());
    s.plain("POST", &format!("/schedules/{id}/stop"), &person).await.data();
    let stopped = events.named("task").await;
    let version = s.status(&person, &id).await["version"].as_i64().unwrap();
    assert_eq!(stopped.data, json!({ "id": id, "version": version, "deleted": false }));
    assert_eq!(stopped.id, version);
    assert!(events.next(2).await.is_none(), "sent once");
    drop(events);

    // No stream is open while one task is started and the other is deleted.
    s.wait(10);
    s.plain("POST", &format!("/schedules/{id}/start"), &person).await.data();
    s.wait(10);
    s.plain("DELETE", &format!("/schedules/{other}"), &person).await.data();
    s.wait(10);
    let mut events = open(&s, &person, Some(stopped.id)).await;
    let told = [events.named("task").await, events.named("task").await];
    let mut seen: Vec<_> = told.iter().map(|e| (e.data["id"].clone(), e.data["deleted"].clone())).collect();
    seen.sort_by_key(|(_, deleted)| deleted == &json!(true));
    assert_eq!(seen, [(json!(id), json!(false)), (json!(other), json!(true))]);
    let newest = told.iter().map(|e| e.id).max().unwrap();
    assert!(newest > stopped.id);
    drop(events);
    s.wait(10);
    let mut events = open(&s, &person, Some(newest + 3_000_000)).await;
    assert!(events.next(2).await.is_none(), "nothing more is sent");
}

// spec: 6.07
async fn changes_of_other_users_are_not_sent(s: Stage) {
    let (person, other) = (s.person("lin").await, s.payer("other", 50_00).await);
    let id = s.submitted(&other, "sun").await;
    s.wait(10);
    let mut events = open(&s, &person, Some(0)).await;
    s.plain("DELETE", &format!("/schedules/{id}"), &other).await.data();
    assert!(events.next(2).await.is_none());
    let nobody = s.send(request("GET", "/events", None, None)).await;
    assert_eq!(nobody.error(), (401, "UNAUTHORIZED"));
}

// spec: 10.7.07
async fn a_stream_ends_with_its_sign_in(s: Stage) {
    let person = s.person("lin").await;
    let mut events = open(&s, &person, None).await;
    assert!(events.next(1).await.is_none());
    assert_eq!(s.plain("POST", "/auth/logout", &person).await.status, 200);
    s.clock.advance(TimeDelta::seconds(6));
    assert!(events.ends().await, "signed out");
    let person = s.again(&person).await;
    let mut events = open(&s, &person, Some(-5)).await;
    assert!(events.next(1).await.is_none());
    s.clock.advance(TimeDelta::minutes(15));
    assert!(events.ends().await, "the access token expired");
}

// spec: 10.8.14
async fn each_change_is_sent_among_many_tasks(s: Stage) {
    let (person, id) = crate::operator::watched(&s, "lin").await;
    let now = s.clock.now();
    let mut tx = s.app.db.begin().await.unwrap();
    let task = store::task::get(&mut tx, id.parse().unwrap()).await.unwrap().unwrap();
    let counted = task.counted.clone().unwrap();
    let mut last = task.id;
    for number in 0..260 {
        let found = store::task::FoundGroup {
            id: domain::ids::TaskId::new(now, s.app.random.bytes()),
            user_id: task.user_id,
            credential_id: task.credential_id.unwrap(),
            portal_account_id: task.portal_account_id,
            country: task.country,
            visa_type: task.visa_type,
            portal_schedule_id: domain::ids::PortalScheduleId(format!("9{number:04}")),
            group: task.group.clone(),
            booked: task.booked,
        };
        last = store::task::upsert_found(&mut tx, &found, now).await.unwrap();
        store::task::set_criteria(&mut tx, last, task.criteria.as_ref().unwrap(), now).await.unwrap();
        store::exec!(
            &mut tx,
            "UPDATE task SET status = 'active', submitted_at = $2 WHERE id = $1",
            last.0,
            now
        )
        .unwrap();
        let missing = store::task::Difference { checks: 0, slots: 0, last_check_at: None, at: None };
        store::task::count_from(&mut tx, last, &missing, &counted, now).await.unwrap();
    }
    tx.commit().await.unwrap();
    // A poll of their calendars changes all tasks; then one is paused.
    s.run_for(TimeDelta::minutes(20)).await;
    let person = s.again(&person).await;
    let mut events = open(&s, &person, Some(now.timestamp_micros())).await;
    let mut told = std::collections::BTreeSet::new();
    while let Some(event) = events.next(3).await {
        told.insert(event.data["id"].as_str().map(str::to_owned));
    }
    assert_eq!(told.len(), 261);
    s.plain("POST", &format!("/schedules/{last}/stop"), &person).await.data();
    let stopped = events.named("task").await;
    assert_eq!(stopped.data["id"], json!(last));
}

// spec: 10.8.14
async fn a_forged_last_event_id_does_no_harm(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    s.wait(10);
    let ahead = s.clock.now().timestamp_micros() + 86_400_000_000;
    let oldest = chrono::DateTime::<chrono::Utc>::MIN_UTC.timestamp_micros();
    for (turn, last) in [i64::MAX, ahead, i64::MIN, oldest, oldest + 1_000_000, -1].into_iter().enumerate() {
        let mut events = open(&s, &person, Some(last)).await;
        while events.next(1).await.is_some() {}
        s.wait(10);
        let step = if turn % 2 == 0 { "stop" } else { "start" };
        s.plain("POST", &format!("/schedules/{id}/{step}"), &person).await.data();
        assert_eq!(events.named("task").await.data["id"], json!(id), "{last}");
    }
}

// spec: 10.8.14
async fn streams_are_limited_per_user(s: Stage) {
    let (person, other) = (s.person("lin").await, s.person("sun").await);
    let mut streams = Vec::new();
    for _ in 0..server::live::streams::MOST_STREAMS {
        streams.push(open(&s, &person, None).await);
    }
    let refused = s.send(request("GET", "/events", Some(&person), None)).await;
    assert_eq!(refused.error(), (429, "TOO_MANY_ATTEMPTS"));
    assert_eq!(refused.headers["retry-after"], "20");
    open(&s, &other, None).await;
    // A stream stops counting as soon as it ends.
    streams.pop();
    open(&s, &person, None).await;
}
