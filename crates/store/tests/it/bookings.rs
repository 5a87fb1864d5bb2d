//! Tests of booking attempts and their outcomes: journal, bookings, alerts, entitlements.

use chrono::{NaiveTime, TimeDelta};
use domain::appointment::{Appointment, Slot};
use domain::booking::{AttemptState, Observation, ObservedState};
use domain::clock::Instant;
use domain::country::CountryCode;
use domain::facility::FacilityId;
use domain::ids::{AttemptId, EntitlementId, PortalScheduleId, TaskId};
use domain::journal::{JournalEvent, PostEvent, Wrote};
use domain::money::Money;
use serde_json::json;
use store::booking_attempt::{BookingAttempt, NewAttempt};
use store::journal::Success;
use store::{Error, Tx, booking_attempt as attempt, credential, exec, journal, ledger, task};
use uuid::Uuid;

use crate::support::{World, later, now};
use crate::tasks_and_accounts::{appointment, day, nobody};

stories!(
    an_attempt_round_trips_unchanged,
    a_group_and_an_account_have_one_live_attempt,
    two_users_never_send_for_one_slot,
    a_slot_booked_after_preparation_is_not_tried,
    attempts_make_only_transitions_of_the_protocol,
    only_prepared_attempts_can_be_released,
    invalid_attempt_rows_are_refused,
    an_open_booking_preserves_its_hold_and_password,
    a_confirmed_booking_is_owed_until_it_is_paid,
    a_later_hold_of_a_deleted_task_is_released,
    the_present_hold_is_captured_and_not_an_earlier_one,
    a_journal_is_read_newest_first,
    a_success_is_written_once_per_attempt,
    a_date_is_alerted_once_until_it_vanishes,
    a_capture_grants_a_year_of_entitlement,
);

/// Returns an appointment at this time. Only its time is stored when an attempt is sent.
fn at_time(time: NaiveTime) -> Appointment {
    let slot = appointment(94, "2027-02-09", "09:05").consular;
    Slot { time, ..slot }.into()
}

fn time(text: &str) -> NaiveTime {
    NaiveTime::parse_from_str(text, "%H:%M").unwrap()
}

impl World {
    fn uuid(&self) -> Uuid {
        Uuid::from_bytes(self.random.bytes())
    }

    /// Returns a new attempt to book 2027-02-09 in Toronto for a task.
    async fn aim(&self, tx: &mut Tx, id: TaskId) -> NewAttempt {
        let task = task::get(tx, id).await.unwrap().unwrap();
        NewAttempt {
            id: AttemptId::new(now(), self.random.bytes()),
            task_id: id,
            user_id: task.user_id,
            portal_account_id: task.portal_account_id,
            country: task.country,
            portal_schedule_id: task.portal_schedule_id,
            epoch: 7,
            expected: task.booked,
            target: (FacilityId::TORONTO, day("2027-02-09")),
            attempts_before: Some(2),
        }
    }

    async fn task(&self, number: &str) -> TaskId {
        let user = self.person(0).await;
        self.submitted(user, number).await
    }

    /// Prepares an attempt in a separate transaction.
    async fn prepared(&self, id: TaskId, at: Instant) -> AttemptId {
        let mut tx = self.begin().await;
        let new = self.aim(&mut tx, id).await;
        attempt::prepare(&mut tx, &new, at).await.unwrap();
        tx.commit().await.unwrap();
        new.id
    }

    async fn sending(&self, id: AttemptId, at: &str) -> Result<bool, Error> {
        let mut tx = self.begin().await;
        let span = (later(5), later(50));
        let done = attempt::mark_sending(&mut tx, id, &at_time(time(at)), seen(None), span).await?;
        tx.commit().await?;
        Ok(done)
    }

    async fn read_attempt(&self, id: AttemptId) -> BookingAttempt {
        let mut tx = self.db.read().await.unwrap();
        attempt::get(&mut tx, id).await.unwrap().unwrap()
    }
}

/// Returns the reading of the portal's pages before the attempt was set to *sending*. It shows the
/// appointment of all tasks in these tests.
fn seen(attempts: Option<u32>) -> attempt::PreflightReading {
    attempt::PreflightReading { shown: Some(appointment(94, "2027-08-17", "08:15")), attempts }
}

