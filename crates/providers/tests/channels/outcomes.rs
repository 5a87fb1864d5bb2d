//! Tests of failed deliveries: the outcome for each provider's response.

use std::sync::Arc;
use std::time::Duration;

use domain::channel::{ChannelKind, EventKind};
use providers::channels::Channels;
use providers::channels::config::Config;
use providers::channels::outcome::{Outcome, Reason};
use providers::channels::target::Target;
use serde_json::json;
use strum::VariantArray as _;

use crate::fixture::{NAMES, There, booked, clock};

const AGAIN: Outcome = Outcome::Wait(Duration::ZERO);

fn wait(seconds: f64) -> Outcome {
    Outcome::Wait(Duration::from_secs_f64(seconds))
}

#[tokio::test]
async fn errors_in_the_body_count_regardless_of_the_status() {
    let there = There::new().await;
    there.fault(json!({ "fault": "refused_in_body" }));
    for name in NAMES {
        let expected = match name {
            "wxpusher" => AGAIN,
            // The provider refused the operator's identity, account or country.
            "web_push" | "twilio" | "aliyun" => Outcome::Broken(Reason::Operator),
            _ => Outcome::Broken(Reason::Refused),
        };
        let delivery = there.send(name, &booked()).await;
        assert_eq!(delivery.outcome, expected, "{name}: {}", delivery.answer);
        assert!(!delivery.answer.is_empty() && delivery.answer.chars().count() <= 210, "{name}");
    }
    assert!(there.sandbox.notifications().is_empty());
}

#[tokio::test]
async fn rate_limited_sends_wait_as_long_as_the_provider_requests() {
    let there = There::new().await;
    there.fault(json!({ "fault": "too_many_requests", "retry_after": 7, "on": "channel" }));
    for name in NAMES {
        let expected = match name {
            // The body contains the exact wait.
            "discord" => wait(7.5),
            "wxpusher" => AGAIN,
            "server_chan" => wait(3600.0),
            // Repeated requests would lead to a ban.
            "pushplus" => Outcome::Broken(Reason::Refused),
            "wecom" | "dingtalk" | "feishu" | "aliyun" => wait(60.0),
            _ => wait(7.0),
        };
        let delivery = there.send(name, &booked()).await;
        assert_eq!(delivery.outcome, expected, "{name}: {}", delivery.answer);
    }
}

#[tokio::test]
async fn waits_are_limited_to_an_hour() {
    let there = There::new().await;
    there.fault(json!({ "fault": "too_many_requests", "retry_after": 99_999_999, "on": "channel" }));
    for name in ["telegram", "discord", "webhook"] {
        assert_eq!(there.send(name, &booked()).await.outcome, wait(3600.0), "{name}");
    }
}

#[tokio::test]
async fn removed_targets_and_blocked_senders_are_distinguished() {
    let there = There::new().await;
    there.fault(json!({ "fault": "target_gone" }));
    for name in NAMES {
        let expected = match name {
            "server_chan" | "pushplus" | "wecom" | "feishu" | "pushover" => Reason::Credentials,
            "twilio" | "aliyun" => Reason::Malformed,
            _ => Reason::Gone,
        };
        let delivery = there.send(name, &booked()).await;
        assert_eq!(delivery.outcome, Outcome::Broken(expected), "{name}: {}", delivery.answer);
    }
    there.clear_faults();
    there.fault(json!({ "fault": "sender_blocked" }));
    for name in ["telegram", "twilio"] {
        let delivery = there.send(name, &booked()).await;
        assert_eq!(delivery.outcome, Outcome::Broken(Reason::Blocked), "{name}: {}", delivery.answer);
    }
    for name in NAMES {
        let delivery = there.send(name, &booked()).await;
        assert!(matches!(delivery.outcome, Outcome::Broken(_)), "{name}: {delivery:?}");
    }
}

