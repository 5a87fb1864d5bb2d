//! Comparison of the promises with the portal's own journal.

use std::collections::HashMap;
use std::fmt;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sandbox::journal::{Effect, Entry};
use uuid::Uuid;

use super::users::Person;
use crate::stage::Stage;

/// Result of a run.
pub(super) struct TaskCondition {
    /// Every promise that was broken, with its evidence.
    pub broken: Vec<String>,
    /// Number of attempts that sent a POST.
    pub acted: usize,
    attempts: usize,
    booked: usize,
    by_hand: usize,
    told_booked: usize,
    left_open: usize,
    /// Seconds from the end of the POST to the settlement, sorted.
    confirmed: Vec<i64>,
    /// The same for bookings with a fingerprint appointment, which only the lagging groups page
    /// shows.
    confirmed_pairs: Vec<i64>,
    not_booked: Vec<i64>,
    requests: usize,
    faults: usize,
    /// Bookings confirmed after more than a minute, with their readings.
    slow: Vec<String>,
}

/// Stored attempt: task, state, time of *sending*, t0, time of the settlement, date.
struct BookingAttempt {
    state: String,
    prepared_at: DateTime<Utc>,
    sending_at: Option<DateTime<Utc>>,
    t0: Option<DateTime<Utc>>,
    settled_at: Option<DateTime<Utc>>,
    date: NaiveDate,
    readings: serde_json::Value,
}

type Row = (
    Uuid,
    String,
    DateTime<Utc>,
    Option<DateTime<Utc>>,
    Option<DateTime<Utc>>,
    Option<DateTime<Utc>>,
    NaiveDate,
    serde_json::Value,
);

async fn attempts(stage: &Stage) -> HashMap<Uuid, Vec<BookingAttempt>> {
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let sql = "SELECT task_id, state, armed_at, acting_at, t0, settled_at, target_date, readings FROM intent ORDER BY armed_at";
    let rows = store::all!(&mut tx, Row, sql).expect("intents");
    let mut by_task: HashMap<Uuid, Vec<BookingAttempt>> = HashMap::new();
    for (task, state, prepared_at, sending_at, t0, settled_at, date, readings) in rows {
        let attempt = BookingAttempt { state, prepared_at, sending_at, t0, settled_at, date, readings };
        by_task.entry(task).or_default().push(attempt);
    }
    by_task
}

/// Compares both sides, user by user.
pub(super) async fn judge(stage: &Stage, people: &[Person]) -> TaskCondition {
    let journal: Vec<Entry> = stage.sandbox.with_world(|w| w.journal.after(0).to_vec());
    let mut condition = TaskCondition {
        broken: Vec::new(),
        acted: 0,
        attempts: 0,
        booked: 0,
        by_hand: 0,
        told_booked: 0,
        left_open: 0,
        confirmed: Vec::new(),
        confirmed_pairs: Vec::new(),
        not_booked: Vec::new(),
        requests: journal.len(),
        slow: Vec::new(),
        faults: journal.iter().filter(|e| !e.faults.is_empty()).count(),
    };
    let by_task = attempts(stage).await;
    for person in people {
        let none = Vec::new();
        let mine = by_task.get(&person.task.0).unwrap_or(&none);
        let asked: Vec<&Entry> =
            journal.iter().filter(|e| e.portal_schedule_id == Some(person.group)).collect();
        condition.judge_posts(person, mine, &asked);
        condition.judge_money(stage, person, &asked).await;
    }
    let mut tx = stage.ctx.db.read().await.expect("tx");
    for difference in store::ledger::check(&mut tx).await.expect("check") {
        condition.broken.push(format!("the books differ: {difference:?}"));
    }
    drop(tx);
    condition.confirmed.sort_unstable();
    condition.confirmed_pairs.sort_unstable();
    condition.not_booked.sort_unstable();
    condition
}

