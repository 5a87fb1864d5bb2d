//! Pages that lead to a booking: limit warning, selection of applicants, booking form.

use maud::{Markup, html};

use super::super::{PortalRequest, csrf, http::Reply, route::nowhere};
use crate::world::{
    World,
    accounts::{Group, Status},
    faults::FaultKind,
};

/// Title and heading of the limit warning, which the portal does not translate.
const LIMIT_TITLE: &str = "Scheduling Limit Warning";

/// Returns `true` if the group has an appointment and no reschedules are left.
pub(crate) fn limit_is_reached(world: &World, ask: &PortalRequest<'_>, id: u64) -> bool {
    let used_up = world.groups.get(&id).is_some_and(|g| g.appointment.is_some() && g.attempts_used_up());
    used_up || ask.struck.has(&FaultKind::AttemptsUsedUp)
}

pub(crate) fn show(world: &mut World, ask: &PortalRequest<'_>, id: u64) -> Reply {
    let Some(group) = world.groups.get(&id).cloned() else {
        return nowhere();
    };
    if group.status == Status::PayVisaFee || group.fee_expired(world.now.date_naive()) {
        return Reply::redirect(ask.url(&format!("/schedule/{id}/payment")));
    }
    if limit_is_reached(world, ask, id) {
        return limit_reached(world, ask);
    }
    if group.appointment.is_none() {
        return form(world, ask, &group);
    }
    if ask.request.param("confirmed_limit_message") != Some("1") {
        if group.party() > 1 {
            forget_choice(world, ask, id);
        } else {
            record_visit(world, ask, id);
        }
        if group.is_limited() {
            return limit(world, ask, &group);
        }
    }
    let chosen = ask
        .request
        .query
        .iter()
        .filter(|(key, _)| key == "applicants[]")
        .filter_map(|(_, v)| v.parse::<u64>().ok());
    let chosen: Vec<u64> = chosen.collect();
    let everyone = group.applicants.iter().all(|a| chosen.contains(&a.id));
    if group.party() > 1 && !everyone { applicants(world, ask, &group) } else { form(world, ask, &group) }
}

/// Returns `true` if applicants must still be selected in this session, before the booking form.
///
/// No selection is needed in a group of one applicant, or for a first booking, which concerns the
/// whole group.
pub(crate) fn choice_is_missing(world: &World, ask: &PortalRequest<'_>, group: &Group) -> bool {
    let id = group.schedule_id;
    let chosen = world
        .sessions
        .get(&ask.visitor.id)
        .is_some_and(|session| session.forms.contains_key(&id) && !session.unchosen.contains(&id));
    group.party() > 1 && group.appointment.is_some() && !chosen
}

/// Forgets the session's selection of applicants, as the portal does after a visit of
/// `/appointment` without parameters.
fn forget_choice(world: &mut World, ask: &PortalRequest<'_>, id: u64) {
    if let Some(session) = world.sessions.get_mut(&ask.visitor.id) {
        session.unchosen.insert(id);
    }
}

/// Records the visit at which the lifetime of a group's form begins.
fn record_visit(world: &mut World, ask: &PortalRequest<'_>, id: u64) {
    let now = world.now;
    if let Some(session) = world.sessions.get_mut(&ask.visitor.id) {
        session.forms.insert(id, now);
    }
}

/// Records in the session that the form was shown, and if applicants were selected before.
fn record_form(world: &mut World, ask: &PortalRequest<'_>, group: &Group) {
    record_visit(world, ask, group.schedule_id);
    if let Some(session) = world.sessions.get_mut(&ask.visitor.id) {
        // The form of a first booking appears without a selection of applicants.
        if group.appointment.is_some() {
            session.unchosen.remove(&group.schedule_id);
        } else {
            session.unchosen.insert(group.schedule_id);
        }
    }
}

