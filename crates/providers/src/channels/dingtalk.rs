//! DingTalk (钉钉): sends to the bot of a group, with signed requests.
//! <https://open.dingtalk.com/document/robots/custom-robot-access>

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sha2::Sha256;

use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, Lines, one_line};

const TITLE: Limit = Limit::chars(100);
const LIMIT: Limit = Limit::bytes(15_000);

/// Credentials of a bot, entered by the user who owns the group.
#[derive(Clone, Copy)]
pub(super) struct Bot<'a> {
    pub token: &'a SecretString,
    pub secret: &'a SecretString,
}

pub(super) fn prepare(http: &Http, base: &str, bot: Bot<'_>, message: &Message) -> Result<Prepared, Reason> {
    let at = http.clock.now().timestamp_millis();
    let mut url = address(base, &["robot", "send"])?;
    url.query_pairs_mut()
        .append_pair("access_token", bot.token.expose_secret())
        .append_pair("timestamp", &at.to_string())
        .append_pair("sign", &sign(bot.secret.expose_secret(), at)?);
    let link = message.link.as_ref().map(|link| format!("[{}]({})", link.label, link.url));
    // Markdown requires an empty line for a line break.
    let text = message.text.replace('\n', "\n\n");
    let text = LIMIT.join(Lines {
        title: &format!("#### {}\n", one_line(&message.title)),
        text: &text,
        tail: link.map(|link| format!("\n{link}")).as_deref(),
    });
    let body = json!({
        "msgtype": "markdown",
        "markdown": { "title": TITLE.cut(&one_line(&message.title)), "text": text },
    });
    Ok(Prepared { request: http.post(url).json(&body), judge })
}

fn sign(secret: &str, at: i64) -> Result<String, Reason> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(|_| Reason::Credentials)?;
    mac.update(format!("{at}\n{secret}").as_bytes());
    Ok(BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

fn judge(answer: &Answer) -> Outcome {
    if let Some(busy) = answer.busy() {
        return busy;
    }
    match answer.number("errcode") {
        Some(0) => Outcome::ACCEPTED,
        // DingTalk accepts 20 messages a minute.
        Some(130_101 | 410_100) => Outcome::NEXT_MINUTE,
        Some(-1) => Outcome::AGAIN,
        // The signature, keyword or IP address is refused, or the token is unknown.
        Some(310_000 | 300_001 | 300_005) => Outcome::Broken(Reason::Credentials),
        // The group was dissolved, or the bot was removed or disabled.
        Some(400_013 | 400_101 | 400_102) => Outcome::Broken(Reason::Gone),
        Some(_) => Outcome::Broken(Reason::Refused),
        None => Outcome::AGAIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_match_the_example_of_the_provider() {
        let signature = sign("this is secret", 1_577_262_236_757);
        assert_eq!(signature.as_deref(), Ok("hmPWwU+7lVdm3ZZz0r9tSfx0L4Q26jWOZr9+Gs6EZQM="));
    }
}
