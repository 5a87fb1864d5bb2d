//! Notification channels of a user: adding, verifying, changing and removing them. The caller talks
//! to the provider (sends a code, opens a link), so that no function here waits for the network.

use chrono::TimeDelta;
use domain::channel::setting::Setting;
use domain::channel::{ChannelKind, ChannelState, EventKind, Proof};
use domain::clock::Instant;
use domain::ids::{ChannelId, UserId};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use store::Tx;
use store::channel::{Channel, MAX_CHANNELS, NewChannel, NewTarget, PendingProof};

use crate::accounts::{AccountCtx, stamp};
use crate::{Error, Refusal};

/// Lifetime of a code and of a link.
pub const PROOF_LIFE: TimeDelta = TimeDelta::minutes(10);
/// Maximum number of wrong codes. After that a new code is needed.
pub const CODE_TRIES: i32 = 5;
/// Age at which an unverified channel is removed, when its user adds another one.
const PENDING_LIFE: TimeDelta = TimeDelta::days(1);

/// Context of the channel use cases.
#[derive(Clone)]
pub struct ChannelCtx {
    /// Clocks, random numbers, mail, and the keys that seal targets and hash codes and tokens.
    pub accounts: AccountCtx,
}

/// A channel and the user who claims to own it.
#[derive(Clone, Copy, Debug)]
pub struct OwnedChannel {
    /// Claimed owner.
    pub user: UserId,
    /// Id of the channel.
    pub id: ChannelId,
}

/// Requested channel.
pub struct RequestedChannel {
    /// Kind of the channel.
    pub kind: ChannelKind,
    /// Label on screens.
    pub label: String,
    /// Target as JSON of `providers::channels::target::Target`.
    pub target: SecretString,
}

/// A channel and its new code. The code must be sent to the channel and not stored.
pub struct Coded {
    /// Channel that waits for the code.
    pub channel: Channel,
    /// Six digits.
    pub code: String,
}

/// A link to a bot or app, which supplies the target of a channel when it is opened.
pub struct OfferedLink<'a> {
    /// Kind of the channel.
    pub kind: ChannelKind,
    /// Token that the provider returns when the link is opened.
    pub token: &'a str,
    /// Data that the screen shows meanwhile.
    pub shown: Value,
}

/// A link that was opened.
pub struct OpenedLink<'a> {
    /// Channel of the link.
    pub channel: &'a Channel,
    /// Target as JSON.
    pub target: SecretString,
    /// Label on screens.
    pub label: &'a str,
    /// Name at the provider of the user account that opened the link.
    pub linked_as: &'a str,
}

/// Result of a code.
pub enum CodeOutcome {
    /// Right code: the channel is verified.
    Right(Box<Channel>),
    /// Wrong code, with the number of tries left.
    Wrong(i32),
    /// Too many wrong codes.
    Spent,
    /// The code has expired.
    Expired,
}

/// A change of a channel. Fields with `None` stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Events sent over the channel.
    pub events: Option<Vec<EventKind>>,
    /// New state: `true` enables the channel, `false` disables it.
    pub on: Option<bool>,
}

impl ChannelCtx {
    fn now(&self) -> Instant {
        self.accounts.ctx.wall.now()
    }

    fn hash(&self, what: &str, text: &str) -> Vec<u8> {
        self.accounts.keyring.fingerprint(&format!("channel-{what}|{text}")).to_vec()
    }

    fn proof(&self, kind: Proof, hash: Option<Vec<u8>>, link: Option<Value>) -> PendingProof {
        PendingProof { kind, hash, tries: 0, expires_at: self.now() + PROOF_LIFE, link }
    }

    fn fresh_code(&self, id: ChannelId) -> (String, PendingProof) {
        let code = format!("{:06}", self.accounts.ctx.random.below(1_000_000));
        let hash = self.hash("code", &format!("{id}|{code}"));
        (code, self.proof(Proof::Code, Some(hash), None))
    }

    fn fresh_id(&self) -> ChannelId {
        ChannelId(self.accounts.ctx.uuid(self.now()))
    }

    /// Decrypts the target of a channel. Returns `None` before its link was opened, or if no key
    /// decrypts it.
    #[must_use]
    pub fn target(&self, channel: &Channel) -> Option<SecretString> {
        self.accounts.keyring.open(&channel.place(), channel.target.as_ref()?).ok()
    }
}

