//! Tests of an appointment as the portal shows it.

use domain::appointment::{Group, PortalStatus};

use crate::day;

fn paid_on(date: Option<&str>) -> Group {
    Group {
        applicants: vec![],
        visa_class: None,
        classes: vec![],
        status: PortalStatus::ScheduleAppointment,
        ivr_account_number: None,
        is_tcn: None,
        fee_paid_on: date.map(day),
        asks_fingerprints: None,
        has_unknown_form: false,
    }
}

// spec: 9.07
#[test]
fn a_visa_fee_is_valid_for_365_days() {
    let group = paid_on(Some("2026-03-01"));
    assert_eq!(group.fee_expires_on(), Some(day("2027-03-01")));
    assert_eq!(
        paid_on(Some("2028-01-01")).fee_expires_on(),
        Some(day("2028-12-31")),
        "a leap year does not extend the receipt"
    );
    assert!(!group.fee_expired(day("2027-03-01")), "the last day still counts");
    assert!(group.fee_expired(day("2027-03-02")));
    assert!(!paid_on(None).fee_expired(day("2090-01-01")), "an unknown date does not expire");
}
