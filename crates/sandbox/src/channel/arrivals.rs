//! Messages that the simulated notification providers accepted.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{chats::Chats, followers::Followers, texting::Texting};

/// Message that a provider accepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    /// Number of the message, counted from 1 over all providers.
    pub id: u64,
    /// World time of arrival.
    pub world_time: DateTime<Utc>,
    /// Wall time of arrival.
    pub wall_time: DateTime<Utc>,
    /// Name of the provider.
    pub provider: String,
    /// Content of the message.
    #[serde(flatten)]
    pub content: Content,
    /// True if the sender received the response, false if a fault cut the connection.
    pub acknowledged: bool,
}

/// Content of a message, in a form common to all providers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// Receiver at the provider: a chat, a key or a phone number.
    pub target: String,
    /// Title, if the provider has a separate field for a title.
    pub title: String,
    /// Text of the message, without a separate title.
    pub text: String,
    /// Address that the message links to.
    pub link: Option<String>,
    /// Fields that only this provider has, such as priority, topic or lifetime.
    #[serde(default)]
    pub extra: Value,
}

/// All accepted messages.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Arrivals {
    last: u64,
    taken: Vec<Arrival>,
    /// Number of simulated browsers that have subscribed to pushes.
    #[serde(default)]
    pub(crate) subscriptions: u64,
    #[serde(default)]
    pub(crate) chats: Chats,
    #[serde(default)]
    pub(crate) followers: Followers,
    /// Receipts of Pushover messages whose repetition was stopped.
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

    /// Returns the receipts of Pushover messages whose repetition the sender stopped.
    #[must_use]
    pub fn silent(&self) -> &[String] {
        &self.silent
    }

    /// Stores a message and returns its number.
    pub(crate) fn store(&mut self, arrival: Arrival) -> u64 {
        self.last += 1;
        self.taken.push(Arrival { id: self.last, ..arrival });
        self.last
    }

    pub(crate) fn clear(&mut self) {
        self.taken.clear();
    }
}
