//! Pages and JSON lists of the inbox.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use maud::{Markup, html};

use super::Mail;
use crate::{Shared, control::page::frame};

/// Returns all mails as JSON, newest first.
pub(crate) async fn list_json(State(shared): State<Arc<Shared>>) -> Json<Vec<Mail>> {
    Json(shared.inbox().mails().iter().rev().cloned().collect())
}

/// Returns one mail: `{id}` as a page, `{id}.json` as JSON, `{id}.html` as the mail's own HTML.
pub(crate) async fn mail(State(shared): State<Arc<Shared>>, Path(name): Path<String>) -> Response {
    let (number, kind) = name.split_once('.').unwrap_or((&name, ""));
    let Some(mail) = number.parse().ok().and_then(|id| shared.inbox().get(id).cloned()) else {
        return (StatusCode::NOT_FOUND, "no such mail").into_response();
    };
    match kind {
        "json" => Json(mail).into_response(),
        "html" => {
            let policy = "sandbox allow-popups allow-popups-to-escape-sandbox; script-src 'none'";
            let body = format!("<base target=\"_blank\">{}", mail.html.unwrap_or_default());
            ([(header::CONTENT_SECURITY_POLICY, policy)], Html(body)).into_response()
        }
        _ => Html(frame(&mail.subject, reading(&mail))).into_response(),
    }
}

/// Deletes all mails.
pub(crate) async fn clear(State(shared): State<Arc<Shared>>) -> StatusCode {
    shared.inbox().clear();
    shared.touch();
    StatusCode::NO_CONTENT
}

/// Shows the list of mails as a page.
pub(crate) async fn list(State(shared): State<Arc<Shared>>) -> Html<String> {
    let mails: Vec<Mail> = shared.inbox().mails().iter().rev().cloned().collect();
    let content = html! {
        h1 { "Inbox" }
        @if mails.is_empty() { p { "No mail yet. Whatever is sent to the sandbox's mail server appears here." } }
        ul class="mails" {
            @for mail in &mails {
                li {
                    a href={ "/inbox/" (mail.id) } {
                        strong { (if mail.subject.is_empty() { "(no subject)" } else { &mail.subject }) }
                        span { (mail.envelope_to.join(", ")) }
                        time datetime=(mail.received.to_rfc3339()) { (mail.received.format("%Y-%m-%d %H:%M:%S UTC")) }
                    }
                }
            }
        }
        @if !mails.is_empty() { button data-method="DELETE" data-url="/inbox" { "Empty the inbox" } }
    };
    Html(frame("Inbox", content))
}

fn reading(mail: &Mail) -> Markup {
    html! {
        p { a href="/inbox" { "‹ Inbox" } }
        h1 { (mail.subject) }
        dl {
            dt { "From" } dd { (mail.from) }
            dt { "To" } dd { (mail.envelope_to.join(", ")) }
            dt { "Received" } dd { (mail.received.format("%Y-%m-%d %H:%M:%S UTC")) }
        }
        @if !mail.links.is_empty() {
            h2 { "Links" }
            ul { @for link in &mail.links { li { a href=(link) target="_blank" rel="noopener" { (link) } } } }
        }
        @if mail.html.is_some() {
            iframe title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox" src={ "/inbox/" (mail.id) ".html" } {}
        }
        @if let Some(text) = &mail.text { h2 { "Text" } pre { (text) } }
        @if !mail.attachments.is_empty() { p { "Attachments: " (mail.attachments.join(", ")) } }
    }
}
