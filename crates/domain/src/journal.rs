//! What a task's journal says: one variant per kind of entry, with what its text names.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::appointment::Slot;
use crate::booking::Stop;
use crate::criteria::SearchCriteria;
use crate::facility::FacilityId;
use crate::prewarm;
use crate::task::{Reason, TaskStatus};

/// Something that was done for a task, or came of it; texts for it are in the locale files.
///
/// Stored as the columns `kind` and `data`, and sent as the fields of these names. Amounts are CAD with two decimals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum JournalEvent {
    /// The user submitted the task.
    Submitted {
        /// What was set aside for it.
        held: f64,
    },
    /// The user started it.
    Started {},
    /// The user paused it.
    Paused {},
    /// The user deleted it.
    Deleted {},
    /// The user changed its criteria.
    Edited {
        /// The fields that changed.
        #[serde(default)]
        changed: Vec<String>,
        /// The criteria until then: the reasons of earlier days rest on them. Not sent.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "readable")]
        #[schema(ignore)]
        was: Option<SearchCriteria>,
    },
    /// The user agreed to the price of the changed group.
    GroupAccepted {
        /// People in the group.
        applicants: Option<u32>,
        /// What is due beyond what was paid.
        difference: Option<f64>,
    },
    /// It stopped, and why.
    Status {
        /// Its status since.
        status: TaskStatus,
        /// Why.
        reason: Option<Reason>,
    },
    /// The engine signed in at the portal for it.
    SignedIn {},
    /// The engine monitors its cities from now on.
    Watching {},
    /// The portal, or a limit of its account, kept it waiting.
    #[serde(rename = "trouble")]
    PortalError(PortalErrorEvent),
    /// A booking was prepared ahead of time.
    #[serde(rename = "standby")]
    Prewarm {
        /// What was done: `sign_in`.
        step: String,
        /// Why.
        #[serde(default, deserialize_with = "readable")]
        because: Option<prewarm::PrewarmReason>,
    },
    /// Polls of its cities, by the hour: put together for the reader, never stored.
    #[serde(rename = "looks")]
    Polls(PollsEvent),
    /// Its user was notified of a day.
    Alerted {
        /// The city.
        facility: CityName,
        /// The day.
        date: NaiveDate,
        /// When a poll showed it.
        seen_at: DateTime<Utc>,
    },
    /// Its user was asked whether a day may be booked.
    Asked {
        /// The city.
        facility: CityName,
        /// The day.
        date: NaiveDate,
        /// When a poll showed it.
        seen_at: DateTime<Utc>,
    },
    /// Its user was not asked of a day that it accepts, because it could not be booked now.
    NotAsked {
        /// The city.
        facility: CityName,
        /// The day.
        date: NaiveDate,
        /// What keeps it from being booked.
        why: GoneReason,
    },
    /// Its user said that a day may be booked.
    SaidYes {
        /// The city.
        facility: CityName,
        /// The day.
        date: NaiveDate,
    },
    /// A booking request was sent.
    Attempted(PostEvent),
    /// A booking request failed before its first byte was sent.
    NothingSent(PostEvent),
    /// Whether the booking took place is not known yet.
    BookingUnconfirmed {
        /// When the portal is read again.
        read_again: DateTime<Utc>,
    },
    /// An earlier slot was booked.
    Booked(BookedEvent),
    /// The user booked a slot of which this task had notified them.
    BookedByUser(BookedEvent),
    /// The portal shows that nothing was booked.
    NotBooked {
        /// The city.
        facility: CityName,
        /// The day.
        date: NaiveDate,
    },
    /// A rule of the task's kept the day from being booked.
    NotBookedBecause {
        /// The city.
        facility: CityName,
        /// The day.
        date: NaiveDate,
        /// The rule.
        stop: Stop,
    },
    /// The day was gone before it could be booked.
    SlotGone {
        /// The city.
        facility: CityName,
        /// The day.
        date: NaiveDate,
        /// How it was lost.
        why: GoneReason,
    },
    /// The appointment was changed at the portal by somebody else.
    ChangedOutside {
        /// Before.
        from: Option<NamedSlot>,
        /// Since.
        to: Option<NamedSlot>,
    },
    /// Accounts see different lists of this city: each polls for itself.
    ListsDiffer(AgreementEvent),
    /// One account's list counts for the others again.
    ListsSharedAgain(AgreementEvent),
    /// An entry of a kind or form that this version does not know.
    Other {
        /// Its kind.
        kind: String,
        /// Its data.
        data: Value,
    },
}

/// What kept a task waiting.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PortalErrorEvent {
    /// The code of the error: `budget`, `layout_changed`, `pages_differ`, or one of the portal client's.
    pub code: String,
    /// The page, where one is unreadable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// What is wrong with the task's group on that page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The appointment that is shown, where two pages differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<NamedSlot>,
    /// Since when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<DateTime<Utc>>,
    /// Nothing is tried before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<DateTime<Utc>>,
    /// When the pages are read again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_again: Option<DateTime<Utc>>,
}

