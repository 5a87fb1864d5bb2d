//! The engine's state in memory. All of it can be rebuilt from the database.

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
    /// Returns the number of portal accounts with running tasks, counted only as far as the host's
    /// health needs it.
    pub(crate) fn active_accounts(&self) -> usize {
        self.tasks.accounts().take(4).count()
    }
}

/// The whole state.
#[derive(Default)]
pub(crate) struct State {
    /// The epoch of the lease that this node holds.
    pub epoch: Option<i64>,
    pub lease_renewed_at: Option<Instant>,
    /// The highest epoch this process ever held.
    pub highest_epoch: i64,
    /// Requirements after a failover of the database.
    pub guard: store::timeline::Guard,
    /// Marks a database that does not report its timeline. This was logged.
    pub unguarded: bool,
    /// Marks a database that a newer build has migrated, so this node does not lead. This was
    /// logged.
    pub outdated: bool,
    /// Leases whose rows are written: see [`crate::model::leases`].
    pub written_leases: crate::model::leases::WrittenLeases,
    pub tasks: TaskIndex,
    pub accounts: Accounts,
    /// Accounts with an episode of evidence that they cannot book.
    pub problems: std::collections::BTreeSet<(PortalAccountId, domain::account_problem::ProblemKind)>,
    /// Accounts that recently found no times for a date.
    pub no_times: crate::model::no_times::NoTimes,
    /// Order of the next account visits.
    pub visits: crate::model::visits::Visits,
    /// Next time at which the prewarmed accounts are reconsidered.
    pub prewarm_at: Option<Instant>,
    /// Calendars for which an account is prewarmed.
    pub ready: std::collections::HashSet<CalendarKey>,
    /// Whole rows of tasks that are polling or booking, as last read.
    pub rows: HashMap<TaskId, Box<Task>>,
    pub calendars: HashMap<CalendarKey, Calendar>,
    pub openings: Vec<OpeningQueue>,
    /// Accounts that try for a date and have not sent the POST yet, with facility and date.
    pub trying: HashMap<PortalAccountId, (FacilityId, NaiveDate)>,
    /// Pages of the portal that are unknown.
    pub page_breakers: crate::model::page_breaker::PageBreakers,
    /// Countries whose tasks are in ask-first mode because the path to their booking form was never
    /// read.
    pub first_walks: crate::model::first_walk::FirstWalks,
    /// Agreement between the lists that different accounts get for a calendar.
    pub list_agreement: crate::model::list_agreement::ListAgreements,
    /// Expected value of the next polls, and the data learned about it.
    pub poll_plan: crate::model::poll_plan::PollPlan,
    /// Inference of the causes of empty lists, and its latest results.
    pub cause_inference: inference::cause::infer::CauseInference,
    pub inferences: crate::model::empty_lists::InferenceLog,
    pub attempts: HashMap<AttemptId, LiveAttempt>,
    /// Attempts that were sent, as far as they are known without the database.
    pub kept: HashMap<AttemptId, crate::model::attempts::SentAttempt>,
    /// End of the cool-down of (task, facility, date) after a try without result.
    pub cool_offs: HashMap<(TaskId, FacilityId, NaiveDate), Instant>,
    /// Time before which only read-backs are dispatched, because the leases of other jobs' accounts
    /// could not be written.
    pub leases_not_before: Option<domain::clock::Instant>,
    /// Failed work that backs off before the next try.
    pub backoffs: crate::model::backoff::Backoffs,
    /// Read-backs that failed for internal reasons: not repeated before this time.
    pub read_not_before: HashMap<AttemptId, Instant>,
    /// Tasks whose start failed temporarily.
    pub start_not_before: HashMap<TaskId, Instant>,
    /// Tasks whose group was not on the groups page at the last read.
    pub missing: std::collections::HashSet<TaskId>,
    /// Tasks that were notified of a date that is still listed.
    pub alerted: HashMap<(FacilityId, NaiveDate), HashSet<TaskId>>,
    /// Dates for which tasks have sent a question.
    pub asked: crate::model::questions::AskedDays,
    /// Approvals of dates by users, until they have an outcome.
    pub answers: crate::model::questions::Answers,
    /// Dates of failed tries: tasks ranked below the attempt are notified of them.
    pub tried_in_vain: HashSet<(FacilityId, NaiveDate)>,
    pub flushed_at: Option<Instant>,
    /// Next polls as written in the rows of calendars.
    pub written_plans: crate::model::state::plans::WrittenPlans,
    /// Accounts with calls that are not written yet, and the time of the last write.
    pub unspent: std::collections::BTreeSet<PortalAccountId>,
    pub spent_at: Option<Instant>,
    /// The limit on polls and sign-ins that all accounts together may begin.
    pub poll_ceiling: crate::model::state::rate_limit::PollCeiling,
    /// Wall time of the newest row seen.
    pub reloaded: Option<Instant>,
    /// Wall time of the last query for changes.
    pub reloaded_at: Option<Instant>,
    /// Marks that the current sweep has not yet checked all rows for expiry.
    pub sweeping: bool,
    /// The change marker before the last read of the rows, and the start of its range.
    pub change_marker: Option<(Instant, store::task::ChangeMarker)>,
    /// Dates for which no account could try in time.
    pub missed_openings: crate::model::missed_openings::MissedOpenings,
    /// Changed lists that are not written yet.
    pub unrecorded: Vec<crate::model::observe::ListChange>,
    /// Position of the slow second reading of every row.
    pub rescan: crate::model::reload::RescanCursor,
    pub swept_at: Option<Instant>,
    /// Time of the last check of stalled tasks with an open hold.
    pub still_swept_at: Option<Instant>,
    /// Deleted tasks whose portal account is due for a last read.
    pub last_reads: Vec<(domain::ids::TaskId, PortalAccountId)>,
    /// Attempts that apparently booked nothing and are read once more, with the time of the next
    /// such read.
    pub late: crate::model::attempts::LateReadings,
    /// Clock readings of the last round, and the clock adjustment since the rows were last
    /// corrected.
    pub tick: Option<crate::model::clock::ClockReading>,
    pub clock_jump: Option<TimeDelta>,
    /// Time of the last search for unused secrets.
    pub searched_at: Option<Instant>,
}

impl State {
    /// Returns `true` if polls left data to write.
    pub fn has_unwritten(&self) -> bool {
        self.tasks.has_uncounted()
            || !self.unrecorded.is_empty()
            || !self.missed_openings.unwritten.is_empty()
    }

    /// Returns the time at which counters must be written, if there are any.
    pub fn flush_due(&self, every: TimeDelta) -> Option<Instant> {
        self.has_unwritten().then(|| self.flushed_at.map(|at| at + every)).flatten()
    }

    /// Returns `true` if an attempt prevents this account from booking.
    pub fn has_live_attempt(&self, account: PortalAccountId) -> bool {
        self.attempts.values().any(|i| i.account == account)
    }

    /// Returns the calendar, created on first use.
    pub fn calendar(&mut self, key: &CalendarKey) -> &mut Calendar {
        if !self.calendars.contains_key(key) {
            self.calendars.insert(key.clone(), Calendar::default());
        }
        self.calendars.get_mut(key).expect("just inserted")
    }
}

/// Returns the kind of applicant of a task.
pub(crate) fn kind_of(task: &Task) -> Kind {
    Kind::of(task.country, task.visa_type, &task.group, task.booked.is_some())
}
