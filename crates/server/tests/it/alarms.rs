//! Stories of alarms to the operator, by mail and over channels.

use chrono::TimeDelta;
use domain::channel::EventKind;
use domain::country::CountryCode;
use engine::delivery::Delivery;
use providers::channels::target::Target;
use serde_json::json;
use server::workers::operator_alarms::round;

use crate::app::Person;
use crate::notices::{deliver, delivery, linked, notice, taken, telegram};
use crate::stage::Stage;

portal_stories!(
    an_alarm_is_sent_once_and_its_end_once,
    a_stalled_engine_raises_an_alarm,
    changed_pages_raise_an_alarm_per_country,
    changed_pages_do_not_hide_a_dead_engine,
    failed_mail_delivery_raises_an_alarm_on_another_channel,
    no_alarm_is_sent_without_configured_recipients,
);

const OPERATOR: &str = "ops@example.com";

/// Creates the operator's account, with a chat and a group. Both are selected for bookings, not for
/// alarms.
async fn operator(s: &Stage) -> Person {
    let person = s.person("ops").await;
    linked(s, &person, &telegram(), &[EventKind::Booked]).await;
    linked(s, &person, &Target::WeCom { key: "group-1".into() }, &[EventKind::Booked]).await;
    person
}

/// Returns the subjects of alarms that arrived by mail, the oldest first.
fn mailed(s: &Stage) -> Vec<String> {
    let alarms = s.sandbox.mails().into_iter().map(|mail| mail.subject);
    alarms.filter(|subject| subject.contains("Alarm") || subject.contains("告警")).collect()
}

/// Returns the titles of messages that arrived in the operator's chat.
fn chat(s: &Stage) -> Vec<String> {
    taken(s, "telegram").into_iter().map(|arrival| arrival.content.title).collect()
}

/// Evaluates the alarms every half minute for a time span.
async fn looked(s: &Stage, delivery: &Delivery, span: TimeDelta) {
    let end = s.clock.now() + span;
    while s.clock.now() < end {
        round(&s.app, delivery).await.unwrap();
        s.wait(30);
    }
}

async fn freeze(s: &Stage, why: &str) {
    let mut tx = s.app.db.begin().await.unwrap();
    store::ledger::freeze(&mut tx, s.clock.now(), why).await.unwrap();
    tx.commit().await.unwrap();
}

