//! Operator's settings for notification channels. A channel that needs an operator's account is
//! offered only if the account is configured.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::channel::EventKind;
use secrecy::SecretString;

use super::addresses::Policy;

/// Addresses of the providers and the credentials of this server at each of them.
#[derive(Clone, Debug)]
pub struct Config {
    /// Base URLs of the providers.
    pub urls: BaseUrls,
    /// VAPID identity of this server for browser notifications.
    pub web_push: Option<VapidIdentity>,
    /// Token of the operator's Telegram bot.
    pub telegram_bot_token: Option<SecretString>,
    /// Token of the operator's WxPusher app (`AT_…`).
    pub wxpusher_app_token: Option<SecretString>,
    /// Token of the operator's Pushover app.
    pub pushover_app_token: Option<SecretString>,
    /// Account for text messages to all countries except those served by `aliyun`.
    pub twilio: Option<TwilioAccount>,
    /// Account for text messages to mainland China.
    pub aliyun: Option<AliyunAccount>,
    /// Rules for URLs given by users.
    pub addresses: Policy,
    /// Timeout of one request to a provider.
    pub timeout: Duration,
}

/// Base URLs of the providers' APIs.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each is named as its provider")]
pub struct BaseUrls {
    pub telegram: String,
    /// Base URL of links that open a bot in Telegram.
    pub telegram_links: String,
    pub wxpusher: String,
    pub server_chan: String,
    /// URL that contains `{uid}` in place of the user's number.
    pub server_chan_app: String,
    pub pushplus: String,
    pub wecom: String,
    pub dingtalk: String,
    pub feishu: String,
    pub lark: String,
    pub bark: String,
    pub ntfy: String,
    pub pushover: String,
    pub twilio: String,
    /// Base URL of Twilio's API for messaging services and campaigns.
    pub twilio_messaging: String,
    pub aliyun: String,
}

/// VAPID identity of this server at push services (RFC 8292).
#[derive(Clone, Debug)]
pub struct VapidIdentity {
    /// The P-256 private key, 32 bytes in base64url.
    pub private_key: SecretString,
    /// Contact address of the operator, a `mailto:` or `https://` URL.
    pub subject: String,
}

/// A Twilio account that sends text messages.
#[derive(Clone, Debug)]
pub struct TwilioAccount {
    /// Identifier of the account, `AC…`.
    pub sid: String,
    /// Token of the account.
    pub auth_token: SecretString,
    /// Sending phone number in E.164 format.
    pub from: String,
    /// Sender name included in each text message.
    pub sender: String,
    /// URL that Twilio calls with delivery reports. The identifier of the message is appended.
    pub status_callback: Option<String>,
}

/// An Aliyun account that sends text messages within mainland China.
#[derive(Clone, Debug)]
pub struct AliyunAccount {
    /// Identifier of the access key.
    pub access_key_id: String,
    /// Secret of the access key.
    pub access_key_secret: SecretString,
    /// The signature (sender name) registered at Aliyun.
    pub sign_name: String,
    /// Approved template for each kind of event. The title of the message fills its only parameter,
    /// `text`. Kinds without a template are not sent.
    pub templates: BTreeMap<EventKind, String>,
}

impl Config {
    /// Configures Twilio to send delivery reports to this site, if Twilio can reach `site`.
    #[must_use]
    pub fn with_reports_to(mut self, site: &str) -> Self {
        let is_simulated = self.urls.twilio != BaseUrls::default().twilio;
        if let Some(twilio) = self.twilio.as_mut().filter(|_| is_simulated || site.starts_with("https://")) {
            twilio.status_callback = Some(format!("{site}/api/v1/sms/twilio/status"));
        }
        self
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            urls: BaseUrls::default(),
            web_push: None,
            telegram_bot_token: None,
            wxpusher_app_token: None,
            pushover_app_token: None,
            twilio: None,
            aliyun: None,
            addresses: Policy::default(),
            timeout: Duration::from_secs(10),
        }
    }
}

impl Default for BaseUrls {
    fn default() -> Self {
        Self {
            telegram: "https://api.telegram.org".to_owned(),
            telegram_links: "https://t.me".to_owned(),
            wxpusher: "https://wxpusher.zjiecode.com".to_owned(),
            server_chan: "https://sctapi.ftqq.com".to_owned(),
            server_chan_app: "https://{uid}.push.ft07.com".to_owned(),
            pushplus: "https://www.pushplus.plus".to_owned(),
            wecom: "https://qyapi.weixin.qq.com".to_owned(),
            dingtalk: "https://oapi.dingtalk.com".to_owned(),
            feishu: "https://open.feishu.cn".to_owned(),
            lark: "https://open.larksuite.com".to_owned(),
            bark: "https://api.day.app".to_owned(),
            ntfy: "https://ntfy.sh".to_owned(),
            pushover: "https://api.pushover.net".to_owned(),
            twilio: "https://api.twilio.com".to_owned(),
            twilio_messaging: "https://messaging.twilio.com".to_owned(),
            aliyun: "https://dysmsapi.aliyuncs.com".to_owned(),
        }
    }
}

impl BaseUrls {
    /// Replaces the base URL of a provider. Returns `false` if no provider has this name.
    pub fn set(&mut self, name: &str, url: &str) -> bool {
        let place = match name {
            "telegram" => &mut self.telegram,
            "telegram_links" => &mut self.telegram_links,
            "wxpusher" => &mut self.wxpusher,
            "server_chan" => &mut self.server_chan,
            "server_chan_app" => &mut self.server_chan_app,
            "pushplus" => &mut self.pushplus,
            "wecom" => &mut self.wecom,
            "dingtalk" => &mut self.dingtalk,
            "feishu" => &mut self.feishu,
            "lark" => &mut self.lark,
            "bark" => &mut self.bark,
            "ntfy" => &mut self.ntfy,
            "pushover" => &mut self.pushover,
            "twilio" => &mut self.twilio,
            "twilio_messaging" => &mut self.twilio_messaging,
            "aliyun" => &mut self.aliyun,
            _ => return false,
        };
        url.trim_end_matches('/').clone_into(place);
        true
    }

    /// Returns the name and base URL of each provider, for checks of the configuration.
    #[must_use]
    pub fn all(&self) -> [(&'static str, &str); 16] {
        [
            ("telegram", &self.telegram),
            ("telegram_links", &self.telegram_links),
            ("wxpusher", &self.wxpusher),
            ("server_chan", &self.server_chan),
            ("server_chan_app", &self.server_chan_app),
            ("pushplus", &self.pushplus),
            ("wecom", &self.wecom),
            ("dingtalk", &self.dingtalk),
            ("feishu", &self.feishu),
            ("lark", &self.lark),
            ("bark", &self.bark),
            ("ntfy", &self.ntfy),
            ("pushover", &self.pushover),
            ("twilio", &self.twilio),
            ("twilio_messaging", &self.twilio_messaging),
            ("aliyun", &self.aliyun),
        ]
    }
}
