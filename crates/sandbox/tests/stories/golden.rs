//! Compares a Canadian world with recorded hashes of its pages, lists and events.

use std::fmt::Write;

use chrono::Duration;
use reqwest::Method;
use sandbox::{Sandbox, scenario::PASSWORD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::client::{Client, Page, quiet, rustls_ring};

/// One line per response: its name, status, target of a redirect, and hash of the body.
const RECORDED: &str = include_str!("golden.txt");

#[derive(Default)]
struct Recorder {
    lines: String,
}

impl Recorder {
    fn add(&mut self, name: &str, body: &[u8]) {
        let hash = Sha256::digest(body);
        let short: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        writeln!(self.lines, "{name} {short}").unwrap();
    }

    fn page(&mut self, name: &str, page: &Page) {
        let place = if page.location.is_empty() { String::new() } else { format!(" {}", page.location) };
        self.add(&format!("{name} {}{place}", page.status.as_u16()), page.body.as_bytes());
    }
}

// The hashes change with the markup of the pages. The test prints the new ones. Another country,
// and anything that only other countries need, must not change them.
#[tokio::test]
async fn a_canadian_world_is_the_same_to_the_byte() {
    let _ = rustls_ring();
    let mut recorder = Recorder::default();
    for scenario in ["demo", "hostile", "pool:3"] {
        let (sandbox, hands) = quiet(scenario).await;
        hands.advance(Duration::hours(2));
        record_world(&mut recorder, &sandbox, scenario).await;
    }
    let (sandbox, hands) = quiet("busy").await;
    hands.advance(Duration::hours(2));
    for tree in ["/en-ca/niv", "/fr-ca/niv", "/en-ca/iv"] {
        visit(&mut recorder, &sandbox, tree).await;
        hands.advance(Duration::minutes(7));
    }
    record_world(&mut recorder, &sandbox, "busy").await;
    assert!(recorder.lines == RECORDED, "the recorded hashes are different:\n{}", recorder.lines);
}

async fn record_world(recorder: &mut Recorder, sandbox: &Sandbox, scenario: &str) {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    for path in ["state", "bookings", "config", "slots"] {
        let url = format!("{}/control/{path}", sandbox.control_url());
        let body = http.get(url).send().await.unwrap().bytes().await.unwrap();
        recorder.add(&format!("{scenario} {path}"), &body);
    }
    let entries: Vec<Value> = sandbox.with_world(|w| {
        let entries = w.journal.after(0).iter().cloned();
        entries.map(|entry| json!(sandbox::journal::Entry { wall_time: None, ..entry })).collect()
    });
    recorder.add(&format!("{scenario} journal of {}", entries.len()), json!(entries).to_string().as_bytes());
}

/// Visits every page of the account with the most groups, books, and cancels.
async fn visit(recorder: &mut Recorder, sandbox: &Sandbox, tree: &str) {
    let accounts = sandbox.ready().accounts;
    let account = accounts.into_iter().find(|a| a.username == "wangjiaqi@example.com").unwrap();
    let (booked, unbooked) = (account.portal_schedule_ids[0], account.portal_schedule_ids[1]);
    let mut client = Client::at(sandbox, tree);
    for path in ["", "/users/sign_in", "/account"] {
        let page = client.get(path).await;
        recorder.page(&format!("{tree}{path}"), &page);
    }
    for password in ["wrong", PASSWORD] {
        let page = client.sign_in(&account.username, password).await;
        recorder.page(&format!("{tree} sign-in with {password}"), &page);
    }
    let home = client.get("/account").await.location;
    let page = client.get(home.trim_start_matches(tree)).await;
    recorder.page(&format!("{tree} groups"), &page);
    for id in &account.portal_schedule_ids {
        let person = sandbox.with_world(|w| w.groups[id].applicants[0].id);
        for path in [
            "/continue_actions".to_owned(),
            "/continue".to_owned(),
            "/payment".to_owned(),
            "/appointment".to_owned(),
            "/appointment?confirmed_limit_message=1&commit=Continue".to_owned(),
            "/appointment/instructions".to_owned(),
            format!("/applicants/{person}"),
        ] {
            let page = client.get(&format!("/schedule/{id}{path}")).await;
            recorder.page(&format!("{tree} {id}{path}"), &page);
        }
    }
    let mut last = None;
    for facility in 89..=96 {
        let days = client.days(unbooked, facility).await;
        recorder.add(&format!("{tree} days at {facility}"), days.to_string().as_bytes());
        let Some(date) = days[0]["date"].as_str() else { continue };
        let times = client.times(unbooked, facility, date).await;
        recorder.add(&format!("{tree} times at {facility}"), times.to_string().as_bytes());
        last = Some((facility, date.to_owned(), times["available_times"][0].as_str().unwrap().to_owned()));
    }
    let (facility, date, time) = last.expect("a busy world has dates");
    let path = format!("/schedule/{booked}/appointment?confirmed_limit_message=1&commit=Continue");
    client.get(&path).await;
    recorder.page(&format!("{tree} booking"), &book(&mut client, booked, facility, &date, &time).await);
    recorder.page(&format!("{tree} refusal"), &book(&mut client, booked, 13, &date, &time).await);
    cancel(&mut client, booked).await;
    let page = client.get("/account").await;
    recorder.page(&format!("{tree} after the cancellation"), &page);
    let page = client.get("/users/sign_out").await;
    recorder.page(&format!("{tree} sign-out"), &page);
}

async fn book(client: &mut Client, id: u64, facility: u32, date: &str, time: &str) -> Page {
    let response = client.booking(id, facility, date, time).send().await.unwrap();
    let answer = client.take(response).await;
    let path = format!("/schedule/{id}/appointment/instructions");
    assert!(answer.location.ends_with(&path) || answer.status == 200, "{}", answer.location);
    client.get(&path).await
}

async fn cancel(client: &mut Client, id: u64) {
    let delete = client.request(Method::POST, &format!("/schedule/{id}/appointment"));
    let delete = delete.form(&[("_method", "delete"), ("authenticity_token", client.token.as_str())]);
    let response = delete.send().await.unwrap();
    client.take(response).await;
}
