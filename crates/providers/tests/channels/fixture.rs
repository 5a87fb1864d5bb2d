//! Sandbox, channels connected to it, and one target at each provider.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::channel::EventKind;
use domain::clock::Clock;
use providers::channels::Channels;
use providers::channels::addresses::Policy;
use providers::channels::config::{AliyunAccount, BaseUrls, Config, TwilioAccount, VapidIdentity};
use providers::channels::message::{Link, Message};
use providers::channels::outcome::Delivery;
use providers::channels::target::{FeishuRegion, Target};
use sandbox::channel as there;
use sandbox::{ManualClock, Options, Sandbox};
use serde_json::Value;

/// Names of the sandbox's providers.
pub const NAMES: [&str; 16] = [
    "web_push",
    "telegram",
    "wxpusher",
    "server_chan",
    "pushplus",
    "wecom",
    "dingtalk",
    "feishu",
    "bark",
    "ntfy",
    "pushover",
    "discord",
    "slack",
    "webhook",
    "twilio",
    "aliyun",
];

pub struct There {
    pub sandbox: Sandbox,
    pub channels: Channels,
    pub hands: ManualClock,
}

impl There {
    pub async fn new() -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let hands = ManualClock::new("2026-11-19T03:00:00Z".parse().unwrap());
        let options = Options {
            scenario: "empty".to_owned(),
            clock: sandbox::Clock::Manual(hands.clone()),
            ..Options::default()
        };
        let sandbox = sandbox::start(options).await.unwrap();
        let channels = Channels::new(config(&sandbox), clock(&hands)).unwrap();
        Self { sandbox, channels, hands }
    }

    /// Returns the test's target at a provider.
    pub fn target(&self, name: &str) -> Target {
        let at = |path: &str| format!("{}{path}", self.sandbox.ready().channels_url);
        match name {
            "web_push" => {
                let browser = self.sandbox.subscribe_browser().unwrap();
                Target::WebPush {
                    endpoint: browser.endpoint.into(),
                    p256dh: browser.keys.p256dh,
                    auth: browser.keys.auth.into(),
                }
            }
            "telegram" => Target::Telegram { chat_id: 4_200_001 },
            "wxpusher" => Target::WxPusher { uid: "UID_ann".to_owned() },
            "server_chan" => Target::ServerChan { send_key: "SCT1Tann".into() },
            "pushplus" => Target::PushPlus { token: "0123456789abcdef0123456789abcdef".into() },
            "wecom" => Target::WeCom { key: "group-1".into() },
            "dingtalk" => Target::DingTalk { token: "group-2".into(), secret: there::DINGTALK_SECRET.into() },
            "feishu" => Target::Feishu {
                region: FeishuRegion::Feishu,
                token: "group-3".into(),
                secret: there::FEISHU_SECRET.into(),
            },
            "bark" => Target::Bark { server: None, device_key: "phone-1".into() },
            "ntfy" => Target::Ntfy { server: Some(at("/ntfy")), topic: "ann-1".into(), token: None },
            "pushover" => Target::Pushover { user_key: "uannuannuannuannuannuannuannuu".into() },
            "discord" => Target::Discord { webhook_url: at("/discord/api/webhooks/77/token").into() },
            "slack" => Target::Slack { webhook_url: at("/slack/services/T1/B1/token").into() },
            "webhook" => Target::Webhook {
                url: at("/webhook/ann").into(),
                secret: there::WEBHOOK_SECRET.into(),
                authorization: Some("Basic YW5u".into()),
            },
            "twilio" => Target::Sms { phone: "+14165550123".to_owned() },
            "aliyun" => Target::Sms { phone: "+8613800138000".to_owned() },
            other => panic!("no target at {other}"),
        }
    }

    pub async fn send(&self, name: &str, message: &Message) -> Delivery {
        self.channels.send(&self.target(name), message).await
    }

    pub fn fault(&self, fault: Value) {
        let fault = serde_json::from_value(fault).unwrap();
        self.sandbox.with_world(|world| world.add_fault(fault));
    }

    pub fn clear_faults(&self) {
        self.sandbox.with_world(|world| world.remove_faults(None));
    }

    /// Returns all messages that a provider accepted.
    pub fn taken(&self, name: &str) -> Vec<there::Arrival> {
        self.sandbox.notifications().into_iter().filter(|arrival| arrival.provider == name).collect()
    }

    /// Returns the number of requests to a provider, accepted or not.
    pub fn requests(&self, name: &str) -> usize {
        let kind = format!("channel_{name}");
        self.sandbox.with_world(|world| world.journal.after(0).iter().filter(|e| e.kind == kind).count())
    }
}

pub fn clock(hands: &ManualClock) -> Clock {
    let hands = hands.clone();
    Clock::new(move || hands.now())
}

/// Returns settings for all channels in which every provider is the sandbox's.
pub fn config(sandbox: &Sandbox) -> Config {
    let ready = sandbox.ready();
    let at = |name: &str| format!("{}/{name}", ready.channels_url);
    let templates = [EventKind::Booked, EventKind::NeedsYou].map(|kind| (kind, "SMS_1".to_owned()));
    Config {
        urls: BaseUrls {
            telegram: at("telegram"),
            telegram_links: at("telegram/t.me"),
            wxpusher: at("wxpusher"),
            server_chan: at("server_chan"),
            server_chan_app: at("server_chan/app/{uid}"),
            pushplus: at("pushplus"),
            wecom: at("wecom"),
            dingtalk: at("dingtalk"),
            feishu: at("feishu"),
            lark: at("feishu"),
            bark: at("bark"),
            ntfy: at("ntfy"),
            pushover: at("pushover"),
            twilio: at("twilio"),
            twilio_messaging: at("twilio/messaging"),
            aliyun: at("aliyun"),
        },
        web_push: Some(VapidIdentity {
            private_key: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94".into(),
            subject: "mailto:ops@example.com".to_owned(),
        }),
        telegram_bot_token: Some(there::TELEGRAM_BOT_TOKEN.into()),
        wxpusher_app_token: Some(there::WXPUSHER_APP_TOKEN.into()),
        pushover_app_token: Some(there::PUSHOVER_APP_TOKEN.into()),
        twilio: Some(TwilioAccount {
            sid: there::TWILIO_SID.to_owned(),
            auth_token: there::TWILIO_AUTH_TOKEN.into(),
            from: "+14165550100".to_owned(),
            sender: "Sooner".to_owned(),
            status_callback: Some("https://sooner.example/sms".to_owned()),
        }),
        aliyun: Some(AliyunAccount {
            access_key_id: there::ALIYUN_KEY_ID.to_owned(),
            access_key_secret: there::ALIYUN_KEY_SECRET.into(),
            sign_name: "早签".to_owned(),
            templates: BTreeMap::from(templates),
        }),
        addresses: Policy { allowed_subnets: Vec::new(), trusted_origins: vec![ready.control_url.clone()] },
        timeout: Duration::from_millis(1500),
    }
}

/// Returns the message about a booking, in Chinese.
pub fn booked() -> Message {
    Message {
        id: "booked:018f".to_owned(),
        kind: EventKind::Booked,
        title: "已预约：多伦多 2月3日".to_owned(),
        text: "面谈时间 2027-02-03 上午 8:15。\n旧的预约已取消。".to_owned(),
        link: Some(Link { url: "https://sooner.example/t/1".to_owned(), label: "查看".to_owned() }),
        acknowledge: None,
        answers: None,
        not_after: None,
    }
}
