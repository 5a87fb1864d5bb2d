//! WeCom (企业微信): sends to the bot of a group.
//! <https://developer.work.weixin.qq.com/document/path/91770>

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, Lines};

const LIMIT: Limit = Limit::bytes(4096);

pub(super) fn prepare(
    http: &Http,
    base: &str,
    key: &SecretString,
    message: &Message,
) -> Result<Prepared, Reason> {
    let mut url = address(base, &["cgi-bin", "webhook", "send"])?;
    url.query_pairs_mut().append_pair("key", key.expose_secret());
    let link = message.link.as_ref().map(|link| format!("[{}]({})", plain(&link.label), link.url));
    let (title, text) = (plain(&message.title), plain(&message.text));
    let content = LIMIT.join(Lines { title: &title, text: &text, tail: link.as_deref() });
    let body = json!({ "msgtype": "markdown", "markdown": { "content": content } });
    Ok(Prepared { request: http.post(url).json(&body), judge })
}

/// Replaces `<`, because `<@…>` would mention a member of the group.
fn plain(text: &str) -> String {
    text.replace('<', "＜")
}

fn judge(answer: &Answer) -> Outcome {
    if let Some(busy) = answer.busy() {
        return busy;
    }
    match answer.number("errcode") {
        Some(0) => Outcome::ACCEPTED,
        Some(45_009) => Outcome::NEXT_MINUTE,
        Some(-1) => Outcome::AGAIN,
        // The bot was removed or never existed.
        Some(93_000 | 40_001 | 40_014 | 41_001) => Outcome::Broken(Reason::Credentials),
        Some(_) => Outcome::Broken(Reason::Refused),
        None => Outcome::AGAIN,
    }
}
