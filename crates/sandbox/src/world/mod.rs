//! The simulated world as a pure state machine. Times are arguments, and all random numbers follow
//! from the seed.

pub mod accounts;
pub mod answers;
pub mod arrivals;
pub mod asc;
pub mod bookings;
mod by_hand;
pub mod clock;
pub mod country;
pub mod deviations;
pub(crate) mod dice;
pub mod facility;
mod fault_kind;
pub mod faults;
mod new_account;
pub mod slots;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::journal::Journal;
use accounts::{Account, Appointment, Group, Session};
use arrivals::Source;
use bookings::Applied;
use dice::Dice;
use faults::InjectedFault;
use slots::{Slot, Slots};

pub use new_account::{NewAccount, NewGroup, VISITOR};

/// State of everything outside the product: accounts, groups, slots, sessions, faults and the
/// journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct World {
    /// World time of the last change.
    pub now: DateTime<Utc>,
    /// Name of the initial scenario.
    pub scenario: String,
    /// Rules of the real portal that are uncertain.
    pub config: Config,
    /// Accounts by username in lower case.
    pub accounts: BTreeMap<String, Account>,
    /// Groups by portal schedule id.
    pub groups: BTreeMap<u64, Group>,
    /// Bookable slots and their scheduled events.
    pub slots: Slots,
    /// Arrival processes of slots.
    pub sources: Vec<Source>,
    /// Sessions by identifier.
    pub sessions: BTreeMap<String, Session>,
    /// Active faults.
    pub faults: Vec<InjectedFault>,
    /// All applied bookings and cancellations in order.
    pub applied: Vec<Applied>,
    /// Fingerprint appointments that rivals have booked.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub asc_taken: BTreeSet<Appointment>,
    /// The card provider's ledger.
    #[serde(default)]
    pub card: crate::card::ledger::CardLedger,
    /// Messages that the notification providers accepted.
    #[serde(default)]
    pub channels: crate::channel::Arrivals,
    /// Journal of requests, which is saved in a separate file.
    #[serde(skip)]
    pub journal: Journal,
    pub(crate) next_id: u64,
    pub(crate) secret: String,
    pub(crate) cookies: u64,
    pub(crate) dice: Dice,
}

/// Rules of the real portal that are uncertain. `POST /control/config` changes them at run time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Rule for soft bans.
    pub ban: Ban,
    /// Hides all dates during the day from accounts with an appointment.
    pub restricted_hours: bool,
    /// Lag of the groups page after a booking.
    pub lag: LagRule,
    /// Minimum and maximum lifetime of a session, in minutes.
    pub session_minutes: (i64, i64),
    /// Number of failed sign-ins after which the account is locked.
    pub lock_after_failures: u32,
    /// Length of the lock in minutes.
    pub lock_minutes: i64,
    /// Number of days before the appointment at which the deadline for changes is (15:30 local
    /// time).
    pub deadline_days: i64,
    /// Responds to a successful sign-in with 302 instead of JavaScript.
    pub sign_in_redirects: bool,
    /// Redirects after a booking POST to `/appointment/continue` first.
    pub booking_via_continue: bool,
    /// Makes the slot of the old appointment free again at the next five-minute mark after a
    /// reschedule.
    pub old_slot_returns: bool,
    /// Sends `[null]` instead of `[]` as the empty list of times.
    pub null_times: bool,
    /// Lifetime of a booking form in seconds. A later POST, or a POST without a form, is redirected
    /// to the sign-in page. 0 means no limit.
    pub form_lives_seconds: i64,
    /// Shows the table of cities on the fee page even if no city has a free date. Otherwise one
    /// sentence replaces the table.
    pub payment_table_when_none: bool,
    /// Records appearing and vanishing slots in the journal. Switch this off for very long or very
    /// busy runs.
    pub journal_slots: bool,
    /// Minimum and maximum latency of a response, in milliseconds.
    pub latency_ms: (u64, u64),
}

/// Conditions and length of an account's soft ban.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ban {
    /// Enables bans.
    pub enabled: bool,
    /// Number of requests for dates and times in the window that causes a ban.
    pub after_calls: u32,
    /// Upper bound of that number, if larger than `after_calls`. Each account then has its own
    /// number between the two.
    pub up_to_calls: u32,
    /// Length of the window in minutes.
    pub window_minutes: i64,
    /// Minimum and maximum length of a ban, in minutes.
    pub minutes: (i64, i64),
}

