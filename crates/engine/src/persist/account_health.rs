//! What a poll means for the health of accounts, written.

use domain::clock::Instant;
use domain::health::AccountHealth;
use store::Tx;

use crate::JobError;
use crate::model::empty_lists::InferredEffects;

/// Writes what a poll means for accounts; what their tasks are told is written afterwards.
pub(crate) async fn write(tx: &mut Tx, inferred: &InferredEffects, now: Instant) -> Result<(), JobError> {
    for (account, until, confirmed) in &inferred.soft_banned {
        store::portal_account::set_health(tx, *account, AccountHealth::Cooling, Some(*until), now).await?;
        if *confirmed {
            store::portal_account::change_budget(tx, *account, |budget| budget.held_back(now)).await?;
        }
    }
    for account in &inferred.recovered {
        store::portal_account::set_health(tx, *account, AccountHealth::Valid, None, now).await?;
    }
    Ok(())
}
