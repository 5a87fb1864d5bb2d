//! Passkeys (WebAuthn). An authenticator must verify its user each time, by a fingerprint, a face
//! or a PIN, so a passkey counts as two factors.

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::{SessionId, UserId, uuid_v7};
use serde_json::Value;
use store::Tx;
use store::passkey::{NewPasskey, Passkey};
use store::user::User;
use uuid::Uuid;
use webauthn_rp::bin::{Decode as _, Encode as _};
use webauthn_rp::request::auth::AuthenticationVerificationOptions;
use webauthn_rp::request::register::{
    CredProtect, PublicKeyCredentialUserEntity, RegistrationVerificationOptions, UserHandle16,
};
use webauthn_rp::request::{PublicKeyCredentialDescriptor, TimedCeremony as _};
use webauthn_rp::response::register::{CompressedPubKey, DynamicState, StaticState};
use webauthn_rp::response::{AuthTransports, CredentialId, SentChallenge};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication16, DiscoverableAuthenticationServerState,
    DiscoverableCredentialRequestOptions, PublicKeyCredentialCreationOptions, Registration,
    RegistrationServerState,
};

use super::relying_party::RelyingParty;
use crate::AppState;
use crate::http::error::{ApiError, Code};

/// Time within which a browser must answer a challenge.
const CHALLENGE_LIFE: TimeDelta = TimeDelta::minutes(5);
/// Maximum number of passkeys of one user.
pub const MOST_PASSKEYS: usize = 20;
/// Maximum length of a passkey's name, in characters.
pub const LONGEST_NAME: usize = 60;

type PublicKey = CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>;

/// A new passkey that its authenticator confirmed.
pub struct ConfirmedPasskey {
    credential_id: Vec<u8>,
    static_state: Vec<u8>,
    dynamic_state: Vec<u8>,
}

/// Starts to add a passkey in a session. Returns the options for the browser.
///
/// # Errors
/// Returns `NOT_FOUND` if this server accepts no passkeys, or an error if the database fails.
pub async fn start_adding(
    app: &AppState,
    tx: &mut Tx,
    user: &User,
    session: SessionId,
) -> Result<Value, ApiError> {
    let party = party(app)?;
    let handle = handle(user.id);
    let known = store::passkey::of_user(tx, user.id).await?;
    let known = known.into_iter().filter(|known| known.host == party.host);
    // A browser without transports asks all of its authenticators.
    let known = known.filter_map(|known| {
        let id = CredentialId::<Vec<u8>>::decode(known.credential_id).ok()?;
        Some(PublicKeyCredentialDescriptor { id, transports: AuthTransports::decode(0).ok()? })
    });
    let entity = PublicKeyCredentialUserEntity {
        name: user.email.as_str().try_into().map_err(|_| ApiError::new(Code::Internal))?,
        id: &handle,
        display_name: None,
    };
    let mut options = PublicKeyCredentialCreationOptions::passkey(&party.id, entity, known.collect());
    // Most phones and laptops refuse a passkey with this extension. Each use verifies the user
    // anyway.
    options.extensions.cred_protect = CredProtect::None;
    let (server, client) = options.start_ceremony().map_err(|e| ApiError::internal(&e))?;
    let state = server.encode().map_err(|e| ApiError::internal(&e))?;
    keep(app, tx, challenge(server.sent_challenge())?, Some(session), &state).await?;
    serde_json::to_value(&client).map_err(|e| ApiError::internal(&e))
}

/// Starts a sign-in or a step-up with a passkey. Returns the options for the browser.
///
/// # Errors
/// Returns `NOT_FOUND` if this server accepts no passkeys, or an error if the database fails.
pub async fn start_proof(app: &AppState, tx: &mut Tx) -> Result<Value, ApiError> {
    let party = party(app)?;
    let options = DiscoverableCredentialRequestOptions::passkey(&party.id);
    let (server, client) = options.start_ceremony().map_err(|e| ApiError::internal(&e))?;
    let state = server.encode().map_err(|e| ApiError::internal(&e))?;
    keep(app, tx, challenge(server.sent_challenge())?, None, &state).await?;
    serde_json::to_value(&client).map_err(|e| ApiError::internal(&e))
}

/// Checks the browser's answer to the options of a new passkey. Takes the challenge.
///
/// # Errors
/// Returns `PASSKEY_REFUSED` if the answer is wrong, late or repeated.
pub async fn confirm(
    app: &AppState,
    tx: &mut Tx,
    answer: &Value,
    session: SessionId,
) -> Result<ConfirmedPasskey, ApiError> {
    let party = party(app)?;
    let answer = Registration::from_json_relaxed(answer.to_string().as_bytes()).map_err(|e| refused(&e))?;
    let sent = challenge(answer.challenge_relaxed().map_err(|e| refused(&e))?)?;
    let state = store::passkey::take_challenge(tx, sent, Some(session), app.wall.now()).await?;
    let state = state.ok_or(Code::PasskeyRefused)?;
    let state = RegistrationServerState::<16>::decode(&state).map_err(|e| refused(&e))?;
    let origins = [party.origin.as_str()];
    let options = RegistrationVerificationOptions::<&str, &str> {
        allowed_origins: &origins,
        error_on_unsolicited_extensions: false,
        ..Default::default()
    };
    let new = state.verify(&party.id, &answer, &options).map_err(|e| refused(&e))?;
    Ok(ConfirmedPasskey {
        credential_id: new.id().as_ref().to_vec(),
        static_state: new.static_state().encode().map_err(|e| refused(&e))?,
        dynamic_state: encoded(new.dynamic_state()),
    })
}

