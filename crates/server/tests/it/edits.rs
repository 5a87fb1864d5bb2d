//! Stories of concurrent edits, and of invalid dates.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::app::{PASSWORD, Person};
use crate::stage::{Stage, configuration, params};

portal_stories!(
    an_edit_does_not_overwrite_a_concurrent_edit,
    of_two_concurrent_edits_one_succeeds,
    dates_and_times_out_of_range_are_refused,
    odd_stored_criteria_do_not_stop_other_tasks,
    widening_criteria_needs_a_step_up_and_sends_a_notice,
);

async fn proven(s: &Stage, person: &Person) {
    s.ok("POST", "/auth/step-up", person, json!({ "password": PASSWORD })).await;
}

fn version(task: &Value) -> i64 {
    task["schedule_config"]["version"].as_i64().unwrap()
}

fn wanting(city: &str, based_on: i64) -> Value {
    let mut body = json!({ "search_params": params(), "based_on": based_on });
    body["search_params"]["required_cities"] = json!([city]);
    body
}

// spec: 10.8.12
async fn an_edit_does_not_overwrite_a_concurrent_edit(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    let (path, facilities) = (format!("/schedules/{id}"), format!("/schedules/{id}/facilities"));
    let first = version(&s.status(&person, &id).await);
    // Changes of a task by the server do not change the version of its criteria.
    s.plain("POST", &format!("{path}/stop"), &person).await.data();
    s.plain("POST", &format!("{path}/start"), &person).await.data();
    s.run_for(TimeDelta::minutes(10)).await;
    assert_eq!(version(&s.status(&person, &id).await), first);
    proven(&s, &person).await;
    // One browser tab saves. The other tab, opened earlier, gets the current task.
    let saved = s.ok("PUT", &path, &person, wanting("Ottawa", first)).await["schedule"].clone();
    let second = version(&saved);
    assert!(second > first);
    let late = [
        (&path, wanting("Halifax", first)),
        (&facilities, json!({ "required_cities": ["Halifax"], "based_on": first })),
        (&path, wanting("Halifax", second + 1)),
    ];
    for (path, body) in late {
        let reply = s.call("PUT", path, Some(&person), Some(body)).await;
        assert_eq!(reply.error(), (409, "SCHEDULE_CHANGED"), "{path}");
        let there = &reply.body["data"]["schedule"];
        assert_eq!((&there["id"], version(there)), (&json!(id), second));
        assert_eq!(there["monitoring_cities"], json!(["Ottawa"]));
    }
    assert_eq!(s.status(&person, &id).await["monitoring_cities"], json!(["Ottawa"]), "an edit was written");
    let journal = s.get(&format!("{path}/journal"), &person).await.data()["entries"].clone();
    let edits = journal.as_array().unwrap().iter().filter(|entry| entry["kind"] == "edited");
    assert_eq!(edits.count(), 1, "{journal}");
    // The user decides after seeing the current criteria. A request without a version replaces
    // them.
    let body = json!({ "required_cities": ["Halifax"], "basedOn": second });
    let third = s.ok("PUT", &facilities, &person, body).await["schedule"].clone();
    assert_eq!((version(&third), &third["monitoring_cities"]), (second + 1, &json!(["Halifax"])));
    s.ok("PUT", &path, &person, json!({ "search_params": params() })).await;
}

// spec: 10.8.12
async fn of_two_concurrent_edits_one_succeeds(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    proven(&s, &person).await;
    let path = format!("/schedules/{id}");
    for _ in 0..5 {
        let before = s.status(&person, &id).await;
        let edit = |city| s.call("PUT", &path, Some(&person), Some(wanting(city, version(&before))));
        let (one, other) = tokio::join!(edit("Ottawa"), edit("Calgary"));
        let mut told = [one.status.as_u16(), other.status.as_u16()];
        told.sort_unstable();
        assert_eq!(told, [200, 409]);
        let after = s.status(&person, &id).await;
        assert_eq!(version(&after), version(&before) + 1);
        assert!(after["version"].as_i64() >= before["version"].as_i64());
    }
}

// spec: 10.8.13
async fn dates_and_times_out_of_range_are_refused(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    let number = s.booked("sun");
    let draft = s.draft(&person, "sun").await;
    let (last, before) = ("+262142-12-31", "+262142-01-01");
    let range = |start: &str, end: &str| json!([{ "type": "range", "start": start, "end": end }, end]);
    let cases = [
        (
            json!({ "start_date": before, "end_date": last, "excluded_dates": range(before, last) }),
            "end_date",
        ),
        (json!({ "start_date": before, "end_date": last }), "end_date"),
        (json!({ "start_date": "9998-01-01", "end_date": "9999-12-31" }), "end_date"),
        (json!({ "start_date": "2037-01-01", "end_date": "2037-12-31" }), "end_date"),
        (json!({ "start_date": "-262143-01-01" }), "end_date"),
        (json!({ "last_attempt_until": last }), "last_attempt_until"),
        (json!({ "weekdays": [1, 8] }), "weekdays"),
        (json!({ "weekdays": [-1] }), "weekdays"),
        (json!({ "earliest_time": "24:00" }), "earliest_time"),
        (json!({ "latest_time": "9:00" }), "latest_time"),
        (json!({ "earliest_time": "13:00", "latest_time": "12:59" }), "latest_time"),
        (json!({ "last_attempt_until": "-0044-03-15" }), "last_attempt_until"),
    ];
    for (change, field) in cases {
        let mut wanted = params();
        wanted.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let mut configure = configuration(&draft, number);
        configure["search_params"] = wanted.clone();
        let edit = json!({ "search_params": wanted });
        for (method, path, body) in [
            ("POST", "/schedules/configure".to_owned(), configure),
            ("PUT", format!("/schedules/{id}"), edit),
        ] {
            let reply = s.call(method, &path, Some(&person), Some(body)).await;
            assert_eq!(reply.error(), (422, "VALIDATION_FAILED"), "{change} {reply:?}");
            assert!(reply.body["data"]["fields"][field].is_string(), "{change} {reply:?}");
        }
    }
}

