//! Target of a channel, that is the address to which messages are sent, including its secrets.

use domain::channel::ChannelKind;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};

/// Address to which a channel sends messages. Its JSON contains secrets and must be stored
/// encrypted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Target {
    /// A browser's push subscription, as returned by `PushManager.subscribe`.
    WebPush {
        /// URL at the push service. The URL alone permits sending.
        #[serde(serialize_with = "exposed")]
        endpoint: SecretString,
        /// Public key of the browser, base64url.
        p256dh: String,
        /// Authentication secret of the browser, base64url.
        #[serde(serialize_with = "exposed")]
        auth: SecretString,
    },
    /// A chat with the operator's Telegram bot.
    Telegram {
        /// Identifier of the chat, negative for groups.
        chat_id: i64,
    },
    /// A user who follows the operator's WxPusher app.
    WxPusher {
        /// Identifier of the user, `UID_…`.
        uid: String,
    },
    /// A user's own ServerChan account.
    ServerChan {
        /// Key of the account, `SCT…` or `sctp…`.
        #[serde(serialize_with = "exposed")]
        send_key: SecretString,
    },
    /// A user's own PushPlus account.
    PushPlus {
        /// Token of the account, 32 hexadecimal digits.
        #[serde(serialize_with = "exposed")]
        token: SecretString,
    },
    /// The bot of a WeCom group.
    WeCom {
        /// `key` parameter of the bot's URL.
        #[serde(serialize_with = "exposed")]
        key: SecretString,
    },
    /// The bot of a DingTalk group, with signed requests.
    DingTalk {
        /// `access_token` parameter of the bot's URL.
        #[serde(serialize_with = "exposed")]
        token: SecretString,
        /// Signing secret, `SEC…`.
        #[serde(serialize_with = "exposed")]
        secret: SecretString,
    },
    /// The bot of a Feishu or Lark group, with signed requests.
    Feishu {
        /// The service that hosts the bot.
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
        /// The user's own Bark server; `None` for the operator's default server.
        server: Option<String>,
        /// Key of the phone at the Bark server.
        #[serde(serialize_with = "exposed")]
        device_key: SecretString,
    },
    /// An ntfy topic.
    Ntfy {
        /// The user's own ntfy server; `None` for the operator's default server.
        server: Option<String>,
        /// Name of the topic. Anyone who knows the name can read the topic.
        #[serde(serialize_with = "exposed")]
        topic: SecretString,
        /// Access token, for topics that not every client may write to.
        #[serde(serialize_with = "maybe_exposed")]
        token: Option<SecretString>,
    },
    /// A Pushover user.
    Pushover {
        /// Key of the user, `u…`.
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
    /// Any URL that accepts a JSON body.
    Webhook {
        /// URL that receives the POST.
        #[serde(serialize_with = "exposed")]
        url: SecretString,
        /// Secret for signing requests.
        #[serde(serialize_with = "exposed")]
        secret: SecretString,
        /// Value of the `Authorization` header.
        #[serde(serialize_with = "maybe_exposed")]
        authorization: Option<SecretString>,
    },
    /// A phone. The message is sent through the operator's provider for the phone's country.
    Sms {
        /// Phone number in E.164 format, e.g. `+14165550123`.
        phone: String,
    },
}

/// The two regional services, which have the same API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeishuRegion {
    /// The service for mainland China.
    Feishu,
    /// The service for other countries.
    Lark,
}

impl Target {
    /// Returns the kind of channel of this target.
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
