//! Stories of urgent messages: they reach every recipient, although the program is killed
//! repeatedly while it sends. The real program runs. After each kill, the messages that the
//! providers accepted are compared with the rows of the outbox.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{NaiveDate, TimeDelta};
use domain::channel::EventKind;
use domain::ids::{ChannelId, UserId};
use providers::channels::target::Target;
use sandbox::Sandbox;
use secrecy::SecretString;
use serde_json::json;
use store::channel::{self, NewChannel};
use store::keyring::KeyRing;
use store::{Db, Random};

use crate::app::TestApp;
use crate::house::{self, House};
use crate::size::{seed, size};

stories!(urgent_notices_are_delivered_despite_kill_9);

/// Number of phone channels of the customer, at a provider without a rate limit.
const PHONES: usize = 3;
/// Number of bookings that are notified between two kills.
const BOOKINGS: usize = 3;

/// A message: its recipient (a phone or the mail server), and the date in its text.
type Message = (String, String);

// spec: 10.10.03
async fn urgent_notices_are_delivered_despite_kill_9(mut app: TestApp) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let kills = size("SOONER_KILLS", 10, 500);
    let random = Random::seeded(seed());
    let outside = sandbox::start(sandbox::Options { scenario: "empty".to_owned(), ..Default::default() })
        .await
        .unwrap();
    let user = app.person("customer").await.id;
    let ring = app.app.keyring.clone();
    for phone in 0..PHONES {
        link(&app, user, &format!("phone-{phone}"), &ring, &random).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let house = House::of(&mut app, folder.path()).await.with(vec![
        ("SOONER_CHANNEL_URLS", format!("bark={}/bark", outside.ready().channels_url)),
        ("SOONER_CHANNEL_ORIGINS", outside.control_url()),
        ("SOONER_SMTP_URL", format!("smtp://{}", outside.smtp_addr())),
    ]);
    let mut street = Street { outside, house, random, user, told: 0, unsaid: BTreeMap::new() };
    for _ in 0..kills {
        street.books().await;
        let life = street.house.open().await;
        tokio::time::sleep(Duration::from_micros(u64::from(street.random.below(60_000)))).await;
        life.kill();
        street.note_what_was_not_kept().await;
    }
    let life = street.house.open().await;
    street.all_is_told().await;
    life.kill();
    let (told, twice) = street.audit().await;
    println!("{kills} kills: {told} messages, each taken; {twice} taken twice, their answers lost");
    assert!(kills < 100 || twice > 0, "no kill ever came between a provider's answer and our commit");
}

/// Providers, program and recipients of a run.
struct Street {
    outside: Sandbox,
    house: House,
    random: Random,
    user: UserId,
    /// Number of bookings so far.
    told: usize,
    /// Number of kills at which the program had claimed a message, for each message.
    unsaid: BTreeMap<Message, usize>,
}

async fn link(app: &TestApp, user: UserId, phone: &str, ring: &KeyRing, random: &Random) {
    let (now, target) = (app.clock.now(), Target::Bark { server: None, device_key: phone.into() });
    let id = ChannelId::new(now, random.bytes());
    let json = SecretString::from(serde_json::to_string(&target).unwrap());
    let sealed = ring.seal(&channel::place(id, user, 1), &json, random);
    let new = NewChannel { id, user, kind: target.kind(), label: phone, target: Some(sealed), proof: None };
    let mut tx = app.app.db.begin().await.unwrap();
    channel::add(&mut tx, &new, now).await.unwrap();
    channel::verify(&mut tx, id, now).await.unwrap();
    channel::set_events(&mut tx, id, &[EventKind::Booked]).await.unwrap();
    tx.commit().await.unwrap();
}

impl Street {
    async fn open(&self) -> Db {
        Db::open(&self.house.url).await.unwrap()
    }

