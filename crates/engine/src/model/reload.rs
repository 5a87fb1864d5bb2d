//! Rows taken over into memory.

use domain::clock::Instant;
use domain::ids::TaskId;
use uuid::Uuid;

/// Progress of the second reading of every row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RescanCursor {
    /// The last task read.
    pub from: TaskId,
    pub at: Option<Instant>,
}

impl Default for RescanCursor {
    fn default() -> Self {
        Self { from: nobody(), at: None }
    }
}

/// Returns an id that sorts before every task's id.
pub(crate) const fn nobody() -> TaskId {
    TaskId(Uuid::nil())
}
