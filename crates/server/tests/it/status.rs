//! Stories of the status page: the portal by hour and date, incidents, and waiting mails.

use axum::body::Body;
use axum::http::Request;
use chrono::{DateTime, DurationRound as _, TimeDelta, Utc};
use serde_json::{Value, json};
use store::exec;

use crate::app::{Reply, TestApp, request};
use crate::stage::Stage;

stories!(
    the_history_has_90_days,
    an_incident_lasts_until_the_portal_answers,
    one_poll_without_an_answer_is_no_incident,
    without_any_poll_the_status_is_unknown,
    waiting_mails_are_shown_with_their_age,
    the_document_shows_no_figures_without_any_poll,
    the_document_is_revalidated_by_its_etag,
);
mod watched {
    portal_stories!(
        overdue_polls_are_shown_only_with_active_tasks,
        an_outage_of_three_days_is_shown_from_its_beginning,
        the_document_shows_problems_without_javascript,
    );
    use super::{
        an_outage_of_three_days_is_shown_from_its_beginning, overdue_polls_are_shown_only_with_active_tasks,
        the_document_shows_problems_without_javascript,
    };
}

async fn get(app: &TestApp, path: &str) -> Value {
    app.send(request("GET", path, None, None)).await.data().clone()
}

/// Stores an hour of the portal, `hours` before the current one: answered and unanswered polls, and
/// the total response time.
async fn hour(app: &TestApp, hours: i64, polls: i64, failures: i64, took_ms: i64) -> DateTime<Utc> {
    let now = app.app.portal_time.now().duration_trunc(TimeDelta::hours(1)).unwrap();
    let at = now - TimeDelta::hours(hours);
    let mut tx = app.app.db.begin().await.unwrap();
    // Two calendars have rows for the hour; the page shows their sum.
    for (key, polls, alone, failures, took_ms) in
        [("one", 0, 0, failures, 0), ("other", polls - polls / 2, polls / 2, 0, took_ms)]
    {
        exec!(
            &mut tx,
            "INSERT INTO look_hour (calendar_key, hour, counted_before, looks, alone, failures, slots, took_ms)
             VALUES ($1, $2, 0, $3, $4, $5, 0, $6)",
            key,
            at,
            polls,
            alone,
            failures,
            took_ms
        )
        .unwrap();
    }
    tx.commit().await.unwrap();
    at
}

fn is(value: &Value, at: DateTime<Utc>) -> bool {
    value.as_str().and_then(|text| text.parse::<DateTime<Utc>>().ok()) == Some(at)
}

// spec: 10.13.01
async fn the_history_has_90_days(app: TestApp) {
    let old = hour(&app, 80 * 24, 10, 0, 5_000).await;
    let down = hour(&app, 49, 1, 9, 500).await;
    let after = hour(&app, 48, 2, 4, 1_000).await;
    hour(&app, 47, 6, 0, 6_000).await;
    let slow = hour(&app, 24 * 35, 5, 0, 20_000).await;
    let before = store::statements();
    let history = get(&app, "/status/history").await;
    assert!(store::statements() - before <= 4, "few statements, however many hours");
    assert!(is(&history["recorded_since"], old));
    let days = history["days"].as_array().unwrap();
    assert_eq!(days.len(), 90);
    let toronto =
        |at: DateTime<Utc>| at.with_timezone(&domain::facility::FacilityId::TORONTO.zone()).date_naive();
    let day = |at| days.iter().find(|d| d["day"] == toronto(at).to_string()).unwrap();
    assert_eq!(days[89]["day"], toronto(app.app.portal_time.now()).to_string());
    let plain = day(old);
    assert_eq!(
        (&plain["state"], &plain["looks"], &plain["failures"], &plain["latency_ms"], &plain["bad_hours"]),
        (&json!("ok"), &json!(10), &json!(0), &json!(500), &json!(0))
    );
    assert_eq!((&day(down)["state"], &day(slow)["state"]), (&json!("down"), &json!("slow")));
    assert_eq!(
        days.iter().filter(|d| d["state"] == "none").count(),
        87 - usize::from(toronto(down) != toronto(after + TimeDelta::hours(1)))
    );
    // The slow hour of five weeks ago counts for its date, but is no listed incident any more.
    let [incident] = history["incidents"].as_array().unwrap().as_slice() else { panic!("{history}") };
    assert!(
        is(&incident["begins"], down) && is(&incident["ends"], after + TimeDelta::hours(1)),
        "{incident}"
    );
    assert_eq!(
        (&incident["state"], &incident["looks"], &incident["failures"]),
        (&json!("down"), &json!(3), &json!(13))
    );
}