#[tokio::test]
async fn provider_failures_and_foreign_pages_are_retried() {
    let there = There::new().await;
    for fault in ["bad_gateway", "foreign_html", "reset"] {
        there.clear_faults();
        there.fault(json!({ "fault": fault, "on": "channel" }));
        for name in NAMES {
            // For these providers a 2xx status alone means that the message was accepted.
            let by_status = matches!(name, "webhook" | "web_push" | "discord") && fault == "foreign_html";
            let delivery = there.send(name, &booked()).await;
            let expected = if by_status { Outcome::Accepted { receipt: None } } else { AGAIN };
            assert_eq!(delivery.outcome, expected, "{name}, {fault}: {}", delivery.answer);
        }
    }
    assert!(there.sandbox.notifications().is_empty());
}

#[tokio::test]
async fn only_a_lost_acknowledgement_causes_a_duplicate() {
    let there = There::new().await;
    for fault in ["cut_after_apply", "half_answer"] {
        for name in NAMES {
            there.fault(json!({ "fault": fault, "on": format!("channel_{name}"), "times": 1 }));
            let target = there.target(name);
            let before = there.taken(name).len();
            let lost = there.channels.send(&target, &booked()).await;
            assert_eq!(lost.outcome, AGAIN, "{name}, {fault}: {}", lost.answer);
            let again = there.channels.send(&target, &booked()).await;
            assert!(matches!(again.outcome, Outcome::Accepted { .. }), "{name}: {again:?}");
            let acknowledged: Vec<bool> =
                there.taken(name)[before..].iter().map(|a| a.acknowledged).collect();
            assert_eq!(acknowledged, [false, true], "{name}, {fault}");
        }
    }
}

#[tokio::test]
async fn a_slow_provider_times_out() {
    let there = Arc::new(There::new().await);
    there.fault(json!({ "fault": "slow", "millis": 20_000, "on": "channel" }));
    let sent = NAMES.map(|name| {
        let (there, target) = (there.clone(), there.target(name));
        tokio::spawn(async move { there.channels.send(&target, &booked()).await })
    });
    for (name, sent) in NAMES.into_iter().zip(sent) {
        let delivery = sent.await.unwrap();
        assert_eq!((delivery.outcome, delivery.answer.as_str()), (AGAIN, "no answer in time"), "{name}");
    }
}

#[tokio::test]
async fn a_migrated_chat_is_followed_once() {
    let there = There::new().await;
    there.fault(json!({ "fault": "chat_migrated", "to": -100_900, "account": "-900" }));
    let delivery = there.channels.send(&Target::Telegram { chat_id: -900 }, &booked()).await;
    assert!(matches!(delivery.outcome, Outcome::Accepted { .. }), "{delivery:?}");
    assert!(matches!(delivery.moved_to, Some(Target::Telegram { chat_id: -100_900 })), "{delivery:?}");
    assert_eq!(there.taken("telegram")[0].content.target, "-100900");
    // A chat that is migrated repeatedly causes no endless loop.
    there.fault(json!({ "fault": "chat_migrated", "to": -1, "account": "-100901" }));
    there.fault(json!({ "fault": "chat_migrated", "to": -2, "account": "-1" }));
    let before = there.requests("telegram");
    let delivery = there.channels.send(&Target::Telegram { chat_id: -100_901 }, &booked()).await;
    assert_eq!(delivery.outcome, Outcome::Broken(Reason::Refused), "{delivery:?}");
    assert_eq!(there.requests("telegram") - before, 2);
}

#[tokio::test]
async fn a_wrong_user_key_is_reported_as_a_user_error() {
    let there = There::new().await;
    let at = |path: &str| format!("{}{path}", there.sandbox.ready().channels_url);
    let wrong = "wrong";
    let targets = [
        (Target::ServerChan { send_key: wrong.into() }, Reason::Credentials),
        (Target::PushPlus { token: wrong.into() }, Reason::Credentials),
        (Target::WeCom { key: wrong.into() }, Reason::Credentials),
        (Target::DingTalk { token: "group".into(), secret: wrong.into() }, Reason::Credentials),
        (Target::Bark { server: None, device_key: wrong.into() }, Reason::Gone),
        (Target::Pushover { user_key: wrong.into() }, Reason::Credentials),
        (Target::WxPusher { uid: wrong.into() }, Reason::Gone),
        (Target::Telegram { chat_id: 0 }, Reason::Gone),
        (Target::Discord { webhook_url: at("/discord/api/webhooks/77/wrong").into() }, Reason::Credentials),
        (Target::Slack { webhook_url: at("/slack/services/T/B/wrong").into() }, Reason::Credentials),
        (
            Target::Webhook { url: at("/webhook/a").into(), secret: wrong.into(), authorization: None },
            Reason::Credentials,
        ),
        (
            Target::Webhook {
                url: at("/webhook/a").into(),
                secret: wrong.into(),
                authorization: Some("a\r\nb: c".into()),
            },
            Reason::Malformed,
        ),
        (Target::Sms { phone: "+86139".to_owned() }, Reason::Malformed),
        (Target::Sms { phone: "4165550123".to_owned() }, Reason::Malformed),
    ];
    for (target, reason) in targets {
        let delivery = there.channels.send(&target, &booked()).await;
        assert_eq!(delivery.outcome, Outcome::Broken(reason), "{target:?}: {}", delivery.answer);
        assert!(!reason.is_operators());
    }
    assert!(there.sandbox.notifications().is_empty());
}

