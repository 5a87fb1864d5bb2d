//! Simulated Telegram users: names, messages to the bot, and waiting updates.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Invented users: chat, first name, last name and user name.
pub(super) const PEOPLE: [(i64, &str, &str, &str); 3] = [
    (700_100_001, "Zhixia", "Lin", "linzhixia_demo"),
    (700_100_002, "Wang Jiaqi", "", ""),
    (700_100_003, "Ann", "Example", "ann_example"),
];

/// Maximum number of updates that wait to be fetched.
const KEPT: usize = 500;

/// Updates that the bot has not fetched yet.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Chats {
    last: i64,
    updates: Vec<(i64, Value)>,
    blocked: Vec<i64>,
    said: Vec<UserMessage>,
    /// Number of presses of buttons.
    presses: u64,
    /// Number of requests for updates. Only the latest request gets the updates.
    pub(super) pollers: u64,
}

/// Message from a user to the bot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct UserMessage {
    pub chat: i64,
    pub text: String,
    pub at: DateTime<Utc>,
}

impl Chats {
    /// Adds a user's message to the bot, and unblocks the bot. Returns `false` for an unknown chat.
    pub(super) fn write(&mut self, chat: i64, text: &str, at: DateTime<Utc>) -> bool {
        let Some((id, first, last, name)) = PEOPLE.into_iter().find(|(id, ..)| *id == chat) else {
            return false;
        };
        self.blocked.retain(|blocked| *blocked != chat);
        let mut who = json!({ "id": id, "first_name": first });
        for (key, value) in [("last_name", last), ("username", name)] {
            if !value.is_empty() {
                who[key] = json!(value);
            }
        }
        let mut place = who.clone();
        place["type"] = json!("private");
        who["is_bot"] = json!(false);
        who["language_code"] = json!("zh-hans");
        self.said.push(UserMessage { chat, text: text.to_owned(), at });
        let number = self.last + 1;
        let message =
            json!({ "message_id": number, "from": who, "chat": place, "date": at.timestamp(), "text": text });
        self.add("message", message);
        true
    }

    /// Presses a button of a message of the bot, on behalf of a user.
    pub(super) fn press(&mut self, chat: i64, data: &str) {
        self.presses += 1;
        let press = json!({
            "id": self.presses.to_string(), "from": { "id": chat, "is_bot": false }, "data": data,
            "message": { "message_id": 1, "chat": { "id": chat, "type": "private" } },
        });
        self.add("callback_query", press);
    }

    /// Confirms a press. Returns `false` for an unknown one.
    pub(super) fn confirm(&self, press: &str) -> bool {
        press.parse::<u64>().is_ok_and(|number| (1..=self.presses).contains(&number))
    }

    /// Blocks the bot on behalf of a user.
    pub(super) fn block(&mut self, chat: i64, at: DateTime<Utc>) {
        if !self.blocked.contains(&chat) {
            self.blocked.push(chat);
        }
        let member =
            |status: &str| json!({ "status": status, "user": { "id": 7_000_000_001_i64, "is_bot": true } });
        let change = json!({
            "chat": { "id": chat, "type": "private" }, "from": { "id": chat, "is_bot": false }, "date": at.timestamp(),
            "old_chat_member": member("member"), "new_chat_member": member("kicked"),
        });
        self.add("my_chat_member", change);
    }

    pub(super) fn is_blocked(&self, chat: &str) -> bool {
        self.blocked.iter().any(|blocked| blocked.to_string() == chat)
    }

    pub(super) fn messages_of(&self, chat: i64) -> impl Iterator<Item = &UserMessage> {
        self.said.iter().filter(move |said| said.chat == chat)
    }

    /// Returns the updates with numbers from `offset` on, and deletes those before.
    pub(super) fn from(&mut self, offset: i64) -> Vec<Value> {
        self.updates.retain(|(number, _)| *number >= offset);
        self.updates.iter().take(100).map(|(_, update)| update.clone()).collect()
    }

    fn add(&mut self, what: &str, content: Value) {
        self.last += 1;
        let mut update = json!({ "update_id": self.last });
        update[what] = content;
        self.updates.push((self.last, update));
        let over = self.updates.len().saturating_sub(KEPT);
        self.updates.drain(..over);
    }
}
