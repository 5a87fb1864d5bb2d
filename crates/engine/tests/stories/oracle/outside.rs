//! Promise 31: a change at the portal from outside is shown within six hours and notified five
//! minutes later.
//!
//! Such changes are a story's changes to groups between two runs of the engine.

use std::collections::HashMap;
use std::fmt;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sandbox::World;
use store::{Error, Tx};
use uuid::Uuid;

use super::Span;

/// Time within which a change from outside is shown; rows are read every five minutes.
const SHOWN_WITHIN: TimeDelta = TimeDelta::minutes(6 * 60 + 5);
/// Time after that within which it is notified.
const NOTIFIED_WITHIN: TimeDelta = TimeDelta::minutes(5);

/// Place, date and time of an appointment.
type Booked = Option<(i32, NaiveDate, String)>;
/// Appointment of a group; `None` if the group is gone or archived.
type GroupState = Option<Booked>;

/// Change that a story made, and when it was shown and notified.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    group: u64,
    at: DateTime<Utc>,
    becomes: GroupState,
    shown_at: Option<DateTime<Utc>>,
    notified_at: Option<DateTime<Utc>>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = |at: Option<DateTime<Utc>>| at.map(|at| (at - self.at).num_minutes());
        let (group, shown, notified) = (self.group, after(self.shown_at), after(self.notified_at));
        write!(f, "group {group} at {}: shown after {shown:?} min, notified after {notified:?} min", self.at)
    }
}

impl Change {
    /// Returns the time from the change to its notification.
    pub fn notified_after(&self) -> Option<TimeDelta> {
        self.notified_at.map(|at| at - self.at)
    }

    /// Returns `true` if the change was shown or notified too late, or is so at `now`.
    fn is_late(&self, now: DateTime<Utc>) -> bool {
        let shown_by = self.at + SHOWN_WITHIN;
        let notified_by = self.shown_at.unwrap_or(shown_by).min(shown_by) + NOTIFIED_WITHIN;
        self.shown_at.unwrap_or(now) > shown_by || self.notified_at.unwrap_or(now) > notified_by
    }
}

/// Groups when the engine stopped, and the changes until it began again.
#[derive(Default)]
pub(super) struct Outside {
    groups: HashMap<u64, GroupState>,
    changes: Vec<Change>,
}

/// State of a group in the database.
pub(super) struct Found {
    is_stopped: bool,
    shows: GroupState,
    /// Newest message to its user.
    newest: Option<DateTime<Utc>>,
}

impl Outside {
    /// Marks that the engine begins: differences now are changes from outside.
    pub fn begin(&mut self, world: &World) {
        for (group, was) in std::mem::take(&mut self.groups) {
            let becomes = state_of(world, group);
            if becomes != was {
                let (shown_at, notified_at) = (None, None);
                self.changes.push(Change { group, at: world.now, becomes, shown_at, notified_at });
            }
        }
    }

    /// Marks that the engine stops, and records the present state of the groups.
    pub fn end(&mut self, world: &World) {
        self.groups = world.groups.keys().map(|group| (*group, state_of(world, *group))).collect();
        // A booking of the engine may have replaced what was changed outside before rows were read.
        let groups = &self.groups;
        let is_replaced = |c: &Change| groups.get(&c.group) != Some(&c.becomes) && !c.is_late(world.now);
        self.changes.retain(|c| c.notified_at.is_some() || !is_replaced(c));
    }

    /// Returns the groups of changes that are not shown and notified yet.
    pub fn open(&self) -> Vec<u64> {
        self.changes.iter().filter(|c| c.notified_at.is_none()).map(|c| c.group).collect()
    }

    /// Compares the changes with the present state in the database.
    pub fn take(&mut self, found: &HashMap<u64, Found>, now: DateTime<Utc>) {
        for change in self.changes.iter_mut().filter(|c| c.notified_at.is_none()) {
            let Some(found) = found.get(&change.group) else { continue };
            if found.is_stopped || found.shows == change.becomes {
                change.shown_at.get_or_insert(now);
                change.notified_at = found.newest.filter(|at| *at >= change.at);
            }
        }
    }

    /// Returns the changes that concerned an active task, and those of them that are late at `now`.
    pub fn judge(&self, spans: &[Span], now: DateTime<Utc>) -> (Vec<Change>, Vec<Change>) {
        let concerns = |change: &&Change| {
            spans.iter().any(|s| s.group == change.group && s.from <= change.at && change.at < s.to)
        };
        let changes: Vec<Change> = self.changes.iter().filter(concerns).cloned().collect();
        let late = changes.iter().filter(|change| change.is_late(now)).cloned().collect();
        (changes, late)
    }
}

/// Reads the state of groups from the database.
pub(super) async fn find(tx: &mut Tx, groups: &[u64]) -> Result<HashMap<u64, Found>, Error> {
    let mut found = HashMap::new();
    for group in groups {
        type Row = (Uuid, String, Option<i32>, Option<NaiveDate>, Option<String>);
        let sql = "SELECT user_id, status, booked_facility, booked_date, booked_time FROM task
             WHERE portal_schedule_id = $1 AND deleted_at IS NULL";
        let Some((user, status, facility, date, time)) = store::one!(tx, Row, sql, group.to_string())? else {
            continue;
        };
        let sql = "SELECT MAX(created_at) FROM outbox WHERE user_id = $1";
        let newest = store::scalar!(tx, Option<DateTime<Utc>>, sql, user)?;
        let is_stopped = matches!(status.as_str(), "stopped" | "error");
        let shows = facility.zip(date).zip(time).map(|((facility, date), time)| (facility, date, time));
        found.insert(*group, Found { is_stopped, shows: Some(shows), newest });
    }
    Ok(found)
}

fn state_of(world: &World, group: u64) -> GroupState {
    let group = world.groups.get(&group).filter(|group| !group.archived)?;
    let booked = |a: &sandbox::world::accounts::Appointment| {
        (i32::try_from(a.facility).unwrap_or(0), a.date, a.time.format("%H:%M").to_string())
    };
    Some(group.appointment.as_ref().map(booked))
}
