//! Content of a message, which the caller writes in the user's language.

use domain::channel::{EventKind, Priority};
use domain::clock::Instant;

/// A notification. Transports cut it to their limits and add no text of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Id of the event. Retries keep it, so that receivers can detect duplicates.
    pub id: String,
    /// Kind of the event.
    pub kind: EventKind,
    /// Title, one line.
    pub title: String,
    /// Plain text, a few lines.
    pub text: String,
    /// Link to the page about the event.
    pub link: Option<Link>,
    /// URL at which the receiver confirms having seen the message, on a page or by one POST. Until
    /// then the message may repeat.
    pub acknowledge: Option<String>,
    /// Time after which the message is of no use. A push service discards it then.
    pub not_after: Option<Instant>,
}

/// A deep link and its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// URL of a page of this site.
    pub url: String,
    /// Label of the button.
    pub label: String,
}

impl Message {
    /// Returns the urgency of the message.
    #[must_use]
    pub fn priority(&self) -> Priority {
        self.kind.priority()
    }

    /// Returns the URL of the link.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.link.as_ref().map(|link| link.url.as_str())
    }
}