// spec: 10.13.01
async fn an_incident_lasts_until_the_portal_answers(app: TestApp) {
    let began = hour(&app, 2, 0, 5, 0).await;
    hour(&app, 1, 0, 5, 0).await;
    let newest = async |app: &TestApp| get(app, "/status/history").await["incidents"][0].clone();
    let first = newest(&app).await;
    assert!(is(&first["begins"], began) && first["ends"].is_null(), "{first}");
    // There was no poll in between; then the portal responded.
    app.wait(2 * 3_600);
    let back = hour(&app, 0, 5, 0, 500).await;
    let told = newest(&app).await;
    assert!(is(&told["ends"], back - TimeDelta::hours(2)), "the last hour that is known to be bad: {told}");
    // An incident that no poll confirmed for a long time is not shown as ongoing.
    app.wait(30 * 3_600);
    hour(&app, 5, 0, 5, 0).await;
    assert!(newest(&app).await["ends"].is_string());
}

// spec: 10.13.01
async fn one_poll_without_an_answer_is_no_incident(app: TestApp) {
    hour(&app, 5, 0, 1, 0).await;
    hour(&app, 4, 3, 1, 900).await;
    let history = get(&app, "/status/history").await;
    assert_eq!(
        (&history["incidents"], &history["days"][89]["bad_hours"]),
        (&json!([]), &json!(0)),
        "{history}"
    );
    let status = get(&app, "/status").await;
    let hours = status["portal"]["hours"].as_array().unwrap();
    assert_eq!(
        (&hours[18]["state"], &hours[19]["state"]),
        (&json!("slow"), &json!("ok")),
        "one of four is not several"
    );
    assert_eq!((&hours[18]["latency_ms"], &hours[19]["latency_ms"]), (&Value::Null, &json!(300)));
}

// spec: 10.13.01
async fn without_any_poll_the_status_is_unknown(app: TestApp) {
    let status = get(&app, "/status").await;
    assert_eq!((&status["portal"]["state"], &status["portal"]["since"]), (&json!("unknown"), &Value::Null));
    assert!(is(&status["at"], app.app.portal_time.now()));
    let history = get(&app, "/status/history").await;
    assert!(history["days"].as_array().unwrap().iter().all(|d| d["state"] == "none"));
    assert_eq!((&history["recorded_since"], &history["watching"]), (&Value::Null, &json!(false)));
    assert_eq!(history["overdue_seconds"], Value::Null);
}

// spec: 10.13.02
async fn waiting_mails_are_shown_with_their_age(app: TestApp) {
    assert_eq!(get(&app, "/status").await["delivery"]["waiting_seconds"], Value::Null);
    app.register("patient@example.com").await;
    server::workers::mail_requests::resolve_due(&app.app).await.unwrap();
    app.wait(90);
    let told = get(&app, "/status").await["delivery"].clone();
    assert_eq!((&told["waiting"], &told["failing"]), (&json!(1), &json!(0)));
    assert_eq!(told["waiting_seconds"], 90);
}

