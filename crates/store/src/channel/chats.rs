//! Channels of a kind over all users: whose chat has said something.

use domain::channel::ChannelKind;

use super::{Channel, Row, read};
use crate::{Error, Tx, all};

/// Channels of a kind that were proven once, whatever they are now.
pub async fn proven_of_kind(tx: &mut Tx, kind: ChannelKind) -> Result<Vec<Channel>, Error> {
    read(all!(
        tx,
        Row,
        select!("WHERE kind = $1 AND verified_at IS NOT NULL ORDER BY created_at, id"),
        <&str>::from(kind)
    )?)
}
