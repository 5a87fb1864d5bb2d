//! Notification channels. Each provider has one small module, called a transport.
//!
//! A transport builds a request from a [`Message`] and converts the response to an [`Outcome`]. The
//! caller decides when to send a message, to which target, and how often to retry. CONTRIBUTING.md
//! lists the steps to add a channel.

use std::sync::Arc;

use domain::channel::{ChannelKind, EventKind};
use domain::clock::Clock;
use strum::VariantArray as _;

pub mod addresses;
mod aliyun;
mod bark;
mod campaign;
pub mod config;
mod dingtalk;
mod discord;
mod feishu;
pub mod greeting;
mod http;
pub mod label;
pub mod linking;
pub mod message;
mod ntfy;
pub mod outcome;
mod pushover;
mod pushplus;
pub mod registration;
mod server_chan;
mod slack;
pub mod sms;
pub mod target;
mod telegram;
mod text;
mod twilio;
mod web_push;
mod webhook;
mod wecom;
mod wxpusher;

use addresses::CheckedUrl;
use addresses::resolver::{Lookup, SystemLookup};
use config::{BaseUrls, Config};
use http::{Http, Prepared};
use message::Message;
use outcome::{Delivery, Reason};
use target::{FeishuRegion, Target};

/// HTTP clients and settings used to send messages to all channels.
pub struct Channels {
    http: Http,
    config: Config,
    identity: Option<web_push::Identity>,
}

