//! Effects of inferred causes of empty lists: the affected tasks, and the cool-down and recovery of
//! a soft-banned account.
//!
//! The inference itself is `inference::cause::infer`; this module sends no request.

use std::collections::VecDeque;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use inference::cause::ban;
use inference::cause::infer::InferredCause;

use crate::model::task_update::TaskUpdate;

/// Maximum number of inferences kept to be written.
const KEPT: usize = 1_024;

/// Effects of a poll beyond its dates.
#[derive(Default, PartialEq)]
pub(crate) struct InferredEffects {
    /// `true` if the list may be used as it is.
    pub trusted: bool,
    /// Conditions to write for tasks because of the poll.
    pub told: Vec<TaskUpdate>,
    /// Accounts that cool down from now on, each with the end, and `true` if the ban is new and
    /// certain enough to reduce their polls.
    pub soft_banned: Vec<(PortalAccountId, Instant, bool)>,
    /// Accounts that are shown dates again.
    pub recovered: Vec<PortalAccountId>,
}

impl InferredEffects {
    pub fn is_nothing(&self) -> bool {
        self.told.is_empty() && self.soft_banned.is_empty() && self.recovered.is_empty()
    }
}

/// Latest inferences, each with its number; a changed inference is added again.
#[derive(Default)]
pub(crate) struct InferenceLog {
    next: u64,
    pub kept: VecDeque<(u64, InferredCause)>,
}

impl InferenceLog {
    pub fn add(&mut self, judgement: InferredCause) {
        self.next += 1;
        self.kept.push_back((self.next, judgement));
        if self.kept.len() > KEPT {
            self.kept.pop_front();
        }
    }
}

impl crate::model::account::Account {
    /// Returns the start of the soft ban, as far as it is known.
    pub fn soft_banned_since(&self, now: Instant) -> Instant {
        let rested = ban::cool_down(TimeDelta::zero());
        self.soft_banned_since.unwrap_or_else(|| self.not_before.unwrap_or(now).min(now) - rested)
    }
}
