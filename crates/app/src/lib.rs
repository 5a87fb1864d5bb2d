//! Use cases without HTTP, in the caller's transaction: the engine, the server and the operator's commands call the same
//! functions, so that what happens to a task, its password and its money is decided once.

use domain::appointment::Slot;
use domain::clock::{Clock, Instant};
use domain::ids::TaskId;
use serde_json::{Value, json};
use store::{Random, Tx};
use uuid::Uuid;

pub mod credentials;
pub mod money;
pub mod tasks;

/// Why a use case did not take place.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule speaks against it; nothing was written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The database failed, or the books are frozen.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// The rules that refuse a use case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing there, or somebody else's.
    #[error("not found")]
    NotFound,
    /// A booking in the portal account is being sent, or its outcome is not known yet.
    #[error("a booking in this account is under way")]
    AccountBusy,
    /// The task's status changed since it was read.
    #[error("the task's status has changed")]
    StatusChanged,
    /// The portal has rejected the task's password.
    #[error("the portal has rejected the password")]
    NeedsNewPassword,
    /// The task's password was removed.
    #[error("the password was removed")]
    CredentialsRemoved,
    /// Another task holds the group by now.
    #[error("another task holds the group")]
    GroupTaken,
}

/// The clocks and random numbers of a use case; cheap to clone.
#[derive(Clone)]
pub struct Ctx {
    /// Stamps of rows; never scaled.
    pub wall: Clock,
    /// The portal's time: journals, budgets, deadlines.
    pub portal_time: Clock,
    /// Random bytes for ids.
    pub random: Random,
}

impl Ctx {
    /// A fresh UUIDv7 stamped `now`.
    #[must_use]
    pub fn uuid(&self, now: Instant) -> Uuid {
        domain::ids::uuid_v7(now, self.random.bytes())
    }

    /// Adds an entry to a task's journal.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn journal(
        &self,
        tx: &mut Tx,
        task: TaskId,
        kind: &str,
        data: &Value,
    ) -> Result<(), store::Error> {
        let now = self.portal_time.now();
        store::journal::add(tx, self.uuid(now), task, kind, data, now).await
    }
}

/// A slot as journals, conditions and mails name it.
#[must_use]
pub fn slot(slot: &Slot) -> Value {
    json!({
        "date": slot.date.to_string(),
        "time": slot.time.format("%H:%M").to_string(),
        "facility": slot.facility.name(),
        "facility_zh": slot.facility.facility().name_zh,
    })
}
