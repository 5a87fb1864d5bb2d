//! Twilio's messaging services and their campaigns (A2P 10DLC). Without a verified campaign,
//! carriers of the United States accept no text message.

use axum::{
    extract::Path,
    http::HeaderMap,
    response::{IntoResponse as _, Response},
};
use serde_json::{Value, json};

use super::{TWILIO_US_NUMBER, call::Reply, sms::refused};

/// Services with identifier, name, phone number and state of the campaign.
const SERVICES: [(&str, &str, &str, Option<&str>); 3] = [
    ("MG1", "Sooner US", TWILIO_US_NUMBER, Some("VERIFIED")),
    ("MG2", "Sooner waits", "+12125550101", Some("IN_PROGRESS")),
    ("MG3", "Sooner without", "+12125550102", None),
];

/// Returns `true` if a number belongs to one of the account's services.
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

/// Handles the request for all services.
pub(super) async fn services(headers: HeaderMap) -> Response {
    let rows = SERVICES.map(|(sid, friendly_name, ..)| json!({ "sid": sid, "friendly_name": friendly_name }));
    page(&headers, "services", rows.to_vec())
}

/// Handles the request for the numbers of a service.
pub(super) async fn numbers(headers: HeaderMap, Path(service): Path<String>) -> Response {
    let of_it = SERVICES.iter().filter(|(sid, ..)| *sid == service);
    page(
        &headers,
        "phone_numbers",
        of_it.map(|(_, _, number, _)| json!({ "phone_number": number })).collect(),
    )
}

/// Handles the request for the campaigns of a service.
pub(super) async fn list(headers: HeaderMap, Path(service): Path<String>) -> Response {
    let of_it = SERVICES.iter().filter(|(sid, ..)| *sid == service).filter_map(|(.., status)| *status);
    page(&headers, "compliance", of_it.map(|status| json!({ "campaign_status": status })).collect())
}
