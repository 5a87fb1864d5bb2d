//! Settings of notification channels. A channel that needs an account of the operator at its
//! provider is offered only if the account is configured.

use std::collections::BTreeMap;
use std::str::FromStr;

use clap::Args;
use domain::channel::EventKind;
use domain::clock::Instant;
use ipnet::IpNet;
use providers::channels::addresses::Policy;
use providers::channels::config::{AliyunAccount, BaseUrls, Config, TwilioAccount, VapidIdentity};
use secrecy::SecretString;
use store::outbox::arrival::Ceiling;

/// Accounts of the operator at providers of notification channels.
#[derive(Clone, Args)]
pub struct ChannelSettings {
    /// Key for the push services of browsers: a P-256 key, base64url of 32 random bytes. With the
    /// subject it enables browser notifications. Browsers have to subscribe again after a change.
    #[arg(long, env = "SOONER_PUSH_KEY", hide_env_values = true)]
    pub push_key: Option<String>,
    /// Contact of the operator for push services: a real `mailto:` or `https://` address.
    #[arg(long, env = "SOONER_PUSH_SUBJECT")]
    pub push_subject: Option<String>,
    /// Token of the Telegram bot; with its name it enables Telegram.
    #[arg(long, env = "SOONER_TELEGRAM_BOT_TOKEN", hide_env_values = true)]
    pub telegram_bot_token: Option<String>,
    /// Name of the Telegram bot, without `@`.
    #[arg(long, env = "SOONER_TELEGRAM_BOT")]
    pub telegram_bot: Option<String>,
    /// Token of the app at WxPusher (`AT_…`).
    #[arg(long, env = "SOONER_WXPUSHER_APP_TOKEN", hide_env_values = true)]
    pub wxpusher_app_token: Option<String>,
    /// Token of the app at Pushover.
    #[arg(long, env = "SOONER_PUSHOVER_APP_TOKEN", hide_env_values = true)]
    pub pushover_app_token: Option<String>,
    /// Account at Twilio (`AC…`) for text messages; requires token and number.
    #[arg(long, env = "SOONER_TWILIO_SID")]
    pub twilio_sid: Option<String>,
    /// Token of the account at Twilio.
    #[arg(long, env = "SOONER_TWILIO_TOKEN", hide_env_values = true)]
    pub twilio_token: Option<String>,
    /// Number that sends text messages, e.g. `+14165550123`.
    #[arg(long, env = "SOONER_TWILIO_FROM")]
    pub twilio_from: Option<String>,
    /// Sender that each text message names, as the law requires. At Aliyun the signature names it.
    #[arg(long, env = "SOONER_SMS_SENDER", default_value = "Sooner")]
    pub sms_sender: String,
    /// Access key at Aliyun for text messages to mainland China; requires secret, signature and
    /// templates.
    #[arg(long, env = "SOONER_ALIYUN_KEY_ID")]
    pub aliyun_key_id: Option<String>,
    /// Secret of the access key at Aliyun.
    #[arg(long, env = "SOONER_ALIYUN_KEY_SECRET", hide_env_values = true)]
    pub aliyun_key_secret: Option<String>,
    /// Registered signature of text messages at Aliyun.
    #[arg(long, env = "SOONER_ALIYUN_SIGN_NAME")]
    pub aliyun_sign_name: Option<String>,
    /// Approved templates at Aliyun, `booked=SMS_1,needs_you=SMS_2,verification=SMS_3`; each has
    /// one parameter, `text`.
    #[arg(long, env = "SOONER_ALIYUN_TEMPLATES", value_delimiter = ',')]
    pub aliyun_templates: Vec<AliyunTemplate>,
    /// Countries whose numbers may be added for text messages: two-letter codes, comma-separated.
    #[arg(long, env = "SOONER_SMS_COUNTRIES", value_delimiter = ',', default_value = "CA")]
    pub sms_countries: Vec<String>,
    /// Maximum number of text messages to one user in a month.
    #[arg(long, env = "SOONER_SMS_PER_MONTH", default_value_t = 30)]
    pub sms_per_month: u32,
    /// Maximum cost of all text messages of a day (UTC), in cents of the provider's bill: codes,
    /// tests and notifications. Recipients of alarms are notified when it is reached.
    #[arg(long, env = "SOONER_SMS_DAY_CENTS", default_value_t = 600)]
    pub sms_day_cents: u32,
    /// Maximum cost of one text of 160 characters, or 70 Chinese ones, in tenths of a cent.
    #[arg(long, env = "SOONER_SMS_TEXT_MILLS", default_value_t = 12)]
    pub sms_text_mills: u32,
    /// Alternative addresses of providers, `bark=https://bark.example,ntfy=https://ntfy.example`.
    #[arg(long, env = "SOONER_CHANNEL_URLS", value_delimiter = ',')]
    pub channel_urls: Vec<ProviderUrl>,
    /// Subnets that are not public but that addresses of users may resolve to, e.g. `10.1.0.0/16`.
    #[arg(long, env = "SOONER_CHANNEL_SUBNETS", value_delimiter = ',')]
    pub channel_subnets: Vec<IpNet>,
    /// Origins that are not public or not encrypted but that users may name, e.g.
    /// `http://ntfy.internal`.
    #[arg(long, env = "SOONER_CHANNEL_ORIGINS", value_delimiter = ',')]
    pub channel_origins: Vec<String>,
}

