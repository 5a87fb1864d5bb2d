//! Endpoints `GET` and `POST /user/passkeys`, `POST /user/passkeys/options` and
//! `DELETE /user/passkeys/{id}`.

use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::security_event::SecurityEventKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Tx;
use store::passkey::Passkey;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::AppState;
use crate::api::auth::guess_limits;
use crate::api::auth::passkey::PasskeyOptions;
use crate::auth::events::SecurityNotice;
use crate::auth::passkey::{self, LONGEST_NAME, MOST_PASSKEYS};
use crate::auth::user_agent::RequestClient;
use crate::auth::{Caller, StepUp, events, ways_in};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp, IdPath};
use crate::http::rate_limit::LimitedAction;

/// Passkeys of the caller.
#[derive(Serialize, ToSchema)]
pub struct PasskeyList {
    /// `true` if passkeys can be added and used at this server's address.
    offered: bool,
    /// Passkeys, the oldest first.
    passkeys: Vec<PasskeyView>,
}

/// A passkey.
#[derive(Serialize, ToSchema)]
pub struct PasskeyView {
    id: Uuid,
    /// Name that the user gave it.
    name: String,
    /// Host at which it was added.
    host: String,
    /// `false` if the server has moved to another host since, where the passkey does not work.
    usable: bool,
    created_at: DateTime<Utc>,
    /// Time of its last use.
    used_at: Option<DateTime<Utc>>,
}

/// Input to add a passkey.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPasskeyInput {
    /// Name for display.
    #[schema(max_length = 60)]
    name: String,
    /// Answer of the browser, as `PublicKeyCredential.toJSON()` returns it.
    #[schema(value_type = Value)]
    credential: Value,
}

/// Returns the caller's passkeys.
#[utoipa::path(get, path = "/user/passkeys", tag = "user", responses(
    (status = 200, body = Envelope<PasskeyList>), (status = 401, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn list_passkeys(State(app): State<AppState>, caller: Caller) -> Answer<PasskeyList> {
    let mut tx = app.db.read().await?;
    let known = store::passkey::of_user(&mut tx, caller.user).await?;
    ok(PasskeyList {
        offered: app.relying_party().is_some(),
        passkeys: known.into_iter().map(|known| PasskeyView::of(&app, known)).collect(),
    })
}

/// Starts to add a passkey in this session. The options are valid for five minutes.
#[utoipa::path(post, path = "/user/passkeys/options", tag = "user", responses(
    (status = 200, body = Envelope<PasskeyOptions>), (status = 401, body = ErrorEnvelope),
    (status = 403, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`PASSKEY_LIMIT`: the user has 20 passkeys"),
    (status = 429, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn start_passkey_addition(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    ClientIp(address): ClientIp,
) -> Answer<PasskeyOptions> {
    guess_limits::call(&app, LimitedAction::Passkey, None, address)?;
    let options = detached(async move {
        let mut tx = app.db.begin().await?;
        refuse_more(&mut tx, &caller).await?;
        let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
        let options = passkey::start_adding(&app, &mut tx, &user, caller.session).await?;
        tx.commit().await?;
        Ok(options)
    });
    ok(PasskeyOptions { options: options.await? })
}

/// Adds the passkey that the browser created, and notifies the owner by mail.
#[utoipa::path(post, path = "/user/passkeys", tag = "user", request_body = NewPasskeyInput, responses(
    (status = 200, body = Envelope<PasskeyView>), (status = 401, body = ErrorEnvelope),
    (status = 403, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope), (status = 409, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope, description = "`data.fields.name`: required, too_long; or `PASSKEY_REFUSED`"),
), security(("bearer" = [])))]
pub async fn add_passkey(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    RequestClient(client): RequestClient,
    Body { value: input, .. }: Body<NewPasskeyInput>,
) -> Answer<PasskeyView> {
    let name = input.name.trim().to_owned();
    let mut wrong = Fields::default();
    if name.is_empty() {
        wrong.add("name", "required");
    } else if name.chars().count() > LONGEST_NAME {
        wrong.add("name", "too_long");
    }
    wrong.none()?;
    let view = detached(async move {
        let mut tx = app.db.begin().await?;
        require_live(&app, &mut tx, &caller).await?;
        refuse_more(&mut tx, &caller).await?;
        let new = passkey::confirm(&app, &mut tx, &input.credential, caller.session).await?;
        let id = passkey::add(&app, &mut tx, &new, caller.user, &name).await?;
        let id = id.ok_or(Code::PasskeyRefused)?;
        events::record(&app, &mut tx, &events::by(&caller, SecurityEventKind::PasskeyAdded, &client)).await?;
        notify(&app, &mut tx, &caller, SecurityNotice::PasskeyAdded).await?;
        let known = store::passkey::of_user(&mut tx, caller.user).await?;
        let known = known.into_iter().find(|known| known.id == id);
        tx.commit().await?;
        Ok(PasskeyView::of(&app, known.ok_or(Code::Internal)?))
    });
    ok(view.await?)
}

