//! Stories of a task: configuring, reading, editing, pausing, starting, deleting.

use axum::http::StatusCode;
use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::app::{Person, request};
use crate::stage::{PORTAL_PASSWORD, Stage, TORONTO, configuration, params, raw};

portal_stories!(
    a_draft_can_be_configured_in_snake_or_camel_case,
    excluded_dates_are_accepted_in_three_forms,
    search_criteria_are_validated,
    only_the_tasks_own_appointment_can_be_selected,
    a_list_has_pages_and_filters,
    an_edit_changes_the_search_criteria,
    a_task_is_paused_started_and_deleted,
    a_start_holds_a_released_amount_again,
    a_task_without_reschedules_left_needs_a_higher_limit_to_start,
    a_task_without_portal_attempts_left_is_not_started,
    illegal_transitions_are_refused,
    tasks_of_other_users_are_not_found,
    invalid_bodies_are_refused_by_every_schedule_route,
    a_booking_is_shown_in_every_response,
);

// spec: 3.30, 3.39, 3.40, 3.47, 3.48, 7.3.02
async fn a_draft_can_be_configured_in_snake_or_camel_case(s: Stage) {
    let person = s.person("lin").await;
    let number = s.booked("lin");
    let id = s.draft(&person, "lin").await;
    let ivr = s.status(&person, &id).await["appointments"][0]["ivr_account_number"].clone();
    let camel = json!({
        "scheduleId": id,
        "selectedAppointments": [{ "scheduleId": number.to_string(), "ivrAccountNumber": ivr }],
        "searchParameters": {
            "startDate": "2026-12-01", "endDate": "2027-01-31", "excludedDates": ["2026-12-25"],
            "requiredCities": ["Ottawa"], "minDaysFromCurrent": 3,
        },
        "appointmentManagement": { "keepCurrentAppointment": true },
    });
    let data = s.ok("POST", "/schedules/configure", &person, camel).await;
    let task = &data["schedule"];
    assert_eq!((&task["status"], &task["version"].is_i64()), (&json!("configured"), &true));
    let wanted = json!({
        "start_date": "2026-12-01", "end_date": "2027-01-31", "required_cities": ["Ottawa"],
        "excluded_dates": [{ "type": "", "date": "2026-12-25" }], "minimum_days_from_current": 3,
        "min_improvement_days": 7, "max_reschedules": 2, "last_attempt_until": null,
        "weekdays": [], "earliest_time": null, "latest_time": null, "fingerprints": null,
    });
    assert_eq!(task["schedule_config"]["search_params"], wanted);
    assert_eq!(task["schedule_config"]["keep_current_appointment"], true);
    // If the task is configured again, it gets the new parameters; nothing else changes.
    let mut snake = configuration(&id, number);
    snake["keep_current_appointment"] = json!(false);
    snake["search_params"]["min_improvement_days"] = json!(14);
    snake["search_params"]["weekdays"] = json!([3, 1]);
    snake["search_params"]["latest_time"] = json!("12:30");
    let data = s.ok("POST", "/schedules/configure", &person, snake).await;
    let config = &data["schedule"]["schedule_config"];
    assert_eq!((&config["keep_current_appointment"], &data["schedule"]["id"]), (&json!(false), &json!(id)));
    let params = &config["search_params"];
    assert_eq!((&params["min_improvement_days"], &params["weekdays"]), (&json!(14), &json!([1, 3])));
    assert_eq!((&params["earliest_time"], &params["latest_time"]), (&Value::Null, &json!("12:30")));
    assert_eq!(data["schedule"]["monitoring_cities"], json!(["Toronto", "Ottawa"]));
    assert_eq!(data["schedule"]["submitted_at"], Value::Null);
}

