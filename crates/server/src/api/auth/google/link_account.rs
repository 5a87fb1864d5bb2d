//! Sign-in, linking and step-up with an identity at the provider.

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::{SessionId, UserId};
use domain::security_event::SecurityEventKind;
use providers::oidc::ProviderUser;
use store::Tx;
use store::identity::{Flow, ProviderAccount};
use store::security_event::NewEvent;
use store::session::Client;
use store::token::TokenKind;
use store::user::NewUser;

use super::FlowFailure;
use crate::AppState;
use crate::auth::events::{self, SecurityNotice};
use crate::config::Registration;

/// Tolerance for a provider's clock that is behind this server's.
const CLOCK_SKEW: TimeDelta = TimeDelta::minutes(1);

/// Returns the account of an identity at the provider. If no account is linked, it links the
/// account with the same address, or creates one. The flag is `true` for a new account.
///
/// Issuer and subject identify the provider's account. An address links two accounts only if both
/// sides verified it. Otherwise an attacker could register the address first and get access to the
/// other account.
pub async fn sign_in(
    app: &AppState,
    tx: &mut Tx,
    person: &ProviderUser,
    language: &str,
    client: &Client,
) -> Result<(UserId, bool), FlowFailure> {
    let now = app.wall.now();
    let known = provider_account(person);
    if let Some(user) = store::identity::user_of(tx, known.issuer, known.subject).await? {
        store::identity::link(tx, &known, user, now).await?;
        return Ok((user, false));
    }
    let email = person.email.as_deref().filter(|email| domain::email::is_email(email));
    let email = email.filter(|_| person.email_verified).ok_or(FlowFailure("email_unverified"))?;
    let (user, is_new) = match by_email(app, tx, email, language, now).await? {
        Some(found) => found,
        // Another request verified or created the account between the two queries.
        None => by_email(app, tx, email, language, now).await?.ok_or(FlowFailure("unavailable"))?,
    };
    if !store::identity::link(tx, &known, user, now).await? {
        // The same identity was linked elsewhere between the two queries.
        return Err(FlowFailure("unavailable"));
    }
    if !is_new {
        notify_of_link(app, tx, user, None, client).await?;
    }
    Ok((user, is_new))
}

fn provider_account(person: &ProviderUser) -> ProviderAccount<'_> {
    ProviderAccount { issuer: &person.issuer, subject: &person.subject, email: person.email.as_deref() }
}

/// Returns the account with an address that the provider verified, and creates it if it is missing.
/// The flag is `true` for a new account. Returns `None` if another request changed the account.
async fn by_email(
    app: &AppState,
    tx: &mut Tx,
    email: &str,
    language: &str,
    now: Instant,
) -> Result<Option<(UserId, bool)>, FlowFailure> {
    let Some(user) = store::user::by_email(tx, email).await? else {
        if app.settings.registration != Registration::Open {
            return Err(FlowFailure("registration_closed"));
        }
        return Ok(register(app, tx, email, language, now).await?.map(|id| (id, true)));
    };
    if !app.mail_configured() {
        // The address was never verified here, and the account may be in use.
        return Err(FlowFailure("email_unverified"));
    }
    if user.email_verified_at.is_some() {
        // The owner of a mail domain can verify any of its addresses at the provider. The provider
        // is therefore trusted only for mailboxes that it runs itself.
        let by_hand = store::identity::links_only_explicitly(tx, user.id).await?;
        // The settings show one linked account, and unlinking removes one.
        let other = store::identity::is_linked(tx, user.id).await?;
        if by_hand || other || !app.settings.google_trusts(email) {
            return Err(FlowFailure("link_first"));
        }
        // An attacker who reads a mailbox can open an account at the provider with its address.
        // That must not replace the second factor.
        let second = store::totp::confirmed(tx, user.id).await?;
        return if second.is_some() { Err(FlowFailure("totp_required")) } else { Ok(Some((user.id, false))) };
    }
    if !store::identity::adopt(tx, user.id, language, now).await? {
        return Ok(None);
    }
    store::passkey::remove_all(tx, user.id).await?;
    for kind in [TokenKind::VerifyEmail, TokenKind::ResetPassword] {
        store::token::end_all(tx, user.id, kind, now).await?;
    }
    Ok(Some((user.id, true)))
}

