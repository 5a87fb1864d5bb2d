//! The server in virtual time, called without sockets. Mails stay in the outbox.

use std::sync::atomic::{AtomicU32, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode};
use chrono::{DateTime, TimeDelta};
use clap::Parser;
use domain::clock::ManualClock;
use domain::ids::{TopupCodeId, UserId};
use domain::money::Money;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use server::AppState;
use server::config::Settings;
use server::run::{Ambient, StartError};
use sqlx::{Connection as _, Executor as _};
use store::Random;
use store::keyring::KeyRing;
use store::topup_code::Code;
use tower::ServiceExt as _;

/// Password that the password rules accept.
pub const PASSWORD: &str = "Kestrel-41!";

/// A server without users.
pub struct TestApp {
    pub app: AppState,
    pub router: Router,
    pub clock: ManualClock,
    _folder: tempfile::TempDir,
}

/// Response of the server.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
}

/// A signed-in user.
#[derive(Clone, Debug)]
pub struct Person {
    pub email: String,
    pub access: String,
    pub refresh: String,
    pub id: UserId,
}

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    settings: Settings,
}

pub async fn sqlite() -> TestApp {
    sqlite_at(clock(), NOWHERE.to_owned()).await
}

pub async fn postgres() -> TestApp {
    postgres_at(clock(), NOWHERE.to_owned()).await
}

/// Address of a portal that does not respond.
pub const NOWHERE: &str = "http://127.0.0.1:1";

fn clock() -> ManualClock {
    ManualClock::new(DateTime::from_timestamp(1_795_000_000, 0).unwrap())
}

/// Starts a server on SQLite, with the portal of the story.
pub async fn sqlite_at(clock: ManualClock, portal_url: String) -> TestApp {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("sooner.db").display());
    build(url, folder, clock, portal_url).await
}

/// Starts a server on PostgreSQL, with the portal of the story.
pub async fn postgres_at(clock: ManualClock, portal_url: String) -> TestApp {
    build(postgres_url().await, tempfile::tempdir().unwrap(), clock, portal_url).await
}

/// Returns the PostgreSQL server in `SOONER_TEST_POSTGRES`. Without the variable the story fails,
/// because a skipped check must not look like a passed one.
pub fn postgres_server() -> String {
    let server = std::env::var("SOONER_TEST_POSTGRES").unwrap_or_default();
    assert!(
        !server.is_empty(),
        "SOONER_TEST_POSTGRES names no PostgreSQL server: run through scripts/with-postgres.sh"
    );
    server
}

/// Creates an empty PostgreSQL database for one story, and returns its address.
pub async fn postgres_url() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let server = postgres_server();
    let name = format!("server_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let mut connection = sqlx::PgConnection::connect(&server).await.unwrap();
    for sql in [format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"), format!("CREATE DATABASE {name}")] {
        connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql))).await.unwrap();
    }
    let (base, _) = server.rsplit_once('/').unwrap();
    format!("{base}/{name}")
}

async fn build(
    database_url: String,
    folder: tempfile::TempDir,
    clock: ManualClock,
    portal_url: String,
) -> TestApp {
    let ring = KeyRing::generate(&Random::seeded(5));
    over(database_url, folder, clock, portal_url, ring).await
}

/// Starts a server on an existing database, with the key ring of that database.
pub async fn over(
    database_url: String,
    folder: tempfile::TempDir,
    clock: ManualClock,
    portal_url: String,
    ring: KeyRing,
) -> TestApp {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut settings = Arguments::parse_from(["test"]).settings;
    settings.database_url = database_url;
    settings.public_url = "https://sooner.example.com".to_owned();
    settings.smtp_url = Some("smtp://127.0.0.1:1".to_owned());
    settings.portal_url = portal_url;
    settings.mails_per_minute = 1000;
    settings.rate = portal::Rate::UNLIMITED;
    settings.verifications = server::http::rate_limit::UNLIMITED_VERIFICATIONS;
    let ambient = Ambient { wall: clock.clock(), random: Random::seeded(5) };
    let app = server::run::assemble(settings, ring, ambient).await.unwrap();
    let mut tx = app.db.begin().await.unwrap();
    store::audit::make_up_time(&mut tx, None).await.unwrap();
    tx.commit().await.unwrap();
    TestApp { router: server::router(app.clone()), app, clock, _folder: folder }
}

