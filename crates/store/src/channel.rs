//! Notification channels of users. Targets are encrypted; screens show the other columns.

use chrono::{DateTime, Utc};
use domain::channel::{ChannelKind, ChannelState, EventKind, Proof};
use domain::clock::Instant;
use domain::ids::{ChannelId, UserId};
use domain::secret::SecretKind;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::keyring::{Sealed, SecretPlace};
use crate::task::parse_stored;
use crate::{Error, Tx, all, exec, one, scalar};

mod setting;

pub use setting::{is_setting_chosen, set_setting, setting};

/// Maximum number of channels per user, pending ones included.
pub const MAX_CHANNELS: usize = 20;

/// Notification channel of a user.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Id of the channel.
    pub id: ChannelId,
    /// User who owns the channel.
    pub user: UserId,
    /// Kind of the channel.
    pub kind: ChannelKind,
    /// Label on screens. It contains nothing secret.
    pub label: String,
    /// Target, encrypted for [`place`]. `None` until the channel's link was opened.
    pub target: Option<Sealed>,
    /// Version of the target. Each replacement gets the next one.
    pub target_version: i32,
    /// State of use.
    pub state: ChannelState,
    /// Position in the user's order.
    pub position: i32,
    /// Events that the user wants over this channel.
    pub events: Vec<EventKind>,
    /// Proof that a pending channel waits for.
    pub proof: Option<PendingProof>,
    /// Name, at the provider, of the account that opened the link.
    pub linked_as: Option<String>,
    /// Time at which the channel was added.
    pub created_at: Instant,
    /// Time since which the channel is proven to be its user's.
    pub verified_at: Option<Instant>,
    /// Time at which the provider last accepted a message.
    pub last_ok_at: Option<Instant>,
    /// Time at which the provider last refused a message for good.
    pub last_error_at: Option<Instant>,
    /// Reason of that refusal: a value of `providers::channels::outcome::Reason`.
    pub last_reason: Option<String>,
    /// Provider's response to that message.
    pub last_answer: Option<String>,
}

/// Proof that a pending channel waits for.
#[derive(Clone, Debug)]
pub struct PendingProof {
    /// Kind of the proof.
    pub kind: Proof,
    /// Hash of the code, or of the link's token, both before and after the link was opened.
    pub hash: Option<Vec<u8>>,
    /// Number of wrong codes entered.
    pub tries: i32,
    /// Time until which the proof is accepted.
    pub expires_at: Instant,
    /// Data for the screen of a link: a JSON object.
    pub link: Option<Value>,
}

/// Pending channel to add.
#[derive(Clone, Debug)]
pub struct NewChannel<'a> {
    /// Id of the channel.
    pub id: ChannelId,
    /// User who owns the channel.
    pub user: UserId,
    /// Kind of the channel.
    pub kind: ChannelKind,
    /// Label on screens.
    pub label: &'a str,
    /// Target, encrypted for [`place`] and version 1.
    pub target: Option<Sealed>,
    /// Proof that the channel waits for.
    pub proof: Option<&'a PendingProof>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    user_id: Uuid,
    kind: String,
    label: String,
    target_kid: Option<String>,
    target_blob: Option<Vec<u8>>,
    target_version: i32,
    state: String,
    position: i32,
    events: Value,
    proof: Option<String>,
    proof_hash: Option<Vec<u8>>,
    proof_tries: i32,
    proof_expires_at: Option<DateTime<Utc>>,
    link: Option<Value>,
    linked_as: Option<String>,
    created_at: DateTime<Utc>,
    verified_at: Option<DateTime<Utc>>,
    last_ok_at: Option<DateTime<Utc>>,
    last_error_at: Option<DateTime<Utc>>,
    last_reason: Option<String>,
    last_answer: Option<String>,
}

impl TryFrom<Row> for Channel {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let proof = row.proof.zip(row.proof_expires_at).map(|(kind, expires_at)| {
            Ok::<_, Error>(PendingProof {
                kind: parse_stored("channel.proof", &kind)?,
                hash: row.proof_hash,
                tries: row.proof_tries,
                expires_at,
                link: row.link,
            })
        });
        Ok(Self {
            id: ChannelId(row.id),
            user: UserId(row.user_id),
            kind: parse_stored("channel.kind", &row.kind)?,
            label: row.label,
            target: row.target_kid.zip(row.target_blob).map(|(kid, blob)| Sealed { kid, blob }),
            target_version: row.target_version,
            state: parse_stored("channel.state", &row.state)?,
            position: row.position,
            events: serde_json::from_value(row.events).map_err(|_| Error::Corrupt("channel.events"))?,
            proof: proof.transpose()?,
            linked_as: row.linked_as,
            created_at: row.created_at,
            verified_at: row.verified_at,
            last_ok_at: row.last_ok_at,
            last_error_at: row.last_error_at,
            last_reason: row.last_reason,
            last_answer: row.last_answer,
        })
    }
}

