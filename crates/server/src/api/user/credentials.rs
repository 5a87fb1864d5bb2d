//! Endpoints `GET /user/credentials` and `DELETE /user/credentials/{id}`, for portal logins with
//! stored passwords.

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use domain::country::{CountryCode, VisaType};
use domain::health::SignInHealth;
use domain::ids::{CredentialId, TaskId};
use domain::task::TaskStatus;
use domain::task::listing::TaskStage;
use serde::Serialize;
use store::Tx;
use store::credential::Credential;
use store::task::Task;
use utoipa::ToSchema;

use crate::AppState;
use crate::api::schedules::stage;
use crate::auth::{Caller, StepUp};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::IdPath;
use app::credentials::{leaves_at, remove, resting_since};

/// Portal logins of the caller.
#[derive(Serialize, ToSchema)]
pub struct PortalLogins {
    /// Logins in the order in which they were added.
    credentials: Vec<PortalLogin>,
}

/// A portal login with a stored password, which is never shown.
#[derive(Serialize, ToSchema)]
pub struct PortalLogin {
    #[schema(value_type = uuid::Uuid)]
    id: CredentialId,
    /// Login name at the portal.
    username: String,
    /// Locale of the portal, for example `en-ca`.
    country_code: CountryCode,
    /// Visa type of the account: `niv` or `iv`. A new password is verified with this type.
    visa_type: VisaType,
    /// Health of the login, e.g. if the portal accepts its password.
    health: SignInHealth,
    /// Time since which the login has this health.
    health_since: DateTime<Utc>,
    /// Time at which the password was last tested at the portal.
    tested_at: Option<DateTime<Utc>>,
    /// The server sends no request with this login before this time.
    next_try_at: Option<DateTime<Utc>>,
    /// Tasks that need the login.
    tasks: Vec<UsedBy>,
    /// Date on which the server deletes the login; null unless all tasks that need it have stopped.
    removed_after: Option<NaiveDate>,
}

/// A task that needs a portal login.
#[derive(Serialize, ToSchema)]
#[schema(as = PortalLoginTask)]
pub struct UsedBy {
    #[schema(value_type = uuid::Uuid)]
    id: TaskId,
    /// Names of the group's applicants, or the portal's identifier of the group.
    title: String,
    /// Status of the task.
    status: String,
    /// Stage of the task, as in the list of tasks.
    stage: TaskStage,
}

/// Returns the portal logins whose passwords are stored for the caller.
#[utoipa::path(get, path = "/user/credentials", tag = "user", responses(
    (status = 200, body = Envelope<PortalLogins>), (status = 401, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn list_credentials(State(app): State<AppState>, caller: Caller) -> Answer<PortalLogins> {
    let mut tx = app.db.read().await?;
    let mut credentials = Vec::new();
    for credential in store::credential::all_of_user(&mut tx, caller.user).await? {
        credentials.push(view(&app, &mut tx, credential).await?);
    }
    ok(PortalLogins { credentials })
}

/// Deletes a portal login and its password at once. Tasks that need the login stop with the reason
/// `credentials_removed`.
#[utoipa::path(delete, path = "/user/credentials/{id}", tag = "user", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The portal login")),
    responses((status = 200, body = Envelope<Empty>), (status = 401, body = ErrorEnvelope),
        (status = 403, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope),
        (status = 409, body = ErrorEnvelope, description = "`ACCOUNT_BUSY` while a booking with the login is in progress")))]
pub async fn delete_credential(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    IdPath(id): IdPath<CredentialId>,
) -> Answer<Empty> {
    detached(async move {
        let mut tx = app.db.begin().await?;
        let credential = store::credential::get(&mut tx, id).await?;
        let own = credential.filter(|credential| credential.user_id == caller.user);
        let credential = own.ok_or(ApiError::new(Code::NotFound))?;
        remove(&app.use_cases(), &mut tx, &credential).await?;
        tx.commit().await?;
        app.engine.nudge();
        tracing::info!(credential = %id, user = %caller.user, "user deleted a portal password");
        Ok(())
    })
    .await?;
    ok(Empty {})
}

async fn view(app: &AppState, tx: &mut Tx, credential: Credential) -> Result<PortalLogin, ApiError> {
    let account = store::portal_account::get(tx, credential.portal_account_id).await?;
    let account = account.ok_or_else(|| ApiError::internal(&"a credential of no portal account"))?;
    let told_at = store::credential::retention::notified_at(tx, credential.id).await?;
    let tasks = store::task::of_credential(tx, credential.id).await?;
    let (health, health_since) = SignInHealth::of(
        (credential.health, credential.health_since),
        Some((account.health, account.health_since)),
    );
    let shown = |task: &&Task| !matches!(task.status, TaskStatus::Draft | TaskStatus::Configured);
    let mut used_by = Vec::new();
    for task in tasks.iter().filter(shown) {
        used_by.push(UsedBy::read(app, tx, task).await?);
    }
    Ok(PortalLogin {
        id: credential.id,
        username: credential.username,
        country_code: account.country,
        visa_type: account.visa_type,
        health,
        health_since,
        tested_at: credential.tested_at,
        next_try_at: account.not_before.filter(|at| *at > app.portal_time.now()),
        removed_after: resting_since(&tasks).map(|since| leaves_at(since, told_at).date_naive()),
        tasks: used_by,
    })
}

impl UsedBy {
    async fn read(app: &AppState, tx: &mut Tx, task: &Task) -> Result<Self, ApiError> {
        let names: Vec<_> = task.group.applicants.iter().map(|person| person.name.as_str()).collect();
        let title = if names.is_empty() { task.portal_schedule_id.0.clone() } else { names.join(", ") };
        let stage = stage(tx, task, app.now()).await?;
        Ok(Self { id: task.id, title, status: task.status.as_str().to_owned(), stage })
    }
}