async fn an_attempt_round_trips_unchanged(w: World) {
    let task = w.task("1").await;
    let id = w.prepared(task, later(1)).await;
    let prepared = w.read_attempt(id).await;
    assert_eq!((prepared.state, prepared.epoch, prepared.prepared_at), (AttemptState::Prepared, 7, later(1)));
    assert_eq!(
        (prepared.target, prepared.sending_at, prepared.t0, prepared.next_read_at),
        (None, None, None, None)
    );
    assert_eq!((prepared.facility, prepared.date), (FacilityId::TORONTO, day("2027-02-09")));
    assert_eq!(prepared.expected, Some(appointment(94, "2027-08-17", "08:15")));
    assert_eq!(
        (prepared.evidence, prepared.readings.len(), prepared.attempts_before),
        (json!({}), 0, Some(2))
    );
    let mut tx = w.begin().await;
    let span = (later(5), later(50));
    assert!(attempt::mark_sending(&mut tx, id, &at_time(time("09:05")), seen(Some(1)), span).await.unwrap());
    assert!(
        !attempt::mark_sending(&mut tx, id, &at_time(time("09:10")), seen(None), span).await.unwrap(),
        "the attempt is already sending"
    );
    let evidence = PostEvent {
        wrote: Wrote::All,
        status: Some(302),
        location: None,
        flash: Some("成功".to_owned()),
        error: None,
    };
    attempt::set_evidence(&mut tx, id, &evidence, later(6), later(7)).await.unwrap();
    let readings = [
        Observation { at: later(7), shown: ObservedState::Unreadable, attempts_left: None },
        Observation { at: later(8), shown: ObservedState::None, attempts_left: Some(1) },
    ];
    attempt::add_reading(&mut tx, id, &readings, AttemptState::Unknown, later(20)).await.unwrap();
    attempt::set_evidence(&mut tx, id, &PostEvent { status: None, ..evidence.clone() }, later(9), later(9))
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let open = w.read_attempt(id).await;
    assert_eq!(
        (open.state, open.target),
        (AttemptState::Unknown, Some(appointment(94, "2027-02-09", "09:05")))
    );
    assert_eq!(
        (open.sending_at, open.t0, open.next_read_at),
        (Some(later(5)), Some(later(6)), Some(later(20)))
    );
    assert_eq!(
        (open.evidence, &open.readings[..], open.attempts_before),
        (json!(evidence), &readings[..], Some(1))
    );
    let mut tx = w.begin().await;
    let shown = ObservedState::of(open.target);
    let all = [readings[0], readings[1], Observation { at: later(21), shown, attempts_left: Some(1) }];
    let step = (AttemptState::Unknown, AttemptState::Confirmed);
    assert!(attempt::settle(&mut tx, id, step, &all, later(21)).await.unwrap());
    assert!(!attempt::settle(&mut tx, id, step, &all, later(22)).await.unwrap(), "once");
    attempt::add_reading(&mut tx, id, &[], AttemptState::Unknown, later(30)).await.unwrap();
    let done = attempt::get(&mut tx, id).await.unwrap().unwrap();
    assert_eq!(
        (done.state, done.settled_at, done.next_read_at),
        (AttemptState::Confirmed, Some(later(21)), None)
    );
    assert_eq!(done.readings, all);
    assert!(attempt::live(&mut tx).await.unwrap().is_empty());
    assert!(attempt::get(&mut tx, AttemptId(Uuid::nil())).await.unwrap().is_none());
}

async fn a_group_and_an_account_have_one_live_attempt(w: World) {
    let (first, second) = (w.task("1").await, w.task("2").await);
    let one = w.prepared(first, later(1)).await;
    let mut tx = w.begin().await;
    let again = w.aim(&mut tx, first).await;
    let taken = attempt::prepare(&mut tx, &again, later(2)).await;
    assert!(matches!(taken, Err(Error::Conflict(_))), "{taken:?}");
    drop(tx);
    // Another group of the same account must wait too.
    let mut tx = w.begin().await;
    let account = w.aim(&mut tx, first).await.portal_account_id;
    let same_account = NewAttempt { portal_account_id: account, ..w.aim(&mut tx, second).await };
    let taken = attempt::prepare(&mut tx, &same_account, later(2)).await;
    assert!(matches!(taken, Err(Error::Conflict(_))), "{taken:?}");
    drop(tx);
    let two = w.prepared(second, later(3)).await;
    let mut tx = w.begin().await;
    let live = attempt::live(&mut tx).await.unwrap();
    assert_eq!(live.iter().map(|i| i.id).collect::<Vec<_>>(), [one, two], "oldest first");
    assert!(attempt::release(&mut tx, one, later(4)).await.unwrap());
    tx.commit().await.unwrap();
    let next = w.prepared(first, later(5)).await;
    let mut tx = w.begin().await;
    let all = attempt::of_task(&mut tx, first).await.unwrap();
    assert_eq!(all.iter().map(|i| i.id).collect::<Vec<_>>(), [next, one], "newest first");
}

