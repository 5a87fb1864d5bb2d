use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::booking::{
    Allowance, AttemptState, Attempts, ExpectedOutcome, Observation, ObservedState, ReadBackOutcome,
    ReadBackPolicy, Sequel, Stop, choose_time, next_reading, read_back_outcome, times_ahead,
};
use domain::criteria::{BookingMode, SearchCriteria, TimesOfDay};
use domain::facility::FacilityId;
use domain::task::{Reason, TaskStatus};
use proptest::prelude::*;

use crate::criteria::criteria;
use crate::{TORONTO, appointment, at, day, slot};

fn expected_outcome() -> ExpectedOutcome {
    ExpectedOutcome {
        expected: Some(appointment(TORONTO, "2027-06-15", "08:15")),
        target: appointment(TORONTO, "2027-02-09", "09:15"),
        t0: at("2026-11-24T12:00:00Z"),
        attempts_before: Some(3),
    }
}

fn reading(seconds: i64, shown: ObservedState) -> Observation {
    Observation { at: expected_outcome().t0 + TimeDelta::seconds(seconds), shown, attempts_left: None }
}

fn old() -> ObservedState {
    ObservedState::of(expected_outcome().expected)
}

fn new() -> ObservedState {
    ObservedState::of(Some(expected_outcome().target))
}

fn outcome(readings: &[Observation]) -> ReadBackOutcome {
    let now = readings.last().map_or(expected_outcome().t0, |r| r.at);
    read_back_outcome(&expected_outcome(), readings, ReadBackPolicy::default(), now)
}

#[test]
fn one_reading_of_the_target_confirms_the_booking() {
    assert_eq!(outcome(&[reading(0, new())]), ReadBackOutcome::Confirmed);
    assert_eq!(outcome(&[reading(0, new()), reading(20, old())]), ReadBackOutcome::Confirmed);
}

#[test]
fn the_old_appointment_is_inconclusive_while_the_page_may_lag() {
    let readings: Vec<Observation> = [0, 20, 60, 179].iter().map(|s| reading(*s, old())).collect();
    assert!(matches!(outcome(&readings), ReadBackOutcome::ReadAgain { unknown: false, .. }));
}

#[test]
fn not_booked_needs_two_late_readings_a_minute_apart() {
    let early = [reading(0, old()), reading(180, old())];
    assert!(matches!(outcome(&early), ReadBackOutcome::ReadAgain { .. }));
    assert!(matches!(
        outcome(&[reading(180, old()), reading(200, old())]),
        ReadBackOutcome::ReadAgain { .. }
    ));
    assert_eq!(outcome(&[reading(180, old()), reading(240, old())]), ReadBackOutcome::NotBooked);
}

#[test]
fn a_spent_attempt_contradicts_not_booked() {
    let mut late = [reading(180, old()), reading(240, old())];
    late[1].attempts_left = Some(2);
    assert!(matches!(outcome(&late), ReadBackOutcome::ReadAgain { .. }));
}

#[test]
fn a_later_reading_overrides_a_wrong_attempt_count() {
    let told = |seconds, left| Observation { attempts_left: left, ..reading(seconds, old()) };
    let before = expected_outcome().attempts_before;
    assert!(before.is_some());
    let mut readings = vec![told(180, before), told(240, Some(0))];
    assert!(matches!(outcome(&readings), ReadBackOutcome::ReadAgain { .. }));
    readings.push(told(300, None));
    assert!(
        matches!(outcome(&readings), ReadBackOutcome::ReadAgain { .. }),
        "an empty reading refutes nothing"
    );
    readings.push(told(360, before));
    assert_eq!(outcome(&readings), ReadBackOutcome::NotBooked);
}

#[test]
fn a_third_appointment_is_unknown_and_manual_after_a_day() {
    let other = ObservedState::of(Some(appointment(TORONTO, "2027-04-01", "08:00")));
    let mut readings: Vec<Observation> = [0, 20, 60, 180, 240].iter().map(|s| reading(*s, other)).collect();
    assert!(matches!(outcome(&readings), ReadBackOutcome::ReadAgain { unknown: true, .. }));
    readings.push(reading(24 * 3600, other));
    assert_eq!(outcome(&readings), ReadBackOutcome::Manual);
}

