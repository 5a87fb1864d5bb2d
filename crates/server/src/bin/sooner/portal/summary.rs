//! Summaries of portal pages as text, without names of applicants.

use portal::pages::appointment::AppointmentForm;
use portal::pages::groups::{Group, GroupStatus, GroupsPage};

use super::finding::Stop;

/// Formats the groups of an account, without names.
pub fn groups_in_words(page: &GroupsPage) -> String {
    let groups = page.groups.iter().map(|group| {
        let at = group.appointment.as_ref().map_or("no appointment".to_owned(), |appointment| {
            format!("appointment {} {}", appointment.at.iso(), appointment.facility_name)
        });
        let class = group.visa_class.as_deref().unwrap_or("unknown class");
        format!("{}, {at}, {class}, {}", group.status_text, names(group.applicants.len()))
    });
    let groups: Vec<String> = groups.collect();
    format!("{} groups. {}", page.groups.len(), groups.join("; "))
}

/// Formats the button and the cities of the booking form, with their numbers.
pub fn form_in_words(form: &AppointmentForm) -> String {
    let numbered = form.facilities.iter().map(|facility| format!("{} ({})", facility.name, facility.id));
    let cities: Vec<String> = numbered.collect();
    format!("button {}, cities {}", form.commit, cities.join(", "))
}

/// Formats the number of applicants with placeholders for their names.
pub fn names(count: usize) -> String {
    format!("applicants {}", vec!["***"; count].join(", "))
}

/// Returns the reason for which the engine could monitor none of the groups.
pub fn no_group(groups: &[Group]) -> Stop {
    let has = |status| groups.iter().any(|group| group.status == status);
    if groups.is_empty() {
        Stop::known("groups", "This account has no group: there is nothing to watch.")
    } else if has(GroupStatus::PayVisaFee) {
        Stop::known("groups", "The visa fee is not paid: the portal shows no dates until it is paid.")
    } else if has(GroupStatus::FingerprintsOnly) {
        Stop::known("groups", "This account has a fingerprint appointment only: there is nothing to watch.")
    } else {
        Stop {
            at: "groups",
            reason: "No group of this account has a status that this version knows.".to_owned(),
            is_unknown_page: true,
        }
    }
}
