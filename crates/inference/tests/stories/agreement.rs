//! Tests of accounts that poll one calendar and begin to see different lists.

use chrono::TimeDelta;
use inference::agreement::{Agreement, Comparison};
use proptest::prelude::*;

use crate::at;

#[test]
fn a_calendar_with_differing_lists_splits_and_is_retried_next_day() {
    let now = at("2026-11-24T00:00:00Z");
    let mut agreement = Agreement::default();
    for n in 0..5 {
        assert!(!agreement.observe(Comparison::Differed, now), "{n} tries are too few");
        assert!(!agreement.is_split(now));
    }
    assert!(agreement.observe(Comparison::Differed, now));
    assert!(agreement.is_split(now + TimeDelta::hours(23)));
    let kept: Agreement =
        serde_json::from_value(serde_json::to_value(&agreement).expect("written")).expect("read");
    assert_eq!(kept, agreement);
    let later = now + TimeDelta::hours(25);
    assert!(!agreement.is_split(later), "sharing is tried again");
    for _ in 0..3 {
        agreement.observe(Comparison::Differed, later);
    }
    assert!(agreement.is_split(later), "the calendar is split sooner than the first time");
}

proptest! {
    #[test]
    fn lists_that_mostly_agree_never_split(outcomes in prop::collection::vec(0_u8..10, 1..200)) {
        let now = at("2026-11-24T00:00:00Z");
        let mut agreement = Agreement::default();
        for (n, outcome) in outcomes.into_iter().enumerate() {
            // Two of three comparisons agree. Days that vanished meanwhile prove nothing.
            let outcome = match (n % 3, outcome) {
                (0 | 1, _) => Comparison::Agreed,
                (_, 0..=4) => Comparison::Gone,
                _ => Comparison::Differed,
            };
            agreement.observe(outcome, now);
            prop_assert!(!agreement.is_split(now));
            prop_assert!((0.0..=1.0).contains(&agreement.mean()) && agreement.tries() <= 40.0 + 1e-9);
        }
    }
}
