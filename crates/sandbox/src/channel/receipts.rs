//! Pushover messages that repeat until the user acknowledges them or the sender stops them.

use std::sync::Arc;

use axum::{
    extract::{Form, Path, State},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{PUSHOVER_APP_TOKEN, arrivals::Content, call::Reply};
use crate::{
    Shared,
    world::faults::{FaultKind, FaultTarget},
};

/// Name of the stop request in faults.
const KIND: &str = "pushover_cancel";

/// Returns `true` if a message is one that repeats.
pub(super) fn repeats(provider: &str, content: &Content) -> bool {
    provider == "pushover" && content.extra["priority"] == "2"
}

/// Adds the receipt of a repeating message to the response.
pub(super) fn with_receipt(reply: Reply, id: u64) -> Reply {
    let mut body: Value = serde_json::from_str(&reply.body).unwrap_or_default();
    body["receipt"] = json!(format!("receipt{id}"));
    Reply { body: body.to_string(), ..reply }
}

#[derive(Deserialize)]
pub(super) struct CancelForm {
    #[serde(default)]
    token: String,
}

/// Handles the request that stops a repeating message.
pub(super) async fn cancel(
    State(shared): State<Arc<Shared>>,
    Path(receipt): Path<String>,
    Form(asked): Form<CancelForm>,
) -> Response {
    let reply = shared.step(|world| {
        let struck = world.strike(&FaultTarget { kind: KIND, account: None, schedule: None });
        if struck.has(&FaultKind::BadGateway) {
            return Reply::text(502, "<html>Bad Gateway</html>");
        }
        let id = receipt.strip_prefix("receipt").and_then(|id| id.parse::<u64>().ok());
        let known = world.channels.all().iter().any(|taken| Some(taken.id) == id);
        if asked.token != PUSHOVER_APP_TOKEN || !known {
            let body = json!({ "receipt": "not found", "errors": ["receipt not found"], "status": 0 });
            return Reply::json(404, &body);
        }
        world.channels.silent.push(receipt.clone());
        Reply::json(200, &json!({ "status": 1, "request": "sandbox" }))
    });
    reply.into_response()
}
