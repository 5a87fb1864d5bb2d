//! The journal: every request with what it changed. The oracle of tests.

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
    /// What was asked: `sign_in`, `groups`, `days`, `book`, …; `hand` for a change by hand, or `world`.
    pub kind: String,
    /// Username, when known.
    pub account: Option<String>,
    /// Portal schedule id, when the path has one.
    pub portal_schedule_id: Option<u64>,
    /// Method; empty for events of the world.
    pub method: String,
    /// Path and query; never a body.
    pub path: String,
    /// Status answered; 0 when the connection was cut without an answer.
    pub status: u16,
    /// What it changed or showed.
    pub effect: Effect,
    /// Faults that had a hand in the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// Everything that alone would have emptied the list answered: `soft_ban`, `restricted_hours`, `overload`,
    /// `fee_unpaid`, and `no_days` when there was nothing to hide. Only for empty lists of days.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub empty_because: Vec<String>,
    /// Seconds that the answer's Retry-After asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// Latency of the answer in milliseconds.
    pub latency_ms: u64,
}

/// What a request changed or showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing of note.
    #[default]
    None,
    /// A session began.
    SignedIn,
    /// No session: why.
    SignInRefused(String),
    /// The session was ended by the user.
    SignedOut,
    /// A request without a live session.
    NotSignedIn,
    /// The session ended under this request.
    SessionEnded,
    /// Days were listed.
    Looked {
        /// Facility number.
        facility: u32,
        /// Number of days listed.
        days: usize,
        /// Why the list was emptied, if it was.
        hidden: Option<String>,
    },
    /// Times were listed.
    Timed {
        /// Facility number.
        facility: u32,
        /// Date asked for.
        date: String,
        /// Number of times listed.
        times: usize,
        /// Why the list was emptied, if it was.
        hidden: Option<String>,
    },
    /// This call brought a soft ban.
    Banned {
        /// Until when.
        until: DateTime<Utc>,
    },
    /// An appointment was booked or moved.
    Booked {
        /// Before.
        from: Option<Appointment>,
        /// After.
        to: Appointment,
    },
    /// A booking or cancellation was refused: why.
    Refused(String),
    /// A second POST within the lag undid the first.
    Reverted {
        /// What the first had booked.
        from: Option<Appointment>,
        /// What stands again.
        to: Option<Appointment>,
    },
    /// The appointment was cancelled.
    Cancelled {
        /// What stood before.
        from: Appointment,
    },
    /// Money moved at the card provider, or was told about.
    Card(crate::card::ledger::Change),
    /// A notification was taken under this number.
    Notified {
        /// The number.
        id: u64,
    },
    /// A slot appeared, vanished, was taken or removed.
    Slot {
        /// The slot.
        slot: Slot,
        /// What happened to it.
        what: String,
    },
}

/// All entries so far.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    entries: Vec<Entry>,
}

impl Journal {
    /// A journal that goes on after these entries.
    pub fn resume(entries: Vec<Entry>) -> Self {
        Self { entries }
    }

    /// Writes an entry; its number is set here.
    pub fn write(&mut self, mut entry: Entry) -> u64 {
        entry.seq = self.entries.len() as u64 + 1;
        self.entries.push(entry);
        self.entries.len() as u64
    }

    pub(crate) fn world_event(&mut self, at: DateTime<Utc>, effect: Effect) {
        self.note(at, "world", None, effect);
    }

    /// A change made by a person in a browser of their own: kind `hand`, with the account and the group.
    pub(crate) fn by_hand(&mut self, at: DateTime<Utc>, of: (String, u64), effect: Effect) {
        self.note(at, "hand", Some(of), effect);
    }

    fn note(&mut self, at: DateTime<Utc>, kind: &str, of: Option<(String, u64)>, effect: Effect) {
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

    /// Goes on after an older journal, so that numbers never repeat.
    pub(crate) fn continue_after(&mut self, older: Self) {
        let newer = std::mem::replace(self, older);
        for entry in newer.entries {
            self.write(entry);
        }
    }

    /// Entries after `seq`, oldest first.
    pub fn after(&self, seq: u64) -> &[Entry] {
        let from = usize::try_from(seq).unwrap_or(usize::MAX).min(self.entries.len());
        &self.entries[from..]
    }

    /// Number of the last entry; 0 when empty.
    pub fn last_seq(&self) -> u64 {
        self.entries.len() as u64
    }
}
