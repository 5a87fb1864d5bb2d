//! Sign-in with a mailed link. The link signs in the browser that requested it. Opened in another
//! browser, it shows a code to type in the first one.

use domain::ids::{MailRequestId, SessionId};
use serde_json::json;
use store::keyring::KeyRing;
use store::mailed_sign_in::{self, NewMailedSignIn};
use store::token::{Browser, TokenKind, TokenStatus};
use store::user::User;
use store::{Tx, email_change, identity, outbox, passkey, session, token, user};

use super::{AccountCtx, BETWEEN_LINKS, HOUR, LINKS_AN_HOUR, SIGN_IN_LINK_LIFE};
use crate::{Error, Refusal};

/// Alphabet of codes, without characters that are easily misread: i, l, o, 0, 1.
const LETTERS: &[u8; 31] = b"abcdefghjkmnpqrstuvwxyz23456789";
/// Length of a code: 39 bits. A link accepts five wrong codes.
const CODE_LENGTH: usize = 8;

/// A request for a sign-in link.
pub(super) struct SignInLinkRequest {
    /// Mail address as typed.
    pub(super) email: String,
    /// Browser of the request.
    pub(super) browser: Browser,
    /// `true` if "remember me" was ticked.
    pub(super) remembered: bool,
}

/// A browser's proof that its user reads the mail.
pub enum MailProof<'a> {
    /// The link was opened in this browser.
    Link(&'a [u8; 32]),
    /// The code that the link shows in another browser, as typed.
    Code(&'a str),
}

/// A user who signs in with a mailed link.
#[derive(Clone, Debug)]
pub struct MailedUser {
    /// The user.
    pub user: User,
    /// `true` if "remember me" was ticked.
    pub remembered: bool,
    /// `true` if the address was never verified before. Everything that earlier callers set for it
    /// was then removed: the password, passkeys, linked accounts and sessions.
    pub is_first_proof: bool,
    /// Sessions that end.
    pub ended: Vec<SessionId>,
}

/// Content of the page of a link in a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkPage {
    /// The browser of the request: it can sign in.
    SignIn,
    /// Another browser: this code can be typed in the first one.
    Code(String),
}

/// Mails a sign-in link, if an account has the address. Sends none if one was sent within the
/// minute, too many within the hour, or one still waits for its mail server.
pub(super) async fn mail_link(
    ctx: &AccountCtx,
    tx: &mut Tx,
    id: MailRequestId,
    request: &SignInLinkRequest,
) -> Result<(), Error> {
    let now = ctx.now();
    let Some(user) = user::by_email(tx, &request.email).await? else { return Ok(()) };
    if mailed_sign_in::count_since(tx, user.id, now - BETWEEN_LINKS).await? > 0
        || mailed_sign_in::count_since(tx, user.id, now - HOUR).await? >= LINKS_AN_HOUR
        || outbox::waits(tx, user.id, "sign_in").await?
    {
        return Ok(());
    }
    let words = json!({ "minutes": SIGN_IN_LINK_LIFE.num_minutes() });
    let (raw, data) = ctx.token(words, "/auth/sign-in", SIGN_IN_LINK_LIFE);
    if ctx.mail(tx, &user, "sign_in", &format!("sign_in:{id}"), &data).await? {
        let link = NewMailedSignIn {
            user: user.id,
            browser_hash: request.browser.hash.clone(),
            code_hash: code_hash(&ctx.keyring, &code(&ctx.keyring, &raw)),
            remembered: request.remembered,
            expires_at: now + SIGN_IN_LINK_LIFE,
        };
        mailed_sign_in::issue(tx, &link, &raw, now).await?;
    }
    Ok(())
}

