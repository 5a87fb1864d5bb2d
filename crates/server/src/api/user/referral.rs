//! `GET /users/referral`.

use axum::extract::State;
use domain::money::Money;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};

/// A user's code for friends, what it is worth, and what it has brought.
#[derive(Serialize, ToSchema)]
pub struct ReferralView {
    /// To be given to friends.
    code: String,
    /// Off each applicant's price of a friend's first task, two decimals; 0 while friends bring nothing.
    newcomer_discount: f64,
    /// What the code's owner gets when that task is charged, two decimals.
    referrer_bonus: f64,
    /// ISO 4217.
    currency: &'static str,
    /// Friends who registered with it.
    invited: i64,
    /// Friends whose first task was charged, and brought a bonus.
    credited: i64,
    /// All those bonuses, two decimals.
    credited_amount: f64,
    /// Friends whose first task is under way.
    waiting: i64,
}

/// The caller's code for friends.
#[utoipa::path(get, path = "/users/referral", tag = "money", responses(
    (status = 200, body = Envelope<ReferralView>), (status = 401, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_referral(State(app): State<AppState>, caller: Caller) -> Answer<ReferralView> {
    let mut tx = app.db.read().await?;
    let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    let worth = store::referral::worth(&mut tx).await?;
    let brought = store::referral::brought(&mut tx, caller.user).await?;
    ok(ReferralView {
        code: user.referral_code,
        newcomer_discount: worth.map_or(0.0, |worth| worth.newcomer_discount.to_wire()),
        referrer_bonus: worth.map_or(0.0, |worth| worth.referrer_bonus.to_wire()),
        currency: Money::cad(0).currency.code(),
        invited: brought.invited,
        credited: brought.credited,
        credited_amount: Money::cad(brought.credited_amount).to_wire(),
        waiting: brought.waiting,
    })
}
