//! Checks before a request reaches a page: outages, ended sessions and header rules. Each response
//! sets a new cookie value.

use super::{
    PortalRequest, actions, asc_lists,
    http::{Cut, Reply},
    json, own_group, pages,
    route::{Route, nowhere},
    session::{self, Notice},
};
use crate::{
    journal::Effect,
    world::{World, accounts::SessionEndReason, faults::FaultKind},
};

/// Returns the response of a fault in front of the application, if one is active: outage, reset, or
/// foreign page. Such a response sets no cookie.
pub(super) fn at_the_door(_world: &mut World, ask: &PortalRequest<'_>) -> Option<Reply> {
    let wait = |reply: Reply, seconds: &Option<u64>| match seconds {
        Some(seconds) => reply.header("retry-after", seconds.to_string()),
        None => reply,
    };
    ask.struck.find(|kind| match kind {
        FaultKind::Reset => {
            let mut reply = Reply::page_with(502, "");
            reply.cut = Cut::Whole;
            Some(reply)
        }
        FaultKind::BadGateway | FaultKind::AscBadGateway => Some(Reply::page_with(502, BAD_GATEWAY)),
        FaultKind::Maintenance { retry_after } => Some(wait(Reply::page_with(503, MAINTENANCE), retry_after)),
        FaultKind::TooManyRequests { retry_after } => {
            Some(wait(Reply::page_with(429, TOO_MANY), retry_after))
        }
        FaultKind::BusyPage => Some(Reply::page_with(200, BUSY)),
        FaultKind::EmptyList { cut } => Some(Reply::json(200, if *cut { "[{\"date\":\"20" } else { "" })),
        FaultKind::UnknownError => Some(Reply::json(200, r#"{"error":"Something is not as it should be."}"#)),
        FaultKind::ForeignHtml => Some(Reply::page_with(200, FOREIGN)),
        _ => None,
    })
}

/// Returns the application's own response, which sets the next cookie value.
pub(super) fn inside(world: &mut World, ask: &mut PortalRequest<'_>) -> Reply {
    let ended_now = end_session(world, ask);
    let mut reply = match refuse_strangers(world, ask) {
        Some(reply) if ended_now => reply.effect(Effect::SessionEnded),
        Some(reply) => reply,
        None => serve(world, ask),
    };
    let value = session::seal(world, &ask.visitor.id, ask.next_notice);
    let secure = if ask.request.https { "; Secure" } else { "" };
    reply = reply
        .header("set-cookie", format!("{}={value}; path=/; HttpOnly{secure}; SameSite=Lax", session::COOKIE));
    if reply.is_html() {
        reply = reply.header("cache-control", "no-cache, no-store");
    }
    reply.header("x-frame-options", "SAMEORIGIN")
}

fn end_session(world: &mut World, ask: &mut PortalRequest<'_>) -> bool {
    let ends = ask.struck.has(&FaultKind::SessionEnd) && ask.visitor.account.is_some();
    if ends && let Some(session) = world.sessions.get_mut(&ask.visitor.id) {
        session.ended = Some(SessionEndReason::Expired);
        ask.visitor.account = None;
        ask.visitor.ended = Some(SessionEndReason::Expired);
    }
    ends
}

/// Checks the headers of JSON requests, the sign-in, and the owner of the group. Returns the
/// refusal if a check fails.
fn refuse_strangers(world: &mut World, ask: &mut PortalRequest<'_>) -> Option<Reply> {
    let route = ask.path.route;
    let is_json = route.is_json();
    if is_json && !json::asked_properly(ask) {
        return Some(nowhere());
    }
    if matches!(route, Route::Nothing) {
        return Some(nowhere());
    }
    if matches!(route, Route::Landing | Route::SignInPage | Route::SignIn | Route::SignOut) {
        return None;
    }
    if ask.visitor.account.is_none() {
        let reply = if is_json {
            json::not_signed_in(ask)
        } else {
            ask.next_notice = Some(Notice::of(ask.visitor.ended));
            Reply::redirect(ask.url("/users/sign_in"))
        };
        return Some(reply.effect(Effect::NotSignedIn));
    }
    if route.schedule().is_some() && !own_group(world, ask) {
        let words = ask.lang().text(
            "You do not have permission to access that account.",
            "Vous n'avez pas la permission d'accéder à ce compte.",
        );
        actions::leave_flash(world, ask, words);
        return Some(
            Reply::redirect(ask.url("/account")).effect(Effect::Refused("another's group".to_owned())),
        );
    }
    None
}

fn serve(world: &mut World, ask: &mut PortalRequest<'_>) -> Reply {
    match ask.path.route {
        Route::Landing => actions::landing(world, ask),
        Route::Account => actions::home(world, ask),
        Route::SignInPage => actions::sign_in_page(world, ask),
        Route::SignIn => actions::sign_in(world, ask),
        Route::SignOut => actions::sign_out(world, ask),
        Route::Groups => pages::groups::show(world, ask),
        Route::Actions(id) => pages::application::actions(world, ask, id),
        Route::Applicant(id, applicant) => pages::application::applicant(world, ask, id, applicant),
        Route::Payment(id) => pages::payment::show(world, ask, id),
        Route::Continue(id) => actions::next_step(world, ask, id),
        Route::Appointment(id) => pages::appointment::show(world, ask, id),
        Route::AppointmentContinue(id) => {
            Reply::redirect(ask.url(&format!("/schedule/{id}/appointment/instructions")))
        }
        Route::Instructions(id) => pages::instructions::show(world, ask, id),
        Route::Book(id) => actions::book(world, ask, id),
        Route::Cancel(id) => actions::cancel(world, ask, id),
        Route::Days(id, place) => json::days(world, ask, id, place),
        Route::Times(id, place) => json::times(world, ask, id, place),
        Route::AscDays(id, place) => asc_lists::days(world, ask, id, place),
        Route::AscTimes(id, place) => asc_lists::times(world, ask, id, place),
        Route::AvailableAscs(_, consulate) => asc_lists::places(ask, consulate),
        Route::Nothing => nowhere(),
    }
}

/// Returns the page as after a redesign, with all identifiers renamed that a parser could use.
pub(super) fn changed_page(reply: &Reply) -> String {
    if reply.is_json() {
        return format!("{{\"data\":{}}}", reply.body);
    }
    let body = reply.body.replace("id=\"", "id=\"v2-").replace("class=\"", "class=\"v2-");
    let body = body.replace("csrf-token", "csrf-key").replace("name=\"appointments[", "name=\"booking[");
    body.replace("/schedule/", "/s/").replace("<h4", "<h6").replace("</h4", "</h6")
}

const BAD_GATEWAY: &str = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n";
const MAINTENANCE: &str = "<!DOCTYPE html><html><head><title>Maintenance</title></head><body><h1>Doing Maintenance</h1>\
    <p>The system is down for scheduled maintenance. We will be back soon.</p></body></html>";
const BUSY: &str = "<!DOCTYPE html><html><head><title>System busy</title></head><body><h1>The system is overloaded</h1>\
    <p>The system is busy. Please try again later.</p></body></html>";
const TOO_MANY: &str = "<!DOCTYPE html><html><head><title>Too Many Requests</title></head><body><h1>Retry later</h1></body></html>";
const FOREIGN: &str = "<!DOCTYPE html><html><head><title>Welcome to Harbour Inn Wi-Fi</title></head><body><h1>Guest access</h1>\
    <form method=\"post\" action=\"/login\"><label>Room <input name=\"room\"></label><label>Name <input name=\"name\"></label>\
    <button>Connect</button></form><p>Checkout is at 11:00 on 3 March, 2026.</p></body></html>";
