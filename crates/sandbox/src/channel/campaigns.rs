//! Twilio's messaging services and their campaigns (A2P 10DLC). Without them, networks of the
//! United States accept no message.

use axum::{
    extract::Path,
    http::HeaderMap,
    response::{IntoResponse as _, Response},
};
use serde_json::{Value, json};

use super::{TWILIO_US_NUMBER, call::Reply, sms::refused};

/// Services by their ids, each with a number and the state of its campaign.
const SERVICES: [(&str, &str, &str, Option<&str>); 3] = [
    ("MG1", "Sooner US", TWILIO_US_NUMBER, Some("VERIFIED")),
    ("MG2", "Sooner waits", "+12125550101", Some("IN_PROGRESS")),
    ("MG3", "Sooner without", "+12125550102", None),
];

/// Returns `true` if one of the account's services has this number.
pub(super) fn is_of_a_service(number: &str) -> bool {
    SERVICES.iter().any(|(_, _, own, _)| *own == number)
}

fn page(headers: &HeaderMap, key: &str, rows: Vec<Value>) -> Response {
    if let Some(refused) = refused(headers) {
        return refused;
    }
    Reply::json(200, &json!({ key: rows, "meta": { "key": key, "page": 0, "page_size": 50 } }))
        .into_response()
}

/// Returns all services.
pub(super) async fn services(headers: HeaderMap) -> Response {
    let rows = SERVICES.map(|(sid, friendly_name, ..)| json!({ "sid": sid, "friendly_name": friendly_name }));
    page(&headers, "services", rows.to_vec())
}

/// Returns the numbers of a service.
pub(super) async fn numbers(headers: HeaderMap, Path(service): Path<String>) -> Response {
    let of_it = SERVICES.iter().filter(|(sid, ..)| *sid == service);
    page(
        &headers,
        "phone_numbers",
        of_it.map(|(_, _, number, _)| json!({ "phone_number": number })).collect(),
    )
}

/// Returns the campaigns of a service.
pub(super) async fn list(headers: HeaderMap, Path(service): Path<String>) -> Response {
    let of_it = SERVICES.iter().filter(|(sid, ..)| *sid == service).filter_map(|(.., status)| *status);
    page(&headers, "compliance", of_it.map(|status| json!({ "campaign_status": status })).collect())
}
