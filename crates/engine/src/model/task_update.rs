//! Condition updates of tasks.

use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::ids::TaskId;
use serde_json::{Value, json};

/// Returns the evidence stored with [`TaskCondition::DeadlinePassed`].
pub(crate) fn evidence(deadline: Option<Instant>) -> Value {
    json!({ "change_deadline": deadline })
}

/// A condition to write for one task.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TaskUpdate {
    pub task: TaskId,
    pub condition: TaskCondition,
    pub evidence: Value,
    pub next_try_at: Option<Instant>,
}
