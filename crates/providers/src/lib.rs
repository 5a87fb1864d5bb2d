//! Clients of third-party services: mail and its templates, notification channels, sign-in at an
//! identity provider, card payments and traces.

pub mod channels;
pub mod mail;
pub mod oidc;
pub mod render;
pub mod stripe;
pub mod traces;

pub use mail::{Mailer, SendError};
pub use render::{RenderError, Rendered, render};
