//! Stories of an approval whose day cannot be booked at once: it waits and enters the queue again,
//! but is used for one request at most.

use chrono::TimeDelta;
use domain::calendar::{CalendarKey, Kind};
use domain::criteria::{BookingMode, SearchCriteria};
use domain::health::AccountHealth;
use domain::ids::TaskId;
use domain::question::YesOutcome;
use engine::Engine;
use inference::agreement::{Agreement, Comparison};
use sandbox::journal::Entry;
use sandbox::world::faults::{FaultKind, InjectedFault};

use tokio::task::JoinSet;

use crate::ask_first::{DAY, asking, count, just_asked, link, outcome, tap};
use crate::stage::{Stage, TORONTO, appointment, at, toronto};

/// Returns the number of requests to the portal so far, including sign-ins.
fn asked_of_portal(stage: &Stage) -> usize {
    stage.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e: &&Entry| e.kind != "days").count())
}

// spec: 10.1.17
#[tokio::test]
async fn an_approval_waits_for_the_account_back_off_until_it_expires() {
    for (health, rest, booked) in
        [(AccountHealth::Valid, 60, 1), (AccountHealth::Valid, 600, 0), (AccountHealth::Cooling, 600, 0)]
    {
        let mut stage = Stage::new().await;
        let (task, group, raw) = just_asked(&stage).await;
        let (account, now) = (stage.read(task).await.portal_account_id, stage.ctx.wall.now());
        let until = now + TimeDelta::seconds(rest);
        let mut tx = stage.ctx.db.begin().await.expect("tx");
        store::portal_account::set_health(&mut tx, account, health, Some(until), now)
            .await
            .expect("the back-off is stored");
        tx.commit().await.expect("commit");
        stage.engine = Engine::new(stage.ctx.clone());
        let before = asked_of_portal(&stage);
        assert_eq!(tap(&stage, &raw).await, Ok(()));
        stage.run_until(TimeDelta::seconds(rest.min(130)), || asked_of_portal(&stage) > before).await;
        assert!(
            stage.clock.now() >= until.min(now + TimeDelta::seconds(130)),
            "the account did not wait for the end of its back-off"
        );
        stage.run_for(TimeDelta::seconds(30)).await;
        assert_eq!((stage.applied(group), stage.requests("book")), (booked, booked), "{health:?} {rest}");
        let came = if booked == 1 { YesOutcome::Booked } else { YesOutcome::NotBooked };
        assert_eq!(outcome(&stage, &raw).await, Some(came));
        stage.assert_tidy().await;
    }
}

// spec: 10.1.17
#[tokio::test]
async fn an_approval_that_lost_its_slot_is_queued_again() {
    let stage = Stage::new().await;
    let (_, asker, raw) = just_asked(&stage).await;
    // Meanwhile an automatic task is trying to book the day when the user approves.
    let booker = stage.portal_account("sun", Some(at(TORONTO, "2027-08-17", "08:15")));
    stage.task("sun", toronto()).await;
    stage.latency(500, 500);
    let driver = stage.driver();
    let (mut jobs, end) = (JoinSet::new(), stage.clock.now() + TimeDelta::seconds(100));
    let mut tapped = None;
    while stage.clock.now() < end {
        let due = stage.engine.begin_due(&mut jobs).await;
        if tapped.is_none() && stage.requests("times") == 1 {
            tapped = Some(tap(&stage, &raw).await);
        } else if !driver.let_go(&stage.engine, &mut jobs).await {
            driver.step(due, end);
        }
    }
    assert_eq!((tapped, jobs.len()), (Some(Ok(())), 0));
    assert_eq!((stage.applied(asker), stage.applied(booker)), (0, 1));
    assert_eq!(outcome(&stage, &raw).await, Some(YesOutcome::Gone));
    assert_eq!(stage.mails("answer_ended").await, 1, "the user who approved gets the outcome");
    stage.assert_tidy().await;
}

