//! Notification channels of users: where they lead is sealed, the rest is what screens show.

use chrono::{DateTime, Utc};
use domain::channel::{ChannelKind, ChannelState, EventKind, Proof};
use domain::clock::Instant;
use domain::ids::{ChannelId, UserId};
use domain::secret::SecretKind;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::keyring::{Sealed, SecretPlace};
use crate::task::word;
use crate::{Error, Tx, all, exec, one, scalar};

mod setting;

pub use setting::{set_setting, setting};

/// A user has at most this many, pending ones included.
pub const AT_MOST: usize = 20;

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its id.
    pub id: ChannelId,
    /// Whose.
    pub user: UserId,
    /// What it is.
    pub kind: ChannelKind,
    /// What screens name it by: nothing that others must not see.
    pub label: String,
    /// Where it leads, sealed for [`place`]; none until a link was followed.
    pub target: Option<Sealed>,
    /// The target's version; each replacement has the next one.
    pub target_version: i32,
    /// Whether it is used.
    pub state: ChannelState,
    /// Its place in the user's order.
    pub position: i32,
    /// What its user wants to be told over it.
    pub events: Vec<EventKind>,
    /// What it waits for while pending.
    pub proof: Option<PendingProof>,
    /// Who opened its link there, as the provider names them.
    pub linked_as: Option<String>,
    /// When it was added.
    pub created_at: Instant,
    /// Since when it is its user's for certain.
    pub verified_at: Option<Instant>,
    /// When its provider last took a message.
    pub last_ok_at: Option<Instant>,
    /// When its provider last refused one for good.
    pub last_error_at: Option<Instant>,
    /// Why: a word of `providers::channels::outcome::Reason`.
    pub last_reason: Option<String>,
    /// What the provider said then.
    pub last_answer: Option<String>,
}

/// What a pending channel waits for.
#[derive(Clone, Debug)]
pub struct PendingProof {
    /// What.
    pub kind: Proof,
    /// The hash of its code, or of its link's token, before it was opened and after.
    pub hash: Option<Vec<u8>>,
    /// How many wrong codes were given.
    pub tries: i32,
    /// Until when it is taken.
    pub expires_at: Instant,
    /// What the screen shows meanwhile, for a link: a JSON object.
    pub link: Option<Value>,
}

