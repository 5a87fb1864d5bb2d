//! Labels of channels in the user interface. A label lets the user recognise the channel and
//! reveals no secret.

use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};

use super::target::Target;

/// Number of characters of a long secret that a label shows.
const SHOWN: usize = 4;
const LONG: usize = 12;

impl Target {
    /// Returns the label for the user interface.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::WebPush { endpoint, .. } => host(endpoint.expose_secret()),
            Self::Telegram { .. } => String::new(),
            Self::WxPusher { uid } => tail(uid),
            Self::ServerChan { send_key } => end(send_key),
            Self::PushPlus { token } | Self::DingTalk { token, .. } | Self::Feishu { token, .. } => {
                end(token)
            }
            Self::WeCom { key } => end(key),
            Self::Bark { server, device_key } => at(server.as_deref(), &end(device_key)),
            Self::Ntfy { server, topic, .. } => at(server.as_deref(), &end(topic)),
            Self::Pushover { user_key } => end(user_key),
            Self::Discord { webhook_url } | Self::Slack { webhook_url } => end(webhook_url),
            Self::Webhook { url, .. } => host(url.expose_secret()),
            Self::Sms { phone } => masked(phone),
        }
    }
}

fn end(secret: &SecretString) -> String {
    tail(secret.expose_secret())
}

/// Returns the last characters of a secret, or nothing if the secret is short.
fn tail(text: &str) -> String {
    let shown = if text.chars().count() >= LONG { SHOWN } else { 0 };
    let rest = text.chars().count() - shown;
    format!("…{}", text.chars().skip(rest).collect::<String>())
}

fn host(address: &str) -> String {
    let url = Url::parse(address.trim()).ok();
    url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

fn at(server: Option<&str>, name: &str) -> String {
    match server {
        Some(server) => format!("{} {name}", host(server)),
        None => name.to_owned(),
    }
}

/// Returns a masked phone number, `+1 ••• ••• 0123`, with the same format for all countries.
fn masked(phone: &str) -> String {
    let digits: Vec<char> = phone.chars().filter(char::is_ascii_digit).collect();
    let country = if digits.first() == Some(&'1') { 1 } else { 2 };
    if digits.len() < country + SHOWN {
        return "+".to_owned();
    }
    let (head, last) = (&digits[..country], &digits[digits.len() - SHOWN..]);
    format!("+{} ••• ••• {}", head.iter().collect::<String>(), last.iter().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_identify_targets_without_showing_secrets() {
        let cases = [
            (Target::Sms { phone: "+14165550123".to_owned() }, "+1 ••• ••• 0123"),
            (Target::Sms { phone: "+8613800138000".to_owned() }, "+86 ••• ••• 8000"),
            (Target::ServerChan { send_key: "SCT123456789abcd".into() }, "…abcd"),
            (Target::Ntfy { server: None, topic: "short".into(), token: None }, "…"),
            (
                Target::Bark {
                    server: Some("https://bark.example".to_owned()),
                    device_key: "0123456789abcdef".into(),
                },
                "bark.example …cdef",
            ),
            (
                Target::Webhook {
                    url: "https://hooks.example/secret".into(),
                    secret: "s".into(),
                    authorization: None,
                },
                "hooks.example",
            ),
            (Target::Discord { webhook_url: "https://discord.com/api/webhooks/1/tokenabcd".into() }, "…abcd"),
        ];
        for (target, label) in cases {
            assert_eq!(target.label(), label, "{target:?}");
        }
    }
}
