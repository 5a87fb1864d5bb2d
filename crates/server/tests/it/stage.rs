//! The server with a sandbox portal; both use one virtual clock.

use std::ops::Deref;
use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use chrono::{NaiveTime, TimeDelta};
use domain::clock::ManualClock;
use sandbox::Sandbox;
use sandbox::world::accounts::Appointment;
use sandbox::world::faults::{FaultKind, InjectedFault};
use sandbox::world::slots::NewSlot;
use sandbox::world::{NewAccount, NewGroup};
use serde_json::{Value, json};
use server::config::Settings;
use server::run::StartError;

use crate::app::{self, Person, Reply, TestApp, request};

/// Password of every portal account.
pub const PORTAL_PASSWORD: &str = "Maple-2026";
pub const TORONTO: u16 = 94;

pub struct Stage {
    app: TestApp,
    pub sandbox: Sandbox,
}

impl Deref for Stage {
    type Target = TestApp;
    fn deref(&self) -> &TestApp {
        &self.app
    }
}

/// Returns a clock at 19:30 in Toronto, which is outside of the restricted hours.
fn clock() -> ManualClock {
    ManualClock::new("2026-11-25T00:30:00Z".parse().unwrap())
}

async fn portal(clock: &ManualClock) -> Sandbox {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let clock = clock.clone();
    let options = sandbox::Options {
        scenario: "empty".to_owned(),
        clock: sandbox::Clock::Custom(Arc::new(move || clock.now())),
        ..sandbox::Options::default()
    };
    sandbox::start(options).await.unwrap()
}

pub async fn sqlite() -> Stage {
    let clock = clock();
    let sandbox = portal(&clock).await;
    let app = app::sqlite_at(clock, sandbox.portal_url())
        .await
        .with_google(&sandbox.ready())
        .with_cards(&sandbox.ready())
        .with_channels(&sandbox.ready());
    Stage { app, sandbox }
}

/// Starts a stage on PostgreSQL.
pub async fn postgres() -> Stage {
    let clock = clock();
    let sandbox = portal(&clock).await;
    let app = app::postgres_at(clock, sandbox.portal_url())
        .await
        .with_google(&sandbox.ready())
        .with_cards(&sandbox.ready())
        .with_channels(&sandbox.ready());
    Stage { app, sandbox }
}

pub fn at(facility: u16, date: &str, time: &str) -> Appointment {
    let time = NaiveTime::parse_from_str(time, "%H:%M").unwrap();
    Appointment { facility: facility.into(), date: date.parse().unwrap(), time }
}

/// Returns search parameters that accept any date from December to May, in Toronto or Ottawa.
pub fn params() -> Value {
    json!({
        "start_date": "2026-12-01",
        "end_date": "2027-05-31",
        "required_cities": ["Toronto", "Ottawa"],
        "excluded_dates": [],
        "minimum_days_from_current": 0,
    })
}

/// Returns the body of a configure request for the group `number`.
pub fn configuration(id: &str, number: u64) -> Value {
    json!({
        "schedule_id": id,
        "selected_appointments": [{ "schedule_id": number.to_string() }],
        "search_params": params(),
    })
}

impl Stage {
    /// Starts another server on the same database with changed settings. Returns the error if it
    /// does not start.
    pub async fn restarted(self, change: impl FnOnce(&mut Settings)) -> Result<Self, StartError> {
        let Self { app, sandbox } = self;
        let there = sandbox.ready();
        let app = app.restarted(change).await?.with_google(&there).with_cards(&there).with_channels(&there);
        Ok(Self { app, sandbox })
    }

    /// Enables the limits of verifications, as in production.
    pub fn with_verification_limits(self) -> Self {
        Self { app: self.app.with_verification_limits(), ..self }
    }

    /// Moves the payment page to a separate origin.
    pub fn with_card_origin(self, origin: &str) -> Self {
        let there = self.sandbox.ready();
        Self { app: self.app.with_card_origin(&there, origin), ..self }
    }

    /// Changes the public address of the server to one that providers can call.
    pub fn reached_at(self, site: &str) -> Self {
        let app = self.app.reached_at(site).with_channels(&self.sandbox.ready());
        Self { app, ..self }
    }

    /// Enables text messages with a daily budget in cents.
    pub fn with_sms_day_cents(self, most: u32) -> Self {
        Self { app: self.app.with_sms_day_cents(most), ..self }
    }

    /// Sets the recipients of alarms.
    pub fn with_alarms_to(self, addresses: &[&str]) -> Self {
        Self { app: self.app.with_alarms_to(addresses), ..self }
    }

