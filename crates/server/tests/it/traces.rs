//! Stories of traces: they reach a collector, and contain no user data.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use chrono::TimeDelta;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use server::config::Settings;
use tokio::runtime::Handle;
use tracing_subscriber::layer::SubscriberExt as _;

use crate::app::PASSWORD;
use crate::stage::{self, PORTAL_PASSWORD, TORONTO};

/// Requests to the collector, with their content type.
type Sent = Arc<Mutex<Vec<(String, Bytes)>>>;

/// Starts a collector that always responds with the same status.
async fn collector(status: StatusCode) -> (String, Sent) {
    let sent = Sent::default();
    let kept = sent.clone();
    let take = async move |headers: HeaderMap, body: Bytes| {
        let kind = headers.get("content-type").map_or("", |kind| kind.to_str().unwrap());
        kept.lock().unwrap().push((kind.to_owned(), body));
        status
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1/traces", listener.local_addr().unwrap());
    let routes = Router::new().route("/v1/traces", post(take));
    tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
    (url, sent)
}

fn settings(url: &str) -> Settings {
    Settings { traces_url: Some(url.to_owned()), node: "one".to_owned(), ..Settings::defaults() }
}

fn said(span: &Span) -> BTreeMap<&str, String> {
    let text = |value: &Value| match value {
        Value::StringValue(text) => text.clone(),
        Value::IntValue(number) => number.to_string(),
        other => format!("{other:?}"),
    };
    let pairs = span.attributes.iter();
    pairs.filter_map(|pair| Some((pair.key.as_str(), text(pair.value.as_ref()?.value.as_ref()?)))).collect()
}

// spec: 10.15.28
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn traces_reach_the_collector_without_user_data() {
    let (url, sent) = collector(StatusCode::OK).await;
    let stage = stage::sqlite().await;
    let traces = server::traces::begin(&settings(&url), &Handle::current()).unwrap().unwrap();
    let heard = tracing_subscriber::registry().with(server::traces::layer(&traces));
    tracing::subscriber::set_global_default(heard).unwrap();

    let lin = stage.payer("lin", 100_000).await;
    let task = stage.submitted(&lin, "lin").await;
    assert_eq!(stage.login("lin@example.com", "Wrong-Kestrel-1!").await.status, 401);
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::minutes(30)).await;
    let status = stage.status(&stage.again(&lin).await, &task).await;
    tokio::task::spawn_blocking(move || traces.end()).await.unwrap();

    let sent = std::mem::take(&mut *sent.lock().unwrap());
    assert!(!sent.is_empty());
    let mut spans = Vec::new();
    for (kind, body) in &sent {
        assert_eq!(kind, "application/x-protobuf");
        let bytes = String::from_utf8_lossy(body);
        for secret in ["example.com", "Kestrel", PASSWORD, PORTAL_PASSWORD, "Bearer", "token="] {
            assert!(!bytes.contains(secret), "{secret} is in the traces");
        }
        assert!(!bytes.contains(&task), "an id of a path is in the traces");
        for one in ExportTraceServiceRequest::decode(&body[..]).unwrap().resource_spans {
            let about = format!("{:?}", one.resource.unwrap().attributes);
            assert!(
                about.contains("service.name") && about.contains("sooner") && about.contains("one"),
                "{about}"
            );
            spans.extend(one.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    let names: BTreeSet<_> = spans.iter().map(|span| span.name.as_str()).collect();
    for name in ["answer", "verify", "job", "exchange", "book", "read_back", "durable"] {
        assert!(names.contains(name), "{name} is missing in {names:?}; the task: {status}");
    }
    let login = spans.iter().find(|span| {
        span.name == "answer" && said(span)["route"] == "/api/v1/auth/login" && said(span)["status"] == "401"
    });
    assert_eq!(said(login.expect("the wrong password"))["method"], "POST");
    // The requests of a verification to the portal belong to its span.
    let verify = spans.iter().find(|span| span.name == "verify").unwrap();
    let of_it = |span: &&Span| span.name == "exchange" && span.trace_id == verify.trace_id;
    assert!(spans.iter().filter(of_it).all(|span| said(span).contains_key("page")));
    assert!(spans.iter().any(|span| of_it(&span)));
    assert!(spans.iter().all(|span| span.events.is_empty()));
}

// spec: 10.15.28
/// Checks that nothing waits for a collector that fails, and that the process ends in time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_collector_does_not_delay_the_shutdown() {
    let (url, sent) = collector(StatusCode::SERVICE_UNAVAILABLE).await;
    let stage = stage::sqlite().await;
    let traces = server::traces::begin(&settings(&url), &Handle::current()).unwrap().unwrap();
    let heard = tracing_subscriber::registry().with(server::traces::layer(&traces));
    tracing::subscriber::set_global_default(heard).unwrap();
    stage.person("lin").await;
    let ended = tokio::task::spawn_blocking(move || traces.end());
    tokio::time::timeout(std::time::Duration::from_secs(10), ended)
        .await
        .expect("the exporter ends")
        .unwrap();
    assert!(!sent.lock().unwrap().is_empty(), "the collector was called");
}

// spec: 10.15.28
#[tokio::test]
async fn traces_are_off_by_default_and_invalid_settings_are_refused() {
    let begin = |change: fn(&mut Settings)| {
        let mut settings = Settings::defaults();
        change(&mut settings);
        server::traces::begin(&settings, &Handle::current()).map(|traces| traces.is_some())
    };
    let _ = rustls::crypto::ring::default_provider().install_default();
    assert!(!begin(|_| ()).unwrap());
    assert!(!begin(|s| s.traces_url = Some(String::new())).unwrap());
    let wrong = [
        begin(|s| s.traces_url = Some("localhost:4318".to_owned())),
        begin(|s| s.traces_url = Some("http://collector.example.com/v1/traces".to_owned())),
        begin(|s| {
            s.traces_url = Some("http://127.0.0.1:4318/v1/traces".to_owned());
            s.traces_share = 1.5;
        }),
    ];
    let said: Vec<_> = wrong.into_iter().map(|wrong| wrong.unwrap_err().to_string()).collect();
    assert!(said[0].contains("--traces-url") && said[0].contains("4318"), "{}", said[0]);
    assert!(said[1].contains("--traces-url") && said[1].contains("https"), "{}", said[1]);
    assert!(said[2].contains("--traces-share"), "{}", said[2]);
}
