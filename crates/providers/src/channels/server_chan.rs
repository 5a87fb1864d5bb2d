//! ServerChan (Server酱): a message by the user's own key, of its service in WeChat or of its own app, which the key tells.
//! <https://sct.ftqq.com>, <https://sc3.ft07.com>

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};

use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, Lines, one_line};

const TITLE: Limit = Limit::chars(32);
const TEXT: Limit = Limit::bytes(32 * 1024);

/// Where the two services are; each user of the app has a host of their own there.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub classic: &'a str,
    /// With `{uid}` in the place of the user's number.
    pub app: &'a str,
}

/// The user's number in a key of the app: `sctp123t…`.
fn app_user(key: &str) -> Option<&str> {
    let (uid, rest) = key.strip_prefix("sctp")?.split_once('t')?;
    let is_number = (1..=12).contains(&uid.len()) && uid.bytes().all(|b| b.is_ascii_digit());
    (is_number && !rest.is_empty()).then_some(uid)
}

pub(super) fn prepare(
    http: &Http,
    places: Places<'_>,
    send_key: &SecretString,
    message: &Message,
) -> Result<Prepared, Reason> {
    let key = send_key.expose_secret();
    let last = format!("{key}.send");
    let url = match app_user(key) {
        Some(uid) => address(&places.app.replace("{uid}", uid), &["send", &last])?,
        None if key.starts_with("sctp") => return Err(Reason::Malformed),
        None => address(places.classic, &[&last])?,
    };
    let text = TEXT.join(Lines { title: &message.title, text: &message.text, tail: message.url() });
    let form = [("title", TITLE.cut(&one_line(&message.title))), ("desp", text)];
    Ok(Prepared { request: http.post(url).form(&form), judge })
}

fn judge(answer: &Answer) -> Outcome {
    if let Some(busy) = answer.busy() {
        return busy;
    }
    match answer.number("code") {
        Some(0) => {
            // A text of the one, a number of the other.
            let id = answer.json.pointer("/data/pushid").map(|id| id.to_string().replace('"', ""));
            Outcome::Accepted { receipt: id }
        }
        // The day's number is used up ("超过当天的发送次数限制"), under the same code as a wrong key.
        Some(_) if answer.word("message").contains("超过") => Outcome::Wait(Duration::from_secs(60 * 60)),
        Some(40_001) => Outcome::Broken(Reason::Credentials),
        Some(_) => Outcome::Broken(Reason::Refused),
        None if answer.status.is_client_error() => Outcome::Broken(Reason::Credentials),
        None => Outcome::AGAIN,
    }
}
