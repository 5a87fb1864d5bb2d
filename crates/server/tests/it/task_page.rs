//! Stories of a task's page: journal, calendar, reasons, actions, rating, calendar file and
//! progress.

use chrono::TimeDelta;
use domain::country::{CountryCode, VisaType};
use domain::health::CredentialHealth;
use domain::ids::TaskId;
use domain::task::TaskStatus;
use engine::verify_login::{Login, Stage as Step};
use sandbox::world::NewGroup;
use sandbox::world::slots::NewSlot;
use secrecy::SecretString;
use serde_json::{Value, json};
use store::exec;

use crate::app::{PASSWORD, Person};
use crate::stage::{PORTAL_PASSWORD, Stage, TORONTO, at, params};

portal_stories!(
    every_status_allows_exactly_its_listed_actions,
    polls_are_summarized_by_the_hour,
    a_task_shows_only_the_polls_of_its_calendars,
    each_seen_date_has_a_reason,
    a_slot_booked_for_another_task_has_that_reason,
    reasons_refer_to_the_criteria_at_that_time,
    a_booking_is_rated_once,
    a_dismissed_rating_prompt_is_not_shown_again,
    the_appointment_is_exported_as_a_calendar_file,
    a_verification_reports_its_stages,
    a_page_of_five_hundred_tasks_needs_few_statements,
    the_status_shows_24_hours_of_the_portal,
);

const OTTAWA: u16 = 92;

async fn page(s: &Stage, person: &Person, id: &str, path: &str) -> Value {
    s.get(&format!("/schedules/{id}/{path}"), person).await.data().clone()
}

async fn watched(s: &Stage, name: &str) -> (Person, String) {
    crate::operator::watched(s, name).await
}

async fn set_status(s: &Stage, id: &str, status: TaskStatus) {
    let mut tx = s.app.db.begin().await.unwrap();
    let id: TaskId = id.parse().unwrap();
    exec!(&mut tx, "UPDATE task SET status = $2, reason = NULL WHERE id = $1", id.0, status.as_str())
        .unwrap();
    tx.commit().await.unwrap();
}