// spec: 10.2.07
async fn two_users_never_send_for_one_slot(w: World) {
    let mut ids = Vec::new();
    for n in 0..6 {
        let task = w.task(&n.to_string()).await;
        ids.push(w.prepared(task, later(1)).await);
    }
    let mut running = tokio::task::JoinSet::new();
    for id in ids.clone() {
        let db = w.db.clone();
        running.spawn(async move {
            let mut tx = db.begin().await.unwrap();
            let span = (later(5), later(50));
            let done = attempt::mark_sending(&mut tx, id, &at_time(time("09:05")), seen(None), span).await;
            if done.is_ok() {
                tx.commit().await.unwrap();
            }
            done
        });
    }
    let done = running.join_all().await;
    assert_eq!(done.iter().filter(|d| matches!(d, Ok(true))).count(), 1, "{done:?}");
    assert_eq!(done.iter().filter(|d| matches!(d, Err(Error::Conflict(_)))).count(), 5, "{done:?}");
    let mut tx = w.begin().await;
    let sending: Vec<_> = attempt::live(&mut tx).await.unwrap();
    let waiting = sending.iter().find(|i| i.state == AttemptState::Prepared).unwrap().id;
    let holder = sending.iter().find(|i| i.state == AttemptState::Sending).unwrap().id;
    // An attempt with an unknown outcome still blocks the slot. Another time on the same date is
    // another slot.
    let step = (AttemptState::Sending, AttemptState::Unknown);
    attempt::add_reading(&mut tx, holder, &[], step.1, later(60)).await.unwrap();
    tx.commit().await.unwrap();
    let taken = w.sending(waiting, "09:05").await;
    assert!(matches!(taken, Err(Error::Conflict(_))), "{taken:?}");
    assert!(w.sending(waiting, "09:10").await.unwrap());
}

async fn a_slot_booked_after_preparation_is_not_tried(w: World) {
    let mut ids = Vec::new();
    for (n, at) in [(0, 1), (1, 2), (2, 30)] {
        let task = w.task(&n.to_string()).await;
        ids.push(w.prepared(task, later(at)).await);
    }
    assert!(w.sending(ids[0], "09:05").await.unwrap());
    let mut tx = w.begin().await;
    let step = (AttemptState::Sending, AttemptState::Confirmed);
    assert!(attempt::settle(&mut tx, ids[0], step, &[], later(10)).await.unwrap());
    tx.commit().await.unwrap();
    assert!(!w.sending(ids[1], "09:05").await.unwrap(), "prepared before the booking was confirmed");
    assert_eq!(
        w.read_attempt(ids[1]).await.state,
        AttemptState::Prepared,
        "the task may still choose another time"
    );
    assert!(
        w.sending(ids[2], "09:05").await.unwrap(),
        "the slot was seen again since, so another user released it"
    );
    assert!(w.sending(ids[1], "09:10").await.unwrap());
}

// spec: 10.2.14
async fn attempts_make_only_transitions_of_the_protocol(w: World) {
    use AttemptState::{Confirmed, Manual, NotBooked, Prepared, Refused, Sending, Unknown};
    let task = w.task("1").await;
    let id = w.prepared(task, later(1)).await;
    let mut tx = w.begin().await;
    for &from in AttemptState::ALL {
        for to in AttemptState::ALL.iter().copied().filter(|to| !from.may_become(*to)) {
            let illegal = attempt::settle(&mut tx, id, (from, to), &[], later(2)).await;
            assert!(matches!(illegal, Err(Error::Illegal(a, b)) if (a, b) == (from.as_str(), to.as_str())));
        }
    }
    assert!(
        !attempt::settle(&mut tx, id, (Sending, Refused), &[], later(3)).await.unwrap(),
        "the attempt is only prepared"
    );
    tx.commit().await.unwrap();
    assert!(w.sending(id, "09:05").await.unwrap());
    let mut tx = w.begin().await;
    assert!(!attempt::release(&mut tx, id, later(9)).await.unwrap(), "a request was sent");
    attempt::add_reading(&mut tx, id, &[], Unknown, later(60)).await.unwrap();
    assert!(!attempt::settle(&mut tx, id, (Sending, Refused), &[], later(61)).await.unwrap());
    assert!(attempt::settle(&mut tx, id, (Unknown, Manual), &[], later(62)).await.unwrap());
    assert!(attempt::settle(&mut tx, id, (Manual, NotBooked), &[], later(63)).await.unwrap());
    assert!(!Prepared.may_become(Confirmed));
}