/// Removes a passkey, and notifies the owner by mail. Another sign-in method must remain.
#[utoipa::path(delete, path = "/user/passkeys/{id}", tag = "user", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The passkey")),
    responses((status = 200, body = Envelope<Empty>), (status = 401, body = ErrorEnvelope),
        (status = 403, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope),
        (status = 422, body = ErrorEnvelope, description = "`data.fields.password` is `not_set`: the account would have no sign-in method left")))]
pub async fn remove_passkey(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    RequestClient(client): RequestClient,
    IdPath(id): IdPath<Uuid>,
) -> Answer<Empty> {
    detached(async move {
        let mut tx = app.db.begin().await?;
        require_live(&app, &mut tx, &caller).await?;
        let known = store::passkey::of_user(&mut tx, caller.user).await?;
        let removed = known.iter().find(|known| known.id == id).ok_or(Code::NotFound)?;
        store::passkey::remove(&mut tx, caller.user, id).await?;
        if ways_in::is_usable(&app, removed) && !ways_in::any(&app, &mut tx, caller.user).await? {
            return Err(Fields::single("password", "not_set"));
        }
        events::record(&app, &mut tx, &events::by(&caller, SecurityEventKind::PasskeyRemoved, &client))
            .await?;
        notify(&app, &mut tx, &caller, SecurityNotice::PasskeyRemoved).await?;
        tx.commit().await?;
        Ok(())
    })
    .await?;
    ok(Empty {})
}

impl PasskeyView {
    fn of(app: &AppState, known: Passkey) -> Self {
        let usable = ways_in::is_usable(app, &known);
        let Passkey { id, name, host, created_at, used_at, .. } = known;
        Self { id, name, host, usable, created_at, used_at }
    }
}

async fn refuse_more(tx: &mut Tx, caller: &Caller) -> Result<(), ApiError> {
    let count = store::passkey::of_user(tx, caller.user).await?.len();
    if count < MOST_PASSKEYS { Ok(()) } else { Err(Code::PasskeyLimit.into()) }
}

/// Locks the user, and requires that the session did not end after the step-up was checked, for
/// example by a password reset.
async fn require_live(app: &AppState, tx: &mut Tx, caller: &Caller) -> Result<(), ApiError> {
    store::lock::exclusive(tx, caller.user.0).await?;
    let live = store::user::is_still(tx, caller.user, None).await?
        && store::session::is_live(tx, caller.session, app.wall.now()).await?;
    if live { Ok(()) } else { Err(Code::Unauthorized.into()) }
}

/// Mails the owner about a change.
async fn notify(
    app: &AppState,
    tx: &mut Tx,
    caller: &Caller,
    notice: SecurityNotice,
) -> Result<(), ApiError> {
    if let Some(user) = store::user::get(tx, caller.user).await? {
        let occasion = hex::encode(app.random.bytes::<8>());
        events::notify(app, tx, &user, notice, &occasion).await?;
    }
    Ok(())
}
