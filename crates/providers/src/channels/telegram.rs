//! Telegram: sends through the operator's bot. <https://core.telegram.org/bots/api#sendmessage>

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::http::{Answer, Http, Prepared, address, seconds_of};
use super::message::Message;
use super::outcome::{Delivery, Outcome, Reason};
use super::target::Target;
use super::text::{Limit, Lines};

/// Maximum length of a message, counted in UTF-16 code units.
const LIMIT: Limit = Limit::utf16(4096);
/// Prefix of the data of the button that declines a question.
const DECLINE: &str = "no:";

/// Credentials of the operator's bot.
#[derive(Clone, Copy)]
pub(super) struct Bot<'a> {
    pub base: &'a str,
    pub token: &'a SecretString,
}

/// Sends a message to a chat. If Telegram reports that the chat has become a supergroup, sends the
/// message to the supergroup instead.
pub(super) async fn send(http: &Http, bot: Bot<'_>, chat_id: i64, message: &Message) -> Delivery {
    let to = |chat_id| prepare(http, bot, chat_id, message);
    let answer = match to(chat_id) {
        Ok(prepared) => http.call(prepared.request).await,
        Err(reason) => return Delivery::broken(reason),
    };
    match answer {
        Ok(answer) => match (migrated_to(&answer), migrated_to(&answer).map(to)) {
            (Some(chat_id), Some(Ok(again))) => {
                let moved_to = Some(Target::Telegram { chat_id });
                Delivery { moved_to, ..http.deliver(again).await }
            }
            _ => Delivery::new(judge(&answer), answer.shown()),
        },
        Err(failed) => failed,
    }
}

fn prepare(http: &Http, bot: Bot<'_>, chat_id: i64, message: &Message) -> Result<Prepared, Reason> {
    let url = address(bot.base, &[&format!("bot{}", bot.token.expose_secret()), "sendMessage"])?;
    let button = message.link.as_ref().filter(|link| link.url.starts_with("https://"));
    // Telegram refuses a button with a local URL, so such a link is added to the text.
    let tail = if button.is_some() { None } else { message.url() };
    let text = LIMIT.join(Lines { title: &message.title, text: &message.text, tail });
    let mut body = json!({
        "chat_id": chat_id,
        "text": text,
        "link_preview_options": { "is_disabled": true },
    });
    if let Some(link) = button {
        let opens = |label: &str| json!({ "text": label, "url": link.url });
        let buttons =
            match message.answers.as_ref().and_then(|answers| Some((answers, decline_data(&answers.token)?)))
            {
                Some((answers, data)) => {
                    vec![opens(&answers.yes), json!({ "text": answers.no, "callback_data": data })]
                }
                None => vec![opens(&link.label)],
            };
        body["reply_markup"] = json!({ "inline_keyboard": [buttons] });
    }
    Ok(Prepared { request: http.post(url).json(&body), judge })
}

/// Returns the data of the button that declines a question. Telegram permits 64 bytes, so the token
/// is encoded shorter. Returns `None` for a malformed token.
fn decline_data(token: &str) -> Option<String> {
    let mut raw = [0; 32];
    hex::decode_to_slice(token, &mut raw).ok()?;
    Some(format!("{DECLINE}{}", BASE64_URL_SAFE_NO_PAD.encode(raw)))
}

/// Returns the token of the question that a pressed button declines; `None` for other data.
pub(super) fn declined_token(data: &str) -> Option<[u8; 32]> {
    BASE64_URL_SAFE_NO_PAD.decode(data.strip_prefix(DECLINE)?).ok()?.try_into().ok()
}

fn migrated_to(answer: &Answer) -> Option<i64> {
    answer.json.pointer("/parameters/migrate_to_chat_id").and_then(Value::as_i64)
}

fn judge(answer: &Answer) -> Outcome {
    if answer.json["ok"] == true {
        let id = answer.json.pointer("/result/message_id").and_then(Value::as_i64);
        return Outcome::Accepted { receipt: id.map(|id| id.to_string()) };
    }
    let code = answer.number("error_code").unwrap_or_else(|| i64::from(answer.status.as_u16()));
    let what = answer.text("description").to_lowercase();
    match code {
        429 => {
            let wait = answer.json.pointer("/parameters/retry_after").and_then(Value::as_f64);
            wait.and_then(seconds_of).map_or_else(|| answer.wait(), Outcome::Wait)
        }
        500.. => answer.wait(),
        _ if answer.is_foreign() => Outcome::AGAIN,
        // Telegram does not know the operator's token.
        401 | 404 => Outcome::Broken(Reason::Operator),
        403 if what.contains("deactivated") || what.contains("kicked") => Outcome::Broken(Reason::Gone),
        403 => Outcome::Broken(Reason::Blocked),
        400 if what.contains("chat not found") => Outcome::Broken(Reason::Gone),
        _ => Outcome::Broken(Reason::Refused),
    }
}