async fn overdue_polls_are_shown_only_with_active_tasks(s: Stage) {
    let (_, id) = crate::operator::watched(&s, "lin").await;
    s.run_for(TimeDelta::hours(1)).await;
    let history = get(&s, "/status/history").await;
    assert_eq!(history["watching"], true);
    assert_eq!(history["overdue_seconds"], Value::Null, "nothing is overdue");
    // Without an engine, the announced poll becomes overdue.
    let next = get(&s, "/status").await["engine"]["next_look_at"].as_str().unwrap().to_owned();
    let ahead = next.parse::<DateTime<Utc>>().unwrap() - s.clock.now();
    s.clock.advance(ahead + TimeDelta::minutes(10));
    let late = get(&s, "/status/history").await["overdue_seconds"].as_i64().unwrap();
    assert!((590..=600).contains(&late), "{late}");
    let mut tx = s.app.db.begin().await.unwrap();
    let id: domain::ids::TaskId = id.parse().unwrap();
    exec!(&mut tx, "UPDATE task SET counted = NULL WHERE id = $1", id.0).unwrap();
    tx.commit().await.unwrap();
    s.clock.advance(TimeDelta::minutes(1));
    let history = get(&s, "/status/history").await;
    assert_eq!((&history["watching"], &history["overdue_seconds"]), (&json!(false), &Value::Null));
    // A list that no task needs any more still has a planned time. No page announces that poll.
    let mut tx = s.app.db.begin().await.unwrap();
    let planned = s.clock.now() + TimeDelta::minutes(30);
    exec!(&mut tx, "UPDATE calendar SET next_look_at = $1", planned).unwrap();
    tx.commit().await.unwrap();
    assert_eq!(get(&s, "/status").await["engine"]["next_look_at"], Value::Null);
}

// spec: 10.13.01
async fn an_outage_of_three_days_is_shown_from_its_beginning(s: Stage) {
    let (_, id) = crate::operator::watched(&s, "lin").await;
    hour(&s, 73, 6, 0, 6_000).await;
    for hours in 0..=72 {
        hour(&s, hours, 0, 9, 0).await;
    }
    let begun = s.app.portal_time.now().duration_trunc(TimeDelta::hours(1)).unwrap() - TimeDelta::hours(72);
    assert_eq!(get(&s, "/status").await["portal"]["since"], Value::Null, "the portal is not shown as down");
    let mut tx = s.app.db.begin().await.unwrap();
    let id: domain::ids::TaskId = id.parse().unwrap();
    exec!(&mut tx, "UPDATE task SET verdict = 'portal_down' WHERE id = $1", id.0).unwrap();
    tx.commit().await.unwrap();
    // The response is cached for ten seconds.
    s.clock.advance(TimeDelta::seconds(11));
    let portal = get(&s, "/status").await["portal"].clone();
    assert_eq!((&portal["state"], portal["hours"].as_array().unwrap().len()), (&json!("down"), 24));
    assert!(is(&portal["since"], begun), "{} is not {begun}", portal["since"]);
    // The list below the headline shows the same.
    let newest = get(&s, "/status/history").await["incidents"][0].clone();
    assert!(newest["begins"] == portal["since"] && newest["ends"].is_null(), "{newest}");
}

async fn sent(app: &TestApp, language: &str, headers: &[(&str, &str)]) -> Reply {
    let asked = Request::builder().uri(format!("/status?lang={language}"));
    let asked = headers.iter().fold(asked, |all, (name, value)| all.header(*name, *value));
    app.send(asked.body(Body::empty()).unwrap()).await
}

/// Returns the visible text of the document on one line, and the facts in its script.
async fn document(app: &TestApp, language: &str) -> (String, Value) {
    let reply = sent(app, language, &[]).await;
    assert_eq!(reply.status, 200);
    let page = reply.body.as_str().unwrap();
    assert!(!page.contains('⟦'), "a mark was left");
    let (mut words, mut facts) = (String::new(), Value::Null);
    let body = page.split_once("<body").unwrap().1.split("<script");
    let seen: String = body.map(|part| part.split_once("</script>").map_or(part, |(_, rest)| rest)).collect();
    for piece in seen.split('<') {
        let (tag, text) = piece.split_once('>').unwrap_or_default();
        if !tag.starts_with("style") {
            words += text;
        }
    }
    if let Some((_, after)) = page.split_once(r#"id="facts">"#) {
        facts = serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap();
    }
    (words.replace('\u{2060}', ""), facts)
}

