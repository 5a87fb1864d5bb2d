//! Effects of unreadable pages on tasks and accounts.

use domain::country::CountryCode;
use domain::criteria::BookingMode;
use domain::health::AccountHealth;
use domain::journal::PortalErrorEvent;
use std::collections::BTreeMap;

use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::ids::{PortalAccountId, TaskId};
use portal::{LayoutChanged, PageKind};

use crate::model::page_breaker::{NOTIFIED_AT_ONCE, PageFailure};
use crate::model::state::State;
use crate::model::task_index::IndexedTask;

impl State {
    /// Returns `true` if no other account of the country has a running task.
    fn is_alone(&self, country: CountryCode, account: PortalAccountId) -> bool {
        !self.tasks.values().any(|task| task.account != account && self.tasks.kind(task).country == country)
    }
}

impl State {
    /// Records that an account could not read a page. If several accounts cannot for minutes, all
    /// tasks of the country stop.
    pub(crate) fn unreadable(
        &mut self,
        country: CountryCode,
        changed: &LayoutChanged,
        account: PortalAccountId,
        now: Instant,
    ) -> PageFailure {
        // A page that only a read-back or a verification needs stops no task.
        if !crate::model::page_breaker::WATCHED.contains(&changed.page) {
            return PageFailure::Alone;
        }
        let alone = self.is_alone(country, account);
        let failed = self.page_breakers.failed(country, changed, account, alone, now);
        if failed == PageFailure::JustStopped {
            tracing::error!(%country, %changed, "portal page changed; stopping all accounts of its country");
            self.notify_all(country, changed.page);
        }
        failed
    }

    /// Records that pages could be read, so that accounts waiting for them continue.
    pub(crate) fn parsed(&mut self, country: CountryCode, pages: &[PageKind], now: Instant) {
        if self.first_walks.read(country, pages, now) {
            self.book_what_was_asked_of(country);
        }
        for page in pages {
            if let Some(since) = self.page_breakers.parsed(country, *page, now) {
                tracing::warn!(%country, ?page, %since, "portal page is readable again; resuming all accounts of its country");
                // Waiting work continues at the normal rate, without the calls that the limit saved
                // up.
                self.poll_ceiling.empty();
            }
        }
    }
}

impl State {
    /// Forgets the questions of automatic tasks, which book without a question from now on. A date
    /// that was asked about in vain would otherwise stay in cool-down.
    fn book_what_was_asked_of(&mut self, country: CountryCode) {
        let is_auto = |task: &&IndexedTask| task.criteria.mode == BookingMode::Auto;
        let of_country = self.tasks.values().filter(|task| self.tasks.kind(task).country == country);
        let tasks: Vec<TaskId> = of_country.filter(is_auto).map(|task| task.id).collect();
        for task in tasks {
            self.asked.forget_task(task);
        }
    }
}

impl State {
    /// Records a notification for every running task that an unreadable page concerns.
    pub fn notify_all(&mut self, country: CountryCode, page: PageKind) {
        let Some(stopped) = self.page_breakers.pages.get(&(country, page)) else { return };
        let Some(stopped) = &stopped.stopped else { return };
        let error = PortalErrorEvent {
            code: "layout_changed".to_owned(),
            page: Some(page.as_str().to_owned()),
            since: Some(stopped.since),
            until: Some(stopped.next_probe_at),
            ..PortalErrorEvent::default()
        };
        let (polls, until) = (crate::model::page_breaker::TO_POLL.contains(&page), stopped.next_probe_at);
        let of_it = self.tasks.values().filter(|task| self.tasks.kind(task).country == country);
        let concerned = of_it.filter(|task| polls || task.criteria.mode.changes());
        let all = self.tasks.len() <= NOTIFIED_AT_ONCE;
        // Among very many tasks, a task that already has the condition is not notified of every
        // probe.
        let concerned = concerned.filter(|task| all || task.condition != TaskCondition::LayoutChanged);
        let unnotified: Vec<_> = concerned.map(|task| (task.id, error.clone(), until)).collect();
        self.page_breakers.unnotified.extend(unnotified);
    }

    /// Ends the back-off of accounts, and of their tasks, that waited because of a page.
    pub fn free(
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
                && account.health == AccountHealth::Valid
                // A longer back-off has another cause.
                && account.not_before.is_some_and(|at| at > now && paused_until.is_none_or(|until| at <= until))
            {
                account.not_before = None;
                freed.push(*id);
            }
        }
        freed
    }
}
