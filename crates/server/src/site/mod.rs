//! The web app's files and documents, the operator's pictures, and the headers that every answer carries.

pub mod app_pages;
pub mod assets;
pub mod dist;
pub mod open_pages;
pub mod security;
pub mod security_txt;
pub mod support_media;
