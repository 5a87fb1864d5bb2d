//! Slack: sends to the incoming webhook of a channel.
//! <https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks>

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::http::{Answer, Http, Prepared};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, Lines};

const HOSTS: [&str; 2] = ["hooks.slack.com", "hooks.slack-gov.com"];
const LIMIT: Limit = Limit::chars(4000);

pub(super) fn prepare(
    http: &Http,
    webhook_url: &SecretString,
    message: &Message,
) -> Result<Prepared, Reason> {
    let to = http.policy.check_host(webhook_url.expose_secret(), &HOSTS)?;
    let link = message.link.as_ref().map(|link| format!("<{}|{}>", link.url, plain(&link.label)));
    let (title, text) = (plain(&message.title), plain(&message.text));
    let text = LIMIT.join(Lines { title: &title, text: &text, tail: link.as_deref() });
    Ok(Prepared { request: http.post_checked(to).json(&json!({ "text": text })), judge })
}

/// Escapes Slack's markup. An unescaped `<!channel>` would notify the whole channel.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn judge(answer: &Answer) -> Outcome {
    if let Some(busy) = answer.busy() {
        return busy;
    }
    match (answer.status.as_u16(), answer.text.trim()) {
        (200, "ok") => Outcome::ACCEPTED,
        (200..=299, _) => Outcome::AGAIN,
        (_, "invalid_token") => Outcome::Broken(Reason::Credentials),
        (404 | 410, _) => Outcome::Broken(Reason::Gone),
        (_, "channel_is_archived" | "channel_not_found" | "no_service") => Outcome::Broken(Reason::Gone),
        _ => Outcome::Broken(Reason::Refused),
    }
}
