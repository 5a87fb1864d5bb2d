//! The preflight: what the booking account itself reads right before anything is sent, and whether all of it agrees.
//!
//! First the limit page and after it the form, for a visit of the bare page makes the portal forget the choice of
//! applicants; then groups page, instructions page and own times at once. The groups page alone proves nothing: it lags
//! behind what somebody has just booked by hand.

use std::sync::Arc;

use chrono::NaiveTime;
use domain::appointment::Slot;
use domain::booking::evidence::{FORM_FRESH, FRESH, Printed, Seen, pages_agree};
use domain::booking::{Attempts, Stop};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::PortalScheduleId;
use portal::pages::appointment::AppointmentForm;
use portal::pages::instructions::Instructions;
use portal::{ApplicantId, BookingConnection, FormVisit, PageKind, PortalError, Session};
use store::task::Task;

use crate::crash::sabotaged;
use crate::opening::Opening;
use crate::start::Read;
use crate::turn::Turn;
use crate::{Engine, Fault};

/// What the booking account itself sees, with what the POST needs.
pub(super) struct Preflight {
    pub(super) times: Vec<NaiveTime>,
    pub(super) groups: Vec<portal::pages::groups::Group>,
    /// None where it could not be read.
    pub(super) instructions: Option<Instructions>,
    /// Attempts left as the limit page tells them now; none where the portal showed no such page.
    pub(super) attempts: Option<u32>,
    pub(super) form: AppointmentForm,
    pub(super) connection: BookingConnection,
    /// When groups and instructions page were asked for (wall time).
    pub(super) read_at: Instant,
    /// Nothing may be sent from here on (wall time): what was read is too old then.
    pub(super) stale_at: Instant,
}

/// What was read and agrees: the appointment that would be replaced, and what the portal allows.
pub(super) struct Agreed {
    pub(super) shown: Option<Slot>,
    pub(super) attempts: Attempts,
    pub(super) deadline: Option<Instant>,
    /// When that was read (wall time).
    pub(super) read_at: Instant,
}

impl Agreed {
    /// As the row has it, before anything is read.
    pub(super) fn by_row(task: &Task) -> Self {
        Self {
            shown: task.booked,
            attempts: Attempts { left: task.attempts_left, used_here: task.reschedules_used },
            deadline: task.change_deadline,
            read_at: task.group_read_at,
        }
    }
}

/// Reads everything: six requests with the POST, three round trips before it.
pub(super) async fn read(
    engine: &Arc<Engine>,
    turn: &Turn,
    task: &Task,
    opening: &Opening,
    session: &Arc<Session>,
) -> Result<Preflight, PortalError> {
    let group = task.portal_schedule_id.clone();
    let facility = opening.key.facility;
    let client = &engine.ctx.client;
    let begun = engine.ctx.wall.now();
    let visit = visit(engine, turn, task, session, &group).await?;
    let asked = engine.ctx.wall.now();
    let (times, groups, instructions, connection) = tokio::join!(
        own_times(engine, turn, session, (&group, facility, opening.date)),
        client.groups(&turn.meter, session),
        client.instructions(&turn.meter, session, &group),
        crate::prewarm::connection(engine),
    );
    for (read, page) in [(times.is_ok(), PageKind::Times), (groups.is_ok(), PageKind::Groups)] {
        if read {
            engine.parsed(&task.country, &[page]);
        }
    }
    let instructions = match instructions {
        Ok(page) => Some(page),
        Err(unread @ (PortalError::LayoutChanged(_) | PortalError::NoPermission | PortalError::NotFound)) => {
            crate::figures::note_layout(&engine.ctx, &unread).await;
            None
        }
        Err(portal_error) => return Err(portal_error),
    };
    // A connection that could not be opened is known before anything is marked.
    Ok(Preflight {
        times: times?,
        groups: groups?,
        instructions,
        attempts: visit.remaining,
        form: visit.form,
        connection: connection?,
        read_at: asked,
        stale_at: (asked + FRESH).min(begun + FORM_FRESH),
    })
}

impl Preflight {
    /// Whether everything that was read tells of the appointment the task holds.
    pub(super) fn agreed(&self, task: &Task, read: &Read) -> Result<Agreed, Stop> {
        let seen = Seen {
            expected: task.booked.as_ref(),
            shown: read.booked.as_ref(),
            printed: self.printed(),
            attempts_known: task.attempts_left,
            attempts_told: self.attempts,
        };
        if !sabotaged("groups_alone") {
            pages_agree(&seen)?;
        }
        let printed = self.instructions.as_ref().and_then(|page| crate::start::deadline(task, page));
        Ok(Agreed {
            shown: read.booked,
            attempts: Attempts {
                left: self.attempts.or(task.attempts_left),
                used_here: task.reschedules_used,
            },
            deadline: printed.or(task.change_deadline),
            read_at: self.read_at,
        })
    }

    /// What the instructions page prints.
    pub(super) fn printed(&self) -> Printed {
        self.instructions.as_ref().map_or(Printed::Unreadable, crate::adopt::printed)
    }
}

/// What a contradiction means for the task: what is sure is taken over, anything else is read again later.
pub(super) async fn contradicted(
    engine: &Arc<Engine>,
    task: &Task,
    (read, printed): (&Read, Printed),
    stop: Stop,
) -> Result<(), Fault> {
    match stop {
        Stop::Changed | Stop::PagesDiffer => {
            crate::adopt::adopt(engine, task, read, printed).await?;
        }
        Stop::AttemptsDiffer => crate::adopt::read_again_later(engine, task).await?,
        _ => {}
    }
    Ok(())
}

/// The account's own look at the day; with a seeded bug, a guess from the list somebody else saw.
async fn own_times(
    engine: &Engine,
    turn: &Turn,
    session: &Session,
    (group, facility, date): (&PortalScheduleId, FacilityId, chrono::NaiveDate),
) -> Result<Vec<NaiveTime>, PortalError> {
    if sabotaged("shared_list_books") {
        return Ok(NaiveTime::from_hms_opt(9, 15, 0).into_iter().collect());
    }
    engine.ctx.client.times(&turn.meter, session, group, facility, date).await
}

/// The attempts left and after them the booking form of a task's people; not when the group has other people than were
/// priced.
pub(crate) async fn visit(
    engine: &Arc<Engine>,
    turn: &Turn,
    task: &Task,
    session: &Session,
    group: &PortalScheduleId,
) -> Result<FormVisit, PortalError> {
    let people: Vec<ApplicantId> =
        task.group.applicants.iter().filter_map(|a| a.id.clone()).map(ApplicantId::from).collect();
    let visit = engine.ctx.client.form_afresh(&turn.meter, session, group, &people).await?;
    engine.parsed(&task.country, &crate::layout::TO_THE_FORM);
    let others = visit.listed.iter().any(|id| !people.contains(id));
    if others && !people.is_empty() {
        // The group has other people than were priced: read it afresh before anything is booked.
        return Err(PortalError::NoPermission);
    }
    Ok(visit)
}
