//! Comparison of the portal's own journal of empty lists with the engine's classification.
//!
//! A pool of booked and unbooked accounts runs over days of virtual time. Its lists are truly empty
//! for hours, and bursts overload the portal. Users cause bans with their own requests in a
//! browser, and there are restricted hours. `scripts/reliability.sh conditions` runs ten seeds.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use domain::condition::TaskCondition;
use domain::facility::FacilityId;
use domain::ids::PortalAccountId;
use engine::Config;
use inference::cause::EmptyCause;
use inference::cause::infer::InferredCause;
use sandbox::World;
use sandbox::journal::Effect;
use sandbox::world::arrivals::Source;
use sandbox::world::faults::{FaultKind, InjectedFault};

use crate::stage::{OTTAWA, Stage, TORONTO, at, criteria, day};

const VANCOUVER: u16 = 95;
const PLACES: [u16; 3] = [TORONTO, OTTAWA, VANCOUVER];
/// Time after which the classification of an empty list is final. Younger lists at the end are not
/// counted.
const LAST_WORD: TimeDelta = TimeDelta::hours(2);
/// Number of accounts. Two in three have an appointment.
const ACCOUNTS: usize = 18;

/// Random numbers from a seed, without a crate for them.
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn after(&mut self, now: DateTime<Utc>, mean_minutes: f64) -> DateTime<Utc> {
        now + TimeDelta::seconds((-(1.0 - self.unit()).ln() * mean_minutes * 60.0) as i64 + 60)
    }
}

/// Next events at the portal.
struct Script {
    dice: Dice,
    /// Per city: the listed slots, and when they all vanish or return.
    lists: Vec<(u16, Vec<u64>, DateTime<Utc>)>,
    spell: (bool, DateTime<Utc>),
    /// Time at which a user uses the portal in a browser too often.
    by_hand: DateTime<Utc>,
}

impl Script {
    fn new(seed: u64, now: DateTime<Utc>) -> Self {
        let mut dice = Dice(seed);
        let lists = PLACES.map(|place| (place, Vec::new(), now)).into_iter().collect();
        let spell = (false, dice.after(now, 240.0));
        let by_hand = dice.after(now, 200.0);
        Self { dice, lists, spell, by_hand }
    }

    fn next(&self) -> DateTime<Utc> {
        let lists = self.lists.iter().map(|(_, _, at)| *at);
        lists.chain([self.spell.1, self.by_hand]).min().unwrap_or_default()
    }

    fn happen(&mut self, stage: &Stage) {
        let now = stage.clock.now();
        for (place, slots, turns) in &mut self.lists {
            if *turns > now {
                continue;
            }
            if slots.is_empty() {
                // Later than every task's window: listed, never booked.
                let mut days: Vec<u32> = (1..=28).collect();
                days.retain(|_| self.dice.unit() < 0.3);
                days.push(28);
                *slots =
                    days.iter().map(|d| stage.slot(*place, &format!("2027-09-{d:02}"), "09:15")).collect();
                *turns = self.dice.after(now, 800.0);
            } else {
                for id in std::mem::take(slots) {
                    stage.sandbox.with_world(|w| w.remove_slot(id));
                }
                *turns = self.dice.after(now, 240.0);
            }
        }
        if self.spell.1 <= now {
            let begins = !self.spell.0;
            stage.sandbox.with_world(|w| if begins { overload(w) } else { w.remove_faults(None) });
            let until = if begins { now + TimeDelta::minutes(15) } else { self.dice.after(now, 240.0) };
            self.spell = (begins, until);
        }
        if self.by_hand <= now {
            let who = (self.dice.unit() * ACCOUNTS as f64) as usize;
            stage.sandbox.with_world(|w| {
                let (least, most) = w.config.ban.minutes;
                let minutes = least + (self.dice.unit() * (most - least) as f64) as i64;
                if let Some(account) = w.accounts.get_mut(&format!("{}@example.com", name(who))) {
                    // The last of these calls causes the ban.
                    let until = now + TimeDelta::minutes(minutes);
                    account.banned_until = account.banned_until.max(Some(until));
                    account.calls.clear();
                }
            });
            self.by_hand = self.dice.after(now, 200.0);
        }
    }
}

