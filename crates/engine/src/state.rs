//! What the engine keeps in memory; everything in it can be rebuilt from the database.

use std::collections::{HashMap, HashSet, VecDeque};

use chrono::{NaiveDate, TimeDelta};
use domain::appointment::Slot;
use domain::budget::{Budget, Calls};
use domain::calendar::{CalendarKey, Kind};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{AttemptId, PortalAccountId, PortalScheduleId, TaskId};
use store::task::Task;

use crate::accounts::Accounts;
use crate::roster::Roster;

/// A portal login as the engine sees it.
#[derive(Default)]
pub(crate) struct Account {
    /// In the middle of a job.
    pub busy: bool,
    /// The session, once opened here.
    pub session: Option<crate::session::Held>,
    /// Whether a sealed session was tried already.
    pub imported: bool,
    /// Version of the latest sealed session known here.
    pub session_version: i32,
    pub budget: Budget,
    pub health: String,
    pub not_before: Option<Instant>,
    /// Since when it is held back, once that was found here.
    pub cooling_since: Option<Instant>,
    /// What this session last saw: "unchanged" is said against it, not against the shared list.
    pub lists: HashMap<(PortalScheduleId, FacilityId), Vec<NaiveDate>>,
    /// Where the portal shows the account's groups, as an earlier session found it.
    pub home: Option<String>,
    /// Since when the session is signed in, as far as is known.
    pub signed_in_at: Option<Instant>,
    /// How often in a row its requests failed for reasons of the host.
    pub failures: u32,
    /// Calls that the stored budget does not hold yet.
    pub unspent: Vec<(Calls, Instant)>,
}

/// A calendar as the engine sees it.
#[derive(Default)]
pub(crate) struct Calendar {
    pub days: Vec<NaiveDate>,
    pub last_poll: Option<Instant>,
    pub last_try: Option<Instant>,
    /// When an empty list was put down to restricted hours.
    pub restricted_at: Option<Instant>,
    /// New days an hour, of late: decays over half a day.
    pub activity: Activity,
    /// Days whose times answered empty, how often, and until when they are left alone.
    pub phantoms: HashMap<NaiveDate, (u32, Instant)>,
}

/// New days an hour, with the latest counting most.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Activity {
    per_hour: f64,
    at: Option<Instant>,
}

/// How long a new day keeps its calendar warm, hours.
const HEAT_HOURS: f64 = 12.0;

impl Activity {
    /// At this instant.
    pub fn now(self, now: Instant) -> f64 {
        let hours = self.at.map_or(0.0, |at| (now - at).num_seconds().max(0) as f64 / 3600.0);
        self.per_hour * (-hours / HEAT_HOURS).exp()
    }

    /// The clock was set by so much.
    pub fn shift(&mut self, by: TimeDelta) {
        self.at = self.at.map(|at| at + by);
    }

    /// So many days appeared at once.
    pub fn add(&mut self, days: usize, now: Instant) {
        *self = Self { per_hour: self.now(now) + days as f64 / HEAT_HOURS, at: Some(now) };
    }
}

/// A day some tasks want, and who may still try for it.
pub(crate) struct OpeningQueue {
    pub key: CalendarKey,
    pub date: NaiveDate,
    pub seen_at: Instant,
    pub candidates: VecDeque<TaskId>,
    /// Whose list shows it, as of when.
    pub seen: crate::sharing::Seen,
    pub trying: u32,
    /// How many can try at once: one until its times are known, then one per time.
    pub capacity: u32,
    pub not_before: Instant,
}

/// An attempt whose outcome has to be read.
pub(crate) struct LiveAttempt {
    pub task: TaskId,
    pub account: PortalAccountId,
    /// The exact slot, once it is acting.
    pub target: Option<Slot>,
    pub next_read_at: Option<Instant>,
}

/// An opening nobody could act on is dropped after this.
pub(crate) const HINT_LIVES: TimeDelta = TimeDelta::minutes(2);
/// At most so many accounts try for one opening at once.
pub(crate) const BOOKERS_PER_HINT: u32 = 3;

