//! Stories of PostgreSQL failovers during a booking: of two servers, one is killed, cut off or
//! promoted at the worst moment. The oracle is the sandbox's journal (at most one applied POST per
//! attempt; booked means charged) and the ledger.
//!
//! A few of them always run; `SOONER_FAILOVER=full` runs all (about 15 s each).

mod cluster;
mod database;
#[allow(dead_code, reason = "the stage's oracle can do more than is wanted here")]
#[path = "../stories/oracle/mod.rs"]
mod oracle;
#[allow(dead_code, reason = "the stories' stage can do more than is wanted here")]
#[path = "../stories/stage.rs"]
mod stage;
#[allow(dead_code, reason = "as above")]
#[path = "../stories/time.rs"]
mod time;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chrono::TimeDelta;
use domain::booking::AttemptState;
use domain::ids::TaskId;
use engine::on_fail_points;
use stage::{Stage, TORONTO, at, toronto};

use cluster::{Cluster, Node};

/// A booking that is about to be made on a cluster.
struct Story {
    cluster: Arc<Cluster>,
    stage: Stage,
    group: u64,
    task: TaskId,
}

fn is_full() -> bool {
    std::env::var("SOONER_FAILOVER").is_ok_and(|size| size == "full")
}

impl Story {
    /// Submits a watched task while no day is free.
    async fn begin(synchronous: bool) -> Self {
        let cluster = Arc::new(Cluster::start(synchronous));
        database::stand_on(cluster.url());
        let stage = Stage::new().await;
        let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
        let task = stage.task("lin", toronto()).await;
        stage.run_for(TimeDelta::minutes(5)).await;
        Self { cluster, stage, group, task }
    }

    /// Frees a day, and runs `act` when the engine first reaches `point`.
    async fn until(&self, point: &'static str, act: impl FnOnce(&Arc<Cluster>) + 'static) {
        self.until_both(("armed", |_| ()), (point, act)).await;
    }

    /// Does the same, with another action at an earlier point.
    async fn until_both(
        &self,
        (before, first): (&'static str, impl FnOnce(&Arc<Cluster>) + 'static),
        (point, act): (&'static str, impl FnOnce(&Arc<Cluster>) + 'static),
    ) {
        self.stage.slot(TORONTO, "2027-02-09", "09:15");
        let (cluster, reached) = (self.cluster.clone(), Arc::new(AtomicBool::new(false)));
        let (seen, mut first, mut act) = (reached.clone(), Some(first), Some(act));
        on_fail_points(Some(Box::new(move |name| {
            if name == before
                && let Some(first) = first.take()
            {
                first(&cluster);
            }
            if name == point
                && let Some(act) = act.take()
            {
                act(&cluster);
                seen.store(true, Ordering::SeqCst);
            }
        })));
        self.stage.run_until(TimeDelta::hours(1), || reached.load(Ordering::SeqCst)).await;
        on_fail_points(None);
        assert!(reached.load(Ordering::SeqCst), "{point} was never reached");
    }

