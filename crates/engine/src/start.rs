//! Warm-up of a submitted task: sign in, read the group and the reschedules left, take the first look.

use std::sync::Arc;

use chrono::{NaiveDate, TimeDelta};
use domain::appointment::{Applicant, Group, PortalStatus, Slot};
use domain::budget::Spend;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use domain::task::{Reason, TaskStatus};
use domain::verdict::Verdict;
use portal::Trouble;
use portal::pages::groups::{Group as PageGroup, GroupStatus};
use serde_json::json;
use store::task::Task;

use crate::state::kind_of;
use crate::tell::Told;
use crate::turn::{Lent, Turn};
use crate::{Engine, Fault};

/// Cities looked at at once by a fresh task, within the hour's budget; the planner takes the others in turn.
const FIRST_LOOKS: usize = 5;
/// A shared list younger than this answers a fresh task's first look.
const FRESH: TimeDelta = TimeDelta::minutes(2);

/// When a page without the group is read again.
const READ_AGAIN: TimeDelta = TimeDelta::minutes(5);

/// What the portal says of one group, in our terms.
pub(crate) struct Read {
    pub group: Group,
    pub booked: Option<Slot>,
}

/// Translates a group of the groups page; `None` when its appointment's city is not known to us.
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

/// Warms a task up and takes its first look.
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
    engine.host_answered();
    engine.parsed(&task.country, &[portal::PageKind::Groups]);
    let page = groups.iter().find(|g| g.portal_schedule_id.as_str() == task.portal_schedule_id.0);
    let Some(page) = page else { return missing(engine, task).await };
    engine.state.lock().missing.remove(&task.id);
    let read = translate(page, task.group.fee_paid_on).ok_or_else(unknown_city)?;
    let Some(task) = adopt(engine, task, &read).await? else {
        return Ok(());
    };
    if read.booked.is_some() {
        read_allowance(engine, turn, &task).await?;
    }
    begin_processing(engine, &task).await?;
    first_looks(engine, turn, &task).await?;
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

/// What is wrong with a page that could be read, but names a city we do not know.
pub(crate) const UNKNOWN_CITY: &str = "an appointment in a city that is not known";

fn unknown_city() -> Trouble {
    Trouble::LayoutChanged(portal::LayoutChanged {
        page: portal::PageKind::Groups,
        what: UNKNOWN_CITY,
        shape: 0,
    })
}

/// Takes over what the portal shows now; `None` when the task can not go on.
pub(crate) async fn adopt(engine: &Arc<Engine>, task: &Task, read: &Read) -> Result<Option<Task>, Fault> {
    let now = engine.ctx.wall.now();
    let mut tx = engine.ctx.db.begin().await?;
    store::lease::alone(&mut tx, task.id.0).await?;
    let lag = engine.ctx.portal_time.now() - domain::booking::LAG;
    let before = store::intent::lagging(&mut tx, &task.country, &task.portal_schedule_id, lag).await?;
    if before.is_some_and(|before| before == read.booked && before != task.booked) {
        // The page lags behind our own booking: what it shows is the appointment before it.
        tx.commit().await?;
        return engine.refresh(task.id).await;
    }
    let today = today_of(read.booked.as_ref(), task, engine.ctx.portal_time.now());
    let stop = if !read.group.status.can_be_monitored() {
        Some(if read.group.status == PortalStatus::PayVisaFee {
            Reason::FeeExpired
        } else {
            Reason::GroupGone
        })
    } else if read.group.fee_expired(today) {
        Some(Reason::FeeExpired)
    } else if read.booked.is_some_and(|b| b.date < today) {
        Some(Reason::AppointmentPassed)
    } else if task.booked.is_some() && read.booked.is_none() {
        Some(Reason::CancelledOutside)
    } else if task.price.is_some_and(|p| {
        let people = read.group.party_size();
        // Who has paid for more people than there are has nothing to decide.
        people > p.applicants || (people < p.applicants && task.captured_at.is_none())
    }) {
        Some(Reason::GroupChanged)
    } else {
        None
    };
    store::task::set_group(&mut tx, task.id, &read.group, now).await?;
    store::task::set_booked(&mut tx, task.id, read.booked, now).await?;
    if task.booked != read.booked {
        changed_outside(engine, &mut tx, task, read).await?;
    }
    tx.commit().await?;
    if let Some(reason) = stop {
        let to = if reason == Reason::CancelledOutside { TaskStatus::Stopped } else { TaskStatus::Error };
        crate::react::stop_task(engine, task.id, to, reason).await?;
        return Ok(None);
    }
    engine.refresh(task.id).await
}

