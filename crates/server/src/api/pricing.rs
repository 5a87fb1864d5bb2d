//! `GET /pricing/plans`, `POST` and `GET /pricing/calculate`.

use axum::extract::State;
use domain::ids::{PricingPlanId, UserId};
use domain::pricing::{Discounts, Quote, quote};
use serde::{Deserialize, Serialize};
use store::pricing::Plan;
use utoipa::ToSchema;

use crate::AppState;
use crate::auth::Caller;
use crate::envelope::{Answer, Envelope, ok};
use crate::error::{ApiError, Code, ErrorEnvelope};
use crate::extract::OptionalBody;

/// A plan on offer.
#[derive(Serialize, ToSchema)]
pub struct PlanView {
    #[schema(value_type = uuid::Uuid)]
    id: PricingPlanId,
    name: String,
    /// Per applicant, two decimals.
    unit_price: f64,
    /// ISO 4217.
    currency: &'static str,
}

/// The plans on offer, the standing one first.
#[derive(Serialize, ToSchema)]
pub struct Plans {
    plans: Vec<PlanView>,
}

/// What to price. Everything may be left out.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceRequest {
    /// Only the caller's own.
    #[schema(value_type = Option<uuid::Uuid>)]
    user_id: Option<UserId>,
    #[schema(value_type = Option<uuid::Uuid>)]
    pricing_plan_id: Option<PricingPlanId>,
    #[allow(dead_code, reason = "no promotions exist yet: an unknown code takes nothing off")]
    promo_code: Option<String>,
    #[allow(dead_code, reason = "no referral discounts exist yet")]
    referral_code: Option<String>,
}

/// The price of one applicant, with its parts.
#[derive(Serialize, ToSchema)]
pub struct Price {
    calculation: Calculation,
    /// Per applicant after discounts.
    unit_price: f64,
    /// The same: this call prices one applicant.
    total_price: f64,
    discount_amount: f64,
    /// Per applicant before discounts.
    original_price: f64,
    /// ISO 4217.
    currency: &'static str,
}

/// The parts of a price.
#[derive(Serialize, ToSchema)]
pub struct Calculation {
    base_price: f64,
    user_group_discount: f64,
    personal_discount: f64,
    promo_code_discount: f64,
    referral_discount: f64,
    user_specific_price: f64,
    /// ISO 4217.
    currency: &'static str,
}

/// The plans on offer.
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

/// What one applicant pays, for the caller.
#[utoipa::path(post, path = "/pricing/calculate", tag = "money", request_body(content = Option<PriceRequest>), responses(
    (status = 200, body = Envelope<Price>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 403, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope),
    (status = 415, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn calculate_price(
    State(app): State<AppState>,
    caller: Caller,
    OptionalBody(input): OptionalBody<PriceRequest>,
) -> Answer<Price> {
    if input.user_id.is_some_and(|id| id != caller.user) {
        return Err(Code::Forbidden.into());
    }
    price(&app, input.pricing_plan_id).await
}

/// What one applicant pays, for the caller, without any codes.
#[utoipa::path(get, path = "/pricing/calculate", tag = "money", responses(
    (status = 200, body = Envelope<Price>), (status = 401, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn get_price(State(app): State<AppState>, _: Caller) -> Answer<Price> {
    price(&app, None).await
}

async fn price(app: &AppState, plan: Option<PricingPlanId>) -> Answer<Price> {
    let mut tx = app.db.read().await?;
    let plans = store::pricing::active(&mut tx).await?;
    let chosen = plans.into_iter().find(|p| plan.is_none_or(|id| p.id == id));
    let chosen = chosen.ok_or(ApiError::new(Code::NotFound))?;
    ok(Price::from(quote(chosen.unit_price, Discounts::default())))
}

impl From<Quote> for Price {
    fn from(quote: Quote) -> Self {
        let currency = quote.unit.currency.code();
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
            total_price: quote.unit.to_wire(),
            discount_amount: quote.discounts.total().to_wire(),
            original_price: quote.base.to_wire(),
            currency,
        }
    }
}
