//! The control page.

use maud::{DOCTYPE, Markup, html};

/// The common frame of control and inbox pages.
pub(crate) fn frame(title: &str, content: Markup) -> String {
    html! { (DOCTYPE) html lang="en" { head { meta charset="utf-8"; title { (title) } } body { (content) } } }.into_string()
}
pub(crate) async fn show() -> axum::response::Html<String> {
    axum::response::Html(frame("Sandbox", html! { h1 { "Sandbox" } }))
}
pub(crate) async fn css() -> &'static str {
    ""
}
pub(crate) async fn script() -> &'static str {
    ""
}
