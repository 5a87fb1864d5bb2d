//! Who is calling: passwords, access tokens, sign-ins.

pub mod access;
pub mod caller;
pub mod client;
pub mod password;
pub mod sessions;
pub mod sign_in;
pub mod totp;

pub use caller::{Caller, StepUp, StrictCaller};
