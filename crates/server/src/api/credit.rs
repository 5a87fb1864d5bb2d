//! `GET /users/credit`, `GET /users/ledger`.

use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::ids::{TaskId, TransferId};
use serde::{Deserialize, Serialize};
use store::ledger::Movement;
use utoipa::{IntoParams, ToSchema};

use crate::AppState;
use crate::auth::Caller;
use crate::envelope::{Answer, Envelope, ok};
use crate::error::{ErrorEnvelope, Fields};
use crate::extract::Query;

/// A balance.
#[derive(Serialize, ToSchema)]
pub struct Credit {
    /// What can be spent, two decimals.
    credit: f64,
    /// What is set aside for tasks, two decimals.
    on_hold: f64,
    /// ISO 4217.
    currency: &'static str,
}

/// Which page.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// From 1.
    #[serde(default = "first")]
    page: u32,
    /// 1 to 100.
    #[serde(default = "twenty")]
    page_size: u32,
}

/// The kinds of movements.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Money came in.
    Topup,
    /// Money was set aside.
    Hold,
    /// Money set aside was charged.
    Capture,
    /// Money set aside was given back.
    Release,
}

/// One movement of money.
#[derive(Serialize, ToSchema)]
pub struct MovementView {
    #[schema(value_type = uuid::Uuid)]
    id: TransferId,
    kind: Kind,
    /// The signed effect on the available balance; 0 for a capture, whose hold had it.
    amount: f64,
    /// ISO 4217.
    currency: &'static str,
    at: DateTime<Utc>,
    /// What it is for: `task`, `topup_code`.
    source: String,
    /// The task it is for.
    #[schema(value_type = Option<uuid::Uuid>)]
    schedule_id: Option<TaskId>,
    /// What was charged, for a capture.
    note: Option<String>,
}

/// A page of movements, newest first.
#[derive(Serialize, ToSchema)]
pub struct Ledger {
    movements: Vec<MovementView>,
    page: u32,
    page_size: u32,
    total: i64,
}

const fn first() -> u32 {
    1
}

const fn twenty() -> u32 {
    20
}

impl Page {
    /// `(limit, offset)`, or what is wrong.
    pub fn window(&self) -> Result<(i64, i64), crate::error::ApiError> {
        let mut wrong = Fields::default();
        if !(1..=100_000).contains(&self.page) {
            wrong.add("page", "out_of_range");
        }
        if !(1..=100).contains(&self.page_size) {
            wrong.add("page_size", "out_of_range");
        }
        wrong.none()?;
        Ok((i64::from(self.page_size), i64::from(self.page - 1) * i64::from(self.page_size)))
    }
}

impl From<Movement> for MovementView {
    fn from(movement: Movement) -> Self {
        use store::ledger::MovementKind as M;
        let (kind, note) = match movement.kind {
            M::Topup => (Kind::Topup, None),
            M::Hold => (Kind::Hold, None),
            M::Capture => (Kind::Capture, Some(movement.amount.to_string())),
            M::Release => (Kind::Release, None),
        };
        Self {
            id: movement.id,
            kind,
            amount: movement.effect.to_wire(),
            currency: movement.effect.currency.code(),
            at: movement.at,
            source: movement.source,
            schedule_id: movement.task,
            note,
        }
    }
}

/// The caller's balance.
#[utoipa::path(get, path = "/users/credit", tag = "money", responses(
    (status = 200, body = Envelope<Credit>), (status = 401, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_credit(State(app): State<AppState>, caller: Caller) -> Answer<Credit> {
    let mut tx = app.db.read().await?;
    let balance = store::ledger::balance(&mut tx, caller.user).await?;
    ok(Credit {
        credit: balance.available.to_wire(),
        on_hold: balance.held.to_wire(),
        currency: balance.available.currency.code(),
    })
}

/// The caller's movements of money.
#[utoipa::path(get, path = "/users/ledger", tag = "money", params(Page), responses(
    (status = 200, body = Envelope<Ledger>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_ledger(
    State(app): State<AppState>,
    caller: Caller,
    Query(page): Query<Page>,
) -> Answer<Ledger> {
    let (limit, offset) = page.window()?;
    let mut tx = app.db.read().await?;
    let (movements, total) = store::ledger::movements(&mut tx, caller.user, limit, offset).await?;
    let movements = movements.into_iter().map(MovementView::from).collect();
    ok(Ledger { movements, page: page.page, page_size: page.page_size, total })
}
