//! Endpoints `GET /users/credit`, `GET /users/ledger` and `GET /users/ledger/{id}`.

use axum::extract::State;
use chrono::{DateTime, Datelike as _, NaiveDate, TimeDelta, Utc};
use domain::card::PaymentMethod;
use domain::clock::Instant;
use domain::ids::{TaskId, TransferId};
use domain::ledger::TransferKind;
use domain::money::Money;
use domain::pricing::{LOW_AFTER_CHARGE, LOW_BALANCE};
use serde::{Deserialize, Serialize};
use store::ledger::{Filter, Movement};
use store::task::Task;
use utoipa::{IntoParams, ToSchema};

use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{IdPath, Query};
use crate::operator::OperatorProfile;

/// Balance of the caller.
#[derive(Serialize, ToSchema)]
pub struct Credit {
    /// Available amount, two decimals.
    // A single extension, because several would be serialized in a different order each time.
    #[schema(extensions(("x-low" = json!({ "balance": LOW_BALANCE, "afterCharge": LOW_AFTER_CHARGE }))))]
    credit: f64,
    /// Amount on hold for tasks, two decimals.
    on_hold: f64,
    /// Currency code (ISO 4217).
    currency: &'static str,
}

/// Query of movements: filter and page.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Window {
    /// Only movements older than this one: `next` of the previous page.
    #[param(value_type = Option<uuid::Uuid>)]
    before: Option<TransferId>,
    /// Maximum number of movements, 1 to 100; 50 by default.
    #[serde(default = "fifty")]
    limit: u32,
    /// Only movements of this kind.
    kind: Option<TransferKind>,
    /// Only movements from this date (from 0:00 UTC) or time on.
    from: Option<String>,
    /// Only movements until the end of this date (24:00 UTC), or before this time.
    to: Option<String>,
}

/// Task of a movement.
#[derive(Serialize, ToSchema)]
pub struct MovementTask {
    #[schema(value_type = uuid::Uuid)]
    id: TaskId,
    /// Names of the task's applicants.
    label: String,
}

/// A movement of money.
#[derive(Serialize, ToSchema)]
pub struct MovementView {
    #[schema(value_type = uuid::Uuid)]
    id: TransferId,
    at: DateTime<Utc>,
    kind: TransferKind,
    /// Signed change of the available amount. It is 0 for a capture, which charges the hold.
    amount: f64,
    /// Signed change of the amount on hold.
    held_change: f64,
    /// Available amount after the movement.
    balance_after: f64,
    /// Amount on hold after the movement.
    held_after: f64,
    /// Currency code (ISO 4217).
    currency: &'static str,
    /// Task of the movement; null if it has none.
    task: Option<MovementTask>,
    /// Last four characters of the top-up code.
    code_tail: Option<String>,
    /// Origin of a bonus or void, for example `referral`; null for other kinds.
    note: Option<String>,
    /// The payer's own note on a card payment.
    description: Option<String>,
    /// Payment method at the card provider.
    paid_with: Option<PaymentMethod>,
}

/// A page of movements, newest first.
#[derive(Serialize, ToSchema)]
pub struct Ledger {
    movements: Vec<MovementView>,
    /// `before` of the next page; null on the last page.
    #[schema(value_type = Option<uuid::Uuid>)]
    next: Option<TransferId>,
    /// All kinds among the user's movements, regardless of the filter.
    kinds: Vec<TransferKind>,
}

/// One line of a receipt.
#[derive(Serialize, ToSchema)]
pub struct ReceiptLine {
    /// Kind of the line: `base`, `personal`, `group`, `promo` or `referral` (each per applicant),
    /// `entitled` (applicants whose price was paid earlier), or the movement's kind.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Number of applicants.
    count: u32,
    /// Amount per applicant.
    unit_amount: f64,
    /// Total of the line; negative for a discount.
    amount: f64,
}

/// Issuer of receipts.
#[derive(Serialize, ToSchema)]
pub struct Issuer {
    name: String,
    /// Address on one line.
    address: Option<String>,
    tax_number: Option<String>,
}

/// Tax that a total includes.
#[derive(Serialize, ToSchema)]
pub struct IncludedTax {
    /// Name of the tax, for example `HST`.
    name: String,
    /// Rate in percent, without trailing zeros, for example `13` or `14.975`.
    percent: String,
    /// Amount of the tax, two decimals.
    amount: f64,
}

/// Receipt of a movement.
#[derive(Serialize, ToSchema)]
pub struct Receipt {
    #[serde(flatten)]
    movement: MovementView,
    /// Lines of the receipt; the amounts add up to `total`.
    lines: Vec<ReceiptLine>,
    /// Amount of the movement, always positive.
    total: f64,
    /// Unique number of the receipt.
    number: String,
    issued_at: DateTime<Utc>,
    /// E-mail address of the account.
    to: String,
    /// Issuer; null if the operator has not configured a name.
    issuer: Option<Issuer>,
    /// Included tax; null unless the movement is a charge and its price included a tax at that
    /// time.
    included_tax: Option<IncludedTax>,
}

const fn fifty() -> u32 {
    50
}

impl Window {
    fn filter(&self) -> Result<Filter, ApiError> {
        let mut wrong = Fields::default();
        if !(1..=100).contains(&self.limit) {
            wrong.add("limit", "out_of_range");
        }
        let mut moment = |name, text: &Option<String>, days| {
            let moment = text.as_deref().map(|text| instant(text, days));
            if moment == Some(None) {
                wrong.add(name, "invalid");
            }
            moment.flatten()
        };
        let (from, to) = (moment("from", &self.from, 0), moment("to", &self.to, 1));
        wrong.none()?;
        Ok(Filter { before: self.before, kind: self.kind, from, to })
    }
}

