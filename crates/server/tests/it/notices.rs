//! Stories of notices: the channels over which they are sent, when they wait, and when they are not
//! sent.

use chrono::{NaiveTime, TimeDelta};
use domain::channel::setting::{QuietHours, Setting};
use domain::channel::{ChannelState, EventKind};
use domain::ids::{ChannelId, TaskId};
use domain::question::SENT_WITHIN;
use engine::delivery::{Delivery, SmsQuota};
use providers::Mailer;
use providers::channels::target::Target;
use sandbox::channel as there;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use store::channel::{self, NewChannel};
use store::outbox::history::{self, Entry, Page};

use crate::app::Person;
use crate::stage::{Stage, TORONTO};

portal_stories!(
    a_booking_reaches_mail_and_every_chosen_channel,
    a_broken_channel_is_reported_over_another,
    a_stale_opening_is_never_sent,
    quiet_hours_stop_all_but_urgent_notices,
    a_fallback_is_sent_only_if_no_channel_accepted,
    a_process_that_dies_while_sending_loses_no_notice,
    a_retry_after_of_a_provider_is_respected,
    a_migrated_chat_gets_its_messages,
    text_messages_stop_at_their_quota,
    personal_notices_are_not_sent_to_a_group,
);

/// Returns a delivery loop with every provider in the sandbox.
pub fn delivery(s: &Stage, smtp: &str) -> Delivery {
    Delivery {
        db: s.app.db.clone(),
        wall: s.app.wall.clone(),
        random: s.app.random.clone(),
        keyring: s.app.keyring.clone(),
        mailer: Some(Mailer::new(&format!("smtp://{smtp}"), "Sooner 早签 <no-reply@example.com>").unwrap()),
        channels: s.app.channels.clone(),
        buckets: std::sync::Arc::default(),
        sms: SmsQuota { per_user: 2, day_mills: 72, text_mills: 12 },
        site: s.app.settings.public_url.clone(),
        node: "test".to_owned(),
    }
}

pub fn telegram() -> Target {
    Target::Telegram { chat_id: 4_200_001 }
}

pub fn bark() -> Target {
    Target::Bark { server: None, device_key: "phone-1".into() }
}

/// Adds a verified channel of a user, for these events.
pub async fn linked(s: &Stage, person: &Person, target: &Target, events: &[EventKind]) -> ChannelId {
    let (user, now) = (person.id, s.clock.now());
    let id = ChannelId::new(now, s.app.random.bytes());
    let json = SecretString::from(serde_json::to_string(target).unwrap());
    let sealed = s.app.keyring.seal(&channel::place(id, user, 1), &json, &s.app.random);
    let new =
        NewChannel { id, user, kind: target.kind(), label: "…3f2a", target: Some(sealed), proof: None };
    let mut tx = s.app.db.begin().await.unwrap();
    channel::add(&mut tx, &new, now).await.unwrap();
    channel::verify(&mut tx, id, now).await.unwrap();
    channel::set_events(&mut tx, id, events).await.unwrap();
    tx.commit().await.unwrap();
    id
}

pub async fn notice(s: &Stage, person: &Person, template: &str, key: &str) {
    let slot =
        json!({ "date": "2027-02-03", "time": "08:15", "facility": "Toronto", "facility_zh": "多伦多" });
    let data = json!({
        "names": "LIN Mei", "old": null, "new": slot, "charged": "5.00 CAD", "days_advanced": 9, "search": null,
        "change_deadline": null, "facility": "Toronto", "facility_zh": "多伦多", "date": "2027-02-03", "held": null,
        "reason": "captcha", "released": null, "price": "5.00 CAD",
        "task_id": "0193f5a0-0000-7000-8000-000000000000",
        "link": (template == "question").then(|| json!({ "page": "/auth/answer", "seed": key, "minutes": 2, "asks": true })),
    });
    let mut tx = s.app.db.begin().await.unwrap();
    let (user, now) = (person.id, s.clock.now());
    store::outbox::enqueue_mail(&mut tx, &s.app.random, user, template, key, &data, now).await.unwrap();
    tx.commit().await.unwrap();
}

/// Delivers until no message is due.
pub async fn deliver(delivery: &Delivery) {
    while delivery.deliver_due().await.unwrap() > 0 {}
}