    /// Adds a portal account with these groups. Returns their numbers at the portal.
    pub fn portal(&self, name: &str, groups: Vec<NewGroup>) -> Vec<u64> {
        let account = NewAccount {
            username: format!("{name}@example.com"),
            password: PORTAL_PASSWORD.to_owned(),
            groups,
        };
        self.sandbox.with_world(|w| w.add_account(account))
    }

    /// Adds a portal account with one applicant who has an appointment in Toronto in August.
    pub fn booked(&self, name: &str) -> u64 {
        let appointment = Some(at(TORONTO, "2027-08-17", "08:15"));
        let applicants = vec![name.to_uppercase()];
        self.portal(name, vec![NewGroup { appointment, applicants, ..NewGroup::default() }])[0]
    }

    pub fn slot(&self, facility: u16, date: &str, time: &str) -> u64 {
        let place = at(facility, date, time);
        let new = NewSlot {
            pool: "B1/B2".to_owned(),
            facility: place.facility,
            date: place.date,
            time: place.time,
            lifetime_seconds: None,
            delay_seconds: None,
            max_party: 9,
            phantom: false,
        };
        self.sandbox.with_world(|w| w.add_slot(new))
    }

    pub fn fault(&self, kind: FaultKind) -> u64 {
        self.sandbox.with_world(|w| w.add_fault(InjectedFault::of(kind)))
    }

    /// Counts the requests of a kind to the portal.
    pub fn requests(&self, kind: &str) -> usize {
        self.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind == kind).count())
    }

    /// Creates a signed-in user with a balance in cents.
    pub async fn payer(&self, name: &str, cents: i64) -> Person {
        let person = self.person(name).await;
        if cents > 0 {
            let code = self.code(cents).await;
            self.ok("POST", "/topup/use", &person, json!({ "code": code })).await;
            self.mails().await;
        }
        person
    }

    /// Signs the same user in again, after the access token expired.
    pub async fn again(&self, person: &Person) -> Person {
        self.signed_in_long_ago(&person.email).await
    }

    /// Calls the API, which must succeed. Returns the data.
    pub async fn ok(&self, method: &str, path: &str, person: &Person, body: Value) -> Value {
        self.call(method, path, Some(person), Some(body)).await.data().clone()
    }

    /// Calls the API without a body.
    pub async fn plain(&self, method: &str, path: &str, person: &Person) -> Reply {
        self.call(method, path, Some(person), None).await
    }

    pub async fn verify(&self, person: &Person, name: &str, password: &str) -> Reply {
        let body = json!({ "username": format!("{name}@example.com"), "password": password });
        self.call("POST", "/schedules/verify-credentials", Some(person), Some(body)).await
    }

    /// Verifies a login, and returns the draft of the account's first group.
    pub async fn draft(&self, person: &Person, name: &str) -> String {
        let reply = self.verify(person, name, PORTAL_PASSWORD).await;
        reply.data()["schedules"][0]["id"].as_str().unwrap().to_owned()
    }

    pub async fn configured(&self, person: &Person, name: &str, number: u64) -> String {
        let id = self.draft(person, name).await;
        self.ok("POST", "/schedules/configure", person, configuration(&id, number)).await;
        id
    }

    pub async fn submitted(&self, person: &Person, name: &str) -> String {
        let number = self.booked(name);
        let id = self.configured(person, name, number).await;
        self.ok("POST", "/schedules/submit", person, json!({ "schedule_ids": [id] })).await;
        id
    }

    pub async fn status(&self, person: &Person, id: &str) -> Value {
        self.get(&format!("/schedules/{id}/status"), person).await.data()["schedule"].clone()
    }

    pub async fn credit(&self, person: &Person) -> (f64, f64) {
        let credit = self.get("/users/credit", person).await.data().clone();
        (credit["credit"].as_f64().unwrap(), credit["on_hold"].as_f64().unwrap())
    }

    /// Runs engine and portal for a span of virtual time, from event to event.
    pub async fn run_for(&self, span: TimeDelta) {
        let end = self.clock.now() + span;
        // The story may have changed rows since the last run.
        self.app.app.engine.nudge();
        loop {
            let due = self.app.app.engine.go_on().await;
            let now = self.clock.now();
            if now >= end {
                return;
            }
            self.clock.set(due.unwrap_or(end).clamp(now + TimeDelta::milliseconds(1), end));
        }
    }
}

/// Returns a request with a given content type and body.
pub fn raw(method: &str, path: &str, person: &Person, kind: Option<&str>, body: &[u8]) -> Request<Body> {
    let mut raw = request(method, path, Some(person), None);
    if let Some(kind) = kind {
        raw.headers_mut().insert("content-type", kind.parse().unwrap());
    }
    *raw.body_mut() = Body::from(body.to_vec());
    raw
}
