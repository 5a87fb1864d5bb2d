//! "Confirmation and Instructions", the page after a booking POST. Success and refusal differ only
//! in the flash message and the date.

use maud::html;

use super::super::{PortalRequest, http::Reply, route::nowhere, words::Lang};
use crate::world::{World, country::facility};

pub(crate) fn show(world: &mut World, ask: &PortalRequest<'_>, id: u64) -> Reply {
    let lang = ask.lang();
    let Some(group) = world.groups.get(&id).cloned() else {
        return nowhere();
    };
    let printed = if world.config.lag.instructions {
        world.shown(id).and_then(|(appointment, _)| appointment)
    } else {
        group.appointment.clone()
    };
    let interview = printed.as_ref().and_then(|a| Some((a, facility(a.facility)?)));
    let deadline = interview.and_then(|(a, place)| {
        let until = world.change_deadline(a)?.with_timezone(&place.zone).naive_local();
        Some(lang.local(until, place))
    });
    let content = html! {
        h1 { (lang.text("Confirmation and Instructions", "Confirmation et instructions")) }
        @if let Some((appointment, place)) = interview {
            p class="interview" {
                strong { (lang.text("Consular Section Interview Date:", "Date de l'entrevue à la section consulaire :")) } " "
                (lang.local(appointment.local(), place))
            }
            p { strong { (lang.text("Consular Section Location:", "Lieu de la section consulaire :")) } " " (lang.city(place)) }
        }
        @if let Some(deadline) = deadline {
            p { strong { (until_words(lang, &deadline)) } }
        }
        ul { @for person in &group.applicants { li { (person.name) " (DS-160: " (person.ds160) ")" } } }
        p { (lang.text("Bring your passport and this page to the interview.", "Apportez votre passeport et cette page à l'entrevue.")) }
        p { a class="button primary small" href=(ask.url("/account")) { (lang.text("Back to groups", "Retour aux groupes")) } }
    };
    super::page(
        world,
        ask,
        "appointment instructions",
        lang.text("Confirmation and Instructions", "Confirmation et instructions"),
        content,
    )
}

fn until_words(lang: Lang, deadline: &str) -> String {
    match lang {
        Lang::En => format!("You have until {deadline} to cancel or reschedule your appointment."),
        Lang::Fr => {
            format!("Vous avez jusqu'au {deadline} pour annuler ou reporter votre rendez-vous.")
        }
    }
}
