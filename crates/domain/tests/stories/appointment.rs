//! What the portal says of a group.

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
        "a leap year has no mercy"
    );
    assert!(!group.fee_expired(day("2027-03-01")), "its last day counts");
    assert!(group.fee_expired(day("2027-03-02")));
    assert!(!paid_on(None).fee_expired(day("2090-01-01")), "what is not known does not expire");
}
