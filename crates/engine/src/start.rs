//! Warm-up of a submitted task: sign in, read the group and the reschedules left, take the first poll.

use std::sync::Arc;

use chrono::{NaiveDate, TimeDelta};
use domain::appointment::{Applicant, Group, PortalStatus, Slot};
use domain::booking::evidence::Printed;
use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::facility::{FacilityId, today_at};
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use portal::PortalError;
use portal::pages::groups::{Group as PageGroup, GroupStatus};
use portal::pages::instructions::Instructions;
use serde_json::json;
use store::task::Task;

use crate::adopt::Adopted;
use crate::state::kind_of;
use crate::tell::Told;
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

/// Cities looked at at once by a fresh task, within the hour's budget; the planner takes the others in turn.
const FIRST_LOOKS: usize = 5;
/// A shared list younger than this answers a fresh task's first poll.
const FRESH: TimeDelta = TimeDelta::minutes(2);

/// When a page without the group is read again.
const READ_AGAIN: TimeDelta = TimeDelta::minutes(5);

/// What the portal says of one group, in our terms.
pub(crate) struct Read {
    pub group: Group,
    pub booked: Option<Slot>,
}

/// Translates a group of the groups page; `None` when it cannot be read, holds no consular appointment beside its
/// fingerprints, or has its appointment in a city that is not known to us.
pub(crate) fn translate(page: &PageGroup, fee_paid_on: Option<NaiveDate>) -> Option<Read> {
    let booked = match &page.appointment {
        None => None,
        Some(a) => {
            Some(Slot { facility: FacilityId::by_name(&a.facility_name)?, date: a.at.date, time: a.at.time })
        }
    };
    let status = match page.status {
        GroupStatus::AttendAppointment => PortalStatus::AttendAppointment,
        GroupStatus::ScheduleAppointment => PortalStatus::ScheduleAppointment,
        GroupStatus::PayVisaFee => PortalStatus::PayVisaFee,
        GroupStatus::Other if page.status_text.to_lowercase().contains("interview") => {
            PortalStatus::Interview
        }
        GroupStatus::Other if page.status_text.to_lowercase().contains("expire") => PortalStatus::Expired,
        GroupStatus::Other => PortalStatus::Unknown,
        GroupStatus::FingerprintsOnly | GroupStatus::Unreadable => return None,
    };
    let mut classes: Vec<String> = page.applicants.iter().filter_map(|a| a.visa_class.clone()).collect();
    classes.sort_unstable();
    classes.dedup();
    let people = page
        .applicants
        .iter()
        .map(|a| Applicant { id: a.id.as_ref().map(|id| id.as_str().to_owned()), name: a.name.clone() });
    let group = Group {
        applicants: people.collect(),
        visa_class: page
            .applicants
            .iter()
            .find_map(|a| a.visa_class.clone())
            .or_else(|| page.visa_class.clone()),
        classes,
        status,
        ivr_account_number: page.ivr_account_number.clone(),
        is_tcn: None,
        fee_paid_on,
    };
    Some(Read { group, booked })
}

/// Warms a task up and takes its first poll.
pub(crate) async fn start(engine: &Arc<Engine>, task: TaskId, lent: Lent) -> Result<(), Fault> {
    let Some(task) = engine.task(task).await? else {
        return Ok(());
    };
    let mut turn = Turn::begin(lent).await?;
    if let Err(fault) = warm_up(engine, &mut turn, &task).await {
        let until = engine.ctx.portal_time.now() + TimeDelta::minutes(1);
        engine.state.lock().start_not_before.insert(task.id, until);
        crate::react::react(engine, &mut turn, &task, fault).await?;
    }
    turn.finish().await
}

