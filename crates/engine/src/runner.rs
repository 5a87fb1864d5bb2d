//! The engine's loop. Each round renews the lease, reloads rows, dispatches due jobs and sleeps.

mod clock_jump;
mod dispatch;
mod entry;
mod leader;
mod sweep;
pub mod watchdog;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use chrono::TimeDelta;
use domain::clock::Instant;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::gateway::Gateway;
use crate::gateway::outward::Outward;
use crate::memory::{FailedRounds, Memory};
use crate::model::backoff::Work;
use crate::model::job::Job;
use crate::model::state::State;
use crate::persist::Records;
use crate::schedule::Schedule;
use crate::{Context, JobError, Round};

/// Maximum sleep between rounds (wall time). Another node can change rows without waking this
/// engine.
pub const LONGEST_SLEEP: Duration = Duration::from_secs(2);

/// Delay before jobs are dispatched again after the leases of their accounts could not be written.
const LEASES_AGAIN: TimeDelta = TimeDelta::seconds(2);

/// Number of failed rounds in a row after which an alarm is raised.
const FAILED_ROUNDS: u32 = 3;

/// The engine. The lease ensures that only one engine is active.
pub struct Engine {
    ctx: Context,
    pub(crate) gateway: Arc<Gateway>,
}

impl Engine {
    /// Creates an engine that has not started.
    #[must_use]
    pub fn new(ctx: Context) -> Arc<Self> {
        let memory = Arc::new(Memory::default());
        memory.asked.store(true, Ordering::Release);
        let gateway = Arc::new(Gateway::new(&ctx, memory));
        Arc::new(Self { ctx, gateway })
    }

    /// Wakes the engine and requests a reload of the rows, because a row changed.
    pub fn nudge(&self) {
        self.memory().nudge();
    }

    /// Returns `true` if this node holds the lease, as far as it knows.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.memory().epoch().is_some()
    }

    /// Returns the number of jobs that wait for other jobs of this engine. The driver of virtual
    /// time adds them to the jobs that wait for the portal.
    #[must_use]
    pub fn waiting_jobs(&self) -> usize {
        self.memory().waiting()
    }

    /// Returns the context of the engine, for tasks that run beside it.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.ctx
    }

    /// Returns the limits on this node's requests to the portal's host.
    #[must_use]
    pub fn outward(&self) -> &Outward {
        &self.ctx.outward
    }

    /// Returns the component that writes the engine's decisions to the database.
    pub(crate) fn records(&self) -> &Records {
        &self.gateway.records
    }

    /// Returns the engine's state in memory.
    pub(crate) fn memory(&self) -> &Memory {
        &self.gateway.records.memory
    }

    /// Returns a gateway that shares this engine's memory and uses the database connections of
    /// `ctx`.
    pub(crate) fn gateway_over(&self, ctx: &Context) -> Gateway {
        Gateway::new(ctx, self.gateway.records.memory.clone())
    }

    /// Returns the schedule, which selects due work.
    pub(crate) fn schedule(&self) -> Schedule<'_> {
        Schedule { config: &self.ctx.config, pacer: self.ctx.client.pacer() }
    }
}

impl Engine {
    /// Runs until `stop` is cancelled. Then waits for the jobs in progress, aborts unfinished ones
    /// after a timeout, and releases the lease.
    pub async fn run(self: Arc<Self>, stop: CancellationToken) {
        self.run_until(stop, Duration::from_secs(10)).await;
    }

