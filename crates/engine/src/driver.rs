//! The round: lease, reload, hand out what is due, sleep.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::{AttemptId, PortalAccountId, TaskId};
use domain::prewarm::Why;
use futures_util::future::BoxFuture;
use inference::planner;
use portal::Purpose;
use store::timeline::History;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

mod due;

use crate::state::State;
use crate::turn::Lent;
use crate::{Engine, Fault};

/// One piece of work on one portal account.
#[derive(Clone, Debug)]
pub(crate) enum Job {
    /// Read an attempt's outcome.
    ReadBack { attempt: AttemptId, account: PortalAccountId },
    /// Try for a day.
    Book { task: TaskId, account: PortalAccountId, opening: crate::opening::Opening },
    /// Sign in, read the group, take the first poll.
    Start { task: TaskId, account: PortalAccountId },
    /// Make an account ready to book.
    Ready { task: TaskId, account: PortalAccountId, why: Why },
    /// See whether a page nobody could read is as known again.
    Probe { task: TaskId, account: PortalAccountId, page: portal::PageKind },
    /// See whether the user of a deleted task took what it told them of.
    LastRead { task: TaskId, account: PortalAccountId },
    /// See whether an attempt that seems not to have booked shows up after all.
    LateRead { attempt: AttemptId, account: PortalAccountId },
    /// Fetch one calendar's list through one poll source.
    Poll { task: TaskId, account: PortalAccountId, key: domain::calendar::CalendarKey, reason: planner::Why },
}

impl Job {
    pub(crate) const fn account(&self) -> PortalAccountId {
        match self {
            Self::ReadBack { account, .. }
            | Self::Book { account, .. }
            | Self::Start { account, .. }
            | Self::Ready { account, .. }
            | Self::Probe { account, .. }
            | Self::LastRead { account, .. }
            | Self::LateRead { account, .. }
            | Self::Poll { account, .. } => *account,
        }
    }

    /// What its requests are for; a booking that follows a poll says so itself.
    pub(crate) const fn purpose(&self) -> Purpose {
        match self {
            Self::ReadBack { .. } => Purpose::ReadBack,
            Self::Book { .. } => Purpose::Booking,
            Self::Start { .. } => Purpose::WarmUp,
            Self::Ready { .. } => Purpose::Prewarm,
            Self::Probe { .. } => Purpose::Probe,
            Self::LastRead { .. } | Self::LateRead { .. } => Purpose::LastRead,
            Self::Poll { .. } => Purpose::Poll,
        }
    }

    /// Requests whose tokens were drawn when it was handed out.
    pub(crate) const fn prepaid(&self) -> u32 {
        match self {
            Self::Start { .. } => START_COSTS,
            Self::Ready { .. } => domain::prewarm::SIGN_IN_COSTS,
            Self::Poll { .. } | Self::LastRead { .. } | Self::LateRead { .. } => 1,
            Self::Book { .. } | Self::ReadBack { .. } | Self::Probe { .. } => 0,
        }
    }
}

/// What one round found.
#[derive(Debug, Default)]
pub struct Round {
    pub(crate) jobs: Vec<Job>,
    /// The next instant (portal time) at which anything can be due.
    pub next_due: Option<Instant>,
}

impl Round {
    /// Whether there was nothing to do.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.jobs.is_empty()
    }
}

/// Requests a warm-up makes, about: groups, the way to the form, instructions, first polls.
const START_COSTS: u32 = 6;

/// The lease of the one active engine.
pub const LEASE: &str = "engine";

/// The longest the engine sleeps: rows can change without a nudge (another node).
pub const LONGEST_SLEEP: Duration = Duration::from_secs(2);

impl Engine {
    /// Works until `stop` is cancelled, then finishes what is under way and gives the lease back.
    pub async fn run(self: Arc<Self>, stop: CancellationToken) {
        let mut jobs: JoinSet<()> = JoinSet::new();
        while !stop.is_cancelled() {
            let round = self.round().await;
            let sleep = self.sleep_for(round.next_due);
            for job in round.jobs {
                let engine = self.clone();
                jobs.spawn(async move { engine.perform(job).await });
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.nudge.notified() => {}
                Some(_) = jobs.join_next() => {}
                () = tokio::time::sleep(sleep) => {}
            }
        }
        let finish = async { while jobs.join_next().await.is_some() {} };
        if tokio::time::timeout(Duration::from_secs(10), finish).await.is_err() {
            tracing::warn!("jobs under way were cut off at shutdown; recovery reads them back");
        }
        self.stand_down().await;
    }

    /// Runs everything that is due at this instant, to completion: for stories in virtual time.
    ///
    /// Returns the next instant at which anything can be due.
    pub async fn run_due(self: &Arc<Self>) -> Option<Instant> {
        self.nudge();
        self.go_on().await
    }