/// Creates a verified account without a password; returns `None` if the address was taken
/// meanwhile.
async fn register(
    app: &AppState,
    tx: &mut Tx,
    email: &str,
    language: &str,
    now: Instant,
) -> Result<Option<UserId>, FlowFailure> {
    let new = NewUser {
        id: UserId::new(now, app.random.bytes()),
        email: email.to_owned(),
        password_hash: None,
        language: language.to_owned(),
        referral_code: hex::encode(app.random.bytes::<5>()),
        referred_by: None,
        email_verified_at: Some(now),
    };
    Ok(store::user::insert(tx, &new, now).await?.then_some(new.id))
}

/// Links an identity at the provider to the signed-in user, who has completed a step-up.
pub async fn link(
    app: &AppState,
    tx: &mut Tx,
    person: &ProviderUser,
    user: UserId,
    session: SessionId,
    client: &Client,
) -> Result<(), FlowFailure> {
    let now = app.wall.now();
    if !store::session::is_live(tx, session, now).await? {
        return Err(FlowFailure("expired"));
    }
    store::lock::exclusive(tx, user.0).await?;
    let known = provider_account(person);
    match store::identity::user_of(tx, known.issuer, known.subject).await? {
        Some(other) if other != user => return Err(FlowFailure("linked_elsewhere")),
        Some(_) => return Ok(()),
        None => {}
    }
    if store::identity::is_linked(tx, user).await? {
        return Err(FlowFailure("another_linked"));
    }
    if !store::identity::link(tx, &known, user, now).await? {
        return Err(FlowFailure("linked_elsewhere"));
    }
    notify_of_link(app, tx, user, Some(session), client).await
}

/// Records a new link as a security event, and mails the owner.
async fn notify_of_link(
    app: &AppState,
    tx: &mut Tx,
    user: UserId,
    session: Option<SessionId>,
    client: &Client,
) -> Result<(), FlowFailure> {
    let kind = SecurityEventKind::GoogleLinked;
    let event = NewEvent { user, kind, succeeded: true, session, client: Some(client) };
    events::record(app, tx, &event).await?;
    if let Some(user) = store::user::get(tx, user).await? {
        let occasion = hex::encode(app.random.bytes::<8>());
        events::notify(app, tx, &user, SecurityNotice::GoogleLinked, &occasion).await?;
    }
    Ok(())
}

/// Result of a step-up at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The step-up is complete.
    Whole,
    /// A code of the second factor is still needed: an account at a provider does not replace it.
    CodeToCome,
}

/// Records a step-up at the provider: the same identity must have signed in there after the flow
/// began.
pub async fn prove_again(
    tx: &mut Tx,
    person: &ProviderUser,
    flow: &Flow,
    (user, session): (UserId, SessionId),
    now: Instant,
) -> Result<Proof, FlowFailure> {
    let linked = store::identity::user_of(tx, &person.issuer, &person.subject).await?;
    let lately = person.authenticated_at.is_some_and(|at| flow.created_at <= at + CLOCK_SKEW);
    if linked != Some(user) || !lately {
        return Err(FlowFailure("step_up_mismatch"));
    }
    if !store::session::is_live(tx, session, now).await? {
        return Err(FlowFailure("expired"));
    }
    if store::totp::confirmed(tx, user).await?.is_some() {
        store::session::prove_elsewhere(tx, session, now).await?;
        return Ok(Proof::CodeToCome);
    }
    store::session::step_up(tx, session, now).await?;
    Ok(Proof::Whole)
}
