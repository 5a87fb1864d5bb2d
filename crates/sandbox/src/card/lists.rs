//! Paged lists of payments, refunds and disputes, newest first.

use std::sync::Arc;

use axum::{
    Router,
    extract::{RawQuery, State},
    http::HeaderMap,
    response::Response,
    routing::get,
};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::{CardError, Outcome, forms::Form, is_ours, ledger::CardLedger, serve};
use crate::Shared;

pub(super) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/v1/payment_intents", get(intents))
        .route("/v1/refunds", get(refunds))
        .route("/v1/disputes", get(disputes))
}

/// Entry of a list, with its creation time.
struct Listed {
    created: DateTime<Utc>,
    id: String,
    intent: String,
    shown: Value,
}

async fn intents(shared: State<Arc<Shared>>, headers: HeaderMap, query: RawQuery) -> Response {
    list(shared, headers, query, "card_list", "/v1/payment_intents", |desk| {
        let listed = desk.intents.values().map(|intent| Listed {
            created: intent.created(),
            id: intent.id.clone(),
            intent: intent.id.clone(),
            shown: intent.shown(),
        });
        listed.collect()
    })
    .await
}

async fn refunds(shared: State<Arc<Shared>>, headers: HeaderMap, query: RawQuery) -> Response {
    list(shared, headers, query, "card_refunds", "/v1/refunds", |desk| {
        let listed = desk.refunds.iter().map(|refund| Listed {
            created: refund.created,
            id: refund.id.clone(),
            intent: refund.payment_intent.clone(),
            shown: json!(refund),
        });
        listed.collect()
    })
    .await
}

async fn disputes(shared: State<Arc<Shared>>, headers: HeaderMap, query: RawQuery) -> Response {
    list(shared, headers, query, "card_disputes", "/v1/disputes", |desk| {
        let listed = desk.disputes.values().map(|dispute| Listed {
            created: dispute.created,
            id: dispute.id.clone(),
            intent: dispute.payment_intent.clone(),
            shown: json!(dispute),
        });
        listed.collect()
    })
    .await
}

async fn list(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    kind: &str,
    path: &str,
    of: impl FnOnce(&CardLedger) -> Vec<Listed>,
) -> Response {
    let asked = Form::read(query.unwrap_or_default().as_bytes());
    serve(&shared, kind, "GET", path, |desk, _| {
        is_ours(&headers)?;
        page(of(desk), &asked)
    })
    .await
}

fn page(mut found: Vec<Listed>, asked: &Form) -> Outcome {
    let number = |name: &str| asked.get(name).and_then(|text| text.parse::<i64>().ok());
    let since = number("created[gte]").unwrap_or(i64::MIN);
    let limit = usize::try_from(number("limit").unwrap_or(10)).unwrap_or(10).clamp(1, 100);
    found.retain(|one| one.created.timestamp() >= since);
    if let Some(intent) = asked.get("payment_intent") {
        found.retain(|one| one.intent == intent);
    }
    found.sort_by(|a, b| (b.created, &b.id).cmp(&(a.created, &a.id)));
    if let Some(after) = asked.get("starting_after") {
        let at = found.iter().position(|one| one.id == after);
        let at = at.ok_or_else(|| CardError::missing("object to start after"))?;
        found.drain(..=at);
    }
    let more = found.len() > limit;
    let data: Vec<_> = found.into_iter().take(limit).map(|one| one.shown).collect();
    Ok(json!({ "object": "list", "data": data, "has_more": more }))
}