impl TestApp {
    /// Enables sign-in at the sandbox's identity provider.
    pub fn with_google(mut self, there: &sandbox::Ready) -> Self {
        let config = providers::oidc::Config {
            issuer: there.identity_issuer.clone(),
            client_id: there.identity_client_id.clone(),
            client_secret: there.identity_client_secret.clone().into(),
            redirect_uri: format!("{}/api/v1/auth/google/callback", self.app.settings.public_url),
            timeout: std::time::Duration::from_secs(8),
        };
        let provider = providers::oidc::Provider::new(config, self.clock.clock()).unwrap();
        self.app.google = Some(std::sync::Arc::new(provider));
        let mut settings = Settings::clone(&self.app.settings);
        // In stories, the provider runs the mailboxes of this host.
        settings.google_mail_hosts = vec!["example.com".to_owned()];
        self.app.settings = std::sync::Arc::new(settings);
        self.router = server::router(self.app.clone());
        self
    }

    /// Starts another server on the same database with changed settings. Returns the error if it
    /// does not start.
    pub async fn restarted(self, change: impl FnOnce(&mut Settings)) -> Result<Self, StartError> {
        let mut settings = Settings::clone(&self.app.settings);
        change(&mut settings);
        let Self { app, router, clock, _folder } = self;
        let ambient = Ambient { wall: clock.clock(), random: Random::seeded(6) };
        store::Db::close_all(&[&app.engine.context().db, &app.background, &app.db]).await;
        drop((app, router));
        let app = server::run::assemble(settings, KeyRing::generate(&Random::seeded(5)), ambient).await?;
        Ok(Self { router: server::router(app.clone()), app, clock, _folder })
    }

