//! Handlers of the JSON lists of fingerprint (ASC) appointments: places, free dates, free times.

use std::collections::BTreeMap;

use chrono::{NaiveDate, NaiveTime};

use super::{
    PortalRequest,
    http::Reply,
    json::{self, Day, Times},
};
use crate::{
    journal::Effect,
    world::{World, asc::ConsularChoice, facility::Facility, faults::FaultKind},
};

/// Returns the fingerprint places of a consulate as an object from numbers to names. Invented: all
/// places of the country belong to each of its consulates.
pub(super) fn places(ask: &PortalRequest<'_>, consulate: u32) -> Reply {
    let country = ask.country();
    let known = country.facility(consulate).is_some();
    let places = country.asc.iter().filter(|_| known).map(|place| (place.id, place.name));
    let places: BTreeMap<u32, &str> = places.collect();
    Reply::json(200, serde_json::to_string(&places).unwrap_or_default())
}

pub(super) fn days(world: &mut World, ask: &PortalRequest<'_>, schedule: u64, place: u32) -> Reply {
    let (mut causes, banned) = json::why_hidden(world, ask, schedule, place);
    let dates =
        find_asc(ask, place).map(|place| world.list_asc_dates(place, read_choice(ask))).unwrap_or_default();
    let hidden = json::words(&causes);
    let list = dates.iter().filter(|_| hidden.is_none());
    let list: Vec<Day> = list.map(|date| Day { date: *date, business_day: true }).collect();
    if dates.is_empty() {
        causes.push("no_days");
    }
    let seen = Effect::Looked { facility: place, days: list.len(), hidden };
    let body = serde_json::to_string(&list).unwrap_or_default();
    let mut reply = json::tagged(ask, body).effect(banned.unwrap_or(seen));
    reply.empty_because = causes.into_iter().map(str::to_owned).collect();
    reply
}

pub(super) fn times(world: &mut World, ask: &PortalRequest<'_>, schedule: u64, place: u32) -> Reply {
    let (causes, banned) = json::why_hidden(world, ask, schedule, place);
    let hidden = json::words(&causes);
    let text = ask.request.param("date").unwrap_or_default().to_owned();
    let wanted = find_asc(ask, place).zip(read_date(&text));
    let mut list: Vec<Option<String>> = Vec::new();
    if let Some((place, date)) = wanted.filter(|_| hidden.is_none()) {
        let times = world.list_asc_times(place, date, read_choice(ask));
        list = times.into_iter().map(|time| Some(time.format("%H:%M").to_string())).collect();
    }
    let seen = Effect::Timed { facility: place, date: text, times: list.len(), hidden };
    if list.is_empty() && world.config.null_times {
        list.push(None);
    }
    let body =
        serde_json::to_string(&Times { available_times: &list, business_times: &list }).unwrap_or_default();
    if ask.struck.has(&FaultKind::StealAscSlot)
        && let Some((place, date)) = wanted
    {
        world.steal_asc(place, date);
    }
    json::tagged(ask, body).effect(banned.unwrap_or(seen))
}

fn find_asc(ask: &PortalRequest<'_>, id: u32) -> Option<&'static Facility> {
    ask.country().asc_place(id)
}

/// Reads the consular slot of the query. An empty or unreadable parameter is a missing one.
fn read_choice(ask: &PortalRequest<'_>) -> ConsularChoice {
    let time = ask.request.param("consulate_time").unwrap_or_default();
    ConsularChoice {
        date: read_date(ask.request.param("consulate_date").unwrap_or_default()),
        time: NaiveTime::parse_from_str(time.trim(), "%H:%M").ok(),
    }
}

fn read_date(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text.trim(), "%Y-%m-%d").ok()
}
