//! Endpoint `POST /schedules/verify-credentials`, which signs in at the portal.

use std::net::IpAddr;

use app::Refusal;
use app::tasks::obstacle;
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::country::{CountryCode, VisaType};
use domain::ids::PortalScheduleId;
use engine::verify_login::{LeftOut, Login, NotVerified, Verification, is_stored, stored};
use portal::PortalError;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::view::{AppointmentView, appointment};
use crate::AppState;
use crate::api::auth::{admission, guess_limits};
use crate::auth::{StepUp, StrictCaller};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::rate_limit::LimitedAction;

/// Input of a verification of a portal login.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyCredentials {
    /// Login name at the portal.
    pub username: String,
    /// Password at the portal.
    pub password: String,
    /// Locale of the portal, for example `en-ca`, which is the default.
    #[serde(default = "default_country", alias = "countryCode")]
    pub country_code: String,
    /// Visa type: `niv` (the default) or `iv`.
    #[serde(default = "default_visa_type", alias = "visaType")]
    pub visa_type: String,
    /// Ignored: every verification signs in at the portal.
    #[serde(default, rename = "force_refresh")]
    pub _force_refresh: bool,
    /// Identifier chosen by the client, for queries of the progress.
    #[serde(default)]
    pub progress_id: Option<uuid::Uuid>,
}

fn default_country() -> String {
    CountryCode::CANADA.to_string()
}

fn default_visa_type() -> String {
    VisaType::default().to_string()
}

/// A group of the verified portal account, stored as a draft or task of the user.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VerifiedSchedule {
    /// Identifier of the task.
    pub id: uuid::Uuid,
    /// Status of the task.
    pub status: String,
    /// The portal's identifier of the group.
    pub portal_schedule_id: String,
    /// The group, as a list with one element.
    pub appointments: Vec<VerifiedAppointment>,
}

/// An appointment, with its eligibility for monitoring.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VerifiedAppointment {
    /// The appointment.
    #[serde(flatten)]
    pub appointment: AppointmentView,
    /// `true` if the appointment can be monitored.
    pub selectable: bool,
    /// Reason for which it cannot be monitored: `pay_visa_fee`, `fee_expired`, `monitored_by_self`,
    /// `monitored_by_other`, `status_not_monitorable` or `asks_fingerprints`.
    pub reason: Option<String>,
}

/// A group of the portal account that this version cannot hold.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LeftOutSchedule {
    /// The portal's identifier of the group.
    pub portal_schedule_id: String,
    /// Reason: `unknown_city`, `fingerprints_only` or `unreadable`.
    pub reason: String,
    /// The city that the portal prints, if it is the reason.
    pub city: Option<String>,
}

/// Result of a verification.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Verified {
    /// Groups of the account; empty if it has none.
    pub schedules: Vec<VerifiedSchedule>,
    /// Groups of the account that this version cannot hold.
    pub left_out: Vec<LeftOutSchedule>,
    /// Time of the verification.
    pub verified_at: DateTime<Utc>,
}