    /// Runs like [`Engine::run`], but waits at most `patience` for the jobs in progress.
    async fn run_until(self: Arc<Self>, stop: CancellationToken, patience: Duration) {
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
                () = self.memory().nudge.notified() => {}
                Some(ended) = jobs.join_next() => {
                    if let Err(error) = ended {
                        tracing::error!(%error, "engine job ended abnormally");
                    }
                }
                () = tokio::time::sleep(sleep) => {}
            }
        }
        let finish = async { while jobs.join_next().await.is_some() {} };
        if tokio::time::timeout(patience, finish).await.is_err() {
            tracing::warn!("aborting unfinished jobs at shutdown; sent bookings are read back at restart");
        }
        self.stand_down().await;
    }

    /// Runs all jobs that are due now, to completion. Used by tests in virtual time.
    ///
    /// Returns the next instant at which anything can be due.
    pub async fn run_due(self: &Arc<Self>) -> Option<Instant> {
        self.nudge();
        self.go_on().await
    }

    /// Runs due jobs like [`Engine::run_due`], but reads rows only as often as [`Engine::run`]
    /// does. Used by benchmarks in virtual time.
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

    /// Dispatches all jobs that are due now into `jobs`, which the caller runs in its own order.
    ///
    /// Returns the next instant at which work can be due if no job ends earlier.
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

    /// Runs one round: renews the lease, reloads rows, writes counters and sweeps. Returns the due
    /// jobs, and marks their accounts busy.
    pub(crate) async fn round(self: &Arc<Self>) -> Round {
        self.memory().rounds.fetch_add(1, Ordering::Relaxed);
        let begun = self.ctx.wall.now();
        let prepared = self.prepare().await;
        self.beat(&prepared);
        crate::metrics::round((self.ctx.wall.now() - begun).as_seconds_f64());
        crate::metrics::lease(self.memory().epoch());
        match prepared {
            Ok(true) => {
                let now = self.ctx.portal_time.now();
                let allowed = self.ctx.outward.allowed(now);
                let mut round = self.memory().update(|state| {
                    crate::fail_point::fail_point("round.locked");
                    self.schedule().due(state, allowed, now)
                });
                self.expect(round.next_due);
                if let Err(error) = self.records().write_leases(&round.jobs).await {
                    tracing::warn!(%error, "failed to store account leases; delaying jobs");
                    let jobs = std::mem::take(&mut round.jobs).into_iter();
                    let (read_backs, others): (Vec<_>, Vec<_>) =
                        jobs.partition(|job| matches!(job, Job::ReadBack { .. }));
                    let again = now + LEASES_AGAIN;
                    self.memory().update(|state| {
                        state.take_back(&others);
                        state.backoffs.delay_leases(again);
                    });
                    round.later(Some(again));
                    let pacer = self.ctx.client.pacer();
                    others.iter().for_each(|job| pacer.give_back(job.prepaid()));
                    others.iter().for_each(|job| self.memory().end_try(job.account()));
                    round.jobs = read_backs;
                }
                round
            }
            Ok(false) => Round { jobs: Vec::new(), next_due: None },
            Err(error) => {
                tracing::warn!(%error, "failed to prepare the round; trying again");
                let now = self.ctx.portal_time.now();
                self.memory().update(|state| self.schedule().due_in_memory(state, now))
            }
        }
    }

    /// Reports a round to the watchdog. A failed round counts as finished, because it is tried
    /// again. Several failed rounds in a row raise an alarm (see [`Engine::failing_rounds`]).
    fn beat(&self, prepared: &Result<bool, JobError>) {
        let pulse = &self.memory().pulse;
        match prepared {
            Ok(leads) => {
                pulse.leads.store(*leads, Ordering::Release);
                *pulse.failures.lock() = FailedRounds::default();
            }
            Err(error) => {
                let mut failures = pulse.failures.lock();
                failures.in_a_row = failures.in_a_row.saturating_add(1);
                failures.last = error.to_string();
            }
        }
        pulse.finished.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns the error of the last round if at least `FAILED_ROUNDS` rounds in a row have failed.
    #[must_use]
    pub fn failing_rounds(&self) -> Option<String> {
        let failures = self.memory().pulse.failures.lock();
        (failures.in_a_row >= FAILED_ROUNDS).then(|| failures.last.clone())
    }

    /// Runs one part of a round or sweep for `subject`, unless the part backs off for it. Logs a
    /// failure and starts a back-off. Returns the error only if it affects all work.
    pub(crate) async fn isolate(
        &self,
        work: Work,
        subject: Uuid,
        piece: impl Future<Output = Result<(), JobError>>,
    ) -> Result<(), JobError> {
        let now = self.ctx.portal_time.now();
        if self.memory().backs_off_until(work, subject, now).is_some() {
            return Ok(());
        }
        match piece.await {
            Ok(()) => self.memory().end_failures(work, subject),
            Err(error) if error.concerns_all() => return Err(error),
            Err(error) => {
                let until = self.memory().add_failure(work, subject, now);
                tracing::warn!(%error, ?work, %subject, retry_at = %until, "failed to complete a part of the round");
            }
        }
        Ok(())
    }

    async fn prepare(self: &Arc<Self>) -> Result<bool, JobError> {
        self.read_clocks();
        let held = self.hold_lease().await?;
        let active = if held { self.memory().read(State::active_accounts) } else { 0 };
        self.ctx.outward.lead(held, active);
        self.ctx.outward.sync(self.records(), &self.ctx.client).await?;
        if !held {
            return Ok(false);
        }
        self.records().shift_rows().await?;
        self.records().reload_if_asked().await?;
        self.records().reload_slice().await?;
        let (records, all) = (self.records(), Uuid::nil());
        self.isolate(Work::TendQuestions, all, records.tend_questions()).await?;
        self.isolate(Work::ActOnAnswers, all, records.act_on_answers()).await?;
        self.isolate(Work::Flush, all, records.flush()).await?;
        self.isolate(Work::PersistLearned, all, records.persist_learned()).await?;
        self.sweep().await?;
        self.isolate(Work::NotifyStopped, all, records.notify_stopped()).await?;
        self.isolate(Work::PersistLearned, all, records.persist_first_walks()).await?;
        Ok(true)
    }

    fn sleep_for(&self, next_due: Option<Instant>) -> Duration {
        let Some(due) = next_due else {
            return LONGEST_SLEEP;
        };
        let portal = (due - self.ctx.portal_time.now()).to_std().unwrap_or_default();
        portal.div_f64(self.ctx.config.speed.max(0.001)).clamp(Duration::from_millis(5), LONGEST_SLEEP)
    }
}
