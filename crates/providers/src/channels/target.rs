//! Where a channel leads, with the secrets that open it.

use domain::channel::ChannelKind;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};

/// Where a message goes. Its JSON holds the secrets: it is only to be sealed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Target {
    /// A browser, as `PushManager.subscribe` describes it.
    WebPush {
        /// The push service's address for it; whoever knows it can send.
        #[serde(serialize_with = "exposed")]
        endpoint: SecretString,
        /// Its public key, base64url.
        p256dh: String,
        /// Its secret, base64url.
        #[serde(serialize_with = "exposed")]
        auth: SecretString,
    },
    /// A chat with the operator's bot.
    Telegram {
        /// The chat; below zero for groups.
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
    /// A bot of a group.
    WeCom {
        /// The `key` of its address.
        #[serde(serialize_with = "exposed")]
        key: SecretString,
    },
    /// A bot of a group, with signatures switched on.
    DingTalk {
        /// The `access_token` of its address.
        #[serde(serialize_with = "exposed")]
        token: SecretString,
        /// `SEC…`.
        #[serde(serialize_with = "exposed")]
        secret: SecretString,
    },
    /// A bot of a group, with signatures switched on.
    Feishu {
        /// Which of the two services.
        region: FeishuRegion,
        /// The last part of its address.
        #[serde(serialize_with = "exposed")]
        token: SecretString,
        /// What it is signed with.
        #[serde(serialize_with = "exposed")]
        secret: SecretString,
    },
    /// A phone with the Bark app.
    Bark {
        /// Another server than the operator's choice.
        server: Option<String>,
        /// The phone's key there.
        #[serde(serialize_with = "exposed")]
        device_key: SecretString,
    },
    /// A topic of ntfy.
    Ntfy {
        /// Another server than the operator's choice.
        server: Option<String>,
        /// Its name; whoever knows it can read.
        #[serde(serialize_with = "exposed")]
        topic: SecretString,
        /// For topics that not everybody may write to.
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
        /// Its address, the secret within.
        #[serde(serialize_with = "exposed")]
        webhook_url: SecretString,
    },
    /// A Slack channel.
    Slack {
        /// Its address, the secret within.
        #[serde(serialize_with = "exposed")]
        webhook_url: SecretString,
    },
    /// Any address that takes JSON.
    Webhook {
        /// The address.
        #[serde(serialize_with = "exposed")]
        url: SecretString,
        /// What it is signed with.
        #[serde(serialize_with = "exposed")]
        secret: SecretString,
        /// The value of an `Authorization` header.
        #[serde(serialize_with = "maybe_exposed")]
        authorization: Option<SecretString>,
    },
    /// A phone, by the provider that the operator has for its country.
    Sms {
        /// E.164, e.g. `+14165550123`.
        phone: String,
    },
}

/// The two services with the same interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeishuRegion {
    /// Mainland China.
    Feishu,
    /// Everywhere else.
    Lark,
}

impl Target {
    /// Which kind of channel it belongs to.
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
    fn a_target_comes_back_from_its_json_and_shows_no_secret() {
        let target = Target::Ntfy {
            server: None,
            topic: "my-topic".into(),
            token: Some(SecretString::from("tk_secret")),
        };
        let json = serde_json::to_string(&target).expect("it is written");
        assert_eq!(json, r#"{"kind":"ntfy","server":null,"topic":"my-topic","token":"tk_secret"}"#);
        let read: Target = serde_json::from_str(&json).expect("it is read");
        assert_eq!(serde_json::to_string(&read).expect("it is written"), json);
        let shown = format!("{read:?}");
        assert!(!shown.contains("my-topic") && !shown.contains("tk_secret"), "{shown}");
        assert_eq!(read.kind(), ChannelKind::Ntfy);
    }
}
