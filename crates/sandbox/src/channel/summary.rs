//! Section of the control page for the notification providers.

use maud::{Markup, html};

use super::{PATH, PROVIDERS};
use crate::world::World;

/// Renders the number of accepted messages of each provider.
pub(crate) fn section(world: &World) -> Markup {
    let taken = world.channels.all();
    html! {
        section {
            h2 { "Notifications" }
            p class="quiet" { (taken.len()) " taken · " a href=(PATH) { "what arrived" } " · " a href={ (PATH) ".json" } { "as JSON" } }
            p {
                @for provider in &PROVIDERS {
                    @let count = taken.iter().filter(|arrival| arrival.provider == provider.name).count();
                    span class="tag" { (provider.name) " " (count) } " "
                }
            }
        }
    }
}