impl TaskCondition {
    /// Checks that an attempt sends at most one POST, after an own poll and never to a later date.
    /// The stored outcome must be right.
    fn judge_posts(&mut self, person: &Person, attempts: &[BookingAttempt], asked: &[&Entry]) {
        let who = person.group;
        let acted: Vec<&BookingAttempt> = attempts.iter().filter(|i| i.sending_at.is_some()).collect();
        self.attempts += attempts.len();
        self.acted += acted.len();
        let mut posts: Vec<Vec<&Entry>> = vec![Vec::new(); acted.len()];
        for post in asked.iter().filter(|e| e.kind == "book") {
            let of = acted.iter().rposition(|i| i.sending_at.is_some_and(|at| at <= post.world_time));
            match of {
                Some(of) => posts[of].push(post),
                None => self.broken.push(format!("{who}: a POST without an intent at {}", post.world_time)),
            }
            self.judge_own_poll(who, post, asked);
            self.judge_change(who, post);
        }
        for (attempt, posts) in acted.iter().zip(&posts) {
            if posts.len() > 1 {
                self.broken.push(format!(
                    "{who}: {} POSTs of one intent at {}",
                    posts.len(),
                    attempt.prepared_at
                ));
            }
            let applied = posts.iter().any(|p| matches!(p.effect, Effect::Booked { .. }));
            self.judge_report(person, attempt, applied);
        }
        // Changes that users make in a browser use the same attempts; no task uses the last one
        // here.
        let changes = asked.iter().filter(|e| matches!(e.effect, Effect::Booked { .. })).count();
        self.booked += asked.iter().filter(|e| is_ours(e)).count();
        self.by_hand += asked.iter().filter(|e| e.kind == "hand").count();
        if person.quota.is_some_and(|quota| changes > quota) {
            self.broken.push(format!("{who}: {changes} changes, {:?} allowed", person.quota));
        }
    }

    /// Checks that the account itself saw a time on that day just before.
    fn judge_own_poll(&mut self, who: u64, post: &Entry, asked: &[&Entry]) {
        let fresh = post.world_time - TimeDelta::seconds(60);
        let saw = asked.iter().any(|e| {
            matches!(e.effect, Effect::Timed { times: 1.., .. })
                && (fresh..=post.world_time).contains(&e.world_time)
        });
        if !saw {
            self.broken.push(format!("{who}: a POST without an own look at {}", post.world_time));
        }
    }

    fn judge_change(&mut self, who: u64, post: &Entry) {
        match &post.effect {
            Effect::Booked { from: Some(from), to } if to.date >= from.date => {
                self.broken.push(format!("{who}: moved from {} to the later {}", from.date, to.date));
            }
            Effect::Booked { .. }
                if post.asc.as_ref().is_some_and(|asc| asc.from.is_some() && asc.to.is_none()) =>
            {
                self.broken
                    .push(format!("{who}: the fingerprint appointment is lost at {}", post.world_time));
            }
            Effect::Reverted { .. } => {
                self.broken.push(format!("{who}: a second POST undid the first at {}", post.world_time));
            }
            _ => {}
        }
    }

    fn judge_report(&mut self, person: &Person, attempt: &BookingAttempt, applied: bool) {
        let who = person.group;
        let seconds = attempt.settled_at.zip(attempt.t0).map(|(settled, t0)| (settled - t0).num_seconds());
        let told = attempt.state == "confirmed";
        match attempt.state.as_str() {
            "confirmed" => {
                if seconds.is_some_and(|s| s > 60) {
                    self.slow.push(format!(
                        "{who}: confirmed after {seconds:?} s, acting {:?}, t0 {:?}: {}",
                        attempt.sending_at, attempt.t0, attempt.readings
                    ));
                }
                if person.pair { &mut self.confirmed_pairs } else { &mut self.confirmed }.extend(seconds);
            }
            "refused" | "not_booked" => self.not_booked.extend(seconds),
            _ => {
                self.left_open += 1;
                return;
            }
        }
        self.told_booked += usize::from(told);
        if told != applied {
            let (state, date) = (&attempt.state, attempt.date);
            self.broken.push(format!("{who}: reported {state} for {date}, applied: {applied}"));
        }
    }

