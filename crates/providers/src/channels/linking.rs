//! Linking of a user's chat or phone, with the operator's Telegram bot or WxPusher app. Reads bot
//! updates, and creates and reads codes that the user scans.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::Channels;
use super::http::{Answer, Http, address};
use super::outcome::{Outcome, Reason};
use super::telegram::declined_token;

/// Extra time for a long-polling request beyond the wait that it requests.
const SLACK: Duration = Duration::from_secs(10);
/// Minimum interval between two queries for the same code. WxPusher bans clients that query more
/// often.
pub const BETWEEN_SCANS: Duration = Duration::from_secs(10);

/// Reason why a provider's response could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The operator has not configured the provider, or the provider refuses the operator's
    /// credentials.
    #[error("refused because of the operator's account: {0}")]
    Operator(String),
    /// Another process requests updates with the same bot token.
    #[error("another process polls for updates")]
    Taken,
    /// A temporary failure.
    #[error("try again later: {answer}")]
    Later {
        /// Minimum time until the next attempt.
        wait: Duration,
        /// Beginning of the provider's response, or the reason why there is none.
        answer: String,
    },
}

/// Action of a user in a chat with the Telegram bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Sequence number. The next request passes this number plus one.
    pub number: i64,
    /// The chat in which the user acted.
    pub chat: Chat,
    /// The action.
    pub what: ChatAction,
}

/// A Telegram chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chat {
    /// Identifier of the chat, negative for groups.
    pub id: i64,
    /// Display name of the user or the group.
    pub name: String,
}

/// Kind of an action in a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatAction {
    /// The user started the bot, possibly through a link with a token.
    Start(Option<String>),
    /// The user sent the stop command.
    Stop,
    /// The user blocked the bot, or removed it from a group.
    Blocked,
    /// The user pressed the button of a question that declines it.
    Decline {
        /// Identifier of the press, for [`Channels::telegram_pressed`].
        press: String,
        /// Token of the question.
        token: [u8; 32],
    },
    /// Any other action.
    Other,
}

/// Code that the user scans with a phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanCode {
    /// Identifier of the code, for [`Channels::wxpusher_scanned`].
    pub code: String,
    /// URL of the code's picture, for users who are already on the phone.
    pub url: String,
    /// Picture as a `data:` URL, or `None` if the picture could not be fetched.
    pub picture: Option<String>,
}

impl Channels {
    /// Returns the link that starts the bot `bot` and passes `token`.
    ///
    /// # Errors
    /// Returns an error if the base URL of bot links is invalid.
    pub fn telegram_link(&self, bot: &str, token: &str) -> Result<String, LinkError> {
        let mut url = address(&self.config.urls.telegram_links, &[bot]).map_err(|_| not_set_up())?;
        url.query_pairs_mut().append_pair("start", token);
        Ok(url.into())
    }

    /// Waits up to `wait` for updates of the bot, starting at `offset`. Only one process may
    /// request updates.
    ///
    /// # Errors
    /// Returns an error if Telegram refuses the request, or if another process requests updates.
    pub async fn telegram_updates(&self, offset: i64, wait: Duration) -> Result<Vec<Update>, LinkError> {
        let asked = json!({
            "offset": offset,
            "timeout": wait.as_secs(),
            "allowed_updates": ["message", "callback_query", "my_chat_member"],
        });
        let answer = self.ask_bot("getUpdates", &asked, wait + SLACK).await?;
        let all = answer.json["result"].as_array().cloned().unwrap_or_default();
        Ok(all.iter().filter_map(read_update).collect())
    }

    /// Confirms the press of a button, whose spinner then ends.
    ///
    /// # Errors
    /// Returns an error if Telegram refuses the request or does not answer.
    pub async fn telegram_pressed(&self, press: &str) -> Result<(), LinkError> {
        self.ask_bot("answerCallbackQuery", &json!({ "callback_query_id": press }), SLACK).await?;
        Ok(())
    }

    /// Returns the user name of the operator's bot.
    ///
    /// # Errors
    /// Returns an error if Telegram refuses the token or does not answer.
    pub async fn telegram_bot_name(&self) -> Result<String, LinkError> {
        let answer = self.ask_bot("getMe", &json!({}), SLACK).await?;
        Ok(answer.json["result"]["username"].as_str().unwrap_or_default().to_owned())
    }

