//! The groups page, which is the home page of the account.

use maud::{Markup, html};

use super::super::{PortalRequest, http::Reply, words::Lang};
use crate::world::{
    World,
    accounts::{Appointment, Group, Status},
    faults::FaultKind,
};

pub(crate) fn show(world: &mut World, ask: &PortalRequest<'_>) -> Reply {
    let username = ask.visitor.account.clone().unwrap_or_default();
    let home = world.accounts.get(&username).map_or(0, |a| a.home_id);
    if !ask.request.path.ends_with(&format!("/groups/{home}")) {
        return Reply::redirect(ask.url(&format!("/groups/{home}")));
    }
    // Invented: an account may sign in under any locale, and sees only the groups of that country.
    let groups = world.groups_of(&username).filter(|g| g.country == ask.country());
    let none = ask.struck.has(&FaultKind::NoApplications);
    let (live, archived): (Vec<&Group>, Vec<&Group>) = groups.filter(|_| !none).partition(|g| !g.archived);
    let lang = ask.lang();
    let ivr = world.accounts.get(&username).map(|a| a.ivr_number.clone()).unwrap_or_default();
    let content = html! {
        h2 { (lang.text("Active Groups", "Groupes actifs")) }
        @if live.is_empty() {
            p class="no-applications" { (lang.text("You have no active applications.", "Vous n'avez aucune demande active.")) }
        }
        @for group in &live { (application(world, ask, group)) }
        @if !archived.is_empty() {
            h2 { (lang.text("Archived Groups", "Groupes archivés")) }
            div class="archived" { @for group in &archived { (application(world, ask, group)) } }
        }
        div class="ivr" {
            p { (lang.text("IVR Account Number", "Numéro de compte IVR")) ": " strong { (ivr) } }
        }
    };
    super::page(world, ask, "groups index", lang.text("Groups", "Groupes"), content)
}

fn application(world: &World, ask: &PortalRequest<'_>, group: &Group) -> Markup {
    let lang = ask.lang();
    let (appointment, status) = world.shown(group.schedule_id).unwrap_or((None, group.status));
    let own = |kind: FaultKind| ask.struck.has(&kind);
    let asc = world.shown_asc(group.schedule_id);
    let odd = own(FaultKind::OddCard { group: group.schedule_id });
    let fingerprints = own(FaultKind::FingerprintsOnly { group: group.schedule_id });
    let unknown_status = own(FaultKind::UnknownStatus { group: group.schedule_id });
    let base = ask.url(&format!("/schedule/{}", group.schedule_id));
    let class = match status {
        _ if unknown_status => "application card secondary",
        Status::AttendAppointment => "application attend_appointment card success",
        _ => "application appointment card secondary",
    };
    html! {
        div class=(class) {
            div class="row" {
                h4 class="status" {
                    small { (lang.text("Current Status", "Statut actuel")) } br;
                    @if unknown_status { "Manage Visit" } @else { (status_words(lang, status)) }
                }
                @if !group.archived {
                    ul class="dropdown menu actions" {
                        li {
                            a class="button primary small" href={ (base) "/continue_actions" } { (lang.text("Continue", "Continuer")) }
                        }
                    }
                }
            }
            @if odd {
                p class="consular-appt" { strong { (lang.text("Consular Appointment:", "Rendez-vous consulaire :")) } " soon" }
            } @else if let Some(appointment) = appointment.as_ref().filter(|_| !fingerprints) {
                (consular(lang, appointment))
            }
            @if let Some(asc) = asc.as_ref().or(appointment.as_ref().filter(|_| fingerprints)) {
                p class="asc-appt" { strong { (lang.text("ASC Appointment:", "Rendez-vous ASC :")) } " " (lang.appointment(asc)) }
            }
            @if appointment.is_some() {
                p class="delivery" { strong { (lang.text("Document Delivery:", "Livraison des documents :")) } " " (lang.text("Pick up", "Retrait")) }
            }
            (applicants(ask, group, &base, status))
        }
    }
}

fn consular(lang: Lang, appointment: &Appointment) -> Markup {
    html! {
        p class="consular-appt" {
            strong { (lang.text("Consular Appointment:", "Rendez-vous consulaire :")) } "\n" (lang.appointment(appointment))
        }
    }
}

fn applicants(ask: &PortalRequest<'_>, group: &Group, base: &str, status: Status) -> Markup {
    let lang = ask.lang();
    html! {
        table class="medium-12 columns" {
            thead {
                tr {
                    th { (lang.text("Applicant Name", "Nom du demandeur")) }
                    th class="show-for-medium" { (lang.text("Passport", "Passeport")) }
                    th class="show-for-medium" { "DS-160" }
                    th { (lang.text("Visa Class", "Catégorie de visa")) }
                    th class="show-for-medium" { (lang.text("Status", "Statut")) }
                    th {}
                }
            }
            tbody {
                @for person in &group.applicants {
                    tr {
                        td { (person.name) }
                        td class="show-for-medium" { (person.passport) }
                        td class="show-for-medium" { (person.ds160) }
                        td { (person.visa_class) }
                        td class="show-for-medium" { (status_words(lang, status)) }
                        td { a href={ (base) "/applicants/" (person.id) } { (lang.text("Details", "Détails")) } }
                    }
                }
            }
        }
    }
}

/// Returns the text of a status as the portal prints it.
pub(crate) fn status_words(lang: Lang, status: Status) -> &'static str {
    match status {
        Status::AttendAppointment => lang.text("Attend Appointment", "Se présenter au rendez-vous"),
        Status::ScheduleAppointment => lang.text("Schedule Appointment", "Prendre rendez-vous"),
        Status::PayVisaFee => lang.text("Pay Visa Fee", "Payer les frais de visa"),
    }
}
