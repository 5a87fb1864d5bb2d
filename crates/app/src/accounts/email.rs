//! Changes of an account's mail address, and use of the links that verify an address.

use domain::ids::{MailRequestId, SessionId, UserId};
use serde_json::json;
use store::outbox::NewMail;
use store::token::{Redeemed, TokenKind, TokenStatus};
use store::user::User;
use store::{Tx, email_change, identity, mailed_sign_in, session, token, user};

use super::{AccountCtx, VERIFY_LIFE, register};
use crate::{Error, Refusal};

/// Mails a link to the new address and a notice to the old one. If the new address is another
/// account's verified one, it gets no mail.
///
/// Without mail no address can be verified. The address is then set at once, unless any account has
/// it.
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

/// Result of a mailed link.
#[derive(Clone, Debug)]
pub enum UsedLink {
    /// The link verified the address of a registration, in the browser of that registration. The
    /// caller may sign the user in there.
    Registration(User),
    /// The link was used before, whatever happened to the account since.
    Before,
    /// The link belongs to a registration in another browser. It verifies nothing before that
    /// registration's password is given.
    Elsewhere(User),
    /// The link verified the new address of an account.
    Moved {
        /// User with the new address.
        user: User,
        /// Sessions that end.
        ended: Vec<SessionId>,
    },
}

/// Uses a mailed link of a registration or of an address change, in the caller's transaction.
/// `cookie` is the pre-session cookie of the caller's browser. A link that was used before verifies
/// nothing again.
///
/// # Errors
/// Returns [`Refusal::LinkExpired`] or [`Refusal::LinkInvalid`], or an error if the database fails.
pub async fn verify_email(
    ctx: &AccountCtx,
    tx: &mut Tx,
    raw: &[u8; 32],
    cookie: Option<&[u8; 32]>,
) -> Result<UsedLink, Error> {
    let now = ctx.now();
    if token::peek(tx, TokenKind::VerifyEmail, raw, now).await? == TokenStatus::Good {
        let here = match cookie {
            Some(cookie) => token::is_of_browser(tx, raw, cookie, now).await?,
            None => false,
        };
        if !here {
            let owner = token::owner(tx, raw).await?.ok_or(Refusal::LinkInvalid)?;
            return Ok(UsedLink::Elsewhere(account(tx, owner).await?));
        }
    }
    match token::redeem(tx, TokenKind::VerifyEmail, raw, now).await? {
        Redeemed::Now(user) => {
            register::prove(ctx, tx, user, raw).await?;
            Ok(UsedLink::Registration(account(tx, user).await?))
        }
        Redeemed::Before(_) => Ok(UsedLink::Before),
        Redeemed::Expired(_) => Err(Refusal::LinkExpired.into()),
        Redeemed::Unknown => change(ctx, tx, raw).await,
    }
}

async fn account(tx: &mut Tx, id: UserId) -> Result<User, Error> {
    Ok(user::get(tx, id).await?.ok_or(Refusal::LinkInvalid)?)
}

/// Sets the account's new address. Links mailed to the old address end, because they verify nothing
/// about the new one. All sessions end, because a user who leaves a mailbox that others can read
/// must be able to lock them out. Linked Google accounts are unlinked if the account has a password
/// to sign in with.
async fn change(ctx: &AccountCtx, tx: &mut Tx, raw: &[u8; 32]) -> Result<UsedLink, Error> {
    let now = ctx.now();
    let proven = match email_change::redeem(tx, raw, now).await? {
        (_, Some(proven)) => proven,
        (Redeemed::Now(_) | Redeemed::Before(_), None) => return Ok(UsedLink::Before),
        (Redeemed::Expired(_), None) => return Err(Refusal::LinkExpired.into()),
        (Redeemed::Unknown, None) => return Err(Refusal::LinkInvalid.into()),
    };
    let before = user::by_email(tx, proven.email()).await?.filter(|other| other.id != proven.user());
    // Another account may have verified the address meanwhile.
    if !user::set_email(tx, &proven, now).await? {
        return Err(Refusal::LinkInvalid.into());
    }
    // The unverified registration that had the address is not a usable account any more.
    if let Some(other) = before {
        token::end_all(tx, other.id, TokenKind::VerifyEmail, now).await?;
    }
    let user = proven.user();
    let ended = session::revoke_all(tx, user, None, "email_changed", now).await?;
    // The Google account of the old mailbox could otherwise still open this account.
    if user::get(tx, user).await?.is_some_and(|user| user.password_hash.is_some()) {
        identity::unlink(tx, user).await?;
    }
    email_change::end_all(tx, user, now).await?;
    token::end_all(tx, user, TokenKind::ResetPassword, now).await?;
    token::end_all(tx, user, TokenKind::VerifyEmail, now).await?;
    mailed_sign_in::end_all(tx, user).await?;
    Ok(UsedLink::Moved { user: account(tx, user).await?, ended })
}

/// Masks an address: keeps its first letter and its host.
fn masked(email: &str) -> String {
    let (local, host) = email.rsplit_once('@').unwrap_or((email, ""));
    format!("{}***@{host}", local.chars().next().map(String::from).unwrap_or_default())
}
