//! Files and documents of the web app, pictures of the operator, and response headers.

pub mod app_pages;
pub mod assets;
pub mod content_policy;
pub mod dist;
pub mod open_pages;
pub mod security;
pub mod security_txt;
pub mod support_media;