/// Renders the "Limit Reached" page.
pub(crate) fn limit_reached(world: &mut World, ask: &PortalRequest<'_>) -> Reply {
    let lang = ask.lang();
    let content = html! {
        h1 { (lang.text("Limit Reached", "Limite atteinte")) }
        div class="callout alert" {
            p { (lang.text(
                "You have reached the maximum number of cancellations/reschedules permitted by this service.",
                "Vous avez atteint le nombre maximal d'annulations/reports permis par ce service.")) }
        }
    };
    super::page(world, ask, "appointment limit", lang.text("Limit Reached", "Limite atteinte"), content)
}

fn limit(world: &mut World, ask: &PortalRequest<'_>, group: &Group) -> Reply {
    let lang = ask.lang();
    let (total, left) = (group.attempts_total, group.attempts_left);
    let in_russian = group.country.limit.is_some_and(|limit| limit.is_printed_in_russian);
    let warning = match lang {
        _ if in_russian => format!(
            "Внимание: Максимальное количество разрешенных отмен/переносов собеседования на этом сервисе: \
             {total}. У вас осталось {left} попыток до достижения этого лимита."
        ),
        super::super::Lang::En => format!(
            "There is a maximum number of {total} cancellations/reschedules permitted by this service. \
             You have {left} remaining attempt(s) before you reach the limit. \
             Once the limit is reached you will not be able to change your appointment."
        ),
        super::super::Lang::Fr => format!(
            "Il y a un nombre maximal de {total} annulations/reports permis par ce service. \
             Il vous reste {left} tentative(s) avant d'atteindre la limite."
        ),
    };
    let content = html! {
        form class="search" method="get" action=(ask.url("/search")) accept-charset="UTF-8" {
            input type="search" name="q" aria-label=(lang.text("Search", "Rechercher"));
            input type="submit" value=(lang.text("Search", "Rechercher"));
        }
        div class="row subTitle" { h1 class="text" { (LIMIT_TITLE) } }
        div class="callout secondary animated bounce-in" { p { (warning) } }
        form method="get" action=(ask.url(&format!("/schedule/{}/appointment", group.schedule_id))) accept-charset="UTF-8" {
            input name="utf8" type="hidden" value="✓";
            div class="radio-checkbox-group" {
                div class="icheckbox icheck-item" {
                    input type="checkbox" name="confirmed_limit_message" id="confirmed_limit_message" value="1";
                }
                label for="confirmed_limit_message" { (lang.text("I understand", "Je comprends")) }
            }
            (close_link(ask))
            input type="submit" name="commit" value="Continue" class="button primary" data-disable-with="Continue";
        }
    };
    super::page(world, ask, "appointment new", LIMIT_TITLE, content)
}

/// Renders the link back to the groups page, beside the "Continue" button.
fn close_link(ask: &PortalRequest<'_>) -> Markup {
    html! { a class="button secondary" href=(ask.url("/account")) { (ask.lang().text("Close", "Fermer")) } }
}

fn applicants(world: &mut World, ask: &PortalRequest<'_>, group: &Group) -> Reply {
    let lang = ask.lang();
    let partial = ask.request.param("applicants[]").is_some();
    let content = html! {
        h1 { (lang.text("Select Applicants", "Sélectionner les demandeurs")) }
        @if partial {
            p class="error" { (lang.text("Please select all applicants of the group.", "Veuillez sélectionner tous les demandeurs du groupe.")) }
        }
        form method="get" action=(ask.url(&format!("/schedule/{}/appointment", group.schedule_id))) accept-charset="UTF-8" {
            input name="utf8" type="hidden" value="✓";
            @for person in &group.applicants {
                div class="applicant" {
                    input type="checkbox" name="applicants[]" id={ "applicants_" (person.id) } value=(person.id) checked;
                    label for={ "applicants_" (person.id) } { (person.name) }
                }
            }
            input type="hidden" name="confirmed_limit_message" id="confirmed_limit_message" value="1";
            (close_link(ask))
            input type="submit" name="commit" value=(lang.text("Continue", "Continuer")) class="button primary";
        }
    };
    super::page(world, ask, "appointment applicants", lang.text("Select Applicants", "Sélectionner"), content)
}

