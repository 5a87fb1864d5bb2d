//! Promise 17: a stolen refresh token is detected, and no honest user is signed out.
//! `SOONER_STORM_ROUNDS=200` runs the full size: a hundred sessions, each in five tabs that refresh
//! concurrently.

use axum::Router;
use domain::ids::SessionId;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use store::session::{Client, Method, NewSession, RefreshToken};
use tokio::task::JoinSet;
use tower::ServiceExt as _;

use crate::app::{TestApp, request};

stories!(concurrent_refreshes_succeed_and_stolen_tokens_are_detected);

const SIGN_INS: usize = 100;
const TABS: usize = 5;

/// Refreshes once. Returns the status and the next token.
async fn refresh(router: Router, token: String) -> (u16, String) {
    loop {
        let body = json!({ "refresh_token": token });
        let call = request("POST", "/auth/refresh", None, Some(body));
        let response = router.clone().oneshot(call).await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        // A busy database returns 503, which ends no session.
        if status != 503 {
            return (status, body["data"]["refresh_token"].as_str().unwrap_or_default().to_owned());
        }
    }
}

/// Sends all requests concurrently. Returns the responses in the order of the tokens.
async fn all_at_once(app: &TestApp, tokens: impl IntoIterator<Item = String>) -> Vec<(u16, String)> {
    let mut calls = JoinSet::new();
    for (n, token) in tokens.into_iter().enumerate() {
        let router = app.router.clone();
        calls.spawn(async move { (n, refresh(router, token).await) });
    }
    let mut answers = calls.join_all().await;
    answers.sort_unstable_by_key(|(n, _)| *n);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// Starts a number of sessions of the user, without the password. Returns the first tokens.
async fn sign_ins(app: &TestApp, user: domain::ids::UserId) -> Vec<String> {
    let now = app.clock.now();
    let mut tx = app.app.db.begin().await.unwrap();
    let mut tokens = Vec::new();
    for _ in 0..SIGN_INS {
        let first = RefreshToken::new(app.app.random.bytes());
        let new = NewSession {
            id: SessionId::new(now, app.app.random.bytes()),
            user,
            remembered: true,
            expires_at: now + chrono::TimeDelta::days(30),
            method: Method::Password,
            client: Client::default(),
        };
        store::session::start(&mut tx, &new, &first, now).await.unwrap();
        tokens.push(first.expose());
    }
    tx.commit().await.unwrap();
    tokens
}

// spec: 10.7.30
async fn concurrent_refreshes_succeed_and_stolen_tokens_are_detected(app: TestApp) {
    let rounds: usize = std::env::var("SOONER_STORM_ROUNDS").map_or(2, |n| n.parse().unwrap());
    let person = app.person("tabs").await;
    let mut newest = sign_ins(&app, person.id).await;
    let mut stolen = newest.clone();
    let (mut refreshes, mut revoked) = (0_usize, 0_usize);
    for _ in 0..rounds {
        let every_tab = newest.iter().flat_map(|t| std::iter::repeat_n(t.clone(), TABS));
        let answers = all_at_once(&app, every_tab).await;
        refreshes += answers.len();
        revoked += answers.iter().filter(|(status, _)| *status != 200).count();
        for tabs in answers.chunks(TABS) {
            assert!(tabs.iter().all(|(_, token)| *token == tabs[0].1), "all tabs get the same token");
        }
        // One tab's response was lost. It repeats the request while another tab continues with the
        // new token.
        let got: Vec<String> = answers.chunks(TABS).map(|tabs| tabs[0].1.clone()).collect();
        let again = newest.iter().zip(&got).flat_map(|(old, new)| [old.clone(), new.clone()]);
        let second = all_at_once(&app, again).await;
        refreshes += second.len();
        revoked += second.iter().filter(|(status, _)| *status != 200).count();
        newest = second.chunks(2).map(|pair| pair[1].1.clone()).collect();
        app.wait(600);
    }
    assert_eq!(revoked, 0, "{refreshes} refreshes were made");

    // Half of the thieves use an old token. The others use a current token while its owner is away,
    // and then the owner uses the same token.
    let asleep: Vec<String> = newest[SIGN_INS / 2..].to_vec();
    let taken = all_at_once(&app, asleep.clone()).await;
    let ahead = all_at_once(&app, taken.into_iter().map(|(_, token)| token)).await;
    assert!(ahead.iter().all(|(status, _)| *status == 200));
    stolen.splice(SIGN_INS / 2.., asleep);
    newest.splice(SIGN_INS / 2.., ahead.into_iter().map(|(_, token)| token));
    app.wait(11);
    app.mails().await;
    let replays = all_at_once(&app, stolen).await;
    let after = all_at_once(&app, newest).await;
    let noticed = replays.iter().zip(&after).filter(|(old, new)| (old.0, new.0) == (401, 401)).count();
    assert_eq!(noticed, SIGN_INS);
    let mails = app.mails().await;
    assert_eq!(mails.iter().filter(|(kind, ..)| kind == "session_revoked").count(), SIGN_INS);
    println!(
        "{rounds} rounds: {refreshes} refreshes, {revoked} false revocations; {noticed} of {SIGN_INS} replays noticed"
    );
}
