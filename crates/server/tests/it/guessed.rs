//! What counts as a guess at a secret, and who waits for it.

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
    a_failure_of_ours_is_no_guess,
    no_code_is_spent_on_a_sign_in_that_does_not_start,
    many_addresses_do_not_keep_the_owner_out,
);

fn login(person: &Person, password: &str, code: Option<&str>) -> Request<Body> {
    let body = json!({ "username": person.email, "password": password, "totp_code": code });
    request("POST", "/auth/login", None, Some(body))
}

// spec: 10.7.40
async fn a_failure_of_ours_is_no_guess(app: TestApp) {
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
    // Five wrong passwords are free, and the eight were none.
    for _ in 0..5 {
        assert_eq!(app.login(&person.email, "Wrong-1234!").await.error(), (401, "INVALID_CREDENTIALS"));
    }
    assert_eq!(app.login(&person.email, PASSWORD).await.error(), (429, "TOO_MANY_ATTEMPTS"));
    app.wait(2);
    assert_eq!(app.login(&person.email, PASSWORD).await.status, 200);
}

// spec: 10.7.40
async fn no_code_is_spent_on_a_sign_in_that_does_not_start(app: TestApp) {
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
    assert_eq!(app.send(login(&person, PASSWORD, code)).await.status, 200, "it is good as it was");
    assert_eq!(app.send(login(&person, PASSWORD, code)).await.error(), (401, "TOTP_INVALID"), "once");
}

async fn from(app: &TestApp, address: [u8; 4], mut request: Request<Body>) -> Reply {
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from((address, 1))));
    app.send(request).await
}

// spec: 10.7.41
async fn many_addresses_do_not_keep_the_owner_out(app: TestApp) {
    let person = app.person("lin").await;
    let home = [203, 0, 113, 7];
    assert_eq!(from(&app, home, login(&person, PASSWORD, None)).await.status, 200);
    let mut refused = 0;
    for n in 0..60 {
        let reply = from(&app, [198, 18, n, 7], login(&person, "Wrong-1234!", None)).await;
        refused += u32::from(reply.status == 429);
    }
    assert!(refused > 0, "together they are slowed down");
    let stranger = from(&app, [192, 0, 2, 1], login(&person, PASSWORD, None)).await;
    assert_eq!(stranger.error(), (429, "TOO_MANY_ATTEMPTS"), "also who knows the password, from elsewhere");
    assert_eq!(from(&app, home, login(&person, PASSWORD, None)).await.status, 200, "the owner is not");
    // Who guesses from the owner's own network is slowed down as anywhere.
    let mut refused = 0;
    for _ in 0..8 {
        let reply = from(&app, home, login(&person, "Wrong-1234!", None)).await;
        refused += u32::from(reply.status == 429);
    }
    assert!(refused > 0);
}
