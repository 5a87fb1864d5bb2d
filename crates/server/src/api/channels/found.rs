//! Channels of all users that lead to one place: to a chat, to a phone.

use domain::channel::ChannelKind;
use providers::channels::target::Target;
use secrecy::ExposeSecret as _;
use store::Tx;
use store::channel::Channel;
use store::channel::chats::proven_of_kind;

use super::context;
use crate::AppState;
use crate::http::error::ApiError;

/// Channels of a kind that were proven and lead there. Targets are sealed, so each is opened; that is seldom, and quick.
///
/// # Errors
/// When the database fails.
pub async fn leading_to(
    app: &AppState,
    tx: &mut Tx,
    kind: ChannelKind,
    leads: impl Fn(&Target) -> bool,
) -> Result<Vec<Channel>, ApiError> {
    let ctx = context(app);
    let mut all = proven_of_kind(tx, kind).await?;
    all.retain(|channel| {
        let json = ctx.target(channel);
        json.and_then(|json| serde_json::from_str(json.expose_secret()).ok())
            .is_some_and(|target| leads(&target))
    });
    Ok(all)
}
