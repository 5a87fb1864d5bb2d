//! Telegram's API for reading a bot's updates, and pages on which a tester writes to the bot as a
//! user.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{Form, Path, Query, State},
    http::StatusCode,
    response::{Html, IntoResponse, Redirect, Response},
};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

use super::{
    PATH, TELEGRAM_BOT, TELEGRAM_BOT_TOKEN,
    chats::{Chats, PEOPLE},
};
use crate::{
    Shared,
    control::page::frame,
    identity::now,
    journal::{Effect, Entry},
    world::{
        clock::wall,
        faults::{FaultKind, FaultTarget},
    },
};

/// Name of this kind of request in the journal and in faults.
const KIND: &str = "telegram_updates";
/// Longest time for which a request for updates may wait.
const LONGEST: Duration = Duration::from_secs(50);

/// Parameters of `getUpdates`.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct UpdatesQuery {
    offset: i64,
    timeout: u64,
}

/// Returns the bot's profile.
pub(super) async fn me(Path(bot): Path<String>) -> Response {
    if !is_ours(&bot) {
        return refused(401, "Unauthorized");
    }
    let bot =
        json!({ "id": 7_000_000_001_i64, "is_bot": true, "first_name": "Sooner", "username": TELEGRAM_BOT });
    Json(json!({ "ok": true, "result": bot })).into_response()
}

/// Waits for updates and returns them. A new request ends the wait of an earlier one.
pub(super) async fn updates(
    State(shared): State<Arc<Shared>>,
    Path(bot): Path<String>,
    Query(query): Query<UpdatesQuery>,
    body: Option<Json<UpdatesQuery>>,
) -> Response {
    let asked = body.map_or(query, |Json(asked)| asked);
    if !is_ours(&bot) {
        return refused(401, "Unauthorized");
    }
    if let Some(struck) = struck(&shared) {
        return struck;
    }
    let mine = shared.step(|world| {
        world.channels.chats.pollers += 1;
        world.channels.chats.pollers
    });
    let mut changed = shared.changed.subscribe();
    let mut end = std::pin::pin!(tokio::time::sleep(Duration::from_secs(asked.timeout).min(LONGEST)));
    let mut late = asked.timeout == 0;
    loop {
        let (news, replaced) = {
            let mut world = shared.world();
            let chats: &mut Chats = &mut world.channels.chats;
            let replaced = chats.pollers != mine;
            (if replaced { Vec::new() } else { chats.from(asked.offset) }, replaced)
        };
        if replaced {
            record(&shared, 409, Vec::new());
            return refused(
                409,
                "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
            );
        }
        if !news.is_empty() || late {
            return Json(json!({ "ok": true, "result": news })).into_response();
        }
        tokio::select! {
            () = &mut end => late = true,
            _ = changed.changed() => {}
        }
    }
}

fn is_ours(bot: &str) -> bool {
    bot.strip_prefix("bot") == Some(TELEGRAM_BOT_TOKEN)
}

fn refused(code: u16, words: &str) -> Response {
    let body = json!({ "ok": false, "error_code": code, "description": words });
    (StatusCode::from_u16(code).unwrap_or(StatusCode::BAD_REQUEST), Json(body)).into_response()
}

/// Returns the error response of an active fault, if one applies. Only faults for [`KIND`] apply
/// here.
fn struck(shared: &Shared) -> Option<Response> {
    let struck =
        shared.step(|world| world.strike(&FaultTarget { kind: KIND, account: None, schedule: None }));
    let code = struck.find(|fault| match fault {
        FaultKind::BadGateway => Some(502),
        FaultKind::TooManyRequests { .. } => Some(429),
        _ => None,
    })?;
    record(shared, code, struck.names());
    Some(refused(code, "sandbox"))
}

fn record(shared: &Shared, status: u16, faults: Vec<String>) {
    shared.step(|world| {
        world.journal.write(Entry {
            seq: 0,
            world_time: world.now,
            wall_time: Some(wall()),
            kind: KIND.to_owned(),
            account: None,
            portal_schedule_id: None,
            method: "POST".to_owned(),
            path: format!("{PATH}/telegram/getUpdates"),
            status,
            effect: Effect::None,
            asc: None,
            faults,
            empty_because: Vec::new(),
            retry_after: None,
            latency_ms: 0,
        });
    });
}

/// Token in the link `t.me/BOT?start=TOKEN`.
#[derive(Deserialize)]
pub(super) struct Start {
    #[serde(default)]
    start: String,
}

/// Form with an action of a user in a chat.
#[derive(Deserialize)]
pub(super) struct ChatForm {
    chat: i64,
    #[serde(default)]
    text: String,
}

/// Shows the page behind the link `t.me/BOT`: the invented users, each with a button that starts
/// the bot.
pub(super) async fn invitation(Path(bot): Path<String>, Query(start): Query<Start>) -> Response {
    if bot != TELEGRAM_BOT {
        return (StatusCode::NOT_FOUND, Html(frame("Telegram", html! { h1 { "No such bot" } })))
            .into_response();
    }
    let command = format!("/start {}", start.start);
    let content = html! {
        h1 { "Telegram: " (TELEGRAM_BOT) }
        p class="quiet" { "Stands in for Telegram on a phone. Choose whose it is: they open a chat with the bot and press Start." }
        @for (id, first, last, name) in PEOPLE {
            section {
                h2 { (first) " " (last) }
                p class="quiet" { @if name.is_empty() { "no user name" } @else { "@" (name) } }
                form method="post" action={ (PATH) "/telegram/say" } {
                    input type="hidden" name="chat" value=(id);
                    input type="hidden" name="text" value=(command.trim());
                    button { "Start" }
                }
            }
        }
    };
    Html(frame("Telegram", content)).into_response()
}