/// Reason why the channels cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum ChannelsError {
    /// An address in the configuration is not a URL with a host.
    #[error("invalid address of the provider {0}")]
    Address(&'static str),
    /// The VAPID key or its subject is invalid, so push services would refuse the requests.
    #[error("invalid key for browser notifications, or a subject that is neither mailto: nor https://")]
    Identity,
    /// The HTTP client cannot be built.
    #[error("cannot start the HTTP client: {0}")]
    Client(#[from] reqwest::Error),
}

impl Channels {
    /// Builds the channels from the operator's settings.
    ///
    /// # Errors
    /// Returns an error if a setting cannot be used.
    pub fn new(config: Config, clock: Clock) -> Result<Self, ChannelsError> {
        Self::with_lookup(config, clock, Arc::new(SystemLookup))
    }

    /// Builds the channels with another resolver for host names given by users.
    ///
    /// # Errors
    /// Returns an error if a setting cannot be used.
    pub fn with_lookup(config: Config, clock: Clock, lookup: Arc<dyn Lookup>) -> Result<Self, ChannelsError> {
        let unusable =
            |url: &str| !reqwest::Url::parse(&url.replace("{uid}", "1")).is_ok_and(|url| url.has_host());
        if let Some((name, _)) = config.urls.all().into_iter().find(|(_, url)| unusable(url)) {
            return Err(ChannelsError::Address(name));
        }
        let identity = config.web_push.as_ref().map(|ours| {
            web_push::Identity::new(&ours.private_key, &ours.subject).ok_or(ChannelsError::Identity)
        });
        Ok(Self {
            http: Http::new(config.timeout, config.addresses.clone(), lookup, clock)?,
            identity: identity.transpose()?,
            config,
        })
    }

    /// Returns `true` if the operator has configured the accounts that this kind needs. Always
    /// `false` for mail, which [`crate::mail`] sends.
    #[must_use]
    pub fn offers(&self, kind: ChannelKind) -> bool {
        match kind {
            ChannelKind::Email => false,
            ChannelKind::WebPush => self.identity.is_some(),
            ChannelKind::Telegram => self.config.telegram_bot_token.is_some(),
            ChannelKind::WxPusher => self.config.wxpusher_app_token.is_some(),
            ChannelKind::Pushover => self.config.pushover_app_token.is_some(),
            ChannelKind::Sms => self.config.twilio.is_some() || self.config.aliyun.is_some(),
            ChannelKind::ServerChan
            | ChannelKind::PushPlus
            | ChannelKind::WeCom
            | ChannelKind::DingTalk
            | ChannelKind::Feishu
            | ChannelKind::Bark
            | ChannelKind::Ntfy
            | ChannelKind::Discord
            | ChannelKind::Slack
            | ChannelKind::Webhook => true,
        }
    }

    /// Returns all kinds that the operator has configured, in display order.
    #[must_use]
    pub fn offered(&self) -> Vec<ChannelKind> {
        ChannelKind::VARIANTS.iter().copied().filter(|kind| self.offers(*kind)).collect()
    }

    /// Returns the VAPID public key that browsers need to subscribe.
    #[must_use]
    pub fn web_push_key(&self) -> Option<String> {
        self.identity.as_ref().map(web_push::Identity::public_key)
    }

    /// Checks `target` as far as possible without sending a message.
    ///
    /// # Errors
    /// Returns the reason why the message could not be sent.
    pub fn check(&self, target: &Target) -> Result<(), Reason> {
        if let Target::Telegram { .. } = target {
            return self.config.telegram_bot_token.as_ref().map(drop).ok_or(Reason::NotConfigured);
        }
        let message = Message {
            id: String::new(),
            kind: EventKind::Verification,
            title: "?".to_owned(),
            text: String::new(),
            link: None,
            acknowledge: None,
            answers: None,
            not_after: None,
        };
        self.prepare(target, &message).map(drop)
    }

    /// Makes one attempt to deliver a message. The caller must have checked that the message is
    /// still relevant.
    pub async fn send(&self, target: &Target, message: &Message) -> Delivery {
        if let (Target::Telegram { chat_id }, Some(token)) = (target, &self.config.telegram_bot_token) {
            let bot = telegram::Bot { base: &self.config.urls.telegram, token };
            return telegram::send(&self.http, bot, *chat_id, message).await;
        }
        match self.prepare(target, message) {
            Ok(prepared) => self.http.deliver(prepared).await,
            Err(reason) => Delivery::broken(reason),
        }
    }

    /// Cancels the repetition of a Pushover message. `receipt` is the receipt that Pushover
    /// returned for the message.
    pub async fn stop_repeating(&self, receipt: &str) -> Delivery {
        let Some(token) = &self.config.pushover_app_token else {
            return Delivery::broken(Reason::NotConfigured);
        };
        let app = pushover::App { base: &self.config.urls.pushover, token };
        match pushover::prepare_cancel(&self.http, app, receipt) {
            Ok(prepared) => self.http.deliver(prepared).await,
            Err(reason) => Delivery::broken(reason),
        }
    }

    fn prepare(&self, target: &Target, message: &Message) -> Result<Prepared, Reason> {
        let (http, config, urls) = (&self.http, &self.config, &self.config.urls);
        match target {
            Target::WebPush { endpoint, p256dh, auth } => {
                let identity = self.identity.as_ref().ok_or(Reason::NotConfigured)?;
                web_push::prepare(http, identity, web_push::Subscription { endpoint, p256dh, auth }, message)
            }
            Target::Telegram { .. } => Err(Reason::NotConfigured),
            Target::WxPusher { uid } => {
                let token = config.wxpusher_app_token.as_ref().ok_or(Reason::NotConfigured)?;
                wxpusher::prepare(http, wxpusher::App { base: &urls.wxpusher, token }, uid, message)
            }
            Target::ServerChan { send_key } => {
                let places = server_chan::Places { classic: &urls.server_chan, app: &urls.server_chan_app };
                server_chan::prepare(http, places, send_key, message)
            }
            Target::PushPlus { token } => pushplus::prepare(http, &urls.pushplus, token, message),
            Target::WeCom { key } => wecom::prepare(http, &urls.wecom, key, message),
            Target::DingTalk { token, secret } => {
                dingtalk::prepare(http, &urls.dingtalk, dingtalk::Bot { token, secret }, message)
            }
            Target::Feishu { region, token, secret } => {
                feishu::prepare(http, feishu_url(urls, *region), feishu::Bot { token, secret }, message)
            }
            Target::Bark { server, device_key } => {
                bark::prepare(http, self.server(server.as_deref(), &urls.bark)?, device_key, message)
            }
            Target::Ntfy { server, topic, token } => {
                let topic = ntfy::Topic { name: topic, token: token.as_ref() };
                ntfy::prepare(http, self.server(server.as_deref(), &urls.ntfy)?, topic, message)
            }
            Target::Pushover { user_key } => {
                let token = config.pushover_app_token.as_ref().ok_or(Reason::NotConfigured)?;
                pushover::prepare(http, pushover::App { base: &urls.pushover, token }, user_key, message)
            }
            Target::Discord { webhook_url } => discord::prepare(http, webhook_url, message),
            Target::Slack { webhook_url } => slack::prepare(http, webhook_url, message),
            Target::Webhook { url, secret, authorization } => {
                let hook = webhook::Hook { url, secret, authorization: authorization.as_ref() };
                webhook::prepare(http, hook, message)
            }
            Target::Sms { phone } => self.sms(phone, message),
        }
    }

    /// Returns the server that the user configured, or the operator's default server.
    fn server(&self, own: Option<&str>, usual: &str) -> Result<CheckedUrl, Reason> {
        match own {
            Some(own) => Ok(self.http.policy.check(own)?),
            None => CheckedUrl::of_operator(usual).map_err(|_| Reason::Operator),
        }
    }

    /// Prepares a text message. Uses Aliyun for numbers in mainland China if the operator has an
    /// Aliyun account, otherwise Twilio.
    fn sms(&self, phone: &str, message: &Message) -> Result<Prepared, Reason> {
        let urls = &self.config.urls;
        if !is_phone(phone) {
            return Err(Reason::Malformed);
        }
        match (&self.config.aliyun, &self.config.twilio) {
            (Some(account), _) if phone.starts_with("+86") => {
                aliyun::prepare(&self.http, &urls.aliyun, account, phone, message)
            }
            (_, Some(account)) => twilio::prepare(&self.http, &urls.twilio, account, phone, message),
            _ => Err(Reason::NotConfigured),
        }
    }
}

fn feishu_url(urls: &BaseUrls, region: FeishuRegion) -> &str {
    match region {
        FeishuRegion::Feishu => &urls.feishu,
        FeishuRegion::Lark => &urls.lark,
    }
}

/// Returns `true` if `phone` is a number in E.164 format.
fn is_phone(phone: &str) -> bool {
    let digits = phone.strip_prefix('+').unwrap_or_default();
    (8..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0')
}

impl std::fmt::Debug for Channels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Channels").finish_non_exhaustive()
    }
}
