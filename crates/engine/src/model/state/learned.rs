//! Learned values, as they are stored.

use domain::facility::FacilityId;
use serde_json::Value;

use crate::model::state::State;

/// Subject under which the common rates of appearing and vanishing lists are stored.
pub(crate) const LISTS: &str = "lists";

/// Returns the subject under which a facility's restricted hours are stored.
pub(crate) fn hours_of(facility: FacilityId) -> String {
    format!("hours {}", facility.number())
}

impl State {
    /// Takes over the values that were learned before a restart.
    pub(crate) fn restore(&mut self, learned: Vec<(String, Value)>) {
        for (subject, data) in &learned {
            let facility = subject
                .strip_prefix("hours ")
                .and_then(|f| FacilityId::try_from(f.parse::<u16>().ok()?).ok());
            if let (Some(facility), Ok(hours)) = (facility, serde_json::from_value(data.clone())) {
                self.cause_inference.restore(facility, hours);
            }
            if subject == LISTS
                && let Ok(lists) = serde_json::from_value(data.clone())
            {
                self.cause_inference.restore_lists(lists);
            }
        }
        self.list_agreement.restore(&learned);
        self.page_breakers.restore(&learned);
        self.poll_plan.restore(learned);
    }
}
