//! Pages and JSON lists of the accepted messages.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Query, State},
    http::StatusCode,
    response::{Html, IntoResponse, Response},
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{DINGTALK_SECRET, FEISHU_SECRET, PATH, PROVIDERS, WEBHOOK_SECRET, arrivals::Arrival, push};
use crate::{Shared, control::page::frame};

/// Query parameters that filter messages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    provider: Option<String>,
    target: Option<String>,
}

impl Filter {
    fn wants(&self, arrival: &Arrival) -> bool {
        let is = |wanted: &Option<String>, given: &str| wanted.as_ref().is_none_or(|wanted| wanted == given);
        is(&self.provider, &arrival.provider) && is(&self.target, &arrival.content.target)
    }
}

/// Returns all messages as JSON, newest first.
pub(super) async fn list_json(
    State(shared): State<Arc<Shared>>,
    Query(filter): Query<Filter>,
) -> Json<Vec<Arrival>> {
    let taken = shared.step(|world| world.channels.all().to_vec());
    Json(taken.into_iter().rev().filter(|arrival| filter.wants(arrival)).collect())
}

/// Deletes all messages.
pub(super) async fn clear(State(shared): State<Arc<Shared>>) -> StatusCode {
    shared.step(|world| world.channels.clear());
    StatusCode::NO_CONTENT
}

/// Subscribes one more simulated browser to pushes.
pub(super) async fn subscribe(State(shared): State<Arc<Shared>>) -> Response {
    match push::subscribe(&shared) {
        Some(subscription) => (StatusCode::CREATED, Json(subscription)).into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// Shows the list of messages as a page.
pub(super) async fn list(State(shared): State<Arc<Shared>>, Query(filter): Query<Filter>) -> Html<String> {
    let (taken, phones) = shared.step(|world| (world.channels.all().to_vec(), super::text_pages::all(world)));
    let shown: Vec<Arrival> = taken.into_iter().rev().filter(|arrival| filter.wants(arrival)).collect();
    let content = html! {
        h1 { "Notifications" }
        p class="row" {
            a href=(PATH) { "All" }
            @for provider in &PROVIDERS { a href={ (PATH) "?provider=" (provider.name) } { (provider.name) } }
        }
        p class="quiet" {
            "Telegram chats: "
            @for (path, name) in super::bot::people() { a href=(path) { (name) } " " }
            " Phones: "
            @for (path, name) in phones { a href=(path) { (name) } " " }
        }
        (to_paste(&shared))
        @if shown.is_empty() { p { "Nothing yet. Whatever is sent to the sandbox's notification providers appears here." } }
        @for arrival in shown.iter().take(200) { (arrival_row(arrival)) }
        @if !shown.is_empty() { button data-method="DELETE" data-url=(PATH) { "Forget all" } }
    };
    Html(frame("Notifications", content))
}

/// Renders the settings that connect each kind of channel to this sandbox.
fn to_paste(shared: &Shared) -> Markup {
    let base = shared.urls.get().map(|urls| urls.channels_url.clone()).unwrap_or_default();
    let rows = [
        ("ServerChan", "SCTsandbox0001".to_owned()),
        ("PushPlus", "0123456789abcdef0123456789abcdef".to_owned()),
        ("WeCom", "any key".to_owned()),
        ("DingTalk", format!("any token, secret {DINGTALK_SECRET}")),
        ("Feishu", format!("any token, secret {FEISHU_SECRET}")),
        ("Bark, ntfy", "any key or topic".to_owned()),
        ("Pushover", "usandboxsandboxsandboxsandboxs".to_owned()),
        ("Discord", format!("{base}/discord/api/webhooks/1/token")),
        ("Slack", format!("{base}/slack/services/T1/B1/token")),
        ("Webhook", format!("{base}/webhook/me, secret {WEBHOOK_SECRET}")),
        (
            "Text message",
            format!("+14165550123, +8613800138000; a landline: +1416555{}", super::texting::LANDLINE),
        ),
    ];
    html! {
        details {
            summary { "What to paste" }
            p { "Telegram and WxPusher lead to pages of this sandbox by themselves." }
            table { @for (kind, value) in rows { tr { td { (kind) } td { code { (value) } } } } }
        }
    }
}

fn arrival_row(arrival: &Arrival) -> Markup {
    let content = &arrival.content;
    html! {
        section {
            p class="quiet" {
                span class="tag" { (arrival.provider) } " to " code { (content.target) } " "
                time datetime=(arrival.world_time.to_rfc3339()) { (arrival.world_time.format("%Y-%m-%d %H:%M:%S UTC")) }
                @if !arrival.acknowledged { " " span class="tag" { "never acknowledged" } }
            }
            h2 { (content.title) }
            @if !content.text.is_empty() { pre { (content.text) } }
            @if let Some(link) = &content.link { p { a href=(link) target="_blank" rel="noopener" { (link) } } }
            @if !content.extra.is_null() { p class="quiet" { code { (content.extra) } } }
        }
    }
}
