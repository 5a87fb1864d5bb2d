//! `POST /schedules/configure`: what a draft accepts.

use axum::extract::State;
use domain::ids::TaskId;
use domain::task::TaskStatus;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{AppointmentManagement, ScheduleAnswer, SearchParams, own_to_change, own_view};
use crate::AppState;
use crate::auth::Caller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, Fields};
use crate::http::extract::Body;

/// A draft's parameters.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Configure {
    /// The task.
    #[serde(alias = "scheduleId")]
    pub schedule_id: Uuid,
    /// The chosen appointments; they must belong to the task.
    #[serde(alias = "selectedAppointments")]
    pub selected_appointments: Vec<SelectedAppointment>,
    /// What it accepts.
    #[serde(alias = "searchParameters")]
    pub search_params: SearchParams,
    /// Only tell, never book.
    #[serde(default, alias = "keepCurrentAppointment")]
    pub keep_current_appointment: Option<bool>,
    /// The same, wrapped.
    #[serde(default, alias = "appointmentManagement")]
    pub appointment_management: Option<AppointmentManagement>,
}

/// An appointment by its portal numbers.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectedAppointment {
    /// The portal's number of the group.
    #[serde(alias = "scheduleId")]
    pub schedule_id: String,
    /// The IVR account number.
    #[serde(default, alias = "ivrAccountNumber")]
    pub ivr_account_number: Option<String>,
}

/// Sets what a draft or configured task accepts.
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
    let notify_only = asked.keep_current_appointment.or(wrapped).unwrap_or(false);
    let criteria = asked.search_params.criteria(notify_only, app.now())?;
    detached(async move {
        let (id, now) = (TaskId(asked.schedule_id), app.now());
        let mut tx = app.db.begin().await?;
        let task = own_to_change(&mut tx, caller.user, id).await?;
        if !matches!(task.status, TaskStatus::Draft | TaskStatus::Configured) {
            return Err(ApiError::new(Code::IllegalTransition));
        }
        let belongs = |a: &SelectedAppointment| {
            a.schedule_id == task.portal_schedule_id.0
                && (a.ivr_account_number.is_none() || a.ivr_account_number == task.group.ivr_account_number)
        };
        if asked.selected_appointments.is_empty() || !asked.selected_appointments.iter().all(belongs) {
            let mut wrong = Fields::default();
            wrong.add("selected_appointments", "not_of_this_schedule");
            wrong.none()?;
        }
        if super::verify::unfit(&task, now).is_some() {
            let mut wrong = Fields::default();
            wrong.add("selected_appointments", "not_selectable");
            wrong.none()?;
        }
        store::task::set_criteria(&mut tx, id, &criteria, now).await?;
        let schedule = own_view(&mut tx, caller.user, id, now).await?;
        tx.commit().await?;
        ok(ScheduleAnswer { schedule })
    })
    .await
}
