//! What may be asked of a task: the domain's table, over what is stored.

use domain::clock::Instant;
use domain::facility::today_at;
use domain::task::actions::{Action, Facts, allows};
use serde::Serialize;
use serde_json::json;
use store::Tx;
use store::task::{Relations, Task};
use utoipa::ToSchema;

use crate::http::error::{ApiError, Code};

/// One action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ActionView {
    /// Whether it may be asked for now.
    pub allowed: bool,
    /// Why not, as a stable word, e.g. `already_running`.
    pub reason: Option<&'static str>,
}

/// What may be asked of a task, each with the reason where it may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ActionsView {
    /// Change what it accepts.
    pub edit: ActionView,
    /// Start again.
    pub start: ActionView,
    /// Pause.
    pub stop: ActionView,
    /// Remove for good.
    pub delete: ActionView,
    /// Give the portal's password anew, by verify-credentials.
    pub update_password: ActionView,
    /// Say how it was.
    pub rate: ActionView,
}

/// What decides what may be asked of a task at `now` (portal time).
#[must_use]
pub fn facts(task: &Task, relations: &Relations, now: Instant) -> Facts {
    let at = task.booked.map(|b| b.facility).or_else(|| task.criteria.as_ref()?.cities.first().copied());
    let today = today_at(at, now);
    Facts {
        status: task.status,
        reason: task.reason,
        password_works: relations.credential.as_ref().map(|(_, health, _)| health != "rejected"),
        unconfirmed: relations.unconfirmed,
        range_over: task.criteria.as_ref().is_some_and(|criteria| criteria.end_date < today),
        reschedules_used: task
            .allowance()
            .is_some_and(|allowance| !allowance.criteria.notify_only && allowance.is_own_limit_used()),
        group_changed: task.reason == Some(domain::task::Reason::GroupChanged)
            && task.price.is_some_and(|price| price.applicants != task.group.party_size()),
        succeeded: relations.succeeded,
        rated: relations.rating.as_ref().is_some_and(|rating| rating.stars.is_some()),
    }
}

/// The table as a view of a task says it.
#[must_use]
pub fn view(facts: &Facts) -> ActionsView {
    let one = |action| {
        let reason = allows(facts, action).err().map(domain::task::actions::Refusal::as_str);
        ActionView { allowed: reason.is_none(), reason }
    };
    ActionsView {
        edit: one(Action::Edit),
        start: one(Action::Start),
        stop: one(Action::Stop),
        delete: one(Action::Delete),
        update_password: one(Action::UpdatePassword),
        rate: one(Action::Rate),
    }
}

/// Refuses what the table does not offer: `ILLEGAL_TRANSITION` with `data.reason`, `ALREADY_RATED` for a second rating.
pub(super) async fn demand(tx: &mut Tx, task: &Task, action: Action, now: Instant) -> Result<(), ApiError> {
    let relations =
        store::task::relations_of(tx, &[task.id], now).await?.remove(&task.id).unwrap_or_default();
    allows(&facts(task, &relations, now), action).map_err(|refusal| {
        let code = match refusal {
            domain::task::actions::Refusal::AlreadyRated => Code::AlreadyRated,
            _ => Code::IllegalTransition,
        };
        ApiError::new(code).with_data(json!({ "reason": refusal.as_str() }))
    })
}
