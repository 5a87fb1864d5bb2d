//! Does jobs, and what follows them: openings of a list are dispatched before anything else, a sent booking is read back
//! over the lease that sent it.

use std::sync::Arc;

use domain::ids::PortalAccountId;
use futures_util::future::{BoxFuture, join_all};
use portal::Purpose;

use crate::gateway::account_lease::{Lent, Turn};
use crate::jobs::{JobOutcome, book, final_read, late_read, poll, prewarm, probe, read_back, warm_up};
use crate::model::job::Job;
use crate::model::observe::Noted;
use crate::{Engine, Fault};

impl Engine {
    /// Does one job; boxed, for what a poll shows is booked within the poll's own job.
    pub(super) fn perform(self: &Arc<Self>, job: Job) -> BoxFuture<'_, ()> {
        Box::pin(self.carry_out(job))
    }

    async fn carry_out(self: &Arc<Self>, job: Job) {
        let account = job.account();
        let outcome = match self.begin(job).await {
            Ok(outcome) => self.finish_job(outcome).await,
            Err(fault) => Err(fault),
        };
        if let Err(fault) = outcome {
            self.nudge();
            tracing::warn!(%fault, account = %account, "a job ended early");
        }
    }

    async fn begin(self: &Arc<Self>, job: Job) -> Result<JobOutcome, Fault> {
        // A poll that only looks leaves no row behind that is not known here; anything else may.
        let quiet = matches!(job, Job::Poll { .. });
        let lent = Lent::new(self.gateway.clone(), &job, quiet);
        let gateway = &*self.gateway;
        match job {
            Job::ReadBack { attempt, .. } => read_back::read_back(gateway, attempt, lent).await,
            Job::Book { task, opening, .. } => book::book(gateway, task, lent, opening).await,
            Job::Start { task, .. } => warm_up::start(gateway, task, lent).await,
            Job::Ready { task, why, .. } => prewarm::make_ready(gateway, task, lent, why).await,
            Job::Probe { task, page, .. } => probe::probe(gateway, task, lent, page).await,
            Job::LastRead { task, .. } => final_read::last_read(gateway, task, lent).await,
            Job::LateRead { attempt, .. } => late_read::late_read(gateway, attempt, lent).await,
            Job::Poll { task, key, reason, .. } => poll::poll(gateway, task, lent, &key, reason).await,
        }
    }

    /// Does what a job left to be done.
    async fn finish_job(self: &Arc<Self>, outcome: JobOutcome) -> Result<(), Fault> {
        let mut outcome = outcome;
        loop {
            outcome = match outcome {
                JobOutcome::Done => return Ok(()),
                JobOutcome::Observed(turn, noted) => return self.dispatch_openings(turn, noted).await,
                JobOutcome::Sent(mut turn, sent) => {
                    let settled = read_back::read_now(&self.gateway, &mut turn, sent.attempt).await;
                    return book::conclude(&self.gateway, turn, *sent, settled).await;
                }
                JobOutcome::Warming(turn, noted, rest) => {
                    let written = self.dispatch_to_others(noted).await;
                    warm_up::go_on(&self.gateway, turn, *rest, written).await?
                }
            };
        }
    }

    /// Books what a list showed, writes what it means, and ends the turn as soon as its own booking is over.
    async fn dispatch_openings(self: &Arc<Self>, turn: Turn, mut noted: Noted) -> Result<(), Fault> {
        let mut others = self.taken(&mut noted, Some(turn.account));
        let own =
            others.iter().position(|job| job.account() == turn.account).map(|at| others.swap_remove(at));
        let own = async move {
            let Some(Job::Book { task, opening, .. }) = own else { return turn.finish().await };
            turn.meter.serve(Purpose::Booking);
            let outcome = book::over(&self.gateway, turn, task, opening).await?;
            Box::pin(self.finish_job(outcome)).await
        };
        let ((), own, written) = tokio::join!(self.perform_all(others), own, noted.write(self.records()));
        own.and(written)
    }

    /// The same within a turn that goes on: only others' bookings begin.
    async fn dispatch_to_others(self: &Arc<Self>, mut noted: Noted) -> Result<(), Fault> {
        let others = self.taken(&mut noted, None);
        let ((), written) = tokio::join!(self.perform_all(others), noted.write(self.records()));
        written
    }

    /// Who tries for a day now; what they are told is left to their bookings.
    fn taken(&self, noted: &mut Noted, own: Option<PortalAccountId>) -> Vec<Job> {
        let now = self.records().portal_time.now();
        let allowed = self.gateway.outward.allowed(now);
        let jobs = self.schedule().bookings_now(&mut self.memory().lock(), allowed, own, now);
        for job in &jobs {
            if let Job::Book { task, .. } = job {
                noted.leave_to_booking(*task);
            }
        }
        jobs
    }

    async fn perform_all(self: &Arc<Self>, jobs: Vec<Job>) {
        join_all(jobs.into_iter().map(|job| self.perform(job))).await;
    }
}
