//! Endpoints `GET`, `POST` and `DELETE /user/totp`, `POST /user/totp/confirm` and
//! `POST /user/totp/recovery-codes`.

use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::ids::UserId;
use domain::security_event::SecurityEventKind;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::Tx;
use utoipa::ToSchema;

use crate::AppState;
use crate::api::auth::guess_limits;
use crate::auth::events::SecurityNotice;
use crate::auth::user_agent::RequestClient;
use crate::auth::{Caller, StepUp, events, totp};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::rate_limit::LimitedAction;

/// Second factor of the caller.
#[derive(Serialize, ToSchema)]
#[schema(as = SecondFactor)]
pub struct SecondFactorStatus {
    /// `true` if a sign-in with the password also needs a code.
    enabled: bool,
    /// Time at which the second factor was confirmed.
    confirmed_at: Option<DateTime<Utc>>,
    /// Number of unused recovery codes.
    recovery_codes_left: i64,
}

/// A new second factor, to be confirmed with its first code. It is shown only once.
#[derive(Serialize, ToSchema)]
#[schema(as = NewSecondFactor)]
pub struct NewSecondFactor {
    /// Secret in base32, to type into the app.
    secret: String,
    /// Address `otpauth://…`, which opens an authenticator app on the same device.
    otpauth_url: String,
    /// QR code of that address, as SVG.
    qr_svg: String,
}

/// A code of the authenticator app.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SecondFactorCode)]
pub struct SecondFactorCode {
    /// The code, six digits.
    code: String,
}

/// Recovery codes, for users who lose their authenticator app. Each code is valid for one sign-in.
/// The codes are returned only once.
#[derive(Serialize, ToSchema)]
pub struct RecoveryCodes {
    /// Ten codes of the form `xxxxxx-xxxxxx-xxxxxx-xxxxxx`.
    recovery_codes: Vec<String>,
}