    async fn ask_bot(&self, what: &str, asked: &Value, longest: Duration) -> Result<Answer, LinkError> {
        let token = self.config.telegram_bot_token.as_ref().ok_or_else(not_set_up)?;
        let url = address(&self.config.urls.telegram, &[&format!("bot{}", token.expose_secret()), what]);
        let url = url.map_err(|_| not_set_up())?;
        let answer = call(&self.http, self.http.post(url).json(asked).timeout(longest)).await?;
        if answer.json["ok"] == true {
            return Ok(answer);
        }
        Err(match answer.status.as_u16() {
            401 | 404 => LinkError::Operator(answer.shown()),
            409 => LinkError::Taken,
            _ => later(&answer),
        })
    }

    /// Creates a code for one user, valid for `valid`. WxPusher returns `extra` when the code is
    /// scanned.
    ///
    /// # Errors
    /// Returns an error if WxPusher refuses the request.
    pub async fn wxpusher_code(&self, extra: &str, valid: Duration) -> Result<ScanCode, LinkError> {
        let token: &SecretString = self.config.wxpusher_app_token.as_ref().ok_or_else(not_set_up)?;
        let url = address(&self.config.urls.wxpusher, &["api", "fun", "create", "qrcode"]);
        let body = json!({
            "appToken": token.expose_secret(), "extra": extra, "validTime": valid.as_secs(),
        });
        let request = self.http.post(url.map_err(|_| not_set_up())?).json(&body);
        let answer = call(&self.http, request).await?;
        let word = |name: &str| answer.json["data"][name].as_str().unwrap_or_default().to_owned();
        if answer.number("code") != Some(1000) || word("code").is_empty() {
            let of_token = answer.text("msg").to_lowercase().contains("token");
            return Err(if of_token { LinkError::Operator(answer.shown()) } else { later(&answer) });
        }
        let picture = match reqwest::Url::parse(&word("url")) {
            Ok(url) => self.http.picture(url).await,
            Err(_) => None,
        };
        let picture =
            picture.map(|(kind, bytes)| format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes)));
        let short = word("shortUrl");
        let url = if short.is_empty() { word("url") } else { short };
        Ok(ScanCode { code: word("code"), url, picture })
    }

    /// Returns the UID of the user who scanned a code, or `None` if it was not scanned yet. The
    /// caller must wait [`BETWEEN_SCANS`] between two calls.
    ///
    /// # Errors
    /// Returns an error if WxPusher does not answer.
    pub async fn wxpusher_scanned(&self, code: &str) -> Result<Option<String>, LinkError> {
        let url = address(&self.config.urls.wxpusher, &["api", "fun", "scan-qrcode-uid"]);
        let mut url = url.map_err(|_| not_set_up())?;
        url.query_pairs_mut().append_pair("code", code);
        let answer = call(&self.http, self.http.get(url)).await?;
        if answer.busy().is_some() || answer.is_foreign() {
            return Err(later(&answer));
        }
        let uid =
            Some(answer.text("data")).filter(|uid| answer.number("code") == Some(1000) && !uid.is_empty());
        Ok(uid.map(str::to_owned))
    }
}

fn not_set_up() -> LinkError {
    LinkError::Operator("not set up".to_owned())
}

fn later(answer: &Answer) -> LinkError {
    let wait = answer.json.pointer("/parameters/retry_after").and_then(Value::as_u64);
    let wait = match (wait, answer.wait()) {
        (Some(seconds), _) => Duration::from_secs(seconds.min(3600)),
        (None, Outcome::Wait(wait)) => wait,
        (None, _) => Duration::ZERO,
    };
    LinkError::Later { wait, answer: answer.shown() }
}

async fn call(http: &Http, request: reqwest::RequestBuilder) -> Result<Answer, LinkError> {
    http.call(request).await.map_err(|failed| match failed.outcome {
        Outcome::Broken(Reason::Malformed) => not_set_up(),
        _ => LinkError::Later { wait: Duration::ZERO, answer: failed.answer },
    })
}

