//! A seeded bug: posts again after a crash. Absent from release builds.

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::budget::Spend;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;

/// The seeded bug of posting again after a crash: the harness must catch it.
pub(crate) async fn blind_retry(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    target: Slot,
) -> Result<(), JobError> {
    let session = crate::gateway::session::ensure(gateway, lease, task, Spend::Booking).await?;
    let group = task.portal_schedule_id.clone();
    let form = gateway.client.form(&lease.meter, &session, &group, &[]).await?.form;
    let Ok(form) = form.fill(target.facility, target.date, target.time) else {
        return Ok(());
    };
    let connection = portal::BookingConnection::open(&gateway.client).await?;
    let proof = crate::persist::commit::forged(gateway.records.wall.now() + TimeDelta::seconds(5));
    let _ = connection.post(&lease.meter, &session, &group, form, proof).await;
    Ok(())
}
