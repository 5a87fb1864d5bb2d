//! One poll answers everyone it can: the shared list, what it means, and whose tasks it matches.

use std::sync::Arc;

use chrono::NaiveDate;
use domain::booking::Stop;
use domain::calendar::{CalendarKey, Change, compare};
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::facility::FacilityId;
use domain::ids::{PortalAccountId, TaskId};
use serde_json::json;
use store::journal::Line;

use crate::crash::crash_point;
use crate::judge::Weighed;
use crate::roster::{Came, Watched};
use crate::sharing::Turned;
use crate::state::State;
use crate::tell::Told;
use crate::{Engine, Fault};

/// Tasks told of one look at most: the rest is told at the next.
pub(crate) const MOST_TOLD: usize = 1_000;

/// Of these, written in one transaction: alerts with their mails, and conditions.
const ALERTS_AT_ONCE: usize = 4;
const VERDICTS_AT_ONCE: usize = 32;

/// What an observation asks to be written.
#[derive(Default, PartialEq)]
pub(crate) struct Effects {
    change: Option<(Vec<NaiveDate>, Change)>,
    pub alerts: Vec<(TaskId, NaiveDate)>,
    /// Days that tasks accept and must not book; taken out and noted for their journals before anything is written.
    pub stops: Vec<(TaskId, NaiveDate, Stop)>,
    gone: Vec<(TaskId, NaiveDate)>,
    told: Vec<Told>,
    /// What it means beyond its days.
    weighed: Weighed,
    /// The calendar's lists are no longer, or again, everybody's.
    turned: Option<Turned>,
}

impl Effects {
    /// The change, when there is nothing else.
    fn change_alone(&self) -> Option<&(Vec<NaiveDate>, Change)> {
        self.change.as_ref().filter(|_| self.asks_nothing_else())
    }

    fn is_nothing(&self) -> bool {
        self.change.is_none() && self.asks_nothing_else()
    }

    fn asks_nothing_else(&self) -> bool {
        self.weighed.is_nothing()
            && self.alerts.is_empty()
            && self.gone.is_empty()
            && self.told.is_empty()
            && self.turned.is_none()
    }
}

/// A list that changed and is not written yet.
pub(crate) struct Changed {
    pub id: uuid::Uuid,
    pub key: CalendarKey,
    pub days: Vec<NaiveDate>,
    pub change: Change,
    pub at: Instant,
}

/// A poll that is taken in and not written yet.
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
    poller: PortalAccountId,
) -> Noted {
    let at = engine.ctx.portal_time.now();
    let effects = {
        let mut state = engine.state.lock();
        let effects = state.observe(key, days, poller, at);
        engine.pass_turn(&mut state, key, at);
        effects
    };
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
        let (days, last_poll) = (calendar.days.clone(), calendar.last_poll);
        state.tasks.count_earlier(task, key, days.len(), last_poll);
        state.flushed_at.get_or_insert(now);
        state.queue_openings(key, &days, now, &mut effects);
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
        state.queue_openings(key, &days, now, &mut effects);
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
    if let Some((days, change)) = effects.change_alone() {
        // Nobody waits for it: it is written with the next polls' counts, and after a crash it is seen again.
        let (days, change) = (days.clone(), change.clone());
        let changed = Changed { id: engine.ctx.uuid(now), key: key.clone(), days, change, at: now };
        engine.state.lock().unrecorded.push(changed);
        return Ok(());
    }
    let _turn = engine.turn_to_tell().await;
    let mut told = 0;
    let written = Box::pin(write_in_turn(engine, key, effects, &mut told, now)).await;
    if written.is_err() {
        // Who was not told is told by the next poll.
        let mut state = engine.state.lock();
        for (task, day) in &effects.alerts[told..] {
            state.forget_alert(*task, (key.facility, *day));
        }
    }
    written
}