/// Handles a message from a user to the bot.
pub(super) async fn write(State(shared): State<Arc<Shared>>, Form(form): Form<ChatForm>) -> Response {
    let at = now(&shared);
    let text = form.text.trim();
    let known = !text.is_empty() && shared.step(|world| world.channels.chats.write(form.chat, text, at));
    if !known {
        return StatusCode::BAD_REQUEST.into_response();
    }
    Redirect::to(&format!("{PATH}/telegram/chats/{}", form.chat)).into_response()
}

/// Button of the bot that a user presses.
#[derive(Deserialize)]
pub(super) struct PressForm {
    chat: i64,
    data: String,
}

/// Handles a user's press of a button.
pub(super) async fn press(State(shared): State<Arc<Shared>>, Form(form): Form<PressForm>) -> Response {
    shared.step(|world| world.channels.chats.press(form.chat, &form.data));
    Redirect::to(&format!("{PATH}/telegram/chats/{}", form.chat)).into_response()
}

/// Parameters of `answerCallbackQuery`.
#[derive(Deserialize)]
pub(super) struct PressAnswer {
    callback_query_id: String,
}

/// Handles the bot's confirmation of a press.
pub(super) async fn confirm_press(
    State(shared): State<Arc<Shared>>,
    Path(bot): Path<String>,
    Json(answer): Json<PressAnswer>,
) -> Response {
    if !is_ours(&bot) {
        return refused(401, "Unauthorized");
    }
    if !shared.step(|world| world.channels.chats.confirm(&answer.callback_query_id)) {
        return refused(
            400,
            "Bad Request: query is too old and response timeout expired or query ID is invalid",
        );
    }
    Json(json!({ "ok": true, "result": true })).into_response()
}

/// Handles a user's blocking of the bot.
pub(super) async fn block(State(shared): State<Arc<Shared>>, Form(form): Form<ChatForm>) -> Response {
    let at = now(&shared);
    shared.step(|world| world.channels.chats.block(form.chat, at));
    Redirect::to(&format!("{PATH}/telegram/chats/{}", form.chat)).into_response()
}

/// Shows a chat from the user's point of view.
pub(super) async fn chat(State(shared): State<Arc<Shared>>, Path(id): Path<i64>) -> Response {
    let Some((_, first, last, _)) = PEOPLE.into_iter().find(|(known, ..)| *known == id) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let key = id.to_string();
    let (lines, blocked) = shared.step(|world| {
        let chats = &world.channels.chats;
        let mut lines: Vec<_> =
            chats.messages_of(id).map(|message| (message.at, false, message.text.clone(), None)).collect();
        let here =
            |arrival: &&super::Arrival| arrival.provider == "telegram" && arrival.content.target == key;
        lines.extend(world.channels.all().iter().filter(here).map(|arrival| {
            let content = &arrival.content;
            let text = format!("{}\n{}", content.title, content.text);
            let buttons = content.link.clone().map(|link| (link, content.extra.clone()));
            (arrival.wall_time, true, text.trim().to_owned(), buttons)
        }));
        lines.sort_by_key(|line| line.0);
        (lines, chats.is_blocked(&key))
    });
    let shown: Vec<Markup> = lines.into_iter().map(|(at, from_bot, text, buttons)| html! {
        section {
            p class="quiet" { @if from_bot { (TELEGRAM_BOT) } @else { (first) } " · " time { (at.format("%H:%M:%S")) } }
            pre { (text) }
            @if let Some((link, extra)) = buttons {
                p { a href=(link) target="_blank" rel="noopener" { (link) } }
                @if let (Some(data), Some(label)) = (extra["press"].as_str(), extra["press_label"].as_str()) {
                    form method="post" action={ (PATH) "/telegram/press" } {
                        input type="hidden" name="chat" value=(id);
                        input type="hidden" name="data" value=(data);
                        button { (label) }
                    }
                }
            }
        }
    }).collect();
    Html(frame(
        "Telegram",
        html! {
            h1 { "Telegram: " (first) " " (last) }
            @for line in shown { (line) }
            @if blocked { p class="on" { "The bot is blocked. Writing to it unblocks it." } }
            form method="post" action={ (PATH) "/telegram/say" } {
                input type="hidden" name="chat" value=(id);
                label { "Message" input name="text" required autocomplete="off"; }
                button { "Send" }
            }
            form method="post" action={ (PATH) "/telegram/say" } {
                input type="hidden" name="chat" value=(id);
                input type="hidden" name="text" value="/stop";
                button class="plain" { "/stop" }
            }
            form method="post" action={ (PATH) "/telegram/block" } {
                input type="hidden" name="chat" value=(id);
                button class="plain" { "Block the bot" }
            }
        },
    ))
    .into_response()
}

/// Returns names and page paths of all users' chats, for the list of messages.
pub(super) fn people() -> Vec<(String, String)> {
    let path = |id: i64| format!("{PATH}/telegram/chats/{id}");
    PEOPLE.into_iter().map(|(id, first, last, _)| (path(id), format!("{first} {last}"))).collect()
}