/// Polls of an hour, or of neighbouring hours that found the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PollsEvent {
    /// The cities that were polled.
    pub cities: BTreeSet<CityName>,
    /// The earliest day that was listed.
    pub earliest: Option<NaiveDate>,
    /// Where.
    pub facility: Option<CityName>,
    /// Polls that were answered.
    #[serde(rename = "looks")]
    pub polls: i64,
    /// Days listed.
    pub slots: i64,
    /// Polls that failed.
    pub failures: i64,
}

/// How a booking request ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PostEvent {
    /// How much of it was sent.
    pub wrote: Wrote,
    /// The HTTP status, if an answer arrived.
    pub status: Option<u16>,
    /// Where the answer leads, without its query.
    pub location: Option<String>,
    /// The message on the answer's page.
    pub flash: Option<String>,
    /// The code of the error.
    pub error: Option<String>,
}

/// How much of a request was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Wrote {
    /// Not one byte: the portal cannot have acted.
    Nothing,
    /// Some bytes, not all: a portal could have acted only by mistake, but is read back.
    Partly,
    /// Every byte was accepted by the connection; whether it arrived is not known.
    All,
}

/// An appointment that was won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BookedEvent {
    /// The appointment before; none for a first booking.
    pub from: Option<NamedSlot>,
    /// The appointment now.
    pub to: NamedSlot,
    /// Days gained; none for a first booking.
    pub days: Option<i64>,
    /// What was charged for it.
    pub charged: f64,
}

/// How a day was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GoneReason {
    /// It was listed without times.
    NoTimes,
    /// None of its times was one the task accepts.
    TimeOfDay,
    /// Somebody who was served first got it.
    TakenForAnother,
    /// The account rested.
    AccountResting,
    /// The account had no requests left.
    NoBudget,
    /// It was gone before the account could try.
    NotReached,
    /// The task had asked as often as it may in a day.
    AskedOften,
}

/// How far the lists of a city agree between accounts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgreementEvent {
    /// The city.
    pub facility: CityName,
    /// Percent of the comparisons that agreed.
    pub agreed_percent: f64,
    /// Comparisons; recent ones count more.
    pub tries: f64,
}

/// A city by its English name, as journals, conditions and the API name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "&'static str")]
#[schema(value_type = String)]
pub struct CityName(pub FacilityId);

impl TryFrom<String> for CityName {
    type Error = crate::facility::UnknownFacility;
    fn try_from(name: String) -> Result<Self, Self::Error> {
        FacilityId::by_name(&name).map(Self).ok_or(crate::facility::UnknownFacility)
    }
}

impl From<CityName> for &'static str {
    fn from(city: CityName) -> Self {
        city.0.name()
    }
}

/// A slot as journals, conditions and mails name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NamedSlot {
    /// The civil date at the consulate.
    pub date: NaiveDate,
    /// The local time there, `HH:MM`.
    pub time: String,
    /// The city.
    pub facility: CityName,
    /// Its Chinese name.
    pub facility_zh: String,
}

impl From<&Slot> for NamedSlot {
    fn from(slot: &Slot) -> Self {
        Self {
            date: slot.date,
            time: slot.time.format("%H:%M").to_string(),
            facility: CityName(slot.facility),
            facility_zh: slot.facility.facility().name_zh.to_owned(),
        }
    }
}

impl NamedSlot {
    /// The slot; none when the time is not one.
    #[must_use]
    pub fn slot(&self) -> Option<Slot> {
        let time = chrono::NaiveTime::parse_from_str(&self.time, "%H:%M").ok()?;
        Some(Slot { facility: self.facility.0, date: self.date, time })
    }
}

impl JournalEvent {
    /// Reads a stored entry; one that this version cannot read is [`JournalEvent::Other`].
    #[must_use]
    pub fn read(kind: String, data: Value) -> Self {
        serde_json::from_value(json!({ "kind": kind, "data": data })).unwrap_or(Self::Other { kind, data })
    }

    /// The columns `kind` and `data`.
    #[must_use]
    pub fn columns(&self) -> (String, Value) {
        if let Self::Other { kind, data } = self {
            return (kind.clone(), data.clone());
        }
        let Ok(Value::Object(mut fields)) = serde_json::to_value(self) else { return Default::default() };
        let mut field = |name| fields.remove(name).unwrap_or_default();
        let Value::String(kind) = field("kind") else { return Default::default() };
        (kind, field("data"))
    }

    /// The city and day it tells of, if it tells of one.
    #[must_use]
    pub const fn day(&self) -> Option<(FacilityId, NaiveDate)> {
        match self {
            Self::Alerted { facility, date, .. }
            | Self::Asked { facility, date, .. }
            | Self::NotAsked { facility, date, .. }
            | Self::SaidYes { facility, date }
            | Self::NotBooked { facility, date }
            | Self::NotBookedBecause { facility, date, .. }
            | Self::SlotGone { facility, date, .. } => Some((facility.0, *date)),
            _ => None,
        }
    }
}

/// A part that an older version wrote in another form counts as none.
fn readable<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(from)?).ok())
}
