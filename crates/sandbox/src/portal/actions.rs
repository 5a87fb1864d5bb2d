//! Handlers of requests that change something, and of redirects.

use chrono::{NaiveDate, NaiveTime};

use super::{
    PortalRequest, csrf,
    http::{Reply, Request},
    pages::{self, sign_in::Widget},
    route::nowhere,
};
use crate::{
    journal::Effect,
    world::{
        World,
        accounts::{Appointment, SessionEndReason, SignIn, Status},
        bookings::{self, AscFields, Bend, Outcome},
        faults::FaultKind,
    },
};

/// Stores the flash message for the session's next page.
pub(super) fn leave_flash(world: &mut World, ask: &PortalRequest<'_>, words: &str) {
    if let Some(session) = world.sessions.get_mut(&ask.visitor.id) {
        session.flash = Some(words.to_owned());
    }
}

/// Handles `/niv`: returns the public page, or redirects a signed-in user to the groups page.
pub(super) fn landing(world: &mut World, ask: &mut PortalRequest<'_>) -> Reply {
    if ask.visitor.account.is_some() { home(world, ask) } else { pages::sign_in::landing(world, ask) }
}

/// Redirects (302) to the groups page.
pub(super) fn home(world: &World, ask: &PortalRequest<'_>) -> Reply {
    let account = ask.visitor.account.as_deref().and_then(|a| world.accounts.get(a));
    let id = account.map_or(0, |a| a.home_id);
    Reply::redirect(ask.url(&format!("/groups/{id}")))
}

pub(super) fn sign_in_page(world: &mut World, ask: &mut PortalRequest<'_>) -> Reply {
    if ask.visitor.account.is_some() {
        return home(world, ask);
    }
    pages::sign_in::show(world, ask)
}

pub(super) fn sign_in(world: &mut World, ask: &mut PortalRequest<'_>) -> Reply {
    let request = ask.request;
    // The real portal has no HTML response to this POST.
    if request.accept.trim_start().starts_with("text/html") {
        return nowhere().effect(Effect::SignInRefused("asked for text/html".to_owned()));
    }
    if !token_holds(world, ask, "/users/sign_in", "post") {
        return Reply::redirect(ask.url("/users/sign_in"))
            .effect(Effect::SignInRefused("csrf token".to_owned()));
    }
    if request.field("policy_confirmed") != Some("1") {
        return pages::sign_in::again(
            ask,
            Widget::None,
            ask.lang().text(
                "You must confirm that you have read the privacy policy.",
                "Vous devez confirmer avoir lu la politique de confidentialité.",
            ),
        )
        .effect(Effect::SignInRefused("policy not confirmed".to_owned()));
    }
    if let Some(reply) = forced_refusal(world, ask) {
        return reply;
    }
    let solved = request.field("g-recaptcha-response").is_some_and(|answer| !answer.is_empty());
    let (name, password) =
        (request.field("user[email]").unwrap_or(""), request.field("user[password]").unwrap_or(""));
    match world.sign_in(name, password, solved) {
        SignIn::Welcome(session) => {
            ask.visitor.id = session;
            let to = ask.url("/account");
            let reply = if world.config.sign_in_redirects {
                Reply::redirect(to)
            } else {
                Reply::script(format!("window.location.href=\"{to}\";\n"))
            };
            reply.effect(Effect::SignedIn)
        }
        SignIn::Rejected => {
            let words = ask.lang().text("Invalid email or password.", "E-mail ou mot de passe invalide.");
            pages::sign_in::again(ask, Widget::None, words)
                .effect(Effect::SignInRefused("wrong password".to_owned()))
        }
        SignIn::Locked(until) => locked(ask, until),
        SignIn::Captcha => captcha(ask),
    }
}

