//! Target of a channel, with its secrets.

use domain::channel::ChannelKind;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};

/// Target of a message. Its JSON holds the secrets and must only be stored sealed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Target {
    /// A browser, as `PushManager.subscribe` describes it.
    WebPush {
        /// URL at the push service. Knowing it is enough to send.
        #[serde(serialize_with = "exposed")]
        endpoint: SecretString,
        /// Public key of the browser, base64url.
        p256dh: String,
        /// Authentication secret of the browser, base64url.
        #[serde(serialize_with = "exposed")]
        auth: SecretString,
    },
    /// A chat with the operator's bot.
    Telegram {
        /// Id of the chat; negative for groups.
        chat_id: i64,
    },
    /// A follower of the operator's app.
    WxPusher {
        /// `UID_…`.
        uid: String,
    },
    /// A user's own account.
    ServerChan {
        /// `SCT…`.
        #[serde(serialize_with = "exposed")]
        send_key: SecretString,
    },
    /// A user's own account.
    PushPlus {
        /// 32 hexadecimal digits.
        #[serde(serialize_with = "exposed")]
        token: SecretString,
    },
    /// A group's bot.
    WeCom {
        /// `key` parameter of the bot's URL.
        #[serde(serialize_with = "exposed")]
        key: SecretString,
    },
    /// A group's bot, with signatures enabled.
    DingTalk {
        /// `access_token` parameter of the bot's URL.
        #[serde(serialize_with = "exposed")]
        token: SecretString,
        /// `SEC…`.
        #[serde(serialize_with = "exposed")]
        secret: SecretString,
    },
    /// A group's bot, with signatures enabled.
    Feishu {
        /// Service of the bot.
        region: FeishuRegion,
        /// Last path segment of the bot's URL.
        #[serde(serialize_with = "exposed")]
        token: SecretString,
        /// Signing secret.
        #[serde(serialize_with = "exposed")]
        secret: SecretString,
    },
    /// A phone with the Bark app.
    Bark {
        /// User's own server, instead of the operator's choice.
        server: Option<String>,
        /// Key of the phone at that server.
        #[serde(serialize_with = "exposed")]
        device_key: SecretString,
    },
    /// A topic of ntfy.
    Ntfy {
        /// User's own server, instead of the operator's choice.
        server: Option<String>,
        /// Name of the topic. Knowing it is enough to read.
        #[serde(serialize_with = "exposed")]
        topic: SecretString,
        /// Access token, for topics with restricted write access.
        #[serde(serialize_with = "maybe_exposed")]
        token: Option<SecretString>,
    },
    /// A user of Pushover.
    Pushover {
        /// `u…`.
        #[serde(serialize_with = "exposed")]
        user_key: SecretString,
    },
    /// A Discord channel.
    Discord {
        /// URL of the webhook, which contains the secret.
        #[serde(serialize_with = "exposed")]
        webhook_url: SecretString,
    },
    /// A Slack channel.
    Slack {
        /// URL of the webhook, which contains the secret.
        #[serde(serialize_with = "exposed")]
        webhook_url: SecretString,
    },
    /// Any URL that accepts JSON.
    Webhook {
        /// URL that receives the POST.
        #[serde(serialize_with = "exposed")]
        url: SecretString,
        /// Signing secret.
        #[serde(serialize_with = "exposed")]
        secret: SecretString,
        /// Value of an `Authorization` header.
        #[serde(serialize_with = "maybe_exposed")]
        authorization: Option<SecretString>,
    },
    /// A phone. The operator's provider for its country sends the message.
    Sms {
        /// E.164, e.g. `+14165550123`.
        phone: String,
    },
}

/// Two services with the same API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeishuRegion {
    /// Mainland China.
    Feishu,
    /// Other countries.
    Lark,
}

impl Target {
    /// Returns the kind of channel that the target belongs to.
    #[must_use]
    pub fn kind(&self) -> ChannelKind {
        match self {
            Self::WebPush { .. } => ChannelKind::WebPush,
            Self::Telegram { .. } => ChannelKind::Telegram,
            Self::WxPusher { .. } => ChannelKind::WxPusher,
            Self::ServerChan { .. } => ChannelKind::ServerChan,
            Self::PushPlus { .. } => ChannelKind::PushPlus,
            Self::WeCom { .. } => ChannelKind::WeCom,
            Self::DingTalk { .. } => ChannelKind::DingTalk,
            Self::Feishu { .. } => ChannelKind::Feishu,
            Self::Bark { .. } => ChannelKind::Bark,
            Self::Ntfy { .. } => ChannelKind::Ntfy,
            Self::Pushover { .. } => ChannelKind::Pushover,
            Self::Discord { .. } => ChannelKind::Discord,
            Self::Slack { .. } => ChannelKind::Slack,
            Self::Webhook { .. } => ChannelKind::Webhook,
            Self::Sms { .. } => ChannelKind::Sms,
        }
    }
}

fn exposed<S: Serializer>(secret: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose_secret())
}

fn maybe_exposed<S: Serializer>(secret: &Option<SecretString>, serializer: S) -> Result<S::Ok, S::Error> {
    secret.as_ref().map(ExposeSecret::expose_secret).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_round_trip_through_json_and_hide_secrets() {
        let target = Target::Ntfy {
            server: None,
            topic: "my-topic".into(),
            token: Some(SecretString::from("tk_secret")),
        };
        let json = serde_json::to_string(&target).expect("the target is serialized");
        assert_eq!(json, r#"{"kind":"ntfy","server":null,"topic":"my-topic","token":"tk_secret"}"#);
        let read: Target = serde_json::from_str(&json).expect("the target is deserialized");
        assert_eq!(serde_json::to_string(&read).expect("the target is serialized"), json);
        let shown = format!("{read:?}");
        assert!(!shown.contains("my-topic") && !shown.contains("tk_secret"), "{shown}");
        assert_eq!(read.kind(), ChannelKind::Ntfy);
    }
}
