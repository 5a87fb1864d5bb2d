//! Endpoints under `/sms/…`: delivery reports of text message providers, and replies of recipients.

use app::links;
use app::notices::{self, Refused};
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse as _, Response};
use domain::channel::{ChannelKind, ChannelState};
use domain::ids::OutboxId;
use providers::channels::sms::{
    DeliveryState, ReplyMeaning, Report, aliyun_reports, aliyun_written, field, twilio_report,
};
use providers::channels::target::Target;
use serde::{Deserialize, Serialize};
use store::channel::ProviderRefusal;
use store::keyring::KeyRing;
use store::outbox::arrival::{self, Arrival};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::auth::verify::raw;
use super::channels::found::leading_to;
use crate::AppState;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::Query;

/// Purpose of the token in the addresses for Aliyun. Aliyun signs no requests, so this server
/// recognizes them by the token.
const ALIYUN: &str = "aliyun-report";
const TWILIO_INBOUND: &str = "/api/v1/sms/twilio/inbound";
const ALIYUN_REPORT: &str = "/api/v1/sms/aliyun/report";
const ALIYUN_INBOUND: &str = "/api/v1/sms/aliyun/inbound";

/// Returns the routes of text messages.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(twilio_status))
        .routes(routes!(twilio_inbound))
        .routes(routes!(aliyun_report))
        .routes(routes!(aliyun_inbound))
}

/// Addresses of this server that the operator enters at the providers of text messages.
pub struct Addresses {
    /// Address for replies from Twilio.
    pub twilio_inbound: String,
    /// Address for delivery reports from Aliyun.
    pub aliyun_report: String,
    /// Address for replies from Aliyun.
    pub aliyun_inbound: String,
}

/// Returns the addresses at which the providers reach this server.
#[must_use]
pub fn addresses(keyring: &KeyRing, site: &str) -> Addresses {
    let token = links::token(keyring, ALIYUN, Uuid::nil());
    Addresses {
        twilio_inbound: format!("{site}{TWILIO_INBOUND}"),
        aliyun_report: format!("{site}{ALIYUN_REPORT}?token={token}"),
        aliyun_inbound: format!("{site}{ALIYUN_INBOUND}?token={token}"),
    }
}

/// Query with the text message that a report is about.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Reported {
    /// Identifier of the message, as this server sent it.
    id: Uuid,
}

/// Receives a delivery report signed by Twilio (`X-Twilio-Signature`). Reports may be repeated and
/// arrive in any order.
#[utoipa::path(post, path = "/sms/twilio/status", tag = "channels",
    request_body(content = String, content_type = "application/x-www-form-urlencoded", description = "Twilio's parameters"),
    params(Reported, ("X-Twilio-Signature" = Option<String>, Header, description = "HMAC-SHA1, base64")), responses(
    (status = 200, body = Envelope<Empty>), (status = 400, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope, description = "The report was not stored; Twilio should send it again"),
))]
pub async fn twilio_status(
    State(app): State<AppState>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    Query(reported): Query<Reported>,
    body: Result<Bytes, BytesRejection>,
) -> Answer<Empty> {
    let form = signed_form(&app, &uri, &headers, body)?;
    let report = twilio_report(reported.id.to_string(), &form);
    detached(async move { store_reports(&app, &[report]).await }).await?;
    ok(Empty::default())
}

/// Receives a reply signed by Twilio. STOP switches the channel off, START switches it on, and HELP
/// gets a response.
#[utoipa::path(post, path = "/sms/twilio/inbound", tag = "channels",
    request_body(content = String, content_type = "application/x-www-form-urlencoded", description = "Twilio's parameters"),
    params(("X-Twilio-Signature" = Option<String>, Header, description = "HMAC-SHA1, base64")), responses(
    (status = 200, content_type = "text/xml", body = String, description = "Reply in TwiML, the XML format of Twilio"),
    (status = 400, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
))]
pub async fn twilio_inbound(
    State(app): State<AppState>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ApiError> {
    let form = signed_form(&app, &uri, &headers, body)?;
    let (phone, word) = (field(&form, "From").to_owned(), ReplyMeaning::at_twilio(&form));
    // If Twilio already answers with a text of the operator, it sets `OptOutType`, and a second
    // answer would only cost money. Twilio's standard answer to HELP does not name the sender,
    // which carriers require.
    let answer = match word {
        ReplyMeaning::Help if field(&form, "OptOutType").is_empty() => Some(help(&app)),
        _ => None,
    };
    detached(async move { heed(&app, &phone, word).await }).await?;
    let said = answer.map(|text| format!("<Message>{text}</Message>")).unwrap_or_default();
    let twiml = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response>{said}</Response>");
    Ok(([(header::CONTENT_TYPE, HeaderValue::from_static("text/xml; charset=utf-8"))], twiml).into_response())
}

/// Query with the token in the addresses for Aliyun.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AliyunToken {
    /// The token, 64 hexadecimal characters.
    token: String,
}

/// Response that Aliyun expects.
#[derive(Serialize, ToSchema)]
pub struct AliyunTaken {
    /// Always 0.
    code: i32,
    msg: String,
}

impl AliyunTaken {
    fn answer() -> axum::Json<Self> {
        axum::Json(Self { code: 0, msg: "成功".to_owned() })
    }
}