async fn warm_up(engine: &Arc<Engine>, turn: &mut Turn, task: &Task) -> Result<(), Fault> {
    let session = crate::session::ensure(engine, turn, task, Spend::SignIn).await?;
    turn.allowed(Spend::Other, engine.ctx.portal_time.now())?;
    let groups = engine.ctx.client.groups(&turn.meter, &session).await?;
    turn.settle_budget(engine.ctx.portal_time.now());
    engine.host_answered(turn.account);
    engine.parsed(&task.country, &[portal::PageKind::Groups]);
    let page = groups.iter().find(|g| g.portal_schedule_id == task.portal_schedule_id);
    let Some(page) = page else { return missing(engine, task).await };
    engine.state.lock().missing.remove(&task.id);
    let Some(read) = translate(page, task.group.fee_paid_on) else {
        return one_group_is_odd(engine, task, page).await;
    };
    let was_read = task.status != TaskStatus::Submitted;
    let instructions = if read.booked.is_some() || task.booked.is_some() || was_read {
        instructions(engine, turn, task, &session).await?
    } else {
        None
    };
    let printed = instructions.as_ref().map_or(Printed::Unreadable, crate::adopt::printed);
    let Adopted::Known(task) = crate::adopt::adopt(engine, task, &read, printed).await? else {
        return Ok(());
    };
    if read.booked.is_some() || was_read {
        let deadline = instructions.and_then(|page| deadline(&task, &page));
        read_allowance(engine, turn, &task, deadline).await?;
    }
    let Some(task) = crate::eligible::still_able(engine, &task).await? else {
        return Ok(());
    };
    begin_processing(engine, &task).await?;
    if crate::eligible::calm_condition(engine, &task) == TaskCondition::Watching {
        first_polls(engine, turn, &task).await?;
    }
    activate(engine, &task).await
}

/// A group that is not on the page may be a page cut short: it is gone only when it is missing twice.
async fn missing(engine: &Arc<Engine>, task: &Task) -> Result<(), Fault> {
    let again = engine.ctx.portal_time.now() + READ_AGAIN;
    let first = {
        let mut state = engine.state.lock();
        state.start_not_before.insert(task.id, again);
        state.missing.insert(task.id)
    };
    if first {
        return Ok(());
    }
    crate::react::stop_task(engine, task.id, TaskStatus::Error, Reason::GroupGone).await
}

/// When a group that could not be read on a readable page is read again.
const ODD_GROUP: TimeDelta = TimeDelta::minutes(30);

/// One group is not as known while its page is: its task waits and is told why; the account's others go on.
pub(crate) async fn one_group_is_odd(
    engine: &Arc<Engine>,
    task: &Task,
    page: &PageGroup,
) -> Result<(), Fault> {
    let what = match page.status {
        GroupStatus::FingerprintsOnly => "only_fingerprints",
        GroupStatus::Unreadable => "unreadable",
        _ => "unknown_city",
    };
    tracing::warn!(task = %task.id, what, because = page.unreadable_because, "one group is not as known");
    let until = engine.ctx.portal_time.now() + ODD_GROUP;
    engine.state.lock().start_not_before.insert(task.id, until);
    let evidence = json!({ "code": "layout_changed", "page": "groups", "group": what, "until": until });
    let mut tx = engine.ctx.db.begin().await?;
    if task.condition != TaskCondition::LayoutChanged {
        crate::tell::journal(engine, &mut tx, task.id, "trouble", evidence.clone()).await?;
    }
    let told =
        Told { task: task.id, condition: TaskCondition::LayoutChanged, evidence, next_try_at: Some(until) };
    crate::tell::condition(engine, &mut tx, &told).await?;
    tx.commit().await?;
    engine.refresh(task.id).await?;
    Ok(())
}

/// Today at the appointment's city, or at the first wanted one.
pub(crate) fn today_of(booked: Option<&Slot>, task: &Task, now: Instant) -> NaiveDate {
    let wanted = task.criteria.as_ref().and_then(|w| w.cities.first().copied());
    today_at(booked.map(|b| b.facility).or(wanted), now)
}

/// Walks to the booking form: reschedules left on the way, form and token kept for later.
async fn read_allowance(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    deadline: Option<Instant>,
) -> Result<(), Fault> {
    let Some(session) = turn.session.clone() else {
        return Ok(());
    };
    let group = task.portal_schedule_id.clone();
    let left = match engine.ctx.client.form(&turn.meter, &session, &group, &[]).await {
        Ok(visit) => {
            engine.parsed(&task.country, &crate::layout::TO_THE_FORM);
            visit.remaining
        }
        Err(PortalError::LimitReached) => Some(0),
        // Unknown is counted by ourselves; the booking path asks again.
        Err(portal_error @ PortalError::LayoutChanged(_)) => {
            crate::figures::note_layout(&engine.ctx, &portal_error).await;
            if let PortalError::LayoutChanged(changed) = &portal_error {
                engine.unreadable(&task.country, changed, turn.account);
            }
            tracing::warn!(%portal_error, "reschedules left could not be read");
            None
        }
        Err(portal_error) => return Err(portal_error.into()),
    };
    turn.settle_budget(engine.ctx.portal_time.now());
    let mut tx = engine.ctx.db.begin().await?;
    store::task::set_allowance(&mut tx, task.id, left, deadline, engine.ctx.wall.now()).await?;
    tx.commit().await?;
    engine.refresh(task.id).await?;
    Ok(())
}