async fn only_prepared_attempts_can_be_released(w: World) {
    let (first, second) = (w.task("1").await, w.task("2").await);
    let (one, two) = (w.prepared(first, later(1)).await, w.prepared(second, later(1)).await);
    assert!(w.sending(two, "09:05").await.unwrap());
    let mut tx = w.begin().await;
    for task in [first, second] {
        attempt::release_prepared(&mut tx, task, later(9)).await.unwrap();
    }
    tx.commit().await.unwrap();
    let released = w.read_attempt(one).await;
    assert_eq!((released.state, released.settled_at), (AttemptState::Released, Some(later(9))));
    assert_eq!(
        w.read_attempt(two).await.state,
        AttemptState::Sending,
        "an attempt that may have been sent is read back"
    );
    assert!(!w.sending(one, "09:10").await.unwrap());
}

async fn invalid_attempt_rows_are_refused(w: World) {
    let task = w.task("1").await;
    let id = w.prepared(task, later(1)).await;
    let statements = [
        "UPDATE intent SET state = 'acting' WHERE id = $1",
        "UPDATE intent SET state = 'perhaps' WHERE id = $1",
        "UPDATE intent SET expected_time = NULL WHERE id = $1",
        "UPDATE intent SET task_id = id WHERE id = $1",
    ];
    for sql in statements {
        let mut tx = w.begin().await;
        let refused = exec!(&mut tx, sql, id.0);
        assert!(matches!(refused, Err(Error::Refused(_))), "{sql}: {refused:?}");
    }
    assert!(w.sending(id, "09:05").await.unwrap());
    for column in ["next_read_at", "t0", "target_time", "acting_at"] {
        let sql = match column {
            "next_read_at" => "UPDATE intent SET next_read_at = NULL WHERE id = $1",
            "t0" => "UPDATE intent SET t0 = NULL WHERE id = $1",
            "target_time" => "UPDATE intent SET target_time = NULL WHERE id = $1",
            _ => "UPDATE intent SET acting_at = NULL WHERE id = $1",
        };
        let mut tx = w.begin().await;
        let refused = exec!(&mut tx, sql, id.0);
        assert!(matches!(refused, Err(Error::Refused(_))), "{column}: {refused:?}");
    }
}

/// Checks that a deleted task keeps its hold and its password until its booking is settled. An
/// operator's decision ends the attempt.
async fn an_open_booking_preserves_its_hold_and_password(w: World) {
    let task = w.task("1").await;
    let id = w.prepared(task, later(1)).await;
    assert!(w.sending(id, "09:05").await.unwrap());
    let mut tx = w.begin().await;
    let hold = domain::ids::TransferId::new(now(), w.random.bytes());
    task::set_hold(&mut tx, task, Some(hold), later(6)).await.unwrap();
    task::delete(&mut tx, task, later(7)).await.unwrap();
    assert!(task::deleted_with_hold(&mut tx, nobody(), 100).await.unwrap().is_empty());
    assert_eq!(credential::retention::sweep_unused_in(&mut tx, later(999)).await.unwrap(), 0);
    attempt::add_reading(&mut tx, id, &[], AttemptState::Unknown, later(60)).await.unwrap();
    assert_eq!(credential::retention::sweep_unused_in(&mut tx, later(999)).await.unwrap(), 0);
    let manual = (AttemptState::Unknown, AttemptState::Manual);
    assert!(attempt::settle(&mut tx, id, manual, &[], later(70)).await.unwrap());
    let before = attempt::manual_before(&mut tx, later(51)).await.unwrap();
    assert_eq!(before.iter().map(|i| i.id).collect::<Vec<_>>(), [id]);
    assert!(attempt::manual_before(&mut tx, later(50)).await.unwrap().is_empty(), "t0 is not before itself");
    assert!(
        task::deleted_with_hold(&mut tx, nobody(), 100).await.unwrap().is_empty(),
        "no operator has decided yet"
    );
    assert_eq!(credential::retention::sweep_unused_in(&mut tx, later(999)).await.unwrap(), 1);
    task::set_captured(&mut tx, task, 76_00, later(80)).await.unwrap();
    assert!(attempt::manual_before(&mut tx, later(51)).await.unwrap().is_empty());
}

