//! Endpoint `POST /user/channels`.

use app::channels::{self, Coded, RequestedChannel};
use axum::extract::State;
use domain::channel::ChannelKind;
use domain::ids::{ChannelId, UserId};
use providers::channels::greeting::Greeting;
use providers::channels::outcome::Reason;
use providers::channels::target::Target;
use secrecy::ExposeSecret as _;
use serde::Deserialize;
use serde_json::json;
use store::channel::Channel;
use utoipa::ToSchema;
use uuid::Uuid;

use super::context;
use super::send::{LocalizedGreeting, SOME_CODE, code_message, message, refused, sealed_text, taken};
use super::target::{TargetInput, is_proven_by_code};
use super::view::ChannelView;
use crate::AppState;
use crate::api::auth::guess_limits::{self, AskedText, TextPurpose};
use crate::api::user::Language;
use crate::auth::user_agent::RequestClient;
use crate::auth::{StepUp, StrictCaller};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::rate_limit::LimitedAction;

/// Maximum length of a channel target as JSON, in bytes.
const LONGEST: usize = 4_096;

/// A channel to add.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewChannel {
    /// Target of the channel.
    target: TargetInput,
    /// Consent to send messages to the named company, in its country.
    consent: bool,
    /// Language of the first message.
    language: Language,
    /// Earlier channel of the same browser, which the new channel replaces. A browser sends it
    /// after its push service changed its address.
    replaces: Option<ReplacedBrowser>,
}

/// Earlier channel of a browser. Only the browser itself knows the former address, because no
/// response contains it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplacedBrowser {
    /// Identifier of the channel.
    id: Uuid,
    /// Former address from the push service.
    #[schema(max_length = 4096)]
    endpoint: String,
}

/// Adds a channel and sends a code to it. A browser gets a greeting instead, and is verified once
/// its push service accepts the greeting. A channel that its provider refuses is not stored.
#[utoipa::path(post, path = "/user/channels", tag = "channels", request_body = NewChannel, responses(
    (status = 200, body = Envelope<ChannelView>), (status = 400, body = ErrorEnvelope), (status = 401, body = ErrorEnvelope),
    (status = 403, body = ErrorEnvelope, description = "`STEP_UP_REQUIRED`"),
    (status = 409, body = ErrorEnvelope, description = "`CHANNEL_LIMIT`: the caller has the maximum number of channels"),
    (status = 422, body = ErrorEnvelope,
        description = "`CHANNEL_REFUSED` with `data.reason` and `data.answer`; `CHANNEL_NOT_OFFERED`; `SMS_COUNTRY_NOT_ALLOWED`"),
    (status = 429, body = ErrorEnvelope), (status = 502, body = ErrorEnvelope, description = "`CHANNEL_UNREACHABLE`"),
), security(("bearer" = [])))]
pub async fn add_channel(
    State(app): State<AppState>,
    caller: StrictCaller,
    ClientIp(address): ClientIp,
    RequestClient(client): RequestClient,
    Body { value: input, .. }: Body<NewChannel>,
) -> Answer<ChannelView> {
    if !input.consent {
        return Err(Fields::single("consent", "required"));
    }
    let target = Target::from(input.target);
    demand_possible(&app, &target)?;
    let caller = match &input.replaces {
        Some(before) if is_renewal(&app, caller.0.user, before, &target).await? => caller.0,
        _ => StepUp::require(&app, caller).await?.0,
    };
    guess_limits::call(&app, LimitedAction::ChannelCode, Some(&caller.user.to_string()), address)?;
    let label = match target.kind() {
        ChannelKind::WebPush => [client.browser, client.os].join(" ").trim().to_owned(),
        _ => target.label(),
    };
    let wanted = RequestedChannel { kind: target.kind(), label, target: sealed_text(&target)? };
    let language = input.language.code();
    let added = detached(async move {
        if let Target::Sms { phone } = &target {
            // Checked first, so that the operator pays for no text message if the user may not add
            // a channel.
            let mut tx = app.db.begin().await?;
            channels::room(&context(&app), &mut tx, caller.user).await?;
            tx.commit().await?;
            let asked = AskedText {
                purpose: TextPurpose::Code,
                user: caller.user,
                phone,
                from: address,
                message: &code_message(&app, language, SOME_CODE),
            };
            guess_limits::asked_text(&app, asked).await?;
        }
        let mut tx = app.db.begin().await?;
        let Coded { channel, code } =
            channels::add_with_code(&context(&app), &mut tx, caller.user, &wanted).await?;
        tx.commit().await?;
        let by_code = is_proven_by_code(wanted.kind);
        let message = match by_code {
            true => code_message(&app, language, &code),
            false => message(&app, &LocalizedGreeting { greeting: Greeting::Hello, language }),
        };
        let delivery = app.channels.send(&target, &message).await;
        if let Err(error) = taken(&delivery) {
            forget(&app, &channel).await?;
            return Err(error);
        }
        if by_code { Ok(channel) } else { verified(&app, caller.user, &channel).await }
    });
    ok(added.await?.into())
}

/// Returns `true` if the target is the new push address of a browser that is already a channel of
/// the caller. The address only changes then, so no step-up is needed.
async fn is_renewal(
    app: &AppState,
    user: UserId,
    before: &ReplacedBrowser,
    target: &Target,
) -> Result<bool, ApiError> {
    let mut tx = app.db.read().await?;
    let known = store::channel::get(&mut tx, user, ChannelId(before.id)).await?;
    drop(tx);
    let known = known.filter(|channel| channel.verified_at.is_some());
    let known = known.and_then(|channel| context(app).target(&channel));
    let known = known.and_then(|json| serde_json::from_str::<Target>(json.expose_secret()).ok());
    let is_browser = matches!(target, Target::WebPush { .. });
    Ok(is_browser
        && matches!(known, Some(Target::WebPush { endpoint, .. }) if endpoint.expose_secret() == before.endpoint))
}

/// Rejects a target that cannot receive messages, before the channel is stored.
fn demand_possible(app: &AppState, target: &Target) -> Result<(), ApiError> {
    if !app.channels.offers(target.kind()) {
        return Err(Code::ChannelNotOffered.into());
    }
    if let Target::Sms { phone } = target {
        let countries = &app.settings.channels.sms_countries;
        let country = domain::phone::country(phone);
        if !country.is_some_and(|country| countries.iter().any(|allowed| allowed == country)) {
            let data = json!({ "countries": countries });
            return Err(ApiError::new(Code::SmsCountryNotAllowed).with_data(data));
        }
    }
    if sealed_text(target)?.expose_secret().len() > LONGEST {
        return Err(refused(Reason::Malformed, ""));
    }
    app.channels.check(target).map_err(|reason| refused(reason, ""))
}

/// Removes a channel that its provider refused.
async fn forget(app: &AppState, channel: &Channel) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    store::channel::remove(&mut tx, channel.user, channel.id).await?;
    Ok(tx.commit().await?)
}

async fn verified(app: &AppState, user: UserId, channel: &Channel) -> Result<Channel, ApiError> {
    let mut tx = app.db.begin().await?;
    let channel = channels::proven(&context(app), &mut tx, user, channel.id).await?;
    store::channel::record_ok(&mut tx, channel.id, app.now()).await?;
    tx.commit().await?;
    Ok(channel)
}