/// Somebody else changed the appointment: what was read for the old one is read afresh.
async fn changed_outside(
    engine: &Arc<Engine>,
    tx: &mut store::Tx,
    task: &Task,
    read: &Read,
) -> Result<(), Fault> {
    let data = json!({
        "from": task.booked.as_ref().map(crate::tell::slot),
        "to": read.booked.as_ref().map(crate::tell::slot),
    });
    crate::tell::journal(engine, tx, task.id, "changed_outside", data).await?;
    // Also of a task that books by itself by now: it was told of the slot before that.
    let since = engine.ctx.portal_time.now() - store::payment::ALERT_COUNTS_FOR;
    crate::money::capture_if_alerted(engine, tx, task, (read.booked, since)).await?;
    let now = engine.ctx.wall.now();
    store::task::forget_allowance(tx, task.id, now).await?;
    if task.status == TaskStatus::Active {
        let step = (TaskStatus::Active, TaskStatus::Processing);
        store::task::set_status(tx, task.id, step, None, now).await?;
    }
    if let Some(account) = engine.state.lock().accounts.get_mut(&task.portal_account_id) {
        account.forms.remove(&task.id);
    }
    Ok(())
}

/// Today at the appointment's city, or at the first wanted one.
pub(crate) fn today_of(booked: Option<&Slot>, task: &Task, now: Instant) -> NaiveDate {
    let wanted = task.wish.as_ref().and_then(|w| w.cities.first().copied());
    booked.map(|b| b.facility).or(wanted).unwrap_or(FacilityId(94)).today(now)
}

/// Walks to the booking form: reschedules left on the way, form and token kept for later.
async fn read_allowance(engine: &Arc<Engine>, turn: &mut Turn, task: &Task) -> Result<(), Fault> {
    let Some(session) = turn.session.clone() else {
        return Ok(());
    };
    let group = portal::PortalScheduleId::from(task.portal_schedule_id.0.as_str());
    let left = match engine.ctx.client.form(&turn.meter, &session, &group, &[]).await {
        Ok(visit) => {
            engine.parsed(&task.country, &crate::layout::TO_THE_FORM);
            if let Some(account) = engine.state.lock().accounts.get_mut(&turn.account) {
                account.forms.insert(task.id, visit.form);
            }
            visit.remaining
        }
        Err(Trouble::LimitReached) => Some(0),
        // Unknown is counted by ourselves; the booking path asks again.
        Err(trouble @ Trouble::LayoutChanged(_)) => {
            crate::figures::note_layout(&engine.ctx, &trouble).await;
            if let Trouble::LayoutChanged(changed) = &trouble {
                engine.unreadable(&task.country, changed, turn.account);
            }
            tracing::warn!(%trouble, "reschedules left could not be read");
            None
        }
        Err(trouble) => return Err(trouble.into()),
    };
    let deadline = read_deadline(engine, turn, task, &session).await;
    turn.settle_budget(engine.ctx.portal_time.now());
    let mut tx = engine.ctx.db.begin().await?;
    store::task::set_allowance(&mut tx, task.id, left, deadline, engine.ctx.wall.now()).await?;
    tx.commit().await?;
    engine.refresh(task.id).await?;
    Ok(())
}

/// The portal's deadline for changes, where the instructions page prints the very appointment that is held.
async fn read_deadline(
    engine: &Arc<Engine>,
    turn: &Turn,
    task: &Task,
    session: &portal::Session,
) -> Option<Instant> {
    let booked = task.booked?;
    let group = portal::PortalScheduleId::from(task.portal_schedule_id.0.as_str());
    let page = engine.ctx.client.instructions(&turn.meter, session, &group).await.ok()?;
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

async fn first_looks(engine: &Arc<Engine>, turn: &mut Turn, task: &Task) -> Result<(), Fault> {
    let Some(wish) = &task.wish else {
        return Ok(());
    };
    let kind = kind_of(task);
    let now = engine.ctx.portal_time.now();
    for city in wish.cities.iter().take(FIRST_LOOKS) {
        let key = CalendarKey { kind: kind.clone(), facility: *city };
        let fresh = {
            let mut state = engine.state.lock();
            let split = state.sharing.is_split(&key);
            let last = state.calendars.get(&key).and_then(|c| c.last_look);
            !split && last.is_some_and(|at| now - at < FRESH)
        };
        if fresh {
            // Somebody just looked: the shared list is this task's first look.
            crate::observe::answer_from_shared(engine, &key, task.id).await?;
            continue;
        }
        match crate::look::fetch(engine, turn, task, &key, "warm_up").await {
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
        if fresh.verdict == Verdict::WaitingFirstLook || fresh.verdict == Verdict::Paused {
            let told =
                Told { task: task.id, verdict: Verdict::Watching, evidence: json!({}), next_try_at: None };
            crate::tell::verdict(engine, &mut tx, &told).await?;
        }
    }
    tx.commit().await?;
    engine.refresh(task.id).await?;
    Ok(())
}
