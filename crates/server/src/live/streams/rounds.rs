//! One look at the database for all open streams of this process: whose tasks or money changed since the last one.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::UserId;
use parking_lot::Mutex;
use store::task::Moved;
use tokio::sync::watch;

use crate::AppState;

/// How often the database is looked at while anybody listens.
const EVERY: Duration = Duration::from_millis(700);
/// Commits may land a little after their stamp, and another node's clock may be behind.
const LATE: TimeDelta = TimeDelta::seconds(10);

/// Whose rows changed, as of the last round.
pub type Round = Arc<HashSet<UserId>>;

/// The rounds of this process; they go on as long as anybody listens.
#[derive(Debug, Default)]
pub struct Rounds(Mutex<Option<watch::Sender<Round>>>);

impl Rounds {
    /// The rounds from now on; they begin with the first listener.
    pub fn listen(app: &AppState) -> watch::Receiver<Round> {
        let mut running = app.rounds.0.lock();
        if let Some(rounds) = &*running
            && !rounds.is_closed()
        {
            return rounds.subscribe();
        }
        let (tell, heard) = watch::channel(Round::default());
        *running = Some(tell.clone());
        // What ends with it is cheaper than what would go on without listeners.
        let app = app.clone();
        tokio::spawn(async move { run(&app, &tell).await });
        heard
    }
}

async fn run(app: &AppState, tell: &watch::Sender<Round>) {
    let mut last = app.now();
    let mut known = HashMap::new();
    loop {
        tokio::select! {
            () = tell.closed() => {
                // A listener that came meanwhile found the rounds going on: it must not be left alone.
                let mut running = app.rounds.0.lock();
                if tell.is_closed() {
                    *running = None;
                    return;
                }
            }
            () = tokio::time::sleep(EVERY) => {}
        }
        let now = app.now();
        match moved(app, last.min(now) - LATE).await {
            Ok(moved) => {
                let _ = tell.send(Arc::new(changed(&mut known, moved)));
                last = now;
            }
            Err(error) => tracing::debug!(%error, "open streams missed a look"),
        }
    }
}

async fn moved(app: &AppState, since: Instant) -> Result<Vec<Moved>, store::Error> {
    let mut tx = app.db.read().await?;
    let moved = store::task::moved_users(&mut tx, since).await?;
    tx.commit().await?;
    Ok(moved)
}

/// Whose changes are others than in the round before.
fn changed(known: &mut HashMap<UserId, Moved>, moved: Vec<Moved>) -> HashSet<UserId> {
    let now: HashMap<UserId, Moved> = moved.into_iter().map(|m| (m.user(), m)).collect();
    let changed = now.iter().filter(|(user, moved)| known.get(user) != Some(moved)).map(|(user, _)| *user);
    let changed = changed.collect();
    *known = now;
    changed
}
