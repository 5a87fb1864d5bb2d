//! Endpoints `POST /user/channels/{id}/verify`, `/resend` and `/confirm`: proof that a channel
//! belongs to the caller.

use app::channels::{self, CodeOutcome, Coded, OwnedChannel};
use axum::extract::State;
use domain::ids::ChannelId;
use providers::channels::target::Target;
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::context;
use super::send::{SOME_CODE, code_message, taken, target_of};
use super::view::ChannelView;
use crate::AppState;
use crate::api::auth::guess_limits::{self, AskedText, TextPurpose};
use crate::auth::Caller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::{Body, ClientIp, IdPath};
use crate::http::rate_limit::LimitedAction;

/// A code that was sent over a channel.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelCode {
    /// The code, six digits.
    code: String,
}

/// Verifies that a channel belongs to the caller, with the code that was sent over it. Activates
/// the channel. Five wrong attempts invalidate the code.
#[utoipa::path(post, path = "/user/channels/{id}/verify", tag = "channels", request_body = ChannelCode,
    params(("id" = uuid::Uuid, Path, description = "The channel")), responses(
    (status = 200, body = Envelope<ChannelView>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 404, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`ILLEGAL_TRANSITION`: the channel waits for no code. `CHANNEL_CODE_SPENT`: too many wrong codes"),
    (status = 410, body = ErrorEnvelope, description = "`CHANNEL_CODE_EXPIRED`"),
    (status = 422, body = ErrorEnvelope, description = "`CHANNEL_CODE_WRONG` with `data.tries_left`"),
    (status = 429, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn verify_channel(
    State(app): State<AppState>,
    caller: Caller,
    ClientIp(address): ClientIp,
    IdPath(id): IdPath<ChannelId>,
    Body { value: input, .. }: Body<ChannelCode>,
) -> Answer<ChannelView> {
    guess_limits::call(&app, LimitedAction::ChannelProof, Some(&caller.user.to_string()), address)?;
    let outcome = detached(async move {
        let mut tx = app.db.begin().await?;
        let own = OwnedChannel { user: caller.user, id };
        let outcome = channels::take_code(&context(&app), &mut tx, own, &input.code).await?;
        tx.commit().await?;
        Ok(outcome)
    });
    match outcome.await? {
        CodeOutcome::Right(channel) => ok((*channel).into()),
        CodeOutcome::Wrong(left) => {
            Err(ApiError::new(Code::ChannelCodeWrong).with_data(json!({ "tries_left": left })))
        }
        CodeOutcome::Spent => Err(Code::ChannelCodeSpent.into()),
        CodeOutcome::Expired => Err(Code::ChannelCodeExpired.into()),
    }
}

/// Sends a new code over a channel that is not verified yet. The previous code becomes invalid.
#[utoipa::path(post, path = "/user/channels/{id}/resend", tag = "channels",
    params(("id" = uuid::Uuid, Path, description = "The channel")), responses(
    (status = 200, body = Envelope<ChannelView>), (status = 401, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`ILLEGAL_TRANSITION`: the channel waits for no code"),
    (status = 422, body = ErrorEnvelope, description = "`CHANNEL_REFUSED`"),
    (status = 429, body = ErrorEnvelope), (status = 502, body = ErrorEnvelope, description = "`CHANNEL_UNREACHABLE`"),
), security(("bearer" = [])))]
pub async fn resend_channel_code(
    State(app): State<AppState>,
    caller: Caller,
    ClientIp(address): ClientIp,
    IdPath(id): IdPath<ChannelId>,
) -> Answer<ChannelView> {
    let mut tx = app.db.read().await?;
    let channel = channels::find_own(&mut tx, caller.user, id).await?;
    let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    drop(tx);
    guess_limits::call(&app, LimitedAction::ChannelCode, Some(&caller.user.to_string()), address)?;
    let resent = detached(async move {
        if channel.target.is_none() {
            return Err(Code::IllegalTransition.into());
        }
        let target = target_of(context(&app).target(&channel))?;
        if let Target::Sms { phone } = &target {
            let asked = AskedText {
                purpose: TextPurpose::Code,
                user: caller.user,
                phone,
                from: address,
                message: &code_message(&app, &user.language, SOME_CODE),
            };
            guess_limits::asked_text(&app, asked).await?;
        }
        let mut tx = app.db.begin().await?;
        let Coded { channel, code } =
            channels::another_code(&context(&app), &mut tx, caller.user, id).await?;
        tx.commit().await?;
        let message = code_message(&app, &user.language, &code);
        taken(&app.channels.send(&target, &message).await)?;
        Ok(channel)
    });
    ok(resent.await?.into())
}

/// Confirms that the caller opened the channel's link, and activates the channel.
#[utoipa::path(post, path = "/user/channels/{id}/confirm", tag = "channels",
    params(("id" = uuid::Uuid, Path, description = "The channel")), responses(
    (status = 200, body = Envelope<ChannelView>), (status = 401, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`ILLEGAL_TRANSITION`: the link has not been opened, or has expired"),
), security(("bearer" = [])))]
pub async fn confirm_channel(
    State(app): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ChannelId>,
) -> Answer<ChannelView> {
    let confirmed = detached(async move {
        let mut tx = app.db.begin().await?;
        let channel = channels::confirm(&context(&app), &mut tx, caller.user, id).await?;
        tx.commit().await?;
        Ok(channel)
    });
    ok(confirmed.await?.into())
}
