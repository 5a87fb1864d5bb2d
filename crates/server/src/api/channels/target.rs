//! Where a channel is to lead, as its user types it.

use domain::channel::ChannelKind;
use providers::channels::target::{FeishuRegion, Target};
use secrecy::SecretString;
use serde::Deserialize;
use utoipa::ToSchema;

/// Where a channel is to lead. Telegram and WxPusher come by a link instead.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = ChannelTarget)]
pub enum TargetInput {
    /// A browser, as `PushManager.subscribe` describes it.
    WebPush {
        /// The push service's address for it.
        #[schema(value_type = String)]
        endpoint: SecretString,
        /// Its public key, base64url.
        p256dh: String,
        /// Its secret, base64url.
        #[schema(value_type = String)]
        auth: SecretString,
    },
    /// A user's own account at ServerChan.
    ServerChan {
        /// `SCT…`.
        #[schema(value_type = String)]
        send_key: SecretString,
    },
    /// A user's own account at PushPlus.
    PushPlus {
        /// 32 hexadecimal digits.
        #[schema(value_type = String)]
        token: SecretString,
    },
    /// A bot of a WeCom group.
    WeCom {
        /// The `key` of its address.
        #[schema(value_type = String)]
        key: SecretString,
    },
    /// A bot of a DingTalk group, with signatures switched on.
    DingTalk {
        /// The `access_token` of its address.
        #[schema(value_type = String)]
        token: SecretString,
        /// `SEC…`.
        #[schema(value_type = String)]
        secret: SecretString,
    },
    /// A bot of a Feishu or Lark group, with signatures switched on.
    Feishu {
        /// Which of the two services.
        region: FeishuRegionInput,
        /// The last part of its address.
        #[schema(value_type = String)]
        token: SecretString,
        /// What it is signed with.
        #[schema(value_type = String)]
        secret: SecretString,
    },
    /// A phone with the Bark app.
    Bark {
        /// Another server than the usual one.
        server: Option<String>,
        /// The phone's key there.
        #[schema(value_type = String)]
        device_key: SecretString,
    },
    /// A topic of ntfy.
    Ntfy {
        /// Another server than the usual one.
        server: Option<String>,
        /// Its name.
        #[schema(value_type = String)]
        topic: SecretString,
        /// For topics that not everybody may write to.
        #[schema(value_type = Option<String>)]
        token: Option<SecretString>,
    },
    /// A user of Pushover.
    Pushover {
        /// `u…`.
        #[schema(value_type = String)]
        user_key: SecretString,
    },
    /// A Discord channel.
    Discord {
        /// Its webhook's address.
        #[schema(value_type = String)]
        webhook_url: SecretString,
    },
    /// A Slack channel.
    Slack {
        /// Its webhook's address.
        #[schema(value_type = String)]
        webhook_url: SecretString,
    },
    /// Any address that takes JSON.
    Webhook {
        /// The address.
        #[schema(value_type = String)]
        url: SecretString,
        /// What it is signed with.
        #[schema(value_type = String)]
        secret: SecretString,
        /// The value of an `Authorization` header.
        #[schema(value_type = Option<String>)]
        authorization: Option<SecretString>,
    },
    /// A phone.
    Sms {
        /// E.164, e.g. `+14165550123`; spaces, dashes and brackets are left out.
        phone: String,
    },
}

/// The two services with the same interface.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = FeishuRegion)]
pub enum FeishuRegionInput {
    /// Mainland China.
    Feishu,
    /// Everywhere else.
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

/// Whether a code is sent there; a browser is greeted instead.
pub(super) fn is_proven_by_code(kind: ChannelKind) -> bool {
    kind != ChannelKind::WebPush
}
