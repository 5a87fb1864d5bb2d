//! The control page: overview of the world and controls, in plain HTML that works on a phone.

use std::sync::Arc;

use axum::{
    extract::State,
    http::header,
    response::{Html, IntoResponse},
};
use maud::{DOCTYPE, Markup, html};

use super::sections;
use crate::Shared;

/// Renders the frame that control and inbox pages have in common.
pub(crate) fn frame(title: &str, content: Markup) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · Sandbox" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/control.css";
                script src="/control.js" defer {}
            }
            body {
                header { nav { a class="brand" href="/" { "Sandbox" } a href="/inbox" { "Inbox" } a href="/channels" { "Notifications" } } }
                main { (content) }
                footer { "An imitation for tests and demonstrations. Every person here is invented, and nothing leaves this machine." }
            }
        }
    };
    markup.into_string()
}

pub(crate) async fn show(State(shared): State<Arc<Shared>>) -> Html<String> {
    let manual = shared.clock.manual().is_some();
    let urls = shared.urls.get().cloned();
    let mails = shared.inbox().mails().len();
    let content = shared.step(|world| {
        html! {
            h1 { "The outside world" }
            @if let Some(urls) = &urls { (sections::places(world, urls, mails)) }
            (sections::clock(world, manual))
            (sections::accounts(world))
            (sections::slots(world))
            (sections::faults(world))
            (crate::card::section(world))
            (crate::channel::section(world))
            (sections::rules(world))
            (sections::journal(world))
        }
    });
    Html(frame("Control", content))
}

pub(crate) async fn css() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("assets/control.css"))
}

pub(crate) async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("assets/control.js"))
}
