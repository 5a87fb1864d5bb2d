//! Endpoint `POST /user/channels/{id}/test`: sends a test message, and returns the provider's
//! response.

use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::channel::ChannelState;
use domain::ids::ChannelId;
use providers::channels::greeting::Greeting;
use providers::channels::outcome::{Outcome, Reason};
use providers::channels::target::Target;
use serde::Serialize;
use utoipa::ToSchema;

use super::context;
use super::send::{LocalizedGreeting, message, record_outcome, target_of};
use super::words::ChannelReason;
use crate::AppState;
use crate::api::auth::guess_limits::{self, AskedText, TextPurpose};
use crate::auth::Caller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::{ClientIp, IdPath};
use crate::http::rate_limit::LimitedAction;

/// Result of a test.
#[derive(Serialize, ToSchema)]
pub struct ChannelTested {
    outcome: TestOutcome,
    /// Reason for which the channel is broken; null otherwise.
    #[schema(value_type = Option<ChannelReason>)]
    reason: Option<Reason>,
    /// The provider's response, or the reason for which there is none.
    answer: String,
    at: DateTime<Utc>,
}

/// Outcome of a test.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestOutcome {
    /// The provider accepted the message. That does not mean that the user saw it.
    Accepted,
    /// The message was not accepted, or the result is unknown. A later try may succeed.
    Wait,
    /// The provider refused the message for good.
    Broken,
}

/// Sends a test message over a verified channel, and returns the provider's response. If the
/// provider accepts the message, a channel that needed attention becomes active again.
#[utoipa::path(post, path = "/user/channels/{id}/test", tag = "channels",
    params(("id" = uuid::Uuid, Path, description = "The channel")), responses(
    (status = 200, body = Envelope<ChannelTested>), (status = 401, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope),
    (status = 409, body = ErrorEnvelope, description = "`ILLEGAL_TRANSITION`: the channel has not been verified yet"),
    (status = 429, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn test_channel(
    State(app): State<AppState>,
    caller: Caller,
    ClientIp(address): ClientIp,
    IdPath(id): IdPath<ChannelId>,
) -> Answer<ChannelTested> {
    let mut tx = app.db.read().await?;
    let channel = app::channels::find_own(&mut tx, caller.user, id).await?;
    let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    drop(tx);
    if channel.verified_at.is_none() {
        return Err(Code::IllegalTransition.into());
    }
    guess_limits::call(&app, LimitedAction::ChannelTest, Some(&caller.user.to_string()), address)?;
    let at = app.now();
    let delivery = detached(async move {
        let target = target_of(context(&app).target(&channel))?;
        let message =
            message(&app, &LocalizedGreeting { greeting: Greeting::Test, language: &user.language });
        if let Target::Sms { phone } = &target {
            let asked = AskedText {
                purpose: TextPurpose::Test,
                user: caller.user,
                phone,
                from: address,
                message: &message,
            };
            guess_limits::asked_text(&app, asked).await?;
        }
        let delivery = app.channels.send(&target, &message).await;
        record_outcome(&app, &channel, &delivery).await?;
        let taken = matches!(delivery.outcome, Outcome::Accepted { .. });
        if taken && channel.state == ChannelState::NeedsAttention {
            let mut tx = app.db.begin().await?;
            store::channel::set_state(&mut tx, channel.id, ChannelState::Verified).await?;
            tx.commit().await?;
        }
        Ok(delivery)
    });
    let delivery = delivery.await?;
    let (outcome, reason) = match delivery.outcome {
        Outcome::Accepted { .. } => (TestOutcome::Accepted, None),
        Outcome::Wait(_) => (TestOutcome::Wait, None),
        Outcome::Broken(reason) => (TestOutcome::Broken, Some(reason)),
    };
    ok(ChannelTested { outcome, reason, answer: delivery.answer, at })
}