/// Returns the messages that a provider accepted.
pub fn taken(s: &Stage, provider: &str) -> Vec<there::Arrival> {
    s.sandbox.notifications().into_iter().filter(|arrival| arrival.provider == provider).collect()
}

pub async fn told(s: &Stage, person: &Person) -> Vec<Entry> {
    let mut tx = s.app.db.read().await.unwrap();
    let page = Page { task: None, before: None, limit: 99 };
    history::of_user(&mut tx, person.id, page).await.unwrap()
}

/// Returns the reason for which the newest message over a kind of channel was not sent.
pub async fn why(s: &Stage, person: &Person, kind: &str) -> Option<String> {
    let entries = told(s, person).await;
    entries.into_iter().find(|entry| entry.kind.as_ref() == kind)?.not_sent
}

pub fn fault(s: &Stage, fault: Value) {
    let fault = serde_json::from_value(fault).unwrap();
    s.sandbox.with_world(|world| world.add_fault(fault));
}

async fn a_booking_reaches_mail_and_every_chosen_channel(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let browser = s.sandbox.subscribe_browser().unwrap();
    let browser = Target::WebPush {
        endpoint: browser.endpoint.into(),
        p256dh: browser.keys.p256dh,
        auth: browser.keys.auth.into(),
    };
    for target in [telegram(), browser] {
        linked(&s, &person, &target, &[EventKind::Booked]).await;
    }
    let task = s.submitted(&person, "lin").await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    s.run_for(TimeDelta::seconds(30)).await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    let booked = s.sandbox.mails().into_iter().filter(|mail| mail.subject.contains("2027-02-09")).count();
    assert_eq!(booked, 1);
    for provider in ["telegram", "web_push"] {
        let [arrival] = &taken(&s, provider)[..] else { panic!("one over {provider}") };
        let all = format!("{} {}", arrival.content.title, arrival.content.text);
        assert!(all.contains("2027-02-09") && all.contains("9:15") && !all.contains("LIN"), "{all}");
        let link = arrival.content.link.clone().unwrap();
        assert_eq!(link, format!("{}/schedule/{task}", s.app.settings.public_url));
    }
    let task: TaskId = task.parse().unwrap();
    let entries = told(&s, &person).await;
    let booked: Vec<_> = entries.iter().filter(|entry| entry.event == EventKind::Booked).collect();
    assert_eq!(booked.len(), 3);
    assert!(booked.iter().all(|entry| entry.task == Some(task) && entry.delivered_at.is_some()));
}

async fn a_broken_channel_is_reported_over_another(s: Stage) {
    let person = s.person("lin").await;
    let chat = linked(&s, &person, &telegram(), &[EventKind::Booked]).await;
    linked(&s, &person, &bark(), &[EventKind::NeedsYou]).await;
    fault(&s, json!({ "fault": "sender_blocked", "on": "channel_telegram" }));
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    for key in ["one", "two"] {
        notice(&s, &person, "booked", key).await;
    }
    deliver(&delivery).await;
    s.wait(2);
    deliver(&delivery).await;
    let mut tx = s.app.db.read().await.unwrap();
    let broken = channel::find(&mut tx, chat).await.unwrap().unwrap();
    assert_eq!(
        (broken.state, broken.last_reason.as_deref()),
        (ChannelState::NeedsAttention, Some("blocked"))
    );
    drop(tx);
    let [told_of] = &taken(&s, "bark")[..] else { panic!("notified once") };
    assert!(
        told_of.content.title.contains("Telegram") && told_of.content.text.contains("…3f2a"),
        "{told_of:?}"
    );
    let mails = s.sandbox.mails().into_iter().filter(|mail| mail.subject.contains("Telegram")).count();
    assert_eq!(mails, 1);
    assert!(taken(&s, "telegram").is_empty());
    let mut reasons: Vec<_> = told(&s, &person)
        .await
        .into_iter()
        .filter(|entry| entry.kind.as_ref() == "telegram")
        .filter_map(|entry| entry.not_sent)
        .collect();
    reasons.sort_unstable();
    assert_eq!(reasons, ["blocked", "channel_off"]);
}

