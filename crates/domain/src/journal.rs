//! Entries of a task's journal: one variant per kind, with the values that its text contains.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::appointment::{Appointment, FingerprintSlot, Slot};
use crate::booking::Stop;
use crate::criteria::SearchCriteria;
use crate::facility::FacilityId;
use crate::prewarm;
use crate::task::{Reason, TaskStatus};

/// An action for a task or its result. The locale files contain the texts.
///
/// Stored as the columns `kind` and `data`, and sent as the fields of these names. Amounts are CAD
/// with two decimals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum JournalEvent {
    /// The user submitted the task.
    Submitted {
        /// The amount put on hold for it.
        held: f64,
    },
    /// The user started the task.
    Started {},
    /// The user paused the task.
    Paused {},
    /// The user deleted the task.
    Deleted {},
    /// The user changed the task's criteria.
    Edited {
        /// The fields that changed.
        #[serde(default)]
        changed: Vec<String>,
        /// The criteria before the change, on which the reasons of earlier dates are based. Not
        /// sent.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "readable")]
        #[schema(ignore)]
        was: Option<SearchCriteria>,
    },
    /// The user agreed to the price of the changed group.
    GroupAccepted {
        /// Number of applicants in the group.
        applicants: Option<u32>,
        /// The amount due in addition to what was paid.
        difference: Option<f64>,
    },
    /// The task stopped.
    Status {
        /// The new status.
        status: TaskStatus,
        /// The reason for the new status.
        reason: Option<Reason>,
    },
    /// The engine signed in at the portal for the task.
    SignedIn {},
    /// The engine began to monitor the task's cities.
    Watching {},
    /// The portal, or a limit of its account, delayed the task.
    #[serde(rename = "trouble")]
    PortalError(PortalErrorEvent),
    /// A booking was prepared in advance.
    #[serde(rename = "standby")]
    Prewarm {
        /// The step: `sign_in`.
        step: String,
        /// The reason for the step.
        #[serde(default, deserialize_with = "readable")]
        because: Option<prewarm::PrewarmReason>,
    },
    /// Polls of the task's cities by the hour, computed for the reader and never stored.
    #[serde(rename = "looks")]
    Polls(PollsEvent),
    /// The user was notified of a date.
    Alerted {
        /// The city.
        facility: CityName,
        /// The date.
        date: NaiveDate,
        /// Time of the poll that showed it.
        seen_at: DateTime<Utc>,
    },
    /// The user was asked to approve a date.
    Asked {
        /// The city.
        facility: CityName,
        /// The date.
        date: NaiveDate,
        /// Time of the poll that showed it.
        seen_at: DateTime<Utc>,
    },
    /// The user was not asked about an acceptable date, because it could not be booked.
    NotAsked {
        /// The city.
        facility: CityName,
        /// The date.
        date: NaiveDate,
        /// The reason that prevents the booking.
        why: GoneReason,
    },
    /// The user approved a date.
    SaidYes {
        /// The city.
        facility: CityName,
        /// The date.
        date: NaiveDate,
    },
    /// A booking request was sent.
    Attempted(PostEvent),
    /// A booking request failed before its first byte was sent.
    NothingSent(PostEvent),
    /// The outcome of the booking is not known yet.
    BookingUnconfirmed {
        /// Time of the next reading of the portal.
        read_again: DateTime<Utc>,
    },
    /// An earlier slot was booked.
    Booked(BookedEvent),
    /// The user booked a slot that this task had notified.
    BookedByUser(BookedEvent),
    /// The portal shows that nothing was booked.
    NotBooked {
        /// The city.
        facility: CityName,
        /// The date.
        date: NaiveDate,
    },
    /// The portal booked the interview with another fingerprint appointment than the wanted one.
    FingerprintsDiffer {
        /// The appointment that the booking request named.
        wanted: NamedSlot,
        /// The appointment that the portal shows.
        shown: NamedSlot,
    },
    /// A rule of the task prevented the booking of the date.
    NotBookedBecause {
        /// The city.
        facility: CityName,
        /// The date.
        date: NaiveDate,
        /// The rule.
        stop: Stop,
    },
    /// The date was gone before it could be booked.
    SlotGone {
        /// The city.
        facility: CityName,
        /// The date.
        date: NaiveDate,
        /// The cause.
        why: GoneReason,
    },
    /// The appointment was changed at the portal outside this service.
    ChangedOutside {
        /// The appointment before the change.
        from: Option<NamedSlot>,
        /// The appointment after the change.
        to: Option<NamedSlot>,
    },
    /// Accounts see different lists of this city, so each account polls for itself.
    ListsDiffer(AgreementEvent),
    /// One account's list is used for the others again.
    ListsSharedAgain(AgreementEvent),
    /// An entry of a kind or form unknown to this version.
    Other {
        /// The stored kind.
        kind: String,
        /// The stored data.
        data: Value,
    },
}

/// Cause of a task's delay.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PortalErrorEvent {
    /// The code of the error: `budget`, `layout_changed`, `pages_differ`, or a code of the portal
    /// client.
    pub code: String,
    /// The page, if one is unreadable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// The problem of the task's group on that page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The appointment shown, if two pages differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<NamedSlot>,
    /// Time since which the problem exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<DateTime<Utc>>,
    /// Time before which nothing is tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<DateTime<Utc>>,
    /// Time of the next reading of the pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_again: Option<DateTime<Utc>>,
}

