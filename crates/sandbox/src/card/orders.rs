//! Control API of the card provider, for tests and for the control page.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json, Router,
    extract::{Path, State},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Outcome, ledger::CardLedger, messages::Rules};
use crate::{
    Shared,
    control::api::{Body, ControlError, merge},
    identity::now,
};

type Shares = State<Arc<Shared>>;

pub(super) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/control/card", get(show).post(change_rules))
        .route("/control/card/messages", get(take_messages))
        .route("/control/card/intents/{id}/pay", post(pay))
        .route("/control/card/intents/{id}/tell", post(send_again))
        .route("/control/card/intents/{id}/refund", post(refund))
        .route("/control/card/intents/{id}/dispute", post(dispute))
        .route("/control/card/disputes/{id}/close", post(close))
        .route("/control/card/refunds/{id}/fail", post(fail_refund))
}

/// Returns payments, refunds, disputes and messages. Tests compare the product's data with them.
async fn show(State(shared): Shares) -> Json<Value> {
    let present = now(&shared);
    Json(shared.step(|world| {
        world.card.advance(present);
        let desk = &world.card;
        let intents: Vec<Value> = desk
            .intents
            .values()
            .map(|intent| {
                let mut shown = intent.shown();
                shown["amount_refunded"] = json!(intent.amount_refunded);
                shown
            })
            .collect();
        let messages = &desk.messages;
        json!({
            "rules": messages.rules, "intents": intents, "refunds": desk.refunds, "disputes": desk.disputes,
            "messages": { "taken": messages.taken, "refused": messages.refused, "lost": messages.lost, "waiting": messages.waiting() },
        })
    }))
}

/// Replaces the given rules and keeps the others.
async fn change_rules(State(shared): Shares, body: Body<Value>) -> Result<Json<Value>, ControlError> {
    let Json(change) = body?;
    shared.step(|world| {
        let mut merged = json!(world.card.messages.rules);
        merge(&mut merged, &change);
        let rules: Rules = serde_json::from_value(merged).map_err(|e| ControlError::new(e.to_string()))?;
        if !rules.is_sane() {
            return Err(ControlError::new(
                "a number is out of range, or webhook_url is not http://host:port/…",
            ));
        }
        world.card.set_rules(rules);
        Ok(Json(json!(world.card.messages.rules)))
    })
}

/// Removes and returns the messages that wait because no webhook address is set.
async fn take_messages(State(shared): Shares) -> Json<Value> {
    Json(json!(shared.card_messages()))
}

/// Parameters of a command to the card provider.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Order {
    amount: Option<i64>,
    won: bool,
}

fn obey(
    shared: &Shared,
    act: impl FnOnce(&mut CardLedger, chrono::DateTime<chrono::Utc>) -> Outcome,
) -> Response {
    let present = now(shared);
    let outcome = shared.step(|world| {
        let outcome = act(&mut world.card, present);
        super::note_changes(world);
        outcome
    });
    match outcome {
        Ok(value) => Json(value).into_response(),
        Err(refusal) => {
            ControlError::new(refusal.error["message"].as_str().unwrap_or_default()).into_response()
        }
    }
}

/// Marks a payment as paid without a card. `amount` may differ from the requested amount.
async fn pay(
    State(shared): Shares,
    Path(id): Path<String>,
    body: Body<Order>,
) -> Result<Response, ControlError> {
    let Json(order) = body?;
    Ok(obey(&shared, |desk, now| {
        desk.pay(&id, order.amount, now)?;
        Ok(desk.intent(&id)?.shown())
    }))
}

async fn send_again(State(shared): Shares, Path(id): Path<String>) -> Response {
    obey(&shared, |desk, now| desk.send_again(&id, now))
}

/// Refunds a payment, as an employee of the merchant would do at the provider.
async fn refund(
    State(shared): Shares,
    Path(id): Path<String>,
    body: Body<Order>,
) -> Result<Response, ControlError> {
    let Json(order) = body?;
    Ok(obey(&shared, |desk, now| {
        let left = desk.intent(&id).map(|i| i.amount_received - i.amount_refunded)?;
        desk.refund((&id, order.amount.unwrap_or(left)), BTreeMap::new(), now)
    }))
}

/// Fails a refund that the payer's bank has rejected.
async fn fail_refund(State(shared): Shares, Path(id): Path<String>) -> Response {
    obey(&shared, |desk, now| desk.fail_refund(&id, now))
}

async fn dispute(
    State(shared): Shares,
    Path(id): Path<String>,
    body: Body<Order>,
) -> Result<Response, ControlError> {
    let Json(order) = body?;
    Ok(obey(&shared, |desk, now| desk.dispute(&id, order.amount, now)))
}

async fn close(
    State(shared): Shares,
    Path(id): Path<String>,
    body: Body<Order>,
) -> Result<Response, ControlError> {
    let Json(order) = body?;
    Ok(obey(&shared, |desk, now| desk.close(&id, order.won, now)))
}
