//! Changes the address of an account, and takes the links that prove an address.

use domain::ids::{MailRequestId, SessionId, UserId};
use serde_json::json;
use store::outbox::NewMail;
use store::token::{Redeemed, TokenKind};
use store::{Tx, email_change, session, token, user};

use super::{AccountCtx, VERIFY_LIFE, register};
use crate::{Error, Refusal};

/// Mails a link to the new address and a notice to the old one. Somebody else's proven address gets nothing; without mail
/// nobody proves an address, so one that any account has is left alone.
pub(super) async fn mail_link(
    ctx: &AccountCtx,
    tx: &mut Tx,
    id: MailRequestId,
    email: &str,
    user: UserId,
) -> Result<(), Error> {
    let now = ctx.now();
    if !user::is_still(tx, user, None).await? {
        return Ok(());
    }
    let Some(user) = user::get(tx, user).await? else { return Ok(()) };
    if !ctx.has_mail {
        user::set_unproven_email(tx, user.id, email, now).await?;
        return Ok(());
    }
    let taken = user::by_email(tx, email).await?;
    let taken = taken.is_some_and(|u| u.id != user.id && u.email_verified_at.is_some());
    let notice = json!({ "new": masked(email), "link": ctx.link("/auth/forgot-password") });
    ctx.mail(tx, &user, "email_change_notice", &format!("email_change_notice:{id}"), &notice).await?;
    if taken {
        return Ok(());
    }
    let words = json!({ "hours": VERIFY_LIFE.num_hours(), "old": masked(&user.email) });
    let (raw, data) = ctx.token(words, "/auth/verify-email", VERIFY_LIFE);
    let mail = NewMail {
        user: Some(user.id),
        recipient: email,
        language: &user.language,
        template: "email_change",
        data: &data,
        dedup_key: &format!("email_change:{id}"),
    };
    if ctx.enqueue(tx, &mail).await? {
        email_change::issue(tx, user.id, email, &raw, (now, now + VERIFY_LIFE)).await?;
    }
    Ok(())
}

/// Proves an address by a mailed link, in the caller's transaction: that of a registration, or the new one of an account.
/// A link that was used before proves nothing new. Returns the sign-ins that end.
///
/// # Errors
/// [`Refusal::LinkExpired`], [`Refusal::LinkInvalid`]; when the database fails.
pub async fn verify_email(ctx: &AccountCtx, tx: &mut Tx, raw: &[u8; 32]) -> Result<Vec<SessionId>, Error> {
    match token::redeem(tx, TokenKind::VerifyEmail, raw, ctx.now()).await? {
        Redeemed::Now(user) => register::prove(ctx, tx, user, raw).await.map(|()| Vec::new()),
        Redeemed::Before(_) => Ok(Vec::new()),
        Redeemed::Expired(_) => Err(Refusal::LinkExpired.into()),
        Redeemed::Unknown => change(ctx, tx, raw).await,
    }
}

/// The account's new address. Links mailed to the old one end: they prove nothing about this one; and so do all sign-ins: who
/// leaves a mailbox others can read leaves them behind with it.
async fn change(ctx: &AccountCtx, tx: &mut Tx, raw: &[u8; 32]) -> Result<Vec<SessionId>, Error> {
    let now = ctx.now();
    let proven = match email_change::redeem(tx, raw, now).await? {
        (_, Some(proven)) => proven,
        (Redeemed::Now(_) | Redeemed::Before(_), None) => return Ok(Vec::new()),
        (Redeemed::Expired(_), None) => return Err(Refusal::LinkExpired.into()),
        (Redeemed::Unknown, None) => return Err(Refusal::LinkInvalid.into()),
    };
    // Somebody else may have proven it meanwhile.
    if !user::set_email(tx, &proven, now).await? {
        return Err(Refusal::LinkInvalid.into());
    }
    let user = proven.user();
    let ended = session::revoke_all(tx, user, None, "email_changed", now).await?;
    email_change::end_all(tx, user, now).await?;
    token::end_all(tx, user, TokenKind::ResetPassword, now).await?;
    token::end_all(tx, user, TokenKind::VerifyEmail, now).await?;
    Ok(ended)
}

/// An address for eyes that need not know it: its first letter and its host.
fn masked(email: &str) -> String {
    let (local, host) = email.rsplit_once('@').unwrap_or((email, ""));
    format!("{}***@{host}", local.chars().next().map(String::from).unwrap_or_default())
}
