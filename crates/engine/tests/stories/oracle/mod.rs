//! Oracle of watching: compares the promises for every active task with the portal's own journal.
//!
//! It shares no rule with the engine. Task rows show which task watched which calendar and when.
//! Everything else comes from the journal of the sandbox.

mod ages;
mod exceptions;
mod outside;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::budget::Limits;
use domain::calendar::CalendarKey;
use domain::ids::{PortalAccountId, TaskId};
use domain::task::TaskStatus;
use parking_lot::Mutex;
use store::Db;
use uuid::Uuid;

pub(crate) use ages::Ages;
pub(crate) use outside::Change;

/// Interval of virtual time at which task rows are read.
const READ_EVERY: TimeDelta = TimeDelta::minutes(5);

/// Time in which a task watched the same calendars through the same account.
#[derive(Clone, Debug)]
struct Span {
    task: TaskId,
    account: PortalAccountId,
    /// The portal's number of the group.
    group: u64,
    calendars: BTreeSet<CalendarKey>,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
}

/// Content of task rows over time.
#[derive(Default)]
struct Recorded {
    spans: Vec<Span>,
    /// Index of each watching task's span that has not ended.
    open: HashMap<TaskId, usize>,
    /// Pauses of an operator: from, to.
    pauses: Vec<(DateTime<Utc>, DateTime<Utc>)>,
    is_paused: bool,
    read_at: Option<DateTime<Utc>>,
    outside: outside::Outside,
}

/// Recorder of watched calendars while a story runs. Clones share the record.
#[derive(Clone, Default)]
pub(crate) struct Watch(Arc<Mutex<Recorded>>);

impl Watch {
    /// Records the rows when the engine begins to work. No engine ran since the last reading.
    pub async fn begin(&self, db: &Db, now: DateTime<Utc>) {
        {
            let mut recorded = self.0.lock();
            if recorded.read_at.is_some_and(|at| at < now) {
                recorded.open.clear();
                recorded.is_paused = false;
            }
        }
        self.read(db, now).await;
    }

    /// Records the rows if the last reading is old.
    pub async fn go_on(&self, db: &Db, now: DateTime<Utc>) {
        let is_due = self.0.lock().read_at.is_none_or(|at| now - at >= READ_EVERY);
        if is_due {
            self.read(db, now).await;
        }
    }

    /// Records the rows as they are now.
    pub async fn read(&self, db: &Db, now: DateTime<Utc>) {
        // A story may have made the database unavailable: the last reading stays valid.
        let Ok(mut tx) = db.read().await else { return };
        let Ok(rows) = store::task::running(&mut tx, TaskId(Uuid::nil()), 100_000).await else { return };
        let sql = "SELECT id, portal_schedule_id FROM task";
        let Ok(groups) = store::all!(&mut tx, (Uuid, String), sql) else { return };
        let Ok(pauses) = store::outward::pauses(&mut tx).await else { return };
        let changed = self.0.lock().outside.open();
        let Ok(found) = outside::find(&mut tx, &changed).await else { return };
        drop(tx);
        let groups: HashMap<Uuid, u64> =
            groups.into_iter().filter_map(|(id, number)| Some((id, number.parse().ok()?))).collect();
        let mut recorded = self.0.lock();
        recorded.pause(!pauses.is_empty(), now);
        recorded.outside.take(&found, now);
        let mut open = std::mem::take(&mut recorded.open);
        for row in rows {
            let Some(criteria) = row.criteria else { continue };
            // After the portal's deadline nothing can be changed: the task waits for its
            // appointment, not for dates.
            if row.change_deadline.is_some_and(|at| at <= now) {
                continue;
            }
            let key = |facility| CalendarKey { kind: row.kind.clone(), facility };
            let calendars: BTreeSet<CalendarKey> = criteria.cities.into_iter().map(key).collect();
            let known = open.remove(&row.id);
            // An age begins with activation; a warm-up of a watched task does not end it.
            if known.is_none() && row.status != TaskStatus::Active {
                continue;
            }
            if let Some(index) = known {
                recorded.spans[index].to = now;
            }
            let is_same = |index: &usize| recorded.spans[*index].calendars == calendars;
            let index = known.filter(is_same).unwrap_or(recorded.spans.len());
            if index == recorded.spans.len() {
                let (task, account, group) = (row.id, row.portal_account_id, groups[&row.id.0]);
                recorded.spans.push(Span { task, account, group, calendars, from: now, to: now });
            }
            recorded.open.insert(row.id, index);
        }
        recorded.read_at = Some(now);
    }

    /// Marks that the engine continues. Differences at the portal since it stopped are changes from
    /// outside.
    pub fn world_begins(&self, sandbox: &sandbox::Sandbox) {
        sandbox.with_world(|w| self.0.lock().outside.begin(w));
    }

    /// Marks that the engine stops, and records the portal's present state.
    pub fn world_ends(&self, sandbox: &sandbox::Sandbox) {
        sandbox.with_world(|w| self.0.lock().outside.end(w));
    }

    /// Returns changes from outside that concerned an active task, and those of them that were
    /// shown or notified late.
    pub fn outside_changes(&self, now: DateTime<Utc>) -> (Vec<Change>, Vec<Change>) {
        let recorded = self.0.lock();
        recorded.outside.judge(&recorded.spans, now)
    }

    /// Returns the ages of the last answered polls so far, against the bound of promise 29.
    pub fn ages(&self, sandbox: &sandbox::Sandbox, limits: &Limits) -> Ages {
        let (journal, owners) = sandbox.with_world(|w| {
            let owners: BTreeMap<u64, String> =
                w.groups.iter().map(|(number, group)| (*number, group.account.clone())).collect();
            (w.journal.after(0).to_vec(), owners)
        });
        let recorded = self.0.lock();
        let facts = exceptions::Facts::new(&recorded.spans, &recorded.pauses, &journal, &owners);
        ages::judge(&recorded.spans, &facts, limits)
    }
}

impl Recorded {
    fn pause(&mut self, is_paused: bool, now: DateTime<Utc>) {
        match (self.is_paused, is_paused) {
            (false, true) => self.pauses.push((now, now)),
            (true, _) => {
                if let Some(last) = self.pauses.last_mut() {
                    last.1 = now;
                }
            }
            (false, false) => {}
        }
        self.is_paused = is_paused;
    }
}
