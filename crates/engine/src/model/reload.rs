//! Rows taken over into memory.

use domain::clock::Instant;
use domain::ids::TaskId;
use uuid::Uuid;

/// How far the second reading of every row has come.
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

/// An id before every task's.
pub(crate) const fn nobody() -> TaskId {
    TaskId(Uuid::nil())
}
