//! What was learned, as it is stored.

use domain::facility::FacilityId;
use serde_json::Value;

use crate::model::state::State;

/// The subject under which it is kept how lists of all kinds come and go.
pub(crate) const LISTS: &str = "lists";

/// The subject under which a facility's restricted hours are kept.
pub(crate) fn hours_of(facility: FacilityId) -> String {
    format!("hours {}", facility.number())
}

impl State {
    /// Takes over what was learned before a restart.
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
