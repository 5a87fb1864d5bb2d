//! A simulated customer, who tops up, submits and deletes. The customer records every response, and
//! repeats unanswered requests with the same key.

use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use store::Random;

use crate::app::Person;
use crate::house::Stock;
use crate::tally::Purse;

/// Price of a task for one applicant, with the initial plan.
const PRICE: i64 = 5_00;

/// An operation that moves money.
#[derive(Clone, Debug)]
enum Deed {
    UseCode { code: String, cents: i64 },
    Submit { task: String },
    Delete { task: String },
}

/// An operation with its idempotency key.
#[derive(Clone, Debug)]
struct Order {
    deed: Deed,
    key: String,
}

/// Outcome of a request.
enum Outcome {
    /// The request was executed, by this call or an earlier one.
    Done(Value),
    /// There was no response, or it requested a repetition.
    Unknown,
}

/// A customer, with the balance that follows from the responses.
pub struct Customer {
    pub person: Person,
    pub random: Random,
    stock: Stock,
    running: Vec<String>,
    /// Balance that follows from the responses.
    pub purse: Purse,
    /// Request without a response; the server may have executed it.
    open: Option<Order>,
    /// Number of responses that reported success.
    pub told: usize,
    /// Number of missing responses.
    pub unanswered: usize,
    /// Number of responses that requested a repetition.
    pub refused: usize,
}

impl Customer {
    pub fn new(person: Person, stock: Stock, random: Random) -> Self {
        let (running, purse) = (Vec::new(), Purse::default());
        Self { person, random, stock, running, purse, open: None, told: 0, unanswered: 0, refused: 0 }
    }

    /// Sends operations until there is nothing left to spend. The future may be dropped at any
    /// time.
    pub async fn shop(&mut self, client: &Client, base: &str) {
        loop {
            if self.open.is_none() {
                self.open = self.next();
            }
            let Some(order) = self.open.clone() else { return };
            match self.send(client, base, &order).await {
                Outcome::Done(data) => {
                    self.open = None;
                    self.believe(order.deed, &data);
                }
                Outcome::Unknown => {
                    self.unanswered += 1;
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            }
        }
    }

    /// Repeats unanswered requests with the same key until their outcome is known.
    pub async fn settle(&mut self, client: &Client, base: &str) {
        self.unanswered += usize::from(self.open.is_some());
        for _ in 0..200 {
            let Some(order) = self.open.clone() else { return };
            if let Outcome::Done(data) = self.send(client, base, &order).await {
                self.open = None;
                self.believe(order.deed, &data);
            } else {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        panic!("promise 3: {:?} is never answered", self.open);
    }

    /// Returns the balance that the server reports; `None` while the server cannot respond.
    pub async fn asks_balance(&mut self, client: &Client, base: &str) -> Option<Purse> {
        let answer = self.call(client, (Method::GET, &format!("{base}/users/credit")), None, None).await?;
        let cents = |name: &str| (answer.1["data"][name].as_f64().unwrap() * 100.0).round() as i64;
        let held = cents("on_hold");
        Some(Purse { posted: cents("credit") + held, held })
    }

    fn next(&mut self) -> Option<Order> {
        let key = hex::encode(self.random.bytes::<12>());
        let choice = self.random.below(4);
        let deed = if choice == 0 && !self.running.is_empty() {
            Deed::Delete { task: self.running.swap_remove(0) }
        } else if choice <= 1 && self.purse.posted - self.purse.held >= PRICE && !self.stock.tasks.is_empty()
        {
            Deed::Submit { task: self.stock.tasks.pop()? }
        } else {
            let (code, cents) = self.stock.codes.pop()?;
            Deed::UseCode { code, cents }
        };
        Some(Order { deed, key })
    }

    async fn send(&mut self, client: &Client, base: &str, order: &Order) -> Outcome {
        let (method, path, body) = match &order.deed {
            Deed::UseCode { code, .. } => {
                (Method::POST, "/topup/use".to_owned(), Some(json!({ "code": code })))
            }
            Deed::Submit { task } => {
                (Method::POST, "/schedules/submit".to_owned(), Some(json!({ "schedule_ids": [task] })))
            }
            Deed::Delete { task } => (Method::DELETE, format!("/schedules/{task}"), None),
        };
        let url = format!("{base}{path}");
        let Some((status, answer)) = self.call(client, (method, &url), body, Some(&order.key)).await else {
            return Outcome::Unknown;
        };
        // The task was deleted, but the response was lost. A repeated deletion finds no task.
        let gone = matches!(order.deed, Deed::Delete { .. }) && status == StatusCode::NOT_FOUND;
        if gone || status.is_success() {
            return Outcome::Done(answer["data"].clone());
        }
        // A request with the same key is in progress, or the disk is full, so the request must be
        // repeated.
        let again =
            status == StatusCode::SERVICE_UNAVAILABLE || answer["error"]["code"] == "IDEMPOTENCY_IN_FLIGHT";
        assert!(again, "promise 3: {order:?} is answered {status} {answer}");
        self.refused += 1;
        Outcome::Unknown
    }

    /// Sends one request. Refreshes an expired access token once. Returns `None` without a complete
    /// response.
    async fn call(
        &mut self,
        client: &Client,
        (method, url): (Method, &str),
        body: Option<Value>,
        key: Option<&str>,
    ) -> Option<(StatusCode, Value)> {
        for _ in 0..2 {
            let mut request = client.request(method.clone(), url).bearer_auth(&self.person.access);
            if let Some(body) = &body {
                request = request.json(body);
            }
            if let Some(key) = key {
                request = request.header("idempotency-key", key);
            }
            let answer = request.send().await.ok()?;
            let status = answer.status();
            let body: Value = answer.json().await.ok()?;
            if status != StatusCode::UNAUTHORIZED {
                return Some((status, body));
            }
            let (base, _) = url.split_once("/api/v1").unwrap();
            let asked = json!({ "refresh_token": self.person.refresh });
            let answer = client.post(format!("{base}/api/v1/auth/refresh")).json(&asked).send().await.ok()?;
            let tokens: Value = answer.json().await.ok()?;
            self.person.access = tokens["data"]["access_token"].as_str()?.to_owned();
            self.person.refresh = tokens["data"]["refresh_token"].as_str()?.to_owned();
        }
        None
    }

    fn believe(&mut self, deed: Deed, data: &Value) {
        self.told += 1;
        match deed {
            Deed::UseCode { cents, .. } => {
                let told = (data["amount"].as_f64().unwrap() * 100.0).round() as i64;
                assert_eq!(told, cents, "promise 3: the value of a code changed");
                self.purse.posted += cents;
            }
            Deed::Submit { task } => {
                self.purse.held += PRICE;
                self.running.push(task);
            }
            Deed::Delete { .. } => self.purse.held -= PRICE,
        }
    }
}