#[tokio::test]
async fn a_wrong_server_key_is_reported_as_an_operator_error() {
    let there = There::new().await;
    let config = crate::fixture::config(&there.sandbox);
    let spoilt = Config {
        telegram_bot_token: Some("7000000001:other".into()),
        wxpusher_app_token: Some("AT_other".into()),
        pushover_app_token: Some("other".into()),
        twilio: config.twilio.map(|account| providers::channels::config::TwilioAccount {
            auth_token: "other".into(),
            ..account
        }),
        aliyun: config.aliyun.map(|account| providers::channels::config::AliyunAccount {
            access_key_secret: "other".into(),
            ..account
        }),
        ..crate::fixture::config(&there.sandbox)
    };
    let channels = Channels::new(spoilt, clock(&there.hands)).unwrap();
    for name in ["telegram", "wxpusher", "pushover", "twilio", "aliyun"] {
        let delivery = channels.send(&there.target(name), &booked()).await;
        assert_eq!(delivery.outcome, Outcome::Broken(Reason::Operator), "{name}: {}", delivery.answer);
    }
}

#[tokio::test]
async fn signatures_with_a_wrong_clock_are_refused() {
    let there = There::new().await;
    let config = crate::fixture::config(&there.sandbox);
    let late = domain::clock::ManualClock::new(there.hands.now() - chrono::TimeDelta::hours(20));
    let channels = Channels::new(config, late.clock()).unwrap();
    for name in ["dingtalk", "feishu", "webhook"] {
        let delivery = channels.send(&there.target(name), &booked()).await;
        assert_eq!(delivery.outcome, Outcome::Broken(Reason::Credentials), "{name}: {}", delivery.answer);
    }
    let delivery = channels.send(&there.target("web_push"), &booked()).await;
    assert_eq!(delivery.outcome, Outcome::Broken(Reason::Operator), "{}", delivery.answer);
}

#[tokio::test]
async fn unconfigured_channels_are_not_offered() {
    let there = There::new().await;
    let bare = Config { urls: crate::fixture::config(&there.sandbox).urls, ..Config::default() };
    let bare = Channels::new(bare, clock(&there.hands)).unwrap();
    let needs = [
        ChannelKind::Email,
        ChannelKind::WebPush,
        ChannelKind::Telegram,
        ChannelKind::WxPusher,
        ChannelKind::Pushover,
        ChannelKind::Sms,
    ];
    for kind in ChannelKind::VARIANTS {
        assert_eq!(bare.offers(*kind), !needs.contains(kind), "{kind}");
        assert_eq!(there.channels.offers(*kind), *kind != ChannelKind::Email, "{kind}");
    }
    for name in ["web_push", "telegram", "wxpusher", "pushover", "twilio", "aliyun"] {
        let delivery = bare.send(&there.target(name), &booked()).await;
        assert_eq!(delivery.outcome, Outcome::Broken(Reason::NotConfigured), "{name}");
    }
    let mut digest = booked();
    digest.kind = EventKind::Digest;
    let delivery = there.send("aliyun", &digest).await;
    assert_eq!(
        delivery.outcome,
        Outcome::Broken(Reason::NotConfigured),
        "there is no template for the message"
    );
}
