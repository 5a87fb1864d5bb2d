//! Detection of new criteria that may change an appointment where the old ones would not.

use super::{BookingMode, ExcludedDates, FingerprintCriteria, SearchCriteria, TimesOfDay, Weekdays};

impl SearchCriteria {
    /// Returns `true` if a slot may be booked now that could not be booked under `old`. A stolen
    /// sign-in must not be able to make such a change.
    #[must_use]
    pub fn widens(&self, old: &Self) -> bool {
        if self.mode == BookingMode::Notify {
            return false;
        }
        freedom(self.mode) > freedom(old.mode)
            || self.cities.iter().any(|city| !old.cities.contains(city))
            || self.start_date < old.start_date
            || self.end_date > old.end_date
            || frees(&self.excluded, &old.excluded)
            || adds_weekdays(self.weekdays, old.weekdays)
            || adds_times(self.times, old.times)
            || self.minimum_days_from_current < old.minimum_days_from_current
            || self.min_improvement_days < old.min_improvement_days
            || self.max_reschedules > old.max_reschedules
            || self
                .last_attempt_until
                .is_some_and(|until| old.last_attempt_until.is_none_or(|was| until > was))
            || allows_fingerprints(self.fingerprints.as_deref(), old.fingerprints.as_deref())
    }
}

/// Returns a rank of how much the task does without its user.
const fn freedom(mode: BookingMode) -> u8 {
    match mode {
        BookingMode::Notify => 0,
        BookingMode::Ask => 1,
        BookingMode::Auto => 2,
    }
}

/// Returns `true` if a date that was excluded no longer is.
fn frees(new: &ExcludedDates, old: &ExcludedDates) -> bool {
    let inside = |(start, end): &(_, _)| new.ranges().iter().any(|(from, to)| from <= start && end <= to);
    !old.ranges().iter().all(inside)
}

fn adds_weekdays(new: Weekdays, old: Weekdays) -> bool {
    new.0 & !old.0 != 0
}

fn adds_times(new: TimesOfDay, old: TimesOfDay) -> bool {
    let earlier = old.earliest.is_some_and(|was| new.earliest.is_none_or(|is| is < was));
    let later = old.latest.is_some_and(|was| new.latest.is_none_or(|is| is > was));
    earlier || later
}

fn allows_fingerprints(new: Option<&FingerprintCriteria>, old: Option<&FingerprintCriteria>) -> bool {
    let any = FingerprintCriteria::default();
    new.unwrap_or(&any).widens(old.unwrap_or(&any))
}

#[cfg(test)]
mod tests {
    use chrono::{NaiveDate, NaiveTime};

    use super::*;
    use crate::facility::FacilityId;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn criteria() -> SearchCriteria {
        SearchCriteria {
            cities: vec![FacilityId::try_from(94).unwrap()],
            start_date: day("2027-01-10"),
            end_date: day("2027-05-31"),
            excluded: ExcludedDates::new(vec![(day("2027-02-01"), day("2027-02-10"))]),
            weekdays: Weekdays::try_from(vec![1, 2]).unwrap(),
            times: TimesOfDay {
                earliest: NaiveTime::from_hms_opt(9, 0, 0),
                latest: NaiveTime::from_hms_opt(12, 0, 0),
            },
            minimum_days_from_current: 14,
            min_improvement_days: 30,
            max_reschedules: 2,
            last_attempt_until: None,
            fingerprints: Some(Box::new(fingerprints(3, 8))),
            mode: BookingMode::Ask,
        }
    }

    type Change = fn(&mut SearchCriteria);

    fn fingerprints(min_days_before: u16, max_days_before: u16) -> FingerprintCriteria {
        let [min_days_before, max_days_before] = [min_days_before, max_days_before].map(Some);
        FingerprintCriteria { cities: Vec::new(), min_days_before, max_days_before }
    }

    // spec: 10.7.62
    #[test]
    fn only_changes_that_accept_more_dates_count_as_widening() {
        let wider: [Change; 18] = [
            |c| c.mode = BookingMode::Auto,
            |c| c.cities.push(FacilityId::try_from(92).unwrap()),
            |c| c.start_date = c.start_date.pred_opt().unwrap(),
            |c| c.end_date = c.end_date.succ_opt().unwrap(),
            |c| c.excluded = ExcludedDates::default(),
            |c| c.excluded = ExcludedDates::new(vec![(day("2027-02-02"), day("2027-03-10"))]),
            |c| c.weekdays = Weekdays::default(),
            |c| c.times.earliest = None,
            |c| c.times.earliest = NaiveTime::from_hms_opt(8, 59, 0),
            |c| c.times.latest = None,
            |c| c.minimum_days_from_current = 13,
            |c| c.min_improvement_days = 29,
            |c| c.max_reschedules = 3,
            |c| c.last_attempt_until = Some(day("2027-01-20")),
            |c| c.fingerprints = None,
            |c| c.fingerprints.as_mut().unwrap().cities = vec!["en-co/Bogota".parse().unwrap()],
            |c| c.fingerprints = Some(Box::new(fingerprints(2, 8))),
            |c| c.fingerprints = Some(Box::new(fingerprints(3, 9))),
        ];
        for (n, change) in wider.into_iter().enumerate() {
            let (old, mut new) = (criteria(), criteria());
            change(&mut new);
            assert!(new.widens(&old), "change {n}");
            assert!(!old.widens(&new) || [5, 15].contains(&n), "the reverse of {n} is no widening");
            new.mode = BookingMode::Notify;
            assert!(!new.widens(&old), "a notify-only task books nothing");
        }
        assert!(!criteria().widens(&criteria()));
        let mut more_excluded = criteria();
        more_excluded.excluded = ExcludedDates::new(vec![(day("2027-01-20"), day("2027-02-20"))]);
        assert!(!more_excluded.widens(&criteria()));
        // The task only notified, and books from now on.
        let told = SearchCriteria { mode: BookingMode::Notify, ..criteria() };
        assert!(criteria().widens(&told));
    }
}
