//! Signed messages to the merchant. Tests can have them duplicated, reordered, delayed, lost,
//! forged or outdated.

use std::{sync::Arc, time::Duration as Span};

use chrono::{DateTime, Duration, Utc};
use rand::{RngExt as _, seq::SliceRandom as _};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use super::WEBHOOK_SECRET;
use crate::{
    Shared,
    journal::{Effect, Entry},
    outgoing::{place, post},
    world::{
        clock::wall,
        dice::{Dice, Purpose},
    },
};

/// Seconds until a refused message is sent again, by the number of attempts.
const AGAIN_SECONDS: [i64; 6] = [1, 2, 5, 15, 60, 300];
/// Interval in which the sender looks for due messages.
const TICK: Span = Span::from_millis(40);

/// Rules for sending messages. `POST /control/card` changes single rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Address to which messages are sent. Without an address, messages wait until a test fetches
    /// them ([`crate::Sandbox::card_messages`], `GET /control/card/messages`).
    pub webhook_url: Option<String>,
    /// Minimum and maximum number of copies of each message.
    pub copies: (u32, u32),
    /// Minimum and maximum delay of each copy, in milliseconds. Copies can overtake each other.
    pub delay_ms: (u64, u64),
    /// Probability from 0 to 1 that a message is lost with all its copies.
    pub lost: f64,
    /// Probability from 0 to 1 of a forged additional copy, with another signing secret and a
    /// tenfold amount.
    pub forged: f64,
    /// Probability from 0 to 1 of an additional copy whose signature is an hour old.
    pub stale: f64,
}

impl Default for Rules {
    fn default() -> Self {
        Self { webhook_url: None, copies: (1, 1), delay_ms: (0, 0), lost: 0.0, forged: 0.0, stale: 0.0 }
    }
}

impl Rules {
    /// Returns `true` if all rules have permitted values.
    #[must_use]
    pub fn is_sane(&self) -> bool {
        let to_here = self.webhook_url.as_ref().is_none_or(|url| place(url).is_some());
        let chances = [self.lost, self.forged, self.stale];
        to_here
            && (1..=100).contains(&self.copies.0)
            && (self.copies.0..=100).contains(&self.copies.1)
            && self.delay_ms.0 <= self.delay_ms.1
            && self.delay_ms.1 <= 86_400_000
            && chances.iter().all(|chance| (0.0..=1.0).contains(chance))
    }
}

/// Kind of a copy's signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signed {
    /// Signed correctly at the time of sending.
    Well,
    /// Signed with another secret.
    Forged,
    /// Signed correctly, but dated one hour before the time of sending.
    Stale,
}

/// Copy of a message that was not accepted yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Copy {
    kind: String,
    intent: String,
    body: String,
    signed: Signed,
    due: DateTime<Utc>,
    tries: usize,
}

/// Message as the merchant receives it.
#[derive(Clone, Debug, Serialize)]
pub struct Message {
    /// Name of the event, e.g. `payment_intent.succeeded`.
    pub kind: String,
    /// Identifier of the payment that the message is about.
    pub intent: String,
    /// Body of the request.
    pub body: String,
    /// Value of the header `Stripe-Signature`.
    pub signature: String,
    /// Kind of the signature.
    pub signed: Signed,
}

/// Messages to the merchant, with counters.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Messages {
    /// The rules for sending.
    pub rules: Rules,
    /// Number of copies that the merchant accepted with a 2xx status.
    pub taken: u64,
    /// Number of refusals, that is responses with another status.
    pub refused: u64,
    /// Number of messages that were lost.
    pub lost: u64,
    waiting: Vec<Copy>,
}

