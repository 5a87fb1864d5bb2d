//! `GET|POST /user/deletion`.

use axum::extract::State;
use domain::clock::Instant;
use domain::ids::UserId;
use domain::ledger::TransferKind;
use domain::money::Money;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::Tx;
use store::ledger::{Balance, DebitError};
use store::outbox::NewMail;
use store::user::User;
use utoipa::ToSchema;

use crate::AppState;
use crate::api::schedules::delete_in;
use crate::auth::{Caller, StepUp};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::Body;

/// What the deletion of the account would mean now.
#[derive(Serialize, ToSchema)]
pub struct Prospect {
    /// Whether it can be deleted now.
    possible: bool,
    /// What must end first.
    blocked_by: Option<Blocker>,
    /// What would be given up, two decimals: holds are released first, so they are part of it.
    balance: f64,
    /// The part of it that is set aside for tasks now.
    on_hold: f64,
    /// ISO 4217.
    currency: &'static str,
    /// Tasks that would end.
    tasks: i64,
}

/// What keeps an account from being deleted.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DeletionBlocker)]
pub enum Blocker {
    /// A booking is being made, or nobody knows yet what became of it.
    Booking,
}

/// Consent to what is lost.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Deletion {
    /// The `balance` that was shown, which is given up.
    forfeit_balance: f64,
}

/// What the deletion of the account would mean now.
#[utoipa::path(get, path = "/user/deletion", tag = "user", responses(
    (status = 200, body = Envelope<Prospect>), (status = 401, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_deletion(State(app): State<AppState>, caller: Caller) -> Answer<Prospect> {
    let mut tx = app.db.read().await?;
    let busy = store::deletion::has_open_booking(&mut tx, caller.user).await?;
    let balance = store::ledger::balance(&mut tx, caller.user).await?;
    ok(Prospect {
        possible: !busy,
        blocked_by: busy.then_some(Blocker::Booking),
        balance: whole(balance).to_wire(),
        on_hold: balance.held.to_wire(),
        currency: balance.held.currency.code(),
        tasks: store::deletion::living_tasks(&mut tx, caller.user).await?,
    })
}

/// Deletes the account: tasks end, holds go back, passwords and everything personal go; the books stay under a pseudonym.
#[utoipa::path(post, path = "/user/deletion", tag = "user", request_body = Deletion, responses(
    (status = 200, body = Envelope<Empty>), (status = 401, body = ErrorEnvelope), (status = 403, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`ACCOUNT_BUSY` while a booking is under way; `BALANCE_CHANGED` with the new one"),
    (status = 422, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn delete_account(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    Body { value: input, .. }: Body<Deletion>,
) -> Answer<Empty> {
    let shown = input.forfeit_balance;
    if !(shown.is_finite() && (0.0..=1e9).contains(&shown)) {
        return Err(Fields::one("forfeit_balance", "out_of_range"));
    }
    #[allow(clippy::cast_possible_truncation, reason = "checked just above")]
    let shown = (shown * 100.0).round() as i64;
    detached(async move {
        let now = app.wall.now();
        let mut tx = app.db.begin().await?;
        // Of two deletions at once the second finds its sign-in gone.
        store::lock::exclusive(&mut tx, caller.user.0).await?;
        if !store::session::is_live(&mut tx, caller.session, now).await? {
            return Err(Code::Unauthorized.into());
        }
        let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
        end_tasks(&app, &mut tx, user.id, shown, now).await?;
        let ended = store::session::revoke_all(&mut tx, user.id, None, "deleted", now).await?;
        store::deletion::erase(&mut tx, &user, now).await?;
        say_goodbye(&app, &mut tx, &user, Money::cad(shown), now).await?;
        tx.commit().await?;
        app.sessions.end(&ended, now);
        app.engine.nudge();
        app.mail.notify_one();
        tracing::info!(user = %user.id, "an account was deleted by its owner");
        Ok(())
    })
    .await?;
    ok(Empty {})
}

/// Ends every task and resolves every hold, if nothing is under way and the balance is the one that was shown.
async fn end_tasks(
    app: &AppState,
    tx: &mut Tx,
    user: UserId,
    shown: i64,
    now: Instant,
) -> Result<(), ApiError> {
    let tasks = store::task::all_of_user(tx, user).await?;
    // From here on nothing begins to act for any of them; in the order of their ids, so that two never wait in a ring.
    for task in &tasks {
        store::lock::exclusive(tx, task.id.0).await?;
    }
    if store::deletion::has_open_booking(tx, user).await? {
        return Err(Code::AccountBusy.into());
    }
    // Whatever is coming in waits for the end of the account, or is seen here: nothing is given up unasked.
    store::ledger::lock(tx, &app.random, user, now).await?;
    let balance = store::ledger::balance(tx, user).await?;
    if whole(balance).minor != shown {
        let data = json!({ "balance": whole(balance).to_wire(), "on_hold": balance.held.to_wire() });
        return Err(ApiError::new(Code::BalanceChanged).with_data(data));
    }
    for task in &tasks {
        if task.deleted_at.is_none() {
            delete_in(app, tx, user, task.id).await?;
        }
    }
    // Of tasks that told of a slot the hold would wait for a last poll; there is nothing left to look with.
    for task in store::task::all_of_user(tx, user).await? {
        store::task::set_last_read(tx, task.id, None).await?;
        store::task_hold::release(tx, &app.random, &task, now).await?;
    }
    for hold in store::deletion::open_holds(tx, user).await? {
        store::ledger::release(tx, &app.random, hold, now).await?;
    }
    forfeit(app, tx, user, now).await?;
    for mut task in tasks {
        for person in &mut task.group.applicants {
            person.name = String::new();
            person.id = None;
        }
        task.group.ivr_account_number = None;
        store::task::set_group(tx, task.id, &task.group, now).await?;
    }
    Ok(())
}

/// What is left is given up: it leaves the account, so that no money stands under a pseudonym.
async fn forfeit(app: &AppState, tx: &mut Tx, user: UserId, now: Instant) -> Result<(), ApiError> {
    let left = store::ledger::balance(tx, user).await?.available;
    if left.minor == 0 {
        return Ok(());
    }
    let given_up = (TransferKind::Forfeit, left);
    match store::ledger::debit(tx, &app.random, user, given_up, ("user", user.0), now).await {
        Ok(_) => Ok(()),
        Err(DebitError::Insufficient { .. }) => Err(Code::BalanceChanged.into()),
        Err(DebitError::Store(error)) => Err(error.into()),
    }
}

/// The last mail to the old address; its row names no user.
async fn say_goodbye(
    app: &AppState,
    tx: &mut Tx,
    user: &User,
    given_up: Money,
    now: Instant,
) -> Result<(), ApiError> {
    if !app.mail_configured() {
        return Ok(());
    }
    let data = json!({ "forfeited": (given_up.minor > 0).then(|| given_up.to_string()) });
    let mail = NewMail {
        user: None,
        recipient: &user.email,
        language: &user.language,
        template: "account_deleted",
        data: &data,
        dedup_key: &format!("account_deleted:{}", user.id),
    };
    store::outbox::enqueue(tx, &app.random, &mail, now).await?;
    Ok(())
}

fn whole(balance: Balance) -> Money {
    Money { minor: balance.available.minor + balance.held.minor, ..balance.available }
}