#[test]
fn a_third_appointment_with_one_attempt_fewer_is_not_booked() {
    let other = ObservedState::of(Some(appointment(TORONTO, "2027-04-01", "08:00")));
    let told = |seconds, left| Observation { attempts_left: Some(left), ..reading(seconds, other) };
    assert_eq!(outcome(&[told(180, 2), told(240, 2)]), ReadBackOutcome::NotBooked);
    assert_eq!(outcome(&[reading(0, old()), told(180, 2), told(240, 2)]), ReadBackOutcome::NotBooked);
    assert!(
        matches!(outcome(&[told(180, 2), told(200, 2)]), ReadBackOutcome::ReadAgain { .. }),
        "the old appointment was seen once"
    );
    assert!(
        matches!(outcome(&[told(0, 2), told(60, 2)]), ReadBackOutcome::ReadAgain { .. }),
        "both readings are within the lag"
    );
    let both = [told(180, 1), told(240, 1)];
    assert!(
        matches!(outcome(&both), ReadBackOutcome::ReadAgain { .. }),
        "our booking may have come before the other change"
    );
    let between = [told(180, 2), reading(210, old()), told(240, 2)];
    assert!(
        matches!(outcome(&between), ReadBackOutcome::ReadAgain { .. }),
        "contradictory pages prove nothing"
    );
}

#[test]
fn readings_follow_fixed_offsets_then_repeat_hourly() {
    let t0 = expected_outcome().t0;
    let mut readings = Vec::new();
    let mut offsets = Vec::new();
    let mut now = t0;
    for _ in 0..12 {
        let next = next_reading(t0, &readings, now);
        offsets.push((next - t0).num_seconds());
        now = next;
        readings.push(Observation { at: now, shown: ObservedState::Unreadable, attempts_left: None });
    }
    assert_eq!(offsets, [0, 20, 60, 180, 210, 240, 270, 300, 600, 1800, 5400, 9000]);
}

// spec: 10.2.25
#[test]
fn an_unreadable_late_page_delays_the_outcome_by_half_a_minute() {
    let t0 = expected_outcome().t0;
    // Each reading is requested shortly after it is due.
    let late = TimeDelta::milliseconds(100);
    let cases: [(&[i64], i64); 5] =
        [(&[], 240), (&[180], 270), (&[240], 270), (&[180, 210], 300), (&[180, 210, 240], 330)];
    for (unreadable, told) in cases {
        let (mut readings, mut now) = (Vec::new(), t0);
        while outcome(&readings) != ReadBackOutcome::NotBooked {
            now = next_reading(t0, &readings, now) + late;
            let is_unreadable = unreadable.contains(&(now - t0).num_seconds());
            let shown = if is_unreadable { ObservedState::Unreadable } else { old() };
            readings.push(Observation { at: now, shown, attempts_left: None });
        }
        assert_eq!((now - t0).num_seconds(), told, "{unreadable:?} readings failed");
    }
}

// spec: 10.1.06
#[test]
fn the_last_attempt_needs_consent_for_the_date() {
    let current = slot(TORONTO, "2027-06-15", "08:15");
    let mut criteria = criteria();
    let ask = |criteria: &SearchCriteria, left| {
        let attempts = Attempts { left, used_here: 0 };
        let allowance = Allowance { criteria, booked: Some(&current), change_deadline: None, attempts };
        allowance.may_book(TORONTO, day("2027-02-09"), at("2026-11-24T12:00:00Z"))
    };
    assert_eq!(ask(&criteria, Some(2)), Ok(()));
    assert_eq!(ask(&criteria, Some(1)), Err(Stop::LastAttempt));
    assert_eq!(ask(&criteria, Some(0)), Err(Stop::ReschedulesUsed));
    criteria.last_attempt_until = Some(day("2027-02-08"));
    assert_eq!(ask(&criteria, Some(1)), Err(Stop::LastAttempt));
    criteria.last_attempt_until = Some(day("2027-02-09"));
    assert_eq!(ask(&criteria, Some(1)), Ok(()));
    criteria.mode = BookingMode::Notify;
    assert_eq!(ask(&criteria, Some(3)), Err(Stop::NotifyOnly));
}