/// Writes it; counts in `told` how many of the alerts are.
async fn write_in_turn(
    engine: &Arc<Engine>,
    key: &CalendarKey,
    effects: &Effects,
    told: &mut usize,
    now: Instant,
) -> Result<(), Fault> {
    // What was put off of this calendar comes before what is written now.
    let put_off: Vec<Changed> = engine.state.lock().unrecorded.extract_if(.., |c| c.key == *key).collect();
    let mut tx = engine.ctx.db.begin().await?;
    for Changed { id, key, days, change, at } in &put_off {
        store::observation::record(&mut tx, *id, key, days, change, *at).await?;
    }
    if let Some((days, change)) = &effects.change {
        let id = engine.ctx.uuid(now);
        store::observation::record(&mut tx, id, key, days, change, now).await?;
    }
    store::journal::close_alerts(&mut tx, key.facility, &effects.gone, now).await?;
    crate::judge::write(&mut tx, &effects.weighed, now).await?;
    if let Some(turned) = effects.turned {
        tell_turned(engine, &mut tx, key, turned, now).await?;
    }
    tx.commit().await?;
    {
        let mut state = engine.state.lock();
        for (task, day) in &effects.gone {
            state.forget_alert(*task, (key.facility, *day));
        }
    }
    tell_all(engine, key, effects, told, now).await
}

