//! Actions available for a task: applies the domain's table to stored data.

use domain::clock::Instant;
use domain::facility::today_at;
use domain::health::CredentialHealth;
use domain::task::Reason;
use domain::task::actions::{Action, Facts, allows};
use store::Tx;
use store::task::{Relations, Task};

use crate::{Ctx, Error, Refusal};

/// Returns the facts that determine the available actions at `now` (portal time).
#[must_use]
pub fn facts(task: &Task, relations: &Relations, now: Instant) -> Facts {
    let at = task
        .interview()
        .map(|held| held.facility)
        .or_else(|| task.criteria.as_ref()?.cities.first().copied());
    let today = today_at(at, now);
    let allowance = task.allowance();
    Facts {
        status: task.status,
        reason: task.reason,
        password_works: relations.credential.map(|(health, _)| health != CredentialHealth::Rejected),
        unconfirmed: relations.unconfirmed,
        range_over: task.criteria.as_ref().is_some_and(|criteria| criteria.end_date < today),
        reschedules_used: allowance.is_some_and(|allowance| allowance.is_own_limit_used()),
        none_left: allowance.is_some_and(|allowance| allowance.is_portal_limit_used()),
        group_changed: task.reason == Some(Reason::GroupChanged)
            && task.price.is_some_and(|price| price.applicants != task.group.party_size()),
        succeeded: relations.succeeded,
        rated: relations.rating.as_ref().is_some_and(|rating| rating.stars.is_some()),
    }
}

/// Refuses an action that the table does not offer.
///
/// # Errors
/// Returns [`Refusal::Action`], or an error if the database fails.
pub async fn demand(ctx: &Ctx, tx: &mut Tx, task: &Task, action: Action) -> Result<(), Error> {
    let now = ctx.portal_time.now();
    let relations =
        store::task::relations_of(tx, &[task.id], now).await?.remove(&task.id).unwrap_or_default();
    Ok(allows(&facts(task, &relations, now), action).map_err(Refusal::Action)?)
}