fn overload(world: &mut World) {
    let slow = FaultKind::Slow { millis: 6_000 };
    for (kind, chance) in [(FaultKind::BadGateway, 0.3), (FaultKind::OverloadedLists, 0.45), (slow, 0.4)] {
        let on = Some("days".to_owned());
        world.add_fault(InjectedFault { probability: Some(chance), on, ..InjectedFault::of(kind) });
    }
}

fn name(number: usize) -> String {
    format!("v{number:02}")
}

/// Starts a pool that watches three cities, with bans and restricted hours switched on.
async fn pool(seed: u64) -> (Stage, HashMap<PortalAccountId, String>) {
    let stage = Stage::with(Config::default()).await;
    stage.sandbox.with_world(|w| {
        *w = World::new(seed, w.now);
        w.config.restricted_hours = true;
        w.config.ban.enabled = true;
        // The limit of the reports. The engine stays below it, so requests of users in a browser
        // cause most bans.
        w.config.ban.after_calls = 50;
        w.config.ban.up_to_calls = 110;
        w.config.journal_slots = false;
        // Adds a day that is listed for minutes.
        w.add_source(Source {
            pool: "B1/B2".to_owned(),
            facility: VANCOUVER.into(),
            mean_gap_seconds: 2400.0,
            at_marks: 0.7,
            median_life_seconds: 900.0,
            life_sigma: 1.0,
            days_ahead: (250, 330),
            burst: 2,
            phantoms: 0.0,
            rivals: 0.0,
        });
    });
    let mut accounts = HashMap::new();
    for number in 0..ACCOUNTS {
        let name = name(number);
        let holds = (number % 3 != 0).then(|| at(TORONTO, "2027-11-17", "08:15"));
        stage.portal_account(&name, holds);
        let mut criteria = criteria();
        criteria.start_date = day("2026-12-01");
        criteria.cities = (0..2)
            .map(|n| FacilityId::try_from(PLACES[(number + n) % PLACES.len()]).expect("a known city"))
            .collect();
        let task = stage.task(&name, criteria).await;
        accounts.insert(stage.read(task).await.portal_account_id, format!("{name}@example.com"));
    }
    // With latency the driver moves time while an answer is held. Without it, a slow answer would
    // last in real time until the client gives up.
    stage.latency(40, 400);
    (stage, accounts)
}

/// Empty list: the engine's final classification, and everything that emptied it.
struct Told {
    judged: InferredCause,
    at_once: EmptyCause,
    causes: Vec<String>,
}

impl Told {
    fn is_right(&self) -> bool {
        CAUSES.iter().any(|(cause, said)| {
            *said == self.judged.meaning.as_str() && self.causes.iter().any(|c| c == cause)
        })
    }

    /// Prints the surroundings of a wrong classification, to help to fix the classifier.
    fn show(&self, stage: &Stage, account: &str) {
        let InferredCause { at, meaning, evidence, key, .. } = &self.judged;
        let who = account.split('@').next().unwrap_or_default();
        println!(
            "## {} {who} {} {meaning:?} for {:?}: {evidence:?}",
            at.format("%d %H:%M:%S"),
            key.facility.name(),
            self.causes
        );
        stage.sandbox.with_world(|w| {
            for entry in w.journal.after(0).iter().filter(|e| e.kind == "days") {
                let own = entry.account.as_deref() == Some(account);
                let gap = entry.world_time - at;
                if gap.abs() > if own { TimeDelta::hours(5) } else { TimeDelta::minutes(15) } {
                    continue;
                }
                let place = entry
                    .path
                    .split("/days/")
                    .nth(1)
                    .unwrap_or_default()
                    .split('.')
                    .next()
                    .unwrap_or_default();
                let who = entry.account.as_deref().unwrap_or_default().split('@').next().unwrap_or_default();
                println!(
                    "   {:+6.1} min {}{who} {place} {} {:?} {:?}",
                    gap.num_seconds() as f64 / 60.0,
                    if own { "*" } else { " " },
                    entry.status,
                    match entry.effect {
                        Effect::Looked { days, .. } => days,
                        _ => 0,
                    },
                    entry.empty_because
                );
            }
        });
    }
}

