use chrono::TimeDelta;
use domain::booking::{Allowance, Attempts, Stop};
use domain::criteria::{BookingMode, RequestedMode, SearchCriteria};
use domain::question::{
    ApprovalRefusal, AskedTask, FROM_ACCEPTANCE, FROM_SIGHTING, Question, YES_LIVES, YesOutcome,
};
use proptest::prelude::*;

use crate::criteria::criteria;
use crate::{TORONTO, at, day, slot};

const SEEN: &str = "2026-11-24T12:00:00Z";

fn question() -> Question {
    Question {
        task: domain::ids::TaskId(uuid::Uuid::nil()),
        facility: TORONTO,
        day: day("2027-02-09"),
        current: Some(slot(TORONTO, "2027-06-15", "08:15")),
        criteria_version: 3,
        seen_at: at(SEEN),
        accepted_at: None,
        answered_at: None,
        sent_at: None,
        gone_at: None,
        declined_at: None,
        repeats: 0,
    }
}

// spec: 10.1.16
#[test]
fn an_approval_is_valid_once_and_only_for_its_question() {
    let (asked, now) = (question(), at(SEEN) + TimeDelta::seconds(30));
    let (held, other) = (slot(TORONTO, "2027-06-15", "08:15"), slot(TORONTO, "2027-06-15", "08:30"));
    let stands = AskedTask { runs: true, criteria_version: 3, booked: Some(&held) };
    assert_eq!(asked.accepts(&stands, now), Ok(()));
    let judge = |task: AskedTask<'_>| asked.accepts(&task, now);
    assert_eq!(judge(AskedTask { runs: false, ..stands }), Err(ApprovalRefusal::Paused));
    assert_eq!(judge(AskedTask { criteria_version: 4, ..stands }), Err(ApprovalRefusal::Edited));
    assert_eq!(judge(AskedTask { booked: Some(&other), ..stands }), Err(ApprovalRefusal::Moved));
    assert_eq!(judge(AskedTask { booked: None, ..stands }), Err(ApprovalRefusal::Moved));
    let gone = Question { gone_at: Some(now), ..asked.clone() };
    assert_eq!(gone.accepts(&stands, now), Err(ApprovalRefusal::Gone));
    let spent = Question { answered_at: Some(now), ..asked.clone() };
    assert_eq!(spent.accepts(&stands, now), Err(ApprovalRefusal::Spent));
    assert!(spent.permits(&stands, now), "the approval counts while the engine tries to book the day");
    assert!(!spent.permits(&stands, now + YES_LIVES), "the approval has expired");
    assert!(!spent.permits(&AskedTask { criteria_version: 4, ..stands }, now));
    assert!(!asked.permits(&stands, now), "no approval was given");
    let sent = Question { sent_at: Some(now), ..spent.clone() };
    assert!(!sent.permits(&stands, now), "an approval permits one request");
    let silent = now + YES_LIVES + TimeDelta::minutes(1);
    assert_eq!((spent.untold(now), sent.untold(now), asked.untold(silent)), (None, None, None));
    let untold = (spent.untold(silent), sent.untold(silent));
    assert_eq!(untold, (Some(YesOutcome::NotBooked), Some(YesOutcome::Unknown)));
}

// spec: 10.1.15
#[test]
fn ask_first_tasks_check_every_rule_before_the_approval() {
    let held = slot(TORONTO, "2027-06-15", "08:15");
    let asks = SearchCriteria { mode: BookingMode::Ask, ..criteria() };
    let now = at(SEEN);
    let judge = |left, change_deadline| {
        let attempts = Attempts { left, used_here: 0 };
        let allowance = Allowance { criteria: &asks, booked: Some(&held), change_deadline, attempts };
        allowance.may_book(TORONTO, day("2027-02-09"), now)
    };
    assert_eq!(judge(Some(3), None), Err(Stop::Unanswered));
    assert_eq!(
        judge(Some(1), None),
        Err(Stop::LastAttempt),
        "the last attempt requires consent given in advance"
    );
    assert_eq!(judge(Some(0), None), Err(Stop::ReschedulesUsed));
    assert_eq!(judge(Some(3), Some(now)), Err(Stop::DeadlinePassed));
}

// spec: 10.1.15
#[test]
fn a_mode_is_set_by_name_or_by_the_notify_only_flag() {
    use BookingMode::{Ask, Auto, Notify};
    let after = |word, keep, before| RequestedMode::new(word, keep).map(|mode| mode.map(|m| m.after(before)));
    for before in [Auto, Ask, Notify] {
        assert_eq!(after(None, None, before), Ok(None));
        assert_eq!(after(None, Some(true), before), Ok(Some(Notify)));
        assert_eq!(after(Some(Ask), Some(false), before), Ok(Some(Ask)));
        assert_eq!(after(Some(Notify), Some(true), before), Ok(Some(Notify)));
        assert!(after(Some(Ask), Some(true), before).is_err());
        assert!(after(Some(Notify), Some(false), before).is_err());
    }
    assert_eq!(after(None, Some(false), Notify), Ok(Some(Auto)));
    assert_eq!(
        after(None, Some(false), Ask),
        Ok(Some(Ask)),
        "a client that does not know ask-first does not end it"
    );
}

// spec: 10.1.15
#[test]
fn older_versions_read_ask_first_as_notify_only() {
    for (mode, tells) in [(BookingMode::Auto, false), (BookingMode::Ask, true), (BookingMode::Notify, true)] {
        let kept = SearchCriteria { mode, ..criteria() };
        let mut stored = serde_json::to_value(&kept).expect("criteria");
        assert_eq!(stored["notify_only"], tells, "{mode:?}");
        assert_eq!(serde_json::from_value::<SearchCriteria>(stored.clone()).expect("criteria"), kept);
        stored.as_object_mut().expect("an object").remove("ask_first");
        let older: SearchCriteria = serde_json::from_value(stored).expect("criteria of an older version");
        let plain = if tells { BookingMode::Notify } else { BookingMode::Auto };
        assert_eq!(older.mode, plain);
    }
}

proptest! {
    // spec: 10.1.16
    #[test]
    fn questions_expire_after_two_minutes_or_three_from_the_sighting(
        accepted in proptest::option::of(0_i64..400),
        asked_after in 0_i64..600,
    ) {
        let seen = at(SEEN);
        let accepted_at = accepted.map(|s| seen + TimeDelta::seconds(s));
        let asked = Question { accepted_at, ..question() };
        let held = slot(TORONTO, "2027-06-15", "08:15");
        let stands = AskedTask { runs: true, criteria_version: 3, booked: Some(&held) };
        let now = seen + TimeDelta::seconds(asked_after);
        let in_time = now < seen + FROM_SIGHTING
            && accepted_at.is_none_or(|accepted| now < accepted + FROM_ACCEPTANCE);
        prop_assert_eq!(asked.accepts(&stands, now), if in_time { Ok(()) } else { Err(ApprovalRefusal::Late) });
    }
}
