//! Availability of every calendar: its last list, the sharing of lists among accounts, and the
//! causes of empty lists.

pub(crate) mod calendar;
mod empty_lists;
pub(crate) mod inferred;
pub(crate) mod list_agreement;
mod soft_ban;

use std::collections::HashMap;

use chrono::{NaiveDate, TimeDelta};
use domain::calendar::{CalendarKey, Change};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::PortalAccountId;
use inference::cause::infer::{CauseInference, InferredCause};
use serde_json::{Value, json};

use crate::model::openings::Opening;
use calendar::Calendar;
use inferred::InferenceLog;
use list_agreement::{ListAgreement, ListAgreements};

/// Time after the last answer during which restricted hours are assumed.
const GUESS_ENDS: TimeDelta = TimeDelta::hours(2);
/// Subject under which the common rates of appearing and vanishing lists are stored.
const LISTS: &str = "lists";
/// Prefix of the subject under which a facility's restricted hours are stored.
const HOURS: &str = "hours ";

/// Lists of all calendars, and the conclusions drawn from them.
#[derive(Default)]
pub(crate) struct Availability {
    calendars: HashMap<CalendarKey, Calendar>,
    /// Agreement between the lists that different accounts get for a calendar.
    list_agreement: ListAgreements,
    /// Inference of the causes of empty lists.
    cause_inference: CauseInference,
    inferences: InferenceLog,
    /// Changed lists that are not written yet.
    unrecorded: Vec<ListChange>,
}

/// A list that changed and is not written yet.
pub(crate) struct ListChange {
    pub id: uuid::Uuid,
    pub key: CalendarKey,
    pub days: Vec<NaiveDate>,
    pub change: Change,
    pub at: Instant,
}

impl Availability {
    /// Returns a calendar, if it was ever polled.
    pub fn calendar(&self, key: &CalendarKey) -> Option<&Calendar> {
        self.calendars.get(key)
    }

    /// Returns a calendar for modification, created on first use.
    pub fn calendar_mut(&mut self, key: &CalendarKey) -> &mut Calendar {
        if !self.calendars.contains_key(key) {
            self.calendars.insert(key.clone(), Calendar::default());
        }
        self.calendars.get_mut(key).expect("just inserted")
    }

    /// Returns the time of a calendar's last answered poll.
    pub fn last_poll(&self, key: &CalendarKey) -> Option<Instant> {
        self.calendar(key).and_then(|calendar| calendar.last_poll)
    }

    /// Returns the sharing state of a calendar's lists, if the calendar was polled.
    pub fn agreement(&self, key: &CalendarKey) -> Option<&ListAgreement> {
        self.list_agreement.get(key)
    }

    /// Returns the sharing state of a calendar's lists for modification.
    pub fn agreement_mut(&mut self, key: &CalendarKey) -> &mut ListAgreement {
        self.list_agreement.of(key)
    }

    /// Returns the number of calendars whose lists differ by account.
    pub fn count_split(&self) -> usize {
        self.list_agreement.split()
    }

    /// Returns `true` if a calendar is assumed to show empty lists to accounts with an appointment.
    /// The assumption slows polls but does not stop them. It ends if no poll was answered for
    /// [`GUESS_ENDS`].
    pub fn is_restricted(&self, key: &CalendarKey, now: Instant) -> bool {
        let guessed = self.calendar(key).filter(|calendar| calendar.restricted_at.is_some());
        let answered = guessed.and_then(|calendar| calendar.last_poll);
        answered.is_some_and(|at| now - at < GUESS_ENDS) && self.cause_inference.is_restricted(key, now)
    }

    /// Records the number of times that an account found for a date.
    pub fn set_times(&mut self, opening: &Opening, account: PortalAccountId, times: usize, now: Instant) {
        self.agreement_mut(&opening.key).tried(opening.date, account, times, opening.seen, now);
        if times == 0 {
            self.calendar_mut(&opening.key).add_empty_times(opening.date, now);
        }
    }

    /// Records a portal failure: an empty list near it may be caused by an overload.
    pub fn portal_failed(&mut self, now: Instant) {
        self.cause_inference.portal_error(now);
    }

    /// Records the duration of an answered poll: a slow answer is evidence of an overload as well.
    pub fn answered_after(&mut self, time: TimeDelta, now: Instant) {
        self.cause_inference.took(now, time);
    }

    /// Returns the inferred causes since number `after`, oldest first, each with its number.
    pub fn inferences_after(&self, after: u64) -> Vec<(u64, InferredCause)> {
        self.inferences.after(after)
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        self.calendars.values_mut().for_each(|calendar| calendar.shift(by));
        self.list_agreement.shift(by);
        // Answers before and after the clock change cannot be compared. The learned hours stay
        // valid.
        let before = std::mem::take(&mut self.cause_inference);
        for (facility, hours) in before.learned_hours() {
            self.cause_inference.restore(*facility, hours.clone());
        }
    }
}

/// Changed lists that are not written yet.
impl Availability {
    /// Returns `true` if a changed list is not written yet.
    pub fn has_unrecorded(&self) -> bool {
        !self.unrecorded.is_empty()
    }

    /// Adds a changed list that is written later.
    pub fn add_unrecorded(&mut self, change: ListChange) {
        self.unrecorded.push(change);
    }

    /// Takes all changed lists.
    pub fn take_unrecorded(&mut self) -> Vec<ListChange> {
        std::mem::take(&mut self.unrecorded)
    }

    /// Takes the changed lists of one calendar.
    pub fn take_unrecorded_of(&mut self, key: &CalendarKey) -> Vec<ListChange> {
        self.unrecorded.extract_if(.., |change| change.key == *key).collect()
    }

    /// Puts back changed lists whose write failed, to be written before later ones.
    pub fn restore_unrecorded(&mut self, changes: Vec<ListChange>) {
        self.unrecorded.splice(0..0, changes);
    }
}

/// Learned values.
impl Availability {
    /// Restores the values that were learned before a restart.
    pub fn restore(&mut self, learned: &[(String, Value)]) {
        for (subject, data) in learned {
            let facility = subject
                .strip_prefix(HOURS)
                .and_then(|number| FacilityId::try_from(number.parse::<u16>().ok()?).ok());
            if let (Some(facility), Ok(hours)) = (facility, serde_json::from_value(data.clone())) {
                self.cause_inference.restore(facility, hours);
            }
            if subject == LISTS
                && let Ok(lists) = serde_json::from_value(data.clone())
            {
                self.cause_inference.restore_lists(lists);
            }
        }
        self.list_agreement.restore(learned);
    }

    /// Returns the learned causes of empty lists, as they are stored.
    pub fn learned_causes(&self) -> Vec<(String, Value)> {
        let hours = self.cause_inference.learned_hours().iter();
        let hours = hours.map(|(facility, hours)| (format!("{HOURS}{}", facility.number()), json!(hours)));
        hours.chain([(LISTS.to_owned(), json!(self.cause_inference.learned_lists()))]).collect()
    }

    /// Takes the list agreements that are to be written.
    pub fn take_learned_agreements(&mut self) -> Vec<(String, Value)> {
        self.list_agreement.learned()
    }
}