// spec: 10.8.13
/// Checks that invalid stored criteria of one task, as an old database may contain, do not stop
/// other tasks.
async fn odd_stored_criteria_do_not_stop_other_tasks(s: Stage) {
    let odd: Person = s.payer("odd", 50_00).await;
    let id = s.submitted(&odd, "odd").await;
    let criteria = domain::criteria::SearchCriteria {
        start_date: chrono::NaiveDate::MIN,
        end_date: chrono::NaiveDate::MAX,
        excluded: domain::criteria::ExcludedDates::new(vec![
            (chrono::NaiveDate::MIN, chrono::NaiveDate::MIN),
            (chrono::NaiveDate::MAX, chrono::NaiveDate::MAX),
            (chrono::NaiveDate::MAX, chrono::NaiveDate::MAX),
        ]),
        cities: vec![domain::facility::FacilityId::TORONTO],
        weekdays: Default::default(),
        times: Default::default(),
        minimum_days_from_current: 0,
        min_improvement_days: 1,
        max_reschedules: 2,
        last_attempt_until: Some(chrono::NaiveDate::MAX),
        fingerprints: None,
        mode: domain::criteria::BookingMode::Auto,
    };
    let mut tx = s.app.db.begin().await.unwrap();
    store::task::set_criteria(&mut tx, id.parse().unwrap(), &criteria, s.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    let (person, watched) = crate::operator::watched(&s, "lin").await;
    s.run_for(TimeDelta::hours(1)).await;
    assert!(s.status(&s.again(&person).await, &watched).await["engine"]["checks"].as_i64() > Some(0));
    let odd = s.again(&odd).await;
    for page in ["status", "calendar?days=90", "seen", "journal"] {
        s.get(&format!("/schedules/{id}/{page}"), &odd).await.data();
    }
}

// spec: 10.7.62
async fn widening_criteria_needs_a_step_up_and_sends_a_notice(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    let path = format!("/schedules/{id}");
    s.wait(301);
    s.mails().await;
    let widened = |change: fn(&mut Value)| {
        let mut body = json!({ "search_params": params() });
        change(&mut body["search_params"]);
        body
    };
    let more: [fn(&mut Value); 4] = [
        |p| p["start_date"] = json!("2026-11-30"),
        |p| p["required_cities"] = json!(["Toronto", "Ottawa", "Halifax"]),
        |p| p["max_reschedules"] = json!(20),
        |p| p["last_attempt_until"] = json!("2027-01-31"),
    ];
    for change in more {
        let refused = s.call("PUT", &path, Some(&person), Some(widened(change))).await;
        assert_eq!(refused.error(), (403, "STEP_UP_REQUIRED"));
    }
    let body = json!({ "required_cities": ["Halifax"] });
    let refused = s.call("PUT", &format!("{path}/facilities"), Some(&person), Some(body)).await;
    assert_eq!(refused.error(), (403, "STEP_UP_REQUIRED"));
    assert_eq!(
        s.status(&person, &id).await["monitoring_cities"],
        json!(["Toronto", "Ottawa"]),
        "an edit was written"
    );
    // Narrower criteria need no step-up, and send no notice.
    s.ok("PUT", &path, &person, wanting("Ottawa", version(&s.status(&person, &id).await))).await;
    assert!(s.mails().await.is_empty());
    // After a step-up the change is made, and the owner is notified.
    proven(&s, &person).await;
    s.ok("PUT", &path, &person, widened(|_| ())).await;
    let mails = s.mails().await;
    assert_eq!(
        (mails.len(), mails[0].0.as_str(), &mails[0].2["what"]),
        (1, "security_notice", &json!("task_widened"))
    );
    let events = s.get("/user/security-events", &person).await;
    assert_eq!(events.data()["events"][0]["kind"], "task_widened");
    // A draft books nothing, so its criteria may change without a step-up.
    let number = s.booked("other");
    let draft = s.configured(&person, "other", number).await;
    s.wait(301);
    s.ok("PUT", &format!("/schedules/{draft}"), &person, widened(|p| p["max_reschedules"] = json!(20))).await;
}