/// Checks that a user may add another channel, and removes channels unverified for too long. Locks
/// the user's channels until the caller's transaction ends.
///
/// # Errors
/// Returns [`Refusal::TooManyChannels`], or an error if the database fails.
pub async fn room(ctx: &ChannelCtx, tx: &mut Tx, user: UserId) -> Result<(), Error> {
    store::lock::exclusive(tx, user.0).await?;
    let old = ctx.now() - PENDING_LIFE;
    let mut count = 0;
    for channel in store::channel::list(tx, user).await? {
        if channel.state == ChannelState::Pending && channel.created_at < old {
            store::channel::remove(tx, user, channel.id).await?;
        } else {
            count += 1;
        }
    }
    if count >= MAX_CHANNELS {
        return Err(Refusal::TooManyChannels.into());
    }
    Ok(())
}

async fn insert(ctx: &ChannelCtx, tx: &mut Tx, new: &NewChannel<'_>) -> Result<Channel, Error> {
    room(ctx, tx, new.user).await?;
    store::channel::add(tx, new, ctx.now()).await?;
    find_own(tx, new.user, new.id).await
}

/// Returns one channel of a user.
///
/// # Errors
/// Returns [`Refusal::NotFound`], or an error if the database fails.
pub async fn find_own(tx: &mut Tx, user: UserId, id: ChannelId) -> Result<Channel, Error> {
    Ok(store::channel::get(tx, user, id).await?.ok_or(Refusal::NotFound)?)
}

/// Adds a channel that waits for a code, and creates the code.
///
/// # Errors
/// Returns [`Refusal::TooManyChannels`], or an error if the database fails.
pub async fn add_with_code(
    ctx: &ChannelCtx,
    tx: &mut Tx,
    user: UserId,
    wanted: &RequestedChannel,
) -> Result<Coded, Error> {
    let id = ctx.fresh_id();
    let (code, proof) = ctx.fresh_code(id);
    let place = store::channel::place(id, user, 1);
    let target = Some(ctx.accounts.keyring.seal(&place, &wanted.target, &ctx.accounts.ctx.random));
    let new = NewChannel { id, user, kind: wanted.kind, label: &wanted.label, target, proof: Some(&proof) };
    Ok(Coded { channel: insert(ctx, tx, &new).await?, code })
}

/// Creates another code for a channel that waits for one.
///
/// # Errors
/// Returns [`Refusal::NotFound`], [`Refusal::StatusChanged`] if the channel waits for no code, or
/// an error if the database fails.
pub async fn another_code(
    ctx: &ChannelCtx,
    tx: &mut Tx,
    user: UserId,
    id: ChannelId,
) -> Result<Coded, Error> {
    store::lock::exclusive(tx, user.0).await?;
    let channel = find_own(tx, user, id).await?;
    waiting_for(&channel, Proof::Code)?;
    let (code, proof) = ctx.fresh_code(id);
    store::channel::wait_for(tx, id, &proof).await?;
    Ok(Coded { channel: find_own(tx, user, id).await?, code })
}

/// Returns the pending proof of a channel, if it is of this kind.
fn waiting_for(channel: &Channel, kind: Proof) -> Result<&PendingProof, Refusal> {
    let proof = channel.proof.as_ref().filter(|proof| proof.kind == kind);
    proof.filter(|_| channel.state == ChannelState::Pending).ok_or(Refusal::StatusChanged)
}

/// Checks a code. The caller must commit whatever the result, because wrong codes are counted.
///
/// # Errors
/// Returns [`Refusal::NotFound`], [`Refusal::StatusChanged`] if the channel waits for no code, or
/// an error if the database fails.
pub async fn take_code(
    ctx: &ChannelCtx,
    tx: &mut Tx,
    own_channel: OwnedChannel,
    code: &str,
) -> Result<CodeOutcome, Error> {
    let OwnedChannel { user, id } = own_channel;
    store::lock::exclusive(tx, user.0).await?;
    let channel = find_own(tx, user, id).await?;
    let proof = waiting_for(&channel, Proof::Code)?;
    if proof.tries >= CODE_TRIES {
        return Ok(CodeOutcome::Spent);
    }
    if proof.expires_at <= ctx.now() {
        return Ok(CodeOutcome::Expired);
    }
    let digits: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    if proof.hash != Some(ctx.hash("code", &format!("{id}|{digits}"))) {
        let left = CODE_TRIES - store::channel::code_tried(tx, id).await?;
        return Ok(if left > 0 { CodeOutcome::Wrong(left) } else { CodeOutcome::Spent });
    }
    Ok(CodeOutcome::Right(Box::new(proven(ctx, tx, user, id).await?)))
}

