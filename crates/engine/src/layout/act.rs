//! What is done about pages that are not as known: everybody told, one account probing, all free again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::TimeDelta;
use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::ids::{PortalAccountId, TaskId};
use portal::{LayoutChanged, PageKind};
use serde_json::json;
use store::task::Task;

use super::Failed;
use crate::driver::{Job, Round, is_free};
use crate::state::{State, kind_of};
use crate::tell::Told;
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

/// Tasks told at once: the rest follows in the next rounds.
const TOLD_AT_ONCE: usize = 500;

impl Engine {
    /// An account could not read a page; when several cannot for minutes, everybody stands still.
    pub(crate) fn unreadable(
        &self,
        country: &str,
        changed: &LayoutChanged,
        account: PortalAccountId,
    ) -> Failed {
        // A page that only a reading-back or a verification needs stops nobody.
        if !super::WATCHED.contains(&changed.page) {
            return Failed::Alone;
        }
        let now = self.ctx.portal_time.now();
        let mut state = self.state.lock();
        let alone = state.is_alone(country, account);
        let failed = state.layouts.failed(country, changed, account, alone, now);
        if failed == Failed::JustStopped {
            tracing::error!(country, %changed, "a page of the portal has changed: everybody stands still");
            state.tell_all(country, changed.page);
        }
        failed
    }

    /// Pages could be read: whoever stood still because of them goes on.
    pub(crate) fn parsed(&self, country: &str, pages: &[PageKind]) {
        let now = self.ctx.portal_time.now();
        let mut state = self.state.lock();
        for page in pages {
            if let Some(since) = state.layouts.parsed(country, *page, now) {
                tracing::warn!(country, ?page, %since, "the page is as known again: everybody goes on");
                // What has waited goes on at the pace of every day, without what the ceiling saved up.
                state.poll_tokens = 0.0;
            }
        }
    }

    /// Hands out the probes that are due.
    pub(crate) fn take_probes(&self, state: &mut State, round: &mut Round, now: Instant) {
        for (country, page, failed) in state.layouts.take_due(now) {
            match self.prober(state, round, &country, &failed, now) {
                Some((task, account)) => round.jobs.push(Job::Probe { task, account, page }),
                None => state.layouts.not_probed(&country, page, now),
            }
        }
        round.later(state.layouts.next_probe());
    }

    /// Who may look whether a page can be read: rather somebody who has not failed at it.
    fn prober(
        &self,
        state: &State,
        round: &Round,
        country: &str,
        failed: &BTreeSet<PortalAccountId>,
        now: Instant,
    ) -> Option<(TaskId, PortalAccountId)> {
        let limits = &self.ctx.config.limits;
        let mut second = None;
        for task in state.tasks.values().filter(|task| state.tasks.kind(task).country == country) {
            let has_failed = failed.contains(&task.account);
            if (has_failed && second.is_some()) || !is_free(state, round, task.account) {
                continue;
            }
            let Some(account) = state.accounts.get(&task.account) else { continue };
            // It may rest because of this very page, and for no other reason.
            let rests = account.not_before.is_some_and(|at| at > now);
            let spend = if account.session.is_some() { Spend::Poll } else { Spend::SignIn };
            let may = (!rests || (has_failed && account.health == "valid"))
                && account.budget.check(spend, limits, now).is_ok();
            match (may, has_failed) {
                (true, false) => return Some((task.id, task.account)),
                (true, true) => second = Some((task.id, task.account)),
                _ => {}
            }
        }
        second
    }