/// Builds a statement that reads whole channels.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, kind, label, target_kid, target_blob, target_version, state, position, events, proof,
               proof_hash, proof_tries, proof_expires_at, link, linked_as, created_at, verified_at, last_ok_at,
               last_error_at, last_reason, last_answer FROM channel ",
            $rest
        )
    };
}
pub mod chats;
pub mod digest;

/// Returns the place to which the ciphertext of a channel's target is bound. The target is the JSON
/// of `providers::channels::target::Target`.
#[must_use]
pub const fn place(id: ChannelId, user: UserId, version: i32) -> SecretPlace {
    SecretPlace {
        kind: SecretKind::ChannelTarget,
        table: "channel",
        column: "target_blob",
        row: id.0,
        owner: user.0,
        version,
    }
}

impl Channel {
    /// Returns the place to which the ciphertext of the target is bound.
    #[must_use]
    pub const fn place(&self) -> SecretPlace {
        place(self.id, self.user, self.target_version)
    }

    /// Returns `true` if the channel is used for this event. Users do not choose alarms: alarms go
    /// to operators over every channel that takes them.
    #[must_use]
    pub fn takes(&self, event: EventKind) -> bool {
        let wanted = match event {
            EventKind::OperatorAlarm => self.kind.takes_alarms(),
            _ => self.events.contains(&event),
        };
        self.state == ChannelState::Verified && wanted
    }
}

/// Adds a pending channel at the end of its user's order, for the usual events of its kind.
pub async fn add(tx: &mut Tx, new: &NewChannel<'_>, now: Instant) -> Result<(), Error> {
    let last = scalar!(
        tx,
        i32,
        "SELECT CAST(COALESCE(MAX(position), 0) AS INTEGER) FROM channel WHERE user_id = $1",
        new.user.0
    )?;
    let target = new.target.clone();
    exec!(
        tx,
        "INSERT INTO channel (id, user_id, kind, label, target_kid, target_blob, target_version, state, position,
           events, consented_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, 1, 'pending', $7, $8, $9, $9)",
        new.id.0,
        new.user.0,
        <&str>::from(new.kind),
        new.label.to_owned(),
        target.as_ref().map(|sealed| sealed.kid.clone()),
        target.map(|sealed| sealed.blob),
        last + 1,
        json!(new.kind.usual_events()),
        now
    )?;
    match new.proof {
        Some(proof) => wait_for(tx, new.id, proof).await,
        None => Ok(()),
    }
}

/// Returns a user's channels in their order.
pub async fn list(tx: &mut Tx, user: UserId) -> Result<Vec<Channel>, Error> {
    read(all!(tx, Row, select!("WHERE user_id = $1 ORDER BY position, id"), user.0)?)
}

/// Returns a user's verified channels in their order.
pub async fn verified(tx: &mut Tx, user: UserId) -> Result<Vec<Channel>, Error> {
    read(all!(tx, Row, select!("WHERE user_id = $1 AND state = 'verified' ORDER BY position, id"), user.0)?)
}

/// Returns one channel of a user.
pub async fn get(tx: &mut Tx, user: UserId, id: ChannelId) -> Result<Option<Channel>, Error> {
    one!(tx, Row, select!("WHERE id = $1 AND user_id = $2"), id.0, user.0)?.map(Channel::try_from).transpose()
}

/// Returns one channel of any user.
pub async fn find(tx: &mut Tx, id: ChannelId) -> Result<Option<Channel>, Error> {
    one!(tx, Row, select!("WHERE id = $1"), id.0)?.map(Channel::try_from).transpose()
}

/// Returns the pending channel whose link has the token with this hash.
pub async fn of_link(tx: &mut Tx, hash: &[u8]) -> Result<Option<Channel>, Error> {
    let row = one!(tx, Row, select!("WHERE proof_hash = $1 AND proof = 'link'"), hash.to_vec())?;
    row.map(Channel::try_from).transpose()
}

/// Returns the channel that waits for its user's confirmation since the link with this hash was
/// opened.
pub async fn of_opened_link(tx: &mut Tx, hash: &[u8]) -> Result<Option<Channel>, Error> {
    let row = one!(tx, Row, select!("WHERE proof_hash = $1 AND proof = 'confirmation'"), hash.to_vec())?;
    row.map(Channel::try_from).transpose()
}

/// Returns pending channels of a kind whose link can still be opened.
pub async fn awaiting_link(tx: &mut Tx, kind: ChannelKind, now: Instant) -> Result<Vec<Channel>, Error> {
    read(all!(
        tx,
        Row,
        select!(
            "WHERE kind = $1 AND proof = 'link' AND proof_expires_at > $2 ORDER BY created_at, id LIMIT 1000"
        ),
        <&str>::from(kind),
        now
    )?)
}

fn read(rows: Vec<Row>) -> Result<Vec<Channel>, Error> {
    rows.into_iter().map(Channel::try_from).collect()
}

/// Sets the proof that a channel waits for, with zero failed tries.
pub async fn wait_for(tx: &mut Tx, id: ChannelId, proof: &PendingProof) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE channel SET proof = $2, proof_hash = $3, proof_tries = 0, proof_expires_at = $4, link = $5 WHERE id = $1",
        id.0,
        <&str>::from(proof.kind),
        proof.hash.clone(),
        proof.expires_at,
        proof.link.clone()
    )?;
    Ok(())
}