    /// The same, with rows read only as often as [`Engine::run`] would: for measures in virtual time.
    pub async fn go_on(self: &Arc<Self>) -> Option<Instant> {
        loop {
            let round = self.round().await;
            if round.is_idle() {
                return round.next_due;
            }
            let mut jobs = JoinSet::new();
            for job in round.jobs {
                let engine = self.clone();
                jobs.spawn(async move { engine.perform(job).await });
            }
            while jobs.join_next().await.is_some() {}
        }
    }

    /// Hands everything that is due at this instant out into `jobs`, which the caller runs in its own order of time.
    ///
    /// Returns the next instant at which anything can be due, should no job end before.
    pub async fn begin_due(self: &Arc<Self>, jobs: &mut JoinSet<()>) -> Option<Instant> {
        self.nudge();
        loop {
            let round = self.round().await;
            if round.is_idle() {
                return round.next_due;
            }
            for job in round.jobs {
                let engine = self.clone();
                jobs.spawn(async move { engine.perform(job).await });
            }
        }
    }

    /// Lease, reload, flush, sweep; then the jobs that are due, their accounts marked busy.
    pub(crate) async fn round(self: &Arc<Self>) -> Round {
        self.rounds.fetch_add(1, Ordering::Relaxed);
        let begun = self.ctx.wall.now();
        let prepared = self.prepare().await;
        crate::metrics::round((self.ctx.wall.now() - begun).as_seconds_f64());
        crate::metrics::lease(self.state.lock().epoch);
        match prepared {
            Ok(true) => {
                let mut round = self.take_due();
                self.expect(round.next_due);
                if let Err(fault) = self.note_lent(&round.jobs).await {
                    tracing::warn!(%fault, "jobs wait: which accounts they use could not be written");
                    let jobs = std::mem::take(&mut round.jobs).into_iter();
                    let (read_backs, others): (Vec<_>, Vec<_>) =
                        jobs.partition(|job| matches!(job, Job::ReadBack { .. }));
                    self.state.lock().take_back(&others);
                    round.jobs = read_backs;
                }
                round
            }
            Ok(false) => Round { jobs: Vec::new(), next_due: None },
            Err(fault) => {
                tracing::warn!(%fault, "the round could not be prepared; trying again");
                self.take_kept()
            }
        }
    }

    async fn prepare(self: &Arc<Self>) -> Result<bool, Fault> {
        self.read_clocks();
        let held = self.hold_lease().await?;
        let active = if held { self.state.lock().active_accounts() } else { 0 };
        self.ctx.outward.lead(held, active);
        self.ctx.outward.sync(&self.ctx).await?;
        if !held {
            return Ok(false);
        }
        self.mend_rows().await?;
        self.reload_if_asked().await?;
        self.reload_slice().await?;
        self.flush().await?;
        self.keep_learned().await?;
        self.sweep().await?;
        self.tell_layouts().await?;
        Ok(true)
    }

    /// Renews the lease, or takes it; everything is loaded afresh when it was not held before.
    async fn hold_lease(self: &Arc<Self>) -> Result<bool, Fault> {
        let now = self.ctx.wall.now();
        let third = TimeDelta::seconds(self.ctx.config.lease_seconds) / 3;
        let (epoch, renewed) = {
            let state = self.state.lock();
            (state.epoch, state.lease_renewed_at)
        };
        if epoch.is_some() && renewed.is_some_and(|at| now - at < third) {
            return Ok(true);
        }
        let Some(held) = self.renew_or_take(epoch).await? else {
            self.state.lock().epoch = None;
            return Ok(false);
        };
        let fresh = epoch != Some(held);
        if fresh {
            // The lease ran out, but nobody else had it: rows that a clock left behind are still this node's to mend.
            let alone = epoch.is_some_and(|before| held == before + 1);
            if alone {
                self.mend_rows().await?;
            } else {
                // Whoever held it meanwhile mended the rows.
                self.state.lock().unmended = None;
            }
            self.load_all().await?;
        }
        let mut state = self.state.lock();
        state.epoch = Some(held);
        state.highest_epoch = state.highest_epoch.max(held);
        state.lease_renewed_at = Some(now);
        Ok(true)
    }

