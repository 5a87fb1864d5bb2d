//! Telegram's bot API for sending messages.

use serde_json::{Value, json};

use super::{
    Provider, ProviderError, TELEGRAM_BOT_TOKEN,
    arrivals::Content,
    call::{Call, Reply, split},
};

pub(super) const PROVIDER: Provider = Provider { name: "telegram", read, taken, refuse };

fn read(call: &Call<'_>) -> Result<Content, Reply> {
    match call.path::<2>() {
        Some([bot, "sendMessage"]) if bot.strip_prefix("bot") == Some(TELEGRAM_BOT_TOKEN) => {}
        Some([bot, _]) if bot.starts_with("bot") && !bot.contains(':') => {
            return Err(error(404, "Not Found"));
        }
        Some(_) => return Err(error(401, "Unauthorized")),
        None => return Err(error(404, "Not Found")),
    }
    let text = call.text("/text");
    if text.is_empty() {
        return Err(error(400, "Bad Request: message text is empty"));
    }
    if text.encode_utf16().count() > 4096 {
        return Err(error(400, "Bad Request: message is too long"));
    }
    let chat = call.json["chat_id"].as_i64().filter(|id| *id != 0);
    let chat = chat.ok_or_else(|| error(400, "Bad Request: chat not found"))?;
    let button = call.text("/reply_markup/inline_keyboard/0/0/url");
    if !button.is_empty() && !button.starts_with("https://") {
        return Err(error(400, "Bad Request: inline keyboard button URL is invalid"));
    }
    let (title, text) = split(text);
    let link = (!button.is_empty()).then(|| button.to_owned());
    let label = call.text("/reply_markup/inline_keyboard/0/0/text");
    let mut extra = json!({ "button": label });
    if let Some(press) = call.json.pointer("/reply_markup/inline_keyboard/0/1") {
        let data = press["callback_data"].as_str().filter(|data| (1..=64).contains(&data.len()));
        extra["press"] = json!(data.ok_or_else(|| error(400, "Bad Request: BUTTON_DATA_INVALID"))?);
        extra["press_label"] = press["text"].clone();
    }
    Ok(Content { title, text, link, extra, ..Content::to(chat.to_string()) })
}

fn taken(id: u64) -> Reply {
    Reply::json(200, &json!({ "ok": true, "result": { "message_id": id } }))
}

fn refuse(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => error(400, "Bad Request: can't parse entities"),
        // Telegram states the wait only in the body.
        ProviderError::Limited(seconds) => {
            with(429, &format!("Too Many Requests: retry after {seconds}"), json!({ "retry_after": seconds }))
        }
        ProviderError::Gone => error(400, "Bad Request: chat not found"),
        ProviderError::Blocked => error(403, "Forbidden: bot was blocked by the user"),
    }
}

/// Returns the response for a group that was migrated to another chat.
pub(super) fn migrated(to: i64) -> Reply {
    let words = "Bad Request: group chat was upgraded to a supergroup chat";
    with(400, words, json!({ "migrate_to_chat_id": to }))
}

fn error(code: u16, words: &str) -> Reply {
    Reply::json(code, &json!({ "ok": false, "error_code": code, "description": words }))
}

fn with(code: u16, words: &str, parameters: Value) -> Reply {
    let body = json!({ "ok": false, "error_code": code, "description": words, "parameters": parameters });
    Reply::json(code, &body)
}
