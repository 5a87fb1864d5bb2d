//! Stories of guesses at secrets: which requests are counted, and which must wait.

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use serde_json::json;
use store::exec;
use tower::ServiceExt as _;

use crate::app::{PASSWORD, Person, Reply, TestApp, request};
use crate::sign_ins::second_factor;

stories!(
    a_server_error_does_not_count_as_a_guess,
    registrations_are_limited_in_size_and_per_day,
    a_failed_sign_in_does_not_use_up_the_code,
    guesses_from_many_addresses_do_not_lock_out_the_owner,
    ten_wrong_codes_a_day_are_checked_and_the_owner_is_notified,
    wrong_passwords_notify_the_owner_and_a_reset_ends_the_wait,
    security_events_are_shown_to_the_account_owner,
);

fn login(person: &Person, password: &str, code: Option<&str>) -> Request<Body> {
    let body = json!({ "username": person.email, "password": password, "totp_code": code });
    request("POST", "/auth/login", None, Some(body))
}

// spec: 10.7.40
async fn a_server_error_does_not_count_as_a_guess(app: TestApp) {
    let person = app.person("lin").await;
    let mut tx = app.app.db.begin().await.unwrap();
    exec!(&mut tx, "ALTER TABLE mail_request RENAME TO mail_request_away").unwrap();
    tx.commit().await.unwrap();
    for _ in 0..8 {
        let failed = app.router.clone().oneshot(login(&person, PASSWORD, None)).await.unwrap();
        assert_eq!(failed.status(), 500);
    }
    let mut tx = app.app.db.begin().await.unwrap();
    exec!(&mut tx, "ALTER TABLE mail_request_away RENAME TO mail_request").unwrap();
    tx.commit().await.unwrap();
    // Five wrong passwords need no wait. The eight requests before were not counted.
    for _ in 0..5 {
        assert_eq!(app.login(&person.email, "Wrong-1234!").await.error(), (401, "INVALID_CREDENTIALS"));
    }
    assert_eq!(app.login(&person.email, PASSWORD).await.error(), (429, "TOO_MANY_ATTEMPTS"));
    app.wait(2);
    assert_eq!(app.login(&person.email, PASSWORD).await.status, 200);
}

// spec: 10.7.40
async fn a_failed_sign_in_does_not_use_up_the_code(app: TestApp) {
    let person = app.person("lin").await;
    let (_, codes) = second_factor(&app, &person).await;
    let mut tx = app.app.db.begin().await.unwrap();
    exec!(&mut tx, "ALTER TABLE refresh_token RENAME TO refresh_token_away").unwrap();
    tx.commit().await.unwrap();
    let failed = app.router.clone().oneshot(login(&person, PASSWORD, Some(&codes[0]))).await.unwrap();
    assert_eq!(failed.status(), 500);
    let mut tx = app.app.db.begin().await.unwrap();
    exec!(&mut tx, "ALTER TABLE refresh_token_away RENAME TO refresh_token").unwrap();
    tx.commit().await.unwrap();
    let code = Some(codes[0].as_str());
    assert_eq!(app.send(login(&person, PASSWORD, code)).await.status, 200, "the code was not used up");
    assert_eq!(app.send(login(&person, PASSWORD, code)).await.error(), (401, "TOTP_INVALID"), "once");
}

async fn from(app: &TestApp, address: [u8; 4], mut request: Request<Body>) -> Reply {
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from((address, 1))));
    app.send(request).await
}

// spec: 10.7.41
async fn guesses_from_many_addresses_do_not_lock_out_the_owner(app: TestApp) {
    let person = app.person("lin").await;
    let home = [203, 0, 113, 7];
    assert_eq!(from(&app, home, login(&person, PASSWORD, None)).await.status, 200);
    let mut refused = 0;
    for n in 0..60 {
        let reply = from(&app, [198, 18, n, 7], login(&person, "Wrong-1234!", None)).await;
        refused += u32::from(reply.status == 429);
    }
    assert!(refused > 0, "all networks together are throttled");
    let stranger = from(&app, [192, 0, 2, 1], login(&person, PASSWORD, None)).await;
    assert_eq!(
        stranger.error(),
        (429, "TOO_MANY_ATTEMPTS"),
        "the right password is throttled too, from elsewhere"
    );
    assert_eq!(
        from(&app, home, login(&person, PASSWORD, None)).await.status,
        200,
        "the owner is not throttled"
    );
    // Guesses from the owner's network are limited like others.
    let mut refused = 0;
    for _ in 0..8 {
        let reply = from(&app, home, login(&person, "Wrong-1234!", None)).await;
        refused += u32::from(reply.status == 429);
    }
    assert!(refused > 0);
}

/// Returns the field `what` of the mails of a template.
async fn told(app: &TestApp) -> Vec<String> {
    app.app.afterwards.close();
    app.app.afterwards.wait().await;
    app.app.afterwards.reopen();
    let mails = app.mails().await;
    let notices = mails.iter().filter(|mail| mail.0 == "security_notice");
    notices.map(|mail| mail.2["what"].as_str().unwrap().to_owned()).collect()
}