/// A channel to add, pending.
#[derive(Clone, Debug)]
pub struct NewChannel<'a> {
    /// Its id.
    pub id: ChannelId,
    /// Whose.
    pub user: UserId,
    /// What it is.
    pub kind: ChannelKind,
    /// What screens name it by.
    pub label: &'a str,
    /// Where it leads, sealed for [`place`] and version 1.
    pub target: Option<Sealed>,
    /// What it waits for.
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
                kind: word("channel.proof", &kind)?,
                hash: row.proof_hash,
                tries: row.proof_tries,
                expires_at,
                link: row.link,
            })
        });
        Ok(Self {
            id: ChannelId(row.id),
            user: UserId(row.user_id),
            kind: word("channel.kind", &row.kind)?,
            label: row.label,
            target: row.target_kid.zip(row.target_blob).map(|(kid, blob)| Sealed { kid, blob }),
            target_version: row.target_version,
            state: word("channel.state", &row.state)?,
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

/// A statement that reads whole channels.
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

/// Where a channel's target lives: the JSON of `providers::channels::target::Target`.
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
    /// Where its target lives.
    #[must_use]
    pub const fn place(&self) -> SecretPlace {
        place(self.id, self.user, self.target_version)
    }

    /// Whether it is used for this event. Nobody chooses alarms: they go to operators, wherever they can be reached.
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

/// A user's channels in their order.
pub async fn list(tx: &mut Tx, user: UserId) -> Result<Vec<Channel>, Error> {
    read(all!(tx, Row, select!("WHERE user_id = $1 ORDER BY position, id"), user.0)?)
}

/// A user's channels that are in use, in their order.
pub async fn verified(tx: &mut Tx, user: UserId) -> Result<Vec<Channel>, Error> {
    read(all!(tx, Row, select!("WHERE user_id = $1 AND state = 'verified' ORDER BY position, id"), user.0)?)
}

/// One channel of a user.
pub async fn get(tx: &mut Tx, user: UserId, id: ChannelId) -> Result<Option<Channel>, Error> {
    one!(tx, Row, select!("WHERE id = $1 AND user_id = $2"), id.0, user.0)?.map(Channel::try_from).transpose()
}

/// One channel of any user.
pub async fn find(tx: &mut Tx, id: ChannelId) -> Result<Option<Channel>, Error> {
    one!(tx, Row, select!("WHERE id = $1"), id.0)?.map(Channel::try_from).transpose()
}

/// The pending channel whose link carries the token with this hash.
pub async fn of_link(tx: &mut Tx, hash: &[u8]) -> Result<Option<Channel>, Error> {
    let row = one!(tx, Row, select!("WHERE proof_hash = $1 AND proof = 'link'"), hash.to_vec())?;
    row.map(Channel::try_from).transpose()
}

/// The channel that waits for its user's word since the link with this hash was opened.
pub async fn of_opened_link(tx: &mut Tx, hash: &[u8]) -> Result<Option<Channel>, Error> {
    let row = one!(tx, Row, select!("WHERE proof_hash = $1 AND proof = 'confirmation'"), hash.to_vec())?;
    row.map(Channel::try_from).transpose()
}

/// Pending channels of a kind whose link can still be opened.
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

/// Lets a channel wait for another proof, from the first try on.
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

/// Counts a wrong code; returns how many there were since the code was sent.
pub async fn code_tried(tx: &mut Tx, id: ChannelId) -> Result<i32, Error> {
    exec!(tx, "UPDATE channel SET proof_tries = proof_tries + 1 WHERE id = $1", id.0)?;
    scalar!(tx, i32, "SELECT proof_tries FROM channel WHERE id = $1", id.0)
}

/// The channel is its user's for certain, and in use.
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

/// Switches a channel; what was wrong with it is forgotten once it is in use again.
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

/// Sets what a user wants to be told over a channel.
pub async fn set_events(tx: &mut Tx, id: ChannelId, events: &[EventKind]) -> Result<(), Error> {
    exec!(tx, "UPDATE channel SET events = $2 WHERE id = $1", id.0, json!(events))?;
    Ok(())
}

/// Puts a user's channels in this order; those that are not named come after them.
pub async fn set_order(tx: &mut Tx, user: UserId, ids: &[ChannelId]) -> Result<(), Error> {
    let mut left = list(tx, user).await?.into_iter().map(|channel| channel.id).collect::<Vec<_>>();
    left.retain(|id| !ids.contains(id));
    for (position, id) in (1..).zip(ids.iter().chain(&left)) {
        exec!(tx, "UPDATE channel SET position = $3 WHERE id = $1 AND user_id = $2", id.0, user.0, position)?;
    }
    Ok(())
}

/// A target in another's place.
#[derive(Clone, Debug)]
pub struct NewTarget<'a> {
    /// Sealed for the version after the one that is there.
    pub sealed: Sealed,
    /// What screens name it by from now on.
    pub label: &'a str,
    /// Who opened the link there.
    pub linked_as: Option<&'a str>,
}

/// Lets a channel lead elsewhere; false when its target was replaced meanwhile.
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

/// Forgets a channel with its target; false when it was not this user's.
pub async fn remove(tx: &mut Tx, user: UserId, id: ChannelId) -> Result<bool, Error> {
    Ok(exec!(tx, "DELETE FROM channel WHERE id = $1 AND user_id = $2", id.0, user.0)? == 1)
}

/// Its provider took a message.
pub async fn record_ok(tx: &mut Tx, id: ChannelId, at: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE channel SET last_ok_at = $2 WHERE id = $1", id.0, at)?;
    Ok(())
}

/// Why a provider refused a message for good.
#[derive(Clone, Copy, Debug)]
pub struct Refusal<'a> {
    /// A word of `providers::channels::outcome::Reason`.
    pub reason: &'a str,
    /// What the provider said.
    pub answer: &'a str,
    /// When.
    pub at: Instant,
}

/// A provider refused for good: the channel needs its user. True where it was in use until now: they are told once.
pub async fn record_broken(tx: &mut Tx, id: ChannelId, refusal: Refusal<'_>) -> Result<bool, Error> {
    record_refusal(tx, id, refusal).await?;
    let sql = "UPDATE channel SET state = 'needs_attention' WHERE id = $1 AND state = 'verified'";
    Ok(exec!(tx, sql, id.0)? == 1)
}

/// A provider refused for a reason that is not the user's to mend: the channel stays as it is.
pub async fn record_refusal(tx: &mut Tx, id: ChannelId, refusal: Refusal<'_>) -> Result<(), Error> {
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
