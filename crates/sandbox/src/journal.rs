//! The journal: every request with its changes. Tests use it as their oracle.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::world::{accounts::Appointment, slots::Slot};

/// One request, or one event of the world itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Position, from 1.
    pub seq: u64,
    /// World time.
    pub world_time: DateTime<Utc>,
    /// Wall time; absent for events of the world.
    pub wall_time: Option<DateTime<Utc>>,
    /// Kind of the request: `sign_in`, `groups`, `days`, `book`, …; `hand` for a manual change, or
    /// `world`.
    pub kind: String,
    /// Username, when known.
    pub account: Option<String>,
    /// Portal schedule id, when the path has one.
    pub portal_schedule_id: Option<u64>,
    /// Method; empty for events of the world.
    pub method: String,
    /// Path and query; never a body.
    pub path: String,
    /// Status of the answer; 0 if the connection was cut without an answer.
    pub status: u16,
    /// Effect of the request.
    pub effect: Effect,
    /// Faults that influenced the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// Every reason that alone would have emptied the list: `soft_ban`, `restricted_hours`,
    /// `overload`, `fee_unpaid`, and `no_days` if there was nothing to hide. Only for empty lists
    /// of dates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub empty_because: Vec<String>,
    /// Seconds of the answer's Retry-After.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// Latency of the answer in milliseconds.
    pub latency_ms: u64,
}

/// Effect of a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// No relevant effect.
    #[default]
    None,
    /// A session began.
    SignedIn,
    /// The sign-in was refused, with the reason.
    SignInRefused(String),
    /// The session was ended by the user.
    SignedOut,
    /// A request without a live session.
    NotSignedIn,
    /// The session ended under this request.
    SessionEnded,
    /// Dates were listed.
    Looked {
        /// Facility number.
        facility: u32,
        /// Number of dates listed.
        days: usize,
        /// Reason for an emptied list.
        hidden: Option<String>,
    },
    /// Times were listed.
    Timed {
        /// Facility number.
        facility: u32,
        /// Requested date.
        date: String,
        /// Number of times listed.
        times: usize,
        /// Reason for an emptied list.
        hidden: Option<String>,
    },
    /// This call caused a soft ban.
    Banned {
        /// End of the ban.
        until: DateTime<Utc>,
    },
    /// An appointment was booked or moved.
    Booked {
        /// Appointment before the change.
        from: Option<Appointment>,
        /// Appointment after the change.
        to: Appointment,
    },
    /// A booking or cancellation was refused, with the reason.
    Refused(String),
    /// A second POST within the lag undid the first.
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
    /// Money moved at the card provider, or a message about it was sent.
    Card(crate::card::ledger::Change),
    /// A notification was accepted under this number.
    Notified {
        /// The number.
        id: u64,
    },
    /// A slot appeared, vanished, was taken or removed.
    Slot {
        /// The slot.
        slot: Slot,
        /// The event of the slot.
        what: String,
    },
}

/// All entries so far.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    entries: Vec<Entry>,
}

impl Journal {
    /// Creates a journal that continues after these entries.
    pub fn resume(entries: Vec<Entry>) -> Self {
        Self { entries }
    }

    /// Writes an entry and sets its number.
    pub fn write(&mut self, mut entry: Entry) -> u64 {
        entry.seq = self.entries.len() as u64 + 1;
        self.entries.push(entry);
        self.entries.len() as u64
    }

    pub(crate) fn world_event(&mut self, at: DateTime<Utc>, effect: Effect) {
        self.write_effect(at, "world", None, effect);
    }

    /// Records a change that a user made in a separate browser: kind `hand`, with the account and
    /// the group.
    pub(crate) fn by_hand(&mut self, at: DateTime<Utc>, of: (String, u64), effect: Effect) {
        self.write_effect(at, "hand", Some(of), effect);
    }

    fn write_effect(&mut self, at: DateTime<Utc>, kind: &str, of: Option<(String, u64)>, effect: Effect) {
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
            effect,
            faults: Vec::new(),
            empty_because: Vec::new(),
            retry_after: None,
            latency_ms: 0,
        });
    }

    /// Continues after an older journal, so that numbers never repeat.
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

    /// Returns the number of the last entry; 0 for an empty journal.
    pub fn last_seq(&self) -> u64 {
        self.entries.len() as u64
    }
}