/// Returns the content of a link's page in the browser with this cookie. Changes nothing.
///
/// # Errors
/// Returns [`Refusal::LinkExpired`] or [`Refusal::LinkInvalid`], or an error if the database fails.
pub async fn sign_in_page(
    ctx: &AccountCtx,
    tx: &mut Tx,
    raw: &[u8; 32],
    cookie: Option<&[u8; 32]>,
) -> Result<LinkPage, Error> {
    let link = mailed_sign_in::peek(tx, raw, cookie, ctx.now()).await?;
    match link.ok_or(Refusal::LinkInvalid)? {
        link if link.status == TokenStatus::Expired => Err(Refusal::LinkExpired.into()),
        link if link.status != TokenStatus::Good => Err(Refusal::LinkInvalid.into()),
        link if link.is_own => Ok(LinkPage::SignIn),
        _ => Ok(LinkPage::Code(code(&ctx.keyring, raw))),
    }
}

/// Uses a mailed sign-in link, once, in the browser that requested it. Returns its user, or `None`
/// for a wrong code, which is counted: the caller must then commit too.
///
/// # Errors
/// Returns [`Refusal::LinkExpired`] or [`Refusal::LinkInvalid`], or an error if the database fails.
pub async fn use_mailed_sign_in(
    ctx: &AccountCtx,
    tx: &mut Tx,
    proof: &MailProof<'_>,
    cookie: &[u8; 32],
) -> Result<Option<MailedUser>, Error> {
    let now = ctx.now();
    let (id, remembered) = match proof {
        MailProof::Link(raw) => {
            let link = mailed_sign_in::peek(tx, raw, Some(cookie), now).await?.ok_or(Refusal::LinkInvalid)?;
            if link.status == TokenStatus::Expired {
                return Err(Refusal::LinkExpired.into());
            }
            if !mailed_sign_in::redeem(tx, raw, cookie, now).await? {
                return Err(Refusal::LinkInvalid.into());
            }
            (link.user, link.remembered)
        }
        MailProof::Code(typed) => {
            let hash = code_hash(&ctx.keyring, &plain(typed));
            match mailed_sign_in::redeem_by_code(tx, cookie, &hash, now).await? {
                Some(found) => found,
                None => return Ok(None),
            }
        }
    };
    mailed_sign_in::end_all(tx, id).await?;
    let user = user::get(tx, id).await?.ok_or(Refusal::LinkInvalid)?;
    let is_first_proof = user.email_verified_at.is_none();
    let ended = if is_first_proof { take_over(ctx, tx, &user).await? } else { Vec::new() };
    let user = user::get(tx, id).await?.ok_or(Refusal::LinkInvalid)?;
    Ok(Some(MailedUser { user, remembered, is_first_proof, ended }))
}

/// Gives an unverified account to the reader of its mail. Removes what other callers may have set
/// for the address. Returns the sessions that end.
async fn take_over(ctx: &AccountCtx, tx: &mut Tx, user: &User) -> Result<Vec<SessionId>, Error> {
    let now = ctx.now();
    if !identity::adopt(tx, user.id, &user.language, now).await? {
        return Err(Refusal::LinkInvalid.into());
    }
    for kind in [TokenKind::VerifyEmail, TokenKind::ResetPassword] {
        token::end_all(tx, user.id, kind, now).await?;
    }
    email_change::forget(tx, user.id, now).await?;
    if identity::is_linked(tx, user.id).await? {
        identity::unlink(tx, user.id).await?;
    }
    passkey::remove_all(tx, user.id).await?;
    Ok(session::revoke_all(tx, user.id, None, "address_proved", now).await?)
}

/// Returns the code of a link, for display: two groups of four letters.
fn code(ring: &KeyRing, raw: &[u8; 32]) -> String {
    let digest = ring.fingerprint(&format!("sign-in-code|{}", hex::encode(raw)));
    let letters: String = digest
        .iter()
        .take(CODE_LENGTH)
        .map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]))
        .collect();
    format!("{}-{}", &letters[..CODE_LENGTH / 2], &letters[CODE_LENGTH / 2..])
}

fn code_hash(ring: &KeyRing, code: &str) -> [u8; 32] {
    ring.fingerprint(&format!("typed-sign-in-code|{}", plain(code)))
}

/// Normalizes a typed code: removes spaces and dashes, and converts to lower case.
fn plain(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}