// spec: 3.45, 3.46
async fn excluded_dates_are_accepted_in_three_forms(s: Stage) {
    let person = s.person("lin").await;
    let number = s.booked("lin");
    let id = s.draft(&person, "lin").await;
    let mut body = configuration(&id, number);
    body["search_params"]["excluded_dates"] = json!([
        { "type": "range", "start": "2027-01-01", "end": "2027-01-03" },
        "2026-12-25",
        { "type": "", "date": "2026-12-24" },
        { "date": "2027-01-02" },
        "2026-12-25",
    ]);
    let data = s.ok("POST", "/schedules/configure", &person, body.clone()).await;
    let days = ["2026-12-24", "2026-12-25", "2027-01-01", "2027-01-02", "2027-01-03"];
    let tagged = days.map(|date| json!({ "type": "", "date": date }));
    let shown = &data["schedule"]["schedule_config"]["search_params"]["excluded_dates"];
    assert_eq!(shown, &json!(tagged), "sorted, each day once");
    body["search_params"]["excluded_dates"] = shown.clone();
    let again = s.ok("POST", "/schedules/configure", &person, body.clone()).await;
    assert_eq!(&again["schedule"]["schedule_config"]["search_params"]["excluded_dates"], shown);
    for odd in [
        json!([{ "type": "range", "start": "2027-01-01" }]),
        json!(["soon"]),
        json!([5]),
        json!("2027-01-01"),
    ] {
        body["search_params"]["excluded_dates"] = odd.clone();
        let reply = s.call("POST", "/schedules/configure", Some(&person), Some(body.clone())).await;
        assert_eq!(reply.error(), (400, "INVALID_BODY"), "{odd}");
    }
}

// spec: 5.2.04, 5.2.05, 5.2.08, 5.2.14, 5.2.16
async fn search_criteria_are_validated(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    let number = s.booked("sun");
    let draft = s.draft(&person, "sun").await;
    let range = |start: &str, end: &str| json!([{ "type": "range", "start": start, "end": end }]);
    let cases = [
        (json!({ "end_date": "2026-11-30" }), "end_date", "end_before_start"),
        (json!({ "start_date": "2026-01-01", "end_date": "2026-11-23" }), "end_date", "in_the_past"),
        (json!({ "end_date": "2035-01-01" }), "end_date", "window_too_long"),
        (json!({ "required_cities": [] }), "required_cities", "required"),
        (json!({ "required_cities": ["Toronto", "Paris"] }), "required_cities", "unknown_city"),
        (json!({ "minimum_days_from_current": -1 }), "minimum_days_from_current", "out_of_range"),
        (json!({ "minimum_days_from_current": 366 }), "minimum_days_from_current", "out_of_range"),
        (json!({ "min_improvement_days": 0 }), "min_improvement_days", "out_of_range"),
        (json!({ "max_reschedules": 21 }), "max_reschedules", "out_of_range"),
        (json!({ "excluded_dates": ["2026-11-30"] }), "excluded_dates", "outside_window"),
        (json!({ "excluded_dates": range("2027-05-30", "2027-06-01") }), "excluded_dates", "outside_window"),
        (
            json!({ "excluded_dates": range("2027-01-05", "2027-01-04") }),
            "excluded_dates",
            "end_before_start",
        ),
    ];
    for (change, field, code) in cases {
        let mut wanted = params();
        wanted.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let mut configure = configuration(&draft, number);
        configure["search_params"] = wanted.clone();
        let update = json!({ "search_params": wanted });
        for (method, path, body) in [
            ("POST", "/schedules/configure".to_owned(), configure),
            ("PUT", format!("/schedules/{id}"), update),
        ] {
            let reply = s.call(method, &path, Some(&person), Some(body)).await;
            assert_eq!(reply.error(), (422, "VALIDATION_FAILED"), "{change}");
            assert_eq!(reply.body["data"]["fields"], json!({ field: code }), "{change}");
        }
    }
    // The limits themselves are valid values.
    for edge in [json!({ "minimum_days_from_current": 365 }), json!({ "end_date": "2026-12-01" })] {
        let mut body = configuration(&draft, number);
        body["search_params"].as_object_mut().unwrap().extend(edge.as_object().unwrap().clone());
        s.ok("POST", "/schedules/configure", &person, body).await;
    }
}