// spec: 10.8.01
async fn every_status_allows_exactly_its_listed_actions(s: Stage) {
    let (person, id) = watched(&s, "lin").await;
    let edit = || Some(json!({ "search_params": params() }));
    let calls = [
        ("edit", "PUT", String::new(), edit()),
        ("edit", "PUT", "/facilities".to_owned(), Some(json!({ "required_cities": ["Ottawa"] }))),
        ("start", "POST", "/start".to_owned(), None),
        ("stop", "POST", "/stop".to_owned(), None),
        ("rate", "POST", "/rating".to_owned(), Some(json!({ "stars": 5 }))),
        ("delete", "DELETE", String::new(), None),
    ];
    let (mut offered, mut refused) = (0, 0);
    for &status in TaskStatus::ALL {
        for (action, method, path, body) in &calls {
            set_status(&s, &id, status).await;
            let said = s.status(&person, &id).await["actions"][action].clone();
            let allowed = said["allowed"].as_bool().unwrap();
            assert_eq!(allowed, said["reason"].is_null(), "{status:?} {action}");
            if *action == "delete" {
                assert!(allowed);
                continue;
            }
            s.ok("POST", "/auth/step-up", &person, json!({ "password": PASSWORD })).await;
            let reply = s.call(method, &format!("/schedules/{id}{path}"), Some(&person), body.clone()).await;
            assert_eq!(reply.status == 200, allowed, "{status:?} {action}: {said} {reply:?}");
            if !allowed {
                assert_eq!(reply.error(), (409, "ILLEGAL_TRANSITION"), "{status:?} {action}");
                assert_eq!(reply.body["data"]["reason"], said["reason"], "{status:?} {action}");
            }
            if allowed { offered += 1 } else { refused += 1 }
        }
    }
    assert!(offered > 10 && refused > 10, "{offered} {refused}");
    // A stopped task whose password was deleted waits for a new one.
    set_status(&s, &id, TaskStatus::Stopped).await;
    let credential = s.get("/user/credentials", &person).await.data()["credentials"][0]["id"].clone();
    let mut tx = s.app.db.begin().await.unwrap();
    let credential = domain::ids::CredentialId(credential.as_str().unwrap().parse().unwrap());
    store::credential::set_health(&mut tx, credential, CredentialHealth::Rejected, s.clock.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let actions = s.status(&person, &id).await["actions"].clone();
    assert_eq!(actions["start"], json!({ "allowed": false, "reason": "needs_new_password" }));
    assert_eq!(actions["update_password"]["allowed"], true);
    s.plain("DELETE", &format!("/schedules/{id}"), &person).await.data();
}

fn polls_of(journal: &Value) -> i64 {
    let entries = journal["entries"].as_array().unwrap().iter();
    entries.filter(|e| e["kind"] == "looks").map(|e| e["data"]["looks"].as_i64().unwrap()).sum()
}

// spec: 10.8.02
async fn polls_are_summarized_by_the_hour(s: Stage) {
    let (person, id) = watched(&s, "lin").await;
    s.run_for(TimeDelta::hours(3)).await;
    let person = s.again(&person).await;
    let journal = page(&s, &person, &id, "journal").await;
    assert_eq!(journal["next"], Value::Null);
    let checks = s.status(&person, &id).await["engine"]["checks"].as_i64().unwrap();
    assert!(checks > 6, "{checks}");
    assert_eq!(polls_of(&journal), checks, "{journal}");
    let kinds: Vec<_> =
        journal["entries"].as_array().unwrap().iter().map(|e| e["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds.first(), Some(&"looks"), "{kinds:?}");
    // Events at the same time have no defined order.
    let begun: std::collections::BTreeSet<_> = kinds[kinds.len() - 3..].iter().copied().collect();
    assert_eq!(begun.into_iter().collect::<Vec<_>>(), ["signed_in", "submitted", "watching"]);
    let newest = &journal["entries"][0];
    assert_eq!(newest["data"]["cities"], json!(["Ottawa", "Toronto"]));
    assert_eq!(newest["data"]["failures"], 0);
    assert!(newest["count"].as_i64().unwrap() >= 2, "hours with the same content are one entry: {newest}");
    assert!(newest["at"].as_str() < newest["until"].as_str(), "{newest}");
    // All pages together contain the same entries.
    let whole = journal["entries"].as_array().unwrap();
    let (mut paged, mut before) = (Vec::new(), None::<String>);
    for _ in 0..50 {
        let query = before.map_or("journal?limit=2".to_owned(), |b| format!("journal?limit=2&before={b}"));
        let part = page(&s, &person, &id, &query).await;
        paged.extend(part["entries"].as_array().unwrap().clone());
        before = part["next"].as_str().map(str::to_owned);
        if before.is_none() {
            break;
        }
    }
    assert_eq!(&paged, whole);
    for odd in
        ["before=x", "before=looks-", "before=looks-99999999999999999", "limit=0", "limit=101", "page=2"]
    {
        let reply = s.get(&format!("/schedules/{id}/journal?{odd}"), &person).await;
        assert_eq!(reply.error(), (400, "INVALID_QUERY"), "{odd}");
    }
    let theirs = uuid::Uuid::from_u128(7);
    let reply = s.get(&format!("/schedules/{id}/journal?before={theirs}"), &person).await;
    assert_eq!(reply.error(), (400, "INVALID_QUERY"), "no entry has this id");
    let stats = s.get("/stats", &person).await.data().clone();
    assert_eq!(
        (&stats["checks_total"], &stats["attempts"], &stats["booked"]),
        (&json!(checks), &json!(0), &json!(0))
    );
    assert_eq!(stats["most_days_saved"], Value::Null);
}

// spec: 10.8.02
async fn a_task_shows_only_the_polls_of_its_calendars(s: Stage) {
    let (lin, first) = watched(&s, "lin").await;
    s.run_for(TimeDelta::minutes(50)).await;
    let (sun, second) = watched(&s, "sun").await;
    s.run_for(TimeDelta::minutes(100)).await;
    let sun = s.again(&sun).await;
    s.plain("POST", &format!("/schedules/{second}/stop"), &sun).await.data();
    s.run_for(TimeDelta::minutes(130)).await;
    let (lin, sun) = (s.again(&lin).await, s.again(&sun).await);
    s.plain("POST", &format!("/schedules/{second}/start"), &sun).await.data();
    s.run_for(TimeDelta::minutes(70)).await;
    let (lin, sun) = (s.again(&lin).await, s.again(&sun).await);
    let mut told = Vec::new();
    for (person, id) in [(&lin, &first), (&sun, &second)] {
        let checks = s.status(person, id).await["engine"]["checks"].as_i64().unwrap();
        told.push((polls_of(&page(&s, person, id, "journal?limit=100").await), checks));
    }
    // A task that joins a calendar gets the last list at once: one check without a poll.
    let off = |(polls, checks): (i64, i64)| checks - polls;
    assert!(off(told[0]) == 0 && (0..=4).contains(&off(told[1])), "{told:?}");
    assert!(told[1].0 > 0 && told[1].0 < told[0].0, "{told:?}");
}

fn of<'a>(entries: &'a Value, date: &str) -> &'a Value {
    entries
        .as_array()
        .unwrap()
        .iter()
        .find(|e| e["date"] == date)
        .unwrap_or_else(|| panic!("no {date} in {entries}"))
}

// spec: 10.8.03, 10.8.04
async fn each_seen_date_has_a_reason(s: Stage) {
    let (person, id) = watched(&s, "lin").await;
    s.slot(TORONTO, "2027-07-20", "09:00");
    s.slot(TORONTO, "2027-08-15", "09:00");
    s.slot(TORONTO, "2027-09-18", "09:00");
    s.slot(OTTAWA, "2026-11-28", "09:00");
    s.run_for(TimeDelta::minutes(40)).await;
    let person = s.again(&person).await;
    let seen = page(&s, &person, &id, "seen").await;
    assert_eq!(seen["total"], 4, "{seen}");
    let why = |date| {
        (of(&seen["entries"], date)["why"].clone(), of(&seen["entries"], date)["data"]["margin_days"].clone())
    };
    assert_eq!(why("2027-07-20"), (json!("after_window"), json!(50)));
    assert_eq!(why("2027-08-15"), (json!("not_earlier_enough"), json!(5)));
    assert_eq!(why("2027-09-18"), (json!("not_earlier"), json!(32)), "later than the appointment");
    assert_eq!(why("2026-11-28"), (json!("before_window"), json!(3)));
    let calendar = page(&s, &person, &id, "calendar?days=7").await;
    let toronto = &calendar["cities"][0];
    assert_eq!((&toronto["facility"], &toronto["now_earliest"]), (&json!("Toronto"), &json!("2027-07-20")));
    let day = of(&toronto["days"], "2027-07-20");
    assert_eq!(
        (&day["times"], &day["wanted"], &day["why"]),
        (&json!(1), &json!(false), &json!("after_window"))
    );
    assert_eq!(calendar["window"], json!({ "start": "2026-12-01", "end": "2027-05-31" }));
    assert_eq!(calendar["booked"], json!({ "date": "2027-08-17", "facility": "Toronto" }));
    let widen =
        json!({ "end_date": "2027-07-30", "more_dates": 1, "earliest": "2027-07-20", "days_sooner": 28 });
    assert_eq!(calendar["widen"], widen);
    // One date is acceptable and gets booked. Another one is listed, but has no times.
    s.slot(OTTAWA, "2027-02-03", "10:30");
    s.slot(OTTAWA, "2027-03-10", "09:00");
    s.run_for(TimeDelta::minutes(40)).await;
    let phantom = NewSlot {
        pool: "B1/B2".to_owned(),
        facility: TORONTO.into(),
        date: "2026-12-16".parse().unwrap(),
        time: at(TORONTO, "2026-12-16", "09:00").time,
        lifetime_seconds: Some(18_000),
        delay_seconds: None,
        max_party: 9,
        phantom: true,
    };
    s.sandbox.with_world(|w| w.add_slot(phantom));
    // With a single account, every city is polled within three hours.
    s.run_for(TimeDelta::hours(9)).await;
    let person = s.again(&person).await;
    let seen = page(&s, &person, &id, "seen?limit=100").await;
    let booked = of(&seen["entries"], "2027-02-03");
    assert_eq!((&booked["why"], &booked["time"]), (&json!("booked"), &json!("10:30")), "{seen}");
    assert_eq!(booked["data"]["attempt_spent"], true);
    assert!(booked["data"]["seconds_to_post"].as_f64().unwrap() < 60.0, "{booked}");
    let passed = of(&seen["entries"], "2027-03-10");
    assert_eq!(
        (&passed["why"], &passed["data"]["booked_date"]),
        (&json!("other_booked"), &json!("2027-02-03")),
        "{passed}"
    );
    let phantom = of(&seen["entries"], "2026-12-16");
    assert_eq!(phantom["why"], "phantom", "{phantom}");
    assert!(phantom["alive_seconds"].as_i64().unwrap() >= 600, "{phantom}");
    let calendar = page(&s, &person, &id, "calendar?days=7").await;
    assert_eq!(calendar["booked"], json!({ "date": "2027-02-03", "facility": "Ottawa" }));
    let marks = calendar["marks"].as_array().unwrap();
    assert!(marks.iter().any(|m| m["outcome"] == "booked" && m["date"] == "2027-02-03"), "{marks:?}");
    let lines = calendar["series"].as_array().unwrap();
    let ottawa = lines.iter().find(|line| line["facility"] == "Ottawa").unwrap();
    assert!(ottawa["points"].as_array().unwrap().len() >= 2, "{lines:?}");
    // All pages together contain the same entries, without duplicates.
    let first = page(&s, &person, &id, "seen?limit=2").await;
    let next = first["next"].as_str().unwrap();
    let second = page(&s, &person, &id, &format!("seen?limit=2&before={next}")).await;
    let all = seen["entries"].as_array().unwrap();
    assert_eq!(first["entries"].as_array().unwrap()[..], all[..2]);
    assert_eq!(second["entries"].as_array().unwrap()[..], all[2..4]);
    for odd in ["seen?before=1", "seen?before=1.2027-01-01.94.1", "seen?limit=0", "calendar?days=22"] {
        let reply = s.get(&format!("/schedules/{id}/{odd}"), &person).await;
        assert_eq!(reply.error(), (400, "INVALID_QUERY"), "{odd}");
    }
    for days in [30, 90] {
        let calendar = page(&s, &person, &id, &format!("calendar?days={days}")).await;
        assert_eq!(calendar["cities"].as_array().unwrap().len(), 2);
        assert_eq!(calendar["series"], json!(lines), "a point precedes the poll that showed it");
    }
}

// spec: 10.8.04
async fn a_slot_booked_for_another_task_has_that_reason(s: Stage) {
    let (_, _) = watched(&s, "lin").await;
    let (sun, second) = watched(&s, "sun").await;
    s.slot(TORONTO, "2027-02-03", "10:30");
    s.run_for(TimeDelta::minutes(40)).await;
    let sun = s.again(&sun).await;
    let seen = page(&s, &sun, &second, "seen").await;
    assert_eq!(of(&seen["entries"], "2027-02-03")["why"], "taken_for_another", "{seen}");
}

// spec: 10.8.04
async fn reasons_refer_to_the_criteria_at_that_time(s: Stage) {
    let (person, id) = watched(&s, "lin").await;
    let edit = async |change: Value| {
        let person = s.again(&person).await;
        let mut wanted = params();
        wanted.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        s.ok("POST", "/auth/step-up", &person, json!({ "password": PASSWORD })).await;
        s.ok("PUT", &format!("/schedules/{id}"), &person, json!({ "search_params": wanted })).await;
        s.wait(1);
    };
    edit(json!({ "excluded_dates": ["2027-02-03"] })).await;
    let slot = NewSlot {
        pool: "B1/B2".to_owned(),
        facility: TORONTO.into(),
        date: "2027-02-03".parse().unwrap(),
        time: at(TORONTO, "2027-02-03", "09:00").time,
        lifetime_seconds: Some(2_400),
        delay_seconds: None,
        max_party: 9,
        phantom: false,
    };
    s.sandbox.with_world(|w| w.add_slot(slot));
    s.run_for(TimeDelta::minutes(80)).await;
    edit(json!({ "end_date": "2027-01-31" })).await;
    let person = s.again(&person).await;
    let seen = page(&s, &person, &id, "seen").await;
    assert_eq!(
        of(&seen["entries"], "2027-02-03")["why"],
        "excluded",
        "the criteria of the time when it was seen: {seen}"
    );
    let journal = page(&s, &person, &id, "journal").await;
    let entries = journal["entries"].as_array().unwrap();
    let edits: Vec<_> = entries.iter().filter(|e| e["kind"] == "edited").map(|e| e["data"].clone()).collect();
    let changed = |fields: &[&str]| json!({ "changed": fields });
    assert_eq!(edits, [changed(&["end_date", "excluded_dates"]), changed(&["excluded_dates"])]);
}

async fn booked(s: &Stage, name: &str) -> (Person, String) {
    let (person, id) = watched(s, name).await;
    s.slot(TORONTO, "2027-03-14", "10:30");
    s.run_for(TimeDelta::minutes(40)).await;
    let person = s.again(&person).await;
    assert_eq!(s.status(&person, &id).await["engine"]["verdict"]["code"], "booked");
    (person, id)
}

// spec: 10.8.06, 10.8.07
async fn a_booking_is_rated_once(s: Stage) {
    let (person, id) = booked(&s, "lin").await;
    let path = format!("/schedules/{id}/rating");
    let task = s.status(&person, &id).await;
    assert_eq!((&task["rating_wanted"], &task["rating"]), (&json!(true), &Value::Null));
    let long = "字".repeat(501);
    for (body, field, code) in [
        (json!({ "stars": 0 }), "stars", "out_of_range"),
        (json!({ "stars": 6 }), "stars", "out_of_range"),
        (json!({}), "stars", "required"),
        (json!({ "stars": 5, "comment": long }), "comment", "too_long"),
        (json!({ "stars": 5, "dismissed": true }), "dismissed", "not_with_stars"),
    ] {
        let reply = s.call("POST", &path, Some(&person), Some(body.clone())).await;
        assert_eq!(reply.error(), (422, "VALIDATION_FAILED"), "{body}");
        assert_eq!(reply.body["data"]["fields"], json!({ field: code }), "{body}");
    }
    let line = "字".repeat(500);
    let rated = s.ok("POST", &path, &person, json!({ "stars": 4, "comment": format!(" {line} ") })).await;
    let task = &rated["schedule"];
    assert_eq!((&task["rating"]["stars"], &task["rating"]["comment"]), (&json!(4), &json!(line)));
    assert_eq!(task["rating_wanted"], false);
    assert_eq!(task["actions"]["rate"], json!({ "allowed": false, "reason": "already_rated" }));
    for body in [json!({ "stars": 1 }), json!({ "dismissed": true })] {
        let again = s.call("POST", &path, Some(&person), Some(body)).await;
        assert_eq!(again.error(), (409, "ALREADY_RATED"));
    }
    let all = s.call("GET", "/stats/public", None, None).await.data().clone();
    let days = 156;
    assert_eq!(
        all,
        json!({
            "finished_tasks": 1, "ratings": 1, "average_rating": 4.0, "satisfied_share": 1.0,
            "checks_total": all["checks_total"], "days_saved": days, "enough": false,
        })
    );
    let own = s.get("/stats", &person).await.data().clone();
    assert_eq!((&own["most_days_saved"], &own["tasks_succeeded"]), (&json!(days), &json!(1)));
    assert_eq!((&own["attempts"], &own["booked"]), (&json!(1), &json!(1)));
    let price = &task["price"];
    assert!(price["entitled_until"].is_string(), "a capture entitles for a year: {price}");
}

// spec: 10.8.06
async fn a_dismissed_rating_prompt_is_not_shown_again(s: Stage) {
    let (person, id) = booked(&s, "lin").await;
    let path = format!("/schedules/{id}/rating");
    let waved = s.ok("POST", &path, &person, json!({ "dismissed": true })).await;
    assert_eq!(
        (&waved["schedule"]["rating_wanted"], &waved["schedule"]["rating"]),
        (&json!(false), &Value::Null)
    );
    let public = s.call("GET", "/stats/public", None, None).await.data().clone();
    assert_eq!((&public["ratings"], &public["average_rating"]), (&json!(0), &Value::Null));
    // A user who returns to the page may still rate the task.
    assert_eq!(waved["schedule"]["actions"]["rate"]["allowed"], true);
    let rated = s.ok("POST", &path, &person, json!({ "stars": 5 })).await;
    assert_eq!(rated["schedule"]["rating"]["stars"], 5);
}

async fn file(s: &Stage, person: &Person, id: &str, language: &str) -> (u16, String) {
    let path = format!("/schedules/{id}/appointment.ics?language={language}");
    let call = crate::app::request("GET", &path, Some(person), None);
    let response = tower::ServiceExt::oneshot(s.router.clone(), call).await.unwrap();
    let status = response.status().as_u16();
    let bytes = http_body_util::BodyExt::collect(response.into_body()).await.unwrap().to_bytes();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

// spec: 10.8.05
async fn the_appointment_is_exported_as_a_calendar_file(s: Stage) {
    // On the date on which clocks go forward in Toronto, 10:30 is already summer time.
    let (person, id) = booked(&s, "lin").await;
    let (status, english) = file(&s, &person, &id, "en").await;
    assert_eq!(status, 200);
    let redacted = |text: String| text.replace("\r\n ", "").replace(&id, "ID").replace("\r\n", "\n");
    insta::assert_snapshot!("appointment_en", redacted(english));
    let (_, chinese) = file(&s, &person, &id, "zh").await;
    insta::assert_snapshot!("appointment_zh", redacted(chinese));
    // Halifax has another time zone. Without an appointment there is no file.
    let appointment = Some(at(90, "2026-10-28", "08:15"));
    let groups = vec![NewGroup { appointment, ..NewGroup::default() }, NewGroup::default()];
    s.portal("sun", groups);
    let other = s.person("sun").await;
    let drafts = s.verify(&other, "sun", PORTAL_PASSWORD).await.data()["schedules"].clone();
    let mut told = Vec::new();
    for draft in drafts.as_array().unwrap() {
        let (status, text) = file(&s, &other, draft["id"].as_str().unwrap(), "en").await;
        told.push(status);
        if status == 200 {
            assert!(text.contains("DTSTART;TZID=America/Halifax:20261028T081500\r\n"), "{text}");
            assert!(text.contains("TZOFFSETTO:-0300\r\nTZNAME:ADT\r\n"), "{text}");
        }
    }
    told.sort_unstable();
    assert_eq!(told, [200, 404]);
    assert_eq!(file(&s, &person, &id, "fr").await.0, 400);
}

// spec: 10.8.09
async fn a_verification_reports_its_stages(s: Stage) {
    let group = |name: &str| NewGroup { applicants: vec![name.to_owned()], ..NewGroup::default() };
    s.portal("lin", vec![group("LIN ONE"), group("LIN TWO")]);
    let person = s.person("lin").await;
    let login = Login {
        user: person.id,
        username: "lin@example.com".to_owned(),
        password: SecretString::from(PORTAL_PASSWORD.to_owned()),
        country: CountryCode::CANADA,
        visa_type: VisaType::Niv,
    };
    let told = std::sync::Mutex::new(Vec::new());
    let tell = |step: Step| told.lock().unwrap().push(step);
    s.app.engine.verify_telling(&s.app.context(), &login, &tell).await.unwrap();
    let details = |read| Step::ReadingDetails { read, found: 2 };
    let order =
        [Step::Connecting, Step::SigningIn, Step::ReadingGroups, details(0), details(1), Step::Saving];
    assert_eq!(*told.lock().unwrap(), order);
    // Over HTTP, only the caller sees the progress, by the id that the caller chose, for ten
    // minutes.
    let id = "0199a000-0000-7000-8000-000000000001";
    let path = format!("/schedules/verify-credentials/{id}");
    assert_eq!(s.get(&path, &person).await.error(), (404, "NOT_FOUND"));
    let verify = async |password: &str| {
        let body = json!({ "username": "lin@example.com", "password": password, "progress_id": id });
        s.call("POST", "/schedules/verify-credentials", Some(&person), Some(body)).await
    };
    assert_eq!(verify(PORTAL_PASSWORD).await.status, 200);
    let done = s.get(&path, &person).await.data().clone();
    assert_eq!((&done["stage"], &done["step"], &done["steps"]), (&json!("done"), &json!(6), &json!(6)));
    assert_eq!((&done["groups_found"], &done["groups_read"]), (&json!(2), &json!(1)));
    let stranger = s.person("eve").await;
    assert_eq!(s.get(&path, &stranger).await.error(), (404, "NOT_FOUND"));
    assert_eq!(s.get("/schedules/verify-credentials/nothing", &person).await.error(), (404, "NOT_FOUND"));
    s.clock.advance(TimeDelta::minutes(10));
    let person = s.again(&person).await;
    assert_eq!(s.get(&path, &person).await.error(), (404, "NOT_FOUND"), "forgotten");
    let body = json!({ "username": "nobody@example.com", "password": "x", "progress_id": id });
    let refused = s.call("POST", "/schedules/verify-credentials", Some(&person), Some(body)).await;
    assert_ne!(refused.status, 200);
    assert_eq!(s.get(&path, &person).await.data()["stage"], "failed");
}

// spec: 10.8.10
async fn a_page_of_five_hundred_tasks_needs_few_statements(s: Stage) {
    let (person, id) = watched(&s, "lin").await;
    let now = s.clock.now();
    let mut tx = s.app.db.begin().await.unwrap();
    let task = store::task::get(&mut tx, id.parse().unwrap()).await.unwrap().unwrap();
    for number in 0..500 {
        let found = store::task::FoundGroup {
            id: TaskId::new(now, s.app.random.bytes()),
            user_id: task.user_id,
            credential_id: task.credential_id.unwrap(),
            portal_account_id: task.portal_account_id,
            country: task.country,
            visa_type: task.visa_type,
            portal_schedule_id: domain::ids::PortalScheduleId(format!("9{number:04}")),
            group: task.group.clone(),
            booked: task.booked,
        };
        let id = store::task::upsert_found(&mut tx, &found, now).await.unwrap();
        store::task::set_criteria(&mut tx, id, task.criteria.as_ref().unwrap(), now).await.unwrap();
    }
    tx.commit().await.unwrap();
    let mut sent = Vec::new();
    for size in [20, 100] {
        let before = store::statements();
        let list = s.get(&format!("/schedules?page=2&page_size={size}"), &person).await.data().clone();
        sent.push(store::statements() - before);
        assert_eq!(list["schedules"].as_array().unwrap().len(), size);
        assert_eq!(list["total"], 501);
    }
    assert!(sent[1] <= sent[0] && sent[0] <= 12, "a page takes few statements, however long it is: {sent:?}");
}

// spec: 10.8.08
async fn the_status_shows_24_hours_of_the_portal(s: Stage) {
    let (person, _) = watched(&s, "lin").await;
    s.run_for(TimeDelta::hours(2)).await;
    let status = s.call("GET", "/status", None, None).await.data().clone();
    let hours = status["portal"]["hours"].as_array().unwrap();
    assert_eq!(hours.len(), 24);
    assert_eq!(hours[0]["state"], "none");
    assert!(hours[21..].iter().all(|h| h["state"] == "ok" && h["looks"].as_i64().unwrap() > 0), "{hours:?}");
    assert!(
        status["portal"]["latency_ms"].is_i64() && status["engine"]["next_look_at"].is_string(),
        "{status}"
    );
    assert_eq!(status["delivery"]["mail"], "ok");
    let today = s.get("/stats", &s.again(&person).await).await.data()["checks_today"].as_i64().unwrap();
    let polls: i64 = hours.iter().map(|h| h["looks"].as_i64().unwrap()).sum();
    assert_eq!(today, polls);
    // An hour in which no poll was answered is shown as such.
    let fault = s.fault(sandbox::world::faults::FaultKind::Maintenance { retry_after: None });
    s.run_for(TimeDelta::hours(1)).await;
    let status = s.call("GET", "/status", None, None).await.data().clone();
    let failures: i64 =
        status["portal"]["hours"].as_array().unwrap().iter().map(|h| h["failures"].as_i64().unwrap()).sum();
    assert!(failures > 0, "{status}");
    s.sandbox.with_world(|w| w.remove_faults(Some(fault)));
}
