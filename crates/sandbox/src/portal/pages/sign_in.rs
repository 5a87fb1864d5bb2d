//! The public page and the sign-in form. JavaScript sends the form, and the response is JavaScript.

use maud::{Markup, html};

use super::super::{PortalRequest, http::Reply};
use crate::world::{World, faults::FaultKind};

/// Captcha in the sign-in form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Widget {
    None,
    Prepared,
}

pub(crate) fn landing(world: &mut World, ask: &PortalRequest<'_>) -> Reply {
    let lang = ask.lang();
    let heading = format!("Apply for a U.S. Visa in {}", ask.country().name_in_text);
    let content = html! {
        h1 { (lang.text(&heading, "Demander un visa américain au Canada")) }
        p { (lang.text("Sign in to schedule, reschedule or cancel an appointment.", "Connectez-vous pour prendre, reporter ou annuler un rendez-vous.")) }
        p { a class="down-arrow bounce" href="#start" { "▾" } }
        p id="start" { a class="button primary" href=(ask.url("/users/sign_in")) { (lang.text("Continue Application", "Continuer la demande")) } }
    };
    super::page(world, ask, "landing index", "Home", content)
}

pub(crate) fn show(world: &mut World, ask: &PortalRequest<'_>) -> Reply {
    let widget = if ask.struck.has(&FaultKind::Captcha) { Widget::Prepared } else { Widget::None };
    let lang = ask.lang();
    let content = html! {
        div class="row" {
            h2 { (lang.text("Sign In or Create an Account", "Se connecter ou créer un compte")) }
            p { a class="down-arrow bounce" href="#sign_in_form" { "▾" } }
            (form(ask, widget, None))
        }
    };
    super::page(world, ask, "sessions new", lang.text("Sign In", "Se connecter"), content)
}

/// Returns the JavaScript that displays the form again with an error message.
pub(crate) fn again(ask: &PortalRequest<'_>, widget: Widget, error: &str) -> Reply {
    let markup = form(ask, widget, Some(error)).into_string();
    let quoted = serde_json::to_string(&markup).unwrap_or_default().replace("</", "<\\/");
    Reply::script(format!("$(\"#sign_in_form\").replaceWith({quoted});\n"))
}

fn form(ask: &PortalRequest<'_>, widget: Widget, error: Option<&str>) -> Markup {
    let lang = ask.lang();
    html! {
        form id="sign_in_form" class="simple_form new_user" novalidate action=(ask.url("/users/sign_in"))
            accept-charset="UTF-8" data-remote="true" method="post" {
            input name="utf8" type="hidden" value="✓";
            @if let Some(error) = error { p class="error animated bounceIn" { (error) } }
            div class="input email required user_email" {
                label class="email required" for="user_email" { (lang.text("Email", "E-mail")) " *" }
                input class="string email required" type="email" autocomplete="username" name="user[email]" id="user_email";
            }
            div class="input password required user_password" {
                label class="password required" for="user_password" { (lang.text("Password", "Mot de passe")) " *" }
                input class="password required" type="password" autocomplete="current-password" name="user[password]" id="user_password";
            }
            div class="radio-checkbox-group" {
                div class="icheckbox icheck-item" {
                    input type="checkbox" name="policy_confirmed" id="policy_confirmed" value="1";
                }
                label for="policy_confirmed" {
                    (lang.text("I have read and understood the Privacy Policy and the Terms of Use",
                        "J'ai lu et compris la politique de confidentialité et les conditions d'utilisation"))
                }
            }
            div class="captcha_container" { @if widget == Widget::Prepared { (captcha()) } }
            p class="submit" {
                input type="submit" name="commit" value=(lang.text("Sign In", "Se connecter")) class="button primary";
            }
        }
    }
}

fn captcha() -> Markup {
    html! {
        div class="g-recaptcha" data-sitekey="sandbox-site-key" {
            label class="robot" { input type="checkbox" data-person="true"; " I am a person" }
            textarea id="g-recaptcha-response" name="g-recaptcha-response" class="g-recaptcha-response" hidden {}
        }
    }
}
