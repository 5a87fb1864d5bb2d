//! Clients of third-party services: mail with its templates, notification channels, identity
//! provider, card payments and traces.

pub mod channels;
pub mod mail;
pub mod oidc;
pub mod render;
pub mod stripe;
pub mod traces;

pub use mail::{Mailer, SendError};
pub use render::{RenderError, Rendered, render};