#[test]
fn without_the_limit_page_the_limit_of_the_country_counts() {
    let criteria = SearchCriteria { max_reschedules: 5, ..criteria() };
    let agreed = SearchCriteria { last_attempt_until: Some(day("2027-02-09")), ..criteria.clone() };
    let left_with = |criteria: &SearchCriteria, city: &str, used_here| {
        let city = FacilityId::by_name(city).expect("a city");
        let booked = Slot { facility: city, ..slot(TORONTO, "2027-06-15", "08:15") };
        let attempts = Attempts { left: None, used_here };
        let allowance = Allowance { criteria, booked: Some(&booked), change_deadline: None, attempts };
        (allowance.allows(day("2027-02-09"), at("2026-11-24T12:00:00Z")), allowance.changes_left())
    };
    let left = |city: &str, used_here| left_with(&criteria, city, used_here).0;
    assert_eq!([left("Toronto", 1), left("Toronto", 2)], [Ok(()), Err(Stop::LastAttempt)]);
    assert_eq!([0, 1].map(|used| left("Lima", used)), [Err(Stop::LastAttempt); 2], "each is for life");
    assert_eq!([0, 1].map(|used| left_with(&agreed, "Lima", used)), [(Ok(()), 2), (Ok(()), 1)]);
    assert_eq!([left_with(&criteria, "Lima", 0).1, left_with(&criteria, "Toronto", 0).1], [0, 2]);
    assert_eq!(left("Lima", 2), Err(Stop::ReschedulesUsed));
    assert_eq!([left("Bogota", 0), left("Bogota", 2)], [Ok(()); 2], "Colombia has no limit");
    assert_eq!([left("Dublin", 0), left("Dublin", 1)], [Ok(()), Err(Stop::LastAttempt)], "not known: two");
}

// spec: 10.1.08
#[test]
fn a_rejected_date_or_passed_deadline_stops_the_booking() {
    let (soon, later) = (slot(TORONTO, "2027-02-10", "08:15"), slot(TORONTO, "2027-06-15", "08:15"));
    let criteria = criteria();
    let now = at("2026-11-24T12:00:00Z");
    let ask = |booked, change_deadline| {
        let attempts = Attempts { left: Some(3), used_here: 0 };
        let allowance = Allowance { criteria: &criteria, booked: Some(booked), change_deadline, attempts };
        allowance.may_book(TORONTO, day("2027-02-09"), now)
    };
    assert!(matches!(ask(&soon, None), Err(Stop::Rejected { .. })), "the date is no improvement any more");
    assert_eq!(ask(&later, Some(now)), Err(Stop::DeadlinePassed));
    assert_eq!(ask(&later, None), Ok(()));
}

// spec: 10.2.14
#[test]
fn attempts_allow_only_the_transitions_of_the_protocol() {
    use AttemptState::{Confirmed, NotBooked, Prepared, Refused, Released, Sending, Unknown};
    assert!(Prepared.may_become(Sending) && Prepared.may_become(Released));
    assert!(!Sending.may_become(Prepared) && !Sending.may_become(Released));
    assert!(Unknown.may_become(NotBooked) && !Unknown.may_become(Sending));
    for end in [Confirmed, Released] {
        assert!(AttemptState::ALL.iter().all(|next| !end.may_become(*next)), "{end:?} is final");
    }
    for end in [Refused, NotBooked] {
        let next: Vec<_> = AttemptState::ALL.iter().copied().filter(|next| end.may_become(*next)).collect();
        assert_eq!(next, [Confirmed], "{end:?} changes only when the target is shown later");
    }
}

