//! `POST /schedules/submit`: one transaction holds for all tasks or for none.

use std::collections::BTreeSet;

use app::money::{CodeOutcome, Codes, TaskPrice, TotalPrice, price};
use axum::Json;
use axum::extract::State;
use domain::ids::{TaskId, UserId};
use domain::money::Money;
use domain::pricing::CodeStatus;
use domain::task::TaskStatus;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Tx;
use store::ledger::{HoldError, SOURCE_TASK};
use store::task::Task;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{AppointmentManagement, TaskView, own, own_to_change, own_view};
use crate::AppState;
use crate::api::pricing::guess::Guesser;
use crate::api::pricing::{MOST_TASKS, SchedulePrice};
use crate::auth::caller::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::idempotency::{IdempotencyKey, Once};

/// The longest promo or referral code.
const LONGEST_CODE: usize = 64;

/// Which tasks to submit, under any of the specification's names.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Submit {
    /// The tasks.
    #[serde(default, alias = "scheduleIds")]
    pub schedule_ids: Vec<Uuid>,
    /// One task.
    #[serde(default)]
    pub schedule_id: Option<Uuid>,
    /// Wins over what configure said.
    #[serde(default, alias = "appointmentManagement")]
    pub appointment_management: Option<AppointmentManagement>,
    /// The total the user saw, CAD; a changed price is refused with the new one.
    #[serde(default)]
    pub expected_total: Option<f64>,
    /// A promotion's code; one that does not hold refuses the submit.
    #[schema(max_length = 64)]
    #[serde(default, alias = "promoCode")]
    pub promo_code: Option<String>,
    /// A friend's code; one that does not hold refuses the submit.
    #[schema(max_length = 64)]
    #[serde(default, alias = "referralCode")]
    pub referral_code: Option<String>,
}

/// What all tasks cost.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CostDetails {
    /// The whole.
    pub total_amount: f64,
    /// ISO 4217.
    pub currency: String,
    /// People in all groups.
    pub applicants_count: u32,
    /// Price per person.
    pub price_per_applicant: f64,
    /// One line per task.
    pub schedule_breakdown: Vec<SchedulePrice>,
}

/// Available balance before and after the hold.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct UserBalance {
    /// Before.
    pub balance_before: f64,
    /// After.
    pub balance_after: f64,
    /// ISO 4217.
    pub currency: String,
}

/// What was submitted.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Submitted {
    /// The price.
    pub cost_details: CostDetails,
    /// The balance.
    pub user_balance: UserBalance,
    /// The tasks.
    pub schedules: Vec<TaskView>,
}

/// Submits configured tasks: their price is set aside, and the engine begins.
#[utoipa::path(post, path = "/schedules/submit", tag = "schedules", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "Same key and body, same answer")),
    request_body = Submit,
    responses((status = 200, body = Envelope<Submitted>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn submit_schedules(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    ClientIp(from): ClientIp,
    key: IdempotencyKey,
    body: Body<Submit>,
) -> Answer<Value> {
    let once = Once::new(&app, caller.user, "POST /schedules/submit", key, &body.bytes);
    let asked = body.value;
    let ids = check(&asked)?;
    let answer: Json<Envelope<Value>> = detached(async move {
        let mut tx = app.db.begin().await?;
        if let Some(answered) = once.answered(&mut tx).await? {
            return ok(answered);
        }
        let guesser = Guesser::enter(&app, &mut tx, (caller.user, from), asked.codes()).await?;
        let submitted = match submit(&app, &mut tx, caller.user, &ids, &asked).await {
            Err(Refusal::Code(code, status)) => {
                drop(tx);
                if status.may_be_guess() {
                    guesser.missed(&app).await?;
                }
                return Err(ApiError::new(code).with_data(json!({ "reason": status })));
            }
            Err(Refusal::Held(task)) => {
                drop(tx);
                return Err(already_held(&app, caller.user, task).await);
            }
            Err(Refusal::Api(error)) => return Err(error),
            Ok(submitted) => submitted,
        };
        let answer = once.keep(&mut tx, &submitted, app.now()).await?;
        tx.commit().await?;
        app.engine.nudge();
        ok(answer)
    })
    .await?;
    Ok(answer)
}

/// Why a submit was refused.
enum Refusal {
    /// Somebody's task holds this one's group.
    Held(Box<Task>),
    /// A code takes nothing off.
    Code(Code, CodeStatus),
    Api(ApiError),
}

impl<E: Into<ApiError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Api(error.into())
    }
}

impl Submit {
    fn codes(&self) -> Codes<'_> {
        Codes { promo: self.promo_code.as_deref(), referral: self.referral_code.as_deref() }
    }
}