// spec: 10.1.16
#[tokio::test]
async fn an_approval_allows_one_request_even_after_a_takeover() {
    let mut stage = Stage::new().await;
    let (task, group, raw) = just_asked(&stage).await;
    stage.fault(FaultKind::RefuseBooking, Some(1));
    assert_eq!(tap(&stage, &raw).await, Ok(()));
    stage.run_until(TimeDelta::seconds(60), || stage.requests("book") == 1).await;
    stage.run_for(TimeDelta::seconds(30)).await;
    assert_eq!((stage.requests("book"), stage.applied(group)), (1, 0), "sent, and refused");
    // Simulates an engine that died after it sent the request and before it stored the outcome.
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::exec!(&mut tx, "UPDATE question SET outcome = NULL").expect("forgotten");
    store::exec!(
        &mut tx,
        "UPDATE intent SET state = 'refused', settled_at = acting_at WHERE state IN ('acting', 'unknown')"
    )
    .expect("settled");
    tx.commit().await.expect("commit");
    stage.engine = Engine::new(stage.ctx.clone());
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(
        (stage.requests("book"), count(&stage, task, "said_yes").await),
        (1, 1),
        "one approval, one request"
    );
    assert_eq!(
        outcome(&stage, &raw).await,
        Some(YesOutcome::Unknown),
        "the answer must not claim that nothing was sent"
    );
}

// spec: 10.1.17
#[tokio::test]
async fn an_error_before_sending_does_not_end_an_approval() {
    for kind in [FaultKind::Reset, FaultKind::BadGateway] {
        // One account that fails is a host that fails, unless there are other accounts.
        for (page, others) in [("appointment", 1), ("times", 0), ("groups", 1)] {
            let stage = Stage::new().await;
            let (_, group, raw) = just_asked(&stage).await;
            for _ in 0..others {
                stage.portal_account("sun", Some(at(TORONTO, "2027-08-17", "08:15")));
                stage.task("sun", SearchCriteria { mode: BookingMode::Notify, ..toronto() }).await;
                stage.run_for(TimeDelta::seconds(20)).await;
            }
            let hitch = InjectedFault {
                account: Some("lin@example.com".to_owned()),
                on: Some(page.to_owned()),
                times: Some(2),
                ..InjectedFault::of(kind.clone())
            };
            stage.sandbox.with_world(|w| w.add_fault(hitch));
            assert_eq!(tap(&stage, &raw).await, Ok(()));
            stage.run_for(TimeDelta::seconds(115)).await;
            assert_eq!((stage.requests("book"), stage.applied(group)), (1, 1), "{kind:?} {page}");
            assert_eq!(outcome(&stage, &raw).await, Some(YesOutcome::Booked));
            stage.assert_tidy().await;
        }
    }
}

// spec: 10.1.17
#[tokio::test]
async fn the_outcome_of_an_approval_follows_the_portal_state() {
    let stage = Stage::new().await;
    let (_, group, raw) = just_asked(&stage).await;
    stage.fault(FaultKind::LieBooked, Some(1));
    assert_eq!(tap(&stage, &raw).await, Ok(()));
    stage.run_for(TimeDelta::seconds(30)).await;
    assert_eq!((stage.requests("book"), outcome(&stage, &raw).await), (1, Some(YesOutcome::Unknown)));
    stage.run_for(TimeDelta::minutes(10)).await;
    assert_eq!(outcome(&stage, &raw).await, Some(YesOutcome::NotBooked), "the outcome does not stay unknown");
    // The booking shows after all.
    stage.sandbox.with_world(|w| w.remove_faults(None));
    let target = Some(at(TORONTO, DAY, "09:15"));
    assert!(stage.sandbox.with_world(|w| w.change_by_hand(group, target, Some(0))));
    stage.run_for(TimeDelta::hours(30)).await;
    assert_eq!((stage.requests("book"), outcome(&stage, &raw).await), (1, Some(YesOutcome::Booked)));
    assert_eq!(stage.mails("booked").await, 1);
    stage.assert_tidy().await;
}

/// Makes the calendar of a task's city one whose accounts are shown different lists.
async fn split_calendar(stage: &mut Stage, task: TaskId) {
    let (row, now) = (stage.read(task).await, stage.ctx.wall.now());
    let kind = Kind::of(row.country, row.visa_type, &row.group, row.booked.is_some());
    let key = CalendarKey { kind, facility: appointment(TORONTO, DAY, "09:15").consular.facility };
    let mut split = Agreement::default();
    for _ in 0..40 {
        split.observe(Comparison::Differed, now);
    }
    assert!(split.is_split(now));
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let subject = store::learned::agreement_of(&key.to_string());
    store::learned::save(&mut tx, &subject, &serde_json::json!(split), now)
        .await
        .expect("the split is stored");
    tx.commit().await.expect("commit");
    stage.engine = Engine::new(stage.ctx.clone());
}

