//! The API, one module per resource.

pub mod auth;
pub mod channels;
pub mod credit;
pub mod digest;
pub mod facilities;
pub mod notices;
pub mod payment;
pub mod pricing;
pub mod questions;
mod refusal;
pub mod schedules;
pub mod sms;
pub mod stats;
pub mod status;
pub mod support;
pub mod topup;
pub mod user;