/// Counts a wrong code. Returns the number of wrong codes since the code was sent.
pub async fn code_tried(tx: &mut Tx, id: ChannelId) -> Result<i32, Error> {
    exec!(tx, "UPDATE channel SET proof_tries = proof_tries + 1 WHERE id = $1", id.0)?;
    scalar!(tx, i32, "SELECT proof_tries FROM channel WHERE id = $1", id.0)
}

/// Marks a channel as proven to be its user's, and in use.
pub async fn verify(tx: &mut Tx, id: ChannelId, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE channel SET state = 'verified', verified_at = $2, proof = NULL, proof_hash = NULL, proof_tries = 0,
           proof_expires_at = NULL, link = NULL, last_reason = NULL, last_answer = NULL WHERE id = $1",
        id.0,
        now
    )?;
    Ok(())
}

/// Sets the state of a channel. Clears its last refusal reason when it is in use again.
pub async fn set_state(tx: &mut Tx, id: ChannelId, state: ChannelState) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE channel SET state = $2, last_reason = CASE WHEN $2 = 'verified' THEN NULL ELSE last_reason END
         WHERE id = $1",
        id.0,
        <&str>::from(state)
    )?;
    Ok(())
}

/// Sets the events that a user wants over a channel.
pub async fn set_events(tx: &mut Tx, id: ChannelId, events: &[EventKind]) -> Result<(), Error> {
    exec!(tx, "UPDATE channel SET events = $2 WHERE id = $1", id.0, json!(events))?;
    Ok(())
}

/// Puts a user's channels in this order. Channels that are not named follow after them.
pub async fn set_order(tx: &mut Tx, user: UserId, ids: &[ChannelId]) -> Result<(), Error> {
    let mut left = list(tx, user).await?.into_iter().map(|channel| channel.id).collect::<Vec<_>>();
    left.retain(|id| !ids.contains(id));
    for (position, id) in (1..).zip(ids.iter().chain(&left)) {
        exec!(tx, "UPDATE channel SET position = $3 WHERE id = $1 AND user_id = $2", id.0, user.0, position)?;
    }
    Ok(())
}

/// Target that replaces a channel's target.
#[derive(Clone, Debug)]
pub struct NewTarget<'a> {
    /// Target, encrypted for the version after the current one.
    pub sealed: Sealed,
    /// New label on screens.
    pub label: &'a str,
    /// Name of the account that opened the link.
    pub linked_as: Option<&'a str>,
}

/// Replaces the target of a channel. Returns `false` if it was replaced meanwhile.
pub async fn replace_target(tx: &mut Tx, channel: &Channel, new: &NewTarget<'_>) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE channel SET target_kid = $3, target_blob = $4, target_version = target_version + 1, label = $5,
           linked_as = COALESCE($6, linked_as) WHERE id = $1 AND target_version = $2",
        channel.id.0,
        channel.target_version,
        new.sealed.kid.clone(),
        new.sealed.blob.clone(),
        new.label.to_owned(),
        new.linked_as.map(str::to_owned)
    )?;
    Ok(rows == 1)
}

/// Deletes a channel with its target. Returns `false` if it was not this user's.
pub async fn remove(tx: &mut Tx, user: UserId, id: ChannelId) -> Result<bool, Error> {
    Ok(exec!(tx, "DELETE FROM channel WHERE id = $1 AND user_id = $2", id.0, user.0)? == 1)
}

/// Records that the provider accepted a message.
pub async fn record_ok(tx: &mut Tx, id: ChannelId, at: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE channel SET last_ok_at = $2 WHERE id = $1", id.0, at)?;
    Ok(())
}

/// Permanent refusal of a message by a provider.
#[derive(Clone, Copy, Debug)]
pub struct ProviderRefusal<'a> {
    /// Value of `providers::channels::outcome::Reason`.
    pub reason: &'a str,
    /// Provider's response.
    pub answer: &'a str,
    /// Time of the refusal.
    pub at: Instant,
}

/// Records a permanent refusal that the user must fix. Returns `true` if the channel was in use
/// until now, so that the user is notified once.
pub async fn record_broken(tx: &mut Tx, id: ChannelId, refusal: ProviderRefusal<'_>) -> Result<bool, Error> {
    record_refusal(tx, id, refusal).await?;
    let sql = "UPDATE channel SET state = 'needs_attention' WHERE id = $1 AND state = 'verified'";
    Ok(exec!(tx, sql, id.0)? == 1)
}

/// Records a refusal that the user cannot fix. The state of the channel stays as it is.
pub async fn record_refusal(tx: &mut Tx, id: ChannelId, refusal: ProviderRefusal<'_>) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE channel SET last_error_at = $2, last_reason = $3, last_answer = $4 WHERE id = $1",
        id.0,
        refusal.at,
        refusal.reason.to_owned(),
        refusal.answer.to_owned()
    )?;
    Ok(())
}