/// Polls of an hour, or of adjacent hours with the same result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PollsEvent {
    /// The cities that were polled.
    pub cities: BTreeSet<CityName>,
    /// The earliest date listed.
    pub earliest: Option<NaiveDate>,
    /// The city of that date.
    pub facility: Option<CityName>,
    /// Number of answered polls.
    #[serde(rename = "looks")]
    pub polls: i64,
    /// Number of dates listed.
    pub slots: i64,
    /// Number of failed polls.
    pub failures: i64,
}

/// Result of a booking request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PostEvent {
    /// The part of the request that was sent.
    pub wrote: Wrote,
    /// The HTTP status, if an answer arrived.
    pub status: Option<u16>,
    /// Redirect target of the answer, without its query.
    pub location: Option<String>,
    /// The message on the page of the answer.
    pub flash: Option<String>,
    /// The code of the error.
    pub error: Option<String>,
}

/// Part of a request that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Wrote {
    /// Nothing was sent: the portal cannot have acted.
    Nothing,
    /// Some bytes were sent, but not all: the portal should not have acted, but is read back.
    Partly,
    /// The connection accepted every byte. Arrival is not confirmed.
    All,
}

/// A booked appointment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BookedEvent {
    /// The appointment before; `None` for a first booking.
    pub from: Option<NamedSlot>,
    /// The appointment now.
    pub to: NamedSlot,
    /// Days gained; `None` for a first booking.
    pub days: Option<i64>,
    /// The amount charged.
    pub charged: f64,
}

/// Reason that a date was not booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GoneReason {
    /// The date was listed without times.
    NoTimes,
    /// The task accepts none of its times.
    TimeOfDay,
    /// A task of higher rank got it.
    TakenForAnother,
    /// The account was backing off.
    AccountResting,
    /// The account had no requests left.
    NoBudget,
    /// The date was gone before the account could try.
    NotReached,
    /// The task had used up its questions of a day.
    AskedOften,
    /// No fingerprint appointment is free before the date.
    NoFingerprints,
    /// The task accepts none of the fingerprint appointments before the date.
    FingerprintsNotWanted,
    /// The consulate takes the fingerprints itself, which this version does not support.
    FingerprintsAtConsulate,
    /// The portal did not answer the requests for fingerprint appointments before the date.
    FingerprintsUnread,
}

/// Agreement between accounts on the lists of a city.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgreementEvent {
    /// The city.
    pub facility: CityName,
    /// Percentage of the comparisons that agreed.
    pub agreed_percent: f64,
    /// Number of comparisons; recent ones have more weight.
    pub tries: f64,
}

/// A city, identified by its English name in journals, conditions and the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "&'static str")]
#[schema(value_type = String)]
pub struct CityName(pub FacilityId);

impl TryFrom<String> for CityName {
    type Error = crate::facility::UnknownFacility;
    fn try_from(name: String) -> Result<Self, Self::Error> {
        FacilityId::by_name(&name).map(Self).ok_or_else(crate::facility::UnknownFacility::missed)
    }
}

impl From<CityName> for &'static str {
    fn from(city: CityName) -> Self {
        city.0.name()
    }
}

/// A slot as shown in journals, conditions and mails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NamedSlot {
    /// The civil date at the consulate.
    pub date: NaiveDate,
    /// The local time there, `HH:MM`.
    pub time: String,
    /// The city.
    pub facility: CityName,
    /// Chinese name of the city.
    pub facility_zh: String,
    /// The fingerprint appointment before it, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprints: Option<NamedFingerprints>,
}

/// A fingerprint appointment as shown in journals, conditions, mails and the API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NamedFingerprints {
    /// The civil date at the place.
    pub date: NaiveDate,
    /// The local time there, `HH:MM`.
    pub time: String,
    /// English name of the city.
    pub city: String,
    /// Chinese name of the city.
    pub city_zh: String,
}

impl From<&FingerprintSlot> for NamedFingerprints {
    fn from(slot: &FingerprintSlot) -> Self {
        Self {
            date: slot.date,
            time: slot.time.format("%H:%M").to_string(),
            city: slot.city.name().to_owned(),
            city_zh: slot.city.city().name_zh.to_owned(),
        }
    }
}

impl From<&Slot> for NamedSlot {
    fn from(slot: &Slot) -> Self {
        Self {
            date: slot.date,
            time: slot.time.format("%H:%M").to_string(),
            facility: CityName(slot.facility),
            facility_zh: slot.facility.facility().name_zh.to_owned(),
            fingerprints: None,
        }
    }
}

impl From<&Appointment> for NamedSlot {
    fn from(appointment: &Appointment) -> Self {
        let fingerprints = appointment.fingerprints.as_ref().map(NamedFingerprints::from);
        Self { fingerprints, ..Self::from(&appointment.consular) }
    }
}

impl NamedSlot {
    /// Returns the slot, or `None` if the time is invalid.
    #[must_use]
    pub fn slot(&self) -> Option<Slot> {
        let time = chrono::NaiveTime::parse_from_str(&self.time, "%H:%M").ok()?;
        Some(Slot { facility: self.facility.0, date: self.date, time })
    }
}

impl JournalEvent {
    /// Reads a stored entry. Returns [`JournalEvent::Other`] if this version cannot read it.
    #[must_use]
    pub fn read(kind: String, data: Value) -> Self {
        serde_json::from_value(json!({ "kind": kind, "data": data })).unwrap_or(Self::Other { kind, data })
    }

    /// Returns the columns `kind` and `data`.
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

    /// Returns the city and date of the entry, if it has them.
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

/// Deserializes a part, or returns `None` if an older version wrote it in another form.
fn readable<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(from)?).ok())
}