/// The page the portal prints the appointment on; none where it cannot be read.
async fn instructions(
    engine: &Arc<Engine>,
    turn: &Turn,
    task: &Task,
    session: &portal::Session,
) -> Result<Option<Instructions>, Fault> {
    let group = task.portal_schedule_id.clone();
    match engine.ctx.client.instructions(&turn.meter, session, &group).await {
        Ok(page) => Ok(Some(page)),
        Err(PortalError::SignedOut) => Err(PortalError::SignedOut.into()),
        Err(portal_error) => {
            crate::figures::note_layout(&engine.ctx, &portal_error).await;
            Ok(None)
        }
    }
}

/// The portal's deadline for changes, where the instructions page prints the very appointment that is held.
pub(crate) fn deadline(task: &Task, page: &Instructions) -> Option<Instant> {
    let booked = task.booked?;
    page.interview.filter(|i| i.date == booked.date && i.time == booked.time)?;
    booked.facility.instant(page.deadline?.date.and_time(page.deadline?.time))
}

async fn begin_processing(engine: &Arc<Engine>, task: &Task) -> Result<(), Fault> {
    if task.status != TaskStatus::Submitted {
        return Ok(());
    }
    let mut tx = engine.ctx.db.begin().await?;
    let step = (TaskStatus::Submitted, TaskStatus::Processing);
    store::task::set_status(&mut tx, task.id, step, None, engine.ctx.wall.now()).await?;
    crate::tell::journal(engine, &mut tx, task.id, "signed_in", json!({})).await?;
    tx.commit().await?;
    engine.refresh(task.id).await?;
    Ok(())
}

async fn first_polls(engine: &Arc<Engine>, turn: &mut Turn, task: &Task) -> Result<(), Fault> {
    let Some(criteria) = &task.criteria else {
        return Ok(());
    };
    let kind = kind_of(task);
    let now = engine.ctx.portal_time.now();
    for city in criteria.cities.iter().take(FIRST_LOOKS) {
        let key = CalendarKey { kind: kind.clone(), facility: *city };
        let fresh = {
            let mut state = engine.state.lock();
            let split = state.sharing.is_split(&key);
            let last = state.calendars.get(&key).and_then(|c| c.last_poll);
            !split && last.is_some_and(|at| now - at < FRESH)
        };
        if fresh {
            // Somebody just looked: the shared list is this task's first poll.
            crate::observe::answer_from_shared(engine, &key, task.id).await?;
            continue;
        }
        match crate::poll::fetch(engine, turn, task, &key, "warm_up").await {
            Err(Fault::Rest(_)) => break,
            // Its own booking waits for the other cities: one of them may have an earlier day.
            seen => crate::follow::follow_others(engine, seen?).await?,
        }
    }
    Ok(())
}

async fn activate(engine: &Arc<Engine>, task: &Task) -> Result<(), Fault> {
    let now = engine.ctx.wall.now();
    let mut tx = engine.ctx.db.begin().await?;
    let Some(fresh) = store::task::get(&mut tx, task.id).await? else {
        return Ok(());
    };
    if fresh.status == TaskStatus::Processing {
        let step = (TaskStatus::Processing, TaskStatus::Active);
        store::task::set_status(&mut tx, task.id, step, None, now).await?;
        crate::tell::journal(engine, &mut tx, task.id, "watching", json!({})).await?;
        let said = [TaskCondition::WaitingFirstPoll, TaskCondition::Paused, TaskCondition::DeadlinePassed];
        if said.contains(&fresh.condition) {
            let condition = crate::eligible::calm_condition(engine, &fresh);
            let evidence = match condition {
                TaskCondition::DeadlinePassed => crate::eligible::evidence(fresh.change_deadline),
                _ => json!({}),
            };
            let told = Told { task: task.id, condition, evidence, next_try_at: None };
            crate::tell::condition(engine, &mut tx, &told).await?;
        }
    }
    tx.commit().await?;
    engine.refresh(task.id).await?;
    Ok(())
}