    /// Tells tasks what a page that cannot be read means for them, frees accounts, writes what is known.
    pub(crate) async fn tell_layouts(self: &Arc<Self>) -> Result<(), Fault> {
        let (untold, freed, fresh) = {
            let mut state = self.state.lock();
            let layouts = &mut state.layouts;
            let rest = layouts.untold.split_off(TOLD_AT_ONCE.min(layouts.untold.len()));
            let untold = std::mem::replace(&mut layouts.untold, rest);
            (untold, std::mem::take(&mut layouts.freed), std::mem::take(&mut layouts.fresh))
        };
        if untold.is_empty() && freed.is_empty() && fresh.is_empty() {
            return Ok(());
        }
        let (wall, now) = (self.ctx.wall.now(), self.ctx.portal_time.now());
        let mut tx = self.ctx.db.begin().await?;
        for (subject, data) in &fresh {
            store::learned::keep(&mut tx, subject, data, now).await?;
        }
        for (task, evidence, until) in untold {
            let Some(told) = self.state.lock().tasks.get(&task).map(|task| task.condition) else { continue };
            if matches!(
                told,
                TaskCondition::Booking | TaskCondition::BookingUnconfirmed | TaskCondition::CoolingDown
            ) {
                continue;
            }
            if told != TaskCondition::LayoutChanged {
                crate::tell::journal(self, &mut tx, task, "trouble", evidence.clone()).await?;
            }
            let told =
                Told { task, condition: TaskCondition::LayoutChanged, evidence, next_try_at: Some(until) };
            crate::tell::condition(self, &mut tx, &told).await?;
        }
        let freed = self.state.lock().free(&freed, now);
        for account in &freed {
            store::portal_account::set_health(&mut tx, *account, "valid", None, wall).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

impl State {
    /// Every running task the page concerns is to be told.
    fn tell_all(&mut self, country: &str, page: PageKind) {
        let Some(stopped) = self.layouts.pages.get(&(country.to_owned(), page)) else { return };
        let Some(stopped) = &stopped.stopped else { return };
        let evidence = json!({
            "code": "layout_changed",
            "page": page.as_str(),
            "since": stopped.since,
            "until": stopped.next_probe_at,
        });
        let (polls, until) = (super::TO_LOOK.contains(&page), stopped.next_probe_at);
        let of_it = self.tasks.values().filter(|task| self.tasks.kind(task).country == country);
        let concerned = of_it.filter(|task| polls || !task.criteria.notify_only);
        let all = self.tasks.len() <= TOLD_AT_ONCE;
        // Among very many, who knows it already is not told of every probe.
        let concerned = concerned.filter(|task| all || task.condition != TaskCondition::LayoutChanged);
        let untold: Vec<_> = concerned.map(|task| (task.id, evidence.clone(), until)).collect();
        self.layouts.untold.extend(untold);
    }

    /// Accounts that rested because of a page no longer do, nor do their tasks.
    fn free(
        &mut self,
        accounts: &BTreeMap<PortalAccountId, Option<Instant>>,
        now: Instant,
    ) -> Vec<PortalAccountId> {
        let mut freed = Vec::new();
        for (id, paused_until) in accounts {
            let tasks: Vec<TaskId> = self.tasks.of_account(*id).map(|task| task.id).collect();
            for task in tasks {
                self.start_not_before.remove(&task);
            }
            if let Some(account) = self.accounts.get_mut(id)
                && account.health == "valid"
                // What makes it rest for longer is something else.
                && account.not_before.is_some_and(|at| at > now && paused_until.is_none_or(|until| at <= until))
            {
                account.not_before = None;
                freed.push(*id);
            }
        }
        freed
    }
}

/// Asks for one page through one account, to see whether it can be read again.
pub(crate) async fn probe(
    engine: &Arc<Engine>,
    task: TaskId,
    lent: Lent,
    page: PageKind,
) -> Result<(), Fault> {
    let Some(task) = engine.task(task).await? else {
        return Ok(());
    };
    let mut turn = Turn::begin(lent).await?;
    tracing::info!(?page, account = %turn.account, "looking whether the page is as known again");
    let outcome = ask_for(engine, &mut turn, &task, page).await;
    turn.settle_budget(engine.ctx.portal_time.now());
    match outcome {
        Ok(Some(noted)) => crate::follow::follow(engine, turn, Some(noted)).await,
        Ok(None) => turn.finish().await,
        Err(fault) => {
            let still = matches!(&fault, Fault::Portal(portal_error) if portal_error.unread().is_some_and(|at| at.page == page));
            crate::react::react(engine, &mut turn, &task, fault).await?;
            if still {
                engine.state.lock().tell_all(&task.country, page);
                engine.state.lock().layouts.keep(&task.country, page);
            }
            turn.finish().await
        }
    }
}

async fn ask_for(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    page: PageKind,
) -> Result<Option<crate::observe::Noted>, Fault> {
    if matches!(page, PageKind::SignIn | PageKind::SignInAnswer) {
        turn.allowed(Spend::SignIn, engine.ctx.portal_time.now())?;
        crate::session::forget(engine, turn).await?;
    }
    let session = crate::session::ensure(engine, turn, task, Spend::SignIn).await?;
    let client = &engine.ctx.client;
    let group = task.portal_schedule_id.clone();
    let city =
        task.criteria.as_ref().and_then(|criteria| criteria.cities.first().copied()).ok_or(Fault::Gone)?;
    let key = CalendarKey { kind: kind_of(task), facility: city };
    match page {
        PageKind::Days => {
            session.forget_etag(&group, city);
            return crate::poll::fetch(engine, turn, task, &key, "probe").await;
        }
        PageKind::Times => {
            let now = engine.ctx.portal_time.now();
            let known = engine.state.lock().calendar(&key).days.first().copied();
            let day = known.unwrap_or_else(|| city.today(now) + TimeDelta::days(30));
            turn.allowed(Spend::Poll, now)?;
            client.times(&turn.meter, &session, &group, city, day).await?;
            engine.parsed(&task.country, &[PageKind::Times]);
        }
        PageKind::Groups => {
            client.groups(&turn.meter, &session).await?;
            engine.parsed(&task.country, &[PageKind::Groups]);
        }
        PageKind::Actions | PageKind::Limit | PageKind::Applicants | PageKind::Form => {
            crate::book::visit(engine, turn, task, &session, &group).await?;
        }
        _ => {}
    }
    Ok(None)
}
