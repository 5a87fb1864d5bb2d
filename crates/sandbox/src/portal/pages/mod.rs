//! The portal's pages, each with the markup that public clients rely on.

pub(super) mod application;
pub(super) mod appointment;
pub(super) mod groups;
pub(super) mod instructions;
pub(super) mod payment;
pub(super) mod sign_in;

use maud::{DOCTYPE, Markup, html};

use super::{Ask, csrf, http::Reply};
use crate::world::World;

/// Wraps a page's content into the common frame; shows and forgets the flash words.
pub(super) fn page(world: &mut World, ask: &Ask<'_>, class: &str, title: &str, content: Markup) -> Reply {
    let token = csrf::meta_token(world, &ask.visitor.id);
    let flash =
        world.sessions.get_mut(&ask.visitor.id).and_then(|s| s.flash.take()).or_else(|| ask.flash.clone());
    let markup = html! {
        (DOCTYPE)
        html lang=(ask.path.base[1..].split('/').next().unwrap_or("en-ca")) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " | Official U.S. Department of State Visa Appointment Service | Sandbox" }
                meta name="csrf-param" content="authenticity_token";
                meta name="csrf-token" content=(token);
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/assets/portal.css";
                script src="/assets/portal.js" defer {}
            }
            body class={ (class) " " (ask.path.visa_type) } {
                (header(ask))
                div id="main" role="main" class="mainContent" {
                    div id="flash_messages" class="infoPopUp" {
                        @if let Some(words) = flash { p class="notice" { (words) } }
                    }
                    (content)
                }
                footer class="footer" { p { "Sandbox. An imitation for tests: every person here is invented." } }
            }
        }
    };
    Reply::page(markup.into_string())
}

fn header(ask: &Ask<'_>) -> Markup {
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
                                    li { a href=(locale_url(ask, "en-ca")) { "English" } }
                                    li { a href=(locale_url(ask, "fr-ca")) { "Français" } }
                                    li {
                                        @if ask.visitor.account.is_some() {
                                            a href=(ask.url("/users/sign_out")) { (lang.say("Sign Out", "Se déconnecter")) }
                                        } @else {
                                            a href=(ask.url("/users/sign_in")) { (lang.say("Sign In", "Se connecter")) }
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

fn locale_url(ask: &Ask<'_>, locale: &str) -> String {
    let rest = ask.request.path.get(6..).unwrap_or("/niv");
    let rest = if ask.request.method == "GET" { rest } else { "/niv" };
    format!("/{locale}{rest}")
}
