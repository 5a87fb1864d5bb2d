//! What is sent, worded by the caller in the user's language.

use domain::channel::{EventKind, Priority};
use domain::clock::Instant;

/// A notification. Transports cut it to their limits, and add no word of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Names the event; the same over retries, so that receivers can tell doubles.
    pub id: String,
    /// What it is about.
    pub kind: EventKind,
    /// One line.
    pub title: String,
    /// A few lines, plain.
    pub text: String,
    /// Where it leads.
    pub link: Option<Link>,
    /// Where its receiver says that they have seen it, on a page or by one POST: until then it may repeat.
    pub acknowledge: Option<String>,
    /// When it is of no use any more; a push service forgets it then.
    pub not_after: Option<Instant>,
}

/// A deep link with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Address of a page of ours.
    pub url: String,
    /// What a button says.
    pub label: String,
}

impl Message {
    /// How urgent it is.
    #[must_use]
    pub fn priority(&self) -> Priority {
        self.kind.priority()
    }

    /// The address it leads to.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.link.as_ref().map(|link| link.url.as_str())
    }
}
