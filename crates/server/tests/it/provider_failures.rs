//! Stories of failures of providers and of users' channels. Each failure leads to a clear state and
//! a next step. No important message is lost, and no outdated one is sent late.
//! `providers/tests/channels` tests the responses of each provider.

use domain::channel::{ChannelState, EventKind};
use engine::delivery::Delivery;
use providers::channels::Channels;
use providers::channels::target::Target;
use serde_json::json;
use server::workers::operator_alarms::round;
use store::channel;

use crate::app::Person;
use crate::notices::{bark, deliver, delivery, fault, linked, notice, taken, telegram, told, why};
use crate::stage::Stage;

portal_stories!(
    after_an_outage_of_an_hour_only_current_notices_are_sent,
    a_slow_provider_does_not_delay_other_messages,
    a_revoked_bot_is_reported_to_the_operator,
    a_lost_push_endpoint_needs_attention_and_urgent_notices_fall_back,
    an_error_with_http_status_200_is_no_delivery,
);

async fn state(s: &Stage, person: &Person) -> (ChannelState, Option<String>) {
    let mut tx = s.app.db.read().await.unwrap();
    let first = channel::list(&mut tx, person.id).await.unwrap().remove(0);
    (first.state, first.last_reason)
}

/// Runs the delivery for a number of seconds.
async fn for_seconds(s: &Stage, delivery: &Delivery, seconds: i64) {
    for _ in 0..seconds / 15 {
        s.wait(15);
        deliver(delivery).await;
    }
}

// spec: 10.16.18
async fn after_an_outage_of_an_hour_only_current_notices_are_sent(s: Stage) {
    let (person, other) = (s.person("lin").await, s.person("wang").await);
    linked(&s, &person, &telegram(), &EventKind::OF_USERS).await;
    linked(&s, &other, &bark(), &EventKind::OF_USERS).await;
    fault(&s, json!({ "fault": "bad_gateway", "on": "channel_telegram" }));
    let delivery = delivery(&s, &s.sandbox.smtp_addr());
    for template in ["booked", "needs_you", "appointment_alert", "question"] {
        notice(&s, &person, template, &format!("lin:{template}")).await;
        notice(&s, &other, template, &format!("wang:{template}")).await;
    }
    deliver(&delivery).await;
    assert_eq!(taken(&s, "bark").len(), 4, "no other message waits for it");
    for_seconds(&s, &delivery, 3_600).await;
    assert!(taken(&s, "telegram").is_empty());
    assert_eq!(state(&s, &person).await, (ChannelState::Verified, None), "the channel is not at fault");
    s.sandbox.with_world(|world| world.remove_faults(None));
    for_seconds(&s, &delivery, 3_600 + 120).await;
    let mut arrived: Vec<_> = taken(&s, "telegram").into_iter().map(|one| one.content.title).collect();
    arrived.sort_unstable();
    assert_eq!(arrived.len(), 2, "the booking and the required action, once each: {arrived:?}");
    let late = told(&s, &person).await.into_iter().filter(|one| one.not_sent.as_deref() == Some("too_late"));
    let mut late: Vec<_> = late.map(|one| one.event).collect();
    late.sort_unstable();
    assert_eq!(late, [EventKind::AskFirst, EventKind::Opening]);
    assert_eq!(taken(&s, "bark").len(), 4);
}

// spec: 10.16.18
async fn a_slow_provider_does_not_delay_other_messages(s: Stage) {
    let (person, other) = (s.person("lin").await, s.person("wang").await);
    linked(&s, &person, &telegram(), &[EventKind::Booked]).await;
    linked(&s, &other, &bark(), &[EventKind::Booked]).await;
    // The provider does not respond within the time limit.
    fault(&s, json!({ "fault": "slow", "millis": 20_000, "on": "channel_telegram", "times": 1 }));
    let delivery = Delivery { channels: impatient(&s).into(), ..delivery(&s, &s.sandbox.smtp_addr()) };
    notice(&s, &person, "booked", "one").await;
    notice(&s, &other, "booked", "two").await;
    deliver(&delivery).await;
    assert_eq!(taken(&s, "bark").len(), 1);
    let entry = told(&s, &person).await.into_iter().find(|one| one.kind.as_ref() == "telegram").unwrap();
    assert!(entry.delivered_at.is_none() && entry.dead_at.is_none(), "it is tried again: {entry:?}");
    for_seconds(&s, &delivery, 60).await;
    let entry = told(&s, &person).await.into_iter().find(|one| one.kind.as_ref() == "telegram").unwrap();
    assert!(entry.delivered_at.is_some());
}

