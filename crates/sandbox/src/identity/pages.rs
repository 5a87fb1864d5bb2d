//! Page on which the tester chooses a user.

use maud::{Markup, html};

use super::{
    AuthorizationRequest,
    users::{BROKEN, PEOPLE},
};

/// Renders all users, each with a button. The form is posted to the page's own address, whose query
/// contains the authorization request.
pub(super) fn choose(asked: &AuthorizationRequest) -> Markup {
    html! {
        h1 { "Sign in with the sandbox's identity provider" }
        p class="quiet" { "Stands in for Google. Whoever is chosen goes back to " code { (asked.redirect_uri) } "." }
        @if asked.afresh() { p { strong { "Please confirm that it is you." } } }
        form method="post" {
            section {
                @for (key, name, email, words) in PEOPLE {
                    p {
                        button name="person" value=(key) { (name) } " "
                        span { (email) " · " (words) }
                    }
                }
            }
            section {
                h2 { "Anybody else" }
                p {
                    label { "E-mail " input type="email" name="email" placeholder="somebody@example.com"; } " "
                    button class="plain" name="person" value="other" { "Sign in" }
                }
            }
            details {
                summary { "Other wrong tokens" }
                @for (way, _, words) in BROKEN {
                    p { button class="plain" name="person" value={ "broken-" (way) } { (way) } " " span { (words) } }
                }
            }
        }
    }
}

/// Renders an error page for an invalid request.
pub(super) fn refused(what: &str) -> Markup {
    html! {
        h1 { "This request cannot be answered" }
        p { "The parameter " code { (what) } " is missing or wrong." }
    }
}