/// Returns the state of the caller's second factor.
#[utoipa::path(get, path = "/user/totp", tag = "user", responses(
    (status = 200, body = Envelope<SecondFactorStatus>), (status = 401, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_totp(State(app): State<AppState>, caller: Caller) -> Answer<SecondFactorStatus> {
    let mut tx = app.db.read().await?;
    let second = store::totp::confirmed(&mut tx, caller.user).await?;
    ok(SecondFactorStatus {
        enabled: second.is_some(),
        confirmed_at: second.and_then(|s| s.confirmed_at),
        recovery_codes_left: store::totp::codes_left(&mut tx, caller.user).await?,
    })
}

/// Creates a new second factor. An active one stays active until the new one is confirmed.
#[utoipa::path(post, path = "/user/totp", tag = "user", responses(
    (status = 200, body = Envelope<NewSecondFactor>), (status = 401, body = ErrorEnvelope), (status = 403, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn begin_totp(State(app): State<AppState>, StepUp(caller): StepUp) -> Answer<NewSecondFactor> {
    let drawn = detached(async move {
        let mut tx = app.db.begin().await?;
        store::lock::exclusive(&mut tx, caller.user.0).await?;
        let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
        let drawn = totp::draw(&app, user.id, &user.email)?;
        store::totp::put_pending(&mut tx, &drawn.row, app.wall.now()).await?;
        tx.commit().await?;
        Ok(drawn)
    });
    let drawn = drawn.await?;
    ok(NewSecondFactor { secret: drawn.secret, otpauth_url: drawn.url, qr_svg: drawn.qr_svg })
}

/// Activates the new second factor with its first code, and returns new recovery codes.
#[utoipa::path(post, path = "/user/totp/confirm", tag = "user", request_body = SecondFactorCode, responses(
    (status = 200, body = Envelope<RecoveryCodes>), (status = 401, body = ErrorEnvelope),
    (status = 403, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`ILLEGAL_TRANSITION`: no second factor waits for confirmation"),
    (status = 422, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn confirm_totp(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    ClientIp(address): ClientIp,
    RequestClient(client): RequestClient,
    Body { value: input, .. }: Body<SecondFactorCode>,
) -> Answer<RecoveryCodes> {
    let codes = detached(async move {
        let now = app.wall.now();
        let mut tx = app.db.read().await?;
        let waiting = store::totp::pending(&mut tx, caller.user).await?;
        drop(tx);
        let waiting = waiting.ok_or(Code::IllegalTransition)?;
        let counted =
            guess_limits::guess(&app, LimitedAction::SecondFactor, &caller.user.to_string(), address).await?;
        let Some(step) = totp::step(&app, &waiting, &input.code, now)? else {
            return Err(Fields::single("code", "wrong"));
        };
        counted.right(&app).await?;
        let mut tx = app.db.begin().await?;
        if !store::totp::confirm(&mut tx, &waiting, step, now).await? {
            return Err(Code::IllegalTransition.into());
        }
        let codes = totp::renew_codes(&app, &mut tx, caller.user).await?;
        notify(&app, &mut tx, caller.user, true, &waiting.id.to_string()).await?;
        events::record(&app, &mut tx, &events::by(&caller, SecurityEventKind::SecondFactorOn, &client))
            .await?;
        tx.commit().await?;
        Ok(codes)
    });
    ok(RecoveryCodes { recovery_codes: codes.await? })
}

/// Creates new recovery codes. The old codes become invalid.
#[utoipa::path(post, path = "/user/totp/recovery-codes", tag = "user", responses(
    (status = 200, body = Envelope<RecoveryCodes>), (status = 401, body = ErrorEnvelope),
    (status = 403, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`ILLEGAL_TRANSITION`: there is no second factor"),
), security(("bearer" = [])))]
pub async fn renew_recovery_codes(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    RequestClient(client): RequestClient,
) -> Answer<RecoveryCodes> {
    let codes = detached(async move {
        let mut tx = app.db.begin().await?;
        if store::totp::confirmed(&mut tx, caller.user).await?.is_none() {
            return Err(Code::IllegalTransition.into());
        }
        let codes = totp::renew_codes(&app, &mut tx, caller.user).await?;
        let event = events::by(&caller, SecurityEventKind::RecoveryCodesRenewed, &client);
        events::record(&app, &mut tx, &event).await?;
        let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
        let occasion = hex::encode(app.random.bytes::<8>());
        events::notify(&app, &mut tx, &user, SecurityNotice::RecoveryCodesRenewed, &occasion).await?;
        tx.commit().await?;
        Ok(codes)
    });
    ok(RecoveryCodes { recovery_codes: codes.await? })
}

/// Removes the second factor and its recovery codes. The call also succeeds without a second
/// factor.
#[utoipa::path(delete, path = "/user/totp", tag = "user", responses(
    (status = 200, body = Envelope<Empty>), (status = 401, body = ErrorEnvelope), (status = 403, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn remove_totp(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    RequestClient(client): RequestClient,
) -> Answer<Empty> {
    detached(async move {
        let mut tx = app.db.begin().await?;
        let second = store::totp::confirmed(&mut tx, caller.user).await?;
        if store::totp::remove(&mut tx, caller.user).await?
            && let Some(second) = second
        {
            notify(&app, &mut tx, caller.user, false, &second.id.to_string()).await?;
            events::record(&app, &mut tx, &events::by(&caller, SecurityEventKind::SecondFactorOff, &client))
                .await?;
        }
        tx.commit().await?;
        Ok(())
    })
    .await?;
    ok(Empty {})
}

async fn notify(app: &AppState, tx: &mut Tx, user: UserId, enabled: bool, id: &str) -> Result<(), ApiError> {
    let user = store::user::get(tx, user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    let accounts = app.accounts();
    let data = json!({ "enabled": enabled, "link": accounts.link("/settings") });
    let key = format!("totp_changed:{id}:{enabled}");
    accounts.mail(tx, &user, "totp_changed", &key, &data).await?;
    Ok(())
}