async fn days_of(seed: u64, span: TimeDelta) -> (Vec<Told>, usize) {
    let (stage, accounts) = pool(seed).await;
    let mut script = Script::new(seed, stage.clock.now());
    let end = stage.clock.now() + span;
    let mut said: BTreeMap<u64, (InferredCause, EmptyCause)> = BTreeMap::new();
    let mut number = 0;
    while stage.clock.now() < end {
        script.happen(&stage);
        let until = script.next().min(end).min(stage.clock.now() + TimeDelta::hours(1));
        stage.run_for(until - stage.clock.now()).await;
        for (at, judged) in stage.engine.judgements(number) {
            number = at;
            let at_once = said.get(&judged.id).map_or(judged.meaning, |(_, at_once)| *at_once);
            said.insert(judged.id, (judged, at_once));
        }
    }
    assert_eq!(stage.requests("book"), 0, "nothing here may be booked");
    let failed = stage.sandbox.with_world(|w| {
        w.journal.after(0).iter().filter(|e| e.kind == "days" && !matches!(e.status, 200 | 304)).count()
    });
    let counted = said.into_values().filter(|(judged, _)| judged.at < end - LAST_WORD);
    (join(&stage, &accounts, counted.collect()), failed)
}

/// Finds the journal's entry of each classified poll: the same account and city at the same time.
fn join(
    stage: &Stage,
    accounts: &HashMap<PortalAccountId, String>,
    said: Vec<(InferredCause, EmptyCause)>,
) -> Vec<Told> {
    type Causes = Vec<(DateTime<Utc>, Vec<String>)>;
    let mut truth: HashMap<(String, u16), Causes> = HashMap::new();
    stage.sandbox.with_world(|w| {
        for entry in w.journal.after(0).iter().filter(|e| e.kind == "days") {
            let empty = matches!(entry.effect, Effect::Looked { days: 0, .. } | Effect::Banned { .. });
            let place =
                entry.path.split("/days/").nth(1).and_then(|rest| rest.split('.').next()?.parse().ok());
            if let (true, Some(place), Some(account)) = (empty, place, &entry.account) {
                let of = truth.entry((account.clone(), place)).or_default();
                of.push((entry.world_time, entry.empty_because.clone()));
            }
        }
    });
    let found = said.into_iter().map(|(judged, at_once)| {
        let (account, at) = (judged.account, judged.at);
        let entries = &truth[&(accounts[&account].clone(), judged.key.facility.number())];
        let near =
            entries.iter().min_by_key(|(then, _)| (*then - at).abs()).expect("the journal has the poll");
        assert!((near.0 - at).abs() < TimeDelta::minutes(1), "no poll of {account} at {at}");
        let told = Told { at_once, causes: near.1.clone(), judged };
        if !told.is_right() && std::env::var("SOONER_VERDICTS_SHOW").is_ok() {
            told.show(stage, &accounts[&account]);
        }
        told
    });
    found.collect()
}

