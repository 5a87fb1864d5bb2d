//! Simulated card provider with invented cards. Its API has payment intents, refunds, disputes and
//! signed messages, like Stripe's.

mod forms;
pub mod ledger;
mod lists;
pub mod messages;
mod objects;
mod orders;
mod page;
mod test_cards;
mod wallets;

use std::{sync::Arc, time::Duration};

use axum::{
    Json, Router,
    extract::{Path, RawForm, RawQuery, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};

use crate::{
    Shared,
    identity::now,
    journal::{Effect, Entry},
    world::{
        World,
        clock::wall,
        faults::{FaultKind, FaultTarget},
    },
};
use forms::Form;
use ledger::{CardLedger, Status};

pub(crate) use page::section;

/// Secret API key of the product at this provider. It is public, because the sandbox protects
/// nothing.
pub const SECRET_KEY: &str = "sk_test_sandbox";
/// Publishable key, which the payer's browser sends.
pub const PUBLISHABLE_KEY: &str = "pk_test_sandbox";
/// Secret that signs messages to the product.
pub const WEBHOOK_SECRET: &str = "whsec_sandbox";
/// Path below the control address of the script that replaces the provider's browser library.
pub(crate) const SCRIPT: &str = "/stripe.js";

pub(crate) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route(SCRIPT, get(script))
        .route("/v1/payment_intents", post(create))
        .route("/v1/payment_intents/{id}", get(read))
        .route("/v1/payment_intents/{id}/confirm", post(confirm))
        .route("/v1/payment_intents/{id}/authenticate", post(authenticate))
        .route("/v1/payment_intents/{id}/cancel", post(cancel))
        .route("/v1/refunds", post(refund))
        .merge(lists::router())
        .merge(orders::router())
        .merge(wallets::router())
}

/// Error response in the provider's format.
#[derive(Clone, Debug, PartialEq)]
pub struct CardError {
    status: u16,
    /// The field `error` of the response.
    pub error: Value,
}

impl CardError {
    fn new(status: u16, kind: &str, code: &str, message: &str) -> Self {
        Self { status, error: json!({ "type": kind, "code": code, "message": message }) }
    }

    fn request(code: &str, message: &str) -> Self {
        Self::new(400, "invalid_request_error", code, message)
    }

    fn missing(what: &str) -> Self {
        Self::new(404, "invalid_request_error", "resource_missing", &format!("No such {what}"))
    }
}

type Outcome = Result<Value, CardError>;