/// Marks a channel as verified. Removes another channel of the user with the same target, so that
/// messages are not sent twice.
///
/// # Errors
/// Returns [`Refusal::NotFound`], or an error if the database fails.
pub async fn proven(ctx: &ChannelCtx, tx: &mut Tx, user: UserId, id: ChannelId) -> Result<Channel, Error> {
    let channel = find_own(tx, user, id).await?;
    // Notify before the channel is enabled, so that the notification goes over the other channels
    // and by mail.
    tell_of(ctx, tx, &channel).await?;
    store::channel::verify(tx, id, ctx.now()).await?;
    let target = ctx.target(&channel);
    for other in store::channel::list(tx, user).await? {
        let is_double = other.id != id && other.verified_at.is_some() && other.kind == channel.kind;
        let same = |a: SecretString, b: &SecretString| a.expose_secret() == b.expose_secret();
        if is_double && ctx.target(&other).zip(target.as_ref()).is_some_and(|(a, b)| same(a, b)) {
            store::channel::remove(tx, user, other.id).await?;
        }
    }
    find_own(tx, user, id).await
}

/// Notifies a user of an added channel. An intruder in an account could use one to read along.
async fn tell_of(ctx: &ChannelCtx, tx: &mut Tx, channel: &Channel) -> Result<(), Error> {
    let Some(user) = store::user::get(tx, channel.user).await? else { return Ok(()) };
    let data = json!({
        "kind": channel.kind, "label": channel.label, "at": stamp(ctx.now()), "link": ctx.accounts.link("/settings"),
    });
    let key = format!("channel_added:{}:{}", channel.id, ctx.now().timestamp_micros());
    ctx.accounts.mail(tx, &user, "channel_added", &key, &data).await?;
    Ok(())
}

/// Adds a channel that waits for its link to be opened.
///
/// # Errors
/// Returns [`Refusal::TooManyChannels`], or an error if the database fails.
pub async fn add_with_link(
    ctx: &ChannelCtx,
    tx: &mut Tx,
    user: UserId,
    link: OfferedLink<'_>,
) -> Result<Channel, Error> {
    let hash = ctx.hash("link", link.token);
    let proof = ctx.proof(Proof::Link, Some(hash), Some(link.shown));
    let new = NewChannel {
        id: ctx.fresh_id(),
        user,
        kind: link.kind,
        label: "",
        target: None,
        proof: Some(&proof),
    };
    insert(ctx, tx, &new).await
}

/// Returns the channel whose link has this token, while the link may be opened.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn of_link(
    ctx: &ChannelCtx,
    tx: &mut Tx,
    kind: ChannelKind,
    token: &str,
) -> Result<Option<Channel>, Error> {
    let found = store::channel::of_link(tx, &ctx.hash("link", token)).await?;
    let open = |channel: &Channel| channel.proof.as_ref().is_some_and(|proof| proof.expires_at > ctx.now());
    Ok(found.filter(|channel| channel.kind == kind && open(channel)))
}

/// Returns the owner of a channel if its link was already opened from the same target and the
/// owner's confirmation is still missing. Users tap twice, and providers repeat unacknowledged
/// updates.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn opened_before(
    ctx: &ChannelCtx,
    tx: &mut Tx,
    token: &str,
    target: &SecretString,
) -> Result<Option<UserId>, Error> {
    let found = store::channel::of_opened_link(tx, &ctx.hash("link", token)).await?;
    let found = found.filter(|channel| {
        let waits = channel.proof.as_ref().is_some_and(|proof| proof.expires_at > ctx.now());
        waits && ctx.target(channel).is_some_and(|there| there.expose_secret() == target.expose_secret())
    });
    Ok(found.map(|channel| channel.user))
}

