//! Endpoint `POST /payment/stripe/create-intent`.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::card::PaymentMethod;
use domain::ids::{CardPaymentId, UserId};
use domain::money::{Currency, Money};
use providers::stripe::{Intent, NewIntent};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::card::NewPayment;
use utoipa::ToSchema;

use super::cards;
use crate::AppState;
use crate::api::auth::guess_limits;
use crate::auth::caller::StrictCaller;
use crate::card::{Cards, marks};
use crate::http::detached::detached;
use crate::http::envelope::{Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};
use crate::http::extract::{Body, ClientIp};
use crate::http::idempotency::{IdempotencyKey, IdempotentRequest};
use crate::http::rate_limit::LimitedAction;

/// Maximum length of the payer's note, in characters.
const LONGEST_DESCRIPTION: usize = 200;
/// Maximum length of the name of the page that starts a payment, in bytes.
const LONGEST_SOURCE: usize = 40;

/// Input of a payment.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct IntentInput {
    /// Amount with at most two decimals, within the limits of the configuration.
    amount: f64,
    /// Currency code (ISO 4217); the currency of the configuration by default.
    currency: Option<String>,
    /// One of the methods of the configuration; a card by default.
    #[serde(default)]
    method: PaymentMethod,
    /// Note of the payer for the payer's own records.
    #[schema(max_length = 200)]
    description: Option<String>,
    /// Page that starts the payment.
    #[serde(default)]
    metadata: IntentMetadata,
}

/// Page that starts a payment.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct IntentMetadata {
    /// Name of the page.
    source: Option<String>,
    /// Language of the page, `zh` or `en`.
    language: Option<String>,
}

/// A prepared payment, with the next step of the payer.
#[derive(Serialize, ToSchema)]
pub struct PreparedIntent {
    /// Identifier for queries of the payment's status.
    payment_intent_id: String,
    /// Only for cards: secret with which the payer's browser confirms this payment. Only the payer
    /// may see it.
    client_secret: Option<String>,
    /// Page of the provider to which the browser must navigate. Afterwards the provider redirects
    /// to `/balance/payment`.
    redirect_url: Option<String>,
    /// QR code to scan, as a `data:` address.
    qr_image: Option<String>,
}