// spec: 10.4.02, 10.1.17
#[tokio::test]
async fn lists_of_other_accounts_end_no_approval_in_a_split_calendar() {
    let mut stage = Stage::new().await;
    stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", asking()).await;
    split_calendar(&mut stage, task).await;
    stage.slot(TORONTO, DAY, "09:15");
    stage.slot(TORONTO, "2027-08-30", "09:15");
    stage.slot(TORONTO, "2027-08-31", "09:15");
    stage.run_for(TimeDelta::seconds(20)).await;
    let raw = link(&stage, task).await;
    // Another account is shown other days, later than this account was shown this one.
    let hidden = InjectedFault::of(FaultKind::OwnList { hides_percent: 60 });
    let hidden = InjectedFault { account: Some("sun@example.com".to_owned()), ..hidden };
    stage.sandbox.with_world(|w| w.add_fault(hidden));
    stage.portal_account("sun", Some(at(TORONTO, "2027-08-17", "08:15")));
    let polls = stage.requests("days");
    stage.task("sun", toronto()).await;
    stage.run_until(TimeDelta::seconds(60), || stage.requests("days") > polls).await;
    assert!(stage.requests("days") > polls, "the other account polled");
    assert_eq!(tap(&stage, &raw).await, Ok(()));
    stage.run_for(TimeDelta::seconds(60)).await;
    assert_eq!(outcome(&stage, &raw).await, Some(YesOutcome::Booked));
    stage.assert_tidy().await;
}

// spec: 10.1.17
#[tokio::test]
async fn an_approval_books_the_second_time_if_the_first_is_taken() {
    for tapped_at in ["times", "book"] {
        let stage = Stage::new().await;
        let (_, asker, raw) = just_asked(&stage).await;
        stage.slot(TORONTO, DAY, "10:00");
        let booker = stage.portal_account("sun", Some(at(TORONTO, "2027-08-17", "08:15")));
        stage.task("sun", toronto()).await;
        stage.latency(500, 500);
        let driver = stage.driver();
        let (mut jobs, end) = (JoinSet::new(), stage.clock.now() + TimeDelta::seconds(100));
        let mut tapped = None;
        while stage.clock.now() < end {
            let due = stage.engine.begin_due(&mut jobs).await;
            if tapped.is_none() && stage.requests(tapped_at) == 1 {
                tapped = Some(tap(&stage, &raw).await);
            } else if !driver.let_go(&stage.engine, &mut jobs).await {
                driver.step(due, end);
            }
        }
        assert_eq!((tapped, jobs.len()), (Some(Ok(())), 0));
        let came = (stage.applied(asker), stage.applied(booker), outcome(&stage, &raw).await);
        assert_eq!(came, (1, 1, Some(YesOutcome::Booked)), "{tapped_at}");
        stage.assert_tidy().await;
    }
}

// spec: 10.1.17
#[tokio::test]
async fn a_likely_expired_session_is_renewed_with_the_question() {
    let stage = Stage::new().await;
    // The session stays valid at the portal, but the engine cannot know that.
    stage.sandbox.with_world(|w| w.config.session_minutes = (6_000, 6_000));
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", asking()).await;
    stage.run_for(TimeDelta::hours(3)).await;
    let signed_in = stage.requests("sign_in");
    stage.slot(TORONTO, DAY, "09:15");
    while count(&stage, task, "asked").await == 0 {
        stage.run_for(TimeDelta::seconds(5)).await;
    }
    stage.run_for(TimeDelta::seconds(5)).await;
    assert_eq!(stage.requests("sign_in"), signed_in + 1, "the sign-in is made with the question");
    assert_eq!(count(&stage, task, "standby").await, 1);
    let raw = link(&stage, task).await;
    stage.latency(100, 100);
    assert_eq!(tap(&stage, &raw).await, Ok(()));
    stage.run_until(TimeDelta::seconds(5), || stage.requests("book") == 1).await;
    stage.run_for(TimeDelta::seconds(5)).await;
    assert_eq!((stage.applied(group), stage.requests("sign_in")), (1, signed_in + 1));
    // No session is kept open after that.
    stage.run_for(TimeDelta::hours(3)).await;
    assert_eq!(count(&stage, task, "standby").await, 1);
    stage.assert_tidy().await;
}