async fn a_stale_opening_is_never_sent(s: Stage) {
    let person = s.person("lin").await;
    linked(&s, &person, &telegram(), &[EventKind::Opening]).await;
    notice(&s, &person, "appointment_alert", "one").await;
    s.wait(121);
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    assert!(taken(&s, "telegram").is_empty());
    assert_eq!(why(&s, &person, "telegram").await.as_deref(), Some("too_late"));
    assert_eq!(s.sandbox.mails().len(), 1, "a mail may be late by some minutes");
    notice(&s, &person, "appointment_alert", "two").await;
    s.wait(15 * 60 + 1);
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    assert_eq!(s.sandbox.mails().len(), 1);
    notice(&s, &person, "appointment_alert", "three").await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    assert_eq!(taken(&s, "telegram").len(), 1);
}

async fn quiet_hours_stop_all_but_urgent_notices(s: Stage) {
    let person = s.person("lin").await;
    linked(&s, &person, &telegram(), &EventKind::OF_USERS).await;
    let hour = |hour| NaiveTime::from_hms_opt(hour, 0, 0).unwrap();
    // It is 19:30 in Toronto.
    let quiet = Some(QuietHours { from: hour(19), to: hour(7) });
    let night = Setting { quiet, ..Setting::default() };
    let set = async |setting: Setting| {
        let mut tx = s.app.db.begin().await.unwrap();
        channel::set_setting(&mut tx, person.id, &setting, s.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
    };
    set(night).await;
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    let arrived = async |template: &str, key: &str| {
        let before = taken(&s, "telegram").len();
        notice(&s, &person, template, key).await;
        deliver(&delivery).await;
        s.wait(2);
        taken(&s, "telegram").len() - before
    };
    assert_eq!(arrived("appointment_alert", "1").await, 0);
    assert_eq!(why(&s, &person, "telegram").await.as_deref(), Some("quiet_hours"));
    assert_eq!(arrived("question", "2").await, 0);
    assert_eq!(why(&s, &person, "telegram").await.as_deref(), Some("quiet_hours"));
    assert_eq!(arrived("booked", "3").await, 1, "an urgent message does not wait");
    set(Setting { questions_at_night: true, ..night }).await;
    assert_eq!(arrived("question", "4").await, 1, "as its user allowed");
    assert_eq!(arrived("appointment_alert", "5").await, 0);
    s.wait(12 * 3600);
    assert_eq!(arrived("appointment_alert", "6").await, 1);
    assert_eq!(s.sandbox.mails().len(), 6, "mails make no noise");
}

async fn a_fallback_is_sent_only_if_no_channel_accepted(s: Stage) {
    let person = s.person("lin").await;
    linked(&s, &person, &bark(), &[EventKind::Opening]).await;
    let (up, down) = (delivery(&s, &s.sandbox.smtp_addr()), delivery(&s, "127.0.0.1:1"));
    notice(&s, &person, "booked", "one").await;
    deliver(&up).await;
    s.wait(30);
    deliver(&up).await;
    assert!(taken(&s, "bark").is_empty(), "the mail was accepted");
    assert_eq!(why(&s, &person, "bark").await.as_deref(), Some("another_accepted"));
    notice(&s, &person, "booked", "two").await;
    deliver(&down).await;
    s.wait(29);
    deliver(&down).await;
    assert!(taken(&s, "bark").is_empty());
    s.wait(1);
    deliver(&down).await;
    assert_eq!(taken(&s, "bark").len(), 1, "no mail for half a minute");
    // A message that becomes worthless later has no fallback.
    notice(&s, &person, "credited", "three").await;
    s.wait(60);
    deliver(&down).await;
    assert_eq!(taken(&s, "bark").len(), 1);
}

async fn a_process_that_dies_while_sending_loses_no_notice(s: Stage) {
    let person = s.person("lin").await;
    for target in [telegram(), bark()] {
        linked(&s, &person, &target, &[EventKind::Booked, EventKind::NeedsYou]).await;
    }
    notice(&s, &person, "booked", "one").await;
    // The process dies after it claimed messages, and sends none.
    let mut tx = s.app.db.begin().await.unwrap();
    store::outbox::claim(&mut tx, "dead", 9, TimeDelta::seconds(120), s.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    deliver(&delivery).await;
    assert!(s.sandbox.notifications().is_empty(), "another process claimed them");
    s.wait(120);
    deliver(&delivery).await;
    assert_eq!((taken(&s, "telegram").len(), taken(&s, "bark").len()), (1, 1));
    assert_eq!(s.sandbox.mails().len(), 1);
    // The provider's response is lost. Only that message is sent twice, with the same id.
    fault(&s, json!({ "fault": "cut_after_apply", "on": "channel_bark", "times": 1 }));
    notice(&s, &person, "needs_you", "two").await;
    deliver(&delivery).await;
    s.wait(15);
    deliver(&delivery).await;
    s.wait(600);
    deliver(&delivery).await;
    assert_eq!((taken(&s, "telegram").len(), taken(&s, "bark").len()), (2, 3));
    assert!(!taken(&s, "bark")[1].acknowledged);
}

async fn a_retry_after_of_a_provider_is_respected(s: Stage) {
    let person = s.person("lin").await;
    linked(&s, &person, &telegram(), &[EventKind::Booked, EventKind::AskFirst]).await;
    let many =
        json!({ "fault": "too_many_requests", "retry_after": 90, "on": "channel_telegram", "times": 1 });
    fault(&s, many.clone());
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    notice(&s, &person, "booked", "one").await;
    deliver(&delivery).await;
    // The chat gets no more messages for a while, regardless of the queue.
    notice(&s, &person, "booked", "two").await;
    for _ in 0..89 {
        s.wait(1);
        deliver(&delivery).await;
    }
    assert!(taken(&s, "telegram").is_empty());
    s.wait(1);
    deliver(&delivery).await;
    s.wait(2);
    deliver(&delivery).await;
    assert_eq!(taken(&s, "telegram").len(), 2);
    s.wait(2);
    fault(&s, many);
    notice(&s, &person, "question", "three").await;
    deliver(&delivery).await;
    assert!(SENT_WITHIN < TimeDelta::seconds(90));
    assert_eq!(why(&s, &person, "telegram").await.as_deref(), Some("too_late"));
}

async fn a_migrated_chat_gets_its_messages(s: Stage) {
    let person = s.person("lin").await;
    let chat = linked(&s, &person, &telegram(), &[EventKind::Booked]).await;
    fault(&s, json!({ "fault": "chat_migrated", "to": -100_200_300, "on": "channel_telegram", "times": 1 }));
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    for key in ["one", "two"] {
        notice(&s, &person, "booked", key).await;
        deliver(&delivery).await;
        s.wait(2);
    }
    let to: Vec<_> = taken(&s, "telegram").into_iter().map(|arrival| arrival.content.target).collect();
    assert_eq!(to, ["-100200300", "-100200300"]);
    let mut tx = s.app.db.read().await.unwrap();
    let moved = channel::find(&mut tx, chat).await.unwrap().unwrap();
    let opened = s.app.keyring.open(&moved.place(), moved.target.as_ref().unwrap()).unwrap();
    assert!(opened.expose_secret().contains("-100200300"));
}

async fn text_messages_stop_at_their_quota(s: Stage) {
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    let mut sent = Vec::new();
    for name in ["lin", "wang"] {
        let person = s.person(name).await;
        linked(&s, &person, &Target::Sms { phone: "+14165550123".to_owned() }, &[EventKind::Booked]).await;
        for n in 0..3 {
            notice(&s, &person, "booked", &format!("{name}{n}")).await;
            deliver(&delivery).await;
            s.wait(60);
        }
        assert_eq!(why(&s, &person, "sms").await.as_deref(), Some("quota"));
        sent.push(taken(&s, "twilio").len());
    }
    assert_eq!(sent, [2, 3], "two for one user, three for all");
}

async fn personal_notices_are_not_sent_to_a_group(s: Stage) {
    let person = s.person("lin").await;
    let group = Target::WeCom { key: "group-1".into() };
    linked(&s, &person, &group, &[EventKind::Booked]).await;
    // A group chat is no fallback, because it gets only bookings and openings.
    let down = delivery(&s, "127.0.0.1:1");
    for template in ["needs_you", "question", "new_sign_in"] {
        notice(&s, &person, template, template).await;
    }
    s.wait(45);
    deliver(&down).await;
    assert!(taken(&s, "wecom").is_empty());
    notice(&s, &person, "booked", "booked").await;
    deliver(&down).await;
    assert_eq!(taken(&s, "wecom").len(), 1);
}
