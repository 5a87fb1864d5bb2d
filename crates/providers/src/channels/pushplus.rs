//! PushPlus: sends with the user's own token. <https://www.pushplus.plus/doc>
//!
//! PushPlus bans clients that repeat refused requests. A request refused in the response body is
//! therefore never retried.

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, Lines, one_line};

const TITLE: Limit = Limit::chars(100);
const CONTENT: Limit = Limit::chars(20_000);

pub(super) fn prepare(
    http: &Http,
    base: &str,
    token: &SecretString,
    message: &Message,
) -> Result<Prepared, Reason> {
    let url = address(base, &["send"])?;
    let content = CONTENT.join(Lines { title: &message.title, text: &message.text, tail: message.url() });
    let body = json!({
        "token": token.expose_secret(),
        "title": TITLE.cut(&one_line(&message.title)),
        "content": content,
        "template": "txt",
    });
    Ok(Prepared { request: http.post(url).json(&body), judge })
}

fn judge(answer: &Answer) -> Outcome {
    match answer.number("code") {
        Some(200) => Outcome::accepted(answer.text("data")),
        // PushPlus itself failed. This is not a refusal.
        Some(500) => Outcome::NEXT_MINUTE,
        Some(903) => Outcome::Broken(Reason::Credentials),
        Some(_) => Outcome::Broken(Reason::Refused),
        None => answer.busy().unwrap_or(match answer.status.is_client_error() {
            true => Outcome::Broken(Reason::Refused),
            false => Outcome::AGAIN,
        }),
    }
}
