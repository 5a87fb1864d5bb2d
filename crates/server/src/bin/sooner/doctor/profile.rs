//! What the doctor looks at in the operator's own file and texts.

use std::path::Path;

use server::operator::OperatorProfile;

use super::Finding;

/// Whether the operator's file and every text it names can be used: a server that starts with one that cannot stops at once.
pub fn operator(file: Option<&Path>) -> Finding {
    match OperatorProfile::read(file) {
        Err(error) => {
            Finding::bad("operator", error.to_string(), "mend or remove it: a server does not start with it")
        }
        Ok(profile) => {
            let pages: Vec<_> = profile.texts.keys().copied().collect();
            let pages = if pages.is_empty() {
                "our own".to_owned()
            } else {
                format!("yours for {}", pages.join(", "))
            };
            let name = profile.name.as_deref().unwrap_or("nobody is named on receipts and in the terms");
            Finding::ok("operator", format!("{name}; texts: {pages}"))
        }
    }
}
