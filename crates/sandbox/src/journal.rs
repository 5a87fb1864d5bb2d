//! The journal records every request with its effects. Tests compare the product's data with it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::world::{accounts::Appointment, asc::AscChange, slots::Slot};

/// Journal entry: a request, or an event of the simulated world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Number of the entry, counted from 1.
    pub seq: u64,
    /// World time.
    pub world_time: DateTime<Utc>,
    /// Wall time, or `None` for an event of the world.
    pub wall_time: Option<DateTime<Utc>>,
    /// Kind of the request, such as `sign_in`, `groups`, `days` or `book`. `hand` for a manual
    /// change, `world` for an event of the world.
    pub kind: String,
    /// Username of the portal account, if known.
    pub account: Option<String>,
    /// Portal schedule id, if the path contains one.
    pub portal_schedule_id: Option<u64>,
    /// HTTP method, or empty for an event of the world.
    pub method: String,
    /// Path and query. Request bodies are never recorded.
    pub path: String,
    /// HTTP status, or 0 if the connection was cut without a response.
    pub status: u16,
    /// Effect of the request.
    pub effect: Effect,
    /// Change of the fingerprint appointment, if the group had one or has one now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asc: Option<AscChange>,
    /// Faults that influenced the response.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// Reasons for an empty list of dates; each reason alone would have emptied the list. They are
    /// `soft_ban`, `restricted_hours`, `overload` and `fee_unpaid`. The reason is `no_days` if
    /// there was nothing to hide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub empty_because: Vec<String>,
    /// Seconds in the `Retry-After` header of the response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// Latency of the response in milliseconds.
    pub latency_ms: u64,
}

/// Effect of a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// No relevant effect.
    #[default]
    None,
    /// The user signed in.
    SignedIn,
    /// The sign-in was refused for this reason.
    SignInRefused(String),
    /// The user signed out.
    SignedOut,
    /// The request had no live session.
    NotSignedIn,
    /// The session ended at this request.
    SessionEnded,
    /// A list of dates was returned.
    Looked {
        /// Facility number.
        facility: u32,
        /// Number of dates listed.
        days: usize,
        /// Reason why dates were hidden, if any were.
        hidden: Option<String>,
    },
    /// A list of times was returned.
    Timed {
        /// Facility number.
        facility: u32,
        /// Requested date.
        date: String,
        /// Number of times listed.
        times: usize,
        /// Reason why times were hidden, if any were.
        hidden: Option<String>,
    },
    /// This request caused a soft ban.
    Banned {
        /// End of the ban.
        until: DateTime<Utc>,
    },
    /// An appointment was booked or rescheduled.
    Booked {
        /// Appointment before the change.
        from: Option<Appointment>,
        /// Appointment after the change.
        to: Appointment,
    },
    /// A booking or cancellation was refused for this reason.
    Refused(String),
    /// A second POST during the lag of the groups page undid the first one.
    Reverted {
        /// The appointment booked by the first POST.
        from: Option<Appointment>,
        /// The restored appointment.
        to: Option<Appointment>,
    },
    /// The appointment was cancelled.
    Cancelled {
        /// The cancelled appointment.
        from: Appointment,
    },
    /// Money moved at the card provider, or a message about a payment was sent.
    Card(crate::card::ledger::Change),
    /// A notification provider accepted a message.
    Notified {
        /// Number of the message.
        id: u64,
    },
    /// A slot appeared, vanished, was booked by a rival, or was removed.
    Slot {
        /// The slot.
        slot: Slot,
        /// The event of the slot.
        what: String,
    },
}

/// Effect of a change on both appointments of a group.
#[derive(Clone, Debug)]
pub(crate) struct PairEffect {
    pub effect: Effect,
    /// Change of the fingerprint appointment.
    pub asc: Option<AscChange>,
}

impl PairEffect {
    /// Creates the effect of a refusal.
    pub fn refused(why: &str) -> Self {
        Self { effect: Effect::Refused(why.to_owned()), asc: None }
    }
}

/// All entries so far.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    entries: Vec<Entry>,
}

impl Journal {
    /// Creates a journal that continues after the given entries.
    pub fn resume(entries: Vec<Entry>) -> Self {
        Self { entries }
    }

    /// Appends an entry and returns its number.
    pub fn write(&mut self, mut entry: Entry) -> u64 {
        entry.seq = self.entries.len() as u64 + 1;
        self.entries.push(entry);
        self.entries.len() as u64
    }

    pub(crate) fn world_event(&mut self, at: DateTime<Utc>, effect: Effect) {
        self.write_effect(at, "world", None, PairEffect { effect, asc: None });
    }

    /// Records a change that a user made in another browser. The entry has kind `hand`, with
    /// account and group.
    pub(crate) fn by_hand(&mut self, at: DateTime<Utc>, of: (String, u64), effects: PairEffect) {
        self.write_effect(at, "hand", Some(of), effects);
    }

    fn write_effect(
        &mut self,
        at: DateTime<Utc>,
        kind: &str,
        of: Option<(String, u64)>,
        effects: PairEffect,
    ) {
        let (account, portal_schedule_id) = of.unzip();
        self.write(Entry {
            seq: 0,
            world_time: at,
            wall_time: None,
            kind: kind.to_owned(),
            account,
            portal_schedule_id,
            method: String::new(),
            path: String::new(),
            status: 0,
            effect: effects.effect,
            asc: effects.asc,
            faults: Vec::new(),
            empty_because: Vec::new(),
            retry_after: None,
            latency_ms: 0,
        });
    }

    /// Appends this journal to an older one, so that numbers never repeat.
    pub(crate) fn continue_after(&mut self, older: Self) {
        let newer = std::mem::replace(self, older);
        for entry in newer.entries {
            self.write(entry);
        }
    }

    /// Returns the entries after `seq`, oldest first.
    pub fn after(&self, seq: u64) -> &[Entry] {
        let from = usize::try_from(seq).unwrap_or(usize::MAX).min(self.entries.len());
        &self.entries[from..]
    }

    /// Returns the number of the last entry, or 0 for an empty journal.
    pub fn last_seq(&self) -> u64 {
        self.entries.len() as u64
    }
}
