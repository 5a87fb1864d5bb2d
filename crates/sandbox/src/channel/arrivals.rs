//! Messages that the providers accepted.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{chats::Chats, followers::Followers, texting::Texting};

/// Message that a provider accepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    /// The number of the message, from 1, over all providers.
    pub id: u64,
    /// World time.
    pub world_time: DateTime<Utc>,
    /// Wall time.
    pub wall_time: DateTime<Utc>,
    /// The provider's name.
    pub provider: String,
    /// The content of the message.
    #[serde(flatten)]
    pub content: Content,
    /// Marks a message whose sender got the answer; `false` if a fault cut the connection.
    pub acknowledged: bool,
}

/// Content of a message, common to all providers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// The receiver at the provider: a chat, a key, a number.
    pub target: String,
    /// The first line, if the provider has a separate one.
    pub title: String,
    /// The rest of the message.
    pub text: String,
    /// Target of the message's link.
    pub link: Option<String>,
    /// Fields that only this provider has: priority, topic, time to live.
    #[serde(default)]
    pub extra: Value,
}

/// All accepted messages.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Arrivals {
    last: u64,
    taken: Vec<Arrival>,
    /// Number of browsers that have subscribed.
    #[serde(default)]
    pub(crate) subscriptions: u64,
    #[serde(default)]
    pub(crate) chats: Chats,
    #[serde(default)]
    pub(crate) followers: Followers,
    /// Receipts of Pushover messages that no longer repeat.
    #[serde(default)]
    pub(crate) silent: Vec<String>,
    #[serde(default)]
    pub(crate) texting: Texting,
}

impl Arrivals {
    /// Returns the messages, oldest first.
    #[must_use]
    pub fn all(&self) -> &[Arrival] {
        &self.taken
    }

    /// Returns the receipts of Pushover messages that repeated until their sender ended them.
    #[must_use]
    pub fn silent(&self) -> &[String] {
        &self.silent
    }

    /// Stores a message under the next number.
    pub(crate) fn store(&mut self, arrival: Arrival) -> u64 {
        self.last += 1;
        self.taken.push(Arrival { id: self.last, ..arrival });
        self.last
    }

    pub(crate) fn clear(&mut self) {
        self.taken.clear();
    }
}
