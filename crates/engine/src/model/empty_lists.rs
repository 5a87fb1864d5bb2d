//! What empty lists mean here and now, whom it concerns, and how an account that is held back rests and comes back.
//!
//! The inference itself is `inference::cause::infer`; nothing in here sends a request.

use std::collections::VecDeque;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use inference::cause::ban;
use inference::cause::infer::InferredCause;

use crate::model::task_update::TaskUpdate;

/// Judgements kept for stories and the operator.
const KEPT: usize = 1_024;

/// What a poll means beyond its days.
#[derive(Default, PartialEq)]
pub(crate) struct InferredEffects {
    /// Whether the list may be taken as it is.
    pub trusted: bool,
    /// What tasks are told because of it.
    pub told: Vec<TaskUpdate>,
    /// Accounts that rest from now on, and until when; whether a new ban is certain enough to cost them looks.
    pub soft_banned: Vec<(PortalAccountId, Instant, bool)>,
    /// Accounts that are shown days again.
    pub recovered: Vec<PortalAccountId>,
}

impl InferredEffects {
    pub fn is_nothing(&self) -> bool {
        self.told.is_empty() && self.soft_banned.is_empty() && self.recovered.is_empty()
    }
}

/// The latest judgements, each with its number; a changed one comes again.
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
    /// Since when it is held back, as far as is known.
    pub fn soft_banned_since(&self, now: Instant) -> Instant {
        let rested = ban::rest(TimeDelta::zero());
        self.soft_banned_since.unwrap_or_else(|| self.not_before.unwrap_or(now).min(now) - rested)
    }
}