// spec: 1.13
async fn only_the_tasks_own_appointment_can_be_selected(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let number = s.booked("lin");
    let id = s.draft(&person, "lin").await;
    let wrong = [
        json!([]),
        json!([{ "schedule_id": "1" }]),
        json!([{ "schedule_id": number.to_string(), "ivr_account_number": "1" }]),
        json!([{ "schedule_id": number.to_string() }, { "schedule_id": "1" }]),
    ];
    for selected in wrong {
        let mut body = configuration(&id, number);
        body["selected_appointments"] = selected.clone();
        let reply = s.call("POST", "/schedules/configure", Some(&person), Some(body)).await;
        assert_eq!(reply.error(), (422, "VALIDATION_FAILED"), "{selected}");
        let fields = json!({ "selected_appointments": "not_of_this_schedule" });
        assert_eq!(reply.body["data"]["fields"], fields);
    }
    assert_eq!(s.status(&person, &id).await["status"], "draft");
    let submitted = s.submitted(&person, "sun").await;
    let mut body = configuration(&submitted, number);
    body["selected_appointments"] = json!([]);
    let reply = s.call("POST", "/schedules/configure", Some(&person), Some(body)).await;
    assert_eq!(reply.error(), (409, "ILLEGAL_TRANSITION"), "a submitted task is edited, not configured");
}

// spec: 7.3.04, 9.08
async fn a_list_has_pages_and_filters(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let mut ids = Vec::new();
    for name in ["a", "b", "c"] {
        ids.push(s.submitted(&person, name).await);
        s.wait(1);
    }
    s.booked("d");
    let draft = s.draft(&person, "d").await;
    s.plain("POST", &format!("/schedules/{}/stop", ids[0]), &person).await.data();
    let list = async |query: &str| {
        let reply = s.get(&format!("/schedules{query}"), &person).await;
        let data = reply.data().clone();
        let found = data["schedules"].as_array().unwrap().iter();
        let found: Vec<_> = found.map(|x| x["id"].as_str().unwrap().to_owned()).collect();
        (found, data["total"].as_i64().unwrap(), data["page_size"].as_i64().unwrap())
    };
    let newest = vec![draft.clone(), ids[2].clone(), ids[1].clone(), ids[0].clone()];
    assert_eq!(list("").await, (newest.clone(), 4, 20));
    assert_eq!(list("?page=2&page_size=3").await, (newest[3..].to_vec(), 4, 3));
    assert_eq!(list("?page=9").await, (vec![], 4, 20));
    assert_eq!(list("?status=stopped").await.0, [ids[0].clone()]);
    assert_eq!(list("?status=submitted,draft").await.0, newest[..3]);
    assert_eq!(list("?status=active").await, (vec![], 0, 20));
    assert_eq!(list("?status=paused").await.0, [ids[0].clone()]);
    assert_eq!(list("?status=running,needs_you").await.0, newest[1..3]);
    assert_eq!(list("?status=completed").await, (vec![], 0, 20));
    assert_eq!(s.status(&person, &ids[0]).await["stage"], "paused");
    assert_eq!(s.status(&person, &draft).await["stage"], "unsubmitted");
    assert_eq!(list("?sort=submitted").await.0, newest);
    for sort in ["appointment", "next_check"] {
        assert_eq!(list(&format!("?sort={sort}&status=running")).await.1, 2);
    }
    for odd in [
        "?page=0",
        "?page=x",
        "?page_size=101",
        "?page_size=0",
        "?status=asleep",
        "?status=",
        "?size=3",
        "?sort=name",
    ] {
        let reply = s.get(&format!("/schedules{odd}"), &person).await;
        assert_eq!(reply.error(), (400, "INVALID_QUERY"), "{odd}");
    }
    let nobody = s.person("nobody").await;
    assert_eq!(s.get("/schedules", &nobody).await.data()["schedules"], json!([]));
}

