//! Endpoints under `/user/channels` and `/user/notifications`: notification channels of the caller
//! in addition to mail.

mod add;
mod change;
pub mod found;
mod link;
mod list;
mod notified;
mod prove;
mod send;
mod setting;
mod target;
mod test;
mod view;
mod words;

use app::channels::ChannelCtx;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::AppState;

pub use send::{LocalizedGreeting, message};

/// Returns the routes of channels.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_channels, add::add_channel))
        .routes(routes!(link::link_channel))
        .routes(routes!(change::order_channels))
        .routes(routes!(change::change_channel, change::remove_channel))
        .routes(routes!(prove::verify_channel))
        .routes(routes!(prove::resend_channel_code))
        .routes(routes!(prove::confirm_channel))
        .routes(routes!(test::test_channel))
        .routes(routes!(setting::set_notifications, notified::list_notifications))
}

/// Returns the context of the use cases of channels.
#[must_use]
pub fn context(app: &AppState) -> ChannelCtx {
    ChannelCtx { accounts: app.accounts() }
}