fn check(asked: &Submit) -> Result<BTreeSet<TaskId>, ApiError> {
    let ids: BTreeSet<TaskId> =
        asked.schedule_ids.iter().chain(asked.schedule_id.iter()).map(|id| TaskId(*id)).collect();
    let mut wrong = Fields::default();
    if ids.is_empty() || ids.len() > MOST_TASKS {
        wrong.add("schedule_ids", "required");
    }
    for (name, code) in [("promo_code", &asked.promo_code), ("referral_code", &asked.referral_code)] {
        if code.as_ref().is_some_and(|code| code.len() > LONGEST_CODE) {
            wrong.add(name, "too_long");
        }
    }
    if asked.expected_total.is_some_and(|total| !is_amount(total)) {
        wrong.add("expected_total", "out_of_range");
    }
    wrong.none()?;
    Ok(ids)
}

async fn submit(
    app: &AppState,
    tx: &mut Tx,
    user: UserId,
    ids: &BTreeSet<TaskId>,
    asked: &Submit,
) -> Result<Submitted, Refusal> {
    let now = app.now();
    let mut tasks = Vec::new();
    for id in ids {
        let task = own_to_change(tx, user, *id).await?;
        if task.status != TaskStatus::Configured {
            return Err(ApiError::new(Code::IllegalTransition).into());
        }
        app::tasks::demand_password(tx, &task).await?;
        tasks.push(task);
    }
    // One person's submits go one after the other from here on: what was counted for one of them stays true.
    store::ledger::lock(tx, &app.random, user, now).await?;
    let priced = price(&app.use_cases(), tx, user, None, &tasks, asked.codes()).await?;
    refuse_codes(&priced)?;
    let details = cost_details(&priced);
    let total = priced.total();
    if asked.expected_total.is_some_and(|seen| minor(seen) != total) {
        let data = json!({ "cost_details": details });
        return Err(ApiError::new(Code::PriceChanged).with_data(data).into());
    }
    let before = store::ledger::balance(tx, user).await?.available;
    let owed = store::ledger::debt(tx, user).await?;
    if owed.minor > 0 && total > 0 {
        return Err(in_debt(Money::cad(total), owed).into());
    }
    if before.minor < total {
        return Err(insufficient(Money::cad(total), before).into());
    }
    for (task, price) in tasks.iter().zip(&priced.tasks) {
        hold_and_submit(app, tx, task, price, asked).await?;
    }
    let after = store::ledger::balance(tx, user).await?.available;
    let mut schedules = Vec::new();
    for id in ids {
        schedules.push(own_view(tx, user, *id, app.portal_time.now()).await?);
    }
    let user_balance = UserBalance {
        balance_before: before.to_wire(),
        balance_after: after.to_wire(),
        currency: "CAD".to_owned(),
    };
    Ok(Submitted { cost_details: details, user_balance, schedules })
}

/// Whether a number from outside can be an amount of money at all.
pub(super) fn is_amount(total: f64) -> bool {
    total.is_finite() && (0.0..=1e9).contains(&total)
}

/// An amount that was checked, in minor units.
#[allow(clippy::cast_possible_truncation, reason = "at most 1e9 (see is_amount)")]
pub(super) fn minor(amount: f64) -> i64 {
    (amount * 100.0).round() as i64
}

/// A code that was typed and takes nothing off stops the submit: its user expects less.
fn refuse_codes(priced: &TotalPrice) -> Result<(), Refusal> {
    let refused = |outcome: &Option<CodeOutcome>, code: Code| {
        let status = outcome.as_ref().map(|outcome| outcome.status).filter(|s| *s != CodeStatus::Applied);
        match status {
            Some(status) => Err(Refusal::Code(code, status)),
            None => Ok(()),
        }
    };
    refused(&priced.promo, Code::PromoRefused)?;
    refused(&priced.referral, Code::ReferralRefused)
}

fn cost_details(priced: &TotalPrice) -> CostDetails {
    let lines = priced.tasks.iter().map(|one| SchedulePrice::of(one.task, &one.price));
    CostDetails {
        total_amount: Money::cad(priced.total()).to_wire(),
        currency: "CAD".to_owned(),
        applicants_count: priced.tasks.iter().map(|one| one.price.applicants).sum(),
        price_per_applicant: priced.unit.unit.to_wire(),
        schedule_breakdown: lines.collect(),
    }
}