/// Prepares a card payment, or begins a wallet payment. A repeated call with the same
/// `Idempotency-Key` returns the same payment.
#[utoipa::path(post, path = "/payment/stripe/create-intent", tag = "money", request_body = IntentInput,
    params(("Idempotency-Key" = Option<String>, Header, description = "A repeated request with the same key and body returns the same payment, for 7 days")),
    responses(
    (status = 200, body = Envelope<PreparedIntent>), (status = 400, body = ErrorEnvelope),
    (status = 401, body = ErrorEnvelope), (status = 409, body = ErrorEnvelope), (status = 413, body = ErrorEnvelope),
    (status = 415, body = ErrorEnvelope), (status = 422, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
    (status = 502, body = ErrorEnvelope), (status = 503, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn create_payment_intent(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    ClientIp(address): ClientIp,
    key: IdempotencyKey,
    Body { value: input, bytes }: Body<IntentInput>,
) -> Result<Response, ApiError> {
    let cards = cards(&app)?;
    let amount = input.check(&cards)?;
    guess_limits::call(&app, LimitedAction::CardPayment, Some(&caller.user.to_string()), address)?;
    let payment = id(&app, caller.user, &key, &bytes);
    let once = IdempotentRequest::new(&app, caller.user, "payment.create_intent", key, &bytes);
    let asked = RequestedPayment { user: caller.user, payment, amount, input };
    let data = detached(async move { asked.prepare(&app, &cards, &once).await }).await?;
    Ok(ok(data)?.into_response())
}

/// Returns this server's identifier of the payment. With an idempotency key it is derived from the
/// key, so that a repeated request is identical at the provider.
fn id(app: &AppState, user: UserId, key: &IdempotencyKey, body: &[u8]) -> CardPaymentId {
    let Some(key) = &key.0 else { return CardPaymentId::new(app.wall.now(), app.random.bytes()) };
    let text = format!("card-payment|{user}|{}|{key}|{}", key.len(), String::from_utf8_lossy(body));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&app.keyring.fingerprint(&text)[..16]);
    CardPaymentId(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

impl IntentInput {
    fn check(&self, cards: &Cards) -> Result<Money, ApiError> {
        let mut wrong = Fields::default();
        let amount = cards.limits.read(self.amount);
        if let Err(why) = amount {
            wrong.add("amount", why.as_str());
        }
        let currency = self.currency.as_deref().unwrap_or(Currency::CAD.code());
        if Currency::parse(&currency.to_ascii_uppercase()).is_none() {
            wrong.add("currency", "unknown");
        }
        if !cards.methods.contains(&self.method) {
            wrong.add("method", "not_offered");
        }
        let words = self.description.as_deref().unwrap_or_default();
        if words.chars().count() > LONGEST_DESCRIPTION {
            wrong.add("description", "too_long");
        } else if words.chars().any(char::is_control) {
            wrong.add("description", "invalid");
        }
        let source = self.metadata.source.as_deref().unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if source.len() > LONGEST_SOURCE || !source.chars().all(plain) {
            wrong.add("metadata.source", "invalid");
        }
        if !matches!(self.metadata.language.as_deref(), None | Some("zh" | "en")) {
            wrong.add("metadata.language", "unknown");
        }
        wrong.none()?;
        amount.map_err(|why| Fields::single("amount", why.as_str()))
    }

    /// Returns the payer's note, if there is one.
    fn words(&self) -> Option<&str> {
        self.description.as_deref().map(str::trim).filter(|words| !words.is_empty())
    }
}

struct RequestedPayment {
    user: UserId,
    payment: CardPaymentId,
    amount: Money,
    input: IntentInput,
}

impl RequestedPayment {
    /// Creates the intent at the provider first, and stores the row second. If the row is lost, the
    /// payer never gets the secret and cannot pay, so no harm is done.
    async fn prepare(
        &self,
        app: &AppState,
        cards: &Cards,
        once: &IdempotentRequest,
    ) -> Result<Value, ApiError> {
        let mut tx = app.db.begin().await?;
        let answered = once.answered(&mut tx).await?;
        tx.commit().await?;
        let intent = match answered.as_ref().and_then(|data| data["payment_intent_id"].as_str()) {
            Some(known) => cards.provider.intent(known).await?,
            None => self.create(app, cards).await?,
        };
        let prepared = PreparedIntent::new(self.input.method, &intent)?;
        if answered.is_none() {
            let now = app.wall.now();
            let mut tx = app.db.begin().await?;
            if !store::user::is_still(&mut tx, self.user, None).await? {
                return Err(Code::Unauthorized.into());
            }
            let new = NewPayment {
                id: self.payment,
                user: self.user,
                intent_id: &intent.id,
                asked: self.amount,
                method: self.input.method,
                description: self.input.words(),
            };
            let next = now + domain::card::wait_after(0);
            store::card::insert(&mut tx, &app.random, &new, (now, next)).await?;
            // The secret is never stored. A repeated request reads it at the provider again.
            once.store_response(&mut tx, &json!({ "payment_intent_id": intent.id }), now).await?;
            tx.commit().await?;
        }
        serde_json::to_value(prepared).map_err(|e| ApiError::internal(&e))
    }

    async fn create(&self, app: &AppState, cards: &Cards) -> Result<Intent, ApiError> {
        let mut metadata = marks(app, self.user, self.payment).to_vec();
        let IntentMetadata { source, language } = &self.input.metadata;
        metadata.extend(source.clone().map(|word| ("source", word)));
        metadata.extend(language.clone().map(|word| ("language", word)));
        let return_url = format!("{}/balance/payment", app.settings.public_url.trim_end_matches('/'));
        let new = NewIntent {
            method: self.input.method,
            return_url: &return_url,
            amount: self.amount.minor,
            currency: self.amount.currency.code(),
            description: self.input.words(),
            metadata: &metadata,
        };
        Ok(cards.provider.create_intent(&new, &self.payment.to_string()).await?)
    }
}

impl PreparedIntent {
    /// Returns the secret for a card payment, or the next step of a wallet payment. A finished
    /// payment has no next step.
    fn new(method: PaymentMethod, intent: &Intent) -> Result<Self, ApiError> {
        let secret = || intent.client_secret.as_ref().ok_or(ApiError::new(Code::CardProviderUnavailable));
        let by_card = method == PaymentMethod::Card;
        Ok(Self {
            payment_intent_id: intent.id.clone(),
            client_secret: by_card.then(secret).transpose()?.map(|secret| secret.expose_secret().to_owned()),
            redirect_url: intent.redirect_url().map(str::to_owned),
            qr_image: intent.qr_image().map(str::to_owned),
        })
    }
}
