//! One booking: arm, pre-image and own times together, mark acting, act once.
//!
//! Nothing in here repeats a request. What the POST answers is evidence; `settle` reads what is true.

use std::sync::Arc;

use chrono::{NaiveTime, TimeDelta};
use domain::appointment::Slot;
use domain::booking::{self, Attempts, PreImage, SEND_WITHIN, Stop};
use domain::budget::Spend;
use domain::clock::Instant;
use domain::ids::{IntentId, TaskId};
use domain::task::{Reason, TaskStatus};
use domain::verdict::Verdict;
use portal::{ActingProof, BookingConnection, PostEvidence, Trouble};
use serde_json::json;
use store::intent::NewIntent;
use store::task::Task;

use crate::crash::{crash_point, sabotaged};
use crate::hint::{Hint, Tried};
use crate::state::LiveIntent;
use crate::tell::Told;
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

mod pre_image;

pub(crate) use pre_image::fetch_form;
use pre_image::{CloseLook, look_closely};

/// Tries for a day on behalf of one task.
pub(crate) async fn book(engine: &Arc<Engine>, task: TaskId, lent: Lent, hint: Hint) -> Result<(), Fault> {
    match Turn::begin(lent).await {
        Ok(mut turn) => {
            let tried = try_for(engine, &mut turn, task, &hint).await;
            turn.finish().await.and(tried)
        }
        Err(fault) => {
            let _ = engine.tried(task, &hint, &Ok(Tried::NothingSent));
            Err(fault)
        }
    }
}

/// Tries for a day within a turn, and says what that means for everybody else who wants it.
pub(crate) async fn try_for(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: TaskId,
    hint: &Hint,
) -> Result<(), Fault> {
    turn.stir();
    let outcome = match engine.known_task(task).await {
        Err(fault) => Err(fault),
        Ok(None) => Ok(Tried::NothingSent),
        Ok(Some(task)) => in_turn(engine, turn, &task, hint).await,
    };
    let losers = engine.tried(task, hint, &outcome);
    tell_losers(engine, hint, &losers).await?;
    if matches!(outcome, Ok(Tried::NothingThere)) {
        crate::observe::rematch(engine, &hint.key).await?;
    }
    outcome.map(|_| ())
}

