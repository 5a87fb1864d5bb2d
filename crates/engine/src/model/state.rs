//! What the engine keeps in memory; everything in it can be rebuilt from the database.

pub(crate) mod clock;
pub(crate) mod empty_lists;
pub(crate) mod jobs;
pub(crate) mod learned;
pub(crate) mod match_openings;
pub(crate) mod missed_openings;
pub(crate) mod observe;
pub(crate) mod openings;
pub(crate) mod page_breaker;
pub(crate) mod plans;
pub(crate) mod poll_plan;
pub(crate) mod questions;
pub(crate) mod rate_limit;
pub(crate) mod reload;

use std::collections::{HashMap, HashSet};

use chrono::{NaiveDate, TimeDelta};
use domain::calendar::{CalendarKey, Kind};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{AttemptId, PortalAccountId, TaskId};
use store::task::Task;

use crate::model::account::Accounts;
use crate::model::attempts::LiveAttempt;
use crate::model::availability::Calendar;
use crate::model::openings::OpeningQueue;
use crate::model::task_index::TaskIndex;

impl State {
    /// Portal accounts of running tasks, counted as far as it matters for the host's health.
    pub(crate) fn active_accounts(&self) -> usize {
        self.tasks.accounts().take(4).count()
    }
}

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
    /// A newer build migrated the database, so this node does not lead; that was logged.
    pub outdated: bool,
    /// Leases whose rows are written: see [`crate::model::leases`].
    pub written_leases: crate::model::leases::WrittenLeases,
    pub tasks: TaskIndex,
    pub accounts: Accounts,
    /// Accounts with an episode of evidence that they cannot book.
    pub problems: std::collections::BTreeSet<(PortalAccountId, domain::account_problem::ProblemKind)>,
    /// Accounts that found no times for a date lately.
    pub no_times: crate::model::no_times::NoTimes,
    /// Which accounts are visited next.
    pub visits: crate::model::visits::Visits,
    /// When who stands ready is looked at again.
    pub prewarm_at: Option<Instant>,
    /// Calendars somebody stands ready for.
    pub ready: std::collections::HashSet<CalendarKey>,
    /// Whole rows of tasks that poll and book just now, as they were read last.
    pub rows: HashMap<TaskId, Box<Task>>,
    pub calendars: HashMap<CalendarKey, Calendar>,
    pub openings: Vec<OpeningQueue>,
    /// Accounts that try for a day and have not sent the POST yet, and for which.
    pub trying: HashMap<PortalAccountId, (FacilityId, NaiveDate)>,
    /// Pages of the portal that are not as known.
    pub page_breakers: crate::model::page_breaker::PageBreakers,
    /// Countries whose tasks ask first, because nobody has read the way to their booking form yet.
    pub first_walks: crate::model::first_walk::FirstWalks,
    /// Whether the lists of a calendar are everybody's.
    pub list_agreement: crate::model::list_agreement::ListAgreements,
    /// Where the next poll is worth most, and what was learned of it.
    pub poll_plan: crate::model::poll_plan::PollPlan,
    /// What empty lists mean: the inference, and its latest results.
    pub cause_inference: inference::cause::infer::CauseInference,
    pub inferences: crate::model::empty_lists::InferenceLog,
    pub attempts: HashMap<AttemptId, LiveAttempt>,
    /// Attempts that were sent, as far as they are known without the database.
    pub kept: HashMap<AttemptId, crate::model::attempts::SentAttempt>,
    /// (task, facility, day) left alone until then, after a try that brought nothing.
    pub cool_offs: HashMap<(TaskId, FacilityId, NaiveDate), Instant>,
    /// No job but a read-back is handed out before this: the accounts it would use could not be written.
    pub leases_not_before: Option<domain::clock::Instant>,
    /// Work that failed and waits before it is tried again.
    pub backoffs: crate::model::backoff::Backoffs,
    /// Read-backs that failed for reasons of ours: not tried again before this.
    pub read_not_before: HashMap<AttemptId, Instant>,
    /// Tasks whose start failed for now.
    pub start_not_before: HashMap<TaskId, Instant>,
    /// Tasks whose group was not on the groups page the last time.
    pub missing: std::collections::HashSet<TaskId>,
    /// Tasks that were told of a day which is still there.
    pub alerted: HashMap<(FacilityId, NaiveDate), HashSet<TaskId>>,
    /// Days of which tasks have asked.
    pub asked: crate::model::questions::AskedDays,
    /// Users' words that days may be booked, until something comes of them.
    pub answers: crate::model::questions::Answers,
    /// Days somebody tried for in vain: who stood behind the attempt is told of them.
    pub tried_in_vain: HashSet<(FacilityId, NaiveDate)>,
    pub flushed_at: Option<Instant>,
    /// What the rows of calendars say of their next polls.
    pub written_plans: crate::model::state::plans::WrittenPlans,
    /// Accounts with calls that are not written yet, and when they were written last.
    pub unspent: std::collections::BTreeSet<PortalAccountId>,
    pub spent_at: Option<Instant>,
    /// The polls and sign-ins that all accounts together may begin.
    pub poll_ceiling: crate::model::state::rate_limit::PollCeiling,
    /// Wall time of the newest row seen.
    pub reloaded: Option<Instant>,
    /// Wall time at which it was last asked what changed.
    pub reloaded_at: Option<Instant>,
    /// Whether rows are still asked whether their time is over, since the last sweep.
    pub sweeping: bool,
    /// The change marker of the rows before they were read last, and since when it was asked.
    pub change_marker: Option<(Instant, store::task::ChangeMarker)>,
    /// Days nobody could try for in time.
    pub missed_openings: crate::model::missed_openings::MissedOpenings,
    /// Lists that changed and are not written yet.
    pub unrecorded: Vec<crate::model::observe::ListChange>,
    /// Where the slow second reading of every row stands.
    pub rescan: crate::model::reload::RescanCursor,
    pub swept_at: Option<Instant>,
    /// When tasks that stand still with an open hold were looked through.
    pub still_swept_at: Option<Instant>,
    /// Deleted tasks whose portal is read once more now.
    pub last_reads: Vec<(domain::ids::TaskId, PortalAccountId)>,
    /// Attempts that seem not to have booked and are read once more now, and when the next of them is.
    pub late: crate::model::attempts::LateReadings,
    /// What the clocks showed in the last round, and by how much they were set since the rows were mended.
    pub tick: Option<crate::model::clock::ClockReading>,
    pub clock_jump: Option<TimeDelta>,
    /// When unused secrets were searched for.
    pub searched_at: Option<Instant>,
}

impl State {
    /// Whether polls left something to be written.
    pub fn has_unwritten(&self) -> bool {
        self.tasks.has_uncounted()
            || !self.unrecorded.is_empty()
            || !self.missed_openings.unwritten.is_empty()
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
    Kind::of(task.country, task.visa_type, &task.group, task.booked.is_some())
}