/// Parses a time or a date. A date means its beginning (UTC) plus `days`.
fn instant(text: &str, days: i64) -> Option<Instant> {
    let moment = match DateTime::parse_from_rfc3339(text) {
        Ok(moment) => moment.to_utc(),
        Err(_) => {
            let day = text.parse::<NaiveDate>().ok()?.checked_add_signed(TimeDelta::days(days))?;
            day.and_time(chrono::NaiveTime::MIN).and_utc()
        }
    };
    // Databases store a smaller range of years than `chrono` does.
    Some(moment).filter(|at| (1..10_000).contains(&at.year()))
}

impl From<Movement> for MovementView {
    fn from(movement: Movement) -> Self {
        let wire = |minor| Money { minor, ..movement.amount }.to_wire();
        let named = matches!(movement.kind, TransferKind::Bonus | TransferKind::Void);
        Self {
            id: movement.id,
            at: movement.at,
            kind: movement.kind,
            amount: wire(movement.effect.available()),
            held_change: wire(movement.effect.held),
            balance_after: movement.balance_after.to_wire(),
            held_after: movement.held_after.to_wire(),
            currency: movement.amount.currency.code(),
            task: movement.task.map(|task| MovementTask { id: task.id, label: task.label }),
            code_tail: movement.code_tail,
            note: named.then_some(movement.source),
            description: movement.description,
            paid_with: movement.paid_with,
        }
    }
}

/// Returns the caller's balance.
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

/// Returns the caller's movements of money, newest first, each with the balance after it.
#[utoipa::path(get, path = "/users/ledger", tag = "money", params(Window), responses(
    (status = 200, body = Envelope<Ledger>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_ledger(
    State(app): State<AppState>,
    caller: Caller,
    Query(window): Query<Window>,
) -> Answer<Ledger> {
    let filter = window.filter()?;
    let mut tx = app.db.read().await?;
    let limit = window.limit as usize;
    let mut found =
        store::ledger::movements(&mut tx, caller.user, &filter, i64::from(window.limit) + 1).await?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next = if more { found.last().map(|movement| movement.id) } else { None };
    let kinds = store::ledger::kinds(&mut tx, caller.user).await?;
    ok(Ledger { movements: found.into_iter().map(MovementView::from).collect(), next, kinds })
}

/// Returns one movement as a receipt.
#[utoipa::path(get, path = "/users/ledger/{id}", tag = "money",
    params(("id" = uuid::Uuid, Path, description = "The movement")), responses(
    (status = 200, body = Envelope<Receipt>), (status = 401, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_movement(
    State(app): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<TransferId>,
) -> Answer<Receipt> {
    let mut tx = app.db.read().await?;
    let movement = store::ledger::movement(&mut tx, caller.user, id).await?;
    let movement = movement.ok_or(ApiError::new(Code::NotFound))?;
    let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    let task = match &movement.task {
        Some(task) => store::task::get(&mut tx, task.id).await?,
        None => None,
    };
    ok(Receipt {
        lines: lines(&movement, task.as_ref()),
        total: movement.amount.to_wire(),
        number: number(&movement),
        issued_at: movement.at,
        to: user.email,
        issuer: issuer(&app),
        included_tax: included_tax(&app, &movement),
        movement: movement.into(),
    })
}

fn issuer(app: &AppState) -> Option<Issuer> {
    let OperatorProfile { name, address, tax_number, .. } = &*app.operator;
    Some(Issuer { name: name.clone()?, address: address.clone(), tax_number: tax_number.clone() })
}

/// Returns the tax that the movement includes. Only a charge includes one. The tax of a payment in
/// advance belongs to the charges that the payment covers later.
fn included_tax(app: &AppState, movement: &Movement) -> Option<IncludedTax> {
    if movement.kind != TransferKind::Capture {
        return None;
    }
    let (name, rate) = app.operator.tax_at(movement.at)?;
    let amount = rate.included_in(movement.amount).to_wire();
    Some(IncludedTax { name: name.to_owned(), percent: rate.to_string(), amount })
}

/// Returns `S20261121-` followed by the end of the movement's identifier.
fn number(movement: &Movement) -> String {
    let id = movement.id.0.simple().to_string();
    format!("S{}-{}", movement.at.format("%Y%m%d"), id[20..].to_uppercase())
}

/// Returns the lines of the agreed price if their total equals the moved amount. Otherwise returns
/// a single line with the whole movement.
fn lines(movement: &Movement, task: Option<&Task>) -> Vec<ReceiptLine> {
    let line = |kind, count: u32, each: i64| ReceiptLine {
        kind,
        count,
        unit_amount: Money::cad(each).to_wire(),
        amount: Money::cad(each * i64::from(count)).to_wire(),
    };
    let whole = vec![line(movement.kind.as_str(), 1, movement.amount.minor)];
    let Some(price) = task.and_then(|task| task.price.as_ref()) else { return whole };
    let paying = price.paying();
    if price.unit * i64::from(paying) != movement.amount.minor {
        return whole;
    }
    let mut lines = vec![line("base", paying, price.unit + price.discount())];
    lines.extend(price.discounts.lines().map(|(kind, off)| line(kind.as_str(), paying, -off.minor)));
    if price.entitled > 0 {
        lines.push(line("entitled", price.entitled, 0));
    }
    lines
}
