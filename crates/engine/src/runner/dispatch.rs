//! Execution of jobs and of their follow-up work. Openings of a polled list are dispatched first. A
//! sent booking is read back over the same account lease.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use domain::ids::PortalAccountId;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, join_all};
use portal::Purpose;
use tracing::Instrument as _;

use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::jobs::{JobOutcome, book, final_read, late_read, poll, prewarm, probe, read_back, visit, warm_up};
use crate::model::job::Job;
use crate::model::observe::PendingEffects;
use crate::{Engine, JobError};

impl Engine {
    /// Runs one job. The future is boxed, because the job of a poll also runs the bookings of the
    /// dates that it finds.
    pub(super) fn perform(self: &Arc<Self>, job: Job) -> BoxFuture<'_, ()> {
        let span = tracing::debug_span!(
            "job",
            purpose = job.purpose().as_str(),
            account = %job.account(),
            otel.status_code = tracing::field::Empty
        );
        Box::pin(self.carry_out(job).instrument(span))
    }

    /// Runs one job. If it fails or panics, its subject backs off.
    async fn carry_out(self: &Arc<Self>, job: Job) {
        let (account, purpose, backs_off) = (job.account(), job.purpose().as_str(), job.backs_off());
        let booking = match &job {
            Job::Book { task, opening, .. } => Some((*task, opening.clone())),
            _ => None,
        };
        let work = async {
            let outcome = self.begin(job).await?;
            self.finish_job(outcome).await
        };
        let ended = AssertUnwindSafe(work).catch_unwind().await;
        let now = self.records().portal_time.now();
        let error = match ended {
            Ok(Ok(())) => {
                if let Some((work, subject)) = backs_off {
                    self.memory().end_failures(work, subject);
                }
                return;
            }
            Ok(Err(error)) => error,
            Err(_) => {
                // The panic hook has logged the location. The booking try ends here, so that
                // another candidate for the opening can try.
                crate::metrics::job_panicked(purpose);
                if let Some((task, opening)) = booking {
                    self.memory().tried(task, &opening, &Err(JobError::Panicked), now);
                }
                JobError::Panicked
            }
        };
        let retry_at = backs_off
            .filter(|_| !error.concerns_all())
            .map(|(work, subject)| self.memory().add_failure(work, subject, now));
        self.nudge();
        tracing::Span::current().record("otel.status_code", "ERROR");
        tracing::warn!(%error, %account, purpose, retry_at = retry_at.map(tracing::field::display), "engine job failed");
    }

    async fn begin(self: &Arc<Self>, job: Job) -> Result<JobOutcome, JobError> {
        // A poll changes no row without updating memory. Any other job may.
        let quiet = matches!(job, Job::Poll { .. });
        let guard = LeaseGuard::new(self.gateway.clone(), &job, quiet);
        let gateway = &*self.gateway;
        match job {
            Job::ReadBack { attempt, .. } => read_back::read_back(gateway, attempt, guard).await,
            Job::Book { task, opening, .. } => book::book(gateway, task, guard, opening).await,
            Job::WarmUp { task, .. } => warm_up::start(gateway, task, guard).await,
            Job::Prewarm { task, why, .. } => prewarm::make_ready(gateway, task, guard, why).await,
            Job::Visit { task, .. } => visit::visit(gateway, task, guard).await,
            Job::Probe { task, page, .. } => probe::probe(gateway, task, guard, page).await,
            Job::FinalRead { task, .. } => final_read::last_read(gateway, task, guard).await,
            Job::LateRead { attempt, .. } => late_read::late_read(gateway, attempt, guard).await,
            Job::Poll { task, key, reason, .. } => poll::poll(gateway, task, guard, &key, reason).await,
        }
    }

    /// Does the follow-up work that a job returned.
    async fn finish_job(self: &Arc<Self>, outcome: JobOutcome) -> Result<(), JobError> {
        let mut outcome = outcome;
        loop {
            outcome = match outcome {
                JobOutcome::Done => return Ok(()),
                JobOutcome::Observed(lease, noted) => return self.dispatch_openings(lease, noted).await,
                JobOutcome::Sent(mut lease, sent) => {
                    let settled = read_back::read_now(&self.gateway, &mut lease, sent.attempt)
                        .instrument(tracing::debug_span!("read_back"))
                        .await;
                    return book::settle(&self.gateway, lease, *sent, settled).await;
                }
                JobOutcome::Warming(lease, noted, rest) => {
                    let written = self.dispatch_to_others(noted).await;
                    warm_up::continue_with(&self.gateway, lease, *rest, written).await?
                }
            };
        }
    }

    /// Books the openings of a polled list, and writes the list's effects. Ends the lease as soon
    /// as the booking of its own account has ended.
    async fn dispatch_openings(
        self: &Arc<Self>,
        lease: AccountLease,
        mut noted: PendingEffects,
    ) -> Result<(), JobError> {
        let mut others = self.taken(&mut noted, Some(lease.account));
        let own =
            others.iter().position(|job| job.account() == lease.account).map(|at| others.swap_remove(at));
        let own = async move {
            let Some(Job::Book { task, opening, .. }) = own else { return lease.finish().await };
            lease.meter.serve(Purpose::Booking);
            let outcome = book::book_over(&self.gateway, lease, task, opening)
                .instrument(tracing::debug_span!("book"))
                .await?;
            Box::pin(self.finish_job(outcome)).await
        };
        let ((), own, written) = tokio::join!(self.perform_all(others), own, noted.write(self.records()));
        own.and(written)
    }

    /// Books the openings of a polled list through other accounts only, because the job that holds
    /// the lease continues.
    async fn dispatch_to_others(self: &Arc<Self>, mut noted: PendingEffects) -> Result<(), JobError> {
        let others = self.taken(&mut noted, None);
        let ((), written) = tokio::join!(self.perform_all(others), noted.write(self.records()));
        written
    }

    /// Selects the bookings that may begin now. Each booking then sets its task's condition, so the
    /// list's effects no longer do.
    fn taken(&self, noted: &mut PendingEffects, own: Option<PortalAccountId>) -> Vec<Job> {
        let now = self.records().portal_time.now();
        let allowed = self.gateway.outward.allowed(now);
        let jobs = self.memory().update(|state| self.schedule().bookings_now(state, allowed, own, now));
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
