//! Content of a message, already written in the user's language.

use domain::channel::{EventKind, Priority};
use domain::clock::Instant;

/// Notification for one channel. A transport shortens the message to the provider's limits and adds
/// no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Identifier of the event. It stays the same in retries, so that receivers can detect
    /// duplicates.
    pub id: String,
    /// Kind of the event.
    pub kind: EventKind,
    /// Title, a single line.
    pub title: String,
    /// Plain text of a few lines.
    pub text: String,
    /// Link to the page about the event, if there is one.
    pub link: Option<Link>,
    /// URL that confirms that the user has seen the message, by a page or by one POST. The message
    /// may be repeated until then.
    pub acknowledge: Option<String>,
    /// Buttons that answer a question, if the message is one.
    pub answers: Option<AnswerButtons>,
    /// Time after which the message is no longer useful. A push service then discards it.
    pub not_after: Option<Instant>,
}

/// Link to a page of the site, with its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// URL of the page.
    pub url: String,
    /// Label of the button.
    pub label: String,
}

/// Buttons that answer a question in the message itself. *Yes* opens the link's page, whose button
/// approves. *No* may act at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerButtons {
    /// Label of *Yes*.
    pub yes: String,
    /// Label of *No*.
    pub no: String,
    /// Token of the question, 64 hexadecimal characters.
    pub token: String,
}

impl Message {
    /// Returns the priority of the message.
    #[must_use]
    pub fn priority(&self) -> Priority {
        self.kind.priority()
    }

    /// Returns the URL of the link, if there is one.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.link.as_ref().map(|link| link.url.as_str())
    }
}
