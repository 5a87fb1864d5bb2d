//! Endpoints `GET /user/links` and `DELETE /user/links/{id}`.

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use domain::ids::TaskId;
use domain::journal::CityName;
use serde::Serialize;
use store::open_link::{self, LinkedQuestion, OpenLink, OpenLinkKind};
use utoipa::ToSchema;

use crate::AppState;
use crate::auth::{Caller, StrictCaller};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::IdPath;

/// Mailed links of the caller that still permit something.
#[derive(Serialize, ToSchema)]
pub struct OpenLinks {
    /// Links, those that expire first in front.
    links: Vec<OpenLinkView>,
}

/// A mailed link that was not used and has not expired.
#[derive(Serialize, ToSchema)]
#[schema(as = OpenLink)]
pub struct OpenLinkView {
    /// Identifier of the link. It does not open the link.
    id: String,
    kind: LinkEffect,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    /// Question that the link answers.
    question: Option<LinkedQuestionView>,
}

/// Question of a link.
#[derive(Serialize, ToSchema)]
#[schema(as = LinkedQuestion)]
pub struct LinkedQuestionView {
    #[schema(value_type = uuid::Uuid)]
    schedule_id: TaskId,
    /// City of the date.
    facility: CityName,
    /// The date.
    date: NaiveDate,
}

/// Effect of a mailed link.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkEffect {
    /// Answers a question.
    Answer,
    /// Proves the address of a registration.
    VerifyEmail,
    /// Sets a new password.
    ResetPassword,
    /// Proves a new address.
    EmailChange,
    /// Signs in.
    SignIn,
}

impl From<OpenLinkKind> for LinkEffect {
    fn from(kind: OpenLinkKind) -> Self {
        match kind {
            OpenLinkKind::Answer => Self::Answer,
            OpenLinkKind::VerifyEmail => Self::VerifyEmail,
            OpenLinkKind::ResetPassword => Self::ResetPassword,
            OpenLinkKind::EmailChange => Self::EmailChange,
            OpenLinkKind::SignIn => Self::SignIn,
        }
    }
}

impl From<OpenLink> for OpenLinkView {
    fn from(link: OpenLink) -> Self {
        let question = |LinkedQuestion { task, facility, day }| LinkedQuestionView {
            schedule_id: task,
            facility: CityName(facility),
            date: day,
        };
        Self {
            id: hex::encode(link.token_hash),
            kind: link.kind.into(),
            created_at: link.created_at,
            expires_at: link.expires_at,
            question: link.question.map(question),
        }
    }
}

/// Returns the caller's open links.
#[utoipa::path(get, path = "/user/links", tag = "user", responses(
    (status = 200, body = Envelope<OpenLinks>), (status = 401, body = ErrorEnvelope),
), security(("bearer" = [])))]
pub async fn list_links(State(app): State<AppState>, caller: Caller) -> Answer<OpenLinks> {
    let mut tx = app.db.read().await?;
    let open = open_link::of_user(&mut tx, caller.user, app.wall.now()).await?;
    ok(OpenLinks { links: open.into_iter().map(OpenLinkView::from).collect() })
}

/// Ends one of the caller's open links. A question stays open in the app.
#[utoipa::path(delete, path = "/user/links/{id}", tag = "user", security(("bearer" = [])),
    params(("id" = String, Path, description = "The link")),
    responses((status = 200, body = Envelope<Empty>), (status = 401, body = ErrorEnvelope),
        (status = 404, body = ErrorEnvelope)))]
pub async fn revoke_link(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    IdPath(id): IdPath<String>,
) -> Answer<Empty> {
    let token_hash = hex::decode(id).map_err(|_| ApiError::new(Code::NotFound))?;
    detached(async move {
        let now = app.wall.now();
        let mut tx = app.db.begin().await?;
        if !open_link::revoke(&mut tx, caller.user, &token_hash, now).await? {
            return Err(ApiError::new(Code::NotFound));
        }
        Ok(tx.commit().await?)
    })
    .await?;
    ok(Empty {})
}
