//! Stories of the metrics that an operator's tools read at `/metrics`.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use chrono::TimeDelta;
use http_body_util::BodyExt as _;
use server::AppState;
use server::config::Settings;
use server::metrics::Exporter;
use tower::ServiceExt as _;

use crate::app::{TestApp, request};
use crate::stage::{Stage, TORONTO};

portal_stories!(
    metrics_count_a_booking,
    metrics_count_unreadable_pages,
    card_payments_are_in_the_metrics_and_the_export,
);

mod closed {
    stories!(metrics_are_off_unless_configured, metrics_need_the_token);
    use super::{metrics_are_off_unless_configured, metrics_need_the_token};
}

const TOKEN: &str = "a-long-enough-token-of-ours";

/// Returns the routes of a server with these settings of `/metrics`, with counted requests.
fn counting(app: &AppState, token: Option<&str>, open: bool) -> Router {
    let settings =
        Settings { metrics_token: token.map(str::to_owned), metrics_open: open, ..(*app.settings).clone() };
    let exporter = Some(Exporter::start().unwrap());
    server::router(AppState { settings: Arc::new(settings), exporter, ..app.clone() })
}

/// Requests the metrics. Returns the status and the text.
async fn read(router: &Router, authorization: Option<&str>) -> (u16, String) {
    let mut request = Request::builder().uri("/metrics");
    if let Some(value) = authorization {
        request = request.header("authorization", value);
    }
    let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

/// Returns the value of one series, e.g. `sooner_tasks{status="active"}`.
fn value(page: &str, line: &str) -> f64 {
    let found = page.lines().find_map(|l| l.strip_prefix(line)?.strip_prefix(' '));
    found.unwrap_or_else(|| panic!("no {line} in\n{page}")).parse().unwrap()
}

async fn metrics_count_a_booking(s: Stage) {
    let router = counting(&s.app, Some(TOKEN), false);
    let payer = s.payer("lin", 50_00).await;
    s.slot(TORONTO, "2027-02-03", "08:15");
    let id = s.submitted(&payer, "lin").await;
    s.run_for(TimeDelta::minutes(6)).await;
    assert_eq!(s.status(&payer, &id).await["appointments"][0]["appointment_date"], "2027-02-03");
    let asked = request("GET", &format!("/schedules/{id}/status"), Some(&payer), None);
    assert_eq!(router.clone().oneshot(asked).await.unwrap().status(), 200);

    let (status, page) = read(&router, Some(&format!("Bearer {TOKEN}"))).await;
    assert_eq!(status, 200);
    for (line, at_least) in [
        (r#"sooner_looks_total{reason="warm_up",outcome="days"}"#, 1.0),
        (r#"sooner_hints_total{outcome="queued"}"#, 1.0),
        (r#"sooner_hints_total{outcome="booked"}"#, 1.0),
        (r#"sooner_hint_agreement_total{outcome="agreed"}"#, 0.0),
        ("sooner_calendars_split", 0.0),
        (r#"sooner_pages_stopped{page="days"}"#, 0.0),
        (r#"sooner_bookings_total{outcome="confirmed"}"#, 1.0),
        (r#"sooner_verdicts_total{verdict="booked"}"#, 1.0),
        (r#"sooner_portal_requests_total{kind="look"}"#, 2.0),
        (r#"sooner_intents{state="confirmed"}"#, 1.0),
        (r#"sooner_tasks{status="active"}"#, 1.0),
        (r#"sooner_watch_age_seconds{of="task",quantile="0.9"}"#, 1.0),
        (r#"sooner_watch_age_seconds{of="city",quantile="1"}"#, 1.0),
        (r#"sooner_watch_age_seconds{of="account",quantile="1"}"#, 1.0),
        (r#"sooner_accounts{state="free"}"#, 1.0),
        ("sooner_looks_left", 1.0),
        ("sooner_lease_held", 1.0),
        ("sooner_lease_epoch", 1.0),
        ("sooner_round_seconds_count", 2.0),
        (r#"sooner_outbox_depth{state="waiting"}"#, 1.0),
        ("sooner_database_up", 1.0),
        (
            r#"sooner_http_requests_total{method="GET",route="/api/v1/schedules/{id}/status",status="200"}"#,
            1.0,
        ),
    ] {
        assert!(value(&page, line) >= at_least, "{line}\n{page}");
    }
    for line in ["sooner_ledger_differences", "sooner_money_frozen", r#"sooner_intents{state="unknown"}"#] {
        assert!(value(&page, line) == 0.0, "{line}\n{page}");
    }
    as_the_runbook_says(&page);
    // Every metric has a description, and none contains user data.
    for name in ["sooner_looks_total", "sooner_accounts", "sooner_http_request_seconds"] {
        assert!(page.contains(&format!("# HELP {name} ")), "{name}\n{page}");
    }
    for private in ["lin@example.com", "LIN", id.as_str(), &payer.id.to_string()] {
        assert!(!page.contains(private), "{private} in\n{page}");
    }
}

/// Checks that every series has the labels of its row in docs/RUNBOOK.md. A repository check
/// compares alerts and dashboard with these rows.
fn as_the_runbook_says(page: &str) {
    let runbook = include_str!("../../../../docs/RUNBOOK.md");
    let mut names = std::collections::BTreeSet::new();
    for line in page.lines().filter(|line| line.starts_with("sooner_")) {
        let (series, _) = line.rsplit_once(' ').unwrap();
        let (name, labels) = series.split_once('{').unwrap_or((series, ""));
        let is_histogram = name.contains("_seconds_");
        let name = if is_histogram { name.rsplit_once('_').unwrap().0 } else { name };
        let labels: Vec<_> = labels.trim_end_matches('}').split("\",").collect();
        let labels: Vec<_> = labels.iter().filter_map(|l| l.split_once("=\"")).map(|(l, _)| l).collect();
        let labels = labels.into_iter().filter(|label| *label != "le").collect::<Vec<_>>().join(",");
        let braces = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        assert!(runbook.contains(&format!("\n| `{name}{braces}` |")), "no row for {name}{braces}");
        names.insert(name.to_owned());
    }
    assert!(names.len() > 25, "{names:?}");
}

async fn metrics_count_unreadable_pages(s: Stage) {
    let router = counting(&s.app, None, true);
    let payer = s.payer("lin", 50_00).await;
    s.submitted(&payer, "lin").await;
    s.fault(sandbox::world::faults::FaultKind::ChangedLayout);
    s.run_for(TimeDelta::minutes(10)).await;
    let (status, page) = read(&router, None).await;
    assert_eq!(status, 200);
    let failures: f64 = page.lines().filter(|l| l.starts_with("sooner_parse_failures_total{")).count() as f64;
    assert!(failures >= 1.0, "{page}");
}

async fn metrics_are_off_unless_configured(app: TestApp) {
    let (status, page) = read(&app.router, None).await;
    assert_eq!(status, 404, "{page}");
    assert_eq!(read(&app.router, Some(&format!("Bearer {TOKEN}"))).await.0, 404);
}

async fn metrics_need_the_token(app: TestApp) {
    let router = counting(&app.app, Some(TOKEN), false);
    let longer = format!("Bearer {TOKEN}x");
    let plain = format!("Basic {TOKEN}");
    for wrong in
        [None, Some("Bearer "), Some("Bearer a-long-enough-token-of-ourz"), Some(&longer), Some(&plain)]
    {
        let (status, page) = read(&router, wrong).await;
        assert_eq!(status, 401, "{wrong:?}");
        assert!(!page.contains("sooner_"), "{page}");
    }
    assert_eq!(read(&router, Some(&format!("Bearer {TOKEN}"))).await.0, 200);
    // The separate port also requires the token, if one is set.
    let settings = Settings { metrics_token: Some(TOKEN.to_owned()), ..(*app.app.settings).clone() };
    let exporter = Some(Exporter::start().unwrap());
    let own = AppState { settings: Arc::new(settings), exporter: exporter.clone(), ..app.app.clone() };
    assert_eq!(read(&server::metrics::own_port(own), None).await.0, 401);
    let open = AppState { exporter, ..app.app.clone() };
    assert_eq!(read(&server::metrics::own_port(open), None).await.0, 200);
    // The server does not start with an invalid token.
    let settings = Settings { metrics_token: Some(String::new()), ..(*app.app.settings).clone() };
    let ambient = server::run::Ambient { wall: app.clock.clock(), random: store::Random::seeded(6) };
    let ring = store::keyring::KeyRing::generate(&ambient.random);
    let refused = server::run::assemble(settings, ring, ambient).await;
    assert!(refused.is_err_and(|e| e.to_string().contains("--metrics-token")));
}

// spec: 10.10.23
async fn card_payments_are_in_the_metrics_and_the_export(s: Stage) {
    let router = counting(&s.app, None, true);
    let person = s.payer("cards", 0).await;
    let paid = s.paid(&person, 50.0).await;
    let open = s.prepare(&person, 20.0).await;
    let forged = s.send(crate::cards::hook("t=1,v1=00", "{}")).await;
    assert_eq!(forged.status, 400);
    let mut tx = s.app.db.begin().await.unwrap();
    let what = (paid.id.as_str(), Some(domain::money::Money::cad(20_00)));
    store::card::refund::request(&mut tx, &s.app.random, what, None, s.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    s.wait(90);
    let (_, page) = read(&router, None).await;
    for (line, expected) in [
        (r#"sooner_card_payments{state="succeeded"}"#, 1.0),
        (r#"sooner_card_payments{state="open"}"#, 1.0),
        (r#"sooner_card_refunds{state="pending"}"#, 1.0),
        (r#"sooner_card_disputes{state="open"}"#, 0.0),
        (r#"sooner_card_strays{state="waiting"}"#, 0.0),
        ("sooner_card_refund_oldest_seconds", 90.0),
    ] {
        assert_eq!(value(&page, line), expected, "{line}");
    }
    // Counters belong to the process, which may run other tests too.
    assert!(value(&page, r#"sooner_card_messages_total{outcome="taken"}"#) >= 1.0);
    assert!(value(&page, r#"sooner_card_messages_total{outcome="not_believed"}"#) >= 1.0);
    s.ok("POST", "/auth/step-up", &person, serde_json::json!({ "password": crate::app::PASSWORD })).await;
    let files = crate::export_and_deletion::export(&s, &person).await;
    let rows: serde_json::Value = serde_json::from_str(&files["card_payments.json"]).unwrap();
    let ids: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert!(ids.contains(&paid.id.as_str()) && ids.contains(&open.id.as_str()), "{rows}");
    let line = rows.as_array().unwrap().iter().find(|row| row["id"] == paid.id.as_str()).unwrap();
    assert_eq!((&line["received"], &line["refunded"]), (&serde_json::json!(50.0), &serde_json::json!(20.0)));
    assert!(files["card_payments.csv"].contains("id,at,asked,received"));
    assert!(!files.values().any(|text| text.contains("_secret_")), "no client secret");
}
