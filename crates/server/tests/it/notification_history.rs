//! Stories of `GET /user/notifications`: the pages contain the caller's own notices and no others.

use domain::channel::EventKind;
use serde_json::{Value, json};

use crate::app::Person;
use crate::notices::{deliver, delivery, linked, notice, telegram};
use crate::stage::Stage;

portal_stories!(
    the_history_is_paged_and_has_no_identity_mails,
    the_history_shows_the_state_of_each_notice,
    the_history_is_limited_to_one_user_and_one_task,
    a_new_channel_is_announced_over_mail_and_earlier_channels,
);

async fn page(s: &Stage, person: &Person, query: &str) -> Value {
    s.get(&format!("/user/notifications{query}"), person).await.data().clone()
}

fn entries(page: &Value) -> &Vec<Value> {
    page["entries"].as_array().unwrap()
}

// spec: 10.16.13
async fn the_history_is_paged_and_has_no_identity_mails(s: Stage) {
    let person = s.person("lin").await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    linked(&s, &person, &telegram(), &[EventKind::Booked]).await;
    let before = entries(&page(&s, &person, "?limit=100").await).len();
    for n in 0..5 {
        notice(&s, &person, "booked", &format!("booked-{n}")).await;
        // Mails with links that prove the identity are sent in between, and are not listed.
        s.post("/auth/forgot-password", json!({ "email": person.email })).await;
        server::workers::mail_requests::resolve_due(&s.app).await.unwrap();
        s.wait(61);
    }
    let (mut seen, mut next) = (Vec::new(), None::<String>);
    loop {
        let query = next.as_ref().map_or_else(String::new, |next| format!("&before={next}"));
        let read = page(&s, &person, &format!("?limit=3{query}")).await;
        seen.extend(entries(&read).iter().map(|entry| entry["id"].as_str().unwrap().to_owned()));
        assert!(
            read["next"].is_null() || entries(&read).len() == 3,
            "a page that is not the last is full: {read}"
        );
        match read["next"].as_str() {
            Some(id) => next = Some(id.to_owned()),
            None => break,
        }
    }
    assert_eq!(seen.len() - before, 10, "five mails and five messages");
    assert!(seen.is_sorted_by(|a, b| a > b), "the newest first, each once: {seen:?}");
    assert_eq!(entries(&page(&s, &person, "?limit=0").await).len(), 1);
    assert_eq!(entries(&page(&s, &person, "?limit=1000").await).len(), seen.len());
    for wrong in ["?before=nothing", "?limit=many", "?task_id=1", "?other=1"] {
        let refused = s.get(&format!("/user/notifications{wrong}"), &person).await;
        assert_eq!(refused.status, 400, "{wrong}");
    }
}

// spec: 10.16.13
async fn the_history_shows_the_state_of_each_notice(s: Stage) {
    let person = s.person("lin").await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    linked(&s, &person, &telegram(), &[EventKind::Booked, EventKind::Opening]).await;
    notice(&s, &person, "appointment_alert", "late").await;
    s.wait(121);
    notice(&s, &person, "booked", "now").await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    notice(&s, &person, "credited", "waits").await;
    let read = page(&s, &person, "").await;
    let told = |event: &str, kind: &str| {
        let mut all = entries(&read).iter();
        let found = all.find(|entry| entry["event"] == event && entry["channel"]["kind"] == kind);
        found.unwrap_or_else(|| panic!("{event} over {kind} in {read}")).clone()
    };
    let late = told("opening", "telegram");
    assert_eq!(
        (&late["state"], &late["why"], &late["receipt"]),
        (&json!("not_sent"), &json!("too_late"), &Value::Null)
    );
    let booked = told("booked", "telegram");
    assert_eq!((&booked["state"], &booked["why"]), (&json!("accepted"), &Value::Null));
    assert!(booked["at"].is_string() && booked["channel"]["id"].is_string());
    let mail = told("booked", "email");
    assert_eq!(
        (&mail["channel"]["label"], &mail["channel"]["id"]),
        (&json!("lin@example.com"), &Value::Null)
    );
    let waits = told("money", "email");
    assert_eq!((&waits["state"], &waits["at"]), (&json!("waiting"), &Value::Null));
    assert!(!read.to_string().contains("LIN Mei"), "the entry contains no text and no name");
}

// spec: 10.16.13
async fn the_history_is_limited_to_one_user_and_one_task(s: Stage) {
    let lin = s.payer("lin", 50_00).await;
    let task = s.submitted(&lin, "lin").await;
    let eve = s.person("eve").await;
    let mut tx = s.app.db.begin().await.unwrap();
    let slot =
        json!({ "date": "2027-02-03", "time": "08:15", "facility": "Toronto", "facility_zh": "多伦多" });
    let data = json!({
        "task_id": task, "names": "LIN Mei", "old": null, "new": slot, "charged": null, "days_advanced": 9,
        "search": null, "change_deadline": null,
    });
    let random = &s.app.random;
    store::outbox::enqueue_mail(&mut tx, random, lin.id, "booked", "one", &data, s.clock.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    notice(&s, &lin, "booked", "two").await;
    let own = page(&s, &lin, &format!("?task_id={task}")).await;
    assert!(entries(&own).iter().all(|entry| entry["task_id"] == json!(task)), "{own}");
    let mut events: Vec<_> = entries(&own).iter().map(|entry| entry["event"].as_str().unwrap()).collect();
    events.sort_unstable();
    assert_eq!(events, ["booked", "submitted"], "the other booking is of another task");
    let all = page(&s, &lin, "?limit=100").await;
    assert!(entries(&all).len() > 1);
    // Eve requests her own entries, with a cursor and a task of Lin.
    let newest = entries(&all)[0]["id"].as_str().unwrap().to_owned();
    for query in ["?limit=100".to_owned(), format!("?before={newest}"), format!("?task_id={task}")] {
        let read = page(&s, &eve, &query).await;
        let labels: Vec<_> = entries(&read).iter().map(|entry| &entry["channel"]["label"]).collect();
        assert!(labels.iter().all(|label| *label == "eve@example.com"), "{query}: {read}");
        assert!(entries(&read).iter().all(|entry| entry["task_id"].is_null()), "{query}: {read}");
    }
    assert_eq!(s.call("GET", "/user/notifications", None, None).await.error(), (401, "UNAUTHORIZED"));
}

// spec: 10.16.12
async fn a_new_channel_is_announced_over_mail_and_earlier_channels(s: Stage) {
    let ann = s.person("ann").await;
    let told = async || {
        let mut to = Vec::new();
        for (template, recipient, data) in s.mails().await {
            if template == "channel_added" {
                assert_eq!(
                    (&data["kind"], &data["link"]),
                    (&json!("ntfy"), &json!("https://sooner.example.com/settings"))
                );
                to.push(recipient);
            }
        }
        to.sort_unstable();
        to
    };
    s.proven(&ann, "a-long-topic-name").await;
    assert_eq!(told().await, ["ann@example.com"], "not over the new channel itself");
    s.proven(&ann, "another-long-topic").await;
    assert_eq!(told().await, ["ann@example.com", "…name"], "over the earlier channels too");
    // A channel that is not verified gets no notice.
    s.add(&ann, json!({ "kind": "ntfy", "topic": "a-third-long-topic" })).await;
    assert!(told().await.is_empty());
}