/// Checks that a confirmed booking that could not be charged is found again, even after its task
/// was deleted.
async fn a_confirmed_booking_is_owed_until_it_is_paid(w: World) {
    let task = w.task("1").await;
    let id = w.prepared(task, later(1)).await;
    assert!(w.sending(id, "09:05").await.unwrap());
    let mut tx = w.begin().await;
    let hold = domain::ids::TransferId::new(now(), w.random.bytes());
    task::set_hold(&mut tx, task, Some(hold), later(6)).await.unwrap();
    assert!(task::owed(&mut tx, nobody(), 100).await.unwrap().is_empty(), "the outcome is not known yet");
    let step = (AttemptState::Sending, AttemptState::Confirmed);
    assert!(attempt::settle(&mut tx, id, step, &[], later(7)).await.unwrap());
    let new = appointment(94, "2026-08-20", "09:05");
    let success = Success { task_id: task, found_at: later(7), old: None, new, days_advanced: None };
    journal::add_success(&mut tx, w.uuid(), Some(id), &success).await.unwrap();
    task::delete(&mut tx, task, later(8)).await.unwrap();
    let owed = task::owed(&mut tx, nobody(), 100).await.unwrap();
    assert_eq!(owed.iter().map(|t| t.id).collect::<Vec<_>>(), [task]);
    assert!(
        task::deleted_with_hold(&mut tx, nobody(), 100).await.unwrap().is_empty(),
        "the hold must not be released"
    );
    task::set_captured(&mut tx, task, 76_00, later(9)).await.unwrap();
    assert!(task::owed(&mut tx, nobody(), 100).await.unwrap().is_empty());
}

// spec: 10.11.17
/// Checks that an earlier, paid booking does not preserve the later hold of a deleted task.
async fn a_later_hold_of_a_deleted_task_is_released(w: World) {
    let task = w.task("1").await;
    let id = w.prepared(task, later(1)).await;
    assert!(w.sending(id, "09:05").await.unwrap());
    let mut tx = w.begin().await;
    let step = (AttemptState::Sending, AttemptState::Confirmed);
    assert!(attempt::settle(&mut tx, id, step, &[], later(7)).await.unwrap());
    task::set_captured(&mut tx, task, 38_00, later(8)).await.unwrap();
    // An applicant joins, and a hold for that applicant is placed. Then the task is deleted while
    // another booking is made for it.
    let price = task::AgreedPrice { entitled: 1, ..task::AgreedPrice::plain(38_00, 2) };
    let hold = domain::ids::TransferId::new(now(), w.random.bytes());
    task::set_price(&mut tx, task, price, Some(hold), later(9)).await.unwrap();
    tx.commit().await.unwrap();
    let second = w.prepared(task, later(10)).await;
    assert!(w.sending(second, "10:05").await.unwrap());
    let mut tx = w.begin().await;
    task::delete(&mut tx, task, later(11)).await.unwrap();
    assert!(
        task::deleted_with_hold(&mut tx, nobody(), 100).await.unwrap().is_empty(),
        "the outcome is not known yet"
    );
    attempt::add_reading(&mut tx, second, &[], AttemptState::Unknown, later(11)).await.unwrap();
    assert!(
        task::deleted_with_hold(&mut tx, nobody(), 100).await.unwrap().is_empty(),
        "the outcome is still not known"
    );
    let step = (AttemptState::Unknown, AttemptState::NotBooked);
    assert!(attempt::settle(&mut tx, second, step, &[], later(12)).await.unwrap());
    let left: Vec<_> =
        task::deleted_with_hold(&mut tx, nobody(), 100).await.unwrap().iter().map(|t| t.id).collect();
    assert_eq!(left, [task], "nothing was booked for the new applicant, so the money is released");
}

