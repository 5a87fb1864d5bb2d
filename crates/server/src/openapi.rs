//! OpenAPI document, generated from the handlers.

mod required;

use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ContentBuilder, OpenApi as OpenApiDocument, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{Modify, OpenApi};

/// Title, servers and security scheme of the document; paths come from the router.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Sooner",
        description = "Watches the visa appointment portal for earlier slots. Every response is an envelope of `success`, `data` and `error`. Error codes are stable; messages are for developers.",
        license(name = "AGPL-3.0-only", identifier = "AGPL-3.0-only"),
    ),
    servers((url = "/api/v1")),
    tags(
        (name = "auth", description = "Registering, verifying, signing in and out"),
        (name = "user", description = "The caller's own settings"),
        (name = "channels", description = "Notification channels"),
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

/// Adds the error responses that many operations share to the document of the handlers.
pub fn complete(document: &mut OpenApiDocument) {
    for item in document.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
        operations.into_iter().flatten().for_each(add_failures);
    }
    required::mark_response_fields(document);
}

/// Adds the error responses of extractors and middleware, so that handlers need not list them.
fn add_failures(operation: &mut Operation) {
    let parameters = operation.parameters.iter().flatten();
    let within = |place: &ParameterIn| {
        parameters.clone().any(|p| matches!(p, RefOr::T(p) if p.parameter_in == *place))
    };
    // Any client may have too many requests in progress, and any call may find the database
    // unavailable.
    let mut statuses = vec!["429", "503"];
    if operation.security.is_some() {
        statuses.push("401");
    }
    if operation.request_body.is_some() {
        statuses.extend(["400", "408", "413", "415"]);
    }
    if within(&ParameterIn::Query) || within(&ParameterIn::Header) {
        statuses.push("400");
    }
    if within(&ParameterIn::Path) {
        statuses.push("404");
    }
    for status in statuses {
        let known = &mut operation.responses.responses;
        known.entry(status.to_owned()).or_insert_with(|| RefOr::T(failure()));
    }
}

fn failure() -> Response {
    let schema = Ref::from_schema_name("ErrorEnvelope");
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().content("application/json", content).build()
}
