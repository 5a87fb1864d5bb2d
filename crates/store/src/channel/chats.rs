//! Queries for channels over all users, by kind or state.

use domain::channel::ChannelKind;

use super::{Channel, Row, read};
use crate::{Error, Tx, all};

/// Returns the channels of a kind that were ever verified, in any state.
pub async fn proven_of_kind(tx: &mut Tx, kind: ChannelKind) -> Result<Vec<Channel>, Error> {
    read(all!(
        tx,
        Row,
        select!("WHERE kind = $1 AND verified_at IS NOT NULL ORDER BY created_at, id"),
        <&str>::from(kind)
    )?)
}

/// Returns the channels of all users that need their user's attention, latest refusal first.
pub async fn needing_attention(tx: &mut Tx, limit: i64) -> Result<Vec<Channel>, Error> {
    read(all!(
        tx,
        Row,
        select!("WHERE state = 'needs_attention' ORDER BY last_error_at DESC, id LIMIT $1"),
        limit
    )?)
}