/// Writes what tasks are told, a few at a time: a booking may be waiting for the database's one writer.
async fn tell_all(
    engine: &Arc<Engine>,
    key: &CalendarKey,
    effects: &Effects,
    alerted: &mut usize,
    now: Instant,
) -> Result<(), Fault> {
    for alerts in effects.alerts.chunks(ALERTS_AT_ONCE) {
        let mut tx = engine.ctx.db.begin().await?;
        for (task, day) in alerts {
            crate::tell::alert(engine, &mut tx, *task, (key.facility, *day), now).await?;
        }
        crash_point("alerts.before_commit");
        tx.commit().await?;
        *alerted += alerts.len();
    }
    let conditions: Vec<Told> = {
        let state = engine.state.lock();
        // Others' looks may have said so meanwhile, or it books by now.
        let still = |told: &&Told| {
            state
                .tasks
                .get(&told.task)
                .is_none_or(|task| task.condition != told.condition && !is_booking(task))
        };
        effects.weighed.told.iter().chain(effects.told.iter().filter(still)).cloned().collect()
    };
    for told in conditions.chunks(VERDICTS_AT_ONCE) {
        let mut tx = engine.ctx.db.begin().await?;
        for told in told {
            crate::tell::condition(engine, &mut tx, told).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// The tasks of a calendar read in their journals whether its lists are everybody's; what was learned is kept with it.
async fn tell_turned(
    engine: &Engine,
    tx: &mut store::Tx,
    key: &CalendarKey,
    turned: Turned,
    now: Instant,
) -> Result<(), Fault> {
    let (learned, concerned, (percent, tries)) = {
        let mut state = engine.state.lock();
        let learned = state.sharing.learned();
        let concerned: Vec<TaskId> = state.tasks.of_calendar(key).take(MOST_TOLD).map(|t| t.id).collect();
        let figures = state.sharing.of(key).in_figures();
        (learned, concerned, figures)
    };
    tracing::info!(calendar = %key, ?turned, percent, tries, "whether lists are shared has changed");
    for (subject, data) in learned {
        store::learned::keep(tx, &subject, &data, now).await?;
    }
    let kind = match turned {
        Turned::Split => "lists_differ",
        Turned::TriedAgain => "lists_shared_again",
    };
    let data = json!({ "facility": key.facility.name(), "agreed_percent": percent, "tries": tries });
    let lines: Vec<_> = concerned
        .into_iter()
        .map(|task| Line { id: engine.ctx.uuid(now), task, kind, data: data.clone() })
        .collect();
    store::journal::add_all(tx, &lines, now).await?;
    Ok(())
}

/// What comes of its booking decides what it is told.
const fn is_booking(task: &Watched) -> bool {
    matches!(task.condition, TaskCondition::Booking | TaskCondition::BookingUnconfirmed)
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
        poller: PortalAccountId,
        now: Instant,
    ) -> Effects {
        let weighed = self.weigh(key, &days, poller, now);
        let mut effects = Effects { weighed, ..Effects::default() };
        if !effects.weighed.trusted {
            self.planning.unanswered(key, now);
            self.tasks.note_hour(key, &Came::Alone(days.first().copied()), now);
            self.flushed_at.get_or_insert(now);
            return effects;
        }
        let poll = self.sharing.of(key).polled(&days, poller, now);
        effects.turned = poll.turned;
        let calendar = self.calendar(key);
        if poll.turned.is_some() {
            // Who got no times for whose day is seen in another light now.
            calendar.phantoms.clear();
        }
        let first = calendar.last_poll.is_none();
        let fresh = first || calendar.days != days;
        // Split, a list is compared with what the same account was shown before.
        let change = match &poll.before {
            Some((before, _)) => compare(before, &days),
            None => compare(&calendar.days, &days),
        };
        let comparable = !first && (poll.alone.is_none() || poll.before.is_some());
        calendar.last_poll = Some(now);
        if !days.is_empty() {
            calendar.restricted_at = None;
        }
        if comparable {
            calendar.activity.add(change.appeared.len(), now);
        }
        if fresh {
            calendar.days.clone_from(&days);
        }
        let usable = calendar.usable(now);
        self.answer_all(key, &days, &change, poll.alone, now, &mut effects);
        let wanted = self.queue_openings(key, &usable, now, &mut effects);
        if let Some((_, at)) = poll.before {
            self.planning.last_seen(key, at);
        }
        self.planning.answered(key, (&days, &change), &wanted, !comparable, now);
        if fresh {
            effects.change = Some((days, change));
        }
        effects
    }

    /// Counts the look for every task it answers and keeps their conditions true.
    fn answer_all(
        &mut self,
        key: &CalendarKey,
        days: &[NaiveDate],
        change: &Change,
        alone: Option<PortalAccountId>,
        now: Instant,
        effects: &mut Effects,
    ) {
        let answered = |task: &Watched| alone.is_none_or(|poller| task.account == poller);
        self.flushed_at.get_or_insert(now);
        let (earliest, appeared) = (days.first().copied(), change.appeared.len());
        let came = if alone.is_none() { Came::Shared(earliest, appeared) } else { Came::Alone(earliest) };
        self.tasks.note_hour(key, &came, now);
        match alone {
            None => self.tasks.count_poll(key, appeared, now),
            Some(poller) => self.tasks.count_own_poll(poller, key, appeared, now),
        }
        for day in &change.vanished {
            self.tried_in_vain.remove(&(key.facility, *day));
            self.missed.forget(key.facility, *day);
            let alerted = self.alerted.get(&(key.facility, *day)).into_iter().flatten();
            let is_of = |t: &Watched| answered(t) && self.tasks.is_of(t, key);
            // Whatever the task has become meanwhile; one that is not watched any more is told anew when it starts again.
            let ends = |id: &&TaskId| self.tasks.get(id).is_none_or(is_of);
            effects.gone.extend(alerted.filter(ends).map(|id| (*id, *day)));
        }
        let settles = |task: &&Watched| {
            let resting = task.condition == TaskCondition::CoolingDown && self.is_resting(task, now);
            // A page without which nothing is booked cannot be read: a list changes nothing about that.
            let stopped = task.condition == TaskCondition::LayoutChanged
                && !task.criteria.notify_only
                && self.layouts.stops_bookings(&key.kind.country);
            !is_booking(task) && !resting && !stopped && answered(task) && task.condition != task.calm(now)
        };
        // Those beyond the limit stay unsettled, and are told at the next poll.
        for task in self.tasks.unsettled(key).filter(settles).take(MOST_TOLD) {
            let condition = task.calm(now);
            let evidence = match condition {
                TaskCondition::DeadlinePassed => crate::eligible::evidence(task.change_deadline),
                _ => json!({ "facility": key.facility.name(), "days": days.len() }),
            };
            effects.told.push(Told { task: task.id, condition, evidence, next_try_at: None });
        }
    }

    pub(crate) fn is_resting(&self, task: &Watched, now: Instant) -> bool {
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
