//! OpenAPI schemas of enumerations that other crates define. Their values come from those crates.

use std::borrow::Cow;

use domain::channel::notice::NotSent;
use domain::channel::{ChannelKind, EventKind};
use providers::channels::outcome::Reason;
use serde::Deserialize;
use strum::VariantArray as _;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Returns the schema of an enumeration of strings.
fn one_of(words: impl Iterator<Item = &'static str>, description: &str) -> RefOr<Schema> {
    let schema = ObjectBuilder::new().schema_type(Type::String).description(Some(description));
    RefOr::T(Schema::Object(schema.enum_values(Some(words)).build()))
}

/// Implements the OpenAPI schema of a type, from its name, description and values.
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

/// A kind of channel that a user adds.
pub struct AddedKind;

words!(
    AddedKind,
    "ChannelKind",
    "A kind of channel that a user can add. Mail is not one of them; it goes to the account's address.",
    ChannelKind::VARIANTS.iter().filter(|kind| **kind != ChannelKind::Email).map(|kind| (*kind).into())
);

/// An event that can be sent over a channel.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "EventKind")]
pub struct UserEvent(EventKind);

words!(
    UserEvent,
    "ChannelEvent",
    "An event that can be sent over a channel.",
    EventKind::OF_USERS.into_iter().map(Into::into)
);

impl TryFrom<EventKind> for UserEvent {
    type Error = &'static str;
    fn try_from(event: EventKind) -> Result<Self, &'static str> {
        if EventKind::OF_USERS.contains(&event) { Ok(Self(event)) } else { Err("not an event of users") }
    }
}

impl From<UserEvent> for EventKind {
    fn from(event: UserEvent) -> Self {
        event.0
    }
}

/// A reason for which a provider refuses messages.
pub struct ChannelReason;

words!(
    ChannelReason,
    "ChannelReason",
    "A reason for which a provider refuses messages for good.",
    Reason::VARIANTS.iter().map(|reason| (*reason).into())
);

/// An event of a notification.
pub struct NotifiedEvent;

words!(
    NotifiedEvent,
    "NotifiedEvent",
    "The event of a notification.",
    EventKind::IN_HISTORY.into_iter().map(Into::into)
);

/// A kind of channel over which a notification was sent.
pub struct NotifiedKind;

words!(
    NotifiedKind,
    "NotifiedKind",
    "A kind of channel over which a notification was sent, or mail.",
    ChannelKind::VARIANTS.iter().map(|kind| (*kind).into())
);

/// A reason for which a notification was not sent.
pub struct WhyNotSent;

words!(
    WhyNotSent,
    "WhyNotSent",
    "A reason for which a notification was not sent.",
    NotSent::VARIANTS
        .iter()
        .map(|why| (*why).into())
        .chain(Reason::VARIANTS.iter().map(|reason| (*reason).into()))
);

/// Returns `true` if the text is a value of [`WhyNotSent`].
pub fn is_why_not_sent(word: &str) -> bool {
    word.parse::<NotSent>().is_ok() || word.parse::<Reason>().is_ok()
}