fn forced_refusal(world: &World, ask: &PortalRequest<'_>) -> Option<Reply> {
    let too_many =
        ask.struck.find(|k| if let FaultKind::Locked { too_many } = k { Some(*too_many) } else { None });
    match too_many {
        Some(true) => {
            let words = ask.lang().text(
                "Your account is locked due to too many failed attempts. Please try again later.",
                "Votre compte est verrouillé en raison d'un trop grand nombre d'échecs. Veuillez réessayer plus tard.",
            );
            let reply = pages::sign_in::again(ask, Widget::None, words);
            return Some(reply.effect(Effect::SignInRefused("locked".to_owned())));
        }
        Some(false) => return Some(locked(ask, world.now + chrono::Duration::hours(1))),
        None => {}
    }
    let solved = ask.request.field("g-recaptcha-response").is_some_and(|answer| !answer.is_empty());
    (ask.struck.has(&FaultKind::Captcha) && !solved).then(|| captcha(ask))
}

fn locked(ask: &PortalRequest<'_>, until: chrono::DateTime<chrono::Utc>) -> Reply {
    let instant = ask.lang().lock_instant(until, ask.country().zone);
    let words = match ask.lang() {
        super::Lang::En => format!("Your account is locked until {instant}."),
        super::Lang::Fr => format!("Votre compte est verrouillé jusqu'au {instant}."),
    };
    pages::sign_in::again(ask, Widget::None, &words).effect(Effect::SignInRefused("locked".to_owned()))
}

fn captcha(ask: &PortalRequest<'_>) -> Reply {
    let words = ask.lang().text("Please complete the captcha.", "Veuillez compléter le captcha.");
    pages::sign_in::again(ask, Widget::Prepared, words).effect(Effect::SignInRefused("captcha".to_owned()))
}

pub(super) fn sign_out(world: &mut World, ask: &mut PortalRequest<'_>) -> Reply {
    let effect = if ask.visitor.account.is_some() { Effect::SignedOut } else { Effect::NotSignedIn };
    if let Some(session) = world.sessions.get_mut(&ask.visitor.id) {
        session.ended = Some(SessionEndReason::SignedOut);
        session.flash = None;
    }
    Reply::redirect(ask.url("/users/sign_in")).effect(effect)
}

/// Handles `…/continue`: returns the fee page first, then redirects to the booking form.
pub(super) fn next_step(world: &World, ask: &PortalRequest<'_>, id: u64) -> Reply {
    let unpaid = world.groups.get(&id).is_some_and(|g| g.status == Status::PayVisaFee);
    let step = if unpaid { "payment" } else { "appointment" };
    Reply::redirect(ask.url(&format!("/schedule/{id}/{step}")))
}

pub(super) fn book(world: &mut World, ask: &mut PortalRequest<'_>, id: u64) -> Reply {
    if !token_holds(world, ask, &format!("/schedule/{id}/appointment"), "post") {
        return Reply::redirect(ask.url("/users/sign_in")).effect(Effect::Refused("csrf token".to_owned()));
    }
    if form_is_too_old(world, ask, id) {
        return Reply::redirect(ask.url("/users/sign_in")).effect(Effect::Refused("form too old".to_owned()));
    }
    let Some(group) = world.groups.get(&id) else {
        return nowhere();
    };
    if pages::appointment::choice_is_missing(world, ask, group) {
        return Reply::redirect(ask.url("/users/sign_in"))
            .effect(Effect::Refused("applicants not chosen".to_owned()));
    }
    if group.status == Status::PayVisaFee || group.fee_expired(world.now.date_naive()) {
        return Reply::redirect(ask.url(&format!("/schedule/{id}/payment")))
            .effect(Effect::Refused("fee".to_owned()));
    }
    if pages::appointment::limit_is_reached(world, ask, id) {
        return pages::appointment::limit_reached(world, ask)
            .effect(Effect::Refused("limit reached".to_owned()));
    }
    let acknowledged = !group.is_limited() || ask.request.field("confirmed_limit_message") == Some("1");
    if group.appointment.is_some() && !acknowledged {
        let to = ask.url(&format!("/schedule/{id}/appointment"));
        return Reply::redirect(to).effect(Effect::Refused("limit not acknowledged".to_owned()));
    }
    let outcome = match wanted(ask.request, id) {
        Some(wanted) => world.book(&wanted, bend(ask)),
        None => Outcome::refused("fields missing"),
    };
    let words = if outcome.says_booked {
        ask.lang().text(
            "You Have Successfully Scheduled Your Appointment",
            "Vous avez pris votre rendez-vous avec succès",
        )
    } else {
        ask.lang().text(
            "Your appointment could not be scheduled. Please try again.",
            "Votre rendez-vous n'a pas pu être pris. Veuillez réessayer.",
        )
    };
    leave_flash(world, ask, words);
    let next = if world.config.booking_via_continue { "continue" } else { "instructions" };
    Reply::redirect(ask.url(&format!("/schedule/{id}/appointment/{next}"))).pair_effect(outcome.effects)
}

