//! One look answers everyone it can: the shared list, what it means, and whose wishes it matches.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use chrono::NaiveDate;
use domain::calendar::{CalendarKey, Change, compare};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{PortalAccountId, TaskId};
use domain::verdict::Verdict;
use serde_json::json;

use crate::judge::Weighed;
use crate::roster::Watched;
use crate::state::{HintQueue, State};
use crate::tell::Told;
use crate::{Engine, Fault};

/// Takers queued for one day: far more than can try before the day is matched anew.
const MOST_TAKERS: usize = 64;
/// Tasks told of one look at most: the rest is told at the next.
const MOST_TOLD: usize = 1_000;

/// What an observation asks to be written.
#[derive(Default, PartialEq)]
struct Effects {
    change: Option<(Vec<NaiveDate>, Change)>,
    alerts: Vec<(TaskId, NaiveDate)>,
    gone: Vec<(TaskId, NaiveDate)>,
    told: Vec<Told>,
    /// What it means beyond its days.
    weighed: Weighed,
}

impl Effects {
    fn is_nothing(&self) -> bool {
        self.change.is_none()
            && self.weighed.is_nothing()
            && self.alerts.is_empty()
            && self.gone.is_empty()
            && self.told.is_empty()
    }
}

/// A look that is taken in and not written yet.
pub(crate) struct Noted {
    key: CalendarKey,
    at: Instant,
    effects: Effects,
}

/// Shares what one account saw in one calendar through one group; bookings need not wait for it to be written.
pub(crate) fn share(
    engine: &Engine,
    key: &CalendarKey,
    days: Vec<NaiveDate>,
    looker: PortalAccountId,
) -> Noted {
    let at = engine.ctx.portal_time.now();
    let effects = engine.state.lock().observe(key, days, looker, at);
    Noted { key: key.clone(), at, effects }
}

impl Noted {
    /// Leaves what this task is told to the booking that has begun for it.
    pub fn leave_to_booking(&mut self, task: TaskId) {
        self.effects.told.retain(|told| told.task != task);
    }

    /// Writes it.
    pub async fn write(self, engine: &Arc<Engine>) -> Result<(), Fault> {
        write(engine, &self.key, &self.effects, self.at).await
    }
}

/// Answers one task from the list somebody else just fetched: no request is spent.
pub(crate) async fn answer_from_shared(
    engine: &Arc<Engine>,
    key: &CalendarKey,
    task: TaskId,
) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let mut effects = Effects::default();
    {
        let mut state = engine.state.lock();
        let Some(calendar) = state.calendars.get(key) else {
            return Ok(());
        };
        let (days, last_look) = (calendar.days.clone(), calendar.last_look);
        state.tasks.count_earlier(task, key, days.len(), last_look);
        state.flushed_at.get_or_insert(now);
        state.queue_hints(key, &days, now, &mut effects);
    }
    write(engine, key, &effects, now).await
}

/// Matches the list as it stands again: a day that brought nothing gives way to the next best one.
pub(crate) async fn rematch(engine: &Arc<Engine>, key: &CalendarKey) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let mut effects = Effects::default();
    {
        let mut state = engine.state.lock();
        let days = state.calendar(key).usable(now);
        state.queue_hints(key, &days, now, &mut effects);
    }
    write(engine, key, &effects, now).await
}

async fn write(
    engine: &Arc<Engine>,
    key: &CalendarKey,
    effects: &Effects,
    now: Instant,
) -> Result<(), Fault> {
    if effects.is_nothing() {
        return Ok(());
    }
    let mut tx = engine.ctx.db.begin().await?;
    if let Some((days, change)) = &effects.change {
        let id = engine.ctx.uuid(now);
        store::observation::record(&mut tx, id, key, days, change, now).await?;
    }
    for (task, day) in &effects.gone {
        store::journal::close_alerts(&mut tx, *task, (key.facility, *day), now).await?;
    }
    crate::judge::write(engine, &mut tx, &effects.weighed, now).await?;
    for (task, day) in &effects.alerts {
        crate::tell::alert(engine, &mut tx, *task, (key.facility, *day), now).await?;
    }
    for told in &effects.told {
        crate::tell::verdict(engine, &mut tx, told).await?;
    }
    tx.commit().await?;
    let mut state = engine.state.lock();
    for (task, day) in &effects.gone {
        state.forget_alert(*task, (key.facility, *day));
    }
    for (task, day) in &effects.alerts {
        state.alerted.entry((key.facility, *day)).or_default().insert(*task);
    }
    Ok(())
}

impl crate::state::Calendar {
    /// The days of the last list without those whose times answered empty twice lately.
    fn usable(&mut self, now: Instant) -> Vec<NaiveDate> {
        self.phantoms.retain(|_, (_, until)| *until > now);
        let is_phantom = |day: &NaiveDate| self.phantoms.get(day).is_some_and(|(times, _)| *times >= 2);
        self.days.iter().copied().filter(|day| !is_phantom(day)).collect()
    }
}

