//! Pages of one group: the actions page, and the page of an applicant.

use maud::{Markup, html};

use super::super::{PortalRequest, http::Reply, route::nowhere};
use crate::world::{World, accounts::Status};

pub(crate) fn actions(world: &mut World, ask: &PortalRequest<'_>, id: u64) -> Reply {
    let lang = ask.lang();
    let Some((appointment, status)) = world.shown(id) else {
        return nowhere();
    };
    let base = ask.url(&format!("/schedule/{id}"));
    let target = format!("{base}/appointment");
    let content = html! {
        h2 { (super::groups::status_words(lang, status)) }
        @if let Some(appointment) = &appointment {
            p class="consular-appt" { strong { (lang.text("Consular Appointment:", "Rendez-vous consulaire :")) } "\n" (lang.appointment(appointment)) }
        }
        @if let Some(asc) = world.shown_asc(id) {
            p class="asc-appt" { strong { (lang.text("ASC Appointment:", "Rendez-vous ASC :")) } " " (lang.appointment(&asc)) }
        }
        ul class="accordion custom_icons" data-accordion="" {
            @if appointment.is_some() {
                (item(lang.text("Reschedule Appointment", "Reporter le rendez-vous"), html! {
                    a class="button small primary" href=(target) { (lang.text("Reschedule Appointment", "Reporter le rendez-vous")) }
                }))
                (item(lang.text("Cancel Appointment", "Annuler le rendez-vous"), html! {
                    a class="button small primary" data-method="delete" rel="nofollow" href=(target)
                        data-confirm=(lang.text("Are you sure you want to cancel your appointment?", "Voulez-vous vraiment annuler votre rendez-vous ?")) {
                        (lang.text("Cancel Appointment", "Annuler le rendez-vous"))
                    }
                }))
                (item(lang.text("Appointment Confirmation", "Confirmation du rendez-vous"), html! {
                    a class="button small primary" href={ (target) "/instructions" } { (lang.text("Confirmation and Instructions", "Confirmation et instructions")) }
                }))
            } @else if status == Status::PayVisaFee {
                (item(lang.text("Pay Visa Fee", "Payer les frais de visa"), html! {
                    a class="button small primary" href={ (base) "/continue" } { (lang.text("Pay Visa Fee", "Payer les frais de visa")) }
                }))
            } @else {
                (item(lang.text("Schedule Appointment", "Prendre rendez-vous"), html! {
                    a class="button small primary" href={ (base) "/continue" } { (lang.text("Schedule Appointment", "Prendre rendez-vous")) }
                }))
            }
            (item(lang.text("Fee Payment", "Paiement des frais"), html! {
                a class="button small secondary" href={ (base) "/payment" } { (lang.text("View Payment", "Voir le paiement")) }
            }))
        }
    };
    super::page(world, ask, "schedule continue_actions", lang.text("Actions", "Actions"), content)
}

fn item(title: &str, content: Markup) -> Markup {
    html! {
        li class="accordion-item" data-accordion-item="" {
            a class="accordion-title" href="#" { h5 { (title) } }
            div class="accordion-content" data-tab-content="" { p { (content) } }
        }
    }
}

pub(crate) fn applicant(world: &mut World, ask: &PortalRequest<'_>, id: u64, applicant: u64) -> Reply {
    let lang = ask.lang();
    let Some(group) = world.groups.get(&id) else {
        return nowhere();
    };
    let Some(person) = group.applicants.iter().find(|a| a.id == applicant) else {
        return nowhere();
    };
    let country = ask.country().name_in_text;
    let question = format!("Are you traveling from another country to apply for a U.S. visa in {country}?");
    let content = html! {
        h2 { (person.name) }
        dl {
            dt { (lang.text("Passport", "Passeport")) } dd { (person.passport) }
            dt { "DS-160" } dd { (person.ds160) }
            dt { (lang.text("Visa Class", "Catégorie de visa")) } dd { (person.visa_class) }
            dt {
                (lang.text(&question,
                    "Venez-vous d'un autre pays pour demander un visa américain au Canada ?"))
            }
            dd { (if group.tcn { lang.text("Yes", "Oui") } else { lang.text("No", "Non") }) }
        }
    };
    super::page(world, ask, "applicants show", lang.text("Applicant", "Demandeur"), content)
}
