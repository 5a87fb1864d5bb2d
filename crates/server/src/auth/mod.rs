//! Who is calling: passwords, access tokens, sign-ins.

pub mod access;
pub mod caller;
pub mod password;
pub mod sessions;

pub use caller::Caller;