#[test]
fn times_chosen_by_higher_ranks_are_skipped() {
    let time = |t: &str| chrono::NaiveTime::parse_from_str(t, "%H:%M").expect("a time");
    let offered = [time("08:00"), time("11:00"), time("14:00")];
    let choose = |taken: &[_], skip| choose_time(&offered, taken, skip, TimesOfDay::default());
    assert_eq!(choose(&[], 0), Some(time("11:00")));
    assert_eq!(choose(&[time("11:00")], 0), Some(time("08:00")));
    assert_eq!(choose(&[], 2), Some(time("14:00")), "two candidates of higher rank choose first");
    assert_eq!(choose(&offered, 0), None);
}

#[test]
fn times_that_passed_in_the_city_are_excluded() {
    let time = |t: &str| chrono::NaiveTime::parse_from_str(t, "%H:%M").expect("a time");
    let offered = ["00:30", "09:15", "13:00", "13:15", "23:45"].map(time);
    // 13:00 in Vancouver, on the date when daylight saving time begins.
    let now = at("2027-03-14T20:00:00Z");
    let ahead = |date: &str| times_ahead(&offered, FacilityId::VANCOUVER.zone(), day(date), now);
    assert_eq!(ahead("2027-03-13"), []);
    assert_eq!(ahead("2027-03-14"), offered[3..]);
    assert_eq!(ahead("2027-03-15"), offered);
}

#[test]
fn only_times_within_the_requested_hours_are_chosen() {
    let time = |t: &str| chrono::NaiveTime::parse_from_str(t, "%H:%M").expect("a time");
    let offered = [time("08:00"), time("11:00"), time("14:00")];
    let choose = |earliest: Option<&str>, latest: Option<&str>, skip| {
        let wanted = TimesOfDay { earliest: earliest.map(time), latest: latest.map(time) };
        choose_time(&offered, &[], skip, wanted)
    };
    assert_eq!(choose(Some("11:01"), None, 0), Some(time("14:00")));
    assert_eq!(choose(Some("14:00"), Some("14:00"), 0), Some(time("14:00")), "both ends are included");
    assert_eq!(choose(None, Some("10:59"), 0), Some(time("08:00")));
    assert_eq!(choose(Some("09:00"), Some("10:30"), 0), None);
    assert_eq!(
        choose(Some("12:00"), None, 2),
        Some(time("14:00")),
        "the candidates of higher rank choose the other two times"
    );
}

proptest! {
    #[test]
    fn a_booked_attempt_is_never_settled_as_not_booked(
        lag in 0i64..179,
        gaps in prop::collection::vec(1i64..120, 1..12),
    ) {
        // The portal booked at t0 and its groups page lags. A reading must never lead to the
        // conclusion "not booked".
        let mut seconds = 0;
        let mut readings = Vec::new();
        for gap in gaps {
            let shown = if seconds < lag { old() } else { new() };
            readings.push(reading(seconds, shown));
            prop_assert_ne!(outcome(&readings), ReadBackOutcome::NotBooked);
            seconds += gap;
        }
    }
}

#[test]
fn used_up_attempts_block_all_dates_and_the_last_needs_consent() {
    let now = at("2026-11-24T12:00:00Z");
    let held = slot(TORONTO, "2027-06-15", "08:15");
    let criteria = criteria();
    let any = |left, used_here, criteria: &SearchCriteria| {
        let attempts = Attempts { left, used_here };
        let allowance = Allowance { criteria, booked: Some(&held), change_deadline: None, attempts };
        (allowance.allows_any(now), allowance.is_used_up())
    };
    assert_eq!(any(Some(3), 0, &criteria), (Ok(()), false));
    assert_eq!(
        any(Some(3), 2, &criteria),
        (Err(Stop::ReschedulesUsed), true),
        "the user's own limit is reached"
    );
    assert_eq!(
        any(Some(0), 0, &criteria),
        (Err(Stop::ReschedulesUsed), true),
        "the portal's limit is reached"
    );
    assert_eq!(any(Some(1), 0, &criteria), (Err(Stop::LastAttempt), false));
    let agreed = |until| SearchCriteria { last_attempt_until: Some(until), ..criteria.clone() };
    assert_eq!(any(Some(1), 0, &agreed(criteria.start_date)), (Ok(()), false));
    let before = criteria.start_date.pred_opt().expect("the day before is a date");
    assert_eq!(
        any(Some(1), 0, &agreed(before)),
        (Err(Stop::LastAttempt), false),
        "the consent ends before every accepted date"
    );
    let first = Allowance {
        criteria: &criteria,
        booked: None,
        change_deadline: Some(now),
        attempts: Attempts { left: Some(0), used_here: 9 },
    };
    assert_eq!(
        (first.allows_any(now), first.is_used_up()),
        (Ok(()), false),
        "a first booking uses no reschedule"
    );
}

