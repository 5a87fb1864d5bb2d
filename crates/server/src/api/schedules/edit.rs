//! Changing what a task accepts.

use std::net::IpAddr;

use app::tasks::{self, Edit};
use app::{Error, Refusal};
use axum::extract::State;
use domain::booking::BookingMode;
use domain::ids::TaskId;
use domain::security_event::SecurityEventKind;
use serde::Deserialize;
use serde_json::json;
use store::Tx;
use store::session::Client;
use store::task::Task;
use utoipa::ToSchema;

use super::params::{cities, requested_mode};
use super::{AppointmentManagement, ScheduleAnswer, SearchParams, finish, own_to_change, own_view};
use crate::AppState;
use crate::api::auth::throttle;
use crate::auth::events::{self, Told};
use crate::auth::user_agent::RequestClient;
use crate::auth::{Caller, StepUp, StrictCaller};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope};
use crate::http::error::{ApiError, Code, Fields};
use crate::http::extract::{Body, ClientIp, TaskPath};
use crate::http::rate_limit::Act;

/// New parameters.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateSchedule {
    /// What it accepts from now on.
    #[serde(alias = "searchParameters")]
    pub search_params: SearchParams,
    /// What it does with a day: books it, asks first, or only notifies. `keep_current_appointment: true` means `notify`; both
    /// together must agree; unchanged when both are left out.
    #[serde(default, alias = "bookingMode")]
    pub booking_mode: Option<BookingMode>,
    /// Only tell, never book; unchanged when left out.
    #[serde(default, alias = "keepCurrentAppointment")]
    pub keep_current_appointment: Option<bool>,
    /// The same, wrapped.
    #[serde(default, alias = "appointmentManagement")]
    pub appointment_management: Option<AppointmentManagement>,
    /// The `schedule_config.version` these were made from: others are refused. Left out, whatever is there is replaced.
    #[serde(default, alias = "basedOn")]
    pub based_on: Option<i32>,
}

/// New cities.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateFacilities {
    /// English city names in order of preference.
    #[serde(alias = "requiredCities")]
    pub required_cities: Vec<String>,
    /// The `schedule_config.version` these were made from: others are refused. Left out, whatever is there is replaced.
    #[serde(default, alias = "basedOn")]
    pub based_on: Option<i32>,
}

/// Changes what a task accepts; allowed in every status. One that lets more be booked than before needs a step-up, and is
/// told by mail. An edit of conditions that were changed elsewhere meanwhile answers
/// `SCHEDULE_CHANGED` with the task as it is.
#[utoipa::path(put, path = "/schedules/{id}", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")), request_body = UpdateSchedule,
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn update_schedule(
    State(app): State<AppState>,
    caller: StrictCaller,
    RequestClient(client): RequestClient,
    ClientIp(address): ClientIp,
    TaskPath(id): TaskPath,
    body: Body<UpdateSchedule>,
) -> Answer<ScheduleAnswer> {
    let asked = body.value;
    let wrapped = asked.appointment_management.and_then(|m| m.keep_current_appointment);
    let mode = requested_mode(asked.booking_mode, asked.keep_current_appointment.or(wrapped))?;
    let criteria = asked.search_params.criteria(BookingMode::default(), app.now())?;
    change(app, (caller, client, address), id, asked.based_on, Edit::Criteria { criteria, mode }).await
}

/// Changes a task's cities only; refused as a whole edit is.
#[utoipa::path(put, path = "/schedules/{id}/facilities", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")), request_body = UpdateFacilities,
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn update_schedule_facilities(
    State(app): State<AppState>,
    caller: StrictCaller,
    RequestClient(client): RequestClient,
    ClientIp(address): ClientIp,
    TaskPath(id): TaskPath,
    body: Body<UpdateFacilities>,
) -> Answer<ScheduleAnswer> {
    let mut wrong = Fields::default();
    let cities = cities(&body.value.required_cities, &mut wrong);
    wrong.none()?;
    change(app, (caller, client, address), id, body.value.based_on, Edit::Cities(cities)).await
}

/// Who asks, with what, and from where.
type Asking = (StrictCaller, Client, IpAddr);

async fn change(
    app: AppState,
    (caller, client, address): Asking,
    id: TaskId,
    based_on: Option<i32>,
    edit: Edit,
) -> Answer<ScheduleAnswer> {
    let StrictCaller(who) = caller;
    let user = who.user;
    throttle::call(&app, Act::Edit, Some(&user.to_string()), address)?;
    detached(async move {
        let mut tx = app.db.begin().await?;
        let task = own_to_change(&mut tx, user, id).await?;
        let widens = edit.widens(&task);
        if widens {
            StepUp::require(&app, caller).await?;
        }
        match tasks::edit(&app.use_cases(), &mut tx, &task, based_on, edit).await {
            Err(Error::Refused(refusal @ Refusal::CriteriaChanged)) => {
                let schedule = own_view(&mut tx, &app, user, id).await?;
                Err(ApiError::from(refusal).with_data(json!({ "schedule": schedule })))
            }
            edited => {
                edited?;
                if widens {
                    tell(&app, &mut tx, &who, &client, &task).await?;
                }
                finish(&app, tx, user, id).await
            }
        }
    })
    .await
}

/// The owner hears of what they may not have changed themselves.
async fn tell(
    app: &AppState,
    tx: &mut Tx,
    who: &Caller,
    client: &Client,
    task: &Task,
) -> Result<(), ApiError> {
    events::note(app, tx, &events::by(who, SecurityEventKind::TaskWidened, client)).await?;
    let user = store::user::get(tx, who.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    let occasion = format!("{}:{}", task.id, task.criteria_version + 1);
    events::tell(app, tx, &user, Told::TaskWidened, &occasion).await?;
    Ok(())
}
