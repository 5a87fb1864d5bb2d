//! Words of the API that other crates decide: their lists stand there, and come into the document from there.

use std::borrow::Cow;

use domain::channel::notice::NotSent;
use domain::channel::{ChannelKind, EventKind};
use providers::channels::outcome::Reason;
use serde::Deserialize;
use strum::VariantArray as _;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The schema of one of these words.
fn one_of(words: impl Iterator<Item = &'static str>, description: &str) -> RefOr<Schema> {
    let schema = ObjectBuilder::new().schema_type(Type::String).description(Some(description));
    RefOr::T(Schema::Object(schema.enum_values(Some(words)).build()))
}

/// The schema of a type: its name in the document, and its words.
macro_rules! words {
    ($type:ty, $name:literal, $description:literal, $words:expr) => {
        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                one_of($words, $description)
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($name)
            }
        }
    };
}

/// A kind of channel that somebody adds themselves.
pub struct AddedKind;

words!(
    AddedKind,
    "ChannelKind",
    "A kind of channel that somebody adds themselves; mail is none, it goes to the account's address.",
    ChannelKind::VARIANTS.iter().filter(|kind| **kind != ChannelKind::Email).map(|kind| (*kind).into())
);

/// What somebody can be told over a channel.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "EventKind")]
pub struct UserEvent(EventKind);

words!(
    UserEvent,
    "ChannelEvent",
    "What somebody can be told over a channel.",
    EventKind::OF_USERS.into_iter().map(Into::into)
);

impl TryFrom<EventKind> for UserEvent {
    type Error = &'static str;
    fn try_from(event: EventKind) -> Result<Self, &'static str> {
        if EventKind::OF_USERS.contains(&event) { Ok(Self(event)) } else { Err("nobody chooses this") }
    }
}

impl From<UserEvent> for EventKind {
    fn from(event: UserEvent) -> Self {
        event.0
    }
}

/// Why a message will not be taken.
pub struct ChannelReason;

words!(
    ChannelReason,
    "ChannelReason",
    "Why a message will not be taken.",
    Reason::VARIANTS.iter().map(|reason| (*reason).into())
);

/// What an entry of the history is about.
pub struct NotifiedEvent;

words!(
    NotifiedEvent,
    "NotifiedEvent",
    "What an entry is about.",
    EventKind::TOLD_OF.into_iter().map(Into::into)
);

/// How something was told.
pub struct NotifiedKind;

words!(
    NotifiedKind,
    "NotifiedKind",
    "How something was told.",
    ChannelKind::VARIANTS.iter().map(|kind| (*kind).into())
);

/// Why something was not sent.
pub struct WhyNotSent;

words!(
    WhyNotSent,
    "WhyNotSent",
    "Why something was not sent.",
    NotSent::VARIANTS
        .iter()
        .map(|why| (*why).into())
        .chain(Reason::VARIANTS.iter().map(|reason| (*reason).into()))
);

/// Whether it is a word of [`WhyNotSent`].
pub fn is_why_not_sent(word: &str) -> bool {
    word.parse::<NotSent>().is_ok() || word.parse::<Reason>().is_ok()
}
