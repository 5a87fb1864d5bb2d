//! Feishu (飞书) and Lark: sends to the bot of a group, with signed requests.
//! <https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot>

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sha2::Sha256;

use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::Limit;

const TITLE: Limit = Limit::chars(100);
/// Maximum length of the text. The whole request may have 20 KB.
const LIMIT: Limit = Limit::bytes(12_000);

/// Credentials of a bot, entered by the user who owns the group.
#[derive(Clone, Copy)]
pub(super) struct Bot<'a> {
    pub token: &'a SecretString,
    pub secret: &'a SecretString,
}

pub(super) fn prepare(http: &Http, base: &str, bot: Bot<'_>, message: &Message) -> Result<Prepared, Reason> {
    let url = address(base, &["open-apis", "bot", "v2", "hook", bot.token.expose_secret()])?;
    let at = http.clock.now().timestamp();
    let mut lines = vec![json!([{ "tag": "text", "text": LIMIT.cut(&message.text) }])];
    lines.extend(
        message.link.as_ref().map(|link| json!([{ "tag": "a", "text": link.label, "href": link.url }])),
    );
    let body = json!({
        "timestamp": at.to_string(),
        "sign": sign(bot.secret.expose_secret(), at)?,
        "msg_type": "post",
        "content": { "post": { "zh_cn": { "title": TITLE.cut(&message.title), "content": lines } } },
    });
    Ok(Prepared { request: http.post(url).json(&body), judge })
}

/// Returns the signature that Feishu requires: an HMAC of an empty message whose key consists of
/// time and secret.
fn sign(secret: &str, at: i64) -> Result<String, Reason> {
    let key = format!("{at}\n{secret}");
    let mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).map_err(|_| Reason::Credentials)?;
    Ok(BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

fn judge(answer: &Answer) -> Outcome {
    match answer.number("code") {
        Some(0) => Outcome::ACCEPTED,
        Some(11_232 | 11_233 | 99_991_400) => Outcome::NEXT_MINUTE,
        Some(9_499) if answer.text("msg").contains("too many") => Outcome::NEXT_MINUTE,
        // The webhook does not exist, or the signature is wrong or expired.
        Some(19_001 | 19_021) => Outcome::Broken(Reason::Credentials),
        Some(_) => answer.busy().unwrap_or(Outcome::Broken(Reason::Refused)),
        None => answer.busy().unwrap_or(Outcome::AGAIN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_match_the_example_of_the_provider() {
        let signature = sign("demo", 1_599_360_473);
        assert_eq!(signature.as_deref(), Ok("l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8="));
    }
}