    /// Renews or takes the lease; returns the epoch under which it is held: another one when the server's history
    /// changed, so that everything is loaded afresh.
    async fn renew_or_take(&self, held_before: Option<i64>) -> Result<Option<i64>, Fault> {
        let config = &self.ctx.config;
        let highest = self.state.lock().highest_epoch;
        let now = (self.ctx.wall.now(), self.ctx.portal_time.now());
        let mut tx = self.ctx.db.begin_first().await?;
        if held_before.is_none() && !self.ctx.db.is_postgres() {
            // One process owns an SQLite database: whoever held the lease before is gone.
            store::lease::seize(&mut tx, LEASE).await?;
        }
        let held = store::lease::acquire(&mut tx, LEASE, &config.node, config.lease_seconds).await?;
        let Some(held) = held else { return Ok(None) };
        let history = store::timeline::check(&mut tx, LEASE, highest, now).await?;
        self.say_unguarded(history);
        if matches!(history, History::Changed(_)) {
            tracing::error!(
                "the database server continues another history, as after a failover: nothing is booked for {} s, and \
                 every open booking attempt is read back",
                store::timeline::QUIET.num_seconds()
            );
            store::booking_attempt::assume_all_sent(&mut tx, now.1, now.0).await?;
        }
        tx.commit().await?;
        Ok(Some(if let History::Changed(epoch) = history { epoch } else { held }))
    }

    /// Says, once, that nothing would be noticed of a failover that forgot commits.
    fn say_unguarded(&self, history: History) {
        let unguarded = history == History::Unknown;
        let before = std::mem::replace(&mut self.state.lock().unguarded, unguarded);
        if unguarded && !before {
            tracing::warn!(
                "the database does not say which history it continues: a failover that forgets bookings would not be \
                 noticed; let the role call pg_control_system() and pg_walfile_name()"
            );
        }
    }

    async fn stand_down(self: &Arc<Self>) {
        {
            let mut state = self.state.lock();
            state.flushed_at = None;
            state.spent_at = None;
        }
        if let Err(fault) = self.flush().await {
            tracing::warn!(%fault, "the last looks are missing in what is stored");
        }
        let epoch = self.state.lock().epoch.take();
        let given_back = async {
            let mut tx = self.ctx.db.begin_first().await?;
            let idle = self.state.lock().idle_turns();
            store::account_lease::give_back(&mut tx, &idle).await?;
            if let Some(epoch) = epoch {
                store::lease::release(&mut tx, LEASE, &self.ctx.config.node, epoch).await?;
            }
            tx.commit().await
        };
        if let Err(error) = given_back.await {
            tracing::warn!(%error, "the lease was not given back; it runs out by itself");
        }
    }

    fn sleep_for(&self, next_due: Option<Instant>) -> Duration {
        let Some(due) = next_due else {
            return LONGEST_SLEEP;
        };
        let portal = (due - self.ctx.portal_time.now()).to_std().unwrap_or_default();
        portal.div_f64(self.ctx.config.speed.max(0.001)).clamp(Duration::from_millis(5), LONGEST_SLEEP)
    }

    /// Does one job; boxed, for what a poll shows is booked within the poll's own job.
    pub(crate) fn perform(self: &Arc<Self>, job: Job) -> BoxFuture<'_, ()> {
        Box::pin(self.carry_out(job))
    }

    async fn carry_out(self: &Arc<Self>, job: Job) {
        let account = job.account();
        // A poll that only looks leaves no row behind that is not known here; anything else may.
        let quiet = matches!(job, Job::Poll { .. });
        let lent = Lent::new(self.clone(), &job, quiet);
        let outcome = match job {
            Job::ReadBack { attempt, .. } => crate::settle::read_back(self, attempt, lent).await,
            Job::Book { task, opening, .. } => crate::book::book(self, task, lent, opening).await,
            Job::Start { task, .. } => crate::start::start(self, task, lent).await,
            Job::Ready { task, why, .. } => crate::prewarm::make_ready(self, task, lent, why).await,
            Job::Probe { task, page, .. } => crate::layout::probe(self, task, lent, page).await,
            Job::LastRead { task, .. } => crate::last_read::last_read(self, task, lent).await,
            Job::LateRead { attempt, .. } => crate::late::late_read(self, attempt, lent).await,
            Job::Poll { task, key, reason, .. } => crate::poll::poll(self, task, lent, &key, reason).await,
        };
        if let Err(fault) = outcome {
            self.nudge();
            tracing::warn!(%fault, account = %account, "a job ended early");
        }
    }
}

impl State {
    /// Marks the accounts of these jobs as busy.
    pub(crate) fn lend(&mut self, jobs: &[Job]) {
        for job in jobs {
            if let Some(account) = self.accounts.get_mut(&job.account()) {
                account.busy = true;
            }
        }
    }
}

impl Round {
    pub(crate) fn later(&mut self, at: Option<Instant>) {
        if let Some(at) = at {
            self.next_due = Some(self.next_due.map_or(at, |due| due.min(at)));
        }
    }

    pub(crate) fn uses(&self, account: PortalAccountId) -> bool {
        self.jobs.iter().any(|job| job.account() == account)
    }
}

pub(crate) fn is_free(state: &State, round: &Round, account: PortalAccountId) -> bool {
    state.accounts.get(&account).is_some_and(|a| !a.busy) && !round.uses(account)
}