// spec: 10.16.09
async fn an_alarm_is_sent_once_and_its_end_once(s: Stage) {
    let s = s.with_alarms_to(&[OPERATOR, "duty@example.com"]);
    operator(&s).await;
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    deliver(&delivery).await;
    looked(&s, &delivery, TimeDelta::minutes(2)).await;
    assert!(mailed(&s).is_empty() && chat(&s).is_empty());
    freeze(&s, "M4 at held").await;
    // Two processes evaluate the alarms at the same time.
    let (one, other) = tokio::join!(round(&s.app, &delivery), round(&s.app, &delivery));
    one.unwrap();
    other.unwrap();
    looked(&s, &delivery, TimeDelta::hours(2)).await;
    assert_eq!(chat(&s), ["告警：资金已冻结"]);
    let mut subjects = mailed(&s);
    subjects.sort_unstable();
    assert_eq!(subjects, ["Alarm: money is frozen", "告警：资金已冻结"], "each in the recipient's language");
    let mails = s.sandbox.mails();
    let duty = mails.iter().find(|mail| mail.to.iter().any(|to| to.contains("duty@"))).unwrap();
    let text = duty.text.clone().unwrap();
    assert!(text.contains("M4 at held") && text.contains("sooner ledger check"), "{text}");
    s.wait(22 * 3600);
    looked(&s, &delivery, TimeDelta::minutes(30)).await;
    assert_eq!(chat(&s)[1..], ["告警仍在持续：资金已冻结"], "repeated after a day");
    let mut tx = s.app.db.begin().await.unwrap();
    store::ledger::thaw(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    looked(&s, &delivery, TimeDelta::hours(1)).await;
    assert_eq!(chat(&s)[2..], ["告警已解除：资金已冻结"]);
    assert_eq!(mailed(&s).len(), 6);
    assert!(taken(&s, "wecom").is_empty(), "a group gets no alarms");
}

// spec: 10.16.09
async fn a_stalled_engine_raises_an_alarm(s: Stage) {
    let s = s.with_alarms_to(&[OPERATOR]);
    operator(&s).await;
    let person = s.payer("lin", 50_00).await;
    s.submitted(&person, "lin").await;
    s.run_for(TimeDelta::minutes(10)).await;
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    // Leases use the database's clock, not the virtual clock of the story.
    let look = async |minutes| {
        let node = &s.app.engine.context().config.node;
        let mut tx = s.app.db.begin().await.unwrap();
        assert!(store::lease::acquire(&mut tx, engine::LEASE, node, 3600).await.unwrap().is_some());
        tx.commit().await.unwrap();
        deliver(&delivery).await;
        looked(&s, &delivery, TimeDelta::minutes(minutes)).await;
    };
    look(6).await;
    assert!(chat(&s).is_empty());
    // An engine holds the lease, but sends no poll.
    s.wait(3 * 3600);
    look(4).await;
    assert!(chat(&s).is_empty(), "it may be a restart");
    look(2).await;
    assert_eq!(chat(&s), ["告警：查号已停止"]);
    // The session at the portal has ended, and the hours without an engine look like a changed
    // clock. The engine therefore signs in an hour later.
    s.run_for(TimeDelta::hours(2)).await;
    look(7).await;
    assert_eq!(chat(&s)[1..], ["告警已解除：查号已停止"]);
    // The operator pauses requests deliberately.
    let set = async |paused: Option<&str>| {
        let mut tx = s.app.db.begin().await.unwrap();
        let (host, now) = (store::outward::EVERY_HOST, s.clock.now());
        match paused {
            Some(why) => assert!(store::outward::pause(&mut tx, host, now, why).await.unwrap()),
            None => assert!(store::outward::resume(&mut tx, host).await.unwrap() > 0),
        }
        tx.commit().await.unwrap();
    };
    set(Some("a look at the portal")).await;
    s.wait(7200);
    look(10).await;
    assert_eq!(chat(&s).len(), 2);
    set(None).await;
    s.run_for(TimeDelta::minutes(20)).await;
    // No engine holds the lease.
    deliver(&delivery).await;
    let mut tx = s.app.db.begin().await.unwrap();
    store::lease::seize(&mut tx, engine::LEASE).await.unwrap();
    tx.commit().await.unwrap();
    looked(&s, &delivery, TimeDelta::minutes(6)).await;
    assert_eq!(chat(&s)[2..], ["告警：查号已停止"]);
}

// spec: 10.16.09
async fn changed_pages_raise_an_alarm_per_country(s: Stage) {
    let s = s.with_alarms_to(&[OPERATOR]);
    operator(&s).await;
    let subject = store::learned::page_subject(CountryCode::CANADA, "groups");
    let set = async |ended_at: Option<&str>| {
        let data = json!({ "since": "2026-11-25T00:30:00Z", "ended_at": ended_at, "probes": 0 });
        let mut tx = s.app.db.begin().await.unwrap();
        store::learned::save(&mut tx, &subject, &data, s.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
    };
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    deliver(&delivery).await;
    set(None).await;
    looked(&s, &delivery, TimeDelta::minutes(2)).await;
    assert_eq!(mailed(&s), ["告警：官网页面已变更（en-ca groups）"]);
    set(Some("2026-11-25T00:40:00Z")).await;
    looked(&s, &delivery, TimeDelta::minutes(7)).await;
    assert_eq!(mailed(&s)[1..], ["告警已解除：官网页面已变更（en-ca groups）"]);
    assert_eq!(chat(&s).len(), 2);
}

// spec: 10.16.09
async fn changed_pages_do_not_hide_a_dead_engine(s: Stage) {
    let s = s.with_alarms_to(&[OPERATOR]);
    operator(&s).await;
    let person = s.payer("lin", 50_00).await;
    s.submitted(&person, "lin").await;
    s.run_for(TimeDelta::minutes(10)).await;
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    deliver(&delivery).await;
    let subject = store::learned::page_subject(CountryCode::CANADA, "form");
    let data = json!({ "since": "2026-11-25T00:30:00Z", "ended_at": null, "probes": 0 });
    let mut tx = s.app.db.begin().await.unwrap();
    store::learned::save(&mut tx, &subject, &data, s.clock.now()).await.unwrap();
    store::lease::seize(&mut tx, engine::LEASE).await.unwrap();
    tx.commit().await.unwrap();
    looked(&s, &delivery, TimeDelta::minutes(6)).await;
    let mut alarms = chat(&s);
    alarms.sort_unstable();
    assert_eq!(alarms, ["告警：官网页面已变更", "告警：查号已停止"]);
}

// spec: 10.16.09
async fn failed_mail_delivery_raises_an_alarm_on_another_channel(s: Stage) {
    let s = s.with_alarms_to(&[OPERATOR]);
    operator(&s).await;
    let person = s.person("lin").await;
    // The mail server of the usual delivery is unavailable. Only the loop of the alarms sends.
    let (down, up) = (delivery(&s, "127.0.0.1:1"), delivery(&s, &s.sandbox.smtp_addr()));
    deliver(&up).await;
    notice(&s, &person, "booked", "one").await;
    looked(&s, &down, TimeDelta::minutes(5)).await;
    assert!(chat(&s).is_empty());
    looked(&s, &down, TimeDelta::minutes(2)).await;
    assert_eq!(chat(&s), ["告警：通知发不出去"], "the alarm is sent over another channel");
    assert!(mailed(&s).is_empty());
    deliver(&up).await;
    looked(&s, &up, TimeDelta::minutes(40)).await;
    assert_eq!(chat(&s)[1..], ["告警已解除：通知发不出去"]);
    assert_eq!(mailed(&s).len(), 2, "the mail is sent once the mail server answers");
}

async fn no_alarm_is_sent_without_configured_recipients(s: Stage) {
    operator(&s).await;
    freeze(&s, "by hand").await;
    looked(&s, &delivery(&s, &s.sandbox.smtp_addr()), TimeDelta::minutes(2)).await;
    assert!(mailed(&s).is_empty() && chat(&s).is_empty());
}
