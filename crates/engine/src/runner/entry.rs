//! The engine's entry points for other modules: verifications, operator decisions, metrics, and
//! access for benchmarks.

use std::sync::atomic::Ordering;

use chrono::NaiveDate;
use domain::appointment::Appointment;
use domain::booking::AttemptState;
use domain::calendar::CalendarKey;
use domain::facility::FacilityId;
use domain::ids::{AttemptId, TaskId};
use inference::cause::infer::InferredCause;
use store::Tx;
use store::task::Task;
use tracing::Instrument as _;

use crate::error::NotVerified;
use crate::model::observe::share;
use crate::operator::NotDone;
use crate::path_check::{NotChecked, PathCheck};
use crate::stats::Work;
use crate::verify_login::{Login, Tell, Verification};
use crate::{Context, Engine, metrics, operator, path_check, stats, verify_login};

impl Engine {
    /// Signs in at the portal and reads all groups. Then stores the password and a draft for each
    /// group, and rejects every other password that the portal accepted before. `ctx` is the
    /// engine's own context with the caller's database connections.
    ///
    /// # Errors
    /// Returns the reason why the login was not verified.
    pub async fn verify(&self, ctx: &Context, login: &Login) -> Result<Vec<Task>, NotVerified> {
        Ok(self.verify_telling(ctx, login, &|_| {}).await?.tasks)
    }

    /// Verifies a login like [`Engine::verify`], and reports each stage when it begins.
    ///
    /// # Errors
    /// Returns the reason why the login was not verified.
    pub async fn verify_telling(
        &self,
        ctx: &Context,
        login: &Login,
        tell: Tell<'_>,
    ) -> Result<Verification, NotVerified> {
        verify_login::verify(&self.gateway_over(ctx), login, tell)
            .instrument(tracing::debug_span!("verify"))
            .await
    }

    /// Reads the pages on which a task's polls and bookings depend, and changes nothing. These are
    /// the path to the booking form, and the lists of the first of `cities`. `ctx` is the same as
    /// for [`Engine::verify`].
    ///
    /// # Errors
    /// Returns the reason why nothing was checked. An unknown page is no error.
    pub async fn check_path(
        &self,
        ctx: &Context,
        task: &Task,
        cities: &[FacilityId],
    ) -> Result<PathCheck, NotChecked> {
        path_check::check(&self.gateway_over(ctx), task, cities)
            .instrument(tracing::debug_span!("check_path"))
            .await
    }

    /// Stops a task for the operator. The user is notified, the hold is released, and the group is
    /// free for other tasks. Returns the released amount in minor units.
    ///
    /// # Errors
    /// Returns an error while a booking is open, and for a task that was never submitted or no
    /// longer exists.
    pub async fn release_task(&self, tx: &mut Tx, id: TaskId) -> Result<i64, NotDone> {
        operator::release_task(self.records(), tx, id).await
    }

    /// Settles an attempt that the engine could not settle. `seen` is the appointment that the
    /// operator saw at the portal as the result of this attempt, or `None` if the attempt booked
    /// nothing. The search continues if it was stopped for this attempt.
    ///
    /// `force` also settles an attempt that the engine still reads back, but never one that may
    /// still be in progress.
    ///
    /// # Errors
    /// Returns an error if there is nothing to settle, or if `seen` is not the slot of the attempt.
    pub async fn settle_by_hand(
        &self,
        tx: &mut Tx,
        id: AttemptId,
        seen: Option<Appointment>,
        force: bool,
    ) -> Result<AttemptState, NotDone> {
        operator::settle_by_hand(self.records(), tx, id, seen, force).await
    }

    /// Returns the work done since the engine started.
    #[must_use]
    pub fn work(&self) -> Work {
        Work {
            rounds: self.memory().rounds.load(Ordering::Relaxed),
            polls: self.memory().polls.load(Ordering::Relaxed),
        }
    }

    /// Performs the steps of a poll after its answer is parsed, without writes, for benchmarks.
    /// Shares the list, matches it, and plans the next polls. Returns the number of planned jobs.
    pub fn rehearse(&self, key: &CalendarKey, days: Vec<NaiveDate>) -> usize {
        let now = self.context().portal_time.now();
        let config = &self.context().config;
        let mut round = crate::Round::default();
        self.memory().update(|state| {
            let poller = state.tasks.poll_sources(key).next().map(|(account, _)| account);
            if let Some(poller) = poller {
                drop(share(state, key, days, poller, &config.limits, now));
            }
            self.schedule().take_polls(state, &mut round, config.pace.most, now);
        });
        round.jobs.len()
    }

    /// Sets the metrics about this process: its lease, its requests, and the accounts that it uses.
    pub fn show_stats(&self) {
        let now = self.context().portal_time.now();
        let limits = &self.context().config.limits;
        metrics::outward(self.context().client.pacer(), self.context().outward.pause().is_some());
        let (counted, left) = self.memory().read(|state| {
            metrics::lease(state.leadership.epoch());
            metrics::calendars_split(state.availability.count_split());
            metrics::pages_stopped(&state.page_breakers.stopped());
            stats::accounts(state, limits, now)
        });
        metrics::accounts(&counted, left);
    }

    /// Returns the inferred causes of empty lists with a number above `after`, oldest first. A poll
    /// whose cause changed later is returned again with the same `id`. Only the latest are kept.
    #[must_use]
    pub fn judgements(&self, after: u64) -> Vec<(u64, InferredCause)> {
        self.memory().read(|state| state.availability.inferences_after(after))
    }

    /// Returns every calendar that an active task needs.
    #[must_use]
    pub fn watched_calendars(&self) -> Vec<CalendarKey> {
        self.memory().read(|state| state.tasks.calendars().map(|(key, _)| key).collect())
    }

    /// Returns, for each date, at most `most` tasks that would try to book it, in rank order.
    /// `days` (sorted) is taken as the calendar's list.
    #[must_use]
    pub fn candidates(
        &self,
        key: &CalendarKey,
        days: &[NaiveDate],
        most: usize,
    ) -> Vec<(NaiveDate, Vec<TaskId>)> {
        let today = key.facility.today(self.context().portal_time.now());
        self.memory().update(|state| {
            state.tasks.turn(key, today);
            let tasks = &state.tasks;
            let Some(matching) = tasks.matching(key, (days, today), std::iter::empty(), &|_, _| false) else {
                return Vec::new();
            };
            let candidates =
                |at| matching.candidates(at).filter_map(|slot| Some(tasks.at(slot)?.id)).take(most).collect();
            days.iter().enumerate().map(|(at, day)| (*day, candidates(at))).collect()
        })
    }
}