/// Receives delivery reports of text messages in mainland China. A request contains several
/// reports.
#[utoipa::path(post, path = "/sms/aliyun/report", tag = "channels",
    request_body(content = String, content_type = "application/json", description = "Aliyun's list of reports"),
    params(AliyunToken), responses(
    (status = 200, body = AliyunTaken), (status = 400, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope, description = "The reports were not stored; Aliyun should send them again"),
))]
pub async fn aliyun_report(
    State(app): State<AppState>,
    Query(given): Query<AliyunToken>,
    body: Result<Bytes, BytesRejection>,
) -> Result<axum::Json<AliyunTaken>, ApiError> {
    let body = of_aliyun(&app, &given, body)?;
    let reports = aliyun_reports(&body).ok_or(Code::InvalidBody)?;
    detached(async move { store_reports(&app, &reports).await }).await?;
    Ok(AliyunTaken::answer())
}

/// Receives replies from mainland China. TD or 退订 switches the channel off, 恢复 switches it on. A
/// request contains several replies.
#[utoipa::path(post, path = "/sms/aliyun/inbound", tag = "channels",
    request_body(content = String, content_type = "application/json", description = "Aliyun's list of messages"),
    params(AliyunToken), responses(
    (status = 200, body = AliyunTaken), (status = 400, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope),
    (status = 503, body = ErrorEnvelope, description = "The replies were not processed; Aliyun should send them again"),
))]
pub async fn aliyun_inbound(
    State(app): State<AppState>,
    Query(given): Query<AliyunToken>,
    body: Result<Bytes, BytesRejection>,
) -> Result<axum::Json<AliyunTaken>, ApiError> {
    let body = of_aliyun(&app, &given, body)?;
    let written = aliyun_written(&body).ok_or(Code::InvalidBody)?;
    detached(async move {
        for one in &written {
            heed(&app, &one.phone, one.word).await?;
        }
        Ok(())
    })
    .await?;
    Ok(AliyunTaken::answer())
}

/// Returns the body if the request has the token of Aliyun's addresses.
fn of_aliyun(
    app: &AppState,
    given: &AliyunToken,
    body: Result<Bytes, BytesRejection>,
) -> Result<Bytes, ApiError> {
    let body = body.map_err(|_| ApiError::new(Code::BodyTooLarge))?;
    let is_ours = raw(&given.token).and_then(|raw| links::id_of(&app.keyring, ALIYUN, &raw)).is_some();
    if is_ours { Ok(body) } else { Err(not_believed()) }
}

/// Returns the form if Twilio signed it together with the address of this request.
fn signed_form(
    app: &AppState,
    uri: &Uri,
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Vec<(String, String)>, ApiError> {
    let body = body.map_err(|_| ApiError::new(Code::BodyTooLarge))?;
    let form: Vec<(String, String)> = form_urlencoded::parse(&body).into_owned().collect();
    let signature = headers.get("x-twilio-signature").and_then(|v| v.to_str().ok()).unwrap_or_default();
    let asked = uri.path_and_query().map_or(uri.path(), |both| both.as_str());
    let url = format!("{}{asked}", app.settings.public_url);
    if app.channels.is_of_twilio(&url, &form, signature) { Ok(form) } else { Err(not_believed()) }
}

fn not_believed() -> ApiError {
    tracing::warn!("rejected a request to a text message webhook: wrong signature or token");
    Code::InvalidSignature.into()
}

/// Stores delivery reports. If a number can never receive messages, its channel is marked as broken
/// and the user is notified.
async fn store_reports(app: &AppState, reports: &[Report]) -> Result<(), ApiError> {
    let now = app.now();
    let mut tx = app.db.begin().await?;
    for report in reports {
        let Ok(id) = report.id.parse::<OutboxId>() else { continue };
        let (what, refused) = match &report.state {
            DeliveryState::UnderWay => continue,
            DeliveryState::Arrived => (Arrival::Arrived, None),
            DeliveryState::Lost { code, reason } => {
                (Arrival::Lost(code), reason.map(|reason| (reason, code.as_str())))
            }
        };
        let channel = arrival::report(&mut tx, id, what, now).await?;
        let (Some(channel), Some((reason, answer))) = (channel, refused) else { continue };
        if let Some(channel) = store::channel::find(&mut tx, channel).await? {
            let refusal = ProviderRefusal { reason: reason.as_ref(), answer, at: now };
            let refused = Refused { message: id, channel: &channel, refusal };
            notices::broken(&mut tx, &app.random, &app.settings.public_url, refused).await?;
        }
    }
    Ok(tx.commit().await?)
}

/// Switches the channels of a phone number off or on. Only the owner of the number can reply, so
/// the command applies to every account with this number.
async fn heed(app: &AppState, phone: &str, word: ReplyMeaning) -> Result<(), ApiError> {
    let state = match word {
        ReplyMeaning::Stop => ChannelState::Off,
        ReplyMeaning::Start => ChannelState::Verified,
        ReplyMeaning::Help | ReplyMeaning::Other => return Ok(()),
    };
    let leads = |target: &Target| matches!(target, Target::Sms { phone: here } if here == phone);
    // The search decrypts all targets, so it must not block the writer.
    let mut tx = app.db.read().await?;
    let found = leading_to(app, &mut tx, ChannelKind::Sms, leads).await?;
    drop(tx);
    if found.is_empty() {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    for channel in &found {
        store::channel::set_state(&mut tx, channel.id, state).await?;
    }
    Ok(tx.commit().await?)
}

/// Returns the answer to HELP. It names the sender, the purpose, the settings page and the command
/// to stop.
fn help(app: &AppState) -> String {
    let (sender, site) = (escaped(&app.settings.channels.sms_sender), escaped(&app.settings.public_url));
    format!(
        "{sender}: alerts about your visa appointment. Settings: {site}/settings. Reply STOP to end, START to go on. 回复 STOP 停止。"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
