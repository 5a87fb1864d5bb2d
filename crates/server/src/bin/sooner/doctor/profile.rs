//! Checks of the environment's settings, and of the operator's file and texts.

use std::path::Path;

use clap::CommandFactory as _;
use server::operator::OperatorProfile;

use super::Finding;
use crate::shared;

/// Reports variables with the prefix `SOONER_` that are not settings, for example misspelled ones.
pub fn settings() -> Finding {
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let unknown = shared::unknown_settings(&crate::Cli::command(), set);
    if unknown.is_empty() {
        return Finding::ok("settings", "this version knows every SOONER_ variable that is set");
    }
    let todo = "correct the name (docs/SETTINGS.md lists all), or unset it; the server ignores it";
    Finding::warn("settings", format!("unknown: {}", unknown.join(", ")), todo)
}

/// Checks the operator's file and every text that it names. A server with an unusable file does not
/// start.
pub fn operator(file: Option<&Path>) -> Finding {
    match OperatorProfile::read(file) {
        Err(error) => Finding::bad(
            "operator",
            error.to_string(),
            "correct or remove it; a server does not start with it",
        ),
        Ok(profile) => {
            let pages: Vec<_> = profile.texts.keys().copied().collect();
            let pages = if pages.is_empty() {
                "built-in".to_owned()
            } else {
                format!("own texts for {}", pages.join(", "))
            };
            let name = profile.name.as_deref().unwrap_or("no operator is named on receipts and in the terms");
            Finding::ok("operator", format!("{name}; texts: {pages}"))
        }
    }
}
