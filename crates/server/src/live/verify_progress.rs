//! Progress of verifications of portal logins, in memory, for the users who started them.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use domain::ids::UserId;
use engine::verify_login::Stage;
use parking_lot::Mutex;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Maximum number of stored verifications, over all users and of one user.
const MOST: usize = 1_000;
const MOST_OF_ONE: usize = 8;
/// Time after the last update at which a verification is deleted.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::minutes(10);

/// Stage of a verification of a portal login.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerifyStage {
    /// The verification waits for a permit.
    Queued,
    /// The server connects to the portal.
    Connecting,
    /// The server has sent the login name and the password.
    SigningIn,
    /// The server reads the account's groups.
    ReadingGroups,
    /// The server reads the fees of the groups, one after the other.
    ReadingDetails,
    /// The server stores the results.
    Saving,
    /// The verification succeeded.
    Done,
    /// The verification failed.
    Failed,
}

impl VerifyStage {
    const fn step(self) -> u32 {
        match self {
            Self::Queued => 0,
            Self::Connecting => 1,
            Self::SigningIn => 2,
            Self::ReadingGroups => 3,
            Self::ReadingDetails => 4,
            Self::Saving => 5,
            Self::Done | Self::Failed => 6,
        }
    }
}

/// Progress of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VerifyProgress {
    /// Current stage.
    pub stage: VerifyStage,
    /// Number of the current step, from 0.
    pub step: u32,
    /// Total number of steps.
    pub steps: u32,
    /// Number of groups in the account; null until it is known.
    pub groups_found: Option<u32>,
    /// Number of groups whose details were read; null until reading begins.
    pub groups_read: Option<u32>,
    /// Time at which the current stage began.
    pub since: DateTime<Utc>,
}

/// Verifications in progress, and verifications that ended recently.
#[derive(Default)]
pub struct RunningVerifications(Mutex<HashMap<(UserId, Uuid), VerifyProgress>>);

impl RunningVerifications {
    /// Stores a new verification, unless too many are stored.
    pub fn begin(&self, user: UserId, id: Uuid, now: Instant) {
        let mut known = self.0.lock();
        known.retain(|_, progress| now - progress.since < FORGOTTEN_AFTER);
        let own = known.keys().filter(|(of, _)| *of == user).count();
        if known.len() >= MOST || own >= MOST_OF_ONE {
            return;
        }
        known.insert((user, id), new_progress(VerifyStage::Queued, (None, None), now));
    }

    /// Sets the stage of a verification.
    pub fn set_stage(&self, user: UserId, id: Uuid, stage: Stage, now: Instant) {
        let mut known = self.0.lock();
        let Some(progress) = known.get_mut(&(user, id)) else { return };
        let groups = (progress.groups_found, progress.groups_read);
        let count = |groups: usize| u32::try_from(groups).ok();
        *progress = match stage {
            Stage::Connecting => new_progress(VerifyStage::Connecting, groups, now),
            Stage::SigningIn => new_progress(VerifyStage::SigningIn, groups, now),
            Stage::ReadingGroups => new_progress(VerifyStage::ReadingGroups, groups, now),
            Stage::ReadingDetails { read, found } => {
                let since = if progress.stage == VerifyStage::ReadingDetails { progress.since } else { now };
                new_progress(VerifyStage::ReadingDetails, (count(found), count(read)), since)
            }
            Stage::Saving => new_progress(VerifyStage::Saving, groups, now),
        };
    }

    /// Sets the final stage of a verification.
    pub fn finish(&self, user: UserId, id: Uuid, well: bool, now: Instant) {
        let mut known = self.0.lock();
        let Some(progress) = known.get_mut(&(user, id)) else { return };
        let stage = if well { VerifyStage::Done } else { VerifyStage::Failed };
        *progress = new_progress(stage, (progress.groups_found, progress.groups_read), now);
    }

    /// Returns the progress of a verification of this user, until it is removed.
    pub fn get(&self, user: UserId, id: Uuid, now: Instant) -> Option<VerifyProgress> {
        let known = self.0.lock();
        known.get(&(user, id)).copied().filter(|progress| now - progress.since < FORGOTTEN_AFTER)
    }
}

const fn new_progress(
    stage: VerifyStage,
    groups: (Option<u32>, Option<u32>),
    since: Instant,
) -> VerifyProgress {
    VerifyProgress {
        stage,
        step: stage.step(),
        steps: 6,
        groups_found: groups.0,
        groups_read: groups.1,
        since,
    }
}
