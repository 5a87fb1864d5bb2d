//! Pause, start, delete.

use app::tasks::{self, Cause};
use axum::extract::State;
use domain::condition::TaskCondition;
use domain::ids::{TaskId, UserId};
use domain::money::Money;
use domain::task::actions::{Action, Refusal};
use domain::task::{Reason, TaskStatus};
use serde::Serialize;
use serde_json::json;
use store::Tx;
use store::credential::binding::Standing;
use store::task::Task;
use utoipa::ToSchema;

use super::again::{Consent, hold_again};
use super::{ScheduleAnswer, actions, own_to_change, own_view};
use crate::AppState;
use crate::auth::Caller;
use crate::auth::caller::StrictCaller;
use crate::detached::detached;
use crate::envelope::{Answer, Envelope, ok};
use crate::error::{ApiError, Code};
use crate::extract::{OptionalBody, TaskPath};

/// Pauses a running task; its hold stays.
#[utoipa::path(post, path = "/schedules/{id}/stop", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")),
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::error::ErrorEnvelope)))]
pub async fn stop_schedule(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
) -> Answer<ScheduleAnswer> {
    detached(async move {
        let mut tx = app.db.begin().await?;
        let task = own_to_change(&mut tx, caller.user, id).await?;
        actions::demand(&mut tx, &task, Action::Stop, app.portal_time.now()).await?;
        tasks::stop(&app.use_cases(), &mut tx, &task, Cause::Paused).await?;
        finish(&app, tx, caller.user, id).await
    })
    .await
}

/// Starts a paused or failed task again; a released hold is taken anew.
#[utoipa::path(post, path = "/schedules/{id}/start", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")),
    request_body(content = Option<Consent>),
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::error::ErrorEnvelope)))]
pub async fn start_schedule(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    TaskPath(id): TaskPath,
    OptionalBody(consent): OptionalBody<Consent>,
) -> Answer<ScheduleAnswer> {
    let consent = consent.check()?;
    detached(async move {
        let mut tx = app.db.begin().await?;
        let task = own_to_change(&mut tx, caller.user, id).await?;
        let now = app.now();
        actions::demand(&mut tx, &task, Action::Start, app.portal_time.now()).await?;
        hold_again(&app, &mut tx, &task, consent).await?;
        begin_again(&mut tx, &task, now).await?;
        app.use_cases().journal(&mut tx, id, "started", &json!({})).await?;
        finish(&app, tx, caller.user, id).await
    })
    .await
}

/// Refuses a task whose own portal password the portal has rejected, or that has none: it may not work over sessions that
/// other people's passwords opened.
pub(super) async fn demand_password(tx: &mut Tx, task: &Task) -> Result<(), ApiError> {
    let bound = match task.credential_id {
        Some(id) => store::credential::binding::bound(tx, id).await?,
        None => None,
    };
    let refusal = match bound.map(|bound| bound.standing) {
        Some(Standing::Valid | Standing::Untested) => return Ok(()),
        Some(Standing::Rejected) => Refusal::NeedsNewPassword,
        None => Refusal::CredentialsRemoved,
    };
    Err(ApiError::new(Code::IllegalTransition).with_data(json!({ "reason": refusal.as_str() })))
}

/// Puts a task back to work: both ways lead over the groups page, and what the portal shows now decides.
pub(super) async fn begin_again(
    tx: &mut Tx,
    task: &Task,
    now: domain::clock::Instant,
) -> Result<(), ApiError> {
    demand_password(tx, task).await?;
    match moved(tx, task, (task.status, TaskStatus::Processing), None, now).await {
        Err(error) if error.code == Code::ScheduleAlreadyExists => {
            return Err(error.with_data(json!({ "owner": "other", "schedule_ids": [] })));
        }
        outcome => outcome?,
    }
    store::task::set_condition(tx, task.id, TaskCondition::WaitingFirstPoll, &json!({}), None, now).await?;
    Ok(())
}

/// What a deletion gave back.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Deleted {
    /// Released from hold; 0 when nothing was held or a booking is still being read back.
    pub released_amount: f64,
    /// ISO 4217.
    pub currency: String,
}

/// Deletes a task; an uncaptured hold goes back whole.
// The portal password leaves with the last task that needs it: that gives nobody anything they could not have had by pausing,
// so it asks for no step-up, as deleting a password that is in use does.
#[utoipa::path(delete, path = "/schedules/{id}", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")),
    responses((status = 200, body = Envelope<Deleted>), (status = "4XX", body = crate::error::ErrorEnvelope)))]
pub async fn delete_schedule(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    TaskPath(id): TaskPath,
) -> Answer<Deleted> {
    detached(async move {
        let mut tx = app.db.begin().await?;
        let released = delete_in(&app, &mut tx, caller.user, id).await?;
        tx.commit().await?;
        app.engine.nudge();
        ok(Deleted { released_amount: Money::cad(released).to_wire(), currency: "CAD".to_owned() })
    })
    .await
}

/// Deletes a task in the caller's transaction; returns what went back of its hold, in minor units.
pub(crate) async fn delete_in(
    app: &AppState,
    tx: &mut Tx,
    user: UserId,
    id: TaskId,
) -> Result<i64, ApiError> {
    let task = own_to_change(tx, user, id).await?;
    Ok(tasks::delete(&app.use_cases(), tx, &task).await?)
}

async fn moved(
    tx: &mut Tx,
    task: &Task,
    step: (TaskStatus, TaskStatus),
    reason: Option<Reason>,
    now: domain::clock::Instant,
) -> Result<(), ApiError> {
    match store::task::set_status(tx, task.id, step, reason, now).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(ApiError::new(Code::IllegalTransition)),
        Err(store::Error::Conflict(_)) => Err(ApiError::new(Code::ScheduleAlreadyExists)),
        Err(error) => Err(error.into()),
    }
}

async fn finish(app: &AppState, mut tx: Tx, user: UserId, id: TaskId) -> Answer<ScheduleAnswer> {
    let schedule = own_view(&mut tx, user, id, app.portal_time.now()).await?;
    tx.commit().await?;
    app.engine.nudge();
    ok(ScheduleAnswer { schedule })
}