/// Stores the target of an opened link. The channel then waits for its user to confirm having
/// opened it.
///
/// # Errors
/// Returns [`Refusal::StatusChanged`] if the link was already opened, or an error if the database
/// fails.
pub async fn link_opened(ctx: &ChannelCtx, tx: &mut Tx, opened: &OpenedLink<'_>) -> Result<(), Error> {
    let channel = opened.channel;
    store::lock::exclusive(tx, channel.user.0).await?;
    let place = store::channel::place(channel.id, channel.user, channel.target_version + 1);
    let sealed = ctx.accounts.keyring.seal(&place, &opened.target, &ctx.accounts.ctx.random);
    let target = NewTarget { sealed, label: opened.label, linked_as: Some(opened.linked_as) };
    if !store::channel::replace_target(tx, channel, &target).await? {
        return Err(Refusal::StatusChanged.into());
    }
    let token = channel.proof.as_ref().and_then(|proof| proof.hash.clone());
    store::channel::wait_for(tx, channel.id, &ctx.proof(Proof::Confirmation, token, None)).await?;
    Ok(())
}

/// Verifies a channel after its user confirmed having opened the link.
///
/// # Errors
/// Returns [`Refusal::NotFound`], [`Refusal::StatusChanged`] before the link was opened or after it
/// expired, or an error if the database fails.
pub async fn confirm(ctx: &ChannelCtx, tx: &mut Tx, user: UserId, id: ChannelId) -> Result<Channel, Error> {
    store::lock::exclusive(tx, user.0).await?;
    let channel = find_own(tx, user, id).await?;
    let proof = waiting_for(&channel, Proof::Confirmation)?;
    if proof.expires_at <= ctx.now() {
        return Err(Refusal::StatusChanged.into());
    }
    proven(ctx, tx, user, id).await
}

/// Changes the events of a channel, and enables or disables it.
///
/// # Errors
/// Returns [`Refusal::NotFound`], [`Refusal::NotOverThisChannel`], [`Refusal::StatusChanged`] for
/// an unverified channel, or an error if the database fails.
pub async fn change(tx: &mut Tx, own_channel: OwnedChannel, change: &Change) -> Result<Channel, Error> {
    let OwnedChannel { user, id } = own_channel;
    store::lock::exclusive(tx, user.0).await?;
    let channel = find_own(tx, user, id).await?;
    if let Some(wanted) = &change.events {
        let allowed = channel.kind.events();
        if wanted.iter().any(|event| !allowed.contains(event)) {
            return Err(Refusal::NotOverThisChannel.into());
        }
        let events: Vec<_> = allowed.iter().copied().filter(|event| wanted.contains(event)).collect();
        store::channel::set_events(tx, id, &events).await?;
    }
    if let Some(on) = change.on {
        if channel.verified_at.is_none() {
            return Err(Refusal::StatusChanged.into());
        }
        let state = if on { ChannelState::Verified } else { ChannelState::Off };
        store::channel::set_state(tx, id, state).await?;
    }
    find_own(tx, user, id).await
}

/// Sorts a user's channels in this order. Channels not listed come last.
///
/// # Errors
/// Returns [`Refusal::NotFound`] if a channel is not the user's, or an error if the database fails.
pub async fn order(tx: &mut Tx, user: UserId, ids: &[ChannelId]) -> Result<Vec<Channel>, Error> {
    store::lock::exclusive(tx, user.0).await?;
    for id in ids {
        find_own(tx, user, *id).await?;
    }
    store::channel::set_order(tx, user, ids).await?;
    Ok(store::channel::list(tx, user).await?)
}

/// Stores a user's settings for all channels together.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn set_setting(
    ctx: &ChannelCtx,
    tx: &mut Tx,
    user: UserId,
    setting: &Setting,
) -> Result<(), Error> {
    store::lock::exclusive(tx, user.0).await?;
    Ok(store::channel::set_setting(tx, user, setting, ctx.now()).await?)
}

/// Removes a channel with its target.
///
/// # Errors
/// Returns [`Refusal::NotFound`], or an error if the database fails.
pub async fn remove(tx: &mut Tx, user: UserId, id: ChannelId) -> Result<(), Error> {
    store::lock::exclusive(tx, user.0).await?;
    if store::channel::remove(tx, user, id).await? { Ok(()) } else { Err(Refusal::NotFound.into()) }
}
