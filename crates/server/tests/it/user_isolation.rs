//! Checks every route and id with two users. Ids of another user are treated like unknown ones, and
//! no data of that user is returned.

use axum::body::Body;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::app::{PASSWORD, Person, request};
use crate::operator::watched;
use crate::stage::{PORTAL_PASSWORD, Stage, configuration, params};

portal_stories!(no_route_shows_data_of_another_user);

/// Call of a route of the OpenAPI document.
enum How {
    /// With this body, which contains no id of a user's object.
    Plain(Option<Value>),
    /// With an id of this kind in the path, and a body.
    Path(&'static str, Option<Value>),
    /// With the id of a task in the body.
    Task(fn(&str) -> Value),
}

/// Returns the call for a route. A new route of the OpenAPI document must be added here.
fn how(method: &str, path: &str) -> Option<How> {
    use How::{Path, Plain, Task};
    let wrong = || Some(json!({ "password": "wrong-Pass-1" }));
    Some(match (method, path) {
        ("get", "/events") => Plain(None),
        ("get", _) if !path.contains('{') => Plain(None),
        (
            "get",
            "/schedules/{id}/progress"
            | "/schedules/{id}/status"
            | "/schedules/{id}/success-history"
            | "/schedules/{id}/journal"
            | "/schedules/{id}/calendar"
            | "/schedules/{id}/seen"
            | "/schedules/{id}/appointment.ics",
        ) => Path("task", None),
        ("get", "/schedules/verify-credentials/{id}") => Path("progress", None),
        // This route is public; the id in its path belongs to no user.
        ("get", "/auth/common-passwords/{beginning}") => Path("task", None),
        ("post", "/schedules/{id}/rating") => Path("task", Some(json!({ "stars": 5 }))),
        ("post", "/schedules/{id}/answer") => {
            Path("task", Some(json!({ "facility": "Toronto", "date": "2027-02-09" })))
        }
        ("post", "/schedules/{id}/start" | "/schedules/{id}/stop") | ("delete", "/schedules/{id}") => {
            Path("task", None)
        }
        ("put", "/schedules/{id}") => Path("task", Some(json!({ "search_params": params() }))),
        ("put", "/schedules/{id}/facilities") | ("post", "/schedules/{id}/check") => {
            Path("task", Some(json!({ "required_cities": ["Toronto"] })))
        }
        ("post", "/schedules/{id}/accept-group") => Path("task", Some(json!({}))),
        ("get", "/users/ledger/{id}") => Path("movement", None),
        ("delete", "/user/sessions/{id}") => Path("session", None),
        ("delete", "/user/links/{id}") => Path("link", None),
        ("delete", "/user/credentials/{id}") => Path("credential", None),
        ("post", "/schedules/configure") => Task(|id| configuration(id, 1)),
        ("post", "/schedules/submit") => Task(|id| json!({ "schedule_ids": [id] })),
        ("post", "/schedules/verify-credentials") => {
            Plain(Some(json!({ "username": "linnea@example.com", "password": "wrong-Pass-1" })))
        }
        ("post", "/auth/login") => {
            Plain(Some(json!({ "username": "linnea@example.com", "password": "wrong-Pass-1" })))
        }
        ("post", "/auth/register") => Plain(Some(
            json!({ "username": "linnea@example.com", "email": "linnea@example.com", "password": PASSWORD }),
        )),
        ("post", "/auth/resend-verification" | "/auth/forgot-password") => {
            Plain(Some(json!({ "email": "linnea@example.com" })))
        }
        ("post", "/auth/reset-password" | "/auth/invitation") => {
            Plain(Some(json!({ "token": "x", "password": PASSWORD })))
        }
        ("post", "/auth/sign-in-link") => Plain(Some(json!({ "email": "linnea@example.com" }))),
        ("post", "/auth/sign-in-link/use") => Plain(Some(json!({ "token": "x" }))),
        ("post", "/auth/passkey/options" | "/user/passkeys/options") => Plain(None),
        ("post", "/auth/passkey") => Plain(Some(json!({ "credential": {} }))),
        ("post", "/user/passkeys") => Plain(Some(json!({ "name": "x", "credential": {} }))),
        ("delete", "/user/passkeys/{id}") => Path("passkey", None),
        ("post", "/auth/link") => Plain(Some(json!({ "token": "x" }))),
        ("post", "/auth/change-password") => {
            Plain(Some(json!({ "current_password": "wrong", "new_password": PASSWORD })))
        }
        ("put", "/auth/profile") => Plain(Some(json!({ "email": "linnea@example.com" }))),
        ("post", "/auth/refresh") => Plain(Some(json!({ "refresh_token": "x" }))),
        ("get" | "post", "/digest/unsubscribe") => Plain(None),
        ("post", "/notices/seen") => Plain(Some(json!({ "token": "x" }))),
        (
            "post",
            "/sms/aliyun/inbound" | "/sms/aliyun/report" | "/sms/twilio/inbound" | "/sms/twilio/status",
        ) => Plain(None),
        ("post", "/questions/answer") => Plain(Some(json!({ "token": "x" }))),
        ("post", "/auth/step-up") => Plain(wrong()),
        ("post", "/auth/google/login") => Plain(Some(json!({}))),
        ("post", "/user/channels") => Plain(Some(json!({
            "target": { "kind": "ntfy", "topic": "linnea-example" }, "consent": true, "language": "en",
        }))),
        ("post", "/user/channels/link") => Plain(Some(json!({ "kind": "telegram", "consent": true }))),
        ("put", "/user/channels/order") => Plain(Some(json!({ "ids": [] }))),
        ("put", "/user/channels/{id}") => Path("channel", Some(json!({ "on": true }))),
        ("delete", "/user/channels/{id}") => Path("channel", None),
        ("post", "/user/channels/{id}/verify") => Path("channel", Some(json!({ "code": "000000" }))),
        (
            "post",
            "/user/channels/{id}/resend" | "/user/channels/{id}/confirm" | "/user/channels/{id}/test",
        ) => Path("channel", None),
        ("put", "/user/notifications") => Plain(Some(json!({
            "quiet_from": null, "quiet_to": null, "zone": "America/Toronto", "questions_at_night": false, "digest": "off",
        }))),
        ("get", "/payment/stripe/status/{id}") => Path("payment", None),
        ("post", "/payment/stripe/create-intent") => Plain(Some(json!({ "amount": 20.0 }))),
        ("post", "/payment/refunds") => Plain(Some(json!({ "amount": 20.0 }))),
        ("post", "/payment/stripe/webhook") => Plain(Some(json!({}))),
        ("post", "/topup/use" | "/topup/validate") => Plain(Some(json!({ "code": "AAAA-BBBB-CCCC-DDDD" }))),
        ("post", "/pricing/calculate") => Task(|id| json!({ "schedule_ids": [id] })),
        ("put", "/user/auto-stop-scheduler") => Plain(Some(json!({ "auto_stop_scheduler": true }))),
        ("put", "/user/language") => Plain(Some(json!({ "language": "en" }))),
        ("post", "/user/totp" | "/user/totp/recovery-codes" | "/user/export" | "/auth/logout") => Plain(None),
        ("post", "/user/totp/confirm") => Plain(Some(json!({ "code": "000000" }))),
        ("delete", "/user/totp" | "/user/google") => Plain(None),
        ("post", "/auth/logout-all") => Plain(Some(json!({ "keep_current": true }))),
        ("post", "/user/deletion") => Plain(Some(json!({ "forfeit_balance": 1.0 }))),
        _ => return None,
    })
}

/// Calls a route. Returns the status and the bytes. An endless stream is read only for a moment.
async fn ask(s: &Stage, method: &str, path: &str, person: &Person, body: Option<Value>) -> (u16, String) {
    let call = request(&method.to_uppercase(), path, Some(person), body);
    let response = s.router.clone().oneshot(call).await.unwrap();
    let (status, mut headers) = (response.status().as_u16(), response.headers().clone());
    headers.remove("x-request-id");
    let (mut seen, mut body): (Vec<u8>, Body) = (Vec::new(), response.into_body());
    let moment = std::time::Duration::from_secs(1);
    while let Ok(Some(Ok(frame))) = tokio::time::timeout(moment, body.frame()).await {
        seen.extend_from_slice(frame.data_ref().map_or(&[], |data| &data[..]));
    }
    (status, format!("{headers:?} {}", String::from_utf8_lossy(&seen)))
}

// spec: 10.7.32
async fn no_route_shows_data_of_another_user(s: Stage) {
    let (lin, task) = watched(&s, "linnea").await;
    let (mut eve, _) = watched(&s, "eve").await;
    let first = |answer: &Value, list: &str| answer[list][0]["id"].as_str().unwrap().to_owned();
    let session = first(s.get("/user/sessions", &lin).await.data(), "sessions");
    let credential = first(s.get("/user/credentials", &lin).await.data(), "credentials");
    let movement = first(s.get("/users/ledger", &lin).await.data(), "movements");
    s.post("/auth/forgot-password", json!({ "email": "linnea@example.com" })).await;
    s.mails().await;
    let reset = first(s.get("/user/links", &lin).await.data(), "links");
    let link = json!({ "kind": "telegram", "consent": true });
    s.proves(&lin).await;
    let channel = s.ok("POST", "/user/channels/link", &lin, link).await;
    let (channel, link) =
        (channel["id"].as_str().unwrap().to_owned(), channel["link"]["url"].as_str().unwrap().to_owned());
    let passkey = crate::passkeys::added(&s, &lin).await;
    let number = s.status(&lin, &task).await["portal_schedule_id"].as_str().unwrap().to_owned();
    let secret = [
        task.as_str(),
        &session,
        &reset,
        &credential,
        &movement,
        &channel,
        &passkey,
        &link,
        &lin.id.to_string(),
        &number,
        "linnea@example.com",
        "LINNEA",
        &lin.access,
        &lin.refresh,
    ]
    .map(str::to_owned);
    // A verification of the first user, with a known progress id.
    let progress = uuid::Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0002).to_string();
    let body =
        json!({ "username": "linnea@example.com", "password": PORTAL_PASSWORD, "progress_id": progress });
    s.call("POST", "/schedules/verify-credentials", Some(&lin), Some(body)).await;
    assert_eq!(s.get(&format!("/schedules/verify-credentials/{progress}"), &lin).await.status, 200);
    let unknown = uuid::Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0001).to_string();
    let document: Value = serde_json::from_str(&server::router::document_json().unwrap()).unwrap();
    let mut routes = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let Some(how) = how(method, path) else { panic!("add the call of {method} {path} to this test") };
            assert_eq!(path.contains('{'), matches!(how, How::Path(..)), "{method} {path}");
            if s.get("/user/profile", &eve).await.status != 200 {
                eve = s.again(&eve).await;
            }
            // A step-up gives the other user the most rights.
            s.call("POST", "/auth/step-up", Some(&eve), Some(json!({ "password": PASSWORD }))).await;
            let mut answers = Vec::new();
            match how {
                How::Plain(body) => answers.push(ask(&s, method, path, &eve, body).await),
                How::Path(kind, body) => {
                    let theirs = match kind {
                        "task" => &task,
                        "session" => &session,
                        "link" => &reset,
                        "progress" => &progress,
                        "movement" => &movement,
                        "channel" => &channel,
                        "passkey" => &passkey,
                        _ => &credential,
                    };
                    for id in [&unknown, theirs] {
                        answers.push(ask(&s, method, &path.replace("{id}", id), &eve, body.clone()).await);
                    }
                    assert_eq!(answers[0].0, 404, "{method} {path}: {}", answers[0].1);
                }
                How::Task(body) => {
                    for id in [&unknown, &task] {
                        answers.push(ask(&s, method, path, &eve, Some(body(id))).await);
                    }
                }
            }
            assert!(answers.iter().all(|answer| *answer == answers[0]), "{method} {path}: {answers:?}");
            for (status, text) in answers {
                assert!(status < 500 || status == 503, "{method} {path}: {status} {text}");
                for word in &secret {
                    assert!(!text.contains(word.as_str()), "{method} {path} shows {word}: {text}");
                }
            }
            routes += 1;
        }
    }
    assert!(routes >= 45, "{routes}");
    assert_eq!(s.status(&lin, &task).await["status"], "active", "her task was changed");
    assert_eq!(s.get("/user/credentials", &lin).await.data()["credentials"][0]["id"], credential);
}