/// A template of text messages at Aliyun, for one kind of event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliyunTemplate {
    /// Kind of event for which the template is used.
    pub event: EventKind,
    /// Code of the template at Aliyun.
    pub code: String,
}

/// Alternative address of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderUrl {
    /// Name of the provider, as in `BaseUrls`.
    pub provider: String,
    /// The address.
    pub url: String,
}

impl FromStr for AliyunTemplate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (event, code) = text.split_once('=').ok_or("not EVENT=TEMPLATE")?;
        let event = event.trim().parse().map_err(|_| format!("unknown event {event}"))?;
        Ok(Self { event, code: code.trim().to_owned() })
    }
}

impl FromStr for ProviderUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (provider, url) = text.split_once('=').ok_or("not PROVIDER=ADDRESS")?;
        let (provider, url) = (provider.trim(), url.trim());
        match BaseUrls::default().set(provider, url) {
            true => Ok(Self { provider: provider.to_owned(), url: url.to_owned() }),
            false => Err(format!("unknown provider {provider}")),
        }
    }
}

/// An invalid setting, with the reason.
pub type SettingError = (&'static str, String);

impl ChannelSettings {
    /// Returns the configuration of the channel clients.
    ///
    /// # Errors
    /// Returns an error if a setting is missing that another one requires.
    pub fn config(&self) -> Result<Config, SettingError> {
        let mut urls = BaseUrls::default();
        for given in &self.channel_urls {
            urls.set(&given.provider, &given.url);
        }
        let [push, telegram] = [
            together("--push-key", [&self.push_key, &self.push_subject])?,
            together("--telegram-bot-token", [&self.telegram_bot_token, &self.telegram_bot])?,
        ];
        Ok(Config {
            urls,
            web_push: push
                .map(|[key, subject]| VapidIdentity { private_key: SecretString::from(key), subject }),
            telegram_bot_token: telegram.map(|[token, _]| SecretString::from(token)),
            wxpusher_app_token: given(&self.wxpusher_app_token).map(SecretString::from),
            pushover_app_token: given(&self.pushover_app_token).map(SecretString::from),
            twilio: self.twilio()?,
            aliyun: self.aliyun()?,
            addresses: Policy {
                allowed_subnets: self.channel_subnets.clone(),
                trusted_origins: self.channel_origins.clone(),
            },
            ..Config::default()
        })
    }

    /// Returns the daily limit of the costs of text messages.
    #[must_use]
    pub fn sms_ceiling(&self, now: Instant) -> Ceiling {
        Ceiling { day: now.date_naive(), most: i64::from(self.sms_day_cents) * 10 }
    }

    /// Computes the cost of a message in tenths of a cent. `segments` is the number of texts that
    /// the provider bills.
    #[must_use]
    pub fn sms_cost(&self, segments: u32) -> i64 {
        i64::from(segments) * i64::from(self.sms_text_mills)
    }

    fn twilio(&self) -> Result<Option<TwilioAccount>, SettingError> {
        let all = together("--twilio-sid", [&self.twilio_sid, &self.twilio_token, &self.twilio_from])?;
        Ok(all.map(|[sid, token, from]| TwilioAccount {
            sid,
            auth_token: SecretString::from(token),
            from,
            sender: self.sms_sender.clone(),
            status_callback: None,
        }))
    }

    fn aliyun(&self) -> Result<Option<AliyunAccount>, SettingError> {
        let names = [&self.aliyun_key_id, &self.aliyun_key_secret, &self.aliyun_sign_name];
        let Some([access_key_id, secret, sign_name]) = together("--aliyun-key-id", names)? else {
            return Ok(None);
        };
        if self.aliyun_templates.is_empty() {
            return Err((
                "--aliyun-templates",
                "no template is set, so no text message could be sent".to_owned(),
            ));
        }
        let templates: BTreeMap<_, _> =
            self.aliyun_templates.iter().map(|t| (t.event, t.code.clone())).collect();
        Ok(Some(AliyunAccount {
            access_key_id,
            access_key_secret: SecretString::from(secret),
            sign_name,
            templates,
        }))
    }
}

/// Returns the value of a setting; an empty variable counts as unset.
fn given(value: &Option<String>) -> Option<String> {
    value.clone().filter(|value| !value.is_empty())
}

/// Returns the values of settings that must be set together; `None` if all are unset.
fn together<const N: usize>(
    setting: &'static str,
    values: [&Option<String>; N],
) -> Result<Option<[String; N]>, SettingError> {
    let values = values.map(given);
    if values.iter().all(Option::is_none) {
        return Ok(None);
    }
    match values.iter().all(Option::is_some) {
        true => Ok(Some(values.map(Option::unwrap_or_default))),
        false => Err((setting, "some of the settings that belong to it are missing".to_owned())),
    }
}