    /// Waits, in real time, until the program notices that commits end again.
    async fn confirms_again(&self) {
        for _ in 0..600 {
            if self.stage.ctx.db.confirms() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the database accepts writes, and the engine writes nothing");
    }

    /// Continues for hours, and compares the portal, the attempts and the ledger.
    async fn ends_well(&self, posts: usize) {
        let stage = &self.stage;
        // The steps are small, because a round that fails does not know what is due.
        for _ in 0..72 {
            stage.run_for(TimeDelta::minutes(5)).await;
        }
        let mut tx = stage.ctx.db.read().await.expect("tx");
        let attempts = store::booking_attempt::of_task(&mut tx, self.task).await.expect("attempts");
        drop(tx);
        let task = stage.read(self.task).await;
        let applied = stage.applied(self.group);
        assert!(stage.requests("book") <= posts, "{} POSTs: {attempts:?}", stage.requests("book"));
        assert_eq!(applied, 1, "booked once: {attempts:?}");
        let confirmed = attempts.iter().filter(|attempt| attempt.state == AttemptState::Confirmed).count();
        assert_eq!(confirmed, applied, "an applied booking was not confirmed: {attempts:?}");
        let shows = stage.portal_shows(self.group).expect("an appointment");
        assert_eq!(task.interview().map(|slot| (slot.date, slot.time)), Some((shows.date, shows.time)));
        assert_eq!(stage.balance(task.user_id).await, (96_200, 0), "booked means charged, once");
        stage.assert_tidy().await;
    }
}

// spec: 10.15.19
/// Checks that an attempt is read back after an asynchronous failover. The second server has no
/// record that it was sent.
#[tokio::test]
async fn a_sent_attempt_lost_by_an_async_failover_is_read_back() {
    let story = Story::begin(false).await;
    story
        .until("acting.before_commit", |cluster| {
            // The second server has the attempt in the state *prepared*.
            cluster.wait("the second has all", || cluster.follows());
            cluster.kill(Node::Second);
        })
        .await;
    assert_eq!(story.stage.requests("book"), 1, "sent");
    story.cluster.kill(Node::First);
    story.cluster.up(Node::Second, "");
    story.cluster.promote();
    story.ends_well(1).await;
}

// spec: 10.15.12
/// Checks that an attempt is found if the first server dies before the result of the POST is
/// stored. The second server does not know that it was sent, nor for which time. The engine's later
/// writes must not hide that.
#[tokio::test]
async fn a_sent_attempt_is_found_if_its_result_is_stored_after_failover() {
    let story = Story::begin(false).await;
    let behind = |cluster: &Arc<Cluster>| {
        cluster.wait("the second has all", || cluster.follows());
        cluster.kill(Node::Second);
    };
    let gone = |cluster: &Arc<Cluster>| cluster.kill(Node::First);
    story.until_both(("acting.before_commit", behind), ("post.ended", gone)).await;
    // The lease is due, so it is the first query to the second server.
    story.stage.clock.advance(TimeDelta::seconds(10));
    story.cluster.up(Node::Second, "");
    story.cluster.promote();
    story.ends_well(1).await;
}

// spec: 10.15.12
/// Checks that the result of a POST is not lost if the second server is promoted at once. The
/// result would be stored there before the failover is noticed.
#[tokio::test]
async fn a_post_result_is_not_lost_on_a_server_promoted_at_once() {
    let story = Story::begin(false).await;
    let behind = |cluster: &Arc<Cluster>| {
        cluster.wait("the second has all", || cluster.follows());
        cluster.kill(Node::Second);
    };
    let promoted = |cluster: &Arc<Cluster>| {
        cluster.kill(Node::First);
        cluster.up(Node::Second, "");
        cluster.promote();
    };
    story.until_both(("acting.before_commit", behind), ("post.ended", promoted)).await;
    story.ends_well(1).await;
}

// spec: 10.15.19
#[tokio::test]
async fn without_the_standby_nothing_is_sent_and_the_attempt_is_read_back() {
    let story = Story::begin(true).await;
    story.until("acting.before_commit", |cluster| cluster.kill(Node::Second)).await;
    assert_eq!(story.stage.requests("book"), 0, "not confirmed, so not sent");
    assert!(story.cluster.waiting() > 0, "the commit still waits at the server");
    story.stage.run_for(TimeDelta::minutes(10)).await;
    assert_eq!(story.stage.requests("book"), 0);
    assert!(story.cluster.waiting() <= 6, "{} processes wait", story.cluster.waiting());
    assert_eq!(story.stage.read(story.task).await.id, story.task, "reads are answered");
    story.cluster.second_returns();
    story.confirms_again().await;
    story.ends_well(1).await;
}

// spec: 10.15.19
#[tokio::test]
async fn a_cancelled_commit_wait_is_unknown_and_nothing_is_sent() {
    let story = Story::begin(true).await;
    story
        .until("acting.before_commit", |cluster| {
            cluster.kill(Node::Second);
            let cluster = cluster.clone();
            std::thread::spawn(move || {
                cluster.wait("a commit waits", || cluster.waiting() > 0);
                cluster.cancel_waits();
            });
        })
        .await;
    assert_eq!(story.stage.requests("book"), 0, "PostgreSQL acknowledged the commit with a warning");
    // The acknowledged commit is lost.
    story.cluster.kill(Node::First);
    story.cluster.up(Node::Second, "");
    story.cluster.promote();
    story.confirms_again().await;
    story.ends_well(1).await;
}

#[tokio::test]
async fn nothing_is_sent_while_the_primary_is_demoted() {
    if !is_full() {
        return;
    }
    let story = Story::begin(false).await;
    story.cluster.demote();
    story.stage.slot(TORONTO, "2027-02-09", "09:15");
    story.stage.run_for(TimeDelta::minutes(10)).await;
    assert_eq!(story.stage.requests("book"), 0, "the server is read-only");
    assert_eq!(story.stage.read(story.task).await.id, story.task);
    story.cluster.promote();
    story.confirms_again().await;
    story.ends_well(1).await;
}

/// Every point of a booking at which the primary may die.
const POINTS: [&str; 11] = [
    "arm.before_commit",
    "armed",
    "preflight.read",
    "acting.before_commit",
    "acting.committed",
    "post.ended",
    "evidence.before_commit",
    "evidence.committed",
    "readback.read",
    "settle.before_commit",
    "settle.committed",
];

async fn promoted_at(point: &'static str, synchronous: bool) {
    let story = Story::begin(synchronous).await;
    story
        .until(point, |cluster| {
            cluster.kill(Node::First);
            cluster.promote();
        })
        .await;
    story.confirms_again().await;
    story.ends_well(1).await;
}

#[tokio::test]
async fn bookings_survive_a_promotion_at_each_point() {
    if is_full() {
        for point in POINTS {
            promoted_at(point, true).await;
            promoted_at(point, false).await;
        }
    }
}