// spec: 7.3.11, 7.3.12
async fn an_edit_changes_the_search_criteria(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    let path = format!("/schedules/{id}");
    let before = s.status(&person, &id).await;
    s.wait(1);
    let mut body = json!({ "search_params": params(), "keep_current_appointment": true });
    body["search_params"]["required_cities"] = json!(["Vancouver"]);
    let edited = s.ok("PUT", &path, &person, body).await["schedule"].clone();
    assert_eq!(
        (&edited["status"], &edited["monitoring_cities"]),
        (&json!("submitted"), &json!(["Vancouver"]))
    );
    assert_eq!(edited["schedule_config"]["keep_current_appointment"], true);
    assert!(edited["version"].as_i64() > before["version"].as_i64());
    let camel = json!({ "searchParameters": {
        "startDate": "2026-12-05", "endDate": "2027-02-01", "requiredCities": ["Ottawa"] } });
    let edited = s.ok("PUT", &path, &person, camel).await["schedule"].clone();
    assert_eq!(
        edited["schedule_config"]["keep_current_appointment"], true,
        "an absent field stays unchanged"
    );
    assert_eq!(edited["schedule_config"]["search_params"]["start_date"], "2026-12-05");
    let cities = json!({ "required_cities": ["Toronto", "Halifax", "Toronto"] });
    let facilities = format!("{path}/facilities");
    let edited = s.ok("PUT", &facilities, &person, cities).await["schedule"].clone();
    assert_eq!(edited["monitoring_cities"], json!(["Toronto", "Halifax"]), "in order, each once");
    assert_eq!(
        edited["schedule_config"]["search_params"]["start_date"], "2026-12-05",
        "nothing else changed"
    );
    for (cities, code) in [(json!([]), "required"), (json!(["Atlantis"]), "unknown_city")] {
        let body = Some(json!({ "required_cities": cities }));
        let reply = s.call("PUT", &facilities, Some(&person), body).await;
        assert_eq!(reply.error(), (422, "VALIDATION_FAILED"));
        assert_eq!(reply.body["data"]["fields"]["required_cities"], code);
    }
    assert_eq!(s.credit(&person).await, (45.0, 5.0), "an edit costs nothing");
}

