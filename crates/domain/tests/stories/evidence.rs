use chrono::TimeDelta;
use domain::appointment::{Appointment, Slot};
use domain::booking::Stop;
use domain::booking::evidence::{
    Doubt, LAG_ENDS_AFTER, Origin, OtherAppointment, PageEvidence, Printed, evaluate_other, pages_agree,
};
use domain::clock::Instant;

use crate::{TORONTO, appointment, at};

fn held() -> Appointment {
    appointment(TORONTO, "2027-08-17", "08:15")
}

fn print(held: Appointment) -> Printed {
    Printed::Appointment { date: held.consular.date, time: held.consular.time }
}

fn seen(held: &Appointment) -> PageEvidence<'_> {
    PageEvidence {
        expected: Some(held),
        shown: Some(held),
        printed: print(*held),
        attempts_known: Some(3),
        attempts_told: Some(3),
    }
}

#[test]
fn all_pages_must_show_the_same_appointment() {
    let (held, other) = (held(), appointment(TORONTO, "2026-12-22", "08:15"));
    let fine = seen(&held);
    assert_eq!(pages_agree(&fine), Ok(()));
    assert_eq!(pages_agree(&PageEvidence { attempts_known: None, ..fine }), Ok(()));
    assert_eq!(pages_agree(&PageEvidence { attempts_known: None, attempts_told: None, ..fine }), Ok(()));
    let later = Slot { time: chrono::NaiveTime::MIN, ..held.consular }.into();
    for (bad, stop) in [
        (PageEvidence { shown: Some(&other), ..fine }, Stop::Changed),
        (PageEvidence { shown: None, ..fine }, Stop::Changed),
        (PageEvidence { printed: print(other), ..fine }, Stop::PagesDiffer),
        (PageEvidence { printed: print(later), ..fine }, Stop::PagesDiffer),
        (PageEvidence { printed: Printed::None, ..fine }, Stop::PagesDiffer),
        (PageEvidence { printed: Printed::Unreadable, ..fine }, Stop::Unreadable),
        (PageEvidence { attempts_told: Some(2), ..fine }, Stop::AttemptsDiffer),
        (PageEvidence { attempts_told: None, ..fine }, Stop::Unreadable),
    ] {
        assert_eq!(pages_agree(&bad), Err(stop), "{bad:?}");
    }
}

#[test]
fn a_first_booking_needs_a_page_showing_no_appointment() {
    let held = held();
    let first = PageEvidence {
        expected: None,
        shown: None,
        printed: Printed::None,
        attempts_known: None,
        attempts_told: None,
    };
    assert_eq!(pages_agree(&first), Ok(()), "without a page about attempts, our own count is used");
    assert_eq!(pages_agree(&PageEvidence { printed: Printed::Unreadable, ..first }), Err(Stop::Unreadable));
    assert_eq!(pages_agree(&PageEvidence { printed: print(held), ..first }), Err(Stop::PagesDiffer));
    let warned = PageEvidence { attempts_told: Some(3), ..first };
    assert_eq!(
        pages_agree(&warned),
        Err(Stop::AttemptsDiffer),
        "the group may hold an appointment since then"
    );
}

fn start() -> Instant {
    at("2026-11-25T00:30:00Z")
}

/// Applies readings in order. Returns `true` for each reading whose appointment is adopted.
fn readings(standing: Origin, shown: Appointment, read: &[(i64, Printed)]) -> Vec<bool> {
    let mut doubt: Option<Doubt> = None;
    let mut adopts = Vec::new();
    for (seconds, printed) in read {
        let now = start() + TimeDelta::seconds(*seconds);
        adopts.push(match evaluate_other(Some(&shown), *printed, standing, doubt, now) {
            OtherAppointment::Adopt => true,
            OtherAppointment::Wait { doubt: next, until } => {
                assert!(until > now);
                doubt = Some(next);
                false
            }
        });
    }
    adopts
}

#[test]
fn a_replaced_appointment_counts_only_after_two_instruction_prints() {
    let (old, ours) = (print(held()), print(appointment(TORONTO, "2027-02-09", "09:15")));
    let before = |read: &[(i64, Printed)]| readings(Origin::BeforeOurs, held(), read);
    assert_eq!(before(&[(0, old), (59, old), (60, old)]), [false, false, true]);
    assert_eq!(before(&[(0, old), (60, ours), (120, old), (179, old), (180, old)])[3..], [false, true]);
    assert_eq!(before(&[(0, ours), (7200, ours), (80_000, ours)]), [false; 3]);
    let unreadable = Printed::Unreadable;
    assert_eq!(before(&[(0, unreadable), (7200, unreadable)]), [false; 2]);
    let day = LAG_ENDS_AFTER.num_seconds();
    assert_eq!(
        before(&[(0, ours), (day, ours)]),
        [false, true],
        "after a day the shown appointment is accepted"
    );
}

#[test]
fn a_foreign_change_needs_the_instructions_page_once() {
    let (new, old) = (appointment(TORONTO, "2026-12-22", "08:15"), print(held()));
    let foreign = |read: &[(i64, Printed)]| readings(Origin::Foreign, new, read);
    assert_eq!(foreign(&[(0, print(new))]), [true]);
    assert_eq!(foreign(&[(0, old), (7200, old), (7300, print(new))]), [false, false, true]);
    assert_eq!(foreign(&[(0, Printed::Unreadable), (60, Printed::Unreadable)]), [false, true]);
}
