//! Endpoint `POST /schedules/configure`: sets the criteria of a draft.

use app::tasks::{self, PickedAppointment};
use axum::extract::State;
use domain::criteria::{BookingMode, RequestedMode};
use domain::ids::{PortalScheduleId, TaskId};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::params::requested_mode;
use super::{AppointmentManagement, ScheduleAnswer, SearchParams, finish, own_task_to_change};
use crate::AppState;
use crate::auth::Caller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope};
use crate::http::extract::Body;

/// Parameters of a draft.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Configure {
    /// Identifier of the task.
    #[serde(alias = "scheduleId")]
    pub schedule_id: Uuid,
    /// Selected appointments; they must belong to the task.
    #[serde(alias = "selectedAppointments")]
    pub selected_appointments: Vec<SelectedAppointment>,
    /// Criteria of the task.
    #[serde(alias = "searchParameters")]
    pub search_params: SearchParams,
    /// Action for an acceptable date: book, ask first, or only notify. `keep_current_appointment:
    /// true` means `notify`. If both fields are present, they must agree.
    #[serde(default, alias = "bookingMode")]
    pub booking_mode: Option<BookingMode>,
    /// `true` to only notify and never book.
    #[serde(default, alias = "keepCurrentAppointment")]
    pub keep_current_appointment: Option<bool>,
    /// Wrapped form of `keep_current_appointment`, which clients may send instead.
    #[serde(default, alias = "appointmentManagement")]
    pub appointment_management: Option<AppointmentManagement>,
}

/// A selected appointment, by its identifiers at the portal.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectedAppointment {
    /// The portal's identifier of the group.
    #[serde(alias = "scheduleId")]
    pub schedule_id: String,
    /// IVR account number.
    #[serde(default, alias = "ivrAccountNumber")]
    pub ivr_account_number: Option<String>,
}

/// Sets the criteria of a draft or configured task.
#[utoipa::path(post, path = "/schedules/configure", tag = "schedules", security(("bearer" = [])),
    request_body = Configure,
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn configure_schedule(
    State(app): State<AppState>,
    caller: Caller,
    body: Body<Configure>,
) -> Answer<ScheduleAnswer> {
    let asked = body.value;
    let wrapped = asked.appointment_management.and_then(|m| m.keep_current_appointment);
    let mode = requested_mode(asked.booking_mode, asked.keep_current_appointment.or(wrapped))?;
    let mode = mode.unwrap_or(RequestedMode::Changing);
    let mut criteria = asked.search_params.criteria(BookingMode::default(), app.now())?;
    let keeps_fingerprints = asked.search_params.keeps_fingerprints();
    let picked: Vec<_> = asked.selected_appointments.into_iter().map(PickedAppointment::from).collect();
    detached(async move {
        let id = TaskId(asked.schedule_id);
        let mut tx = app.db.begin().await?;
        let task = own_task_to_change(&mut tx, caller.user, id).await?;
        let before = task.criteria.as_ref().map_or_else(BookingMode::default, |criteria| criteria.mode);
        criteria.mode = mode.after(before);
        if keeps_fingerprints {
            criteria.fingerprints = task.criteria.as_ref().and_then(|old| old.fingerprints.clone());
        }
        tasks::configure(&app.use_cases(), &mut tx, &task, &picked, &criteria).await?;
        finish(&app, tx, caller.user, id).await
    })
    .await
}

impl From<SelectedAppointment> for PickedAppointment {
    fn from(selected: SelectedAppointment) -> Self {
        Self {
            group: PortalScheduleId(selected.schedule_id),
            ivr_account_number: selected.ivr_account_number,
        }
    }
}