    /// Checks that a booking is charged once, in full, and exactly when the portal booked it. The
    /// appointment in the database must be the one at the portal.
    async fn judge_money(&mut self, stage: &Stage, person: &Person, asked: &[&Entry]) {
        let who = person.group;
        let task = stage.read(person.task).await;
        let first = asked.iter().find(|e| is_ours(e)).map(|e| e.world_time);
        let booked = first.is_some();
        if task.captured_at.zip(first).is_some_and(|(charged, booked)| charged < booked) {
            self.broken.push(format!("{who}: charged before anything was booked"));
        }
        let mut tx = stage.ctx.db.read().await.expect("tx");
        let open = store::booking_attempt::live(&mut tx).await.expect("live");
        let sql = "SELECT CAST(COALESCE(SUM(c.amount), 0) AS BIGINT) FROM ledger_transfer c
             JOIN ledger_transfer h ON h.id = c.resolves_id
             WHERE c.kind = 'capture' AND h.source_kind = 'task' AND h.source_id = $1";
        let in_the_books = store::scalar!(&mut tx, i64, sql, person.task.0).expect("sum");
        drop(tx);
        if open.iter().any(|i| i.task_id == person.task) {
            return;
        }
        let charged = task.captured_amount.unwrap_or(0);
        if charged != if booked { person.price } else { 0 } {
            self.broken.push(format!("{who}: charged {charged}, booked: {booked}"));
        }
        if in_the_books != charged {
            self.broken.push(format!("{who}: charged {charged}, in the books {in_the_books}"));
        }
        let shown = stage.portal_shows(who).map(|a| (a.facility, a.date, a.time));
        let known = task.interview().map(|b| (u32::from(b.facility.number()), b.date, b.time));
        // A change that a user made in a browser is adopted at the next reading.
        let last = asked.iter().rev().find(|e| matches!(e.effect, Effect::Booked { .. }));
        if shown != known && last.is_none_or(|e| is_ours(e)) {
            self.broken.push(format!("{who}: the portal shows {shown:?}, we say {known:?}"));
        }
        let shown = stage.sandbox.with_world(|w| w.groups[&who].asc.clone().map(|a| (a.date, a.time)));
        let known = task.booked.and_then(|b| b.fingerprints).map(|f| (f.date, f.time));
        if shown != known && last.is_none_or(|e| is_ours(e)) {
            self.broken.push(format!("{who}: the portal shows fingerprints {shown:?}, we say {known:?}"));
        }
    }

    /// Checks that users wait at most a minute for a booking, and five minutes to learn that there
    /// was none, in 99 of 100 cases.
    pub(super) fn judge_read_back_policy(&mut self) {
        for (sorted, most, what) in [
            (&self.confirmed, 60, "confirmed"),
            (&self.confirmed_pairs, 240, "confirmed with fingerprints"),
            (&self.not_booked, 300, "not booked"),
        ] {
            // A short run has too few attempts: a hundredth of them is one or two.
            let percent = if sorted.len() < 1000 { 95 } else { 99 };
            let reached = at_percent(sorted, percent);
            if sorted.len() >= 20 && reached > most {
                self.broken.push(format!("{what} after {reached} s at p{percent}"));
            }
        }
    }
}

/// Returns `true` if the portal applied one of the engine's POST requests.
fn is_ours(entry: &Entry) -> bool {
    entry.kind == "book" && matches!(entry.effect, Effect::Booked { .. })
}

fn at_percent(sorted: &[i64], percent: usize) -> i64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(0)
}

impl fmt::Display for TaskCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "intents {} acted {} booked {}", self.attempts, self.acted, self.booked)?;
        writeln!(f, "changed by hand {}", self.by_hand)?;
        writeln!(f, "told booked {} left open {}", self.told_booked, self.left_open)?;
        writeln!(f, "requests {} of them bent by faults {}", self.requests, self.faults)?;
        for (name, sorted) in [
            ("confirmed", &self.confirmed),
            ("confirmed with fingerprints", &self.confirmed_pairs),
            ("not booked", &self.not_booked),
        ] {
            let (half, most) = (at_percent(sorted, 50), at_percent(sorted, 99));
            writeln!(f, "{name} {}: p50 {half} s, p99 {most} s", sorted.len())?;
        }
        for slow in self.slow.iter().take(10) {
            writeln!(f, "  {slow}")?;
        }
        write!(f, "promises broken {}", self.broken.len())?;
        for broken in self.broken.iter().take(40) {
            write!(f, "\n  {broken}")?;
        }
        Ok(())
    }
}
