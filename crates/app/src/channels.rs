//! Notification channels of a user: adding, proving whose they are, changing, forgetting. What a provider does about it
//! (a code sent, a link opened) is the caller's; nothing here waits for anybody.

use chrono::TimeDelta;
use domain::channel::setting::Setting;
use domain::channel::{ChannelKind, ChannelState, EventKind, Proof};
use domain::clock::Instant;
use domain::ids::{ChannelId, UserId};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use store::Tx;
use store::channel::{AT_MOST, Channel, NewChannel, NewTarget, PendingProof};

use crate::accounts::{AccountCtx, stamp};
use crate::{Error, Refusal};

/// A code and a link are good for so long.
pub const PROOF_LIFE: TimeDelta = TimeDelta::minutes(10);
/// The maximum number of wrong codes; then another code is needed.
pub const CODE_TRIES: i32 = 5;
/// A channel that nobody proves is forgotten after so long, when its user adds another one.
const PENDING_LIFE: TimeDelta = TimeDelta::days(1);

/// What use cases of channels work with.
#[derive(Clone)]
pub struct ChannelCtx {
    /// Clocks and random numbers, the keys that seal targets and hash codes and tokens, and mail.
    pub accounts: AccountCtx,
}

/// A channel that somebody says is theirs.
#[derive(Clone, Copy, Debug)]
pub struct Owned {
    /// Who.
    pub user: UserId,
    /// Which.
    pub id: ChannelId,
}

/// Where a channel is to lead.
pub struct Wanted {
    /// What it is.
    pub kind: ChannelKind,
    /// What screens name it by.
    pub label: String,
    /// The JSON of `providers::channels::target::Target`.
    pub target: SecretString,
}

/// A channel and the code that was made for it: to be sent there, and kept nowhere.
pub struct Coded {
    /// The channel.
    pub channel: Channel,
    /// Six digits.
    pub code: String,
}

/// A link to a bot or app, by which a channel comes to its target.
pub struct OfferedLink<'a> {
    /// What it is.
    pub kind: ChannelKind,
    /// What the provider brings back.
    pub token: &'a str,
    /// What the screen shows meanwhile.
    pub shown: Value,
}

/// A link that somebody opened.
pub struct OpenedLink<'a> {
    /// Whose link it was.
    pub channel: &'a Channel,
    /// The JSON of the target.
    pub target: SecretString,
    /// What screens name it by.
    pub label: &'a str,
    /// Who opened it, as the provider names them.
    pub linked_as: &'a str,
}

/// What a code was worth.
pub enum CodeOutcome {
    /// The channel is its user's.
    Right(Box<Channel>),
    /// The wrong code, with the number of tries left.
    Wrong(i32),
    /// Too many wrong ones were tried.
    Spent,
    /// Its time is over.
    Expired,
}

/// A change of a channel; what is not given stays.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// What is told over it.
    pub events: Option<Vec<EventKind>>,
    /// Whether it is used.
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

    /// Opens where a channel leads; none before its link was opened, or where no key opens it.
    #[must_use]
    pub fn target(&self, channel: &Channel) -> Option<SecretString> {
        self.accounts.keyring.open(&channel.place(), channel.target.as_ref()?).ok()
    }
}

/// Whether a user may have one more; those that nobody proved for long are forgotten here. Other changes of this user's
/// channels wait for the caller's transaction.
///
/// # Errors
/// [`Refusal::TooManyChannels`]; when the database fails.
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
    if count >= AT_MOST {
        return Err(Refusal::TooManyChannels.into());
    }
    Ok(())
}

async fn insert(ctx: &ChannelCtx, tx: &mut Tx, new: &NewChannel<'_>) -> Result<Channel, Error> {
    room(ctx, tx, new.user).await?;
    store::channel::add(tx, new, ctx.now()).await?;
    own(tx, new.user, new.id).await
}

/// One channel of a user.
///
/// # Errors
/// [`Refusal::NotFound`]; when the database fails.
pub async fn own(tx: &mut Tx, user: UserId, id: ChannelId) -> Result<Channel, Error> {
    Ok(store::channel::get(tx, user, id).await?.ok_or(Refusal::NotFound)?)
}

/// Adds a channel that waits for the code which is made here.
///
/// # Errors
/// [`Refusal::TooManyChannels`]; when the database fails.
pub async fn add_with_code(
    ctx: &ChannelCtx,
    tx: &mut Tx,
    user: UserId,
    wanted: &Wanted,
) -> Result<Coded, Error> {
    let id = ctx.fresh_id();
    let (code, proof) = ctx.fresh_code(id);
    let place = store::channel::place(id, user, 1);
    let target = Some(ctx.accounts.keyring.seal(&place, &wanted.target, &ctx.accounts.ctx.random));
    let new = NewChannel { id, user, kind: wanted.kind, label: &wanted.label, target, proof: Some(&proof) };
    Ok(Coded { channel: insert(ctx, tx, &new).await?, code })
}

/// Makes another code for a channel that waits for one.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::StatusChanged`] when it waits for none; when the database fails.
pub async fn another_code(
    ctx: &ChannelCtx,
    tx: &mut Tx,
    user: UserId,
    id: ChannelId,
) -> Result<Coded, Error> {
    store::lock::exclusive(tx, user.0).await?;
    let channel = own(tx, user, id).await?;
    waiting_for(&channel, Proof::Code)?;
    let (code, proof) = ctx.fresh_code(id);
    store::channel::wait_for(tx, id, &proof).await?;
    Ok(Coded { channel: own(tx, user, id).await?, code })
}

