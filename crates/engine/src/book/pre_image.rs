//! The pre-image: what the booking account itself sees right before it acts, and the form it would send.

use std::sync::Arc;

use chrono::NaiveTime;
use portal::pages::appointment::AppointmentForm;
use portal::{ApplicantId, BookingConnection, PageKind, Trouble};
use store::task::Task;

use crate::Engine;
use crate::crash::sabotaged;
use crate::hint::Hint;
use crate::turn::Turn;

/// What the booking account itself sees, with what the POST needs.
pub(super) struct CloseLook {
    pub(super) times: Vec<NaiveTime>,
    pub(super) groups: Vec<portal::pages::groups::Group>,
    pub(super) form: AppointmentForm,
    pub(super) connection: BookingConnection,
}

/// Pre-image and own times in parallel, with the connection and the form where they are not at hand.
pub(super) async fn look_closely(
    engine: &Arc<Engine>,
    turn: &Turn,
    task: &Task,
    hint: &Hint,
    session: &Arc<portal::Session>,
) -> Result<CloseLook, Trouble> {
    let group = portal::PortalScheduleId::from(task.portal_schedule_id.0.as_str());
    let facility = portal::FacilityId::from(hint.key.facility.0);
    let client = &engine.ctx.client;
    let form = {
        let state = engine.state.lock();
        state.accounts.get(&turn.account).and_then(|a| a.forms.get(&task.id).cloned())
    };
    let form_ahead = async {
        match form {
            Some(form) => Ok(form),
            None => fetch_form(engine, turn, task, session, &group).await,
        }
    };
    let (times, groups, connection, form) = tokio::join!(
        own_times(engine, turn, session, (&group, facility, hint.date)),
        client.groups(&turn.meter, session),
        crate::standby::connection(engine),
        form_ahead,
    );
    for (read, page) in [(times.is_ok(), PageKind::Times), (groups.is_ok(), PageKind::Groups)] {
        if read {
            engine.parsed(&task.country, &[page]);
        }
    }
    // A connection that could not be opened is known before anything is marked.
    Ok(CloseLook { times: times?, groups: groups?, form: form?, connection: connection? })
}

/// The account's own look at the day; with a seeded bug, a guess from the list somebody else saw.
async fn own_times(
    engine: &Engine,
    turn: &Turn,
    session: &portal::Session,
    (group, facility, date): (&portal::PortalScheduleId, portal::FacilityId, chrono::NaiveDate),
) -> Result<Vec<NaiveTime>, Trouble> {
    if sabotaged("shared_list_books") {
        return Ok(NaiveTime::from_hms_opt(9, 15, 0).into_iter().collect());
    }
    engine.ctx.client.times(&turn.meter, session, group, facility, date).await
}

/// The booking form of a task's people, kept for the account; not when the group has other people than were priced.
pub(crate) async fn fetch_form(
    engine: &Arc<Engine>,
    turn: &Turn,
    task: &Task,
    session: &portal::Session,
    group: &portal::PortalScheduleId,
) -> Result<AppointmentForm, Trouble> {
    let people: Vec<ApplicantId> =
        task.group.applicants.iter().filter_map(|a| a.id.clone()).map(ApplicantId::from).collect();
    let visit = engine.ctx.client.form(&turn.meter, session, group, &people).await?;
    engine.parsed(&task.country, &crate::layout::TO_THE_FORM);
    let others = visit.listed.iter().any(|id| !people.contains(id));
    if others && !people.is_empty() {
        // The group has other people than were priced: read it afresh before anything is booked.
        return Err(Trouble::NoPermission);
    }
    if let Some(account) = engine.state.lock().accounts.get_mut(&turn.account) {
        account.forms.insert(task.id, visit.form.clone());
    }
    Ok(visit.form)
}
