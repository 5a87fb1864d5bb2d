//! What the providers have taken.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{chats::Chats, followers::Followers, texting::Texting};

/// A message that a provider took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    /// Its number, from 1, over all providers.
    pub id: u64,
    /// World time.
    pub world_time: DateTime<Utc>,
    /// Wall time.
    pub wall_time: DateTime<Utc>,
    /// The provider's name.
    pub provider: String,
    /// What it brings.
    #[serde(flatten)]
    pub content: Content,
    /// Whether the sender was told: false where a fault cut the connection.
    pub acknowledged: bool,
}

/// What a message brings, for every provider.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// The receiver there: a chat, a key, a number.
    pub target: String,
    /// Its first line, where the provider has one of its own.
    pub title: String,
    /// The rest.
    pub text: String,
    /// Where it leads.
    pub link: Option<String>,
    /// What only this provider has: priority, topic, time to live.
    #[serde(default)]
    pub extra: Value,
}

/// All of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Arrivals {
    last: u64,
    taken: Vec<Arrival>,
    /// How many browsers have subscribed.
    #[serde(default)]
    pub(crate) subscriptions: u64,
    #[serde(default)]
    pub(crate) chats: Chats,
    #[serde(default)]
    pub(crate) followers: Followers,
    /// Receipts of Pushover that ring no more.
    #[serde(default)]
    pub(crate) silent: Vec<String>,
    #[serde(default)]
    pub(crate) texting: Texting,
}

impl Arrivals {
    /// Oldest first.
    #[must_use]
    pub fn all(&self) -> &[Arrival] {
        &self.taken
    }

    /// Receipts of what repeated at Pushover until its sender ended it.
    #[must_use]
    pub fn silent(&self) -> &[String] {
        &self.silent
    }

    /// Keeps one under the next number.
    pub(crate) fn take(&mut self, arrival: Arrival) -> u64 {
        self.last += 1;
        self.taken.push(Arrival { id: self.last, ..arrival });
        self.last
    }

    pub(crate) fn clear(&mut self) {
        self.taken.clear();
    }
}
