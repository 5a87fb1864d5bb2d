//! The OpenAPI document, made from the handlers.

use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

/// Title, servers and the security scheme; paths come from the router.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Sooner",
        description = "Watches the visa appointment portal for earlier slots. Every answer is an envelope of success, data and error; codes are stable, messages are for developers.",
        license(name = "AGPL-3.0-only", identifier = "AGPL-3.0-only"),
    ),
    servers((url = "/api/v1")),
    tags(
        (name = "auth", description = "Registering, verifying, signing in and out"),
        (name = "user", description = "The caller's own settings"),
        (name = "money", description = "Balance, top-up codes, prices"),
        (name = "schedules", description = "Monitoring tasks"),
        (name = "meta", description = "Status, support, countries"),
    ),
    modifiers(&Bearer),
)]
pub struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
        let components = document.components.get_or_insert_with(Default::default);
        components.add_security_scheme("bearer", SecurityScheme::Http(scheme));
    }
}

/// The document as pretty JSON with a newline at its end, which is what `web/openapi.json` holds.
pub fn json() -> Result<String, serde_json::Error> {
    let (_, document) = crate::router::api().split_for_parts();
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}
