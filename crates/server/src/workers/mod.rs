//! Work beside the requests.

pub mod card_reconciliation;
pub mod credential_retention;
pub mod mail_requests;
