//! ntfy: publishes to a topic at ntfy.sh or at the user's own server.
//! <https://docs.ntfy.sh/publish/#publish-as-json>

use domain::channel::Priority;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::addresses::CheckedUrl;
use super::http::{Answer, Http, Prepared};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::Limit;

const TITLE: Limit = Limit::bytes(250);
/// Maximum length of the text. ntfy converts longer texts to attached files.
const BODY: Limit = Limit::bytes(4000);

/// Topic with an optional token, entered by the user.
#[derive(Clone, Copy)]
pub(super) struct Topic<'a> {
    pub name: &'a SecretString,
    pub token: Option<&'a SecretString>,
}

pub(super) fn prepare(
    http: &Http,
    server: CheckedUrl,
    topic: Topic<'_>,
    message: &Message,
) -> Result<Prepared, Reason> {
    // Send JSON, because headers cannot contain a Chinese title.
    let mut body = json!({
        "topic": topic.name.expose_secret(),
        "title": TITLE.cut(&message.title),
        "message": BODY.cut(&message.text),
        "priority": priority(message.priority()),
        "tags": ["calendar"],
    });
    if let Some(url) = message.url() {
        body["click"] = json!(url);
    }
    let mut request = http.post_checked(server).json(&body);
    if let Some(token) = topic.token {
        request = request.bearer_auth(token.expose_secret());
    }
    Ok(Prepared { request, judge })
}

fn priority(priority: Priority) -> u8 {
    match priority {
        Priority::Urgent => 5,
        Priority::Normal => 4,
        Priority::Low => 2,
    }
}

fn judge(answer: &Answer) -> Outcome {
    if let Some(busy) = answer.busy() {
        return busy;
    }
    match answer.status.as_u16() {
        200 if answer.text("event") == "message" => Outcome::accepted(answer.text("id")),
        200..=299 => Outcome::AGAIN,
        401 | 403 => Outcome::Broken(Reason::Credentials),
        404 | 410 => Outcome::Broken(Reason::Gone),
        _ => Outcome::Broken(Reason::Refused),
    }
}
