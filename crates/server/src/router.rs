//! All routes on one page.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;

use crate::api;
use crate::error::{ApiError, Code};
use crate::state::AppState;

/// The largest body the API reads.
pub const BODY_LIMIT: usize = 64 * 1024;

#[derive(OpenApi)]
#[openapi(
    info(title = "Sooner", description = "Watches visa appointments, rebooks earlier ones, charges only then."),
    components(schemas(crate::error::ErrorEnvelope, crate::error::Code))
)]
struct Document;

fn routes() -> OpenApiRouter<AppState> {
    let api = OpenApiRouter::new()
        .merge(api::schedules::routes())
        .merge(api::events::routes())
        .merge(api::stats::routes());
    OpenApiRouter::with_openapi(Document::openapi()).nest("/api/v1", api)
}

/// The API document.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = routes().into_openapi();
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    if let Some(components) = &mut document.components {
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    }
    document
}

/// The API's routes with their state; pages and headers are laid around it by [`crate::spa`].
pub fn api_router(state: AppState) -> Router {
    let (router, _) = routes().split_for_parts();
    router
        .fallback(async || ApiError::new(Code::NotFound))
        .method_not_allowed_fallback(async || ApiError::new(Code::MethodNotAllowed))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state(state)
}
