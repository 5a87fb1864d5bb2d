//! The simulated portal: a pure function from world and request to response.

mod actions;
mod asc_lists;
pub(crate) mod csrf;
mod gate;
pub(crate) mod http;
mod json;
mod pages;
mod route;
pub(crate) mod session;
pub(crate) mod words;

use rand::RngExt;

use crate::{
    journal::{Effect, Entry},
    world::{
        World,
        clock::wall,
        country::Country,
        dice::Purpose,
        faults::{FaultKind, FaultTarget, Struck},
    },
};
use http::{Cut, Reply, Request};
use route::Path;
use session::{Notice, Visitor};
use words::Lang;

/// Longest permitted latency of a response, one hour.
const LONGEST_ANSWER_MS: u64 = 3_600_000;

/// Request that is being handled, with its visitor, path, language and faults.
pub(crate) struct PortalRequest<'a> {
    pub request: &'a Request,
    pub path: &'a Path,
    pub visitor: Visitor,
    pub struck: Struck,
    /// Message for the visitor's next page, which is stored in the cookie.
    pub next_notice: Option<Notice>,
}

impl PortalRequest<'_> {
    pub fn lang(&self) -> Lang {
        self.path.lang
    }

    pub fn country(&self) -> &'static Country {
        self.path.country
    }

    /// Returns `/en-ca/niv` (the base path of this request) followed by `rest`.
    pub fn url(&self, rest: &str) -> String {
        format!("{}{rest}", self.path.base)
    }
}

/// Handles one request at the current world time and records it in the journal.
pub(crate) fn answer(world: &mut World, request: &Request) -> Reply {
    let path = match Path::parse(request) {
        Ok(path) => path,
        Err(reply) => return *reply,
    };
    let visitor = session::visitor(world, &request.cookie);
    let account =
        visitor.account.clone().or_else(|| request.field("user[email]").map(|u| u.trim().to_lowercase()));
    if let Some(known) = visitor.account.as_deref().and_then(|a| world.accounts.get_mut(a)) {
        known.requests += 1;
    }
    let kind = path.route.kind();
    let schedule = path.route.schedule();
    let struck = world.strike(&FaultTarget { kind, account: account.as_deref(), schedule });
    let mut ask = PortalRequest { request, path: &path, visitor, struck, next_notice: None };
    let mut reply = gate::at_the_door(world, &ask).unwrap_or_else(|| gate::inside(world, &mut ask));
    finish(world, &ask, &mut reply);
    let entry = Entry {
        seq: 0,
        world_time: world.now,
        wall_time: Some(wall()),
        kind: kind.to_owned(),
        account,
        portal_schedule_id: schedule,
        method: request.method.clone(),
        path: request.target(),
        status: if reply.cut == Cut::Whole { 0 } else { reply.status },
        effect: reply.effect.clone(),
        asc: reply.asc.clone(),
        faults: ask.struck.names(),
        empty_because: reply.empty_because.clone(),
        retry_after: reply.header_value("retry-after").and_then(|seconds| seconds.parse().ok()),
        latency_ms: reply.latency_ms,
    };
    world.journal.write(entry);
    reply
}

/// Applies the faults that concern the response: latency, changed layout, SIGKILL and cut
/// connection.
fn finish(world: &mut World, ask: &PortalRequest<'_>, reply: &mut Reply) {
    let (low, high) = world.config.latency_ms;
    if high > 0 {
        reply.latency_ms = world.dice.throw(Purpose::Latency).random_range(low..=high.max(low));
    }
    let slow = |k: &FaultKind| {
        if let FaultKind::Slow { millis } = k { Some(*millis) } else { None }
    };
    let extra = ask.struck.find(slow).unwrap_or(0);
    reply.latency_ms = reply.latency_ms.saturating_add(extra).min(LONGEST_ANSWER_MS);
    if ask.struck.has(&FaultKind::ChangedLayout) && reply.status == 200 {
        reply.body = gate::changed_page(reply).into();
    }
    let here = |fault: &FaultKind| {
        if let FaultKind::Deviation { of } = fault {
            Some(*of).filter(|of| of.on == ask.path.route.kind())
        } else {
            None
        }
    };
    if let Some(deviation) = ask.struck.find(here).filter(|_| reply.status == 200) {
        reply.body = deviation.apply(&reply.body).into();
    }
    let applied = !matches!(reply.effect, Effect::None | Effect::Refused(_) | Effect::NotSignedIn);
    if ask.struck.has(&FaultKind::CutAfterApply) && applied {
        reply.cut = Cut::Whole;
    }
    if ask.struck.has(&FaultKind::HalfAnswer) {
        reply.cut = Cut::Half;
    }
    reply.kills = ask
        .struck
        .find(|k| if let FaultKind::Kill { pid, at } = k { Some((*pid, *at)) } else { None })
        .into_iter()
        .collect();
}

/// Returns `true` if the route names a group that belongs to the visitor's account.
///
/// Invented: under the locale of another country, a group is as inaccessible as another account's.
pub(crate) fn own_group(world: &World, ask: &PortalRequest<'_>) -> bool {
    let account = ask.visitor.account.as_ref().and_then(|name| world.accounts.get(name));
    let here = |id: &u64| world.groups.get(id).is_some_and(|group| group.country == ask.country());
    let id = ask.path.route.schedule().filter(here);
    id.zip(account).is_some_and(|(id, account)| account.schedules.contains(&id))
}
