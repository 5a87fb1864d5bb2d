//! Pages of simulated phones, with received messages and a form for replies.

use std::{collections::BTreeSet, sync::Arc};

use axum::{
    extract::{Form, Path, State},
    http::StatusCode,
    response::{Html, IntoResponse as _, Redirect, Response},
};
use maud::html;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::{Arrival, PATH};
use crate::{Shared, World, control::page::frame, identity::now};

/// Phones that exist from the beginning, one for each provider.
const KNOWN: [&str; 2] = ["+14165550123", "+8613800138000"];

/// Returns the phone number that received a message, in E.164 format.
fn number(arrival: &Arrival) -> Option<String> {
    let target = &arrival.content.target;
    match arrival.provider.as_str() {
        "twilio" => Some(target.clone()),
        "aliyun" => Some(format!("+86{target}")),
        _ => None,
    }
}

fn path(number: &str) -> String {
    format!("{PATH}/phones/{}", utf8_percent_encode(number, NON_ALPHANUMERIC))
}

/// Returns the numbers and page paths of all phones, for the list of messages.
pub(super) fn all(world: &World) -> Vec<(String, String)> {
    let mut numbers: BTreeSet<String> = KNOWN.iter().map(ToString::to_string).collect();
    numbers.extend(world.channels.all().iter().filter_map(number));
    numbers.into_iter().map(|number| (path(&number), number)).collect()
}

/// Shows the page of one phone.
pub(super) async fn phone(State(shared): State<Arc<Shared>>, Path(of): Path<String>) -> Html<String> {
    let (mut lines, told) = shared.step(|world| {
        let texting = &world.channels.texting;
        let mut lines: Vec<_> =
            texting.of(&of).map(|line| (line.at, true, line.text.clone(), None)).collect();
        let here = |arrival: &&Arrival| number(arrival).as_ref() == Some(&of);
        lines.extend(world.channels.all().iter().filter(here).map(|arrival| {
            let content = &arrival.content;
            let text = format!("{}\n{}", content.title, content.text);
            (arrival.wall_time, false, text.trim().to_owned(), content.link.clone())
        }));
        (lines, texting.is_connected())
    });
    lines.sort_by_key(|line| line.0);
    let words = if of.starts_with("+86") { ["TD", "恢复"] } else { ["STOP", "START"] };
    Html(frame(
        "Phone",
        html! {
            h1 { "Phone " (of) }
            @if !told { p class="quiet" { "No server has said where it wants to hear of text messages: nothing is reported, and nobody can write back." } }
            @for (at, own, text, link) in &lines {
                section {
                    p class="quiet" { @if *own { "written" } @else { "received" } " · " time { (at.format("%H:%M:%S")) } }
                    pre { (text) }
                    @if let Some(link) = link { p { a href=(link) target="_blank" rel="noopener" { (link) } } }
                }
            }
            @if lines.is_empty() { p { "Nothing yet." } }
            @if told {
                form method="post" action={ (PATH) "/phones/say" } {
                    input type="hidden" name="phone" value=(of);
                    label { "Message" input name="text" required autocomplete="off"; }
                    button { "Send" }
                }
                @for word in words {
                    form method="post" action={ (PATH) "/phones/say" } {
                        input type="hidden" name="phone" value=(of);
                        input type="hidden" name="text" value=(word);
                        button class="plain" { (word) }
                    }
                }
            }
        },
    ))
}

/// Form with a text to be sent from a phone.
#[derive(Deserialize)]
pub(super) struct TextForm {
    phone: String,
    #[serde(default)]
    text: String,
}

/// Sends a text message from a phone to the product.
pub(super) async fn send(State(shared): State<Arc<Shared>>, Form(form): Form<TextForm>) -> Response {
    let (at, text) = (now(&shared), form.text.trim());
    let is_number =
        form.phone.strip_prefix('+').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let done = is_number
        && !text.is_empty()
        && shared.step(|world| world.channels.texting.write(&form.phone, text, at));
    if done {
        Redirect::to(&path(&form.phone)).into_response()
    } else {
        StatusCode::BAD_REQUEST.into_response()
    }
}
