//! Endpoints `GET /pricing/plans`, `POST /pricing/calculate` and `GET /pricing/calculate`.

pub mod guess;

use app::money::{self, Codes, TaskPrice, TotalPrice};
use axum::extract::State;
use domain::ids::{PricingPlanId, TaskId, UserId};
use domain::money::{Currency, Money};
use domain::pricing::{CodeStatus, DiscountKind, Discounts};
use serde::{Deserialize, Serialize};
use store::Tx;
use store::pricing::Plan;
use store::task::Task;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{ClientIp, OptionalBody};
use guess::Guesser;

/// Maximum number of tasks in one price calculation or submission.
pub const MOST_TASKS: usize = 20;

/// An offered pricing plan.
#[derive(Serialize, ToSchema)]
pub struct PlanView {
    #[schema(value_type = uuid::Uuid)]
    id: PricingPlanId,
    name: String,
    /// Price per applicant, two decimals.
    unit_price: f64,
    /// Currency code (ISO 4217).
    currency: &'static str,
}

/// The offered plans, the default one first.
#[derive(Serialize, ToSchema)]
pub struct Plans {
    plans: Vec<PlanView>,
}

/// Input of a price calculation; every field is optional.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceRequest {
    /// Must be the caller's own identifier.
    #[schema(value_type = Option<uuid::Uuid>)]
    user_id: Option<UserId>,
    #[schema(value_type = Option<uuid::Uuid>)]
    pricing_plan_id: Option<PricingPlanId>,
    /// Promotion code.
    promo_code: Option<String>,
    /// Referral code.
    referral_code: Option<String>,
    /// The caller's own tasks. If empty, the next task is priced for one applicant.
    #[serde(default)]
    schedule_ids: Vec<Uuid>,
}

/// A discount.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DiscountLine {
    /// Kind of the discount.
    #[serde(rename = "type")]
    pub kind: DiscountKind,
    /// Discount per applicant, two decimals.
    pub amount: f64,
}

/// Result of checking a discount code.
#[derive(Serialize, ToSchema)]
pub struct CodeOutcome {
    /// The code as it was entered.
    code: String,
    /// Status of the code.
    status: CodeStatus,
    /// Discount per applicant if the code applies, two decimals.
    amount: f64,
}

/// Price of the requested tasks, or of one applicant.
#[derive(Serialize, ToSchema)]
pub struct Price {
    calculation: Calculation,
    /// Price per applicant after discounts (of the first task).
    unit_price: f64,
    /// Total of all tasks; without tasks, the price of one applicant.
    total_price: f64,
    discount_amount: f64,
    /// Price per applicant before discounts.
    original_price: f64,
    /// Discounts per applicant, in the order of their application.
    discount_lines: Vec<DiscountLine>,
    /// Result for the promotion code, if the request contains one.
    promo: Option<CodeOutcome>,
    /// Result for the referral code, if the request contains one.
    referral: Option<CodeOutcome>,
    /// Price of each requested task.
    schedule_pricing: Vec<SchedulePrice>,
    /// Currency code (ISO 4217).
    currency: &'static str,
}

/// Price of one task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SchedulePrice {
    /// Identifier of the task.
    pub schedule_id: Uuid,
    /// Number of applicants in the group.
    pub applicants_count: u32,
    /// Number of applicants whose price was paid within the last 365 days; they cost nothing.
    pub entitled_applicants: u32,
    /// Price per applicant before discounts.
    pub base_price: f64,
    /// Discount per applicant.
    pub discounts: f64,
    /// Discounts by kind.
    pub discount_lines: Vec<DiscountLine>,
    /// Price per applicant after discounts.
    pub final_price_per_person: f64,
    /// Total price of the task.
    pub total_price: f64,
    /// Currency code (ISO 4217).
    pub currency: &'static str,
}

/// Price of all tasks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CostDetails {
    /// Total price.
    pub total_amount: f64,
    /// Currency code (ISO 4217).
    pub currency: String,
    /// Number of applicants in all groups.
    pub applicants_count: u32,
    /// Price per applicant.
    pub price_per_applicant: f64,
    /// Prices by task.
    pub schedule_breakdown: Vec<SchedulePrice>,
}

/// Components of a price.
#[derive(Serialize, ToSchema)]
pub struct Calculation {
    base_price: f64,
    user_group_discount: f64,
    personal_discount: f64,
    promo_code_discount: f64,
    referral_discount: f64,
    user_specific_price: f64,
    /// Currency code (ISO 4217).
    currency: &'static str,
}

/// Returns the discounts by kind.
pub fn discount_lines(discounts: &Discounts) -> Vec<DiscountLine> {
    let line = |(kind, amount): (DiscountKind, Money)| DiscountLine { kind, amount: amount.to_wire() };
    discounts.lines().map(line).collect()
}

/// Converts an amount of a request to minor units. Returns `None` if it is not between `least` and
/// 1e9.
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "at most 1e9")]
pub fn minor(amount: f64, least: f64) -> Option<i64> {
    (least..=1e9).contains(&amount).then(|| (amount * 100.0).round() as i64)
}

impl SchedulePrice {
    /// Converts the price of one task to its wire format.
    fn of(task: &TaskPrice) -> Self {
        let wire = |minor| Money::cad(minor).to_wire();
        let price = &task.price;
        Self {
            schedule_id: task.task.0,
            applicants_count: price.applicants,
            entitled_applicants: price.entitled,
            base_price: wire(price.unit + price.discount()),
            discounts: wire(price.discount()),
            discount_lines: discount_lines(&price.discounts),
            final_price_per_person: wire(price.unit),
            total_price: wire(price.total),
            currency: Currency::CAD.code(),
        }
    }
}