    /// Changes settings that need no restart.
    pub fn with_settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::clone(&self.app.settings);
        change(&mut settings);
        self.app.settings = std::sync::Arc::new(settings);
        self.router = server::router(self.app.clone());
        self
    }

    /// Enables the limits of verifications, as in production.
    pub fn with_verification_limits(self) -> Self {
        self.with_settings(|settings| settings.verifications = server::http::rate_limit::VERIFICATIONS)
    }

    /// Changes the public address of the server.
    pub fn reached_at(self, site: &str) -> Self {
        self.with_settings(|settings| settings.public_url = site.to_owned())
    }

    /// Enables every notification channel, at the sandbox's providers.
    pub fn with_channels(mut self, there: &sandbox::Ready) -> Self {
        let mut settings = Settings::clone(&self.app.settings);
        settings.channels = settings.channels.at_sandbox(there);
        let config = settings.channels.config().unwrap().with_reports_to(&settings.public_url);
        let channels = providers::channels::Channels::new(config, self.clock.clock()).unwrap();
        self.app.channels = std::sync::Arc::new(channels);
        self.app.settings = std::sync::Arc::new(settings);
        self.router = server::router(self.app.clone());
        self
    }

    /// Enables text messages with a daily budget in cents.
    pub fn with_sms_day_cents(self, most: u32) -> Self {
        self.with_settings(|settings| settings.channels.sms_day_cents = most)
    }

    /// Sets the recipients of alarms.
    pub fn with_alarms_to(self, addresses: &[&str]) -> Self {
        self.with_settings(|settings| settings.alarm_to = addresses.iter().map(ToString::to_string).collect())
    }

    /// Enables card payments at the sandbox's card provider.
    pub fn with_cards(mut self, there: &sandbox::Ready) -> Self {
        let mut settings = Settings::clone(&self.app.settings);
        settings.card_secret_key = Some(there.card_secret_key.clone());
        settings.card_publishable_key = Some(there.card_publishable_key.clone());
        settings.card_methods = "card,alipay,wechat_pay".to_owned();
        settings.card_webhook_secret = Some(there.card_webhook_secret.clone());
        settings.card_api_url = there.card_api_url.clone();
        settings.card_js_url = there.card_js_url.clone();
        self.app.cards = server::card::Cards::new(&settings).unwrap();
        self.router = server::router(self.app.clone());
        self
    }

    /// Does the same as [`Self::with_cards`], with the payment page on a separate origin.
    pub fn with_card_origin(mut self, there: &sandbox::Ready, origin: &str) -> Self {
        let mut settings = Settings::clone(&self.app.settings);
        settings.card_origin = Some(origin.to_owned());
        self.app.settings = std::sync::Arc::new(settings);
        self.with_cards(there)
    }

    /// Sends a request to the server.
    pub async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        // A body that is not JSON becomes a text value.
        let text = || String::from_utf8(bytes.to_vec()).map_or(Value::Null, Value::String);
        let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| text());
        let reply = Reply { status, headers, body };
        assert!(!reply.status.is_server_error() || matches!(reply.status.as_u16(), 502 | 503), "{reply:?}");
        reply
    }

    /// Calls the API with a JSON body.
    pub async fn call(
        &self,
        method: &str,
        path: &str,
        person: Option<&Person>,
        body: Option<Value>,
    ) -> Reply {
        self.send(request(method, path, person, body)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Reply {
        self.call("POST", path, None, Some(body)).await
    }

    pub async fn get(&self, path: &str, person: &Person) -> Reply {
        self.call("GET", path, Some(person), None).await
    }

    pub fn wait(&self, seconds: i64) {
        self.clock.advance(TimeDelta::seconds(seconds));
    }

    /// Processes the mail requests. Removes all mails from the outbox and returns them as
    /// `(template, recipient, data)`.
    pub async fn mails(&self) -> Vec<(String, String, Value)> {
        server::workers::mail_requests::resolve_due(&self.app).await.unwrap();
        let mut tx = self.app.db.begin().await.unwrap();
        let now = self.clock.now();
        let mails = store::outbox::claim(&mut tx, "test", 1000, TimeDelta::days(999), now).await.unwrap();
        let mut sent = Vec::new();
        for mail in mails {
            let site = &self.app.settings.public_url;
            let data = engine::delivery::with_link(&mail.data, &self.app.keyring, site);
            assert!(store::outbox::delivered(&mut tx, &mail, now).await.unwrap());
            providers::render(&mail.template, &mail.language, &data, "x").unwrap();
            sent.push((mail.template, mail.recipient, data));
        }
        tx.commit().await.unwrap();
        sent
    }

    pub async fn register(&self, email: &str) -> Reply {
        self.post("/auth/register", json!({ "username": email, "email": email, "password": PASSWORD })).await
    }

    pub async fn login(&self, email: &str, password: &str) -> Reply {
        self.post("/auth/login", json!({ "username": email, "password": password })).await
    }

    /// Registers, verifies and signs in a user. The sign-in is so old that it does not count as a
    /// step-up.
    pub async fn person(&self, name: &str) -> Person {
        let email = format!("{name}@example.com");
        let registered = self.register(&email).await;
        assert_eq!(registered.status, 200);
        let token = link_token(&self.mails().await);
        let verified = self.open_link(&token, Some(&registered.cookie())).await;
        assert_eq!(verified.data()["outcome"], "verified");
        self.signed_in_long_ago(&email).await
    }

    /// Signs in with the password. The sign-in is so old that it does not count as a step-up.
    pub async fn signed_in_long_ago(&self, email: &str) -> Person {
        let reply = self.login(email, PASSWORD).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let (person, now) = (self.signed_in(email, &reply), self.clock.now());
        let session = self.app.access.read(&person.access, now).unwrap().session;
        let mut tx = self.app.db.begin().await.unwrap();
        store::session::step_up(&mut tx, session, now - TimeDelta::hours(1)).await.unwrap();
        tx.commit().await.unwrap();
        person
    }

    /// Records a step-up for the session of this user.
    pub async fn proves(&self, person: &Person) {
        let now = self.clock.now();
        let session = self.app.access.read(&person.access, now).unwrap().session;
        let mut tx = self.app.db.begin().await.unwrap();
        store::session::step_up(&mut tx, session, now).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Presses the button on the page of a mailed link, in a browser with the given pre-session
    /// cookie.
    pub async fn open_link(&self, token: &str, cookie: Option<&str>) -> Reply {
        let mut call = request("GET", &format!("/auth/verify-email?token={token}"), None, None);
        call.headers_mut().insert("sec-fetch-site", HeaderValue::from_static("same-origin"));
        if let Some(cookie) = cookie {
            call.headers_mut().insert("cookie", format!("__Host-sooner_pre={cookie}").parse().unwrap());
        }
        self.send(call).await
    }

    pub fn signed_in(&self, email: &str, reply: &Reply) -> Person {
        let data = reply.data();
        Person {
            email: email.to_owned(),
            access: data["access_token"].as_str().unwrap().to_owned(),
            refresh: data["refresh_token"].as_str().unwrap().to_owned(),
            id: data["user"]["id"].as_str().unwrap().parse().unwrap(),
        }
    }

    /// Returns a new top-up code that is valid for an hour.
    pub async fn code(&self, cents: i64) -> String {
        let now = self.clock.now();
        let (id, code) = (TopupCodeId::new(now, self.app.random.bytes()), Code::generate(&self.app.random));
        let mut tx = self.app.db.begin().await.unwrap();
        let span = (now, now + TimeDelta::hours(1));
        let ring = &self.app.keyring;
        store::topup_code::mint(&mut tx, ring, (id, &code), Money::cad(cents), None, span).await.unwrap();
        tx.commit().await.unwrap();
        code.expose().to_owned()
    }

    pub async fn books_balance(&self) {
        let mut tx = self.app.db.read().await.unwrap();
        assert_eq!(store::ledger::check(&mut tx).await.unwrap(), []);
    }
}

impl Reply {
    pub fn data(&self) -> &Value {
        assert_eq!(self.body["success"], true, "{self:?}");
        assert_eq!(self.body["error"], Value::Null);
        &self.body["data"]
    }

    /// Returns the value of the pre-session cookie that a response sets.
    pub fn cookie(&self) -> String {
        let (pair, _) = self.headers["set-cookie"].to_str().unwrap().split_once(';').unwrap();
        pair.strip_prefix("__Host-sooner_pre=").unwrap().to_owned()
    }

    /// Returns the status and the code of an error response.
    pub fn error(&self) -> (u16, &str) {
        assert_eq!(self.body["success"], false, "{self:?}");
        (self.status.as_u16(), self.body["error"]["code"].as_str().unwrap())
    }
}

pub fn request(method: &str, path: &str, person: Option<&Person>, body: Option<Value>) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(format!("/api/v1{path}"));
    if let Some(person) = person {
        request = request.header("authorization", format!("Bearer {}", person.access));
    }
    match body {
        Some(body) => {
            let request = request.header("content-type", "application/json");
            request.body(Body::from(body.to_string())).unwrap()
        }
        None => request.body(Body::empty()).unwrap(),
    }
}

/// Returns the token of the verification link in the last mail.
pub fn link_token(mails: &[(String, String, Value)]) -> String {
    token_of(mails, "verify_email", "verify-email")
}

/// Returns the token of the link in the last mail of a template. `page` is the path of the link
/// below `/auth`.
pub fn token_of(mails: &[(String, String, Value)], template: &str, page: &str) -> String {
    let last = mails.iter().rfind(|(kind, ..)| kind == template);
    let (_, _, data) = last.unwrap_or_else(|| panic!("no {template} among {mails:?}"));
    let link = data["link"].as_str().unwrap();
    let token = link.strip_prefix(&format!("https://sooner.example.com/auth/{page}?token="));
    token.unwrap_or_else(|| panic!("{link}")).to_owned()
}
