//! The ways out: mail, and what it says.

pub mod mail;
pub mod render;

pub use mail::{Mailer, SendError};
pub use render::{RenderError, Rendered, render};
