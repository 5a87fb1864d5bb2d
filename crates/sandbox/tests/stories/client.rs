//! Minimal portal client with one cookie, one token and string searches. It shares no code with the
//! product's client.

use chrono::{DateTime, Utc};
use reqwest::{Method, RequestBuilder, Response, StatusCode, header, redirect::Policy};
use sandbox::{Clock, ManualClock, Options, Sandbox, world::NewAccount};
use serde_json::{Value, json};

/// Returns the start time of the tests: a Wednesday, 22:00 in Toronto, outside of all restricted
/// hours.
pub fn start_of_story() -> DateTime<Utc> {
    "2026-11-19T03:00:00Z".parse().unwrap()
}

pub async fn quiet(scenario: &str) -> (Sandbox, ManualClock) {
    let hands = ManualClock::new(start_of_story());
    let options = Options {
        scenario: scenario.to_owned(),
        seed: 7,
        clock: Clock::Manual(hands.clone()),
        ..Options::default()
    };
    (sandbox::start(options).await.unwrap(), hands)
}

/// Starts a world with the account `ann@example.com` and these groups. Returns the sandbox, its
/// clock and the first group's number.
pub async fn with_groups(groups: Value) -> (Sandbox, ManualClock, u64) {
    let (sandbox, hands) = quiet("empty").await;
    let account: NewAccount =
        serde_json::from_value(json!({"username": "ann@example.com", "password": "pw", "groups": groups}))
            .unwrap();
    let ids = sandbox.with_world(|w| w.add_account(account));
    (sandbox, hands, ids.first().copied().unwrap_or_default())
}

pub async fn booked_in_toronto() -> (Sandbox, ManualClock, u64) {
    with_groups(json!([{"appointment": {"facility": 94, "date": "2027-08-02", "time": "08:15"}}])).await
}

pub fn slot(sandbox: &Sandbox, facility: u32, date: &str, time: &str) -> u64 {
    let slot = serde_json::from_value(json!({"facility": facility, "date": date, "time": time})).unwrap();
    sandbox.with_world(|w| w.add_slot(slot))
}

pub fn fault(sandbox: &Sandbox, fault: Value) -> u64 {
    let fault = serde_json::from_value(fault).unwrap();
    sandbox.with_world(|w| w.add_fault(fault))
}

/// Returns the date of the group's appointment in the world, independently of any page.
pub fn holds(sandbox: &Sandbox, id: u64) -> Option<String> {
    sandbox.with_world(|w| {
        w.groups[&id]
            .appointment
            .as_ref()
            .map(|a| format!("{} {} {}", a.facility, a.date, a.time.format("%H:%M")))
    })
}

/// Returns the effects of all requests of one kind, oldest first.
pub fn effects(sandbox: &Sandbox, kind: &str) -> Vec<Value> {
    sandbox.with_world(|w| {
        w.journal
            .after(0)
            .iter()
            .filter(|e| e.kind == kind)
            .map(|e| serde_json::to_value(&e.effect).unwrap())
            .collect()
    })
}

pub struct Client {
    http: reqwest::Client,
    pub base: String,
    pub cookie: String,
    pub token: String,
}

pub struct Page {
    pub status: StatusCode,
    pub location: String,
    pub body: String,
    pub headers: header::HeaderMap,
}

impl Page {
    pub fn has(&self, words: &str) -> bool {
        self.body.contains(words)
    }
}

impl Client {
    pub fn new(sandbox: &Sandbox) -> Self {
        Self::at(sandbox, "/en-ca/niv")
    }

