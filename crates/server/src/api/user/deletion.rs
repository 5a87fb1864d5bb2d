//! Endpoints `GET /user/deletion` and `POST /user/deletion`.

use app::accounts::{self, GivenUp};
use axum::extract::State;
use chrono::TimeDelta;
use domain::money::Money;
use serde::{Deserialize, Serialize};
use store::card::own_refund;
use utoipa::ToSchema;

use crate::AppState;
use crate::api::pricing::minor;
use crate::auth::{Caller, StepUp};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ErrorEnvelope, Fields};
use crate::http::extract::Body;

/// Consequences of deleting the account now.
#[derive(Serialize, ToSchema)]
pub struct Prospect {
    /// `true` if the account can be deleted now.
    possible: bool,
    /// Reason for which the account cannot be deleted yet; null if there is none.
    blocked_by: Option<Blocker>,
    /// Amount that the user would forfeit, two decimals. It includes amounts on hold, because the
    /// deletion releases holds first.
    balance: f64,
    /// Part of `balance` that is on hold for tasks now.
    on_hold: f64,
    /// Part of `balance` that could be refunded to a card before the deletion, with
    /// `/payment/refunds`. An amount on hold becomes refundable when its task is deleted.
    refundable: f64,
    /// Currency code (ISO 4217).
    currency: &'static str,
    /// Number of tasks that the deletion would end.
    tasks: i64,
}

/// A reason for which an account cannot be deleted yet.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DeletionBlocker)]
pub enum Blocker {
    /// A booking is in progress, or its outcome is unknown.
    Booking,
    /// The card provider has not settled a refund yet. If the refund failed, its amount would
    /// return to a deleted account.
    Refund,
}

/// Consent to the consequences of a deletion. The amounts must equal the current ones.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Deletion {
    /// The `balance` that the user saw and forfeits.
    forfeit_balance: f64,
    /// The `refundable` that the user saw and forfeits.
    #[serde(default)]
    forfeit_refundable: f64,
}

/// Returns the consequences of deleting the account now.
#[utoipa::path(get, path = "/user/deletion", tag = "user", responses(
    (status = 200, body = Envelope<Prospect>), (status = 401, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_deletion(State(app): State<AppState>, caller: Caller) -> Answer<Prospect> {
    let mut tx = app.db.read().await?;
    let busy = store::deletion::has_open_booking(&mut tx, caller.user).await?;
    let balance = store::ledger::balance(&mut tx, caller.user).await?;
    let refunding = own_refund::under_way(&mut tx, caller.user).await?.minor > 0;
    let blocked_by = if busy { Some(Blocker::Booking) } else { refunding.then_some(Blocker::Refund) };
    let refundable = match refund_deadline(&app) {
        Some(deadline) => {
            own_refund::after_release(&mut tx, caller.user, deadline, app.wall.now()).await?.to_wire()
        }
        None => 0.0,
    };
    ok(Prospect {
        possible: blocked_by.is_none(),
        blocked_by,
        refundable,
        balance: balance.total().to_wire(),
        on_hold: balance.held.to_wire(),
        currency: balance.held.currency.code(),
        tasks: store::deletion::living_tasks(&mut tx, caller.user).await?,
    })
}

/// Deletes the account. Ends its tasks, releases holds, and erases passwords and all personal data.
/// The ledger remains under a pseudonym.
#[utoipa::path(post, path = "/user/deletion", tag = "user", request_body = Deletion, responses(
    (status = 200, body = Envelope<Empty>), (status = 401, body = ErrorEnvelope), (status = 403, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`ACCOUNT_BUSY` while a booking or a refund is in progress. `BALANCE_CHANGED` with the current balance, or with the amount that could be refunded"),
    (status = 422, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn delete_account(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    Body { value: input, .. }: Body<Deletion>,
) -> Answer<Empty> {
    let forfeited = minor(input.forfeit_balance, 0.0);
    let forfeited = Money::cad(forfeited.ok_or_else(|| Fields::single("forfeit_balance", "out_of_range"))?);
    let refundable = minor(input.forfeit_refundable, 0.0);
    let refundable =
        Money::cad(refundable.ok_or_else(|| Fields::single("forfeit_refundable", "out_of_range"))?);
    let given_up = GivenUp { balance: forfeited, refundable, refund_deadline: refund_deadline(&app) };
    detached(async move {
        let mut tx = app.db.begin().await?;
        let ended = accounts::delete(&app.accounts(), &mut tx, caller.user, caller.session, given_up).await?;
        tx.commit().await?;
        app.sessions.end(&ended, app.now());
        app.engine.nudge();
        tracing::info!(user = %caller.user, "user deleted their account");
        Ok(())
    })
    .await?;
    ok(Empty {})
}

/// Returns the period after a payment in which it can be refunded; `None` if the server accepts no
/// cards.
fn refund_deadline(app: &AppState) -> Option<TimeDelta> {
    app.cards.as_deref().map(|cards| cards.refund_deadline)
}
