//! How far a verification is: kept in memory for some minutes, for the one who asked.

use std::collections::HashMap;

use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::Instant;
use domain::ids::UserId;
use engine::verify_login::Stage;
use parking_lot::Mutex;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::AppState;
use crate::auth::Caller;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::Code;
use crate::http::extract::IdPath;

/// Verifications remembered at once, over all users and of one.
const MOST: usize = 1_000;
const MOST_OF_ONE: usize = 8;
/// A verification is forgotten so long after its last word.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::minutes(10);

/// What a verification does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerifyStage {
    /// It waits for its turn.
    Queued,
    /// The portal is being reached.
    Connecting,
    /// Name and password were sent.
    SigningIn,
    /// The account's groups are being read.
    ReadingGroups,
    /// The groups' fees are being read, one after the other.
    ReadingDetails,
    /// What was found is being kept.
    Saving,
    /// It ended well.
    Done,
    /// It did not.
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

/// How far a verification is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VerifyProgress {
    /// What it does now.
    pub stage: VerifyStage,
    /// Which step that is, from 0.
    pub step: u32,
    /// Of how many.
    pub steps: u32,
    /// Groups of the account, once they are known.
    pub groups_found: Option<u32>,
    /// Of these, read so far.
    pub groups_read: Option<u32>,
    /// Since when it does this.
    pub since: DateTime<Utc>,
}

/// The verifications under way, and those that ended a moment ago.
#[derive(Default)]
pub struct Board(Mutex<HashMap<(UserId, Uuid), VerifyProgress>>);

impl Board {
    /// A verification begins; more than a few at once are not remembered.
    pub fn begin(&self, user: UserId, id: Uuid, now: Instant) {
        let mut known = self.0.lock();
        known.retain(|_, progress| now - progress.since < FORGOTTEN_AFTER);
        let own = known.keys().filter(|(of, _)| *of == user).count();
        if known.len() >= MOST || own >= MOST_OF_ONE {
            return;
        }
        known.insert((user, id), at(VerifyStage::Queued, (None, None), now));
    }

    /// The verification says where it is.
    pub fn say(&self, user: UserId, id: Uuid, stage: Stage, now: Instant) {
        let mut known = self.0.lock();
        let Some(progress) = known.get_mut(&(user, id)) else { return };
        let groups = (progress.groups_found, progress.groups_read);
        let count = |groups: usize| u32::try_from(groups).ok();
        *progress = match stage {
            Stage::Connecting => at(VerifyStage::Connecting, groups, now),
            Stage::SigningIn => at(VerifyStage::SigningIn, groups, now),
            Stage::ReadingGroups => at(VerifyStage::ReadingGroups, groups, now),
            Stage::ReadingDetails { read, found } => {
                let since = if progress.stage == VerifyStage::ReadingDetails { progress.since } else { now };
                at(VerifyStage::ReadingDetails, (count(found), count(read)), since)
            }
            Stage::Saving => at(VerifyStage::Saving, groups, now),
        };
    }

    /// It ended.
    pub fn end(&self, user: UserId, id: Uuid, well: bool, now: Instant) {
        let mut known = self.0.lock();
        let Some(progress) = known.get_mut(&(user, id)) else { return };
        let stage = if well { VerifyStage::Done } else { VerifyStage::Failed };
        *progress = at(stage, (progress.groups_found, progress.groups_read), now);
    }

    fn get(&self, user: UserId, id: Uuid, now: Instant) -> Option<VerifyProgress> {
        let known = self.0.lock();
        known.get(&(user, id)).copied().filter(|progress| now - progress.since < FORGOTTEN_AFTER)
    }
}

const fn at(stage: VerifyStage, groups: (Option<u32>, Option<u32>), since: Instant) -> VerifyProgress {
    VerifyProgress {
        stage,
        step: stage.step(),
        steps: 6,
        groups_found: groups.0,
        groups_read: groups.1,
        since,
    }
}

/// How far the caller's own verification is, by the id they gave it; 404 when it is not known (any more): show the time alone.
#[utoipa::path(get, path = "/schedules/verify-credentials/{id}", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The `progress_id` of the verification")),
    responses((status = 200, body = Envelope<VerifyProgress>), (status = "4XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn get_verify_progress(
    State(app): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<Uuid>,
) -> Answer<VerifyProgress> {
    match app.verifying.get(caller.user, id, app.now()) {
        Some(progress) => ok(progress),
        None => Err(Code::NotFound.into()),
    }
}
