//! Card payments. Each payment that the provider reports is credited once. If a report is missing,
//! the server reads the payment at the provider.

use app::money::{PaidBy, tell_credited};
use domain::ids::{CardPaymentId, UserId};
use domain::money::{Currency, Money};
use providers::stripe::{Intent, IntentStatus, Payer, StripeError};
use store::card::{NewPayment, PaidWith, PaymentReport, ReportOutcome, unmatched_payment};

use crate::AppState;
use crate::http::error::{ApiError, Code};

mod config;
mod messages;
mod origin;
mod policy;

pub use config::Cards;
pub use messages::{follow_refunds, heed, heed_refunds};
pub use origin::CardOrigin;
pub use policy::Policy;

/// Metadata keys of an intent: the user, this server's id of the payment, and a proof that this
/// server wrote both.
const USER: &str = "sooner_user";
const PAYMENT: &str = "sooner_payment";
const PROOF: &str = "sooner_proof";

impl From<StripeError> for ApiError {
    fn from(error: StripeError) -> Self {
        match error {
            StripeError::KeyReused => Code::IdempotencyKeyReused.into(),
            StripeError::NotFound => Code::NotFound.into(),
            StripeError::Keys | StripeError::Forbidden | StripeError::Setting(_) => {
                tracing::error!(%error, "card provider is misconfigured");
                Code::CardProviderUnavailable.into()
            }
            StripeError::Unavailable(_) | StripeError::Refused(_) => {
                tracing::warn!(%error, "card provider failed or refused a request");
                Code::CardProviderUnavailable.into()
            }
        }
    }
}

/// Returns the metadata of a new intent. The metadata identifies the payment even if its row was
/// lost.
#[must_use]
pub fn marks(app: &AppState, user: UserId, payment: CardPaymentId) -> [(&'static str, String); 3] {
    [(USER, user.to_string()), (PAYMENT, payment.to_string()), (PROOF, proof(app, user, payment))]
}

fn proof(app: &AppState, user: UserId, payment: CardPaymentId) -> String {
    hex::encode(app.keyring.fingerprint(&format!("card-intent|{user}|{payment}")))
}

/// Returns user and payment of an intent if this server wrote its metadata.
fn read_marks(app: &AppState, intent: &Intent) -> Option<(UserId, CardPaymentId)> {
    let mark = |name: &str| intent.metadata.get(name);
    let (user, payment) = (mark(USER)?.parse().ok()?, mark(PAYMENT)?.parse().ok()?);
    (*mark(PROOF)? == proof(app, user, payment)).then_some((user, payment))
}

/// Stores the provider's state of a payment. If no row has this intent, the intent is stored as
/// unmatched and read again later.
///
/// # Errors
/// Returns an error if the database failed or money is frozen.
pub async fn settle(app: &AppState, cards: &Cards, intent: &Intent) -> Result<ReportOutcome, ApiError> {
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    let outcome =
        store::card::apply_report(&mut tx, (&app.keyring, &app.random), &intent.id, report_of(intent), now)
            .await?;
    match outcome {
        ReportOutcome::Credited(amount) => tell_payer(app, &mut tx, &intent.id, amount).await?,
        ReportOutcome::Unknown => {
            unmatched_payment::insert(&mut tx, &intent.id, now).await?;
        }
        ReportOutcome::Nothing => {}
    }
    tx.commit().await?;
    match outcome {
        ReportOutcome::Credited(amount) => {
            tracing::info!(intent = intent.id, %amount, "credited card payment");
            // The card itself is read later.
            cards.wake.notify_one();
        }
        ReportOutcome::Unknown => cards.wake.notify_one(),
        ReportOutcome::Nothing => {}
    }
    Ok(outcome)
}

async fn tell_payer(app: &AppState, tx: &mut store::Tx, intent: &str, amount: Money) -> Result<(), ApiError> {
    let Some(payment) = store::card::find(tx, intent).await? else { return Ok(()) };
    let by = PaidBy::Card { id: payment.id, description: payment.description.as_deref() };
    Ok(tell_credited(&app.use_cases(), tx, payment.user, amount, by).await?)
}

/// Converts the state of an intent for the store.
fn report_of(intent: &Intent) -> PaymentReport<'_> {
    match intent.status {
        IntentStatus::Succeeded => {
            let currency = Currency::parse(&intent.currency.to_ascii_uppercase());
            match currency.filter(|_| intent.amount_received > 0) {
                Some(currency) => {
                    let with = match intent.payer() {
                        Payer::Known(fingerprint) => PaidWith::Known(fingerprint),
                        Payer::Nameless => PaidWith::Nameless,
                        Payer::Unread => PaidWith::Unread,
                    };
                    PaymentReport::Paid(Money { minor: intent.amount_received, currency }, with)
                }
                None => {
                    tracing::error!(
                        intent = intent.id,
                        intent.currency,
                        "card payment succeeded in an unsupported currency; not crediting it"
                    );
                    PaymentReport::Else("succeeded")
                }
            }
        }
        IntentStatus::Canceled => PaymentReport::Canceled,
        other => PaymentReport::Else(status_text(other)),
    }
}

/// Returns the provider's status, as the page shows it.
const fn status_text(status: IntentStatus) -> &'static str {
    match status {
        IntentStatus::RequiresPaymentMethod => "requires_payment_method",
        IntentStatus::RequiresConfirmation => "requires_confirmation",
        IntentStatus::RequiresAction => "requires_action",
        IntentStatus::Processing => "processing",
        IntentStatus::RequiresCapture => "requires_capture",
        IntentStatus::Succeeded => "succeeded",
        IntentStatus::Canceled => "canceled",
        IntentStatus::Unknown => "unknown",
    }
}

/// Returns `true` if this server stores a payment with this intent, and it was paid.
pub(crate) async fn is_paid(tx: &mut store::Tx, intent: &str) -> Result<bool, store::Error> {
    Ok(store::card::find(tx, intent).await?.is_some_and(|payment| payment.received.is_some()))
}

/// Inserts a payment for an intent that has no row, if this server wrote the intent's metadata.
/// Returns `false` if it did not, or if the user no longer exists.
pub(crate) async fn adopt(app: &AppState, intent: &Intent) -> Result<bool, ApiError> {
    let asked = Currency::parse(&intent.currency.to_ascii_uppercase());
    let (Some((user, id)), Some(currency)) = (read_marks(app, intent), asked) else { return Ok(false) };
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    if store::user::get(&mut tx, user).await?.is_none() {
        if intent.status == IntentStatus::Succeeded {
            tracing::error!(intent = intent.id, %user, "card payment succeeded for an unknown user; refund it at the provider");
        }
        return Ok(false);
    }
    let asked = Money { minor: intent.amount, currency };
    let method = intent.method().unwrap_or_default();
    let new = NewPayment { id, user, intent_id: &intent.id, asked, method, description: None };
    let next = now + domain::card::wait_after(0);
    store::card::insert(&mut tx, &app.random, &new, (now, next)).await?;
    unmatched_payment::settle(&mut tx, &intent.id, unmatched_payment::Outcome::Adopted).await?;
    tx.commit().await?;
    Ok(true)
}

/// Reads a payment at the provider and stores its state.
///
/// # Errors
/// Returns an error if the provider or the database fails.
pub async fn read(
    app: &AppState,
    cards: &Cards,
    intent_id: &str,
) -> Result<(Intent, ReportOutcome), ApiError> {
    let intent = cards.provider.intent(intent_id).await?;
    let outcome = settle(app, cards, &intent).await?;
    Ok((intent, outcome))
}
