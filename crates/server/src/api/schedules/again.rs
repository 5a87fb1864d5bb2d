//! What a task costs when it goes on: `POST /schedules/{id}/accept-group`, and the hold of one that is started again.

use axum::extract::State;
use domain::ids::{TaskId, UserId};
use domain::money::Money;
use domain::pricing::DiscountKind;
use domain::task::{Reason, TaskStatus};
use serde::Deserialize;
use serde_json::{Value, json};
use store::Tx;
use store::task::{AgreedPrice, Task};
use utoipa::ToSchema;

use super::submit::{insufficient, is_amount, minor, take_hold};
use super::{ScheduleAnswer, own_to_change, own_view};
use crate::AppState;
use crate::api::pricing::SchedulePrice;
use crate::auth::caller::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, Fields};
use crate::http::extract::{OptionalBody, TaskPath};
use crate::http::idempotency::{IdempotencyKey, Once};

/// What the user saw.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// The amount that was shown, CAD: `price.difference.amount` for a group, the task's new total for a start.
    /// Another one is refused with what it is now.
    #[serde(default)]
    pub expected_total: Option<f64>,
}

impl Consent {
    pub(super) fn check(self) -> Result<Self, ApiError> {
        // A smaller group gives something back.
        if self.expected_total.is_some_and(|total| !is_amount(total.abs())) {
            return Err(Fields::one("expected_total", "out_of_range"));
        }
        Ok(self)
    }

    fn is_for(self, now: i64) -> bool {
        self.expected_total.is_none_or(|seen| minor(seen) == now)
    }
}