/// Who stood in line when the last of the day was booked reads that somebody who asked first got it.
async fn tell_losers(engine: &Arc<Engine>, hint: &Hint, losers: &[TaskId]) -> Result<(), Fault> {
    if losers.is_empty() {
        return Ok(());
    }
    let data = json!({ "facility": hint.key.facility.name(), "date": hint.date, "why": "taken_for_another" });
    let mut tx = engine.ctx.db.begin().await?;
    for task in losers {
        crate::tell::journal(engine, &mut tx, *task, "slot_gone", data.clone()).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn in_turn(engine: &Arc<Engine>, turn: &mut Turn, task: &Task, hint: &Hint) -> Result<Tried, Fault> {
    let had_session = turn.session.is_some();
    match attempt(engine, turn, task, hint).await {
        Ok(tried) => Ok(tried),
        Err(fault) => {
            let ended = matches!(fault, Fault::Portal(Trouble::SignedOut));
            crate::react::react(engine, turn, task, fault).await?;
            let may = turn.allowed(Spend::SignIn, engine.ctx.portal_time.now()).is_ok();
            Ok(if ended && had_session && may { Tried::Again } else { Tried::NothingSent })
        }
    }
}

fn may_book(task: &Task, shown: Option<&Slot>, hint: &Hint, now: Instant) -> Result<(), Stop> {
    let Some(wish) = &task.wish else {
        return Err(Stop::NotifyOnly);
    };
    let mut check = PreImage {
        expected: task.booked.as_ref(),
        shown,
        target: (hint.key.facility, hint.date),
        wish,
        today: hint.key.facility.today(now),
        change_deadline: task.change_deadline,
        attempts: Attempts { left: task.attempts_left, used_here: task.reschedules_used },
    };
    if sabotaged("ignore_quota") {
        check.attempts = Attempts { left: None, used_here: 0 };
    }
    if sabotaged("later_date") {
        return Ok(());
    }
    booking::may_book(&check, now)
}

async fn attempt(engine: &Arc<Engine>, turn: &mut Turn, task: &Task, hint: &Hint) -> Result<Tried, Fault> {
    let now = engine.ctx.portal_time.now();
    if let Err(stop) = may_book(task, task.booked.as_ref(), hint, now) {
        stopped(engine, task, hint, stop).await?;
        return Ok(Tried::NothingSent);
    }
    turn.allowed(Spend::BookingLook, now)?;
    let session = crate::session::ensure(engine, turn, task, Spend::SignIn).await?;
    // Reading changes nothing, so the intent is written while the portal answers; it stands before it is acted upon.
    let (intent, seen) =
        tokio::join!(arm(engine, task, hint), look_closely(engine, turn, task, hint, &session));
    turn.settle_budget(engine.ctx.portal_time.now());
    crash_point("preimage.read");
    let Some((intent, task)) = intent? else {
        return Ok(Tried::NothingSent);
    };
    let outcome = match seen {
        Ok(seen) => armed(engine, turn, &task, hint, intent, seen).await,
        Err(trouble) => Err(trouble.into()),
    };
    if !matches!(outcome, Ok(Tried::Acted | Tried::Booked)) {
        give_up(engine, task.id, intent).await?;
    }
    outcome
}

/// Writes the intent, and reads the task afresh with it; `None` when the group, the account or the engine is not free
/// for it.
#[tracing::instrument(level = "trace", name = "durable", skip_all)]
async fn arm(engine: &Arc<Engine>, task: &Task, hint: &Hint) -> Result<Option<(IntentId, Task)>, Fault> {
    let now = engine.ctx.portal_time.now();
    let Some(epoch) = engine.state.lock().epoch else {
        return Ok(None);
    };
    let id = IntentId::new(now, engine.ctx.random.bytes());
    let new = NewIntent {
        id,
        task_id: task.id,
        user_id: task.user_id,
        portal_account_id: task.portal_account_id,
        country: task.country.clone(),
        portal_schedule_id: task.portal_schedule_id.clone(),
        epoch,
        expected: task.booked,
        target: (hint.key.facility, hint.date),
        attempts_before: task.attempts_left,
    };
    let mut tx = engine.ctx.db.begin().await?;
    // A stop, edit or deletion of this very task is either seen here or waits for this transaction.
    store::lease::alone(&mut tx, task.id.0).await?;
    let unchanged = |t: &Task| {
        t.deleted_at.is_none()
            && t.status.is_running()
            && t.wish_version == task.wish_version
            && t.booked == task.booked
    };
    let Some(current) = store::task::get(&mut tx, task.id).await?.filter(unchanged) else {
        return Ok(None);
    };
    let lag = now - domain::booking::LAG;
    if store::intent::lagging(&mut tx, &task.country, &task.portal_schedule_id, lag).await?.is_some() {
        // A second POST so soon after our own booking may undo it.
        return Ok(None);
    }
    match store::intent::arm(&mut tx, &new, now).await {
        Err(store::Error::Conflict(_)) => return Ok(None),
        armed => armed?,
    }
    let evidence = json!({ "facility": hint.key.facility.name(), "date": hint.date });
    let told = Told { task: task.id, verdict: Verdict::Booking, evidence, next_try_at: None };
    crate::tell::verdict(engine, &mut tx, &told).await?;
    crash_point("arm.before_commit");
    tx.commit().await?;
    crash_point("armed");
    let account = task.portal_account_id;
    let live = LiveIntent { task: task.id, account, target: None, next_read_at: None };
    engine.state.lock().intents.insert(id, live);
    Ok(Some((id, current)))
}

/// Goes on with an armed intent: only if everything still is as it should be, the slot is marked and acted upon.
async fn armed(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    hint: &Hint,
    intent: IntentId,
    seen: CloseLook,
) -> Result<Tried, Fault> {
    let CloseLook { times, groups, form, mut connection } = seen;
    let session = turn.session.clone().ok_or(Trouble::SignedOut)?;
    let group = portal::PortalScheduleId::from(task.portal_schedule_id.0.as_str());
    let facility = portal::FacilityId::from(hint.key.facility.0);
    let client = engine.ctx.client.clone();
    let Some(time) = pick_time(engine, task, hint, &times).await? else {
        return Ok(Tried::NothingThere);
    };
    let page = groups.iter().find(|g| g.portal_schedule_id == group);
    let Some(page) = page else {
        return Err(Trouble::NoPermission.into());
    };
    let Some(read) = crate::start::translate(page, task.group.fee_paid_on) else {
        return Ok(Tried::NothingSent);
    };
    let now = engine.ctx.portal_time.now();
    if let Err(stop) = may_book(task, read.booked.as_ref(), hint, now) {
        if stop == Stop::Changed {
            // Somebody changed it outside: take that over and match again.
            crate::start::adopt(engine, task, &read).await?;
        }
        stopped(engine, task, hint, stop).await?;
        return Ok(Tried::NothingSent);
    }
    if people(&read.group) != people(&task.group) {
        // Somebody joined or left the group since it was priced and its form was fetched.
        if let Some(account) = engine.state.lock().accounts.get_mut(&turn.account) {
            account.forms.remove(&task.id);
        }
        crate::start::adopt(engine, task, &read).await?;
        return Ok(Tried::NothingSent);
    }
    if !connection.is_usable().await {
        connection = BookingConnection::open(&client).await?;
    }
    let form = form.fill(facility, hint.date, time).map_err(|_| Trouble::LimitReached);
    let Ok(form) = form else {
        return Ok(Tried::NothingSent);
    };
    let slot = Slot { facility: hint.key.facility, date: hint.date, time };
    let Some(proof) = mark_acting(engine, task, intent, slot).await? else {
        return Ok(Tried::NothingSent);
    };
    crash_point("acting.committed");
    let evidence = connection.post(&turn.meter, &session, &group, form, proof).await;
    crash_point("post.ended");
    turn.settle_budget(engine.ctx.portal_time.now());
    acted(engine, turn, task, intent, &evidence).await?;
    let state = engine.state.lock();
    let ours = state.tasks.get(&task.id).and_then(|t| t.booked).is_some_and(|b| b.date == hint.date);
    Ok(if ours && !state.intents.contains_key(&intent) { Tried::Booked } else { Tried::Acted })
}

/// Who is in a group: their numbers where the page links them, else their names.
fn people(group: &domain::appointment::Group) -> Vec<&str> {
    let mut people: Vec<&str> = group.applicants.iter().map(|a| a.id.as_deref().unwrap_or(&a.name)).collect();
    people.sort_unstable();
    people
}

/// The time to take, or `None` when the day turned out empty: two empty answers make it a phantom.
async fn pick_time(
    engine: &Arc<Engine>,
    task: &Task,
    hint: &Hint,
    times: &[NaiveTime],
) -> Result<Option<NaiveTime>, Fault> {
    let taken: Vec<NaiveTime> = {
        let state = engine.state.lock();
        let others = state.intents.values().filter(|i| i.task != task.id).filter_map(|i| i.target);
        others.filter(|t| t.facility == hint.key.facility && t.date == hint.date).map(|t| t.time).collect()
    };
    let skip = hint.place.saturating_sub(taken.iter().filter(|t| times.contains(t)).count());
    let time = booking::choose_time(times, &taken, skip);
    engine.times_known(hint, task.portal_account_id, times.len());
    if time.is_none() {
        let why = if times.is_empty() { "no_times" } else { "taken_for_another" };
        let data = json!({ "facility": hint.key.facility.name(), "date": hint.date, "why": why });
        let mut tx = engine.ctx.db.begin().await?;
        crate::tell::journal(engine, &mut tx, task.id, "slot_gone", data).await?;
        tx.commit().await?;
    }
    Ok(time)
}

/// Commits the exact slot and the acting state; only this makes the proof that a POST needs.
#[tracing::instrument(level = "trace", name = "durable", skip_all)]
async fn mark_acting(
    engine: &Arc<Engine>,
    task: &Task,
    intent: IntentId,
    slot: Slot,
) -> Result<Option<ActingProof>, Fault> {
    let wall = engine.ctx.wall.now();
    let now = engine.ctx.portal_time.now();
    let config = &engine.ctx.config;
    let longest = SEND_WITHIN + TimeDelta::seconds(config.post_timeout_seconds);
    let longest = longest.num_milliseconds() as f64 * config.speed;
    let t0 = now + TimeDelta::milliseconds(longest as i64);
    let mut tx = engine.ctx.db.begin().await?;
    store::lease::alone(&mut tx, task.id.0).await?;
    let epoch = engine.state.lock().epoch;
    let held =
        store::lease::holds(&mut tx, crate::driver::LEASE, &engine.ctx.config.node, epoch.unwrap_or(-1))
            .await?;
    if !held || !store::intent::is_wanted(&mut tx, task.id, task.wish_version).await? {
        return Ok(None);
    }
    match store::intent::mark_acting(&mut tx, intent, slot.time, task.attempts_left, (now, t0)).await {
        Err(store::Error::Conflict(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
        Ok(false) => return Ok(None),
        Ok(true) => {}
    }
    if task.booked.is_some() {
        store::task::count_reschedule(&mut tx, task.id, 1, wall).await?;
    }
    crash_point("acting.before_commit");
    tx.commit().await?;
    if let Some(live) = engine.state.lock().intents.get_mut(&intent) {
        live.next_read_at = Some(t0);
        live.target = Some(slot);
    }
    Ok(Some(ActingProof::committed(intent.to_string(), wall + SEND_WITHIN)))
}

/// Records how the POST ended and reads back at once.
async fn acted(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    intent: IntentId,
    evidence: &PostEvidence,
) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let data = json!({
        "wrote": format!("{:?}", evidence.wrote),
        "status": evidence.status,
        "location": evidence.location.as_deref().map(|l| l.split('?').next().unwrap_or_default()),
        "flash": evidence.flash,
        "error": evidence.error.as_ref().map(Trouble::code),
    });
    crash_point("evidence.before_commit");
    if sabotaged("charge_at_post") {
        let mut tx = engine.ctx.db.begin().await?;
        crate::money::capture(engine, &mut tx, task).await?;
        tx.commit().await?;
    }
    if evidence.wrote == portal::Wrote::Nothing {
        return crate::settle::nothing_sent(engine, task, intent, data).await;
    }
    let mut tx = engine.ctx.db.begin().await?;
    store::intent::set_evidence(&mut tx, intent, &data, now, now).await?;
    crate::tell::journal(engine, &mut tx, task.id, "attempted", data).await?;
    tx.commit().await?;
    crash_point("evidence.committed");
    if let Some(live) = engine.state.lock().intents.get_mut(&intent) {
        live.next_read_at = Some(now);
    }
    crate::settle::read_now(engine, turn, intent).await
}

/// Gives up an intent of which nothing was sent.
async fn give_up(engine: &Arc<Engine>, task: TaskId, intent: IntentId) -> Result<(), Fault> {
    let mut tx = engine.ctx.db.begin().await?;
    let released = store::intent::release(&mut tx, intent, engine.ctx.portal_time.now()).await?;
    if released {
        let told = Told { task, verdict: Verdict::Watching, evidence: json!({}), next_try_at: None };
        crate::tell::verdict(engine, &mut tx, &told).await?;
    }
    tx.commit().await?;
    if released {
        engine.state.lock().intents.remove(&intent);
    }
    Ok(())
}

/// What a rule that stops a booking means for the task.
async fn stopped(engine: &Arc<Engine>, task: &Task, hint: &Hint, stop: Stop) -> Result<(), Fault> {
    let now = engine.ctx.portal_time.now();
    let mut tx = engine.ctx.db.begin().await?;
    let data = json!({ "facility": hint.key.facility.name(), "date": hint.date, "stop": stop });
    crate::tell::journal(engine, &mut tx, task.id, "not_booked_because", data).await?;
    if stop == Stop::LastAttempt {
        crate::tell::alert(engine, &mut tx, task.id, (hint.key.facility, hint.date), now).await?;
    }
    tx.commit().await?;
    if stop == Stop::ReschedulesUsed {
        crate::react::stop_task(engine, task.id, TaskStatus::Stopped, Reason::ReschedulesUsed).await?;
    }
    Ok(())
}
