//! HTTP server of the simulated portal, a thin layer over [`crate::portal`].

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{ConnectInfo, DefaultBodyLimit, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, Uri, header},
};
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    Shared,
    net::Fuse,
    portal::{
        self,
        http::{Cut, Reply, Request, pairs},
    },
    world::faults::KillAt,
};

pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new().fallback(handle).layer(DefaultBodyLimit::max(256 * 1024)).with_state(shared)
}

async fn handle(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(fuse): ConnectInfo<Fuse>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let request = request(&method, &uri, &headers, &body);
    let answers = shared.clock.answers.as_ref();
    answers.inspect(|answers| answers.count());
    let (reply, asked_at) = shared.step(|world| (portal::answer(world, &request), world.now));
    for (pid, at) in &reply.kills {
        if *at != KillAt::HalfAnswered {
            raise(*pid);
        }
    }
    if let (Some(speed), true) = (shared.clock.speed, reply.latency_ms > 0) {
        let millis = reply.latency_ms as f64 / speed;
        tokio::time::sleep(Duration::from_secs_f64(millis / 1000.0)).await;
    }
    if let (Some(answers), true) = (answers, reply.latency_ms > 0) {
        let latency = i64::try_from(reply.latency_ms).unwrap_or(i64::MAX);
        answers.hold_until(asked_at + chrono::TimeDelta::milliseconds(latency)).await;
    }
    let half = (reply.body.len() / 2).max(1) as i64;
    let late_kill = reply.kills.iter().find(|(_, at)| *at == KillAt::HalfAnswered).map(|(pid, _)| *pid);
    match (reply.cut, late_kill) {
        (Cut::Whole, _) => fuse.burn_after(0),
        (Cut::Half, None) => fuse.burn_after(half),
        (_, Some(pid)) => {
            fuse.burn_after(half);
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(5)).await;
                raise(pid);
            });
        }
        (Cut::No, None) => {}
    }
    response(reply, &method)
}

/// Sends SIGKILL to a process, for kill tests. Ignores a process that has already ended. Never
/// signals process 0, process 1 or a process group.
fn raise(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid.max(0)).filter(|pid| !pid.is_init()) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn request(method: &Method, uri: &Uri, headers: &HeaderMap, body: &Bytes) -> Request {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
    let cookies: Vec<&str> = headers.get_all(header::COOKIE).iter().filter_map(|v| v.to_str().ok()).collect();
    Request {
        method: method.as_str().to_owned(),
        path: uri.path().to_owned(),
        query_text: uri.query().unwrap_or_default().to_owned(),
        query: pairs(uri.query().unwrap_or_default()),
        form: pairs(&String::from_utf8_lossy(body)),
        accept: text("accept"),
        requested_with: text("x-requested-with"),
        csrf_header: text("x-csrf-token"),
        cookie: cookies.join("; "),
        if_none_match: text("if-none-match"),
        https: text("x-forwarded-proto") == "https",
    }
}

fn response(reply: Reply, method: &Method) -> Response<Body> {
    let body = if *method == Method::HEAD { Body::empty() } else { Body::from(reply.body.into_owned()) };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    if reply.status != 304 {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(reply.content_type));
    }
    for (name, value) in reply.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.append(HeaderName::from_static(name), value);
        }
    }
    if reply.latency_ms > 0 {
        headers.insert("x-sandbox-latency-ms", HeaderValue::from(reply.latency_ms));
    }
    response
}