/// Stores a confirmed passkey. Returns its id; `None` if it is known, for this user or another.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn add(
    app: &AppState,
    tx: &mut Tx,
    new: &ConfirmedPasskey,
    user: UserId,
    name: &str,
) -> Result<Option<Uuid>, ApiError> {
    let now = app.wall.now();
    let id = uuid_v7(now, app.random.bytes());
    let ConfirmedPasskey { credential_id, static_state, dynamic_state } = new;
    let host = &party(app)?.host;
    let new = NewPasskey { id, user, credential_id, host, name, static_state, dynamic_state };
    Ok(store::passkey::insert(tx, &new, now).await?.then_some(id))
}

/// Checks the browser's answer to the options of a sign-in or a step-up, takes the challenge and
/// records the use. Returns the passkey.
///
/// # Errors
/// Returns `PASSKEY_REFUSED` if the answer is wrong, late or repeated, or the passkey is unknown.
/// The caller must then roll back.
pub async fn prove(app: &AppState, tx: &mut Tx, answer: &Value) -> Result<Passkey, ApiError> {
    let (party, now) = (party(app)?, app.wall.now());
    let answer = answer.to_string();
    let answer =
        DiscoverableAuthentication16::from_json_relaxed(answer.as_bytes()).map_err(|e| refused(&e))?;
    let sent = challenge(answer.challenge_relaxed().map_err(|e| refused(&e))?)?;
    let state = store::passkey::take_challenge(tx, sent, None, now).await?.ok_or(Code::PasskeyRefused)?;
    let state = DiscoverableAuthenticationServerState::decode(&state).map_err(|e| refused(&e))?;
    let known = store::passkey::by_credential(tx, answer.raw_id().as_ref()).await?;
    let known = known.filter(|known| known.host == party.host).ok_or(Code::PasskeyRefused)?;
    // Locks the user: a password reset or a suspension either precedes this or sees its result.
    if !store::user::is_still(tx, known.user(), None).await? {
        return Err(Code::PasskeyRefused.into());
    }
    let owner = handle(known.user());
    if *answer.response().user_handle() != owner {
        return Err(Code::PasskeyRefused.into());
    }
    let mut credential = AuthenticatedCredential::new(
        answer.raw_id(),
        answer.response().user_handle(),
        StaticState::<PublicKey>::decode(&known.static_state).map_err(|e| refused(&e))?,
        decoded(&known.dynamic_state)?,
    )
    .map_err(|e| refused(&e))?;
    let origins = [party.origin.as_str()];
    let options = AuthenticationVerificationOptions::<&str, &str> {
        allowed_origins: &origins,
        error_on_unsolicited_extensions: false,
        ..Default::default()
    };
    state.verify(&party.id, &answer, &mut credential, &options).map_err(|e| refused(&e))?;
    let used = store::passkey::record_use(tx, known.id, &encoded(credential.dynamic_state()), now).await?;
    if used { Ok(known) } else { Err(Code::PasskeyRefused.into()) }
}

fn party(app: &AppState) -> Result<RelyingParty, ApiError> {
    app.relying_party().ok_or_else(|| Code::NotFound.into())
}

async fn keep(
    app: &AppState,
    tx: &mut Tx,
    challenge: [u8; 16],
    session: Option<SessionId>,
    state: &[u8],
) -> Result<(), ApiError> {
    let until: Instant = app.wall.now() + CHALLENGE_LIFE;
    Ok(store::passkey::put_challenge(tx, challenge, session, state, until).await?)
}

fn challenge(sent: SentChallenge) -> Result<[u8; 16], ApiError> {
    Ok(sent.encode().map_err(|e| ApiError::internal(&e))?.to_be_bytes())
}

/// Returns the handle by which an authenticator stores the user: the bytes of the user's id.
fn handle(user: UserId) -> UserHandle16 {
    let Ok(handle) = UserHandle16::decode(user.0.into_bytes());
    handle
}

fn encoded(state: DynamicState) -> Vec<u8> {
    let Ok(bytes) = state.encode();
    bytes.to_vec()
}

fn decoded(bytes: &[u8]) -> Result<DynamicState, ApiError> {
    let bytes: [u8; 7] = bytes.try_into().map_err(|_| store::Error::Corrupt("passkey.dynamic_state"))?;
    DynamicState::decode(bytes).map_err(|e| ApiError::internal(&e))
}

fn refused(why: &dyn std::fmt::Display) -> ApiError {
    tracing::info!(%why, "refused the answer of a passkey");
    Code::PasskeyRefused.into()
}
