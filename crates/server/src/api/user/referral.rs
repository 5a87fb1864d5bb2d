//! Endpoint `GET /users/referral`.

use axum::extract::State;
use domain::money::Money;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};

/// Referral code of a user, with its benefits and its results.
#[derive(Serialize, ToSchema)]
pub struct ReferralView {
    /// Code to give to other users.
    code: String,
    /// Discount per applicant on a referred user's first task, two decimals; 0 if the operator
    /// grants none.
    newcomer_discount: f64,
    /// Bonus that the code's owner gets when that task is charged, two decimals.
    referrer_bonus: f64,
    /// Currency code (ISO 4217).
    currency: &'static str,
    /// Number of users who registered with the code.
    invited: i64,
    /// Number of referred users whose first task was charged, so that the code's owner got a bonus.
    credited: i64,
    /// Sum of these bonuses, two decimals.
    credited_amount: f64,
    /// Number of referred users whose first task is in progress.
    waiting: i64,
}

/// Returns the caller's referral code.
#[utoipa::path(get, path = "/users/referral", tag = "money", responses(
    (status = 200, body = Envelope<ReferralView>), (status = 401, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_referral(State(app): State<AppState>, caller: Caller) -> Answer<ReferralView> {
    let mut tx = app.db.read().await?;
    let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    let worth = store::referral::worth(&mut tx).await?;
    let results = store::referral::results(&mut tx, caller.user).await?;
    ok(ReferralView {
        code: user.referral_code,
        newcomer_discount: worth.map_or(0.0, |worth| worth.newcomer_discount.to_wire()),
        referrer_bonus: worth.map_or(0.0, |worth| worth.referrer_bonus.to_wire()),
        currency: Money::cad(0).currency.code(),
        invited: results.invited,
        credited: results.credited,
        credited_amount: Money::cad(results.credited_amount).to_wire(),
        waiting: results.waiting,
    })
}
