//! Targets of channels, in the form in which users enter them.

use domain::channel::ChannelKind;
use providers::channels::target::{FeishuRegion, Target};
use secrecy::SecretString;
use serde::Deserialize;
use utoipa::ToSchema;

/// Target of a channel. Channels of Telegram and WxPusher are added by a link instead.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = ChannelTarget)]
pub enum TargetInput {
    /// A browser, as `PushManager.subscribe` describes it.
    WebPush {
        /// Address of the browser at its push service.
        #[schema(value_type = String)]
        endpoint: SecretString,
        /// Public key of the browser, base64url.
        p256dh: String,
        /// Secret of the browser, base64url.
        #[schema(value_type = String)]
        auth: SecretString,
    },
    /// The user's own account at ServerChan.
    ServerChan {
        /// Send key of the account, `SCT…`.
        #[schema(value_type = String)]
        send_key: SecretString,
    },
    /// The user's own account at PushPlus.
    PushPlus {
        /// Token of the account, 32 hexadecimal digits.
        #[schema(value_type = String)]
        token: SecretString,
    },
    /// A bot of a WeCom group.
    WeCom {
        /// `key` in the bot's address.
        #[schema(value_type = String)]
        key: SecretString,
    },
    /// A bot of a DingTalk group with signatures switched on.
    DingTalk {
        /// `access_token` in the bot's address.
        #[schema(value_type = String)]
        token: SecretString,
        /// Secret of the signatures, `SEC…`.
        #[schema(value_type = String)]
        secret: SecretString,
    },
    /// A bot of a Feishu or Lark group with signatures switched on.
    Feishu {
        /// Service to which the bot belongs.
        region: FeishuRegionInput,
        /// Last part of the bot's address.
        #[schema(value_type = String)]
        token: SecretString,
        /// Secret of the signatures.
        #[schema(value_type = String)]
        secret: SecretString,
    },
    /// A phone with the Bark app.
    Bark {
        /// Bark server; the public one if absent.
        server: Option<String>,
        /// Key of the phone on that server.
        #[schema(value_type = String)]
        device_key: SecretString,
    },
    /// A topic of ntfy.
    Ntfy {
        /// Ntfy server; the public one if absent.
        server: Option<String>,
        /// Name of the topic.
        #[schema(value_type = String)]
        topic: SecretString,
        /// Access token, for topics with restricted writing.
        #[schema(value_type = Option<String>)]
        token: Option<SecretString>,
    },
    /// A user of Pushover.
    Pushover {
        /// Key of the user, `u…`.
        #[schema(value_type = String)]
        user_key: SecretString,
    },
    /// A Discord channel.
    Discord {
        /// Address of the channel's webhook.
        #[schema(value_type = String)]
        webhook_url: SecretString,
    },
    /// A Slack channel.
    Slack {
        /// Address of the channel's webhook.
        #[schema(value_type = String)]
        webhook_url: SecretString,
    },
    /// Any address that accepts JSON.
    Webhook {
        /// The address.
        #[schema(value_type = String)]
        url: SecretString,
        /// Secret of the signatures.
        #[schema(value_type = String)]
        secret: SecretString,
        /// Value of an `Authorization` header.
        #[schema(value_type = Option<String>)]
        authorization: Option<SecretString>,
    },
    /// A phone.
    Sms {
        /// Phone number in E.164, for example `+14165550123`; spaces, dashes and brackets are
        /// removed.
        phone: String,
    },
}

/// Feishu and Lark: two services with the same interface.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FeishuRegion)]
pub enum FeishuRegionInput {
    /// Mainland China.
    Feishu,
    /// Outside of mainland China.
    Lark,
}

impl From<TargetInput> for Target {
    fn from(input: TargetInput) -> Self {
        let own = |server: Option<String>| server.map(trimmed).filter(|server| !server.is_empty());
        match input {
            TargetInput::WebPush { endpoint, p256dh, auth } => Self::WebPush { endpoint, p256dh, auth },
            TargetInput::ServerChan { send_key } => Self::ServerChan { send_key },
            TargetInput::PushPlus { token } => Self::PushPlus { token },
            TargetInput::WeCom { key } => Self::WeCom { key },
            TargetInput::DingTalk { token, secret } => Self::DingTalk { token, secret },
            TargetInput::Feishu { region, token, secret } => {
                let region = match region {
                    FeishuRegionInput::Feishu => FeishuRegion::Feishu,
                    FeishuRegionInput::Lark => FeishuRegion::Lark,
                };
                Self::Feishu { region, token, secret }
            }
            TargetInput::Bark { server, device_key } => Self::Bark { server: own(server), device_key },
            TargetInput::Ntfy { server, topic, token } => Self::Ntfy { server: own(server), topic, token },
            TargetInput::Pushover { user_key } => Self::Pushover { user_key },
            TargetInput::Discord { webhook_url } => Self::Discord { webhook_url },
            TargetInput::Slack { webhook_url } => Self::Slack { webhook_url },
            TargetInput::Webhook { url, secret, authorization } => {
                Self::Webhook { url, secret, authorization }
            }
            TargetInput::Sms { phone } => {
                Self::Sms { phone: phone.chars().filter(|c| !" -()\u{a0}.".contains(*c)).collect() }
            }
        }
    }
}

fn trimmed(text: String) -> String {
    text.trim().to_owned()
}

/// Returns `true` if a channel of this kind is verified by a code. A browser gets a greeting
/// instead.
pub(super) fn is_proven_by_code(kind: ChannelKind) -> bool {
    kind != ChannelKind::WebPush
}