// spec: 10.11.17
/// Checks that the current hold is captured. The user may accept another price while a booking is
/// being settled, which replaces the hold.
async fn the_present_hold_is_captured_and_not_an_earlier_one(w: World) {
    let user = w.person(100_00).await;
    let id = w.submitted(user, "1").await;
    let source = (ledger::SOURCE_TASK, id.0);
    let (mut tx, random) = (w.begin().await, &w.random);
    let first = ledger::hold(&mut tx, random, user, Money::cad(38_00), source, later(1)).await.unwrap();
    let price = task::AgreedPrice::plain(38_00, 1);
    task::set_price(&mut tx, id, price, Some(first), later(1)).await.unwrap();
    tx.commit().await.unwrap();
    let read_before = w.read_task(id).await;
    let mut tx = w.begin().await;
    ledger::release(&mut tx, random, first, later(2)).await.unwrap();
    let second = ledger::hold(&mut tx, random, user, Money::cad(76_00), source, later(2)).await.unwrap();
    let price = task::AgreedPrice::plain(38_00, 2);
    task::set_price(&mut tx, id, price, Some(second), later(2)).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = w.begin().await;
    let charged = store::task_hold::capture(&mut tx, random, &read_before, later(3)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(charged, 76_00);
    let mut tx = w.begin().await;
    let group = (read_before.country, &read_before.portal_schedule_id);
    assert_eq!(
        journal::entitled(&mut tx, user, group, later(4)).await.unwrap(),
        2,
        "for all applicants that the hold paid for"
    );
    let balance = ledger::balance(&mut tx, user).await.unwrap();
    assert_eq!((balance.available, balance.held), (Money::cad(24_00), Money::cad(0)));
    // A release also affects the current hold.
    assert_eq!(
        store::task_hold::release(&mut tx, random, &read_before, later(5)).await.unwrap(),
        0,
        "the hold is captured"
    );
    drop(tx);
    w.books_balance().await;
}

async fn a_journal_is_read_newest_first(w: World) {
    let (task, other, third) = (w.task("1").await, w.task("2").await, w.task("3").await);
    let mut tx = w.begin().await;
    for (n, kind) in ["one", "two", "three"].into_iter().enumerate() {
        let at = later(i64::try_from(n).unwrap()) + TimeDelta::microseconds(1);
        let data = json!({ "n": n, "city": "渥太华", "deep": { "none": null } });
        let event = JournalEvent::Other { kind: kind.to_owned(), data };
        if n == 1 {
            journal::add(&mut tx, w.uuid(), task, &event, at).await.unwrap();
        } else {
            let before = store::statements();
            let line = |task| journal::NewJournalEntry { id: w.uuid(), task, event: event.clone() };
            journal::add_all(&mut tx, &[line(task), line(third)], at).await.unwrap();
            assert_eq!(store::statements() - before, 1, "one statement for any number");
        }
    }
    journal::add(&mut tx, w.uuid(), other, &JournalEvent::Watching {}, later(9)).await.unwrap();
    let lines = journal::of_task(&mut tx, task, 2).await.unwrap();
    let stored: Vec<_> = lines.iter().map(|line| line.event.columns()).collect();
    assert_eq!((stored[0].0.as_str(), stored[1].0.as_str()), ("three", "two"));
    assert_eq!(stored[0].1, json!({ "n": 2, "city": "渥太华", "deep": { "none": null } }));
    assert_eq!(lines[0].at, later(2) + TimeDelta::microseconds(1));
    let nobody =
        journal::add(&mut tx, w.uuid(), TaskId(Uuid::nil()), &JournalEvent::Watching {}, now()).await;
    let refused = match nobody {
        // Both databases refuse immediately, because a journal entry must belong to a task.
        Err(error) => matches!(error, Error::Refused(_)),
        Ok(()) => false,
    };
    assert!(refused);
}

// spec: 3.56
async fn a_success_is_written_once_per_attempt(w: World) {
    let task = w.task("1").await;
    let attempt = w.prepared(task, later(1)).await;
    let user = w.read_task(task).await.user_id;
    let better = Success {
        task_id: task,
        found_at: later(10),
        old: Some(appointment(94, "2027-08-17", "08:15")),
        new: appointment(92, "2027-02-09", "23:59"),
        days_advanced: Some(189),
    };
    let first = Success { found_at: later(5), old: None, days_advanced: None, ..better.clone() };
    let mut tx = w.begin().await;
    assert_eq!(journal::days_saved(&mut tx, user).await.unwrap(), 0);
    journal::add_success(&mut tx, w.uuid(), None, &first).await.unwrap();
    journal::add_success(&mut tx, w.uuid(), Some(attempt), &better).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = w.begin().await;
    let twice = journal::add_success(&mut tx, w.uuid(), Some(attempt), &better).await.unwrap_err();
    assert!(twice.is_conflict("success_intent_id"), "{twice:?}");
    drop(tx);
    let mut tx = w.db.read().await.unwrap();
    let all = journal::successes(&mut tx, task).await.unwrap();
    let seen: Vec<_> = all.iter().map(|s| (s.found_at, s.old, s.new, s.days_advanced)).collect();
    let line = |s: &Success| (s.found_at, s.old, s.new, s.days_advanced);
    assert_eq!(seen, [line(&better), line(&first)]);
    assert_eq!(journal::days_saved(&mut tx, user).await.unwrap(), 189);
    assert_eq!(task::task_stats(&mut tx, user).await.unwrap().succeeded, 1);
}

async fn a_date_is_alerted_once_until_it_vanishes(w: World) {
    let (task, other) = (w.task("1").await, w.task("2").await);
    let place = (FacilityId::TORONTO, day("2027-02-09"));
    let mut tx = w.begin().await;
    assert!(journal::add_alert(&mut tx, w.uuid(), task, place, later(1)).await.unwrap());
    assert!(!journal::add_alert(&mut tx, w.uuid(), task, place, later(2)).await.unwrap());
    assert!(journal::add_alert(&mut tx, w.uuid(), other, place, later(2)).await.unwrap());
    let ottawa = (FacilityId::OTTAWA, place.1);
    assert!(journal::add_alert(&mut tx, w.uuid(), task, ottawa, later(2)).await.unwrap());
    journal::close_alerts(&mut tx, place.0, &[(task, place.1)], later(3)).await.unwrap();
    assert!(
        !journal::add_alert(&mut tx, w.uuid(), other, place, later(4)).await.unwrap(),
        "the other task's alert is open"
    );
    assert!(
        journal::add_alert(&mut tx, w.uuid(), task, place, later(4)).await.unwrap(),
        "the day was listed again"
    );
    assert!(journal::alerted_since(&mut tx, task, place, later(4)).await.unwrap());
    assert!(!journal::alerted_since(&mut tx, task, place, later(5)).await.unwrap());
}

// spec: 10.5.13, 10.11.07
async fn a_capture_grants_a_year_of_entitlement(w: World) {
    let (task, other) = (w.task("1").await, w.task("2").await);
    let user = w.read_task(task).await.user_id;
    let group = PortalScheduleId("1".to_owned());
    let place = (CountryCode::CANADA, &group);
    let mut tx = w.begin().await;
    assert_eq!(journal::entitled(&mut tx, user, place, now()).await.unwrap(), 0);
    for people in [2, 5] {
        let id = EntitlementId::new(now(), w.random.bytes());
        let bought = (user, task, task.0);
        journal::add_entitlement(&mut tx, id, bought, place, people, now()).await.unwrap();
    }
    let year = TimeDelta::days(journal::ENTITLEMENT_DAYS);
    let entitled = [
        journal::entitled(&mut tx, user, place, later(1)).await.unwrap(),
        journal::entitled(&mut tx, user, place, now() + year - TimeDelta::microseconds(1)).await.unwrap(),
        journal::entitled(&mut tx, user, place, now() + year).await.unwrap(),
        journal::entitled(&mut tx, user, ("en-us".parse::<CountryCode>().unwrap(), &group), now())
            .await
            .unwrap(),
    ];
    assert_eq!(entitled, [2, 2, 0, 0], "one per payment, for a year");
    let stranger = w.read_task(other).await.user_id;
    assert_eq!(journal::entitled(&mut tx, stranger, place, now()).await.unwrap(), 0);
    let id = EntitlementId::new(now(), w.random.bytes());
    journal::add_entitlement(&mut tx, id, (user, other, other.0), place, 3, later(1)).await.unwrap();
    assert_eq!(journal::entitled(&mut tx, user, place, later(1)).await.unwrap(), 5, "payments add up");
    let nearly = now() + year;
    assert_eq!(
        journal::entitled(&mut tx, user, place, nearly).await.unwrap(),
        3,
        "each payment ends a year after its own date"
    );
}
