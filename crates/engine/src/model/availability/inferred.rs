//! Inferred causes of empty lists: their effects that are to be written, and the latest inferences.

use std::collections::VecDeque;

use domain::clock::Instant;
use domain::ids::PortalAccountId;
use inference::cause::infer::InferredCause;
use serde_json::{Value, json};

use crate::model::task_update::TaskUpdate;

/// Maximum number of inferences kept to be written.
const KEPT: usize = 1_024;

/// Effects of a poll beyond its dates.
#[derive(Default, PartialEq)]
pub(crate) struct InferredEffects {
    /// `true` if the list may be used as it is.
    pub trusted: bool,
    /// Conditions to write for tasks because of the poll.
    pub conditions: Vec<TaskUpdate>,
    /// Accounts whose cool-down begins, each with its end. The flag is `true` if the ban is new and
    /// certain enough to reduce the account's polls.
    pub soft_banned: Vec<(PortalAccountId, Instant, bool)>,
    /// Accounts to which the portal shows dates again.
    pub recovered: Vec<PortalAccountId>,
}

impl InferredEffects {
    /// Returns `true` if there is nothing to write.
    pub fn is_nothing(&self) -> bool {
        self.conditions.is_empty() && self.soft_banned.is_empty() && self.recovered.is_empty()
    }
}

/// Latest inferences, each with its number; a changed inference is added again.
#[derive(Default)]
pub(crate) struct InferenceLog {
    next: u64,
    kept: VecDeque<(u64, InferredCause)>,
}

impl InferenceLog {
    /// Adds an inference; the oldest beyond the maximum is dropped.
    pub fn add(&mut self, judgement: InferredCause) {
        self.next += 1;
        self.kept.push_back((self.next, judgement));
        if self.kept.len() > KEPT {
            self.kept.pop_front();
        }
    }

    /// Returns the inferences since number `after`, oldest first.
    pub fn after(&self, after: u64) -> Vec<(u64, InferredCause)> {
        self.kept.iter().filter(|(number, _)| *number > after).cloned().collect()
    }
}

/// Returns the evidence of an inference, as users and operators may see it.
pub(super) fn evidence(judgement: &InferredCause) -> Value {
    let mut data = json!(judgement.evidence);
    data["facility"] = json!(judgement.key.facility.name());
    data["meaning"] = json!(judgement.meaning.as_str());
    data["confidence"] = json!((judgement.confidence * 100.0).round());
    data
}