// spec: 10.1.18
#[test]
fn the_sequel_of_a_booking_states_whether_the_search_continues() {
    let now = at("2026-11-24T12:00:00Z");
    let open = SearchCriteria { max_reschedules: 5, min_improvement_days: 7, ..criteria() };
    let held = slot(TORONTO, "2027-02-09", "09:15");
    let ask = |criteria: &SearchCriteria, left, used_here, status, reason| {
        let attempts = Attempts { left, used_here };
        let change_deadline = Some(at("2027-01-20T12:00:00Z"));
        let allowance = Allowance { criteria, booked: Some(&held), change_deadline, attempts };
        Sequel::of(status, reason, &allowance, now)
    };
    let on = |criteria: &SearchCriteria, left| ask(criteria, left, 1, TaskStatus::Active, None);
    let before = day("2027-02-03");
    assert_eq!(
        on(&open, Some(3)),
        Sequel::GoesOn { before, changes_left: 2 },
        "the last reschedule belongs to the user"
    );
    assert_eq!(
        on(&open, None),
        Sequel::GoesOn { before, changes_left: 1 },
        "the default is three reschedules, and one is used"
    );
    let agreed = SearchCriteria { last_attempt_until: Some(day("2027-02-01")), ..open.clone() };
    assert_eq!(on(&agreed, Some(3)), Sequel::GoesOn { before, changes_left: 3 });
    let few = SearchCriteria { max_reschedules: 2, ..open.clone() };
    assert_eq!(on(&few, Some(9)), Sequel::GoesOn { before, changes_left: 1 });
    assert_eq!(on(&open, Some(1)), Sequel::OnlyTold { before });
    let quiet = SearchCriteria { mode: BookingMode::Notify, ..open.clone() };
    assert_eq!(
        on(&quiet, Some(3)),
        Sequel::Notifies { before },
        "the criteria were edited while the booking was read back"
    );
    let short = SearchCriteria { end_date: day("2026-12-20"), ..open.clone() };
    assert_eq!(on(&short, Some(3)), Sequel::GoesOn { before: day("2026-12-21"), changes_left: 2 });
    let late = SearchCriteria { start_date: day("2027-02-03"), ..open.clone() };
    assert_eq!(on(&late, Some(3)), Sequel::NothingEarlier);
    let patient = SearchCriteria { minimum_days_from_current: 90, ..open.clone() };
    assert_eq!(on(&patient, Some(3)), Sequel::NothingEarlier);
    let stopped = |left, used_here, reason| ask(&few, left, used_here, TaskStatus::Stopped, Some(reason));
    assert_eq!(stopped(Some(2), 1, Reason::AutoStop), Sequel::AutoStop);
    assert_eq!(stopped(Some(2), 2, Reason::ReschedulesUsed), Sequel::ReschedulesUsed);
    assert_eq!(stopped(Some(0), 1, Reason::ReschedulesUsed), Sequel::NoneLeft);
    assert_eq!(stopped(Some(2), 1, Reason::ByUser), Sequel::Rests);
    let attempts = Attempts { left: Some(3), used_here: 1 };
    let passed = Allowance { criteria: &open, booked: Some(&held), change_deadline: Some(now), attempts };
    assert_eq!(Sequel::of(TaskStatus::Active, None, &passed, now), Sequel::DeadlinePassed);
}