    /// Notifies some bookings, each with a different date.
    async fn books(&mut self) {
        let (db, now) = (self.open().await, house::wall().now());
        let mut tx = db.begin().await.unwrap();
        for _ in 0..BOOKINGS {
            self.told += 1;
            let date = NaiveDate::from_ymd_opt(2027, 1, 1).unwrap() + TimeDelta::days(self.told as i64);
            let slot =
                json!({ "date": date, "time": "08:15", "facility": "Toronto", "facility_zh": "多伦多" });
            let data = json!({
                "names": "LIN Mei", "old": null, "new": slot, "charged": "5.00 CAD", "days_advanced": 9,
                "search": null, "change_deadline": null, "held": null,
                "task_id": "0193f5a0-0000-7000-8000-000000000000",
            });
            let key = format!("booked:{date}");
            store::outbox::enqueue_mail(&mut tx, &self.random, self.user, "booked", &key, &data, now)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        db.close().await;
    }

    /// Records the messages that the program had claimed when it was killed. Their outcome is
    /// unknown; the provider may have accepted them.
    async fn note_what_was_not_kept(&mut self) {
        let db = self.open().await;
        let mut tx = db.begin().await.unwrap();
        let held = store::all!(
            &mut tx,
            (String, String, String),
            "SELECT channel_kind, recipient, CAST(data AS TEXT) FROM outbox
             WHERE delivered_at IS NULL AND claimed_till IS NOT NULL"
        )
        .unwrap();
        for (kind, recipient, data) in held {
            let data: serde_json::Value = serde_json::from_str(&data).unwrap();
            let day = data["new"]["date"].as_str().unwrap().to_owned();
            let to = if kind == "email" { "mail".to_owned() } else { recipient };
            *self.unsaid.entry((to, day)).or_default() += 1;
        }
        // On PostgreSQL other processes may work, so claims of a dead process are valid for two
        // minutes. Here they expire at once.
        if db.is_postgres() {
            store::exec!(&mut tx, "UPDATE outbox SET claimed_till = NULL WHERE delivered_at IS NULL")
                .unwrap();
        }
        tx.commit().await.unwrap();
        db.close().await;
    }

    /// Returns how often the providers accepted each message.
    fn taken(&self) -> BTreeMap<Message, usize> {
        let mut taken = BTreeMap::new();
        let day = |text: &str| {
            let mut words = text.split(|c: char| !c.is_ascii_digit() && c != '-');
            let day = words.find_map(|word| word.parse::<NaiveDate>().ok());
            day.expect("a day").to_string()
        };
        for one in self.outside.notifications() {
            let day = day(&one.content.title);
            *taken.entry((one.content.target, day)).or_default() += 1;
        }
        for mail in self.outside.mails() {
            *taken.entry(("mail".to_owned(), day(&mail.subject))).or_default() += 1;
        }
        taken
    }

    /// Waits as long as messages are sent, because the queue is long after many kills.
    async fn all_is_told(&self) {
        const PATIENCE: usize = 3_000;
        let db = self.open().await;
        let (mut least, mut idle) = (i64::MAX, 0);
        while idle < PATIENCE {
            let mut tx = db.read().await.unwrap();
            let sql = "SELECT COUNT(*) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL";
            let waiting = store::scalar!(&mut tx, i64, sql).unwrap();
            drop(tx);
            if waiting == 0 {
                return db.close().await;
            }
            idle = if waiting < least { 0 } else { idle + 1 };
            least = least.min(waiting);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let mut tx = db.read().await.unwrap();
        let sql = "SELECT channel_kind, attempts, CAST(due_at AS TEXT), COALESCE(last_error, '') FROM outbox
                   WHERE delivered_at IS NULL AND dead_at IS NULL ORDER BY due_at LIMIT 5";
        let stuck = store::all!(&mut tx, (String, i32, String, String), sql).unwrap();
        panic!("{least} urgent messages are never sent, the first of them {stuck:?}");
    }

    /// Checks that every message was accepted. No message may be accepted twice, except those with
    /// an unknown outcome. Returns the number of messages, and of messages that were accepted
    /// twice.
    async fn audit(self) -> (usize, usize) {
        let taken = self.taken();
        assert_eq!(
            taken.len(),
            self.told * (PHONES + 1),
            "promise 3: each booking is sent to each phone and by mail"
        );
        let mut twice = 0;
        for (message, count) in &taken {
            let unsaid = self.unsaid.get(message).copied().unwrap_or_default();
            assert!(
                *count <= 1 + unsaid,
                "{message:?} was accepted {count} times, {unsaid} answers may have been lost"
            );
            twice += usize::from(*count > 1);
        }
        self.outside.shutdown().await.unwrap();
        (taken.len(), twice)
    }
}
