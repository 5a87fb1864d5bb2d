//! Pages of the simulated portal, with the markup that public clients of the real portal rely on.

pub(super) mod application;
pub(super) mod appointment;
mod asc_fields;
pub(super) mod groups;
pub(super) mod instructions;
pub(super) mod payment;
pub(super) mod sign_in;

use maud::{DOCTYPE, Markup, html};

use super::{PortalRequest, csrf, http::Reply, words::Lang};
use crate::world::World;

/// Renders the common frame around a page's content, and shows the flash message once.
pub(super) fn page(
    world: &mut World,
    ask: &PortalRequest<'_>,
    class: &str,
    title: &str,
    content: Markup,
) -> Reply {
    let token = csrf::meta_token(world, &ask.visitor.id);
    let left = world.sessions.get_mut(&ask.visitor.id).and_then(|s| s.flash.take());
    let flash = left.or_else(|| ask.visitor.notice.map(|notice| notice.words(ask.lang()).to_owned()));
    let markup = html! {
        (DOCTYPE)
        html lang=(ask.path.base[1..].split('/').next().unwrap_or("en-ca")) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " | Official U.S. Department of State Visa Appointment Service | " (title_end(ask)) }
                meta name="csrf-param" content="authenticity_token";
                meta name="csrf-token" content=(token);
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/assets/portal.css";
                script src="/assets/portal.js" defer {}
            }
            body class={ (class) " " (ask.path.visa_type) } {
                (header(ask))
                div id="main" role="main" class="mainContent" {
                    @if let Some(words) = flash { (dialog(&words)) }
                    (content)
                }
                footer class="footer" { p { "Sandbox. An imitation for tests: every person here is invented." } }
            }
        }
    };
    Reply::page(markup.into_string())
}

/// Returns the end of a page's title. The real portal's Canadian pages end in `Canada | English`;
/// here they end in `Sandbox`, so that a user knows where a page comes from.
fn title_end(ask: &PortalRequest<'_>) -> String {
    let country = ask.country();
    if country.is_canada() {
        "Sandbox".to_owned()
    } else {
        format!("{} | {}", country.name, ask.lang().english_name())
    }
}

/// Renders the message dialog as it appears in a browser, after jQuery UI has added buttons.
fn dialog(words: &str) -> Markup {
    html! {
        div class="ui-dialog" role="dialog" aria-describedby="flash_messages" {
            div class="ui-dialog-titlebar" {
                button type="button" class="ui-button ui-dialog-titlebar-close" title="Close" { "×" }
            }
            div id="flash_messages" class="infoPopUp ui-dialog-content" { p class="notice" { (words) } }
            div class="ui-dialog-buttonpane" {
                div class="ui-dialog-buttonset" { button type="button" class="ui-button" { "OK" } }
            }
        }
    }
}

fn header(ask: &PortalRequest<'_>) -> Markup {
    let lang = ask.lang();
    html! {
        header id="header" {
            nav class="top-bar" {
                div class="row" {
                    div class="inner" {
                        div class="brand" { a href=(ask.url("")) { "U.S. Visa Appointment Service" } }
                        div class="menu-wrap" {
                            div {
                                ul class="menu" {
                                    @for lang in ask.country().languages.iter().filter_map(|code| Lang::with_code(code)) {
                                        li { a href=(locale_url(ask, lang)) { (lang.own_name()) } }
                                    }
                                    li {
                                        @if ask.visitor.account.is_some() {
                                            a href=(ask.url("/users/sign_out")) { (lang.text("Sign Out", "Se déconnecter")) }
                                        } @else {
                                            a href=(ask.url("/users/sign_in")) { (lang.text("Sign In", "Se connecter")) }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the address of this page in another language of the country.
fn locale_url(ask: &PortalRequest<'_>, lang: Lang) -> String {
    let rest = ask.request.path.get(6..).unwrap_or("/niv");
    let rest = if ask.request.method == "GET" { rest } else { "/niv" };
    format!("/{}-{}{rest}", lang.code(), ask.country().code)
}