async fn hold_and_submit(
    app: &AppState,
    tx: &mut Tx,
    task: &Task,
    price: &TaskPrice,
    asked: &Submit,
) -> Result<(), Refusal> {
    let now = app.now();
    let choice = asked.appointment_management.and_then(|m| m.keep_current_appointment);
    if let (Some(notify_only), Some(criteria)) = (choice, &task.criteria) {
        let criteria = domain::criteria::SearchCriteria { notify_only, ..criteria.clone() };
        store::task::set_criteria(tx, task.id, &criteria, now).await?;
    }
    let total = price.price.total;
    let hold = if total == 0 { None } else { Some(take_hold(app, tx, task, total).await?) };
    match store::task::submit(tx, task.id, price.price, hold, false, now).await {
        Err(store::Error::Conflict(_)) => return Err(Refusal::Held(Box::new(task.clone()))),
        Err(error) => return Err(error.into()),
        Ok(false) => return Err(ApiError::new(Code::IllegalTransition).into()),
        Ok(true) => {}
    }
    reserve(app, tx, task, price).await?;
    if total == 0 {
        let task = own(tx, task.user_id, task.id).await?;
        store::task_hold::free(tx, &app.random, &task, now).await?;
    }
    let entry = domain::ids::uuid_v7(now, app.random.bytes());
    let data = json!({ "held": Money::cad(total).to_wire() });
    store::journal::add(tx, entry, task.id, "submitted", &data, app.portal_time.now()).await?;
    Ok(())
}

/// Takes the uses of codes that the price counts on; whoever was quicker has the last.
pub(super) async fn reserve(
    app: &AppState,
    tx: &mut Tx,
    task: &Task,
    price: &TaskPrice,
) -> Result<(), ApiError> {
    let (who, now) = ((task.user_id, task.id), app.now());
    if let Some(promo) = &price.promo {
        let amount = price.price.discounts.promo;
        let reserved = store::promo::reserve(tx, &app.random, promo, who, amount, now).await?;
        reserved
            .map_err(|reason| ApiError::new(Code::PromoRefused).with_data(json!({ "reason": reason })))?;
    }
    if let Some(offer) = &price.referral
        && !store::referral::reserve(tx, &app.random, offer, who, now).await?
    {
        let data = json!({ "reason": CodeStatus::NotFirst });
        return Err(ApiError::new(Code::ReferralRefused).with_data(data));
    }
    Ok(())
}

/// Sets the price of a task aside.
pub(super) async fn take_hold(
    app: &AppState,
    tx: &mut Tx,
    task: &Task,
    minor: i64,
) -> Result<domain::ids::TransferId, ApiError> {
    let source = (SOURCE_TASK, task.id.0);
    store::ledger::hold(tx, &app.random, task.user_id, Money::cad(minor), source, app.now()).await.map_err(
        |error| match error {
            HoldError::Insufficient { required, available } => insufficient(required, available),
            HoldError::InDebt(owed) => in_debt(Money::cad(minor), owed),
            HoldError::AlreadyHeld(_) => ApiError::new(Code::IllegalTransition),
            HoldError::Store(error) => error.into(),
        },
    )
}

/// What is owed must be paid first: it is part of what is missing.
fn in_debt(required: Money, owed: Money) -> ApiError {
    let whole = Money { minor: required.minor + owed.minor, ..required };
    ApiError::new(Code::InsufficientCredit).with_data(json!({
        "required_amount": whole.to_wire(),
        "available_amount": 0.0,
        "debt_amount": owed.to_wire(),
        "currency": "CAD",
        "details": format!("{required} needed, and {owed} owed since a disputed payment"),
    }))
}

pub(super) fn insufficient(required: Money, available: Money) -> ApiError {
    ApiError::new(Code::InsufficientCredit).with_data(json!({
        "required_amount": required.to_wire(),
        "available_amount": available.to_wire(),
        "currency": "CAD",
        "details": format!("{required} needed, {available} available"),
    }))
}

/// Says who holds the group: ids only for the caller's own tasks.
async fn already_held(app: &AppState, user: UserId, task: Box<Task>) -> ApiError {
    let held = async {
        let mut tx = app.db.read().await?;
        store::task::of_group(&mut tx, &task.country, &task.portal_schedule_id).await
    };
    let holders = held.await.unwrap_or_default();
    let own: Vec<TaskId> = holders
        .iter()
        .filter(|t| t.user_id == user && t.id != task.id && t.status.holds_the_group())
        .map(|t| t.id)
        .collect();
    let owner = if own.is_empty() { "other" } else { "self" };
    ApiError::new(Code::ScheduleAlreadyExists).with_data(json!({ "owner": owner, "schedule_ids": own }))
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema as _;

    use super::{LONGEST_CODE, Submit};

    /// Bounds in the document are literals: the macro takes no names.
    #[test]
    fn the_document_names_the_longest_code() {
        let schema = serde_json::to_value(Submit::schema()).expect("a schema");
        for code in ["promo_code", "referral_code"] {
            assert_eq!(schema["properties"][code]["maxLength"], LONGEST_CODE, "{code}");
        }
    }
}
