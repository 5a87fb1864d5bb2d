//! Background loops of the server, except the engine.

pub mod card_reconciliation;
pub mod card_restore;
pub mod channel_links;
pub mod credential_retention;
pub mod digests;
pub mod mail_requests;
pub mod operator_alarms;
pub mod presence;
pub mod silence;
