//! Stories of expensive work: many requests of one client, or of many, do not exclude other users
//! from password hashing or login verification.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use serde_json::json;
use tokio::task::JoinSet;
use tower::ServiceExt as _;

use crate::app::{PASSWORD, Person, Reply, TestApp, request, token_of};
use crate::stage::{PORTAL_PASSWORD, Stage};

portal_stories!(one_address_does_not_block_verifications_of_others);
mod at_the_door {
    use super::{many_addresses_do_not_block_known_clients, one_address_does_not_block_sign_ins};
    stories!(one_address_does_not_block_sign_ins, many_addresses_do_not_block_known_clients);
}

const HOME: [u8; 4] = [203, 0, 113, 7];

fn at(address: [u8; 4], mut request: Request<Body>) -> Request<Body> {
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from((address, 1))));
    request
}

fn login(email: &str, password: &str) -> Request<Body> {
    let body = json!({ "username": email, "password": password });
    request("POST", "/auth/login", None, Some(body))
}

/// Sends a number of concurrent sign-ins from changing addresses, and repeats them until the
/// returned set is dropped.
async fn crowd_of(app: &TestApp, size: u8, from: fn(u8) -> [u8; 4]) -> JoinSet<()> {
    let mut crowd = JoinSet::new();
    for n in 0..size {
        let router = app.router.clone();
        crowd.spawn(async move {
            loop {
                let attempt = login(&format!("stranger{n}@example.com"), "Wrong-1234!");
                let reply = router.clone().oneshot(at(from(n), attempt)).await.unwrap();
                if reply.status() != 401 {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            }
        });
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    crowd
}

async fn from(app: &TestApp, address: [u8; 4], call: Request<Body>) -> Reply {
    app.send(at(address, call)).await
}

async fn stepped_up(app: &TestApp, person: &Person) -> Reply {
    let call = request("POST", "/auth/step-up", Some(person), Some(json!({ "password": PASSWORD })));
    from(app, HOME, call).await
}

/// Returns the token of a mailed password reset link.
async fn reset_token(app: &TestApp, person: &Person) -> String {
    app.post("/auth/forgot-password", json!({ "email": person.email })).await.data();
    token_of(&app.mails().await, "reset_password", "reset-password")
}

async fn reset(app: &TestApp, token: &str) -> Reply {
    let body = json!({ "token": token, "password": "Quite-Another-7!" });
    from(app, HOME, request("POST", "/auth/reset-password", None, Some(body))).await
}

// spec: 10.7.14
async fn one_address_does_not_block_sign_ins(app: TestApp) {
    let (person, other) = (app.person("lin").await, app.person("other").await);
    let token = reset_token(&app, &other).await;
    let crowd = crowd_of(&app, 100, |_| [198, 51, 100, 1]).await;
    for n in 0..6 {
        let reply = from(&app, HOME, login(&person.email, PASSWORD)).await;
        assert_eq!(reply.status, 200, "{n}: {reply:?}");
    }
    assert_eq!(stepped_up(&app, &person).await.status, 200);
    let new = json!({ "email": "new@example.com", "password": PASSWORD });
    let registered = from(&app, HOME, request("POST", "/auth/register", None, Some(new))).await;
    assert_eq!(registered.status, 200, "{registered:?}");
    assert_eq!(reset(&app, &token).await.status, 200);
    drop(crowd);
}

// spec: 10.7.14
async fn many_addresses_do_not_block_known_clients(app: TestApp) {
    let (person, other) = (app.person("lin").await, app.person("other").await);
    assert_eq!(from(&app, HOME, login(&person.email, PASSWORD)).await.status, 200);
    let token = reset_token(&app, &other).await;
    let crowd = crowd_of(&app, 200, |n| [198, 18, n, 7]).await;
    for n in 0..6 {
        let reply = from(&app, HOME, login(&person.email, PASSWORD)).await;
        assert_eq!(reply.status, 200, "{n}: {reply:?}");
    }
    assert_eq!(stepped_up(&app, &person).await.status, 200);
    assert_eq!(reset(&app, &token).await.status, 200);
    drop(crowd);
}

/// Returns a request that verifies a portal login, from a given address.
fn verification(person: &Person, name: &str, address: [u8; 4]) -> Request<Body> {
    let body = json!({ "username": format!("{name}@example.com"), "password": PORTAL_PASSWORD });
    at(address, request("POST", "/schedules/verify-credentials", Some(person), Some(body)))
}

// spec: 10.15.07
async fn one_address_does_not_block_verifications_of_others(s: Stage) {
    s.booked("lin");
    s.booked("honest");
    let honest = s.person("honest").await;
    let busy = s.person("mallory").await;
    s.sandbox.with_world(|w| w.config.latency_ms = (200, 200));
    let mut crowd = JoinSet::new();
    for n in 0..10 {
        let call = verification(&busy, &format!("nobody{n}"), [198, 51, 100, 1]);
        crowd.spawn(s.router.clone().oneshot(call));
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    let verified = s.send(verification(&honest, "honest", HOME)).await;
    assert_eq!(verified.status, 200, "{verified:?}");
    // The order of requests at the portal is checked, because response times depend on the load of
    // the machine.
    let before = s.sandbox.with_world(|w| {
        let sign_ins = w.journal.after(0).iter().filter(|entry| entry.kind == "sign_in");
        sign_ins.take_while(|entry| entry.account.as_deref() != Some("honest@example.com")).count()
    });
    assert!(before <= 6, "{before} of ten earlier requests were served first");
    drop(crowd);
}
