//! What empty lists mean here and now, whom it concerns, and how an account that is held back rests and comes back.
//!
//! The inference itself is `inference::cause::infer`; nothing in here sends a request.

use std::collections::VecDeque;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use inference::cause::ban;
use inference::cause::infer::InferredCause;

use crate::model::task_update::Told;

/// Judgements kept for stories and the operator.
const KEPT: usize = 1_024;

/// What a poll means beyond its days.
#[derive(Default, PartialEq)]
pub(crate) struct Weighed {
    /// Whether the list may be taken as it is.
    pub trusted: bool,
    /// What tasks are told because of it.
    pub told: Vec<Told>,
    /// Accounts that rest from now on, and until when; whether a new ban is certain enough to cost them looks.
    pub cooled: Vec<(PortalAccountId, Instant, bool)>,
    /// Accounts that are shown days again.
    pub recovered: Vec<PortalAccountId>,
}

impl Weighed {
    pub fn is_nothing(&self) -> bool {
        self.told.is_empty() && self.cooled.is_empty() && self.recovered.is_empty()
    }
}

/// The latest judgements, each with its number; a changed one comes again.
#[derive(Default)]
pub(crate) struct Judged {
    next: u64,
    pub kept: VecDeque<(u64, InferredCause)>,
}

impl Judged {
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
    pub fn cooling_since(&self, now: Instant) -> Instant {
        let rested = ban::rest(TimeDelta::zero());
        self.cooling_since.unwrap_or_else(|| self.not_before.unwrap_or(now).min(now) - rested)
    }
}