/// The whole of it.
#[derive(Default)]
pub(crate) struct State {
    /// The epoch of the lease this node holds.
    pub epoch: Option<i64>,
    pub lease_renewed_at: Option<Instant>,
    /// The highest epoch this process ever held.
    pub highest_epoch: i64,
    /// What a failover of the database asks for.
    pub guard: store::timeline::Guard,
    /// The database does not say which history it continues; that was logged.
    pub unguarded: bool,
    /// Turns whose rows are written: see [`crate::account_lease`].
    pub turns: crate::account_lease::Turns,
    pub tasks: Roster,
    pub accounts: Accounts,
    /// When who stands ready is looked at again.
    pub prewarm_at: Option<Instant>,
    /// Calendars somebody stands ready for.
    pub ready: std::collections::HashSet<CalendarKey>,
    /// Whole rows of tasks that poll and book just now, as they were read last.
    pub rows: HashMap<TaskId, Box<Task>>,
    pub calendars: HashMap<CalendarKey, Calendar>,
    pub openings: Vec<OpeningQueue>,
    /// Accounts that try for a day and have not sent the POST yet.
    pub trying: HashSet<PortalAccountId>,
    /// Pages of the portal that are not as known.
    pub layouts: crate::layout::Layouts,
    /// Whether the lists of a calendar are everybody's.
    pub sharing: crate::sharing::Shared,
    /// Where the next poll is worth most, and what was learned of it.
    pub planning: crate::planning::Planning,
    /// What answers are weighed against, and what empty ones were judged to mean.
    pub judge: inference::cause::infer::CauseInference,
    pub judged: crate::judge::Judged,
    pub attempts: HashMap<AttemptId, LiveAttempt>,
    /// Attempts that were sent, as far as they are known without the database.
    pub kept: HashMap<AttemptId, crate::settle::Kept>,
    /// (task, facility, day) left alone until then, after a try that brought nothing.
    pub cool_offs: HashMap<(TaskId, FacilityId, NaiveDate), Instant>,
    /// Read-backs that failed for reasons of ours: not tried again before this.
    pub read_not_before: HashMap<AttemptId, Instant>,
    /// Tasks whose start failed for now.
    pub start_not_before: HashMap<TaskId, Instant>,
    /// Tasks whose group was not on the groups page the last time.
    pub missing: std::collections::HashSet<TaskId>,
    /// Tasks that were told of a day which is still there.
    pub alerted: HashMap<(FacilityId, NaiveDate), HashSet<TaskId>>,
    /// Days somebody tried for in vain: who stood behind the attempt is told of them.
    pub tried_in_vain: HashSet<(FacilityId, NaiveDate)>,
    pub flushed_at: Option<Instant>,
    /// Accounts with calls that are not written yet, and when they were written last.
    pub unspent: std::collections::BTreeSet<PortalAccountId>,
    pub spent_at: Option<Instant>,
    /// Looks the overall ceiling allows, and when it was last reckoned.
    pub poll_tokens: f64,
    pub poll_tokens_at: Option<Instant>,
    /// Wall time of the newest row seen.
    pub reloaded: Option<Instant>,
    /// Wall time at which it was last asked what changed.
    pub reloaded_at: Option<Instant>,
    /// Whether rows are still asked whether their time is over, since the last sweep.
    pub sweeping: bool,
    /// What a glance at the rows showed before they were read last, and since when it was asked.
    pub glanced: Option<(Instant, store::task::Glance)>,
    /// Days nobody could try for in time.
    pub missed: crate::missed::Missed,
    /// Lists that changed and are not written yet.
    pub unrecorded: Vec<crate::observe::Changed>,
    /// Where the slow second reading of every row stands.
    pub reread: crate::reload::Reread,
    pub swept_at: Option<Instant>,
    /// When tasks that stand still with an open hold were looked through.
    pub still_swept_at: Option<Instant>,
    /// Deleted tasks whose portal is read once more now.
    pub last_reads: Vec<(domain::ids::TaskId, PortalAccountId)>,
    /// Attempts that seem not to have booked and are read once more now, and when the next of them is.
    pub late: crate::late::Late,
    /// What the clocks showed in the last round, and by how much they were set since the rows were mended.
    pub tick: Option<crate::clockwork::Tick>,
    pub unmended: Option<TimeDelta>,
    /// When unused secrets were searched for.
    pub searched_at: Option<Instant>,
}

impl State {
    /// Whether polls left something to be written.
    pub fn has_unwritten(&self) -> bool {
        self.tasks.has_uncounted() || !self.unrecorded.is_empty() || !self.missed.unwritten.is_empty()
    }

    /// When counters must be written, if there are any.
    pub fn flush_due(&self, every: TimeDelta) -> Option<Instant> {
        self.has_unwritten().then(|| self.flushed_at.map(|at| at + every)).flatten()
    }

    /// Whether an attempt keeps this account from booking.
    pub fn has_live_attempt(&self, account: PortalAccountId) -> bool {
        self.attempts.values().any(|i| i.account == account)
    }

    /// The calendar, made on first use.
    pub fn calendar(&mut self, key: &CalendarKey) -> &mut Calendar {
        if !self.calendars.contains_key(key) {
            self.calendars.insert(key.clone(), Calendar::default());
        }
        self.calendars.get_mut(key).expect("just inserted")
    }
}

/// The kind of applicant a task is.
pub(crate) fn kind_of(task: &Task) -> Kind {
    Kind::of(&task.country, &task.visa_type, &task.group, task.booked.is_some())
}
