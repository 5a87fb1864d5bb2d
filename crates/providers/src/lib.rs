//! The ways out: mail and what it says, notification channels, sign-in at an identity provider, and cards.

pub mod channels;
pub mod mail;
pub mod oidc;
pub mod render;
pub mod stripe;
pub mod traces;

pub use mail::{Mailer, SendError};
pub use render::{RenderError, Rendered, render};
