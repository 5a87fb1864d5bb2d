//! ServerChan (Server酱): sends with the user's own key to the WeChat service or to the app of
//! ServerChan. The format of the key shows which of the two to use.
//! <https://sct.ftqq.com>, <https://sc3.ft07.com>

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};

use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, Lines, one_line};

const TITLE: Limit = Limit::chars(32);
const TEXT: Limit = Limit::bytes(32 * 1024);

/// Base URLs of the two services. In the app service each user has an own host name.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub classic: &'a str,
    /// URL that contains `{uid}` in place of the user's number.
    pub app: &'a str,
}

/// Returns the user's number contained in a key of the app: 123 in `sctp123t…`.
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
            // One of the services returns a string, the other a number.
            let id = answer.json.pointer("/data/pushid").map(|id| id.to_string().replace('"', ""));
            Outcome::Accepted { receipt: id }
        }
        // The daily quota is used up ("超过当天的发送次数限制"). A wrong key has the same code, so check the
        // text.
        Some(_) if answer.text("message").contains("超过") => Outcome::Wait(Duration::from_secs(60 * 60)),
        Some(40_001) => Outcome::Broken(Reason::Credentials),
        Some(_) => Outcome::Broken(Reason::Refused),
        None if answer.status.is_client_error() => Outcome::Broken(Reason::Credentials),
        None => Outcome::AGAIN,
    }
}
