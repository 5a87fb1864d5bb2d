//! Authentication of callers: passwords, access tokens, sessions.

pub mod access_token;
pub mod caller;
pub mod events;
pub mod passkey;
pub mod password;
pub mod pre_session;
pub mod relying_party;
pub mod session_lifetime;
pub mod sessions;
pub mod sign_in;
pub mod step_up;
pub mod totp;
pub mod user_agent;
pub mod ways_in;

pub use caller::{Caller, StrictCaller};
pub use step_up::StepUp;
