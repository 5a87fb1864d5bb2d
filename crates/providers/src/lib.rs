//! The ways out: mail and what it says, and sign-in at an identity provider.

pub mod mail;
pub mod oidc;
pub mod render;

pub use mail::{Mailer, SendError};
pub use render::{RenderError, Rendered, render};
