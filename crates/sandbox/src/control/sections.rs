//! The sections of the control page.

use maud::{Markup, html};
use serde_json::json;

use crate::{
    Ready,
    journal::{Effect, Entry},
    scenario,
    world::{
        World,
        accounts::{Account, Appointment, Group, Status},
        asc::AscChange,
        country::facility,
        country::{COUNTRIES, Country},
        slots::Slot,
    },
};

/// Faults offered as buttons: JSON of the request and label of the button.
const BUTTONS: [(&str, &str); 38] = [
    (r#"{"fault":"slow","millis":3000}"#, "Slow answers"),
    (r#"{"fault":"bad_gateway"}"#, "502"),
    (r#"{"fault":"maintenance","retry_after":60}"#, "Maintenance"),
    (r#"{"fault":"too_many_requests","retry_after":60}"#, "429"),
    (r#"{"fault":"reset"}"#, "Connection reset"),
    (r#"{"fault":"session_end"}"#, "Session ends"),
    (r#"{"fault":"locked"}"#, "Account locked"),
    (r#"{"fault":"captcha"}"#, "Captcha"),
    (r#"{"fault":"no_applications"}"#, "No applications"),
    (r#"{"fault":"soft_ban"}"#, "Lists empty: ban"),
    (r#"{"fault":"restricted_hours"}"#, "Lists empty: hours"),
    (r#"{"fault":"phantom_dates"}"#, "Phantom dates"),
    (r#"{"fault":"steal_slot"}"#, "Slot stolen"),
    (r#"{"fault":"lie_booked"}"#, "200 but not booked"),
    (r#"{"fault":"lie_refused"}"#, "Error but booked"),
    (r#"{"fault":"refuse_booking"}"#, "Refused, slot stays"),
    (r#"{"fault":"cut_after_apply"}"#, "Cut after apply"),
    (r#"{"fault":"half_answer"}"#, "Half an answer"),
    (r#"{"fault":"attempts_used_up"}"#, "Limit reached"),
    (r#"{"fault":"groups_lag"}"#, "Groups page lags"),
    (r#"{"fault":"changed_layout"}"#, "Changed layout"),
    (r#"{"fault":"busy_page"}"#, "Overloaded: a page says so"),
    (r#"{"fault":"form_without_choice"}"#, "Overloaded: form without choice"),
    (r#"{"fault":"empty_list"}"#, "Overloaded: empty body"),
    (r#"{"fault":"unknown_error"}"#, "Overloaded: unknown error"),
    (r#"{"fault":"form_asks_asc"}"#, "Form asks for fingerprints"),
    (r#"{"fault":"asc_bad_gateway"}"#, "Fingerprint lists: 502"),
    (r#"{"fault":"steal_asc_slot"}"#, "Fingerprint slot stolen"),
    (r#"{"fault":"half_groups_lag","of":"asc"}"#, "Groups page lags: fingerprints"),
    (r#"{"fault":"half_groups_lag","of":"consular"}"#, "Groups page lags: interview"),
    (r#"{"fault":"smtp_down"}"#, "Mail server down"),
    (r#"{"fault":"identity_down"}"#, "Identity provider down"),
    (r#"{"fault":"card_down"}"#, "Card provider down"),
    (r#"{"fault":"refused_in_body"}"#, "Notification refused"),
    (r#"{"fault":"target_gone"}"#, "Notification target gone"),
    (r#"{"fault":"sender_blocked"}"#, "Bot blocked"),
    (r#"{"fault":"too_many_requests","retry_after":30,"on":"channel"}"#, "Notifications: 429"),
    (r#"{"fault":"cut_after_apply","on":"channel"}"#, "Notifications: cut after taken"),
];

/// Renders the addresses of all servers.
pub(super) fn places(world: &World, urls: &Ready, mails: usize) -> Markup {
    html! {
        section {
            p {
                a href={ (urls.portal_url) "/en-ca/niv" } target="_blank" { "Open the portal" } " · "
                a href={ (urls.portal_url) "/fr-ca/niv" } target="_blank" { "en français" } " · "
                a href="/inbox" { "Inbox (" (mails) ")" }
            }
            p class="quiet" {
                "Other countries:"
                @for country in COUNTRIES.iter().filter(|country| !country.is_canada()) {
                    " " a href={ (urls.portal_url) "/en-" (country.code) "/niv" } target="_blank" { (country.name) }
                }
            }
            p class="quiet" { "Portal " code { (urls.portal_url) } ", mail server " code { (urls.smtp) } ", identity provider " code { (urls.identity_issuer) } ", scenario " code { (world.scenario) } }
            div class="row" {
                @for name in scenario::NAMES.iter().filter(|n| !n.contains(':')) {
                    button class="plain" data-method="POST" data-url="/control/scenario" data-body=(json!({ "name": name }))
                        data-confirm="Start over with another world?" { (name) }
                }
            }
        }
    }
}

/// Renders the world time.
pub(super) fn clock(world: &World, manual: bool) -> Markup {
    html! {
        section {
            h2 { "Clock" }
            p { strong { (world.now.format("%Y-%m-%d %H:%M:%S UTC")) } }
            @if manual {
                div class="row" {
                    @for (words, seconds) in [("+10 s", 10), ("+1 min", 60), ("+5 min", 300), ("+1 h", 3600), ("+1 day", 86400)] {
                        button class="plain" data-method="POST" data-url="/control/clock" data-body=(json!({ "advance_seconds": seconds })) { (words) }
                    }
                }
            }
        }
    }
}

/// Renders accounts with logins and groups.
pub(super) fn accounts(world: &World) -> Markup {
    const SHOWN: usize = 60;
    html! {
        section {
            h2 { "Accounts" }
            @for account in world.accounts.values().take(SHOWN) {
                article {
                    h3 { code { (account.username) } " " span class="quiet" { "password " } code { (account.password) } }
                    p class="quiet" { (health(world, account)) }
                    @for group in world.groups_of(&account.username) { (group_line(world, group)) }
                    div class="row" {
                        (switch(account, "Arm captcha", json!({ "captcha": !account.captcha })))
                        (switch(account, "Lock 1 h", json!({ "locked_until": world.now + chrono::Duration::hours(1) })))
                        (switch(account, "Ban 3 h", json!({ "banned_until": world.now + chrono::Duration::hours(3) })))
                        (switch(account, "Clear", json!({ "captcha": false, "locked_until": null, "banned_until": null })))
                        (switch(account, "End sessions", json!({ "end_sessions": true })))
                    }
                }
            }
            @if world.accounts.len() > SHOWN { p { "and " (world.accounts.len() - SHOWN) " more" } }
            (new_account())
        }
    }
}

/// Renders the form for adding an account with one group.
fn new_account() -> Markup {
    let groups = [
        ("not booked", json!([{}])),
        ("fee unpaid", json!([{ "status": Status::PayVisaFee }])),
        ("group of two, not booked", json!([{ "applicants": ["INVENTED ONE", "INVENTED TWO"] }])),
    ];
    html! {
        form data-url="/control/accounts" {
            h3 { "Add an account" }
            label { "E-mail " input type="email" name="username" required; }
            label { "Password " input name="password" value=(scenario::PASSWORD) required; }
            label { "Country " select name="country" {
                @for country in &COUNTRIES { option value=(country.code) { (country.name) } }
            } }
            label { "Application " select name="groups" data-json="true" {
                @for (words, groups) in &groups { option value=(groups) { (words) } }
            } }
            button { "Add" }
        }
    }
}

fn switch(account: &Account, words: &str, body: serde_json::Value) -> Markup {
    html! {
        button class="plain" data-method="PATCH" data-url={ "/control/accounts/" (account.username) } data-body=(body) { (words) }
    }
}

fn health(world: &World, account: &Account) -> String {
    let mut words =
        format!("{} requests, {} looks, {} sign-ins", account.requests, account.polls, account.sign_ins);
    if let Some(until) = account.locked_until.filter(|t| *t > world.now) {
        words += &format!(" · locked until {}", until.format("%H:%M:%S"));
    }
    if let Some(until) = account.banned_until.filter(|t| *t > world.now) {
        words += &format!(" · banned until {}", until.format("%m-%d %H:%M"));
    }
    if account.captcha {
        words += " · captcha armed";
    }
    words
}

fn group_line(world: &World, group: &Group) -> Markup {
    let names: Vec<&str> = group.applicants.iter().map(|a| a.name.as_str()).collect();
    let status = match group.status {
        _ if group.archived => "archived",
        Status::PayVisaFee => "fee unpaid",
        _ if group.fee_expired(world.now.date_naive()) => "fee expired",
        Status::ScheduleAppointment => "not booked",
        Status::AttendAppointment => "booked",
    };
    html! {
        p class="group" {
            code { (group.schedule_id) } " " (names.join(", ")) " " span class="tag" { (group.pool()) } " " span class="tag" { (status) }
            @if let Some(appointment) = &group.appointment { br; strong { (place_and_time(appointment)) } }
            @if let Some(asc) = &group.asc { br; "Fingerprints: " strong { (place_and_time(asc)) } }
            @if !group.country.is_canada() { " " span class="tag" { (group.country.name) } }
            " " span class="quiet" { (changes_left(group)) }
        }
    }
}

fn changes_left(group: &Group) -> String {
    let for_life = group.country.limit.is_some_and(|limit| limit.for_life);
    match (group.is_limited(), for_life) {
        (false, _) => "changes without a limit".to_owned(),
        (true, false) => format!("{} of {} changes left", group.attempts_left, group.attempts_total),
        (true, true) => format!("{} of {} changes for life left", group.attempts_left, group.attempts_total),
    }
}

fn place_and_time(appointment: &Appointment) -> String {
    let city = facility(appointment.facility).map_or("?", |f| f.name);
    format!("{city} {} {}", appointment.date, appointment.time.format("%H:%M"))
}

/// Renders the visible slots and the form for adding a slot.
pub(super) fn slots(world: &World) -> Markup {
    let mut slots: Vec<&Slot> = world.slots.iter().collect();
    slots.sort_by_key(|s| (s.date, s.time, s.facility));
    html! {
        section {
            h2 { "Slots on show (" (slots.len()) ")" }
            form data-url="/control/slots" {
                h3 { "Add a slot" }
                label { "City " select name="facility" data-number="true" {
                    @for country in &COUNTRIES { (cities(country)) }
                } }
                label { "Date " input type="date" name="date" required value=(world.now.date_naive() + chrono::Duration::days(60)); }
                label { "Time " input type="time" name="time" required value="09:15"; }
                label { "Lives (s) " input type="number" name="lifetime_seconds" min="1" data-number="true" placeholder="for ever"; }
                label { "Pool " input name="pool" value="B1/B2" required; }
                button { "Add" }
            }
            div class="wide" {
                table {
                    @for slot in slots.iter().take(80) {
                        tr {
                            td { (facility(slot.facility).map_or("?", |f| f.name)) }
                            td { (slot.date) " " (slot.time.format("%H:%M")) }
                            td { (slot.pool) @if slot.phantom { " phantom" } @if slot.max_party < 9 { " ≤" (slot.max_party) } }
                            td class="quiet" { @if let Some(at) = slot.gone_at { "until " (at.format("%m-%d %H:%M:%S")) } }
                            td { button class="plain" data-method="DELETE" data-url={ "/control/slots/" (slot.id) } { "Remove" } }
                        }
                    }
                }
            }
            @if !slots.is_empty() { button class="plain" data-method="DELETE" data-url="/control/slots" { "Remove all" } }
        }
    }
}

fn cities(country: &Country) -> Markup {
    html! {
        optgroup label=(country.name) {
            @for place in country.facilities { option value=(place.id) selected[place.id == 94] { (place.name) } }
        }
    }
}

/// Renders the buttons for faults and the list of active faults.
pub(super) fn faults(world: &World) -> Markup {
    html! {
        section {
            h2 { "Faults" }
            @for fault in &world.faults {
                p class="on" {
                    code { (json!(fault)) } " "
                    button data-method="DELETE" data-url={ "/control/faults/" (fault.id) } { "Off" }
                }
            }
            form id="fault-limits" {
                label { "Account " select name="account" {
                    option value="" { "everyone" }
                    @for name in world.accounts.keys().take(60) { option { (name) } }
                } }
                label { "Times " input type="number" name="times" min="1" value="1" placeholder="until off"; }
            }
            div class="row" {
                @for (body, words) in BUTTONS { button class="plain" data-fault=(body) { (words) } }
            }
        }
    }
}

/// Renders the rules of the world with their controls.
pub(super) fn rules(world: &World) -> Markup {
    let config = &world.config;
    let lag = if config.lag.probability > 0.0 { 0.0 } else { 1.0 };
    let rows = [
        ("Soft bans", config.ban.enabled, json!({ "ban": { "enabled": !config.ban.enabled } })),
        (
            "Restricted hours",
            config.restricted_hours,
            json!({ "restricted_hours": !config.restricted_hours }),
        ),
        (
            "Groups page lags after each booking",
            config.lag.probability > 0.0,
            json!({ "lag": { "probability": lag } }),
        ),
        (
            "Old slots come back",
            config.old_slot_returns,
            json!({ "old_slot_returns": !config.old_slot_returns }),
        ),
        ("Empty times as [null]", config.null_times, json!({ "null_times": !config.null_times })),
    ];
    html! {
        section {
            h2 { "Rules" }
            @for (words, on, change) in rows {
                p { button class=(if on { "" } else { "plain" }) aria-pressed=(on) data-method="POST" data-url="/control/config" data-body=(change) {
                    (words) ": " (if on { "on" } else { "off" })
                } }
            }
        }
    }
}

/// Renders the latest journal entries.
pub(super) fn journal(world: &World) -> Markup {
    let entries = world.journal.after(world.journal.last_seq().saturating_sub(200));
    let requests = entries.iter().rev().filter(|e| e.kind != "world").take(40);
    html! {
        section {
            h2 { "Journal" }
            p class="quiet" { a href="/control/journal" { "whole, as JSON" } " · " a href="/control/bookings" { "bookings" } " · " a href="/control/state" { "state" } }
            div class="wide" {
                table id="journal" {
                    @for entry in requests {
                        tr {
                            td class="quiet" { (entry.world_time.format("%H:%M:%S")) }
                            td { (entry.kind) }
                            td { (entry.account.as_deref().unwrap_or("")) }
                            td { (entry.status) }
                            td class="effect" { (effect_words(entry)) }
                        }
                    }
                }
            }
        }
    }
}

fn effect_words(entry: &Entry) -> String {
    let words = match &entry.effect {
        Effect::None => String::new(),
        Effect::Looked { facility, days, hidden } => {
            format!("{days} days at {facility} {}", hidden.as_deref().unwrap_or(""))
        }
        Effect::Timed { date, times, hidden, .. } => {
            format!("{times} times on {date} {}", hidden.as_deref().unwrap_or(""))
        }
        Effect::Booked { from, to } => {
            format!(
                "booked {} (before: {})",
                place_and_time(to),
                from.as_ref().map_or("none".to_owned(), place_and_time)
            )
        }
        other => json!(other).to_string(),
    };
    let words = match &entry.asc {
        Some(AscChange { from, to }) => {
            let at = |held: &Option<Appointment>| held.as_ref().map_or("none".to_owned(), place_and_time);
            format!("{words} fingerprints {} (before: {})", at(to), at(from))
        }
        None => words,
    };
    if entry.faults.is_empty() { words } else { format!("{words} [{}]", entry.faults.join(", ")) }
}
