//! Users of the week: singles, couples, accounts with two groups, some with few changes left, and
//! some in Colombia, whose interviews have a fingerprint appointment.

use domain::country::CountryCode;
use domain::criteria::SearchCriteria;
use domain::facility::FacilityId;
use domain::ids::{TaskId, UserId};
use domain::money::Money;
use domain::task::{Reason, TaskStatus};
use rand::RngExt;
use rand::rngs::StdRng;
use sandbox::world::NewGroup;
use sandbox::world::accounts::Appointment;
use sandbox::world::country::Country;

use crate::stage::{Stage, at, criteria, day};

/// Task with its group.
pub(super) struct Person {
    pub task: TaskId,
    pub user: UserId,
    pub group: u64,
    /// Most changes that this task may make. The portal's last attempt is never used.
    pub quota: Option<usize>,
    pub price: i64,
    /// `true` if the interview has a fingerprint appointment.
    pub pair: bool,
}

const CITIES: [u16; 5] = [91, 92, 94, 93, 95];
const BOGOTA: u16 = 25;
const BOGOTA_ASC: u16 = 26;

/// Makes the portal accounts and submits a task for each group.
pub(super) async fn submit(stage: &Stage, logins: usize, rng: &mut StdRng) -> Vec<Person> {
    let mut people = Vec::new();
    for n in 0..logins {
        let name = format!("p{n:03}");
        let pair = n % 4 == 1;
        let city = if pair { BOGOTA } else { CITIES[n % CITIES.len()] };
        let country = if pair { "en-co".parse().expect("a country") } else { CountryCode::CANADA };
        let quota = (n % 6 == 5).then_some(2_usize);
        let group = |letter: &str, rng: &mut StdRng| NewGroup {
            applicants: if n % 5 == 2 {
                vec![format!("ONE {letter}{n}"), format!("TWO {letter}{n}")]
            } else {
                vec![format!("ONE {letter}{n}")]
            },
            country: Country::with_code(country.letters()),
            appointment: Some(somewhen(city, rng)),
            asc: pair.then(|| at(BOGOTA_ASC, "2036-05-26", "07:30")),
            attempts: Some(if quota.is_some() { 3 } else { 100_000 }),
            ..NewGroup::default()
        };
        let mut groups = vec![group("A", rng)];
        if n % 7 == 3 {
            groups.push(group("B", rng));
        }
        stage.portal_groups(&name, groups);
        let user = stage.user(&name).await;
        let password = "Maple-2026";
        let mut found = stage.verify_in(country, user, &name, password).await.expect("verified");
        if found.len() > 1 && n % 2 == 1 {
            // Another user of the family has the same login with a password of their own here, and
            // watches the other group.
            found.truncate(1);
            let first = found[0].portal_schedule_id.clone();
            let relative = stage.user(&format!("{name}r")).await;
            let theirs = stage.verify_in(country, relative, &name, password).await.expect("verified");
            found.extend(theirs.into_iter().filter(|task| task.portal_schedule_id != first));
        }
        for task in found {
            let user = task.user_id;
            let of_many = if quota.is_some() { 3 } else { u16::MAX };
            let wanted = SearchCriteria {
                cities: vec![FacilityId::try_from(city).expect("a known city")],
                end_date: day("2038-12-31"),
                min_improvement_days: 1,
                max_reschedules: of_many,
                ..criteria()
            };
            stage.submit(&task, wanted).await;
            let price = 3800 * i64::from(task.group.party_size());
            let group = task.portal_schedule_id.0.parse().expect("a number");
            people.push(Person { task: task.id, user, group, quota, price, pair });
        }
        stage.clock.advance(chrono::TimeDelta::seconds(3));
    }
    people
}

/// Returns an appointment late enough for hundreds of improvements of at least one day.
fn somewhen(city: u16, rng: &mut StdRng) -> Appointment {
    let first = at(city, "2036-06-02", "08:15");
    Appointment { date: first.date + chrono::Days::new(rng.random_range(0..200)), ..first }
}

/// Starts tasks again that stopped for a reason that has passed, as a patient user does twice an
/// hour.
pub(super) async fn start_again(stage: &Stage, people: &[Person]) {
    for person in people {
        let task = stage.read(person.task).await;
        let passed = match task.reason {
            Some(Reason::ReschedulesUsed) => person.quota.is_none(),
            reason => reason.is_some(),
        };
        if !passed || !matches!(task.status, TaskStatus::Stopped | TaskStatus::Error) {
            continue;
        }
        let now = stage.ctx.wall.now();
        let mut tx = stage.ctx.db.begin().await.expect("tx");
        if task.captured_at.is_none() && task.hold_id.is_none() {
            // The product's own name of the source: the oracle adds up what was captured for this
            // task.
            let source = ("task", task.id.0);
            let hold = store::ledger::hold(
                &mut tx,
                &stage.ctx.random,
                person.user,
                Money::cad(person.price),
                source,
                now,
            )
            .await
            .expect("hold");
            store::task::set_hold(&mut tx, task.id, Some(hold), now).await.expect("hold");
        }
        let step = (task.status, TaskStatus::Processing);
        assert!(store::task::set_status(&mut tx, task.id, step, None, now).await.expect("start"));
        tx.commit().await.expect("commit");
    }
}

/// Chance that a user changes an appointment in a browser when slots are added.
const HANDS: f64 = 0.06;

/// Lets some users book an earlier date in a browser, and the groups page may lag behind it. This
/// never happens while the engine is booking, because a race within the last ten seconds cannot be
/// detected.
pub(super) async fn change_by_hand(stage: &Stage, people: &[Person], rng: &mut StdRng) {
    if !rng.random_bool(HANDS) {
        return;
    }
    let person = &people[rng.random_range(0..people.len())];
    let (days, lags) = (rng.random_range(5..=9), rng.random_bool(0.6));
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let live = store::booking_attempt::live(&mut tx).await.expect("live");
    drop(tx);
    if live.iter().any(|attempt| attempt.task_id == person.task) {
        return;
    }
    stage.sandbox.with_world(|w| {
        let Some(group) = w.groups.get(&person.group) else { return };
        let Some(held) = group.appointment.clone().filter(|_| group.attempts_left > 1) else { return };
        // No slot here has this minute, so it is never mistaken for an attempt of the engine.
        let time = chrono::NaiveTime::from_hms_opt(7, 5, 0).expect("a time");
        let found = Appointment { date: held.date - chrono::Days::new(days), time, ..held };
        w.change_by_hand(person.group, Some(found), Some(if lags { 120 } else { 0 }));
    });
}
