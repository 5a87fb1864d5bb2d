//! The block of the booking form for the fingerprint (ASC) appointment.

use maud::{Markup, html};

use super::super::PortalRequest;
use crate::world::{accounts::Group, country::Country, facility::Facility};

/// Renders the block of a country with fingerprint places. The page's script shows, fills and hides
/// it.
///
/// Known: the names, the identifiers, and that one place is preselected. Invented: the elements
/// around the fields, and the preselected place.
pub(super) fn render(ask: &PortalRequest<'_>, group: &Group, action: &str, missing: Option<u32>) -> Markup {
    let lang = ask.lang();
    let chosen = find_preselected(ask.country(), group);
    html! {
        div class="toggle_biometic_collection" {
            fieldset id="asc-appointment-fields" {
                legend { (lang.text("ASC Appointment", "Rendez-vous au centre ASC")) }
                div class="input select" {
                    label for="appointments_asc_appointment_facility_id" { (lang.text("ASC Location", "Lieu du centre ASC")) " *" }
                    select id="appointments_asc_appointment_facility_id" name="appointments[asc_appointment][facility_id]" {
                        option value="" {}
                        @for place in ask.country().asc.iter().filter(|place| Some(place.id) != missing) {
                            option value=(place.id) selected[chosen.is_some_and(|chosen| chosen.id == place.id)] { (place.name) }
                        }
                    }
                }
                div id="asc_date_time_not_available" class="display-none error" {
                    small { (lang.text("There are no available appointments at the selected location. Please try again later.",
                        "Aucun rendez-vous n'est disponible à cet endroit. Veuillez réessayer plus tard.")) }
                }
                div id="asc_date_time" {
                    div class="input date" {
                        label for="appointments_asc_appointment_date" { (lang.text("Date of Appointment", "Date du rendez-vous")) " *" }
                        input type="text" readonly autocomplete="off" id="appointments_asc_appointment_date"
                            name="appointments[asc_appointment][date]" data-collapse-days=(format!("{action}/days/"));
                    }
                    div class="input time" {
                        label for="appointments_asc_appointment_time" { (lang.text("Time", "Heure")) " *" }
                        select id="appointments_asc_appointment_time" name="appointments[asc_appointment][time]"
                            data-collapse-times=(format!("{action}/times/")) { option value="" {} }
                    }
                }
            }
        }
    }
}

/// Returns the fingerprint place of the present appointment, or that in the consulate's city, or
/// the first one.
fn find_preselected(country: &'static Country, group: &Group) -> Option<&'static Facility> {
    let held = group.asc.as_ref().and_then(|asc| country.asc_place(asc.facility));
    let consulate = group.appointment.as_ref().and_then(|held| country.facility(held.facility));
    let beside = || country.asc.iter().find(|place| Some(place.city()) == consulate.map(Facility::city));
    held.or_else(beside).or(country.asc.first())
}
