//! ServerChan (Server酱): a message by the user's own key. <https://sct.ftqq.com>

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};

use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, Lines, one_line};

const TITLE: Limit = Limit::chars(32);
const TEXT: Limit = Limit::bytes(32 * 1024);

pub(super) fn prepare(
    http: &Http,
    base: &str,
    send_key: &SecretString,
    message: &Message,
) -> Result<Prepared, Reason> {
    let url = address(base, &[&format!("{}.send", send_key.expose_secret())])?;
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
            let id = answer.json.pointer("/data/pushid").and_then(serde_json::Value::as_str);
            Outcome::Accepted { receipt: id.map(str::to_owned) }
        }
        // The day's number is used up ("超过当天的发送次数限制"), under the same code as a wrong key.
        Some(_) if answer.word("message").contains("超过") => Outcome::Wait(Duration::from_secs(60 * 60)),
        Some(40_001) => Outcome::Broken(Reason::Credentials),
        Some(_) => Outcome::Broken(Reason::Refused),
        None if answer.status.is_client_error() => Outcome::Broken(Reason::Credentials),
        None => Outcome::AGAIN,
    }
}
