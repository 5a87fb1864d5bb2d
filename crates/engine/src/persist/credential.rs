//! Results of password tests at the portal, and their effects on other stored passwords of the
//! account.
//!
//! An account has one password, but several users may have stored one for it. An accepted password
//! proves that each different one accepted earlier is wrong. If the tests of two different
//! passwords overlapped, each is tested again before it is used.

use domain::health::CredentialHealth;
use domain::ids::{CredentialId, PortalAccountId, TaskId};
use domain::secret::{Order, Tested};
use domain::task::{Reason, TaskStatus};
use store::Tx;
use store::credential::binding;
use store::credential::binding::{Bound, SecretStatus};
use store::keyring::SecretHash;
use store::task::Task;

use crate::JobError;
use crate::persist::Records;

/// Test of a password at the portal: its account, its hash, and the times of request and answer.
pub(crate) struct Test {
    pub account: PortalAccountId,
    pub secret: SecretHash,
    pub tested: Tested,
}

/// Locks the account's tasks and the account until the transaction ends. Call this before any other
/// write to them.
pub(crate) async fn queue(tx: &mut Tx, account: PortalAccountId) -> Result<(), JobError> {
    for task in binding::holding(tx, account).await? {
        store::lock::exclusive(tx, task.0).await?;
    }
    store::portal_account::lock(tx, account).await?;
    Ok(())
}

/// Records that the portal accepted the secret of `own`, in the caller's transaction. Rejects
/// different secrets that were accepted earlier, and stops their tasks. Returns the new status of
/// `own`, and the stopped tasks.
pub(crate) async fn accepted(
    records: &Records,
    tx: &mut Tx,
    test: &Test,
    own: CredentialId,
) -> Result<(SecretStatus, Vec<TaskId>), JobError> {
    let now = records.wall.now();
    let all = binding::of_account(tx, test.account).await?;
    let is_same = |one: &Bound| one.id == own || one.secret == Some(test.secret);
    let (same, others): (Vec<&Bound>, Vec<&Bound>) = all.iter().partition(|one| is_same(one));
    let (mut standing, mut stopped) = (SecretStatus::Valid, Vec::new());
    for other in others.into_iter().filter(|other| other.standing != SecretStatus::Rejected) {
        match other.accepted.map_or(Order::Before, |accepted| accepted.order(test.tested)) {
            Order::Before => stopped.extend(reject(records, tx, other.id).await?),
            Order::Overlapping => {
                binding::set_untested(tx, other.id, now).await?;
                if standing == SecretStatus::Valid {
                    standing = SecretStatus::Untested;
                }
            }
            Order::After => standing = SecretStatus::Rejected,
        }
    }
    for one in same {
        match standing {
            SecretStatus::Rejected if one.id != own => {}
            SecretStatus::Rejected => stopped.extend(reject(records, tx, one.id).await?),
            SecretStatus::Valid | SecretStatus::Untested => {
                binding::accept(tx, one.id, &test.secret, test.tested).await?;
                if standing == SecretStatus::Untested {
                    binding::set_untested(tx, one.id, now).await?;
                }
            }
        }
    }
    Ok((standing, stopped))
}

/// Records that the portal rejected a secret. Rejects `own`, and the same secret stored by other
/// users. A secret accepted after the test is kept. A secret accepted during the test becomes
/// untested.
pub(crate) async fn rejected(
    records: &Records,
    test: &Test,
    own: Option<CredentialId>,
) -> Result<(), JobError> {
    let mut tx = records.db.begin().await?;
    queue(&mut tx, test.account).await?;
    let now = records.wall.now();
    let mut concerned = Vec::new();
    for one in binding::of_account(&mut tx, test.account).await? {
        if own != Some(one.id) && one.secret != Some(test.secret) {
            continue;
        }
        match one.accepted.map_or(Order::Before, |accepted| accepted.order(test.tested)) {
            Order::Before => concerned.extend(reject(records, &mut tx, one.id).await?),
            Order::Overlapping => binding::set_untested(&mut tx, one.id, now).await?,
            Order::After => {}
        }
    }
    tx.commit().await?;
    stopped(records, &concerned).await
}

/// Marks a secret as rejected and stops its tasks. Returns the stopped tasks. A task with an open
/// attempt stops after its settlement.
async fn reject(records: &Records, tx: &mut Tx, id: CredentialId) -> Result<Vec<TaskId>, JobError> {
    store::credential::set_health(tx, id, CredentialHealth::Rejected, records.wall.now()).await?;
    let mut stopped = Vec::new();
    for task in store::task::of_credential(tx, id).await? {
        if stop(records, tx, &task).await? {
            stopped.push(task.id);
        }
    }
    Ok(stopped)
}

/// Stops a task whose password is rejected. Returns `false` if the task has an open attempt, does
/// not hold its group, or changed its status meanwhile.
async fn stop(records: &Records, tx: &mut Tx, task: &Task) -> Result<bool, JobError> {
    if !task.status.holds_the_group() || binding::is_open(tx, task.id).await? {
        return Ok(false);
    }
    let (to, why) = (TaskStatus::Error, Reason::CredentialsRejected);
    Ok(crate::persist::task_status::stop_in(records, tx, task, to, why).await?.is_some())
}

/// Reloads stopped tasks into memory, after the transaction that stopped them was committed.
pub(crate) async fn stopped(records: &Records, tasks: &[TaskId]) -> Result<(), JobError> {
    for task in tasks {
        records.refresh(*task).await?;
    }
    Ok(())
}

/// Stops the tasks of a rejected password. A task with an open attempt is removed from memory
/// instead, so that it gets no job before the settlement.
pub(crate) async fn stop_all(records: &Records, id: CredentialId) -> Result<(), JobError> {
    let mut tx = records.db.begin().await?;
    let mut ids: Vec<TaskId> =
        store::task::of_credential(&mut tx, id).await?.iter().map(|task| task.id).collect();
    ids.sort_unstable();
    let mut done = Vec::new();
    for id in ids {
        store::lock::exclusive(&mut tx, id.0).await?;
        let Some(task) = store::task::get(&mut tx, id).await? else { continue };
        if stop(records, &mut tx, &task).await? {
            done.push(id);
        } else {
            records.memory.update(|state| state.tasks.forget(&id));
        }
    }
    tx.commit().await?;
    stopped(records, &done).await
}

impl Records {
    /// Stops tasks whose password was rejected during an attempt, after that attempt was settled.
    pub(crate) async fn stop_rejected(&self) -> Result<(), JobError> {
        let mut tx = self.db.read().await?;
        let waiting = binding::to_stop(&mut tx).await?;
        tx.commit().await?;
        for id in waiting {
            let mut tx = self.db.begin().await?;
            store::lock::exclusive(&mut tx, id.0).await?;
            let Some(task) = store::task::get(&mut tx, id).await? else { continue };
            let done = stop(self, &mut tx, &task).await?;
            tx.commit().await?;
            if done {
                self.refresh(id).await?;
            }
        }
        Ok(())
    }
}

/// Returns `true` if the task may book with the account's current session. The task's own secret
/// must have opened the session and still be accepted. Call this in the transaction that commits
/// the attempt. The secret cannot be rejected before that transaction ends.
pub(crate) async fn may_act(records: &Records, tx: &mut Tx, task: &Task) -> Result<bool, JobError> {
    let held = records.memory.session(task.portal_account_id);
    match (held.map(|held| held.secret), task.credential_id) {
        (Some(secret), Some(own)) => Ok(binding::is_valid(tx, own, &secret).await?),
        _ => Ok(false),
    }
}