// spec: 10.7.67
async fn ten_wrong_codes_a_day_are_checked_and_the_owner_is_notified(app: TestApp) {
    let person = app.person("lin").await;
    let (secret, codes) = second_factor(&app, &person).await;
    app.mails().await;
    let mut looked_at = 0;
    let mut last = String::new();
    // Guesses come from many networks, until late on the same day.
    for n in 0..100_u32 {
        let [_, _, high, low] = n.to_be_bytes();
        let reply = from(&app, [198, 18 + high, low, 7], login(&person, PASSWORD, Some("000000"))).await;
        looked_at += u32::from(reply.status == 401);
        last = reply.body["error"]["code"].as_str().unwrap_or_default().to_owned();
        app.wait(300);
    }
    assert_eq!(looked_at, 10, "checked in one day");
    assert_eq!(last, "SECOND_FACTOR_LIMIT");
    assert_eq!(told(&app).await, ["codes_guessed"], "once");
    // The owner can sign in, from a known or another network.
    let code = crate::sign_ins::code(&app, &secret, 0);
    let at_home = app.send(login(&person, PASSWORD, Some(&code))).await;
    assert_eq!(at_home.status, 200);
    app.wait(900);
    let elsewhere = from(&app, [192, 0, 2, 9], login(&person, PASSWORD, Some(&codes[0]))).await;
    assert_eq!(elsewhere.status, 200, "signed in with a recovery code");
    assert_eq!(told(&app).await, ["recovery_code_used"]);
}

// spec: 10.7.67
async fn wrong_passwords_notify_the_owner_and_a_reset_ends_the_wait(app: TestApp) {
    let person = app.person("lin").await;
    for n in 0..60 {
        let _ = from(&app, [198, 18, n, 7], login(&person, "Wrong-1234!", None)).await;
    }
    assert_eq!(told(&app).await, ["passwords_guessed"], "once");
    let elsewhere = from(&app, [192, 0, 2, 1], login(&person, PASSWORD, None)).await;
    assert_eq!(elsewhere.error(), (429, "TOO_MANY_ATTEMPTS"));
    app.post("/auth/forgot-password", json!({ "email": person.email })).await.data();
    let mails = app.mails().await;
    let token = crate::app::token_of(&mails, "reset_password", "reset-password");
    let set = json!({ "token": token, "password": "Quite-Another-7!" });
    app.post("/auth/reset-password", set).await.data();
    let elsewhere = from(&app, [192, 0, 2, 1], login(&person, "Quite-Another-7!", None)).await;
    assert_eq!(elsewhere.status, 200);
}

// spec: 10.7.60
async fn security_events_are_shown_to_the_account_owner(app: TestApp) {
    let person = app.person("lin").await;
    let other = app.person("wang").await;
    app.wait(1);
    assert_eq!(app.login(&person.email, "Wrong-1234!").await.error(), (401, "INVALID_CREDENTIALS"));
    told(&app).await;
    app.wait(1);
    app.post("/auth/forgot-password", json!({ "email": person.email })).await.data();
    let events = app.get("/user/security-events", &person).await;
    let events = events.data()["events"].as_array().unwrap().clone();
    let seen: Vec<_> =
        events.iter().map(|e| (e["kind"].as_str().unwrap(), e["succeeded"].as_bool().unwrap())).collect();
    assert_eq!(seen, [("sign_in", false), ("sign_in", true)], "the newest first");
    assert_eq!(events[0]["network"], "0.0.0.x");
    assert_eq!(events[0]["client"]["kind"], "other");
    let theirs = app.get("/user/security-events", &other).await;
    assert_eq!(theirs.data()["events"].as_array().unwrap().len(), 1, "only the user's own events");
    // Security events are deleted after half a year.
    app.wait(181 * 86_400);
    server::run::housekeeping_round(&app.app).await.unwrap();
    let again = app.signed_in_long_ago(&person.email).await;
    let events = app.get("/user/security-events", &again).await;
    let left = events.data()["events"].as_array().unwrap();
    assert!(left.iter().all(|e| e["at"].as_str().unwrap() > "2027-01"), "{left:?}");
}

// spec: 10.7.76
async fn registrations_are_limited_in_size_and_per_day(app: TestApp) {
    let register = async |name: &str, code: &str| {
        app.wait(120);
        let email = format!("{name}@example.com");
        let body = json!({ "username": email, "email": email, "password": PASSWORD, "referral_code": code });
        app.post("/auth/register", body).await
    };
    let long = register("long", &"x".repeat(33)).await;
    assert_eq!(long.error(), (422, "VALIDATION_FAILED"));
    assert_eq!(long.body["data"]["fields"], json!({ "referral_code": "too_long" }));
    assert_eq!(register("one", &"x".repeat(32)).await.status, 200);
    let codes = async || {
        let mut tx = app.app.db.read().await.unwrap();
        store::scalar!(&mut tx, i64, "SELECT COUNT(*) FROM mail_request WHERE referral_code IS NOT NULL")
            .unwrap()
    };
    assert_eq!(codes().await, 1);
    app.mails().await;
    assert_eq!(codes().await, 0, "deleted once it is decided");
    // Simulates 199 registrations from this address today.
    let mut tx = app.app.db.begin().await.unwrap();
    exec!(&mut tx, "UPDATE throttle SET failures = 199").unwrap();
    tx.commit().await.unwrap();
    assert_eq!(register("two", "").await.status, 200);
    let refused = register("three", "").await;
    assert_eq!(refused.error(), (429, "TOO_MANY_ATTEMPTS"));
    assert!(refused.headers.contains_key("retry-after"));
    app.wait(24 * 3600);
    assert_eq!(register("four", "").await.status, 200, "allowed on the next day");
}