/// Counts per cause: right, wrong, missed.
#[derive(Default)]
struct Table(BTreeMap<&'static str, [u32; 3]>);

const CAUSES: [(&str, &str); 4] = [
    ("soft_ban", "soft_ban"),
    ("restricted_hours", "restricted_hours"),
    ("overload", "overload"),
    ("no_days", "truly"),
];

impl Table {
    /// Adds one classification. If several causes apply at once, each is a right answer; a miss
    /// counts for the first one.
    fn add(&mut self, said: EmptyCause, causes: &[String]) {
        let holds = |word: &str| {
            CAUSES.iter().any(|(cause, said)| *said == word && causes.iter().any(|c| c == cause))
        };
        let word = said.as_str();
        if holds(word) {
            self.0.entry(word).or_default()[0] += 1;
            return;
        }
        self.0.entry(word).or_default()[1] += 1;
        let missed = CAUSES.iter().find(|(cause, _)| causes.iter().any(|c| c == cause)).expect("a cause");
        self.0.entry(missed.1).or_default()[2] += 1;
    }

    fn figures(&self, cause: &str) -> (u32, f64, f64) {
        let [right, wrong, missed] = self.0.get(cause).copied().unwrap_or_default();
        let part = |of: u32| f64::from(right) / f64::from(right + of).max(1.0);
        (right, part(wrong), part(missed))
    }

    fn print(&self, title: &str) {
        println!(
            "{title}\n| cause | right | wrong | missed | precision | recall |\n|---|---|---|---|---|---|"
        );
        for (cause, [right, wrong, missed]) in &self.0 {
            let (_, precision, recall) = self.figures(cause);
            println!("| {cause} | {right} | {wrong} | {missed} | {precision:.3} | {recall:.3} |");
        }
    }
}

async fn measure(seeds: std::ops::RangeInclusive<u64>, span: TimeDelta) -> Table {
    let (mut last, mut first) = (Table::default(), Table::default());
    for seed in seeds {
        let (told, failed) = days_of(seed, span).await;
        println!("seed {seed}: {} empty lists, {failed} failed looks", told.len());
        for poll in told {
            last.add(poll.judged.meaning, &poll.causes);
            first.add(poll.at_once, &poll.causes);
        }
    }
    first.print("said at once");
    last.print("said in the end");
    last
}

#[tokio::test]
async fn causes_of_empty_lists_are_classified() {
    // `scripts/reliability.sh conditions` requests ten seeds of four days each, and more of each
    // cause.
    if std::env::var("SOONER_VERDICTS").is_ok_and(|size| size == "full") {
        let number =
            |name: &str, else_: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(else_);
        let (first, seeds) = (number("SOONER_SEED", 3001), number("SOONER_SEEDS", 10));
        let table = measure(first..=first + seeds - 1, TimeDelta::days(4)).await;
        for (_, cause) in CAUSES {
            let (_, precision, recall) = table.figures(cause);
            assert!(
                precision >= 0.95 && recall >= 0.95,
                "{cause}: precision {precision:.3}, recall {recall:.3}"
            );
        }
        return;
    }
    let table = measure(1..=2, TimeDelta::hours(36)).await;
    for (cause, least, bound) in
        [("truly", 100, 0.95), ("soft_ban", 15, 0.85), ("restricted_hours", 30, 0.95), ("overload", 5, 0.7)]
    {
        let (right, precision, recall) = table.figures(cause);
        assert!(right >= least, "{cause}: only {right} occurred");
        assert!(precision >= bound, "precision of {cause}: {precision:.3}");
        assert!(recall >= bound, "recall of {cause}: {recall:.3}");
    }
}

// spec: 10.3.04
#[tokio::test]
async fn a_cooling_account_never_books_and_recovers_by_itself() {
    let stage = Stage::new().await;
    let booked = Some(at(TORONTO, "2027-08-17", "08:15"));
    let group = stage.portal_account("lin", booked.clone());
    stage.portal_account("sun", booked);
    // No task wants it: it only prevents an empty list.
    stage.slot(TORONTO, "2027-08-30", "09:15");
    let mut only_toronto = criteria();
    only_toronto.cities.truncate(1);
    let lin = stage.task("lin", only_toronto.clone()).await;
    let mut sees_nothing_of_use = only_toronto;
    sees_nothing_of_use.start_date = day("2027-08-16");
    stage.task("sun", sees_nothing_of_use).await;
    stage.run_for(TimeDelta::minutes(30)).await;
    let ban = InjectedFault {
        account: Some("lin@example.com".to_owned()),
        ..InjectedFault::of(FaultKind::SoftBan)
    };
    let ban = stage.sandbox.with_world(|w| w.add_fault(ban));
    stage.run_for(TimeDelta::hours(2)).await;
    let resting = stage.read(lin).await;
    assert_eq!(resting.condition, TaskCondition::CoolingDown, "{}", resting.condition_evidence);
    let wanted = stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(stage.applied(group), 0, "the day that others see is not booked for a cooling account");
    stage.sandbox.with_world(|w| w.remove_slot(wanted));
    stage.sandbox.with_world(|w| w.remove_faults(Some(ban)));
    stage.run_for(TimeDelta::hours(6)).await;
    assert_eq!(stage.read(lin).await.condition, TaskCondition::Watching, "no user had to do anything");
    stage.slot(TORONTO, "2027-02-10", "09:15");
    stage.run_for(TimeDelta::hours(4)).await;
    assert_eq!(stage.applied(group), 1, "it books again");
}