/// What a channel waits for, where it is this.
fn waiting_for(channel: &Channel, kind: Proof) -> Result<&PendingProof, Refusal> {
    let proof = channel.proof.as_ref().filter(|proof| proof.kind == kind);
    proof.filter(|_| channel.state == ChannelState::Pending).ok_or(Refusal::StatusChanged)
}

/// Takes a code. Whatever comes of it the caller commits: wrong ones are counted.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::StatusChanged`] when the channel waits for none; when the database fails.
pub async fn take_code(
    ctx: &ChannelCtx,
    tx: &mut Tx,
    own_channel: Owned,
    code: &str,
) -> Result<CodeOutcome, Error> {
    let Owned { user, id } = own_channel;
    store::lock::exclusive(tx, user.0).await?;
    let channel = own(tx, user, id).await?;
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

/// A channel is its user's for certain. Another of theirs that leads to the same place is forgotten: nothing is told twice.
///
/// # Errors
/// [`Refusal::NotFound`]; when the database fails.
pub async fn proven(ctx: &ChannelCtx, tx: &mut Tx, user: UserId, id: ChannelId) -> Result<Channel, Error> {
    let channel = own(tx, user, id).await?;
    // Before it is in use: it is told over the others, and by mail.
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
    own(tx, user, id).await
}

/// Tells a user of a channel that was added: whoever got into an account could have it read along elsewhere.
async fn tell_of(ctx: &ChannelCtx, tx: &mut Tx, channel: &Channel) -> Result<(), Error> {
    let Some(user) = store::user::get(tx, channel.user).await? else { return Ok(()) };
    let data = json!({
        "kind": channel.kind, "label": channel.label, "at": stamp(ctx.now()), "link": ctx.accounts.link("/settings"),
    });
    let key = format!("channel_added:{}:{}", channel.id, ctx.now().timestamp_micros());
    ctx.accounts.mail(tx, &user, "channel_added", &key, &data).await?;
    Ok(())
}

/// Adds a channel that waits for somebody to open its link.
///
/// # Errors
/// [`Refusal::TooManyChannels`]; when the database fails.
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

/// The channel whose link carries this token, while it may be opened.
///
/// # Errors
/// When the database fails.
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

/// Whose channel waits for their word since this link was opened from the same place: people tap twice, and providers repeat what
/// was not confirmed.
///
/// # Errors
/// When the database fails.
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

/// Somebody has opened a link: the channel leads there, and waits for its user to say that it was they.
///
/// # Errors
/// [`Refusal::StatusChanged`] when another one was quicker; when the database fails.
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

/// The user confirms that they opened the link themselves.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::StatusChanged`] before the link was opened or when its time is over; when the
/// database fails.
pub async fn confirm(ctx: &ChannelCtx, tx: &mut Tx, user: UserId, id: ChannelId) -> Result<Channel, Error> {
    store::lock::exclusive(tx, user.0).await?;
    let channel = own(tx, user, id).await?;
    let proof = waiting_for(&channel, Proof::Confirmation)?;
    if proof.expires_at <= ctx.now() {
        return Err(Refusal::StatusChanged.into());
    }
    proven(ctx, tx, user, id).await
}

/// Changes what is told over a channel, and whether it is used.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::NotOverThisChannel`], [`Refusal::StatusChanged`] while nobody has proven it; when the
/// database fails.
pub async fn change(tx: &mut Tx, own_channel: Owned, change: &Change) -> Result<Channel, Error> {
    let Owned { user, id } = own_channel;
    store::lock::exclusive(tx, user.0).await?;
    let channel = own(tx, user, id).await?;
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
    own(tx, user, id).await
}

/// Puts a user's channels in this order; those that are not named come last.
///
/// # Errors
/// [`Refusal::NotFound`] where one is not theirs; when the database fails.
pub async fn order(tx: &mut Tx, user: UserId, ids: &[ChannelId]) -> Result<Vec<Channel>, Error> {
    store::lock::exclusive(tx, user.0).await?;
    for id in ids {
        own(tx, user, *id).await?;
    }
    store::channel::set_order(tx, user, ids).await?;
    Ok(store::channel::list(tx, user).await?)
}

/// Keeps what a user has chosen for all channels together.
///
/// # Errors
/// When the database fails.
pub async fn set_setting(
    ctx: &ChannelCtx,
    tx: &mut Tx,
    user: UserId,
    setting: &Setting,
) -> Result<(), Error> {
    store::lock::exclusive(tx, user.0).await?;
    Ok(store::channel::set_setting(tx, user, setting, ctx.now()).await?)
}

/// Forgets a channel with its target.
///
/// # Errors
/// [`Refusal::NotFound`]; when the database fails.
pub async fn remove(tx: &mut Tx, user: UserId, id: ChannelId) -> Result<(), Error> {
    store::lock::exclusive(tx, user.0).await?;
    if store::channel::remove(tx, user, id).await? { Ok(()) } else { Err(Refusal::NotFound.into()) }
}