impl CostDetails {
    /// Returns the total price of these tasks.
    pub fn of(tasks: &[TaskPrice]) -> Self {
        Self {
            total_amount: Money::cad(tasks.iter().map(|task| task.price.total).sum()).to_wire(),
            currency: Currency::CAD.code().to_owned(),
            applicants_count: tasks.iter().map(|task| task.price.applicants).sum(),
            price_per_applicant: Money::cad(tasks.first().map_or(0, |task| task.price.unit)).to_wire(),
            schedule_breakdown: tasks.iter().map(SchedulePrice::of).collect(),
        }
    }
}

impl From<money::CodeOutcome> for CodeOutcome {
    fn from(outcome: money::CodeOutcome) -> Self {
        Self { code: outcome.code, status: outcome.status, amount: outcome.amount.to_wire() }
    }
}

/// Returns the offered plans.
#[utoipa::path(get, path = "/pricing/plans", tag = "money", responses(
    (status = 200, body = Envelope<Plans>), (status = 503, body = ErrorEnvelope),
))]
pub async fn get_pricing_plans(State(app): State<AppState>) -> Answer<Plans> {
    let mut tx = app.db.read().await?;
    let plans = store::pricing::active(&mut tx).await?;
    let view = |plan: Plan| PlanView {
        id: plan.id,
        name: plan.name,
        unit_price: plan.unit_price.to_wire(),
        currency: plan.unit_price.currency.code(),
    };
    ok(Plans { plans: plans.into_iter().map(view).collect() })
}

/// Computes the caller's price of tasks, with discount codes. An invalid code is reported in the
/// response, and the price is computed without it.
#[utoipa::path(post, path = "/pricing/calculate", tag = "money", request_body(content = Option<PriceRequest>), responses(
    (status = 200, body = Envelope<Price>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 403, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope),
    (status = 415, body = ErrorEnvelope), (status = 422, body = ErrorEnvelope),
    (status = 429, body = ErrorEnvelope, description = "Too many invalid codes"), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn calculate_price(
    State(app): State<AppState>,
    caller: Caller,
    ClientIp(from): ClientIp,
    OptionalBody(input): OptionalBody<PriceRequest>,
) -> Answer<Price> {
    if input.user_id.is_some_and(|id| id != caller.user) {
        return Err(Code::Forbidden.into());
    }
    let mut tx = app.db.read().await?;
    let guesser = Guesser::enter(&app, &mut tx, (caller.user, from), input.codes()).await?;
    let price = price(&app, &mut tx, caller.user, &input).await?;
    drop(tx);
    guesser.count_guesses(&app, &price).await?;
    ok(price.into())
}

/// Returns the caller's price for one applicant, without codes.
#[utoipa::path(get, path = "/pricing/calculate", tag = "money", responses(
    (status = 200, body = Envelope<Price>), (status = 401, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_price(State(app): State<AppState>, caller: Caller) -> Answer<Price> {
    let mut tx = app.db.read().await?;
    ok(price(&app, &mut tx, caller.user, &PriceRequest::default()).await?.into())
}

impl PriceRequest {
    fn codes(&self) -> Codes<'_> {
        Codes { promo: self.promo_code.as_deref(), referral: self.referral_code.as_deref() }
    }
}

async fn price(
    app: &AppState,
    tx: &mut Tx,
    user: UserId,
    input: &PriceRequest,
) -> Result<TotalPrice, ApiError> {
    if input.schedule_ids.len() > MOST_TASKS {
        return Err(Fields::single("schedule_ids", "out_of_range"));
    }
    let ids: std::collections::BTreeSet<_> = input.schedule_ids.iter().map(|id| TaskId(*id)).collect();
    let mut tasks: Vec<Task> = Vec::with_capacity(ids.len());
    for id in ids {
        let task = store::task::of_user(tx, user, id).await?;
        tasks.push(task.ok_or(ApiError::new(Code::NotFound))?);
    }
    Ok(money::price(&app.use_cases(), tx, user, input.pricing_plan_id, &tasks, input.codes()).await?)
}

impl From<TotalPrice> for Price {
    fn from(price: TotalPrice) -> Self {
        let quote = &price.unit;
        let currency = quote.unit.currency.code();
        let total = if price.tasks.is_empty() { quote.unit.minor } else { price.total() };
        Self {
            calculation: Calculation {
                base_price: quote.base.to_wire(),
                user_group_discount: quote.discounts.group.to_wire(),
                personal_discount: quote.discounts.personal.to_wire(),
                promo_code_discount: quote.discounts.promo.to_wire(),
                referral_discount: quote.discounts.referral.to_wire(),
                user_specific_price: quote.unit.to_wire(),
                currency,
            },
            unit_price: quote.unit.to_wire(),
            total_price: Money { minor: total, ..quote.unit }.to_wire(),
            discount_amount: quote.discounts.total().to_wire(),
            original_price: quote.base.to_wire(),
            discount_lines: discount_lines(&quote.discounts),
            promo: price.promo.map(CodeOutcome::from),
            referral: price.referral.map(CodeOutcome::from),
            schedule_pricing: price.tasks.iter().map(SchedulePrice::of).collect(),
            currency,
        }
    }
}