// spec: 4.2.04, 4.2.05, 4.2.06, 4.2.07, 7.3.05, 7.3.06, 7.3.07, 7.3.08, 7.3.09
async fn a_task_is_paused_started_and_deleted(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    s.wait(1);
    let id = s.submitted(&person, "lin").await;
    s.wait(1);
    let path = |what: &str| format!("/schedules/{id}{what}");
    assert_eq!(s.credit(&person).await, (45.0, 5.0));
    let stopped = s.plain("POST", &path("/stop"), &person).await.data()["schedule"].clone();
    assert_eq!((&stopped["status"], &stopped["status_reason"]), (&json!("stopped"), &json!("by_user")));
    assert_eq!(
        (&stopped["engine"]["verdict"]["code"], &stopped["auto_stopped"]),
        (&json!("paused"), &json!(false))
    );
    assert_eq!(s.credit(&person).await, (45.0, 5.0), "a pause does not release the hold");
    let progress = s.get(&path("/progress"), &person).await.data().clone();
    assert_eq!((&progress["progress"], &progress["next_check_at"]), (&json!(100), &Value::Null));
    let started = s.plain("POST", &path("/start"), &person).await.data()["schedule"].clone();
    assert_eq!((&started["status"], &started["status_reason"]), (&json!("processing"), &Value::Null));
    assert_eq!(started["price"]["on_hold"], 5.0);
    let deleted = s.plain("DELETE", &path(""), &person).await;
    let expected = json!({ "released_amount": 5.0, "currency": "CAD", "booking_under_way": null });
    assert_eq!(deleted.data(), &expected);
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    assert_eq!(s.plain("DELETE", &path(""), &person).await.error(), (404, "NOT_FOUND"));
    assert_eq!(s.get(&path("/status"), &person).await.error(), (404, "NOT_FOUND"));
    let ledger = s.get("/users/ledger", &person).await.data()["movements"].clone();
    let kinds: Vec<_> =
        ledger.as_array().unwrap().iter().map(|m| m["kind"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, ["release", "hold", "topup"]);
    s.books_balance().await;
}

// spec: 10.1.07, 10.1.18
async fn a_task_without_reschedules_left_needs_a_higher_limit_to_start(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    let path = |what: &str| format!("/schedules/{id}{what}");
    s.run_for(TimeDelta::minutes(10)).await;
    let mut told = Vec::new();
    for day in ["2027-03-09", "2027-02-09"] {
        s.slot(TORONTO, day, "09:15");
        s.run_for(TimeDelta::hours(1)).await;
        let mails = s.mails().await.into_iter().filter(|(template, ..)| template == "booked");
        told.extend(mails.map(|(_, _, data)| data["search"].clone()));
    }
    let goes_on = json!({ "state": "goes_on", "before": "2027-03-03", "changes_left": 1 });
    assert_eq!(told, [goes_on, json!({ "state": "reschedules_used" })]);
    let person = s.again(&person).await;
    let used = s.status(&person, &id).await;
    assert_eq!((&used["status"], &used["status_reason"]), (&json!("stopped"), &json!("reschedules_used")));
    assert_eq!(used["actions"]["start"], json!({ "allowed": false, "reason": "reschedules_used" }));
    let refused = s.plain("POST", &path("/start"), &person).await;
    assert_eq!(refused.error(), (409, "ILLEGAL_TRANSITION"));
    assert_eq!(refused.body["data"]["reason"], "reschedules_used");
    let mut more = json!({ "search_params": params() });
    more["search_params"]["max_reschedules"] = json!(3);
    s.ok("POST", "/auth/step-up", &person, json!({ "password": crate::app::PASSWORD })).await;
    s.ok("PUT", &path(""), &person, more).await;
    let started = s.plain("POST", &path("/start"), &person).await.data()["schedule"].clone();
    assert_eq!(started["status"], "processing");
    s.books_balance().await;
}

// spec: 10.1.07, 10.1.18
async fn a_task_without_portal_attempts_left_is_not_started(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let number = s.booked("lin");
    s.sandbox.with_world(|w| w.groups.get_mut(&number).unwrap().attempts_left = 1);
    let id = s.configured(&person, "lin", number).await;
    let path = |what: &str| format!("/schedules/{id}{what}");
    let mut agreed = json!({ "search_params": params() });
    agreed["search_params"]["last_attempt_until"] = json!("2027-03-31");
    s.ok("PUT", &path(""), &person, agreed.clone()).await;
    s.ok("POST", "/schedules/submit", &person, json!({ "schedule_id": id })).await;
    s.slot(TORONTO, "2027-03-09", "09:15");
    s.run_for(TimeDelta::hours(1)).await;
    let mails = s.mails().await;
    let booked = mails.iter().find(|(template, ..)| template == "booked").unwrap();
    assert_eq!(booked.2["search"], json!({ "state": "none_left" }));
    let person = s.again(&person).await;
    let spent = s.status(&person, &id).await;
    assert_eq!((&spent["status_reason"], &spent["attempts_left"]), (&json!("reschedules_used"), &json!(0)));
    agreed["search_params"]["max_reschedules"] = json!(5);
    s.ok("POST", "/auth/step-up", &person, json!({ "password": crate::app::PASSWORD })).await;
    s.ok("PUT", &path(""), &person, agreed).await;
    let asked = || ["days", "groups", "sign_in"].map(|kind| s.requests(kind));
    let before = asked();
    let refused = s.plain("POST", &path("/start"), &person).await;
    assert_eq!(refused.error(), (409, "ILLEGAL_TRANSITION"));
    assert_eq!(refused.body["data"]["reason"], "none_left");
    s.run_for(TimeDelta::hours(1)).await;
    assert_eq!(asked(), before, "the portal was called for it");
    s.books_balance().await;
}

// spec: 7.3.07, 10.3.09
async fn a_start_holds_a_released_amount_again(s: Stage) {
    let person = s.payer("lin", 5_00).await;
    let number = s.booked("lin");
    let id = s.configured(&person, "lin", number).await;
    s.ok("POST", "/schedules/submit", &person, json!({ "schedule_id": id })).await;
    // The group disappears from the portal. The task fails, and its hold is released.
    let group = s.sandbox.with_world(|w| w.groups.remove(&number).unwrap());
    s.run_for(TimeDelta::minutes(10)).await;
    let failed = s.status(&person, &id).await;
    assert_eq!((&failed["status"], &failed["status_reason"]), (&json!("error"), &json!("group_gone")));
    assert_eq!(s.credit(&person).await, (5.0, 0.0));
    s.sandbox.with_world(|w| w.groups.insert(number, group));
    let other = s.submitted(&person, "sun").await;
    let path = format!("/schedules/{id}/start");
    let broke = s.plain("POST", &path, &person).await;
    assert_eq!(broke.error(), (402, "INSUFFICIENT_CREDIT"));
    assert_eq!(
        (&broke.body["data"]["required_amount"], &broke.body["data"]["available_amount"]),
        (&json!(5.0), &json!(0.0))
    );
    assert_eq!(s.status(&person, &id).await["status"], "error", "nothing changed");
    s.plain("DELETE", &format!("/schedules/{other}"), &person).await.data();
    let started = s.plain("POST", &path, &person).await.data()["schedule"].clone();
    assert_eq!((&started["status"], &started["price"]["on_hold"]), (&json!("processing"), &json!(5.0)));
    assert_eq!(s.credit(&person).await, (0.0, 5.0));
    s.books_balance().await;
}

async fn illegal_transitions_are_refused(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    s.booked("sun");
    let draft = s.draft(&person, "sun").await;
    let running = s.submitted(&person, "lin").await;
    let body = || Some(json!({ "search_params": params() }));
    let cities = || Some(json!({ "required_cities": ["Ottawa"] }));
    let refused = [
        ("POST", format!("/schedules/{draft}/stop"), None),
        ("POST", format!("/schedules/{draft}/start"), None),
        ("PUT", format!("/schedules/{draft}"), body()),
        ("PUT", format!("/schedules/{draft}/facilities"), cities()),
        ("POST", format!("/schedules/{running}/start"), None),
        ("POST", "/schedules/submit".to_owned(), Some(json!({ "schedule_id": draft }))),
        ("POST", "/schedules/submit".to_owned(), Some(json!({ "schedule_id": running }))),
    ];
    for (method, path, body) in refused {
        let reply = s.call(method, &path, Some(&person), body).await;
        assert_eq!(reply.error(), (409, "ILLEGAL_TRANSITION"), "{method} {path}");
    }
    s.plain("POST", &format!("/schedules/{running}/stop"), &person).await.data();
    let again = s.plain("POST", &format!("/schedules/{running}/stop"), &person).await;
    assert_eq!(again.error(), (409, "ILLEGAL_TRANSITION"));
    let nothing = s.plain("DELETE", &format!("/schedules/{draft}"), &person).await;
    assert_eq!(nothing.data()["released_amount"], 0.0, "a draft has no hold");
}

/// Returns every API call on one task: method, path after the id, and body.
fn calls() -> Vec<(&'static str, &'static str, Option<Value>)> {
    vec![
        ("GET", "/status", None),
        ("GET", "/progress", None),
        ("GET", "/success-history", None),
        ("POST", "/start", None),
        ("POST", "/stop", None),
        ("PUT", "", Some(json!({ "search_params": params() }))),
        ("PUT", "/facilities", Some(json!({ "required_cities": ["Ottawa"] }))),
        ("DELETE", "", None),
    ]
}

// spec: 6.07
async fn tasks_of_other_users_are_not_found(s: Stage) {
    let (owner, stranger) = (s.payer("owner", 50_00).await, s.payer("stranger", 50_00).await);
    let id = s.submitted(&owner, "lin").await;
    let number = s.booked("sun");
    let draft = s.configured(&owner, "sun", number).await;
    let odd = ["00000000-0000-7000-8000-000000000000", "x", "1", "%F0%9F%92%A5", "..%2f..", "%00", "a%20b"];
    for id in [id.as_str(), draft.as_str()].into_iter().chain(odd) {
        for (method, path, body) in calls() {
            let path = format!("/schedules/{id}{path}");
            let reply = s.call(method, &path, Some(&stranger), body).await;
            assert_eq!(reply.error(), (404, "NOT_FOUND"), "{method} {path}");
        }
    }
    let unknown = "00000000-0000-7000-8000-000000000000";
    for id in [draft.as_str(), unknown] {
        let configure = Some(configuration(id, number));
        let reply = s.call("POST", "/schedules/configure", Some(&stranger), configure).await;
        assert_eq!(reply.error(), (404, "NOT_FOUND"));
        let submit = Some(json!({ "schedule_ids": [id] }));
        let reply = s.call("POST", "/schedules/submit", Some(&stranger), submit).await;
        assert_eq!(reply.error(), (404, "NOT_FOUND"));
    }
    for (method, path, body) in calls() {
        let reply = s.send(request(method, &format!("/schedules/{id}{path}"), None, body)).await;
        assert_eq!(reply.error(), (401, "UNAUTHORIZED"));
    }
    assert_eq!(s.status(&owner, &id).await["status"], "submitted");
    assert_eq!(s.credit(&stranger).await, (50.0, 0.0));
}

async fn invalid_bodies_are_refused_by_every_schedule_route(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    let number = s.booked("sun");
    let draft = s.draft(&person, "sun").await;
    let credentials = json!({ "username": "sun@example.com", "password": PORTAL_PASSWORD });
    let good = [
        ("POST", "/schedules/verify-credentials".to_owned(), credentials),
        ("POST", "/schedules/configure".to_owned(), configuration(&draft, number)),
        ("POST", "/schedules/submit".to_owned(), json!({ "schedule_ids": [draft] })),
        ("PUT", format!("/schedules/{id}"), json!({ "search_params": params() })),
        ("PUT", format!("/schedules/{id}/facilities"), json!({ "required_cities": ["Ottawa"] })),
    ];
    let json_kind = Some("application/json");
    for (method, path, body) in &good {
        let send = async |kind, bytes: &[u8]| {
            let reply = s.send(raw(method, path, &person, kind, bytes)).await;
            let (status, code) = reply.error();
            (status, code.to_owned())
        };
        for bytes in ["", "{", "null", "[]", "7", "\"x\"", "{\"a\":", "\u{0}", &"[".repeat(60_000)] {
            let short: String = bytes.chars().take(20).collect();
            assert_eq!(
                send(json_kind, bytes.as_bytes()).await,
                (400, "INVALID_BODY".to_owned()),
                "{path} {short}"
            );
        }
        assert_eq!(send(json_kind, &[b'{', 0xff, b'}']).await, (400, "INVALID_BODY".to_owned()));
        let text = body.to_string();
        let wrong_kind = (415, "UNSUPPORTED_MEDIA_TYPE".to_owned());
        for kind in [None, Some("text/plain"), Some("application/x-www-form-urlencoded")] {
            assert_eq!(send(kind, text.as_bytes()).await, wrong_kind, "{path} {kind:?}");
        }
        let mut more = body.clone();
        more["is_admin"] = json!(true);
        assert_eq!(
            send(json_kind, more.to_string().as_bytes()).await,
            (400, "INVALID_BODY".to_owned()),
            "{path}"
        );
        let huge = format!("{{\"x\":\"{}\"}}", "x".repeat(70_000));
        assert_eq!(send(json_kind, huge.as_bytes()).await, (413, "BODY_TOO_LARGE".to_owned()), "{path}");
        for (field, value) in body.as_object().unwrap() {
            for wrong in [json!(7), json!({ "a": 1 }), Value::Null, json!([[1]]), json!("\u{1F4A5}")] {
                if value.is_string() && wrong.is_string() {
                    continue;
                }
                let mut bent = body.clone();
                bent[field] = wrong.clone();
                let reply = s.send(raw(method, path, &person, json_kind, bent.to_string().as_bytes())).await;
                assert!(reply.status.is_client_error(), "{path} {field} {wrong}: {reply:?}");
                reply.error();
            }
        }
    }
    assert_eq!(s.status(&person, &draft).await["status"], "draft", "one of the calls had an effect");
}

// spec: 1.06, 1.17, 3.27, 3.36, 3.37, 3.39, 3.41, 3.42, 3.56, 4.2.06, 7.3.05, 7.3.06, 7.3.10, 10.5.13
async fn a_booking_is_shown_in_every_response(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let id = s.submitted(&person, "lin").await;
    assert_eq!(progress(&s, &person, &id).await["progress"], 50);
    // A submitted task is shown as monitored, and counted as such.
    assert_eq!(s.get("/stats", &person).await.data()["active"], 1);
    s.run_for(TimeDelta::seconds(30)).await;
    let watching = progress(&s, &person, &id).await;
    assert_eq!((&watching["status"], &watching["progress"]), (&json!("active"), &json!(100)));
    assert!(watching["checks"].as_i64() > Some(0) && watching["last_check_at"].is_string(), "{watching}");
    let history = s.get(&format!("/schedules/{id}/success-history"), &person).await;
    assert_eq!(history.data(), &json!([]));
    s.slot(TORONTO, "2027-02-09", "09:15");
    // A single account may poll a few times an hour, one city after the other.
    let mut person = person;
    let mut task = Value::Null;
    for _ in 0..20 {
        s.run_for(TimeDelta::minutes(14)).await;
        person = s.again(&person).await;
        task = s.status(&person, &id).await;
        if task["appointments"][0]["appointment_date"] == "2027-02-09" {
            break;
        }
    }
    let appointment = &task["appointments"][0];
    assert_eq!(
        (&appointment["appointment_date"], &appointment["appointment_time"]),
        (&json!("2027-02-09"), &json!("09:15"))
    );
    assert_eq!((&appointment["facility"], &appointment["facility_id"]), (&json!("Toronto"), &json!(94)));
    let price = &task["price"];
    let shown = [&price["total"], &price["on_hold"], &price["captured"], &price["unpaid_remainder"]];
    assert_eq!(shown, [&json!(5.0), &json!(0.0), &json!(5.0), &json!(0.0)], "{price}");
    assert!(price["captured_at"].is_string());
    assert_eq!(s.credit(&person).await, (45.0, 0.0));
    let history = s.get(&format!("/schedules/{id}/success-history"), &person).await.data().clone();
    let first = &history[0];
    assert_eq!(
        (&first["date"], &first["time"], &first["toLocation"]),
        (&json!("2027-02-09"), &json!("09:15"), &json!("Toronto"))
    );
    assert_eq!((&first["daysAdvanced"], history.as_array().unwrap().len()), (&json!(189), 1));
    assert_eq!(task["success_history"], history);
    let stats = s.get("/stats", &person).await.data().clone();
    assert_eq!(
        (&stats["days_saved"], &stats["tasks_succeeded"], &stats["active"]),
        (&json!(189), &json!(1), &json!(1))
    );
    assert!(s.mails().await.iter().any(|(template, to, _)| template == "booked" && to == "lin@example.com"));

    // A user who has paid submits the same group again within a year, for free.
    let deleted = s.plain("DELETE", &format!("/schedules/{id}"), &person).await;
    assert_eq!(deleted.data()["released_amount"], 0.0, "a captured amount stays captured");
    let number = task["portal_schedule_id"].as_str().unwrap().parse().unwrap();
    s.clock.advance(TimeDelta::hours(2));
    let person = s.again(&person).await;
    let again = s.configured(&person, "lin", number).await;
    assert_ne!(again, id);
    let body = json!({ "schedule_id": again, "expected_total": 0 });
    let data = s.ok("POST", "/schedules/submit", &person, body).await;
    assert_eq!(
        (&data["cost_details"]["total_amount"], &data["user_balance"]["balance_after"]),
        (&json!(0.0), &json!(45.0))
    );
    let price = &data["schedules"][0]["price"];
    assert_eq!(
        (&price["on_hold"], &price["captured"], &price["unpaid_remainder"]),
        (&json!(0.0), &json!(0.0), &json!(0.0))
    );
    assert_eq!(s.credit(&person).await, (45.0, 0.0));
    s.books_balance().await;
}

async fn progress(s: &Stage, person: &Person, id: &str) -> Value {
    let reply = s.get(&format!("/schedules/{id}/progress"), person).await;
    assert_eq!(reply.status, StatusCode::OK);
    reply.data().clone()
}
