//! WxPusher: sends through the operator's app to one of its followers.
//! <https://wxpusher.zjiecode.com/docs>

use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, Lines};

const SUMMARY: Limit = Limit::chars(100);
const CONTENT: Limit = Limit::chars(40_000);
/// Success code, used for the request and for each receiver.
const DONE: i64 = 1000;

/// Credentials of the operator's app.
#[derive(Clone, Copy)]
pub(super) struct App<'a> {
    pub base: &'a str,
    pub token: &'a SecretString,
}

pub(super) fn prepare(http: &Http, app: App<'_>, uid: &str, message: &Message) -> Result<Prepared, Reason> {
    let url = address(app.base, &["api", "send", "message"])?;
    let content = CONTENT.join(Lines { title: &message.title, text: &message.text, tail: None });
    let body = json!({
        "appToken": app.token.expose_secret(),
        "summary": SUMMARY.cut(&message.title),
        "content": content,
        "contentType": 1,
        "uids": [uid],
        "url": message.url(),
    });
    Ok(Prepared { request: http.post(url).json(&body), judge })
}

fn judge(answer: &Answer) -> Outcome {
    if let Some(busy) = answer.busy() {
        return busy;
    }
    let what = answer.text("msg").to_lowercase();
    match answer.number("code") {
        Some(DONE) => of_receiver(answer),
        // The request is forbidden, unsigned or unknown, which is a fault of the operator's app.
        Some(1002..=1004) => Outcome::Broken(Reason::Operator),
        Some(1001) if what.contains("token") => Outcome::Broken(Reason::Operator),
        Some(1001) if what.contains("uid") => Outcome::Broken(Reason::Gone),
        _ => Outcome::AGAIN,
    }
}

/// Interprets the receiver's own code of a successful request.
fn of_receiver(answer: &Answer) -> Outcome {
    let receiver = answer.json.pointer("/data/0");
    let number = |name: &str| receiver.and_then(|of| of.get(name)).and_then(Value::as_i64);
    match number("code") {
        Some(DONE) => Outcome::Accepted { receipt: number("sendRecordId").map(|id| id.to_string()) },
        Some(_) => Outcome::Broken(Reason::Gone),
        None => Outcome::AGAIN,
    }
}