impl State {
    fn observe(
        &mut self,
        key: &CalendarKey,
        days: Vec<NaiveDate>,
        looker: PortalAccountId,
        now: Instant,
    ) -> Effects {
        let weighed = self.weigh(key, &days, looker, now);
        let mut effects = Effects { weighed, ..Effects::default() };
        if !effects.weighed.trusted {
            self.planning.unanswered(key, now);
            return effects;
        }
        let calendar = self.calendar(key);
        let change = compare(&calendar.days, &days);
        let first = calendar.last_look.is_none();
        calendar.last_look = Some(now);
        if !days.is_empty() {
            calendar.restricted_at = None;
        }
        if !first {
            calendar.heat.add(change.appeared.len(), now);
        }
        if first || change != Change::default() {
            calendar.days.clone_from(&days);
        } else {
            calendar.unwritten_looks += 1;
        }
        let usable = calendar.usable(now);
        self.answer_all(key, &days, &change, now, &mut effects);
        let wanted = self.queue_hints(key, &usable, now, &mut effects);
        self.planning.answered(key, (&days, &change), &wanted, first, now);
        if first || change != Change::default() {
            effects.change = Some((days, change));
        }
        effects
    }

    /// Counts the look for every task it answers and keeps their verdicts true.
    fn answer_all(
        &mut self,
        key: &CalendarKey,
        days: &[NaiveDate],
        change: &Change,
        now: Instant,
        effects: &mut Effects,
    ) {
        self.flushed_at.get_or_insert(now);
        self.tasks.count_look(key, change.appeared.len(), now);
        for day in &change.vanished {
            self.tried_in_vain.remove(&(key.facility, *day));
            let alerted = self.alerted.get(&(key.facility, *day)).into_iter().flatten();
            let is_of = |t: &Watched| t.wish.notify_only && self.tasks.is_of(t, key);
            effects
                .gone
                .extend(alerted.filter(|id| self.tasks.get(id).is_some_and(is_of)).map(|id| (*id, *day)));
        }
        let settles = |task: &&Watched| {
            let busy = matches!(task.verdict, Verdict::Booking | Verdict::BookingUnconfirmed);
            let resting = task.verdict == Verdict::CoolingDown && self.is_resting(task, now);
            !busy && !resting
        };
        // Those beyond the limit stay unsettled, and are told at the next look.
        for task in self.tasks.unsettled(key).filter(settles).take(MOST_TOLD) {
            let evidence = json!({ "facility": key.facility.name(), "days": days.len() });
            effects.told.push(Told {
                task: task.id,
                verdict: Verdict::Watching,
                evidence,
                next_try_at: None,
            });
        }
    }

    /// Matches the list against every wish of the calendar, and queues who may try.
    ///
    /// Answers the days that somebody wants.
    fn queue_hints(
        &mut self,
        key: &CalendarKey,
        days: &[NaiveDate],
        now: Instant,
        effects: &mut Effects,
    ) -> HashSet<NaiveDate> {
        let mut wanted = HashSet::new();
        let today = key.facility.today(now);
        self.cool_offs.retain(|_, until| *until > now);
        self.tasks.turn(key, today);
        let queues: Vec<(NaiveDate, VecDeque<TaskId>)> = {
            let booking: HashSet<TaskId> = self.intents.values().map(|i| i.task).collect();
            let alone = |task, date| self.cool_offs.contains_key(&(task, key.facility, date));
            let apart = self.cool_offs.keys().filter(|(_, facility, _)| *facility == key.facility);
            let apart = apart.map(|(task, _, _)| *task);
            let Some(matching) = self.tasks.matching(key, (days, today), apart, &alone) else {
                return wanted;
            };
            let mut queues = Vec::new();
            for (at, day) in days.iter().enumerate() {
                let told = self.alerted.get(&(key.facility, *day));
                let mut queue = VecDeque::new();
                if matching.takers(at).next().is_some() {
                    wanted.insert(*day);
                }
                let takers = matching.takers(at).filter_map(|slot| self.tasks.at(slot));
                let is_target =
                    |slot: domain::appointment::Slot| slot.facility == key.facility && slot.date == *day;
                let mut attempted = self.intents.values().any(|i| i.target.is_some_and(is_target));
                for task in takers {
                    if booking.contains(&task.id) {
                        // Who stands behind an attempt is told once it has settled, if the day is still there.
                        attempted = true;
                        continue;
                    }
                    if task.wish.notify_only {
                        // Told of what nobody above it books by itself.
                        let ahead = queue.is_empty() || self.tried_in_vain.contains(&(key.facility, *day));
                        let first = ahead && !attempted && told.is_none_or(|told| !told.contains(&task.id));
                        effects.alerts.extend(first.then_some((task.id, *day)));
                    } else if !self.is_resting(task, now) {
                        // A cooling account never books.
                        queue.push_back(task.id);
                    }
                    if queue.len() == MOST_TAKERS || effects.alerts.len() == MOST_TOLD {
                        break;
                    }
                }
                if !queue.is_empty() {
                    queues.push((*day, queue));
                }
            }
            queues
        };
        for (date, takers) in queues {
            crate::metrics::hint("queued");
            self.hints.retain(|h| !(h.key == *key && h.date == date && h.trying == 0));
            self.hints.push(HintQueue {
                key: key.clone(),
                date,
                seen_at: now,
                takers,
                trying: 0,
                capacity: 1,
                not_before: now,
            });
        }
        wanted
    }

    fn is_resting(&self, task: &Watched, now: Instant) -> bool {
        let Some(account) = self.accounts.get(&task.account) else {
            return true;
        };
        account.health == "cooling" || account.not_before.is_some_and(|at| at > now)
    }

    /// The day is gone: when it comes back, the task is told again.
    fn forget_alert(&mut self, task: TaskId, day: (FacilityId, NaiveDate)) {
        if let Some(told) = self.alerted.get_mut(&day) {
            told.remove(&task);
            if told.is_empty() {
                self.alerted.remove(&day);
            }
        }
    }
}