/// Signs in at the portal with this login, stores the login if the portal accepts it, and lists the
/// account's groups.
#[utoipa::path(post, path = "/schedules/verify-credentials", tag = "schedules", security(("bearer" = [])),
    request_body = VerifyCredentials,
    responses((status = 200, body = Envelope<Verified>), (status = "4XX", body = crate::http::error::ErrorEnvelope),
        (status = "5XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn verify_credentials(
    State(app): State<AppState>,
    caller: StrictCaller,
    ClientIp(address): ClientIp,
    body: Body<VerifyCredentials>,
) -> Answer<Verified> {
    let asked = body.value;
    let (country, visa_type) = check(&asked)?;
    let progress = asked.progress_id;
    let user = caller.0.user;
    if let Some(id) = progress {
        app.verifying.begin(user, id, app.now());
    }
    detached(async move {
        let login = Login {
            user: caller.0.user,
            username: asked.username,
            password: SecretString::from(asked.password),
            country,
            visa_type,
        };
        let verified = verified(&app, caller, address, &login, progress).await;
        if let Some(id) = progress {
            app.verifying.finish(user, id, verified.is_ok(), app.now());
        }
        ok(verified?)
    })
    .await
}

async fn verified(
    app: &AppState,
    caller: StrictCaller,
    address: IpAddr,
    login: &Login,
    progress: Option<uuid::Uuid>,
) -> Result<Verified, ApiError> {
    let has_secret = may_replace(app, caller, address, login).await?;
    // In a country that is not open any more, the tasks continue, and need new passwords.
    if !has_secret && !app.settings.countries.contains(&login.country) {
        return Err(Code::CountryNotSupported.into());
    }
    let counted = guess_limits::verification(app, login.user, &login.username, address).await?;
    let permit = match admission::verification(app, address, has_secret.then_some(login.user)).await {
        Ok(permit) => permit,
        Err(busy) => {
            counted.not_made(app).await;
            return Err(busy);
        }
    };
    let tell = |stage| {
        if let Some(id) = progress {
            app.verifying.set_stage(login.user, id, stage, app.now());
        }
    };
    let verification = match app.engine.verify_telling(&app.context(), login, &tell).await {
        Ok(verification) => verification,
        Err(why) => {
            if matches!(why, NotVerified::Paused | NotVerified::Resting(_) | NotVerified::Busy) {
                counted.not_made(app).await;
            }
            return Err(refuse(why));
        }
    };
    drop(permit);
    let verified = describe(app, verification).await?;
    app.engine.nudge();
    Ok(verified)
}

/// Requires a step-up before a stored password is replaced by another one. Returns `true` if a
/// password is stored for the login.
async fn may_replace(
    app: &AppState,
    caller: StrictCaller,
    address: IpAddr,
    login: &Login,
) -> Result<bool, ApiError> {
    let ctx = &app.context();
    let stored = stored(ctx, login).await.map_err(|fault| ApiError::internal(&fault))?;
    let Some(stored) = stored else { return Ok(false) };
    let Err(required) = StepUp::require(app, caller).await else { return Ok(true) };
    // The response reveals if the password equals the stored one, so the call is limited like other
    // guesses.
    let counted =
        guess_limits::guess(app, LimitedAction::PortalPassword, &login.user.to_string(), address).await?;
    if !is_stored(ctx, &stored, login) {
        return Err(required);
    }
    counted.right(app).await?;
    Ok(true)
}

fn check(asked: &VerifyCredentials) -> Result<(CountryCode, VisaType), ApiError> {
    let mut wrong = Fields::default();
    if asked.username.trim().is_empty() || asked.username.len() > 320 {
        wrong.add("username", "required");
    }
    if asked.password.is_empty() || asked.password.len() > 1024 {
        wrong.add("password", "required");
    }
    let visa_type = asked.visa_type.parse();
    if visa_type.is_err() {
        wrong.add("visa_type", "unknown");
    }
    wrong.none()?;
    let country = asked.country_code.parse().map_err(|_| Code::CountryNotSupported)?;
    Ok((country, visa_type.unwrap_or_default()))
}

pub(super) fn refuse(why: NotVerified) -> ApiError {
    let portal_error = match why {
        NotVerified::TooMany => return ApiError::new(Code::VerifyLimit).retry_after(3600),
        NotVerified::Paused => return ApiError::new(Code::PortalPaused).retry_after(600),
        NotVerified::Resting(wait) => {
            let seconds = wait.num_seconds().unsigned_abs().max(1);
            return ApiError::new(Code::PortalUnavailable).retry_after(seconds);
        }
        NotVerified::Busy => return ApiError::new(Code::VerifyBusy).retry_after(30),
        // The caller's account was deleted meanwhile.
        NotVerified::Fault(engine::JobError::Gone) => return Code::Unauthorized.into(),
        NotVerified::Fault(fault) => return ApiError::internal(&fault),
        NotVerified::Portal(portal_error) => portal_error,
    };
    match portal_error {
        PortalError::CredentialsRejected => Code::PortalCredentialsRejected.into(),
        PortalError::Locked { until, .. } => {
            ApiError::new(Code::PortalAccountLocked).with_data(json!({ "until": until }))
        }
        PortalError::Captcha => Code::PortalCaptcha.into(),
        PortalError::LayoutChanged(changed) => {
            tracing::error!(%changed, "failed to verify a portal login: a portal page is unreadable");
            Code::PortalLayoutChanged.into()
        }
        PortalError::Maintenance { retry_after }
        | PortalError::Overloaded { retry_after, .. }
        | PortalError::Blocked { retry_after, .. } => {
            tracing::info!(
                code = portal_error.code(),
                "failed to verify a portal login: the portal returned an error"
            );
            ApiError::new(Code::PortalUnavailable).retry_after(retry_after.map_or(60, |d| d.as_secs()))
        }
        portal_error => {
            tracing::info!(
                code = portal_error.code(),
                "failed to verify a portal login: the portal returned an error"
            );
            ApiError::new(Code::PortalUnavailable).retry_after(60)
        }
    }
}

async fn describe(app: &AppState, verification: Verification) -> Result<Verified, ApiError> {
    let (use_cases, mut tx) = (app.use_cases(), app.db.read().await?);
    let mut schedules = Vec::new();
    let mut held_by_self = Vec::new();
    let (mut free, mut taken) = (0, 0);
    for task in &verification.tasks {
        let reason = obstacle(&use_cases, &mut tx, task).await?;
        match reason {
            Some("monitored_by_self") => {
                held_by_self.push(task.id);
                taken += 1;
            }
            Some("monitored_by_other") => taken += 1,
            _ => free += 1,
        }
        schedules.push(VerifiedSchedule {
            id: task.id.0,
            status: task.status.as_str().to_owned(),
            portal_schedule_id: task.portal_schedule_id.0.clone(),
            appointments: vec![VerifiedAppointment {
                appointment: appointment(task),
                selectable: reason.is_none(),
                reason: reason.map(str::to_owned),
            }],
        });
    }
    if free == 0 && taken > 0 {
        return Err(Refusal::GroupTaken { own: held_by_self }.into());
    }
    let left_out = verification.left_out.into_iter().map(|(group, why)| left_out(group, why)).collect();
    Ok(Verified { schedules, left_out, verified_at: app.now() })
}

fn left_out(group: PortalScheduleId, why: LeftOut) -> LeftOutSchedule {
    let (reason, city) = match why {
        LeftOut::UnknownCity(city) => ("unknown_city", Some(city)),
        LeftOut::FingerprintsOnly => ("fingerprints_only", None),
        LeftOut::Unreadable => ("unreadable", None),
    };
    LeftOutSchedule { portal_schedule_id: group.0, reason: reason.to_owned(), city }
}
