//! Handlers of the two JSON lists of a consulate: its free dates, and the free times of a date.

use chrono::NaiveDate;
use serde::Serialize;

use super::{
    PortalRequest,
    http::Reply,
    session::{Notice, digest, hex},
    words::Lang,
};
use crate::{
    journal::Effect,
    world::{World, country::facility, faults::FaultKind, slots::Slot},
};

#[derive(Serialize)]
pub(super) struct Day {
    pub date: NaiveDate,
    pub business_day: bool,
}

#[derive(Serialize)]
pub(super) struct Times<'a> {
    pub available_times: &'a [Option<String>],
    pub business_times: &'a [Option<String>],
}

/// Returns `true` if the request has the headers that the portal's own page sends. Otherwise the
/// portal responds with 404.
pub(super) fn asked_properly(ask: &PortalRequest<'_>) -> bool {
    ask.request.requested_with.eq_ignore_ascii_case("XMLHttpRequest")
        && ask.request.accept.contains("application/json")
}

pub(super) fn not_signed_in(ask: &PortalRequest<'_>) -> Reply {
    let words = Notice::of(ask.visitor.ended).words(Lang::En);
    Reply::json(401, format!(r#"{{"error":"{words}"}}"#))
}

pub(super) fn days(world: &mut World, ask: &PortalRequest<'_>, schedule: u64, place: u32) -> Reply {
    let (mut causes, banned) = why_hidden(world, ask, schedule, place);
    let mut list: Vec<Day> = Vec::new();
    if let Some(group) = world.groups.get(&schedule) {
        for slot in world.on_offer(group, place).filter(|s| in_own_list(ask, s)) {
            if list.last().is_none_or(|day| day.date != slot.date) {
                list.push(Day { date: slot.date, business_day: true });
            }
        }
    }
    let hidden = words(&causes);
    if list.is_empty() {
        causes.push("no_days");
    }
    if hidden.is_some() {
        list.clear();
    }
    let seen = Effect::Looked { facility: place, days: list.len(), hidden };
    let body = serde_json::to_string(&list).unwrap_or_default();
    let mut reply = tagged(ask, body).effect(banned.unwrap_or(seen));
    reply.empty_because = causes.into_iter().map(str::to_owned).collect();
    reply
}

/// Returns `true` if the account may see this slot. A fault can give each account a different list.
fn in_own_list(ask: &PortalRequest<'_>, slot: &Slot) -> bool {
    let hides = |k: &FaultKind| {
        if let FaultKind::OwnList { hides_percent } = k { Some(*hides_percent) } else { None }
    };
    ask.struck.find(hides).is_none_or(|percent| {
        let who = ask.visitor.account.as_deref().unwrap_or_default();
        let drawn = digest(&[who, &slot.facility.to_string(), &slot.date.to_string()]);
        u64::from(u16::from_be_bytes([drawn[0], drawn[1]])) % 100 >= percent
    })
}

/// Returns the first reason as text for the journal.
pub(super) fn words(causes: &[&str]) -> Option<String> {
    causes.first().map(|cause| cause.replace('_', " "))
}

pub(super) fn times(world: &mut World, ask: &PortalRequest<'_>, schedule: u64, place: u32) -> Reply {
    let (causes, banned) = why_hidden(world, ask, schedule, place);
    let hidden = words(&causes);
    let text = ask.request.param("date").unwrap_or_default().to_owned();
    let date = NaiveDate::parse_from_str(&text, "%Y-%m-%d").ok();
    let phantom = ask.struck.has(&FaultKind::PhantomDates);
    let mut list: Vec<Option<String>> = Vec::new();
    if hidden.is_none()
        && !phantom
        && let Some(group) = world.groups.get(&schedule)
    {
        let slots = world.on_offer(group, place);
        list = slots
            .filter(|s| Some(s.date) == date && !s.phantom && in_own_list(ask, s))
            .map(|s| Some(s.time.format("%H:%M").to_string()))
            .collect();
    }
    let found = list.len();
    if list.is_empty() && world.config.null_times {
        list.push(None);
    }
    let seen = Effect::Timed { facility: place, date: text, times: found, hidden };
    let body =
        serde_json::to_string(&Times { available_times: &list, business_times: &list }).unwrap_or_default();
    if ask.struck.has(&FaultKind::StealSlot)
        && let (Some(date), Some(pool)) = (date, world.groups.get(&schedule).map(|g| g.pool().to_owned()))
    {
        world.steal(&pool, place, date);
    }
    tagged(ask, body).effect(banned.unwrap_or(seen))
}

/// Counts the request for the soft ban. Returns all reasons that hide the list, and the effect if
/// this request caused a ban.
pub(super) fn why_hidden(
    world: &mut World,
    ask: &PortalRequest<'_>,
    schedule: u64,
    place: u32,
) -> (Vec<&'static str>, Option<Effect>) {
    let username = ask.visitor.account.as_deref().unwrap_or_default();
    let (banned, by_this_call) = world.count_call(username);
    let effect = by_this_call.map(|until| Effect::Banned { until });
    let hours = world.config.restricted_hours
        && facility(place).is_some_and(|f| f.restricted_at(world.now))
        && world.holds_appointment(username, ask.country());
    let paid =
        world.groups.get(&schedule).is_some_and(|g| g.status != crate::world::accounts::Status::PayVisaFee);
    let causes = [
        (banned || ask.struck.has(&FaultKind::SoftBan), "soft_ban"),
        (hours || ask.struck.has(&FaultKind::RestrictedHours), "restricted_hours"),
        (ask.struck.has(&FaultKind::OverloadedLists), "overload"),
        (!paid && ask.path.route.kind() != "payment", "fee_unpaid"),
    ];
    (causes.into_iter().filter(|(holds, _)| *holds).map(|(_, cause)| cause).collect(), effect)
}

/// Builds the response with a weak ETag, or a 304 response if the client has the same list.
pub(super) fn tagged(ask: &PortalRequest<'_>, body: String) -> Reply {
    let tag = format!("W/\"{}\"", &hex(&digest(&[&body]))[..32]);
    let known = ask.request.if_none_match.split(',').any(|t| t.trim().trim_start_matches("W/") == &tag[2..]);
    let reply = if known { Reply::json(304, "") } else { Reply::json(200, body) };
    reply.header("etag", tag).header("cache-control", "max-age=0, private, must-revalidate")
}