    pub fn at(sandbox: &Sandbox, tree: &str) -> Self {
        let _ = rustls_ring();
        let http = reqwest::Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
        Self {
            http,
            base: format!("{}{tree}", sandbox.portal_url()),
            cookie: String::new(),
            token: String::new(),
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = if path.starts_with('/') && path.contains("/niv/") {
            origin(&self.base) + path
        } else {
            format!("{}{path}", self.base)
        };
        let request = self.http.request(method, url);
        if self.cookie.is_empty() {
            request
        } else {
            request.header("Cookie", format!("_yatri_session={}", self.cookie))
        }
    }

    pub async fn take(&mut self, response: Response) -> Page {
        let headers = response.headers().clone();
        if let Some(value) = headers.get("set-cookie").and_then(|v| v.to_str().ok()) {
            self.cookie = value.split(';').next().unwrap().trim_start_matches("_yatri_session=").to_owned();
        }
        let location = headers.get("location").and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
        let status = response.status();
        let body = response.text().await.unwrap();
        if let Some(token) = between(&body, "name=\"csrf-token\" content=\"", "\"") {
            self.token = token;
        }
        Page { status, location, body, headers }
    }

    pub async fn get(&mut self, path: &str) -> Page {
        let response = self.request(Method::GET, path).send().await.unwrap();
        self.take(response).await
    }

    pub async fn json(&mut self, path: &str) -> Page {
        let request = self
            .request(Method::GET, path)
            .header("X-Requested-With", "XMLHttpRequest")
            .header("Accept", "application/json");
        let response = request.send().await.unwrap();
        self.take(response).await
    }

    pub async fn days(&mut self, id: u64, facility: u32) -> Value {
        let page = self
            .json(&format!("/schedule/{id}/appointment/days/{facility}.json?appointments[expedite]=false"))
            .await;
        assert_eq!(page.status, 200);
        serde_json::from_str(&page.body).unwrap()
    }

    pub async fn times(&mut self, id: u64, facility: u32, date: &str) -> Value {
        let page = self
            .json(&format!(
                "/schedule/{id}/appointment/times/{facility}.json?date={date}&appointments[expedite]=false"
            ))
            .await;
        assert_eq!(page.status, 200);
        serde_json::from_str(&page.body).unwrap()
    }

    pub async fn sign_in(&mut self, username: &str, password: &str) -> Page {
        self.get("/users/sign_in").await;
        let form = [
            ("utf8", "✓"),
            ("user[email]", username),
            ("user[password]", password),
            ("policy_confirmed", "1"),
            ("commit", "Sign In"),
        ];
        let request = self
            .request(Method::POST, "/users/sign_in")
            .header("X-CSRF-Token", &self.token)
            .header("Accept", "*/*")
            .form(&form);
        let response = request.send().await.unwrap();
        self.take(response).await
    }

    /// Signs in as Ann and follows the redirects to the groups page.
    pub async fn home(&mut self) -> Page {
        let answer = self.sign_in("ann@example.com", "pw").await;
        assert!(answer.has("window.location"), "{}", answer.body);
        let home = self.get("/account").await;
        self.get(&home.location).await
    }

    pub fn booking(&self, id: u64, facility: u32, date: &str, time: &str) -> RequestBuilder {
        let facility = facility.to_string();
        self.request(Method::POST, &format!("/schedule/{id}/appointment")).form(&[
            ("authenticity_token", self.token.as_str()),
            ("confirmed_limit_message", "1"),
            ("use_consulate_appointment_capacity", "true"),
            ("appointments[consulate_appointment][facility_id]", &facility),
            ("appointments[consulate_appointment][date]", date),
            ("appointments[consulate_appointment][time]", time),
            ("appointments[asc_appointment][facility_id]", ""),
            ("commit", "Reschedule"),
        ])
    }

    /// Sends a booking POST and follows the redirect to the instructions page.
    pub async fn book(&mut self, id: u64, facility: u32, date: &str, time: &str) -> Page {
        let response = self.booking(id, facility, date, time).send().await.unwrap();
        let answer = self.take(response).await;
        if answer.status != 302 {
            return answer;
        }
        let next = self.get(&answer.location).await;
        if next.status == 302 { self.get(&next.location.clone()).await } else { next }
    }

    /// Requests the dates of one facility and books the first time, without the checks that the
    /// product makes.
    pub async fn try_to_book_anything(
        &mut self,
        username: &str,
        password: &str,
        id: u64,
        facility: u32,
    ) -> Option<()> {
        let list = format!("/schedule/{id}/appointment/days/{facility}.json");
        if self.try_json(&list).await.is_none() {
            let page = self.request(Method::GET, "/users/sign_in").send().await.ok()?;
            self.try_take(page).await?;
            let form = [("user[email]", username), ("user[password]", password), ("policy_confirmed", "1")];
            let request = self
                .request(Method::POST, "/users/sign_in")
                .header("X-CSRF-Token", &self.token)
                .header("Accept", "*/*")
                .form(&form);
            let answer = request.send().await.ok()?;
            self.try_take(answer).await?;
        }
        let days = self.try_json(&list).await?;
        let date = days.as_array()?.first()?["date"].as_str()?.to_owned();
        let times =
            self.try_json(&format!("/schedule/{id}/appointment/times/{facility}.json?date={date}")).await?;
        let time = times["available_times"].as_array()?.first()?.as_str()?.to_owned();
        let page =
            self.request(Method::GET, &format!("/schedule/{id}/continue_actions")).send().await.ok()?;
        self.try_take(page).await?;
        let answer = self.booking(id, facility, &date, &time).send().await.ok()?;
        self.try_take(answer).await
    }

    async fn try_json(&mut self, path: &str) -> Option<Value> {
        let request = self
            .request(Method::GET, path)
            .header("X-Requested-With", "XMLHttpRequest")
            .header("Accept", "application/json");
        let answer = request.send().await.ok()?;
        if answer.status() == 200 { answer.json().await.ok() } else { None }
    }

    async fn try_take(&mut self, response: Response) -> Option<()> {
        if let Some(value) = response.headers().get("set-cookie").and_then(|v| v.to_str().ok()) {
            self.cookie = value.split(';').next()?.trim_start_matches("_yatri_session=").to_owned();
        }
        let body = response.text().await.ok()?;
        if let Some(token) = between(&body, "name=\"csrf-token\" content=\"", "\"") {
            self.token = token;
        }
        Some(())
    }
}

fn origin(base: &str) -> String {
    base.splitn(4, '/').take(3).collect::<Vec<_>>().join("/")
}

pub fn rustls_ring() -> bool {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    true
}

pub fn between(text: &str, before: &str, after: &str) -> Option<String> {
    let from = text.find(before)? + before.len();
    let length = text[from..].find(after)?;
    Some(text[from..from + length].to_owned())
}