// spec: 10.13.03
async fn the_document_shows_no_figures_without_any_poll(app: TestApp) {
    for (language, never, idle) in
        [("en", "not checked yet", "no task is running"), ("zh", "还没有查询", "没有任务在监控")]
    {
        let (words, facts) = document(&app, language).await;
        assert!(words.contains(never) && words.contains(idle), "{words}");
        assert!(!words.contains("No incidents") && !words.contains('%'), "{words}");
        assert_eq!(
            (&facts["now"]["texts"]["engine"], &facts["now"]["texts"]["fine"]),
            (&json!("1"), &Value::Null)
        );
        assert_eq!(facts["past"]["days"].as_array().unwrap().len(), 90);
    }
}

async fn the_document_is_revalidated_by_its_etag(app: TestApp) {
    let first = sent(&app, "en", &[]).await;
    assert_eq!(first.headers["cache-control"], "no-cache");
    let policy = first.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("'sha256-") && !policy.contains("unsafe-inline"), "{policy}");
    let tag = first.headers["etag"].to_str().unwrap().to_owned();
    assert_eq!(sent(&app, "en", &[("if-none-match", &tag)]).await.status, 304);
    hour(&app, 1, 30, 2, 36_000).await;
    app.wait(9);
    assert_eq!(
        sent(&app, "en", &[("if-none-match", &tag)]).await.status,
        304,
        "the document is made once in ten seconds"
    );
    app.wait(60);
    assert_eq!(sent(&app, "en", &[("if-none-match", &tag)]).await.status, 200);
    let (words, _) = document(&app, "en").await;
    assert!(words.contains("93.7%of 32 checks") && words.contains("1.2s"), "{words}");
}

// spec: 10.13.03
async fn the_document_shows_problems_without_javascript(s: Stage) {
    let (_, id) = crate::operator::watched(&s, "lin").await;
    let id: domain::ids::TaskId = id.parse().unwrap();
    for hours in 0..=2 {
        hour(&s, hours, 0, 9, 0).await;
    }
    let begun = hour(&s, 3, 0, 9, 0).await;
    let since =
        begun.with_timezone(&domain::facility::FacilityId::TORONTO.zone()).format("%Y-%m-%d").to_string();
    for (condition, said) in [
        ("overloaded", ["The official site is slow", "官网响应缓慢"]),
        ("portal_down", ["The official site is not responding", "官网没有响应"]),
    ] {
        let mut tx = s.app.db.begin().await.unwrap();
        exec!(&mut tx, "UPDATE task SET verdict = $2 WHERE id = $1", id.0, condition).unwrap();
        tx.commit().await.unwrap();
        s.clock.advance(TimeDelta::seconds(31));
        for (language, said) in ["en", "zh"].into_iter().zip(said) {
            let (words, _) = document(&s, language).await;
            assert!(words.contains(said) && words.contains(&since), "{condition} {language}: {words}");
        }
        let lasted = format!("({} hours)", (s.app.portal_time.now() - begun).num_hours());
        assert!(document(&s, "en").await.0.contains(&lasted), "{lasted}");
    }
    let host = s.app.engine.context().client.host();
    let mut tx = s.app.db.begin().await.unwrap();
    store::outward::pause(&mut tx, &host, s.clock.now(), "the site asked us to stop").await.unwrap();
    tx.commit().await.unwrap();
    s.clock.advance(TimeDelta::minutes(61));
    for (language, said) in [
        ("en", ["Checking and booking are paused", "(1 hour ago)", "none while paused"]),
        ("zh", ["查询和改约已暂停", "已 1 小时", "暂停期间不查询"]),
    ] {
        let (words, facts) = document(&s, language).await;
        assert!(said.iter().all(|one| words.contains(one)), "{words}");
        assert!(!words.contains("The official site is not responding"), "{words}");
        assert_eq!(facts["now"]["texts"]["engine_paused"], "1");
    }
    // The database does not respond any more. The page shows the last facts with their age.
    s.app.db.close().await;
    s.clock.advance(TimeDelta::minutes(10));
    let (words, facts) = document(&s, "en").await;
    assert!(
        words.contains("Our server is not responding") && words.contains("What you see below is from"),
        "{words}"
    );
    assert_eq!(
        (&facts["now"]["texts"]["paused"], &facts["now"]["texts"]["known"]),
        (&Value::Null, &json!("1"))
    );
}
