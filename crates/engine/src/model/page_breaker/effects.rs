//! Effects of unreadable pages on tasks and accounts.

use std::collections::BTreeMap;

use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::country::CountryCode;
use domain::ids::{PortalAccountId, TaskId};
use domain::journal::PortalErrorEvent;
use portal::{LayoutChanged, PageKind};
use serde_json::Value;

use crate::model::page_breaker::{PageBreakers, PageFailure, TO_POLL, WATCHED};
use crate::model::task_index::{IndexedTask, TaskIndex};

/// Maximum number of tasks notified at once; the others follow in the next rounds.
const NOTIFIED_AT_ONCE: usize = 500;

/// Accounts that backed off because of a page, each with the end of its pause if known.
pub(crate) type PausedAccounts = BTreeMap<PortalAccountId, Option<Instant>>;

/// A task that pauses because of an unreadable page.
pub(crate) struct StoppedTask {
    pub task: TaskId,
    pub error: PortalErrorEvent,
    /// Time of the next probe of the page.
    pub until: Instant,
}

/// Effects of unreadable pages that are to be written.
#[derive(Default)]
pub(crate) struct PageEffects {
    /// Tasks to be notified.
    pub stopped: Vec<StoppedTask>,
    /// Accounts that backed off because of a page that can be read again.
    pub freed: PausedAccounts,
    /// Changed breakers, as they are stored.
    pub breakers: Vec<(String, Value)>,
}

impl PageBreakers {
    /// Records that an account could not read a page. If several accounts fail for minutes, all
    /// tasks of the country stop.
    pub fn add_failure(
        &mut self,
        country: CountryCode,
        changed: &LayoutChanged,
        account: PortalAccountId,
        tasks: &TaskIndex,
        now: Instant,
    ) -> PageFailure {
        // A page that only a read-back or a verification needs stops no task.
        if !WATCHED.contains(&changed.page) {
            return PageFailure::Alone;
        }
        let is_other = |task: &IndexedTask| task.account != account && tasks.kind(task).country == country;
        let alone = !tasks.values().any(is_other);
        let failed = self.failed(country, changed, account, alone, now);
        if failed == PageFailure::JustStopped {
            tracing::error!(%country, %changed, "portal page changed; stopping all accounts of its country");
            self.notify_all(country, changed.page, tasks);
        }
        failed
    }

    /// Records that a probe could not read a page either, and notifies the tasks concerned of the
    /// next probe.
    pub fn add_failed_probe(&mut self, country: CountryCode, page: PageKind, tasks: &TaskIndex) {
        self.notify_all(country, page, tasks);
        self.keep(country, page);
    }

    /// Records a notification for every running task that an unreadable page concerns.
    fn notify_all(&mut self, country: CountryCode, page: PageKind, tasks: &TaskIndex) {
        let Some(stopped) = self.pages.get(&(country, page)).and_then(|page| page.stopped.as_ref()) else {
            return;
        };
        let error = PortalErrorEvent {
            code: "layout_changed".to_owned(),
            page: Some(page.as_str().to_owned()),
            since: Some(stopped.since),
            until: Some(stopped.next_probe_at),
            ..PortalErrorEvent::default()
        };
        let (polls, until) = (TO_POLL.contains(&page), stopped.next_probe_at);
        let of_country = tasks.values().filter(|task| tasks.kind(task).country == country);
        let concerned = of_country.filter(|task| polls || task.criteria.mode.changes());
        let all = tasks.len() <= NOTIFIED_AT_ONCE;
        // With very many tasks, a task that already has the condition is not notified again.
        let concerned = concerned.filter(|task| all || task.condition != TaskCondition::LayoutChanged);
        self.unnotified.extend(concerned.map(|task| StoppedTask {
            task: task.id,
            error: error.clone(),
            until,
        }));
    }

    /// Takes the effects that are to be written, with a limited number of tasks.
    pub fn take_effects(&mut self) -> PageEffects {
        let most = NOTIFIED_AT_ONCE.min(self.unnotified.len());
        PageEffects {
            stopped: self.unnotified.drain(..most).collect(),
            freed: std::mem::take(&mut self.freed),
            breakers: std::mem::take(&mut self.fresh),
        }
    }
}

impl PageEffects {
    /// Returns `true` if there is nothing to write.
    pub fn is_nothing(&self) -> bool {
        self.stopped.is_empty() && self.freed.is_empty() && self.breakers.is_empty()
    }
}
