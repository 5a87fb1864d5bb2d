//! Bark: sends to an iPhone with the Bark app, through Bark's server or the user's own.
//! <https://bark.day.app>

use domain::channel::Priority;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::addresses::CheckedUrl;
use super::http::{Answer, Http, Prepared, below};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::Limit;

/// Maximum length of the title. Apple accepts 4 KB for the whole message.
const TITLE: Limit = Limit::bytes(300);
const BODY: Limit = Limit::bytes(2000);

pub(super) fn prepare(
    http: &Http,
    mut server: CheckedUrl,
    device_key: &SecretString,
    message: &Message,
) -> Result<Prepared, Reason> {
    below(&mut server.url, &["push"])?;
    let body = json!({
        "device_key": device_key.expose_secret(),
        "title": TITLE.cut(&message.title),
        "body": BODY.cut(&message.text),
        "level": level(message.priority()),
        "group": "sooner",
        "url": message.url(),
    });
    Ok(Prepared { request: http.post_checked(server).json(&body), judge })
}

fn level(priority: Priority) -> &'static str {
    match priority {
        Priority::Urgent => "timeSensitive",
        Priority::Normal => "active",
        Priority::Low => "passive",
    }
}

fn judge(answer: &Answer) -> Outcome {
    let what = answer.text("message");
    // Bark returns errors of Apple's push service with code 500.
    if ["BadDeviceToken", "Unregistered", "DeviceTokenNotForTopic"].iter().any(|word| what.contains(word)) {
        return Outcome::Broken(Reason::Gone);
    }
    match answer.number("code") {
        Some(200) => Outcome::ACCEPTED,
        Some(429 | 500..) => answer.wait(),
        Some(_) if what.contains("device token") || what.contains("device key") => {
            Outcome::Broken(Reason::Gone)
        }
        Some(401 | 403) => Outcome::Broken(Reason::Credentials),
        Some(_) => Outcome::Broken(Reason::Refused),
        None => answer.busy().unwrap_or(match answer.status.is_success() {
            true => Outcome::AGAIN,
            false => Outcome::Broken(Reason::Refused),
        }),
    }
}
