//! Endpoints `PUT /schedules/{id}` and `PUT /schedules/{id}/facilities`.

use std::net::IpAddr;

use app::tasks::{self, Edit};
use app::{Error, Refusal};
use axum::extract::State;
use domain::criteria::BookingMode;
use domain::ids::TaskId;
use domain::security_event::SecurityEventKind;
use serde::Deserialize;
use serde_json::json;
use store::Tx;
use store::session::Client;
use store::task::Task;
use utoipa::ToSchema;

use super::params::{cities, requested_mode};
use super::{AppointmentManagement, ScheduleAnswer, SearchParams, finish, own_task_to_change, own_view};
use crate::AppState;
use crate::api::auth::guess_limits;
use crate::auth::events::{self, SecurityNotice};
use crate::auth::user_agent::RequestClient;
use crate::auth::{Caller, StepUp, StrictCaller};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope};
use crate::http::error::{ApiError, Code, Fields};
use crate::http::extract::{Body, ClientIp, TaskPath};
use crate::http::rate_limit::LimitedAction;

/// Input of an edit.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateSchedule {
    /// New criteria.
    #[serde(alias = "searchParameters")]
    pub search_params: SearchParams,
    /// Action for an acceptable date: book, ask first, or only notify. `keep_current_appointment:
    /// true` means `notify`. If both fields are present, they must agree. If both are absent, the
    /// mode stays as it is.
    #[serde(default, alias = "bookingMode")]
    pub booking_mode: Option<BookingMode>,
    /// `true` to only notify and never book; unchanged if absent.
    #[serde(default, alias = "keepCurrentAppointment")]
    pub keep_current_appointment: Option<bool>,
    /// Wrapped form of `keep_current_appointment`, which clients may send instead.
    #[serde(default, alias = "appointmentManagement")]
    pub appointment_management: Option<AppointmentManagement>,
    /// The `schedule_config.version` that the user edited. If the task has a newer version, the
    /// call is rejected. If absent, the edit replaces any version.
    #[serde(default, alias = "basedOn")]
    pub based_on: Option<i32>,
}

/// Input of an edit of the cities.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateFacilities {
    /// Names of cities in English, in order of preference.
    #[serde(alias = "requiredCities")]
    pub required_cities: Vec<String>,
    /// The `schedule_config.version` that the user edited. If the task has a newer version, the
    /// call is rejected. If absent, the edit replaces any version.
    #[serde(default, alias = "basedOn")]
    pub based_on: Option<i32>,
}

/// Changes the criteria of a task; allowed in every status. An edit that allows more bookings needs
/// a step-up, and the user gets a mail about it. If the criteria changed since `based_on`, the
/// error is `SCHEDULE_CHANGED` with the current task.
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
    let keeps_fingerprints = asked.search_params.keeps_fingerprints();
    let edit = Edit::Criteria { criteria, mode, keeps_fingerprints };
    change(app, (caller, client, address), id, asked.based_on, edit).await
}

/// Changes only the cities of a task. The rules of `PUT /schedules/{id}` apply.
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

/// Caller, client and address of a request.
type EditContext = (StrictCaller, Client, IpAddr);

async fn change(
    app: AppState,
    (caller, client, address): EditContext,
    id: TaskId,
    based_on: Option<i32>,
    edit: Edit,
) -> Answer<ScheduleAnswer> {
    let StrictCaller(who) = caller;
    let user = who.user;
    guess_limits::call(&app, LimitedAction::Edit, Some(&user.to_string()), address)?;
    detached(async move {
        let mut tx = app.db.begin().await?;
        let task = own_task_to_change(&mut tx, user, id).await?;
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
                    notify_owner(&app, &mut tx, &who, &client, &task).await?;
                }
                finish(&app, tx, user, id).await
            }
        }
    })
    .await
}

/// Records the edit as a security event and mails the owner, in case someone else made it.
async fn notify_owner(
    app: &AppState,
    tx: &mut Tx,
    who: &Caller,
    client: &Client,
    task: &Task,
) -> Result<(), ApiError> {
    events::record(app, tx, &events::by(who, SecurityEventKind::TaskWidened, client)).await?;
    let user = store::user::get(tx, who.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    let occasion = format!("{}:{}", task.id, task.criteria_version + 1);
    events::notify(app, tx, &user, SecurityNotice::TaskWidened, &occasion).await?;
    Ok(())
}