fn form(world: &mut World, ask: &PortalRequest<'_>, group: &Group) -> Reply {
    let lang = ask.lang();
    record_form(world, ask, group);
    let action = ask.url(&format!("/schedule/{}/appointment", group.schedule_id));
    let token = csrf::form_token(world, &ask.visitor.id, &action, "post");
    let current = group.appointment.as_ref().map(|a| a.facility);
    let no_choice = ask.struck.has(&FaultKind::FormWithoutChoice);
    let missing = ask
        .struck
        .find(|k| if let FaultKind::FacilityMissing { facility } = k { Some(*facility) } else { None });
    let offered = ask.country().facilities.iter().filter(|place| !no_choice && Some(place.id) != missing);
    let asks_asc = !ask.country().asc.is_empty();
    let fields_id =
        if asks_asc { "consulate-appointment-fields" } else { "appointments_consulate_appointment" };
    let commit = if current.is_some() {
        lang.text("Reschedule", "Reporter")
    } else {
        lang.text("Schedule", "Planifier")
    };
    let content = html! {
        h2 { (lang.text("Schedule Appointments", "Planifier les rendez-vous")) }
        @if let Some(appointment) = &group.appointment {
            p class="current" { strong { (lang.text("Current appointment:", "Rendez-vous actuel :")) } " " (lang.appointment(appointment)) }
        }
        form id="appointment-form" class="formtastic appointments" novalidate action=(action) accept-charset="UTF-8" method="post" {
            input name="utf8" type="hidden" value="✓";
            input type="hidden" name="authenticity_token" value=(token);
            input type="hidden" name="confirmed_limit_message" id="confirmed_limit_message" value="1";
            input type="hidden" name="use_consulate_appointment_capacity" id="use_consulate_appointment_capacity" value="true";
            fieldset id=(fields_id) {
                legend { (lang.text("Consular Section Appointment", "Rendez-vous à la section consulaire")) }
                div class="input select" {
                    label for="appointments_consulate_appointment_facility_id" { (lang.text("Consular Section Location", "Lieu de la section consulaire")) " *" }
                    select id="appointments_consulate_appointment_facility_id" name="appointments[consulate_appointment][facility_id]" {
                        option value="" {}
                        @for place in offered {
                            option value=(place.id) data-collects-biometrics=[asks_asc.then_some(place.collects_biometrics)]
                                selected[Some(place.id) == current] { (lang.city(place)) }
                        }
                    }
                }
                div id="consulate_date_time_not_available" class="display-none error" {
                    small { (lang.text("System is busy. Please try again later.", "Le système est occupé. Veuillez réessayer plus tard.")) }
                }
                div id="consulate_date_time" {
                    div class="input date" {
                        label for="appointments_consulate_appointment_date" { (lang.text("Date of Appointment", "Date du rendez-vous")) " *" }
                        input type="text" readonly autocomplete="off" id="appointments_consulate_appointment_date"
                            name="appointments[consulate_appointment][date]" data-collapse-days=(format!("{action}/days/"));
                    }
                    div class="input time" {
                        label for="appointments_consulate_appointment_time" { (lang.text("Time", "Heure")) " *" }
                        select id="appointments_consulate_appointment_time" name="appointments[consulate_appointment][time]"
                            data-collapse-times=(format!("{action}/times/")) { option value="" {} }
                    }
                }
            }
            @if asks_asc {
                (super::asc_fields::render(ask, group, &action, missing))
            } @else if ask.struck.has(&FaultKind::FormAsksAsc) {
                fieldset id="appointments_asc_appointment" {
                    legend { (lang.text("ASC Appointment", "Rendez-vous au centre ASC")) }
                    select id="appointments_asc_appointment_facility_id" name="appointments[asc_appointment][facility_id]" {
                        option value="" {}
                    }
                }
            }
            input type="submit" name="commit" id="appointments_submit" value=(commit) class="button primary" disabled;
        }
        div id="ui-datepicker-div" class="ui-datepicker" hidden {}
    };
    super::page(world, ask, "appointment new", lang.text("Schedule Appointments", "Planifier"), content)
}
