//! Changing what a task accepts.

use axum::extract::State;
use domain::criteria::SearchCriteria;
use domain::ids::{TaskId, UserId};
use domain::task::actions::Action;
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::params::cities;
use super::{AppointmentManagement, ScheduleAnswer, SearchParams, TaskView, own_to_change, own_view};
use crate::AppState;
use crate::auth::Caller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, Fields};
use crate::http::extract::{Body, TaskPath};

/// New parameters.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateSchedule {
    /// What it accepts from now on.
    #[serde(alias = "searchParameters")]
    pub search_params: SearchParams,
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

/// Changes what a task accepts; allowed in every status. An edit of conditions that were changed elsewhere meanwhile answers
/// `SCHEDULE_CHANGED` with the task as it is.
#[utoipa::path(put, path = "/schedules/{id}", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")), request_body = UpdateSchedule,
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn update_schedule(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
    body: Body<UpdateSchedule>,
) -> Answer<ScheduleAnswer> {
    let asked = body.value;
    let wrapped = asked.appointment_management.and_then(|m| m.keep_current_appointment);
    let notify_only = asked.keep_current_appointment.or(wrapped);
    let criteria = asked.search_params.criteria(notify_only.unwrap_or(false), app.now())?;
    let change = move |old: Option<SearchCriteria>| {
        let kept = old.is_some_and(|w| w.notify_only);
        Ok(SearchCriteria { notify_only: notify_only.unwrap_or(kept), ..criteria })
    };
    let edit = Edit { based_on: asked.based_on, change };
    let schedule = detached(async move { edit.make(&app, caller.user, id).await }).await?;
    ok(ScheduleAnswer { schedule })
}

/// Changes a task's cities only; refused as a whole edit is.
#[utoipa::path(put, path = "/schedules/{id}/facilities", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")), request_body = UpdateFacilities,
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn update_schedule_facilities(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
    body: Body<UpdateFacilities>,
) -> Answer<ScheduleAnswer> {
    let mut wrong = Fields::default();
    let cities = cities(&body.value.required_cities, &mut wrong);
    wrong.none()?;
    let change = move |old: Option<SearchCriteria>| {
        let old = old.ok_or_else(|| ApiError::new(Code::IllegalTransition))?;
        Ok(SearchCriteria { cities, ..old })
    };
    let edit = Edit { based_on: body.value.based_on, change };
    let schedule = detached(async move { edit.make(&app, caller.user, id).await }).await?;
    ok(ScheduleAnswer { schedule })
}

/// A change of search criteria.
struct Edit<F> {
    /// The version of the conditions it was made from.
    based_on: Option<i32>,
    change: F,
}

impl<F: FnOnce(Option<SearchCriteria>) -> Result<SearchCriteria, ApiError>> Edit<F> {
    /// Writes the new criteria; what is only armed is given up, what is acting settles under the old one.
    async fn make(self, app: &AppState, user: UserId, id: TaskId) -> Result<TaskView, ApiError> {
        let mut tx = app.db.begin().await?;
        let task = own_to_change(&mut tx, user, id).await?;
        // The stamp is the version on the wire: it is taken when this task's earlier changes are written.
        let (now, portal_now) = (app.now(), app.portal_time.now());
        app::tasks::demand(&app.use_cases(), &mut tx, &task, Action::Edit).await?;
        if self.based_on.is_some_and(|version| version != task.criteria_version) {
            let schedule = own_view(&mut tx, user, id, portal_now).await?;
            return Err(ApiError::new(Code::ScheduleChanged).with_data(json!({ "schedule": schedule })));
        }
        // Whoever was told of a slot owes its price when they take it, whatever the task is turned into.
        store::task_hold::read_once_more(&mut tx, &task, portal_now).await?;
        let was = task.criteria.clone();
        let criteria = (self.change)(task.criteria)?;
        store::booking_attempt::release_prepared(&mut tx, id, portal_now).await?;
        store::task::set_criteria(&mut tx, id, &criteria, now).await?;
        let entry = domain::ids::uuid_v7(now, app.random.bytes());
        let said = edited(was.as_ref(), &criteria);
        store::journal::add(&mut tx, entry, id, "edited", &said, portal_now).await?;
        let schedule = own_view(&mut tx, user, id, portal_now).await?;
        tx.commit().await?;
        app.engine.nudge();
        Ok(schedule)
    }
}

/// What an edit changed, for the journal, and the criteria that held until then: reasons of earlier days rest on it.
fn edited(was: Option<&SearchCriteria>, now: &SearchCriteria) -> serde_json::Value {
    let Some(was) = was else { return json!({ "changed": [] }) };
    let changed = [
        ("required_cities", was.cities != now.cities),
        ("start_date", was.start_date != now.start_date),
        ("end_date", was.end_date != now.end_date),
        ("excluded_dates", was.excluded != now.excluded),
        ("minimum_days_from_current", was.minimum_days_from_current != now.minimum_days_from_current),
        ("min_improvement_days", was.min_improvement_days != now.min_improvement_days),
        ("max_reschedules", was.max_reschedules != now.max_reschedules),
        ("last_attempt_until", was.last_attempt_until != now.last_attempt_until),
        ("keep_current_appointment", was.notify_only != now.notify_only),
    ];
    let changed: Vec<&str> = changed.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect();
    json!({ "changed": changed, "was": was })
}