/// Rule for the lag of the groups page, which shows the old appointment after a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LagRule {
    /// Probability of a lag after each change, from 0 to 1.
    pub probability: f64,
    /// Length of the lag in seconds.
    pub seconds: i64,
    /// Probability from 0 to 1 that a second POST during the lag undoes the first one.
    pub second_post_reverts: f64,
    /// True if the instructions page lags too.
    pub instructions: bool,
}

impl Config {
    /// Returns `true` if all settings have permitted values.
    pub fn is_sane(&self) -> bool {
        const MOST: i64 = 10_000_000;
        let lengths = [
            self.ban.window_minutes,
            self.ban.minutes.0,
            self.ban.minutes.1,
            self.lag.seconds,
            self.session_minutes.0,
            self.session_minutes.1,
            self.lock_minutes,
            self.deadline_days,
            self.form_lives_seconds,
        ];
        let chances = [self.lag.probability, self.lag.second_post_reverts];
        lengths.iter().all(|n| (0..=MOST).contains(n))
            && chances.iter().all(|p| (0.0..=1.0).contains(p))
            && self.latency_ms.1 <= 3_600_000
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            ban: Ban::default(),
            restricted_hours: false,
            lag: LagRule::default(),
            session_minutes: (88, 240),
            lock_after_failures: 5,
            lock_minutes: 60,
            deadline_days: 4,
            sign_in_redirects: false,
            booking_via_continue: false,
            old_slot_returns: false,
            null_times: false,
            form_lives_seconds: 0,
            payment_table_when_none: false,
            journal_slots: true,
            latency_ms: (0, 0),
        }
    }
}

impl Default for Ban {
    fn default() -> Self {
        Self { enabled: false, after_calls: 60, up_to_calls: 0, window_minutes: 600, minutes: (180, 720) }
    }
}

impl Default for LagRule {
    fn default() -> Self {
        Self { probability: 0.0, seconds: 120, second_post_reverts: 1.0, instructions: false }
    }
}

impl World {
    /// Creates an empty world at `now`. `seed` determines all random numbers.
    pub fn new(seed: u64, now: DateTime<Utc>) -> Self {
        Self {
            now,
            scenario: "empty".to_owned(),
            config: Config::default(),
            accounts: BTreeMap::new(),
            groups: BTreeMap::new(),
            slots: Slots::default(),
            sources: Vec::new(),
            sessions: BTreeMap::new(),
            faults: Vec::new(),
            applied: Vec::new(),
            asc_taken: BTreeSet::new(),
            card: crate::card::ledger::CardLedger::new(seed),
            channels: crate::channel::Arrivals::default(),
            journal: Journal::default(),
            next_id: 1,
            secret: format!("sandbox-{seed}"),
            cookies: 0,
            dice: Dice::new(seed),
        }
    }

    /// Returns the next unused number.
    pub(crate) fn fresh_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Returns the groups of an account in the order of creation.
    pub fn groups_of<'a>(&'a self, username: &str) -> impl Iterator<Item = &'a Group> + use<'a> {
        let schedules = self.accounts.get(username).map(|a| a.schedules.as_slice()).unwrap_or_default();
        schedules.iter().filter_map(|id| self.groups.get(id))
    }

    /// Returns the slots that a group can book at a facility now: visible, large enough for the
    /// group, in the future, and in the group's country.
    pub(crate) fn on_offer(&self, group: &Group, place: u32) -> impl Iterator<Item = &Slot> {
        let today = group.country.facility(place).map(|f| f.today(self.now));
        let slots = self.slots.visible(group.pool(), place, group.party());
        slots.filter(move |slot| today.is_some_and(|today| slot.date > today))
    }
}

/// Serialization of times as `HH:MM`.
pub(crate) mod hour_minute {
    use chrono::NaiveTime;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(time: &NaiveTime, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&time.format("%H:%M"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<NaiveTime, D::Error> {
        let text = String::deserialize(d)?;
        NaiveTime::parse_from_str(&text, "%H:%M").map_err(D::Error::custom)
    }
}
