//! Endpoint `POST /schedules/submit`. One transaction submits all tasks of a request.

use std::collections::BTreeSet;

use app::money::Codes;
use app::tasks::{self, Receipt, Submission};
use app::{Error, Refusal};
use axum::extract::State;
use domain::ids::TaskId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Tx;
use store::task::Task;
use utoipa::ToSchema;
use uuid::Uuid;

use super::params::requested_mode;
use super::task_view::walked;
use super::{AppointmentManagement, TaskView, own_task_to_change, own_view};
use crate::AppState;
use crate::api::pricing::guess::Guesser;
use crate::api::pricing::{CostDetails, MOST_TASKS, minor};
use crate::auth::caller::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::idempotency::{IdempotencyKey, IdempotentRequest};

/// Maximum length of a promotion or referral code, in bytes.
const LONGEST_CODE: usize = 64;

/// Input of a submission, with all accepted field names.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Submit {
    /// Identifiers of the tasks.
    #[serde(default, alias = "scheduleIds")]
    pub schedule_ids: Vec<Uuid>,
    /// Identifier of a single task.
    #[serde(default)]
    pub schedule_id: Option<Uuid>,
    /// Booking mode; replaces the mode that `configure` set.
    #[serde(default, alias = "appointmentManagement")]
    pub appointment_management: Option<AppointmentManagement>,
    /// Total that the user saw, in CAD. If it differs from the current price, the call is rejected
    /// with the new price.
    #[serde(default)]
    pub expected_total: Option<f64>,
    /// Promotion code. An invalid code rejects the submission.
    #[schema(max_length = 64)]
    #[serde(default, alias = "promoCode")]
    pub promo_code: Option<String>,
    /// Referral code. An invalid code rejects the submission.
    #[schema(max_length = 64)]
    #[serde(default, alias = "referralCode")]
    pub referral_code: Option<String>,
}

/// Available balance before and after the prices are put on hold.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct UserBalance {
    /// Balance before the hold.
    pub balance_before: f64,
    /// Balance after the hold.
    pub balance_after: f64,
    /// Currency code (ISO 4217).
    pub currency: String,
}

/// Result of a submission.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Submitted {
    /// Price; null if the server does not charge.
    pub cost_details: Option<CostDetails>,
    /// Balance; null if the server does not charge.
    pub user_balance: Option<UserBalance>,
    /// The submitted tasks.
    pub schedules: Vec<TaskView>,
}

/// Submits configured tasks: puts their price on hold, and starts monitoring.
#[utoipa::path(post, path = "/schedules/submit", tag = "schedules", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "A repeated request with the same key and body returns the first response")),
    request_body = Submit,
    responses((status = 200, body = Envelope<Submitted>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn submit_schedules(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    ClientIp(from): ClientIp,
    key: IdempotencyKey,
    body: Body<Submit>,
) -> Answer<Value> {
    let once = IdempotentRequest::new(&app, caller.user, "POST /schedules/submit", key, &body.bytes);
    let asked = body.value;
    let (ids, expected_total) = asked.check()?;
    let mode = requested_mode(None, asked.appointment_management.and_then(|m| m.keep_current_appointment))?;
    detached(async move {
        let mut tx = app.db.begin().await?;
        if let Some(answered) = once.answered(&mut tx).await? {
            return ok(answered);
        }
        let guesser = Guesser::enter(&app, &mut tx, (caller.user, from), asked.codes()).await?;
        let mut tasks = Vec::new();
        for id in ids {
            tasks.push(own_task_to_change(&mut tx, caller.user, id).await?);
        }
        let walked = walked(&mut tx, &app).await?;
        let submission = Submission {
            user: caller.user,
            tasks: &tasks,
            codes: asked.codes(),
            mode,
            expected_total,
            walked: walked.as_deref(),
        };
        let receipt = match tasks::submit(&app.use_cases(), &mut tx, &submission).await {
            Ok(receipt) => receipt,
            Err(error) => {
                drop(tx);
                if let Error::Refused(Refusal::Promo(code) | Refusal::Referral(code)) = &error
                    && code.may_be_guess()
                {
                    guesser.missed(&app).await?;
                }
                return Err(error.into());
            }
        };
        let submitted = answer(&app, &mut tx, &tasks, &receipt).await?;
        let answer = once.store_response(&mut tx, &submitted, app.now()).await?;
        tx.commit().await?;
        app.engine.nudge();
        ok(answer)
    })
    .await
}

impl Submit {
    /// Validates the input. Returns the tasks, and the total that the user saw in minor units.
    fn check(&self) -> Result<(BTreeSet<TaskId>, Option<i64>), ApiError> {
        let ids: BTreeSet<TaskId> =
            self.schedule_ids.iter().chain(self.schedule_id.iter()).map(|id| TaskId(*id)).collect();
        let mut wrong = Fields::default();
        if ids.is_empty() || ids.len() > MOST_TASKS {
            wrong.add("schedule_ids", "required");
        }
        for (name, code) in [("promo_code", &self.promo_code), ("referral_code", &self.referral_code)] {
            if code.as_ref().is_some_and(|code| code.len() > LONGEST_CODE) {
                wrong.add(name, "too_long");
            }
        }
        let expected_total = self.expected_total.map(|total| minor(total, 0.0));
        if expected_total == Some(None) {
            wrong.add("expected_total", "out_of_range");
        }
        wrong.none()?;
        Ok((ids, expected_total.flatten()))
    }

    fn codes(&self) -> Codes<'_> {
        Codes { promo: self.promo_code.as_deref(), referral: self.referral_code.as_deref() }
    }
}

async fn answer(
    app: &AppState,
    tx: &mut Tx,
    tasks: &[Task],
    receipt: &Receipt,
) -> Result<Submitted, ApiError> {
    let mut schedules = Vec::new();
    for task in tasks {
        schedules.push(own_view(tx, app, task.user_id, task.id).await?);
    }
    if !app.settings.billing.is_on() {
        return Ok(Submitted { cost_details: None, user_balance: None, schedules });
    }
    let user_balance = UserBalance {
        balance_before: receipt.before.to_wire(),
        balance_after: receipt.after.to_wire(),
        currency: "CAD".to_owned(),
    };
    let cost_details = Some(CostDetails::of(&receipt.prices));
    Ok(Submitted { cost_details, user_balance: Some(user_balance), schedules })
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema as _;

    use super::{LONGEST_CODE, Submit};

    /// Compares the maximum length in the OpenAPI document with the constant. The schema attributes
    /// accept only literals.
    #[test]
    fn the_openapi_document_has_the_maximum_code_length() {
        let schema = serde_json::to_value(Submit::schema()).expect("a schema");
        for code in ["promo_code", "referral_code"] {
            assert_eq!(schema["properties"][code]["maxLength"], LONGEST_CODE, "{code}");
        }
    }
}