impl Messages {
    /// Returns the number of copies that are not yet accepted.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn queue(
        &mut self,
        kind: &str,
        intent: &str,
        event: &Value,
        dice: &mut Dice,
        now: DateTime<Utc>,
    ) {
        let mut chance = dice.throw(Purpose::Bookings);
        let rules = &self.rules;
        if chance.random_bool(rules.lost) {
            self.lost += 1;
            return;
        }
        let copies = chance.random_range(rules.copies.0..=rules.copies.1);
        let mut all = vec![(event.to_string(), Signed::Well); copies as usize];
        if chance.random_bool(rules.forged) {
            all.push((inflated(event).to_string(), Signed::Forged));
        }
        if chance.random_bool(rules.stale) {
            all.push((event.to_string(), Signed::Stale));
        }
        for (body, signed) in all {
            let delay = chance.random_range(rules.delay_ms.0..=rules.delay_ms.1);
            let due = now + Duration::milliseconds(i64::try_from(delay).unwrap_or(0));
            let (kind, intent) = (kind.to_owned(), intent.to_owned());
            self.waiting.push(Copy { kind, intent, body, signed, due, tries: 0 });
        }
    }

    /// Removes and returns all waiting messages in random order, signed at `now`.
    pub(crate) fn drain(&mut self, dice: &mut Dice, now: DateTime<Utc>) -> Vec<Message> {
        let mut copies = std::mem::take(&mut self.waiting);
        copies.shuffle(&mut dice.throw(Purpose::Bookings));
        copies.into_iter().map(|copy| copy.message(now)).collect()
    }

    fn due(&mut self, now: DateTime<Utc>) -> Vec<Copy> {
        if self.rules.webhook_url.is_none() {
            return Vec::new();
        }
        let (due, later) = std::mem::take(&mut self.waiting).into_iter().partition(|copy| copy.due <= now);
        self.waiting = later;
        due
    }

    /// Records the merchant's response to a copy. Schedules a correctly signed copy again if the
    /// merchant refused it.
    fn settle(&mut self, mut copy: Copy, taken: bool, now: DateTime<Utc>) {
        if taken {
            self.taken += 1;
            return;
        }
        self.refused += 1;
        if let Some(seconds) = AGAIN_SECONDS.get(copy.tries).filter(|_| copy.signed == Signed::Well) {
            copy.tries += 1;
            copy.due = now + Duration::seconds(*seconds);
            self.waiting.push(copy);
        }
    }
}

impl Copy {
    fn message(self, now: DateTime<Utc>) -> Message {
        let (secret, at) = match self.signed {
            Signed::Well => (WEBHOOK_SECRET, now),
            Signed::Forged => ("whsec_somebody_else", now),
            Signed::Stale => (WEBHOOK_SECRET, now - Duration::hours(1)),
        };
        let signature = signature(secret, at.timestamp(), &self.body);
        Message { kind: self.kind, intent: self.intent, body: self.body, signature, signed: self.signed }
    }
}

/// Returns the same event with about ten times the amount, for a forged copy.
fn inflated(event: &Value) -> Value {
    let mut event = event.clone();
    let object = &mut event["data"]["object"];
    for field in ["amount", "amount_received", "amount_refunded"] {
        if let Some(amount) = object[field].as_i64() {
            object[field] = json!(amount * 10);
        }
    }
    event
}

/// Computes the value of the signature header, `t=…,v1=…`, over `t.body`.
#[must_use]
pub fn signature(secret: &str, at: i64, body: &str) -> String {
    let mut block = [0_u8; 64];
    block[..secret.len().min(64)].copy_from_slice(&secret.as_bytes()[..secret.len().min(64)]);
    let pad = |with: u8| block.map(|byte| byte ^ with);
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(format!("{at}.{body}")).finalize();
    let outer = Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
    let hex: String = outer.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={at},v1={hex}")
}

/// Sends due messages until the sandbox stops. Delays are in wall time, because the product's
/// responses do not become faster when world time is scaled.
pub(crate) async fn send(shared: Arc<Shared>, stop: watch::Receiver<bool>) {
    let mut end = std::pin::pin!(crate::stopped(stop));
    loop {
        tokio::select! {
            () = &mut end => return,
            () = tokio::time::sleep(TICK) => {}
        }
        let present = crate::identity::now(&shared);
        let (due, url) = {
            let mut world = shared.world();
            world.card.advance(present);
            super::note_changes(&mut world);
            (world.card.messages.due(present), world.card.messages.rules.webhook_url.clone())
        };
        for copy in due {
            let (shared, url) = (shared.clone(), url.clone().unwrap_or_default());
            tokio::spawn(async move { send_one(&shared, &url, copy).await });
        }
    }
}

async fn send_one(shared: &Shared, url: &str, copy: Copy) {
    let present = crate::identity::now(shared);
    let message = copy.clone().message(present);
    let headers = [
        ("content-type", "application/json; charset=utf-8"),
        ("stripe-signature", &message.signature),
        ("user-agent", "Stripe/1.0 (sandbox)"),
    ];
    let posting = post(url, &headers, &message.body);
    let status = match tokio::time::timeout(Span::from_secs(10), posting).await {
        Ok(Ok(answer)) => answer.status,
        _ => 0,
    };
    shared.step(|world| {
        let effect =
            super::ledger::Change { what: "told".to_owned(), intent: copy.intent.clone(), amount: 0 };
        world.journal.write(Entry {
            seq: 0,
            world_time: world.now,
            wall_time: Some(wall()),
            kind: "card_message".to_owned(),
            account: None,
            portal_schedule_id: None,
            method: "POST".to_owned(),
            path: format!("{} ({:?})", copy.kind, copy.signed),
            status,
            effect: Effect::Card(effect),
            asc: None,
            faults: Vec::new(),
            empty_because: Vec::new(),
            retry_after: None,
            latency_ms: 0,
        });
        world.card.messages.settle(copy, (200..300).contains(&status), present);
    });
}