/// Returns clients of the same providers, with a time limit of half a second.
fn impatient(s: &Stage) -> Channels {
    let mut config = s.app.settings.channels.config().unwrap();
    config.timeout = std::time::Duration::from_millis(500);
    Channels::new(config, s.clock.clock()).unwrap()
}

// spec: 10.16.18
async fn a_revoked_bot_is_reported_to_the_operator(s: Stage) {
    let s = s.with_alarms_to(&["ops@example.com"]);
    let mut config = s.app.settings.channels.config().unwrap();
    config.telegram_bot_token = Some("7000000001:revoked".into());
    let channels = Channels::new(config, s.clock.clock()).unwrap();
    let revoked = Delivery { channels: channels.into(), ..delivery(&s, &s.sandbox.smtp_addr()) };
    for n in 0..10 {
        let person = s.person(&format!("p{n}")).await;
        linked(&s, &person, &telegram(), &[EventKind::Booked]).await;
        notice(&s, &person, "booked", &format!("booked{n}")).await;
        s.wait(2);
        deliver(&revoked).await;
        assert_eq!(why(&s, &person, "telegram").await.as_deref(), Some("operator"));
        let (state, reason) = state(&s, &person).await;
        assert_eq!(state, ChannelState::Verified, "the user has nothing to fix: {reason:?}");
    }
    assert_eq!(s.sandbox.mails().len(), 10, "each booking was mailed");
    round(&s.app, &revoked).await.unwrap();
    let alarms = s.sandbox.mails().into_iter().filter(|mail| mail.to.concat().contains("ops@")).count();
    assert_eq!(alarms, 1, "the operator is notified");
}

// spec: 10.16.18
async fn a_lost_push_endpoint_needs_attention_and_urgent_notices_fall_back(s: Stage) {
    let person = s.person("lin").await;
    let browser = s.sandbox.subscribe_browser().unwrap();
    let browser = Target::WebPush {
        endpoint: browser.endpoint.into(),
        p256dh: browser.keys.p256dh,
        auth: browser.keys.auth.into(),
    };
    linked(&s, &person, &browser, &[EventKind::NeedsYou]).await;
    linked(&s, &person, &bark(), &[EventKind::Booked]).await;
    fault(&s, json!({ "fault": "target_gone", "on": "channel_web_push" }));
    // The mail server is unavailable too, so the next channel in the user's order is the fallback.
    let delivery = delivery(&s, "127.0.0.1:1");
    notice(&s, &person, "needs_you", "one").await;
    deliver(&delivery).await;
    assert_eq!(state(&s, &person).await, (ChannelState::NeedsAttention, Some("gone".to_owned())));
    for_seconds(&s, &delivery, 90).await;
    let titles: Vec<_> = taken(&s, "bark").into_iter().map(|one| one.content.title).collect();
    assert_eq!(titles.len(), 2, "the required action, and that the browser is gone: {titles:?}");
    assert!(titles.iter().any(|title| title.contains("您的任务需要处理")), "{titles:?}");
}

// spec: 10.16.18
async fn an_error_with_http_status_200_is_no_delivery(s: Stage) {
    let person = s.person("lin").await;
    linked(&s, &person, &Target::ServerChan { send_key: "SCT1Tlin".into() }, &[EventKind::Booked]).await;
    linked(&s, &person, &bark(), &[EventKind::Opening]).await;
    fault(&s, json!({ "fault": "refused_in_body", "on": "channel_server_chan" }));
    let delivery = delivery(&s, "127.0.0.1:1");
    notice(&s, &person, "booked", "one").await;
    deliver(&delivery).await;
    assert_eq!(why(&s, &person, "server_chan").await.as_deref(), Some("refused"));
    assert_eq!(state(&s, &person).await, (ChannelState::NeedsAttention, Some("refused".to_owned())));
    for_seconds(&s, &delivery, 90).await;
    assert!(
        taken(&s, "bark").iter().any(|one| one.content.title.contains("2027-02-03")),
        "another channel was used"
    );
}