/// Returns `true` if forms expire and this group's form was shown too long ago or never.
fn form_is_too_old(world: &World, ask: &PortalRequest<'_>, id: u64) -> bool {
    let lives = chrono::Duration::seconds(world.config.form_lives_seconds);
    let shown = world.sessions.get(&ask.visitor.id).and_then(|s| s.forms.get(&id));
    lives > chrono::Duration::zero() && shown.is_none_or(|at| world.now - *at > lives)
}

fn bend(ask: &PortalRequest<'_>) -> Bend {
    let lag = |kind: &FaultKind| match kind {
        FaultKind::GroupsLag { seconds } => Some((*seconds, None)),
        FaultKind::HalfGroupsLag { of, seconds } => Some((*seconds, Some(*of))),
        _ => None,
    };
    let lag = ask.struck.find(lag);
    Bend {
        lie_booked: ask.struck.has(&FaultKind::LieBooked),
        lie_refused: ask.struck.has(&FaultKind::LieRefused),
        refuse: ask.struck.has(&FaultKind::RefuseBooking),
        lag_seconds: lag.map(|(seconds, _)| seconds),
        lagging_half: lag.and_then(|(_, half)| half),
    }
}

fn wanted(request: &Request, schedule: u64) -> Option<bookings::Request> {
    let field = |name: &str| request.field(&format!("appointments[consulate_appointment][{name}]"));
    Some(bookings::Request {
        schedule,
        facility: field("facility_id")?.trim().parse().ok()?,
        date: NaiveDate::parse_from_str(field("date")?.trim(), "%Y-%m-%d").ok()?,
        time: NaiveTime::parse_from_str(field("time")?.trim(), "%H:%M").ok()?,
        asc: read_asc_fields(request),
    })
}

fn read_asc_fields(request: &Request) -> AscFields {
    let field = |name: &str| request.field(&format!("appointments[asc_appointment][{name}]")).map(str::trim);
    let (Some(place), Some(date), Some(time)) = (field("facility_id"), field("date"), field("time")) else {
        return AscFields::Missing;
    };
    if [place, date, time].iter().all(|value| value.is_empty()) {
        return AscFields::Empty;
    }
    let read = || {
        Some(Appointment {
            facility: place.parse().ok()?,
            date: NaiveDate::parse_from_str(date, "%Y-%m-%d").ok()?,
            time: NaiveTime::parse_from_str(time, "%H:%M").ok()?,
        })
    };
    read().map_or(AscFields::Incomplete, AscFields::Slot)
}

pub(super) fn cancel(world: &mut World, ask: &mut PortalRequest<'_>, id: u64) -> Reply {
    if !token_holds(world, ask, &format!("/schedule/{id}/appointment"), "delete") {
        return Reply::redirect(ask.url("/users/sign_in")).effect(Effect::Refused("csrf token".to_owned()));
    }
    let effects = world.cancel(id);
    let words = match effects.effect {
        Effect::Cancelled { .. } => ask.lang().text(
            "You Have Successfully Cancelled Your Appointment",
            "Vous avez annulé votre rendez-vous avec succès",
        ),
        _ => ask
            .lang()
            .text("Your appointment could not be cancelled.", "Votre rendez-vous n'a pas pu être annulé."),
    };
    leave_flash(world, ask, words);
    home(world, ask).pair_effect(effects)
}

/// Returns `true` if the CSRF token in the form or header is valid for this session and action.
fn token_holds(world: &World, ask: &PortalRequest<'_>, action: &str, method: &str) -> bool {
    let action = ask.url(action);
    let sent = [ask.request.field("authenticity_token").unwrap_or(""), &ask.request.csrf_header];
    sent.iter().any(|token| csrf::accepts(world, &ask.visitor.id, token, &action, method))
}
