//! Search for channels of all users by their target, e.g. a chat or a phone.

use domain::channel::ChannelKind;
use providers::channels::target::Target;
use secrecy::ExposeSecret as _;
use store::Tx;
use store::channel::Channel;
use store::channel::chats::proven_of_kind;

use super::context;
use crate::AppState;
use crate::http::error::ApiError;

/// Returns the verified channels of a kind whose target satisfies `leads`. Targets are encrypted,
/// so every channel of the kind is decrypted.
///
/// # Errors
/// Returns an error if the database fails.
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
