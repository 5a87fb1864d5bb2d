//! The fee page: fee receipt and first available dates of all cities of the country.

use maud::html;

use super::super::{PortalRequest, http::Reply, json, route::nowhere, words::Lang};
use crate::{journal::Effect, world::World};

pub(crate) fn show(world: &mut World, ask: &PortalRequest<'_>, id: u64) -> Reply {
    let lang = ask.lang();
    let (causes, banned_now) = json::why_hidden(world, ask, id, 0);
    let (banned, effect) = (!causes.is_empty(), banned_now.unwrap_or(Effect::None));
    let Some(group) = world.groups.get(&id) else {
        return nowhere();
    };
    let shown = |place: u32, restricted: bool| {
        let hidden = banned || (restricted && world.config.restricted_hours && group.appointment.is_some());
        world.on_offer(group, place).next().filter(|_| !hidden).map(|slot| lang.date(slot.date))
    };
    let places = ask.country().facilities.iter();
    let rows: Vec<(&str, Option<String>)> =
        places.map(|f| (lang.city(f), shown(f.id, f.restricted_at(world.now)))).collect();
    let none = rows.iter().all(|(_, date)| date.is_none()) && !world.config.payment_table_when_none;
    let receipt = group.fee_receipt;
    let expired = group.fee_expired(world.now.date_naive());
    let content = html! {
        h2 { (lang.text("MRV Fee Payment", "Paiement des frais MRV")) }
        @if let Some(receipt) = receipt {
            p class="receipt" { strong { (lang.text("Receipt Date:", "Date du reçu :")) } " " (lang.date(receipt)) }
            @if expired {
                p class="error" { (lang.text("This receipt has expired: a fee is valid for 365 days. Please pay again.",
                    "Ce reçu a expiré : les frais sont valables 365 jours. Veuillez payer de nouveau.")) }
            }
        } @else {
            p { (lang.text("No payment has been received.", "Aucun paiement n'a été reçu.")) }
        }
        @if none {
            h3 class="h4" { (none_available(lang)) }
        } @else {
            h3 class="h4" { (lang.text("First Available Appointments", "Premiers rendez-vous disponibles")) }
            table class="for-layout" {
                tbody {
                    @for (city, date) in &rows {
                        tr {
                            td class="text-left" { (city) }
                            td class="text-right" { (date.as_deref().unwrap_or(lang.text("No Appointments Available", "Aucun rendez-vous disponible"))) }
                        }
                    }
                }
            }
        }
    };
    super::page(world, ask, "payment show", lang.text("Payment", "Paiement"), content).effect(effect)
}

/// Returns the sentence that replaces the table if no city has a free date.
fn none_available(lang: Lang) -> &'static str {
    lang.text(
        "There are no available appointments at this time. \
         Please check back in a few days as the Consular Section will open more appointments.",
        "Il n'y a aucun rendez-vous disponible pour le moment. Veuillez revenir dans quelques jours.",
    )
}
