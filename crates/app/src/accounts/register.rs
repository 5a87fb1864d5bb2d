//! Registration of an account, and verification of its address.
//!
//! A caller can register an address of another user. Until the address is verified, each
//! registration therefore has a link of its own, which carries its password. The link that is used
//! makes its registration the account, and the others end (ADR 56). A link works only in the
//! browser of its registration or with its password. Reading the mail alone verifies nothing for
//! another caller's registration (ADR 56).

use domain::ids::{MailRequestId, UserId};
use serde_json::json;
use store::token::{Browser, Redeemed, Registration, TokenKind};
use store::user::{NewUser, User};
use store::{Tx, mail_request, outbox, passkey, token, user};

use super::{AccountCtx, BETWEEN_LINKS, HOUR, LINKS_AN_HOUR, VERIFY_LIFE, password, stamp};
use crate::Error;

/// A new registration.
pub(super) struct RegistrationRequest {
    /// Mail address as typed.
    pub(super) email: String,
    /// Password and language.
    pub(super) registration: Registration,
    /// Referrer's code.
    pub(super) referral_code: Option<String>,
    /// Browser of the registration.
    pub(super) browser: Option<Browser>,
}

pub(super) async fn register(
    ctx: &AccountCtx,
    tx: &mut Tx,
    id: MailRequestId,
    newcomer: &RegistrationRequest,
) -> Result<(), Error> {
    let RegistrationRequest { email, registration: newest, referral_code, browser } = newcomer;
    let (now, random) = (ctx.now(), &ctx.ctx.random);
    let referred_by = match referral_code.as_deref().map(str::trim).filter(|c| !c.is_empty()) {
        Some(code) => user::by_referral_code(tx, code).await?,
        None => None,
    };
    let new = NewUser {
        id: UserId::new(now, random.bytes()),
        email: email.clone(),
        password_hash: Some(newest.password_hash.clone()),
        language: newest.language.clone(),
        referral_code: hex::encode(random.bytes::<5>()),
        referred_by,
        // Without mail no address can be verified. Links to the address must later be able to check
        // that.
        email_verified_at: None,
    };
    let fresh = user::insert(tx, &new, now).await?;
    // Without mail an unverified account may be in use, so it is never taken over.
    if !fresh && ctx.has_mail {
        user::replace_unproven_registration(tx, email, newest, now).await?;
    }
    let user = user::by_email(tx, email).await?.ok_or(store::Error::Corrupt("users"))?;
    if user.email_verified_at.is_none() {
        // A mail sent in the same minute does not delay this one. It may belong to another caller's
        // registration, and this user would then use the wrong link.
        send_verification(ctx, tx, id, &user, browser.as_ref()).await?;
    } else if !fresh {
        // At most one mail per hour.
        let key = format!("already_registered:{}:{}", user.id, now.timestamp() / 3600);
        let data = json!({ "link": ctx.link("/auth/login") });
        ctx.mail(tx, &user, "already_registered", &key, &data).await?;
    }
    Ok(())
}

/// Mails the verification link again. If the address was registered with several passwords, the
/// owner's is unknown. The owner then gets a link to choose a new one.
pub(super) async fn verify_again(
    ctx: &AccountCtx,
    tx: &mut Tx,
    id: MailRequestId,
    email: &str,
) -> Result<(), Error> {
    let Some(user) = user::by_email(tx, email).await?.filter(|u| u.email_verified_at.is_none()) else {
        return Ok(());
    };
    if user::is_contested(tx, user.id).await? || user.password_hash.is_none() {
        return password::mail_link(ctx, tx, id, &user).await;
    }
    let since = ctx.now() - BETWEEN_LINKS;
    if token::count_since(tx, user.id, TokenKind::VerifyEmail, since).await? > 0
        || outbox::waits(tx, user.id, "verify_email").await?
    {
        return Ok(());
    }
    // The link belongs to the browser of the registration it repeats, even when the mail is
    // requested elsewhere.
    let registered = user.password_hash.as_deref().unwrap_or_default();
    let browser = token::browser(tx, user.id, registered, ctx.now()).await?;
    send_verification(ctx, tx, id, &user, browser.as_ref()).await
}

/// Issues a link for the newest registration and queues its mail.
async fn send_verification(
    ctx: &AccountCtx,
    tx: &mut Tx,
    id: MailRequestId,
    user: &User,
    browser: Option<&Browser>,
) -> Result<(), Error> {
    let now = ctx.now();
    // The limit stops attackers from filling a mailbox by registering its address repeatedly. The
    // owner can still request a link.
    let hour = now - HOUR;
    if token::count_since(tx, user.id, TokenKind::VerifyEmail, hour).await? >= LINKS_AN_HOUR {
        return Ok(());
    }
    let contested = user::is_contested(tx, user.id).await?;
    let words = json!({ "hours": VERIFY_LIFE.num_hours(), "contested": contested, "at": stamp(now) });
    let (raw, data) = ctx.token(words, "/auth/verify-email", VERIFY_LIFE);
    if ctx.mail(tx, user, "verify_email", &format!("verify:{id}"), &data).await? {
        let language = user.language.clone();
        let registration =
            user.password_hash.clone().map(|hash| Registration { password_hash: hash, language });
        let kind = (user.id, TokenKind::VerifyEmail);
        token::issue(tx, kind, &raw, (now, now + VERIFY_LIFE), registration.as_ref()).await?;
        if let Some(browser) = browser {
            token::bind(tx, &raw, browser).await?;
        }
    }
    Ok(())
}

/// Verifies the address of a registration by its link, in the caller's transaction, after the
/// caller gave the registration's password. Returns the account, or `None` if the link is not valid
/// any more.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn prove_by_password(ctx: &AccountCtx, tx: &mut Tx, raw: &[u8; 32]) -> Result<Option<User>, Error> {
    let Redeemed::Now(user) = token::redeem(tx, TokenKind::VerifyEmail, raw, ctx.now()).await? else {
        return Ok(None);
    };
    prove(ctx, tx, user, raw).await?;
    Ok(user::get(tx, user).await?)
}

/// Verifies the address of an account by a registration's link. The registration's password becomes
/// the account's, and all other registrations of the address end.
pub(super) async fn prove(ctx: &AccountCtx, tx: &mut Tx, user: UserId, raw: &[u8; 32]) -> Result<(), Error> {
    let now = ctx.now();
    let registration = token::registration(tx, raw).await?;
    if user::set_verified(tx, user, registration.as_ref(), now).await? {
        passkey::remove_all(tx, user).await?;
    }
    token::end_all(tx, user, TokenKind::VerifyEmail, now).await?;
    if let (Some(user), Some(registration)) = (user::get(tx, user).await?, registration) {
        mail_request::forget_password(tx, &user.email, &registration.password_hash).await?;
    }
    Ok(())
}
