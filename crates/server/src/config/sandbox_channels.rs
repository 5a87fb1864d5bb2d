//! Settings that connect all notification channels to the sandbox, for the demo and for story
//! tests.

use domain::channel::EventKind;
use sandbox::channel as there;

use super::channels::{AliyunTemplate, ChannelSettings, ProviderUrl};

/// Names of providers in the setting of addresses, with the paths of their simulators in the
/// sandbox.
const PLACES: [(&str, &str); 16] = [
    ("telegram", "telegram"),
    ("telegram_links", "telegram/t.me"),
    ("wxpusher", "wxpusher"),
    ("server_chan", "server_chan"),
    ("server_chan_app", "server_chan/app/{uid}"),
    ("pushplus", "pushplus"),
    ("wecom", "wecom"),
    ("dingtalk", "dingtalk"),
    ("feishu", "feishu"),
    ("lark", "feishu"),
    ("bark", "bark"),
    ("ntfy", "ntfy"),
    ("pushover", "pushover"),
    ("twilio", "twilio"),
    ("twilio_messaging", "twilio/messaging"),
    ("aliyun", "aliyun"),
];

impl ChannelSettings {
    /// Returns the settings with every provider in the sandbox. Users may also enter addresses of
    /// the sandbox.
    #[must_use]
    pub fn at_sandbox(self, ready: &sandbox::Ready) -> Self {
        let given = |text: &str| Some(text.to_owned());
        let url = |(provider, path): (&str, &str)| ProviderUrl {
            provider: provider.to_owned(),
            url: format!("{}/{path}", ready.channels_url),
        };
        let template = |event| AliyunTemplate { event, code: "SMS_1".to_owned() };
        Self {
            push_key: given(there::PUSH_KEY),
            push_subject: given("mailto:help@sooner.example"),
            telegram_bot_token: given(there::TELEGRAM_BOT_TOKEN),
            telegram_bot: given(there::TELEGRAM_BOT),
            wxpusher_app_token: given(there::WXPUSHER_APP_TOKEN),
            pushover_app_token: given(there::PUSHOVER_APP_TOKEN),
            twilio_sid: given(there::TWILIO_SID),
            twilio_token: given(there::TWILIO_AUTH_TOKEN),
            twilio_from: given(there::TWILIO_NUMBER),
            aliyun_key_id: given(there::ALIYUN_KEY_ID),
            aliyun_key_secret: given(there::ALIYUN_KEY_SECRET),
            aliyun_sign_name: given("早签"),
            aliyun_templates: [EventKind::Booked, EventKind::NeedsYou, EventKind::Verification]
                .map(template)
                .to_vec(),
            sms_countries: ["CA", "CN"].map(str::to_owned).to_vec(),
            channel_urls: PLACES.map(url).to_vec(),
            channel_origins: vec![ready.control_url.clone()],
            ..self
        }
    }
}
