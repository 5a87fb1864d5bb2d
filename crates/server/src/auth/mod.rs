//! Authentication of callers: passwords, access tokens, sessions.

pub mod access_token;
pub mod caller;
pub mod events;
pub mod password;
pub mod pre_session;
pub mod sessions;
pub mod sign_in;
pub mod totp;
pub mod user_agent;

pub use caller::{Caller, StepUp, StrictCaller};
