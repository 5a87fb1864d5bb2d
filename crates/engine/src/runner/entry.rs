//! What others ask of the engine: verifications, an operator's decisions, figures, and what measures need to see.

use std::sync::atomic::Ordering;

use chrono::NaiveDate;
use domain::appointment::Slot;
use domain::booking::AttemptState;
use domain::calendar::CalendarKey;
use domain::facility::FacilityId;
use domain::ids::{AttemptId, TaskId};
use inference::cause::infer::InferredCause;
use store::Tx;
use store::task::Task;
use tracing::Instrument as _;

use crate::error::NotVerified;
use crate::model::state::observe::share;
use crate::operator::NotDone;
use crate::path_check::{NotChecked, PathCheck};
use crate::stats::Work;
use crate::verify_login::{Login, Tell};
use crate::{Context, Engine, metrics, operator, path_check, stats, verify_login};

impl Engine {
    /// Signs in at the portal, reads all groups and upserts a draft for each; the secret is stored only now, and every
    /// different one that the portal accepted before is rejected. `ctx` is the engine's own, over whatever connections the
    /// caller has.
    ///
    /// # Errors
    /// What kept the login from being verified.
    pub async fn verify(&self, ctx: &Context, login: &Login) -> Result<Vec<Task>, NotVerified> {
        self.verify_telling(ctx, login, &|_| {}).await
    }

    /// As [`Engine::verify`]; says each stage as it begins.
    ///
    /// # Errors
    /// What kept the login from being verified.
    pub async fn verify_telling(
        &self,
        ctx: &Context,
        login: &Login,
        tell: Tell<'_>,
    ) -> Result<Vec<Task>, NotVerified> {
        verify_login::verify(&self.gateway_over(ctx), login, tell)
            .instrument(tracing::debug_span!("verify"))
            .await
    }

    /// Reads what a task would be watched and booked by, and changes nothing: the way to the booking form, and the lists of
    /// the first of `cities`. `ctx` as for [`Engine::verify`].
    ///
    /// # Errors
    /// What kept it from being checked; a page that is not as known is no error.
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

    /// Stops a task for good reasons of support: its user is told, its hold goes back, others may have the group.
    /// Returns what went back, in minor units.
    ///
    /// # Errors
    /// Refused while a booking is open, and for what was never submitted or is gone.
    pub async fn release_task(&self, tx: &mut Tx, id: TaskId) -> Result<i64, NotDone> {
        operator::release_task(self.records(), tx, id).await
    }

    /// Settles what the engine could not: `seen` is the appointment a person saw at the portal because of this very
    /// attempt, none when it did not take place. The search goes on where it was stopped for this.
    ///
    /// `force` settles an attempt the engine still reads back itself; never one that may still be under way.
    ///
    /// # Errors
    /// Refused when there is nothing to settle, or `seen` is not what the attempt was for.
    pub async fn settle_by_hand(
        &self,
        tx: &mut Tx,
        id: AttemptId,
        seen: Option<Slot>,
        force: bool,
    ) -> Result<AttemptState, NotDone> {
        operator::settle_by_hand(self.records(), tx, id, seen, force).await
    }

    /// What it has done since it began.
    #[must_use]
    pub fn work(&self) -> Work {
        Work {
            rounds: self.memory().rounds.load(Ordering::Relaxed),
            polls: self.memory().polls.load(Ordering::Relaxed),
        }
    }

    /// What a poll does once its answer is parsed, nothing written: shares the list, matches it, and plans what comes
    /// next. Returns how many jobs that were.
    pub fn rehearse(&self, key: &CalendarKey, days: Vec<NaiveDate>) -> usize {
        let now = self.context().portal_time.now();
        let poller = self.memory().lock().tasks.poll_sources(key).next().map(|poll_source| poll_source.0);
        if let Some(poller) = poller {
            let limits = &self.context().config.limits;
            drop(share(&mut self.memory().lock(), key, days, poller, limits, now));
        }
        let mut round = crate::Round::default();
        let most = self.context().config.pace.most;
        self.schedule().take_polls(&mut self.memory().lock(), &mut round, most, now);
        round.jobs.len()
    }

    /// Sets the figures of what only this process knows: its lease, and the accounts it watches through.
    pub fn show_stats(&self) {
        let now = self.context().portal_time.now();
        let limits = &self.context().config.limits;
        metrics::outward(self.context().client.pacer(), self.context().outward.pause().is_some());
        let state = self.memory().lock();
        metrics::lease(state.epoch);
        let (counted, left) = stats::accounts(&state, limits, now);
        metrics::calendars_split(state.list_agreement.split());
        metrics::pages_stopped(&state.page_breakers.stopped());
        drop(state);
        metrics::accounts(&counted, left);
    }

    /// What empty lists were judged to mean since number `after`, the oldest first, each with its number; an earlier
    /// look that is seen differently now comes again with its own `id`. Only the latest thousand are kept.
    #[must_use]
    pub fn judgements(&self, after: u64) -> Vec<(u64, InferredCause)> {
        let state = self.memory().lock();
        state.inferences.kept.iter().filter(|(number, _)| *number > after).cloned().collect()
    }

    /// Every calendar some active task wants something of.
    #[must_use]
    pub fn watched_calendars(&self) -> Vec<CalendarKey> {
        self.memory().lock().tasks.calendars().map(|(key, _)| key).collect()
    }

    /// Who would be served first, were `days` (sorted) the list of a calendar: per day at most `most` tasks.
    #[must_use]
    pub fn candidates(
        &self,
        key: &CalendarKey,
        days: &[NaiveDate],
        most: usize,
    ) -> Vec<(NaiveDate, Vec<TaskId>)> {
        let today = key.facility.today(self.context().portal_time.now());
        let mut state = self.memory().lock();
        state.tasks.turn(key, today);
        let Some(matching) = state.tasks.matching(key, (days, today), std::iter::empty(), &|_, _| false)
        else {
            return Vec::new();
        };
        let candidates = |at| {
            matching.candidates(at).filter_map(|slot| Some(state.tasks.at(slot)?.id)).take(most).collect()
        };
        days.iter().enumerate().map(|(at, day)| (*day, candidates(at))).collect()
    }
}
