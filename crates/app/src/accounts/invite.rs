//! Sign-in links that can be used once, for users whom an operator invites and for the owner of a
//! solo server.

use domain::clock::Instant;
use domain::ids::UserId;
use store::sign_in_link::{self, KeptLink, LinkKind, NewLink};
use store::token::{Registration, TokenKind, TokenStatus};
use store::user::{NewUser, User};
use store::{Random, Tx, passkey, solo_owner, token, user};

use super::link_lifetimes::{INVITATION_LIFE, OWNER_LINK_LIFE};
use crate::{Error, Refusal};

/// Address of the owner's account until the owner sets another. No mail is sent to it.
const OWNER_EMAIL: &str = "owner@localhost";

/// An invitation with the token of its link.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// The invited user.
    pub user: User,
    /// Token of the link.
    pub raw: [u8; 32],
    /// Time at which the link expires.
    pub expires_at: Instant,
}

/// Invites a user by email address, in the caller's transaction. Creates an account without a
/// password if necessary. A second invitation of the same address replaces the first. Returns
/// `None` if a verified account has the address.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn invite(
    tx: &mut Tx,
    random: &Random,
    email: &str,
    language: &str,
    now: Instant,
) -> Result<Option<Invitation>, Error> {
    add(tx, random, email, language, now).await?;
    let user = user::by_email(tx, email).await?.ok_or(store::Error::Corrupt("users"))?;
    // An unverified registration does not reserve the address. The invited user chooses the
    // password.
    if user.email_verified_at.is_some() {
        return Ok(None);
    }
    let (raw, expires_at) = (random.bytes(), now + INVITATION_LIFE);
    let link = NewLink { user: user.id, kind: LinkKind::Invitation, expires_at };
    sign_in_link::issue(tx, &link, &raw, now).await?;
    Ok(Some(Invitation { user, raw, expires_at }))
}

/// Accepts an invitation in the caller's transaction: sets password and language of the account,
/// and verifies its address.
///
/// # Errors
/// Returns [`Refusal::LinkExpired`] or [`Refusal::LinkInvalid`], or an error if the database fails.
pub async fn accept_invitation(
    tx: &mut Tx,
    raw: &[u8; 32],
    registration: &Registration,
    now: Instant,
) -> Result<User, Error> {
    let link = redeem(tx, LinkKind::Invitation, raw, now).await?;
    if !user::set_verified(tx, link.user, Some(registration), now).await? {
        // The user has verified the address in another way, and has a password.
        return Err(Refusal::LinkInvalid.into());
    }
    token::end_all(tx, link.user, TokenKind::VerifyEmail, now).await?;
    passkey::remove_all(tx, link.user).await?;
    user::get(tx, link.user).await?.ok_or_else(|| Refusal::LinkInvalid.into())
}

/// Returns `true` if the server is a solo server, or can become one because it has no account.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn can_be_owned(tx: &mut Tx) -> Result<bool, Error> {
    Ok(solo_owner::get(tx).await?.is_some() || !user::any(tx).await?)
}

/// Makes the server a solo server, in the caller's transaction. Creates the owner's account if
/// there is none. Returns the owner.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn make_personal(
    tx: &mut Tx,
    random: &Random,
    address: &str,
    now: Instant,
) -> Result<UserId, Error> {
    let owner = match solo_owner::get(tx).await? {
        Some(owner) => owner.user,
        None => {
            add(tx, random, OWNER_EMAIL, "zh", now).await?;
            let owner = user::by_email(tx, OWNER_EMAIL).await?.ok_or(store::Error::Corrupt("users"))?;
            user::set_verified(tx, owner.id, None, now).await?;
            owner.id
        }
    };
    solo_owner::set(tx, owner, address, now).await?;
    Ok(owner)
}

/// Creates a sign-in link for the owner, in the caller's transaction. Returns its URL, or `None` if
/// the server has no owner.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn owner_link(tx: &mut Tx, random: &Random, now: Instant) -> Result<Option<String>, Error> {
    let Some(owner) = solo_owner::get(tx).await? else { return Ok(None) };
    let raw = random.bytes();
    let link = NewLink { user: owner.user, kind: LinkKind::Owner, expires_at: now + OWNER_LINK_LIFE };
    sign_in_link::issue(tx, &link, &raw, now).await?;
    Ok(Some(format!("{}/auth/link?token={}", owner.address, hex::encode(raw))))
}

/// Uses the owner's sign-in link in the caller's transaction. A link can be used once. Returns the
/// owner.
///
/// # Errors
/// Returns [`Refusal::LinkExpired`] or [`Refusal::LinkInvalid`], or an error if the database fails.
pub async fn use_owner_link(tx: &mut Tx, raw: &[u8; 32], now: Instant) -> Result<User, Error> {
    let link = redeem(tx, LinkKind::Owner, raw, now).await?;
    user::get(tx, link.user).await?.ok_or_else(|| Refusal::LinkInvalid.into())
}

/// Returns the data of a link that is valid and unused.
///
/// # Errors
/// Returns [`Refusal::LinkExpired`] or [`Refusal::LinkInvalid`], or an error if the database fails.
pub async fn usable(tx: &mut Tx, kind: LinkKind, raw: &[u8; 32], now: Instant) -> Result<KeptLink, Error> {
    match sign_in_link::peek(tx, kind, raw, now).await? {
        Some(link) if link.status == TokenStatus::Good => Ok(link),
        Some(link) if link.status == TokenStatus::Expired => Err(Refusal::LinkExpired.into()),
        _ => Err(Refusal::LinkInvalid.into()),
    }
}

async fn redeem(tx: &mut Tx, kind: LinkKind, raw: &[u8; 32], now: Instant) -> Result<KeptLink, Error> {
    let link = usable(tx, kind, raw, now).await?;
    match sign_in_link::redeem(tx, kind, raw, now).await? {
        true => Ok(link),
        false => Err(Refusal::LinkInvalid.into()),
    }
}

/// Adds an account without a password, unless an account has the address.
async fn add(tx: &mut Tx, random: &Random, email: &str, language: &str, now: Instant) -> Result<(), Error> {
    let new = NewUser {
        id: UserId::new(now, random.bytes()),
        email: email.to_owned(),
        password_hash: None,
        language: language.to_owned(),
        referral_code: hex::encode(random.bytes::<5>()),
        referred_by: None,
        email_verified_at: None,
    };
    user::insert(tx, &new, now).await?;
    Ok(())
}