async fn script() -> impl IntoResponse {
    let kind =
        [(header::CONTENT_TYPE, "text/javascript; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (kind, include_str!("assets/stripe.js"))
}

async fn create(State(shared): State<Arc<Shared>>, headers: HeaderMap, RawForm(body): RawForm) -> Response {
    let form = Form::read(&body);
    let key = headers.get("idempotency-key").and_then(|v| v.to_str().ok()).map(str::to_owned);
    let host = headers.get(header::HOST).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let address = format!("http://{host}");
    serve(&shared, "card_create", "POST", "/v1/payment_intents", |desk, now| {
        is_ours(&headers)?;
        desk.once(key.as_deref(), "payment_intents", &form, |desk| desk.create(&form, &address, now))
    })
    .await
}

async fn read(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let asked = Form::read(query.unwrap_or_default().as_bytes());
    serve(&shared, "card_read", "GET", &format!("/v1/payment_intents/{id}"), |desk, _| {
        is_ours(&headers)?;
        let intent = desk.intent(&id)?;
        let mut shown = intent.shown();
        if asked.get("expand[]") == Some("latest_charge") {
            shown["latest_charge"] = intent.charge();
        }
        Ok(shown)
    })
    .await
}

async fn cancel(State(shared): State<Arc<Shared>>, headers: HeaderMap, Path(id): Path<String>) -> Response {
    serve(&shared, "card_cancel", "POST", &format!("/v1/payment_intents/{id}/cancel"), |desk, now| {
        is_ours(&headers)?;
        desk.cancel(&id, now)
    })
    .await
}

async fn refund(State(shared): State<Arc<Shared>>, headers: HeaderMap, RawForm(body): RawForm) -> Response {
    let form = Form::read(&body);
    let key = headers.get("idempotency-key").and_then(|v| v.to_str().ok()).map(str::to_owned);
    serve(&shared, "card_refund", "POST", "/v1/refunds", |desk, now| {
        is_ours(&headers)?;
        let intent = form.get("payment_intent").unwrap_or_default();
        let amount = form.amount("amount")?;
        let metadata = form.under("metadata").collect();
        desk.once(key.as_deref(), "refunds", &form, |desk| desk.refund((intent, amount), metadata, now))
    })
    .await
}

/// Handles the confirmation of a payment with a card, sent by the payer's browser.
async fn confirm(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    RawForm(body): RawForm,
) -> Response {
    let form = Form::read(&body);
    serve(&shared, "card_confirm", "POST", &format!("/v1/payment_intents/{id}/confirm"), |desk, now| {
        desk.of_payer(&id, &form)?;
        desk.confirm(&id, form.get("payment_method_data[card][number]").unwrap_or_default(), now)
    })
    .await
}

/// Handles the payer's bank authentication (3-D Secure).
async fn authenticate(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    RawForm(body): RawForm,
) -> Response {
    let form = Form::read(&body);
    serve(
        &shared,
        "card_authenticate",
        "POST",
        &format!("/v1/payment_intents/{id}/authenticate"),
        |desk, now| {
            desk.of_payer(&id, &form)?;
            desk.authenticate(&id, form.get("outcome") == Some("ok"), now)
        },
    )
    .await
}

fn is_ours(headers: &HeaderMap) -> Result<(), CardError> {
    let given = headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok()).unwrap_or_default();
    if given == format!("Bearer {SECRET_KEY}") {
        return Ok(());
    }
    Err(CardError::new(401, "invalid_request_error", "api_key_invalid", "Invalid API Key provided"))
}

/// Runs one operation of the card provider and records it in the journal. Fails if a fault keeps
/// the provider down.
async fn serve(
    shared: &Shared,
    kind: &str,
    method: &str,
    path: &str,
    act: impl FnOnce(&mut CardLedger, chrono::DateTime<chrono::Utc>) -> Outcome,
) -> Response {
    let present = now(shared);
    let (outcome, slow_ms) = shared.step(|world| {
        let struck = world.strike(&FaultTarget { kind, account: None, schedule: None });
        let down = struck.has(&FaultKind::CardDown);
        let outcome = (!down).then(|| {
            world.card.advance(present);
            act(&mut world.card, present)
        });
        let status = match &outcome {
            Some(Ok(_)) => 200,
            Some(Err(refusal)) => refusal.status,
            None => 503,
        };
        world.journal.write(Entry {
            seq: 0,
            world_time: world.now,
            wall_time: Some(wall()),
            kind: kind.to_owned(),
            account: None,
            portal_schedule_id: None,
            method: method.to_owned(),
            path: path.to_owned(),
            status,
            effect: Effect::None,
            asc: None,
            faults: struck.names(),
            empty_because: Vec::new(),
            retry_after: None,
            latency_ms: 0,
        });
        note_changes(world);
        (outcome, struck.find(|f| if let FaultKind::Slow { millis } = f { Some(*millis) } else { None }))
    });
    if let Some(millis) = slow_ms {
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
    // Permit calls by the payer's browser from a page of the product.
    let open = [(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")];
    match outcome {
        Some(Ok(value)) => (open, Json(value)).into_response(),
        Some(Err(refusal)) => {
            let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::BAD_REQUEST);
            (status, open, Json(json!({ "error": refusal.error }))).into_response()
        }
        None => (StatusCode::SERVICE_UNAVAILABLE, open, "the card provider is down").into_response(),
    }
}

/// Records the ledger's new changes in the journal.
pub(crate) fn note_changes(world: &mut World) {
    let at = world.now;
    for change in std::mem::take(&mut world.card.effects) {
        world.journal.world_event(at, Effect::Card(change));
    }
}

impl Status {
    fn is_over(self) -> bool {
        matches!(self, Self::Succeeded | Self::Canceled)
    }
}
