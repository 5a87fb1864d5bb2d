//! Preflight: reads the pages of the booking account immediately before the booking POST, and
//! checks that they agree.
//!
//! The limit page is read before the form, because a request for the limit page makes the portal
//! forget the selected applicants. Then the groups page, the instructions page and the free times
//! of the date are read concurrently. The groups page alone proves nothing, because it lags behind
//! a manual booking.

use std::sync::Arc;

use chrono::NaiveTime;
use domain::booking::evidence::{FORM_FRESH, FRESH, PageEvidence, Printed, pages_agree};
use domain::booking::{Attempts, Stop};
use domain::clock::Instant;
use portal::pages::appointment::AppointmentForm;
use portal::pages::groups::GroupsPage;
use portal::pages::instructions::Instructions;
use portal::{BookingConnection, PageKind, PortalError, Session};
use store::task::Task;

use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;
use crate::gateway::form::{form_agrees, visit};
use crate::model::attempts::Agreed;
use crate::model::group::GroupReading;
use crate::model::openings::Opening;

/// Pages that the booking account received, and the data that the POST needs.
pub(crate) struct Preflight {
    /// Free times of the opening's date.
    pub times: Vec<NaiveTime>,
    pub groups: GroupsPage,
    /// `None` if the page could not be read.
    pub instructions: Option<Instructions>,
    /// Number of attempts left on the limit page; `None` if the portal showed no such page.
    pub attempts: Option<u32>,
    pub form: AppointmentForm,
    pub connection: BookingConnection,
    /// Wall time at which the groups and instructions pages were requested.
    pub read_at: Instant,
    /// Wall time from which nothing may be sent, because the pages are too old.
    pub stale_at: Instant,
}

/// Reads all pages of the preflight, and opens the connection of the POST. The pages take three
/// round trips. With the POST, a booking sends six requests, and usually two more for the lists of
/// a fingerprint appointment.
pub(crate) async fn read(
    gateway: &Gateway,
    lease: &AccountLease,
    task: &Task,
    opening: &Opening,
    session: &Arc<Session>,
) -> Result<Preflight, PortalError> {
    let group = task.portal_schedule_id.clone();
    let facility = opening.key.facility;
    let client = &gateway.client;
    let begun = gateway.records.wall.now();
    let visit = visit(gateway, lease, task, session, &group).await?;
    let asked = gateway.records.wall.now();
    let (times, groups, instructions, connection) = tokio::join!(
        client.times(&lease.meter, session, &group, facility, opening.date),
        client.groups(&lease.meter, session),
        client.instructions(&lease.meter, session, &group),
        crate::gateway::connections::connection(gateway),
    );
    if times.is_ok() {
        gateway.parsed(task.country, &[PageKind::Times]);
    }
    if let Ok(page) = &groups {
        gateway.parsed_groups(task.country, page);
    }
    let instructions = match instructions {
        Ok(page) => Some(page),
        Err(unread @ (PortalError::LayoutChanged(_) | PortalError::NoPermission | PortalError::NotFound)) => {
            crate::persist::parse_failure::record_parse_failure(&gateway.records, &unread).await;
            None
        }
        Err(portal_error) => return Err(portal_error),
    };
    // A failure to open the connection ends the preflight before the attempt is marked as sending.
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
    /// Checks that all pages agree with the task's stored appointment, and returns the agreed
    /// values.
    ///
    /// # Errors
    /// The [`Stop`] that forbids the booking if the pages do not agree.
    pub fn agreed(&self, task: &Task, read: &GroupReading) -> Result<Agreed, Stop> {
        let seen = PageEvidence {
            expected: task.booked.as_ref(),
            shown: read.booked.as_ref(),
            printed: self.printed(),
            attempts_known: task.attempts_left,
            attempts_told: self.attempts,
        };
        pages_agree(&seen)?;
        if !form_agrees(&self.form, read.booked.as_ref()) {
            return Err(Stop::Unreadable);
        }
        let printed =
            self.instructions.as_ref().and_then(|page| crate::gateway::translate::deadline(task, page));
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

    /// Returns the appointment that the instructions page prints.
    pub fn printed(&self) -> Printed {
        self.instructions.as_ref().map_or(Printed::Unreadable, crate::gateway::translate::printed)
    }
}