/// Accepts what the group costs with the people it has now: the difference is set aside, and the task goes on.
#[utoipa::path(post, path = "/schedules/{id}/accept-group", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task"),
        ("Idempotency-Key" = Option<String>, Header, description = "Same key and body, same answer")),
    request_body(content = Option<Consent>),
    responses((status = 200, body = Envelope<ScheduleAnswer>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn accept_group(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    TaskPath(id): TaskPath,
    key: IdempotencyKey,
    OptionalBody(consent): OptionalBody<Consent>,
) -> Answer<Value> {
    let consent = consent.check()?;
    // The task is part of what is asked: one key for two of them is a mistake.
    let asked = format!("{id} {:?}", consent.expected_total).into();
    let once = Once::new(&app, caller.user, "POST /schedules/accept-group", key, &asked);
    detached(async move {
        let mut tx = app.db.begin().await?;
        if let Some(answered) = once.answered(&mut tx).await? {
            return ok(answered);
        }
        accept(&app, &mut tx, (caller.user, id), consent).await?;
        let schedule = own_view(&mut tx, caller.user, id, app.portal_time.now()).await?;
        let answer = once.keep(&mut tx, &ScheduleAnswer { schedule }, app.now()).await?;
        tx.commit().await?;
        app.engine.nudge();
        ok(answer)
    })
    .await
}

async fn accept(
    app: &AppState,
    tx: &mut Tx,
    (user, id): (UserId, TaskId),
    consent: Consent,
) -> Result<(), ApiError> {
    let now = app.now();
    let task = own_to_change(tx, user, id).await?;
    let changed = task.status == TaskStatus::Error && task.reason == Some(Reason::GroupChanged);
    let Some(new) = task.regrouped().filter(|_| changed) else {
        return Err(Code::IllegalTransition.into());
    };
    store::ledger::lock(tx, &app.random, user, now).await?;
    if !consent.is_for(new.difference) {
        return Err(changed_price(&task, new.price));
    }
    let available = store::ledger::balance(tx, user).await?.available;
    if new.difference > available.minor {
        return Err(insufficient(Money::cad(new.difference), available));
    }
    // One hold for the whole new price in place of the old one; its codes stay with the task.
    if let (None, Some(hold)) = (task.captured_at, task.hold_id) {
        store::ledger::release(tx, &app.random, hold, now).await?;
    }
    let hold = if new.hold > 0 { Some(take_hold(app, tx, &task, new.hold).await?) } else { None };
    store::task::set_price(tx, id, new.price, hold, now).await?;
    if hold.is_none() && task.captured_at.is_none() {
        let task = super::own(tx, user, id).await?;
        store::task_hold::free(tx, &app.random, &task, now).await?;
    } else if hold.is_none() {
        store::task::set_captured(tx, id, 0, now).await?;
    }
    let data = json!({
        "applicants": new.price.applicants,
        "difference": Money::cad(new.difference).to_wire(),
    });
    let use_cases = app.use_cases();
    use_cases.journal(tx, id, "group_accepted", &data).await?;
    Ok(app::tasks::start(&use_cases, tx, &task).await?)
}

/// A released hold is taken anew. Codes went back with it: those that are spent meanwhile make another price, which the user
/// must have seen.
pub(super) async fn hold_again(
    app: &AppState,
    tx: &mut Tx,
    task: &Task,
    consent: Consent,
) -> Result<(), ApiError> {
    let (Some(agreed), None, None) = (task.price, task.captured_at, task.hold_id) else { return Ok(()) };
    let captured = task.captured_amount.unwrap_or(0);
    if agreed.total <= captured {
        return Ok(());
    }
    let now = app.now();
    store::ledger::lock(tx, &app.random, task.user_id, now).await?;
    let mut price = agreed;
    for (kind, kept) in [
        (DiscountKind::Promo, promo_again(app, tx, task).await?),
        (DiscountKind::Referral, friend_again(app, tx, task).await?),
    ] {
        if !kept {
            price.unit += price.discounts.of(kind).minor;
            price.discounts = price.discounts.with(kind, Money::cad(0));
        }
    }
    price.total = captured + price.unit * i64::from(price.paying());
    if price != agreed && consent.expected_total.is_none_or(|seen| minor(seen) != price.total) {
        return Err(changed_price(task, price));
    }
    let hold = take_hold(app, tx, task, price.total - captured).await?;
    store::task::set_price(tx, task.id, price, Some(hold), now).await?;
    Ok(())
}

async fn promo_again(app: &AppState, tx: &mut Tx, task: &Task) -> Result<bool, ApiError> {
    let off = task.price.map_or(Money::cad(0), |price| price.discounts.promo);
    if off.minor == 0 {
        return Ok(true);
    }
    let Some(promo) = store::promo::last_of_task(tx, task.id).await? else { return Ok(false) };
    let who = (task.user_id, task.id);
    Ok(store::promo::reserve(tx, &app.random, &promo, who, off, app.now()).await?.is_ok())
}

async fn friend_again(app: &AppState, tx: &mut Tx, task: &Task) -> Result<bool, ApiError> {
    let off = task.price.map_or(0, |price| price.discounts.referral.minor);
    let offer = match store::referral::referrer_of(tx, task.user_id).await? {
        Some(friend) => store::referral::offer_of(tx, task.user_id, friend).await?.ok(),
        None => None,
    };
    // A code that takes nothing off may still bring its friend a bonus.
    let Some(offer) = offer.filter(|offer| off > 0 || offer.worth.newcomer_discount.minor == 0) else {
        return Ok(off == 0);
    };
    let who = (task.user_id, task.id);
    Ok(store::referral::reserve(tx, &app.random, &offer, who, app.now()).await? || off == 0)
}

fn changed_price(task: &Task, price: AgreedPrice) -> ApiError {
    let wire = |minor| Money::cad(minor).to_wire();
    ApiError::new(Code::PriceChanged).with_data(json!({ "cost_details": {
        "total_amount": wire(price.total),
        "currency": "CAD",
        "applicants_count": price.applicants,
        "price_per_applicant": wire(price.unit),
        "schedule_breakdown": [SchedulePrice::of(task.id, &price)],
    }, "difference": task.regrouped().map(|new| wire(new.difference)) }))
}
