//! Rounds of change detection: one database query finds the users whose tasks or money changed, for
//! all open streams of this process.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use domain::clock::Clock;
use domain::clock::Instant;
use domain::ids::UserId;
use parking_lot::Mutex;
use store::Db;
use store::task::ChangedUser;
use tokio::sync::watch;

use crate::auth::sessions::Sessions;

/// Interval of the query while there are open streams.
const EVERY: Duration = Duration::from_millis(700);
/// Number of rounds after which the sessions of open pages are renewed (about four seconds).
const SIGN_INS_EVERY: u32 = 6;
/// Overlap of two queries, because a commit may become visible after its time stamp, and the clock
/// of another node may be behind.
const LATE: TimeDelta = TimeDelta::seconds(10);

/// Number of rounds that are stored for busy streams.
const REMEMBERED: usize = 64;

/// Users whose rows changed in each of the last rounds. A stream that is busy for several rounds
/// therefore misses no change.
#[derive(Debug, Default)]
pub struct Round {
    number: u64,
    /// Users with changed rows by round, newest round last.
    changed: VecDeque<HashSet<UserId>>,
}

impl Round {
    /// Returns the number of the round.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns `true` if rows of the user changed after the round `since`, or if that is unknown.
    #[must_use]
    pub fn concerns(&self, user: UserId, since: u64) -> bool {
        let missed = usize::try_from(self.number.saturating_sub(since)).unwrap_or(usize::MAX);
        missed > self.changed.len() || self.changed.iter().rev().take(missed).any(|of| of.contains(&user))
    }

    fn add(&mut self, changed: HashSet<UserId>) {
        self.number += 1;
        self.changed.push_back(changed);
        if self.changed.len() > REMEMBERED {
            self.changed.pop_front();
        }
    }
}

/// Rounds of this process; they run while streams are open.
#[derive(Debug, Default)]
pub struct Rounds(Mutex<Option<watch::Sender<Round>>>);

/// Parts of the server that rounds read.
pub struct RoundSource {
    /// Database with the changes.
    pub db: Db,
    /// Sessions of open pages, which the rounds renew.
    pub sessions: Arc<Sessions>,
    /// Wall clock.
    pub wall: Clock,
}

impl Rounds {
    /// Subscribes to the rounds. The first subscriber starts them.
    pub fn listen(self: &Arc<Self>, source: RoundSource) -> watch::Receiver<Round> {
        let mut running = self.0.lock();
        if let Some(rounds) = &*running
            && !rounds.is_closed()
        {
            return rounds.subscribe();
        }
        let (tell, heard) = watch::channel(Round::default());
        *running = Some(tell.clone());
        // The rounds end with their last subscriber. The next rounds then know no previous state,
        // which costs only a few additional queries.
        let rounds = self.clone();
        tokio::spawn(async move { rounds.run(&source, &tell).await });
        heard
    }

    async fn run(&self, source: &RoundSource, tell: &watch::Sender<Round>) {
        let mut last = source.wall.now();
        let mut known = HashMap::new();
        let mut number: u32 = 0;
        loop {
            tokio::select! {
                () = tell.closed() => {
                    // A listener that subscribed meanwhile relies on these rounds, so they must
                    // continue.
                    let mut running = self.0.lock();
                    if tell.is_closed() {
                        *running = None;
                        return;
                    }
                }
                () = tokio::time::sleep(EVERY) => {}
            }
            let now = source.wall.now();
            number = number.wrapping_add(1);
            if number.is_multiple_of(SIGN_INS_EVERY)
                && let Err(error) = source.sessions.renew(&source.db, now).await
            {
                tracing::debug!(%error, "failed to read the sign-ins of open pages");
            }
            match moved(&source.db, last.min(now) - LATE).await {
                Ok(moved) => {
                    let changed = changed(&mut known, moved);
                    tell.send_modify(|round| round.add(changed));
                    // A commit that waits for a standby becomes visible when the standby returns.
                    // Its time stamp is then the start of its wait, so the query must reach back
                    // that far.
                    if source.db.confirms() {
                        last = now;
                    }
                }
                Err(error) => tracing::debug!(%error, "failed to read changes for open event streams"),
            }
        }
    }
}

async fn moved(db: &Db, since: Instant) -> Result<Vec<ChangedUser>, store::Error> {
    let mut tx = db.read().await?;
    let moved = store::task::moved_users(&mut tx, since).await?;
    tx.commit().await?;
    Ok(moved)
}

/// Returns the users whose state differs from that of the previous round.
fn changed(known: &mut HashMap<UserId, ChangedUser>, moved: Vec<ChangedUser>) -> HashSet<UserId> {
    let now: HashMap<UserId, ChangedUser> = moved.into_iter().map(|m| (m.user(), m)).collect();
    let changed = now.iter().filter(|(user, moved)| known.get(user) != Some(moved)).map(|(user, _)| *user);
    let changed = changed.collect();
    *known = now;
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_that_missed_rounds_sees_their_changes() {
        let random = store::Random::seeded(7);
        let [lin, wu] = [0, 1].map(|_| UserId::new(chrono::DateTime::UNIX_EPOCH, random.bytes()));
        let mut round = Round::default();
        round.add(HashSet::from([lin]));
        round.add(HashSet::new());
        assert_eq!(round.number(), 2);
        assert!(round.concerns(lin, 0), "changed in the round before the last");
        assert!(!round.concerns(lin, 1) && !round.concerns(wu, 0) && !round.concerns(lin, 2));
        for _ in 0..REMEMBERED {
            round.add(HashSet::new());
        }
        assert!(round.concerns(wu, 0), "the round is too old, so the stream has to check");
        assert!(!round.concerns(wu, 2));
    }
}
