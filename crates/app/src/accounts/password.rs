//! New passwords for accounts: by a mailed link, or by the signed-in user.

use chrono::TimeDelta;
use domain::ids::{MailRequestId, SessionId, UserId};
use serde_json::json;
use store::token::{Redeemed, TokenKind};
use store::user::User;
use store::{
    Tx, channel, email_change, identity, mail_request, mailed_sign_in, outbox, passkey, session, token, user,
};

use super::{AccountCtx, BETWEEN_LINKS, HOUR, LINKS_AN_HOUR, RESET_LIFE, stamp};
use crate::{Error, Refusal};

/// Age of channels listed in the mail about a new password. An intruder may have added them.
const ADDED_LATELY: TimeDelta = TimeDelta::days(30);

/// Mails a link that resets the password. Sends none if one was sent within the minute, too many
/// within the hour, or one still waits for its mail server.
pub(super) async fn mail_link(
    ctx: &AccountCtx,
    tx: &mut Tx,
    id: MailRequestId,
    user: &User,
) -> Result<(), Error> {
    let now = ctx.now();
    if token::count_since(tx, user.id, TokenKind::ResetPassword, now - BETWEEN_LINKS).await? > 0
        || token::count_since(tx, user.id, TokenKind::ResetPassword, now - HOUR).await? >= LINKS_AN_HOUR
        || outbox::waits(tx, user.id, "reset_password").await?
    {
        return Ok(());
    }
    let words = json!({ "minutes": RESET_LIFE.num_minutes() });
    let (raw, data) = ctx.token(words, "/auth/reset-password", RESET_LIFE);
    if ctx.mail(tx, user, "reset_password", &format!("reset:{id}"), &data).await? {
        let kind = (user.id, TokenKind::ResetPassword);
        token::issue(tx, kind, &raw, (now, now + RESET_LIFE), None).await?;
    }
    Ok(())
}

/// Sets a password by a mailed link, once, in the caller's transaction. This verifies the address,
/// and ends all sessions and every other link. Returns the user and the sessions that end.
///
/// # Errors
/// Returns [`Refusal::LinkExpired`] or [`Refusal::LinkInvalid`], or an error if the database fails.
pub async fn reset_password(
    ctx: &AccountCtx,
    tx: &mut Tx,
    raw: &[u8; 32],
    hash: &str,
) -> Result<(UserId, Vec<SessionId>), Error> {
    let user = match token::redeem(tx, TokenKind::ResetPassword, raw, ctx.now()).await? {
        Redeemed::Now(user) => user,
        Redeemed::Expired(_) => return Err(Refusal::LinkExpired.into()),
        Redeemed::Before(_) | Redeemed::Unknown => return Err(Refusal::LinkInvalid.into()),
    };
    prove(ctx, tx, user).await?;
    Ok((user, set(ctx, tx, user, None, hash).await?))
}

/// Changes the password of `user` in the caller's transaction and returns the sessions that end:
/// all but `session`. `user` must be as read before their present password was checked.
///
/// # Errors
/// Returns [`Refusal::SignedOut`] if the session was ended or the password changed meanwhile, or an
/// error if the database fails.
pub async fn change_password(
    ctx: &AccountCtx,
    tx: &mut Tx,
    user: &User,
    session: SessionId,
    hash: &str,
) -> Result<Vec<SessionId>, Error> {
    if !user::is_still(tx, user.id, user.password_hash.as_deref()).await?
        || !session::is_live(tx, session, ctx.now()).await?
    {
        return Err(Refusal::SignedOut.into());
    }
    set(ctx, tx, user.id, Some(session), hash).await
}

/// Sets the password, ends links and all sessions but `kept`, and notifies the user by mail. A
/// reset by mail (`kept` is `None`) also removes linked identities and passkeys, because another
/// caller may have added them.
async fn set(
    ctx: &AccountCtx,
    tx: &mut Tx,
    user: UserId,
    kept: Option<SessionId>,
    hash: &str,
) -> Result<Vec<SessionId>, Error> {
    let now = ctx.now();
    user::set_password(tx, user, hash, now).await?;
    token::end_all(tx, user, TokenKind::ResetPassword, now).await?;
    email_change::forget(tx, user, now).await?;
    let why = if kept.is_some() { "password_changed" } else { "password_reset" };
    let passkeys_removed = kept.is_none() && passkey::remove_all(tx, user).await? > 0;
    let ended = session::revoke_all(tx, user, kept, why, now).await?;
    let unlinked = kept.is_none() && identity::unlink(tx, user).await? > 0;
    mailed_sign_in::end_all(tx, user).await?;
    if let Some(user) = user::get(tx, user).await? {
        let link = ctx.link("/auth/forgot-password");
        let added = channel::list(tx, user.id).await?;
        let is_late = |at| now - at < ADDED_LATELY;
        let added = added.into_iter().filter(|channel| channel.verified_at.is_some_and(is_late));
        let added: Vec<_> =
            added.map(|channel| json!({ "kind": channel.kind, "label": channel.label })).collect();
        let data = json!({
            "link": link, "at": stamp(now), "others_only": kept.is_some(), "unlinked": unlinked,
            "passkeys_removed": passkeys_removed,
            "channels": added,
        });
        let key = format!("password_changed:{}:{}", user.id, hex::encode(ctx.ctx.random.bytes::<8>()));
        ctx.mail(tx, &user, "password_changed", &key, &data).await?;
    }
    Ok(ended)
}

/// Verifies the user's address, because the link's reader owns it. Other registrations of the
/// address end.
async fn prove(ctx: &AccountCtx, tx: &mut Tx, user: UserId) -> Result<(), Error> {
    let now = ctx.now();
    if let Some(user) = user::get(tx, user).await? {
        if let Some(old) = user.password_hash.filter(|_| user.email_verified_at.is_none()) {
            mail_request::forget_password(tx, &user.email, &old).await?;
        }
        user::set_verified(tx, user.id, None, now).await?;
        token::end_all(tx, user.id, TokenKind::VerifyEmail, now).await?;
    }
    Ok(())
}