fn read_update(update: &Value) -> Option<Update> {
    let number = update["update_id"].as_i64()?;
    // Return an update without a chat too. Otherwise its number is not acknowledged, and Telegram
    // delivers it again.
    let nothing = || Update { number, chat: Chat { id: 0, name: String::new() }, what: ChatAction::Other };
    let chat = |of: &Value| Some(Chat { id: of["id"].as_i64()?, name: name_of(of) });
    if let Some(message) = update.get("message") {
        let what = parse_command(message["text"].as_str().unwrap_or_default());
        return Some(chat(&message["chat"]).map_or_else(nothing, |chat| Update { number, chat, what }));
    }
    if let Some(press) = update.get("callback_query") {
        let what = decline(press).unwrap_or(ChatAction::Other);
        return Some(chat(&press["message"]["chat"]).map_or_else(nothing, |chat| Update {
            number,
            chat,
            what,
        }));
    }
    let change = &update["my_chat_member"];
    let status = change["new_chat_member"]["status"].as_str().unwrap_or_default();
    let what = if matches!(status, "kicked" | "left") { ChatAction::Blocked } else { ChatAction::Other };
    Some(chat(&change["chat"]).map_or_else(nothing, |chat| Update { number, chat, what }))
}

/// Reads the press of a button that declines a question.
fn decline(press: &Value) -> Option<ChatAction> {
    let token = declined_token(press["data"].as_str()?)?;
    Some(ChatAction::Decline { press: press["id"].as_str()?.to_owned(), token })
}

/// Parses a command. In groups the command includes the bot's name: `/stop@SoonerBot`.
fn parse_command(text: &str) -> ChatAction {
    let mut words = text.split_whitespace();
    let command = words.next().unwrap_or_default();
    match command.split('@').next().unwrap_or_default() {
        "/start" => ChatAction::Start(words.next().map(str::to_owned)),
        "/stop" => ChatAction::Stop,
        _ => ChatAction::Other,
    }
}

/// Returns the user's `@name`, the user's first and last name, or the title of the group.
fn name_of(chat: &Value) -> String {
    let word = |name: &str| chat[name].as_str().unwrap_or_default().trim().to_owned();
    let user = word("username");
    if !user.is_empty() {
        return format!("@{user}");
    }
    let title = word("title");
    let name = if title.is_empty() { format!("{} {}", word("first_name"), word("last_name")) } else { title };
    let printable = name.trim().chars().filter(|c| !c.is_control());
    printable.take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_parse_as_user_actions() {
        let message =
            |text: &str, chat: Value| json!({ "update_id": 5, "message": { "text": text, "chat": chat } });
        let ann = json!({ "id": 7, "type": "private", "first_name": "Ann", "last_name": "Example" });
        let read = |update: Value| read_update(&update).map(|update| (update.chat.name, update.what));
        assert_eq!(
            read(message("/start abc_-9", ann.clone())),
            Some(("Ann Example".to_owned(), ChatAction::Start(Some("abc_-9".to_owned()))))
        );
        let group = json!({ "id": -7, "title": "us" });
        assert_eq!(read(message("/stop@SoonerBot", group)), Some(("us".to_owned(), ChatAction::Stop)));
        let named = json!({ "id": 7, "username": "ann" });
        assert_eq!(read(message("hello /stop", named.clone())), Some(("@ann".to_owned(), ChatAction::Other)));
        let change = json!({ "update_id": 6, "my_chat_member": { "chat": named, "new_chat_member": { "status": "kicked" } } });
        assert_eq!(read(change), Some(("@ann".to_owned(), ChatAction::Blocked)));
        for nowhere in [json!({ "update_id": 7, "message": { "text": "/stop" } }), json!({ "update_id": 7 })]
        {
            assert_eq!(
                read(nowhere),
                Some((String::new(), ChatAction::Other)),
                "an update without content is counted, or the provider repeats it forever"
            );
        }
        let odd = read_update(&json!({ "update_id": 9, "poll": {} }));
        assert_eq!(odd.map(|update| update.number), Some(9), "an unknown update is counted");
        assert_eq!(read_update(&json!({ "message": {} })), None);
    }
}
