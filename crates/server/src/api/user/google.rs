//! Endpoint `DELETE /user/google`.

use axum::extract::State;
use domain::security_event::SecurityEventKind;

use crate::AppState;
use crate::auth::events::{self, SecurityNotice};
use crate::auth::user_agent::RequestClient;
use crate::auth::{StepUp, StrictCaller, ways_in};
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Empty, Envelope, ok};
use crate::http::error::{ApiError, Code, ErrorEnvelope, Fields};

/// Removes the link to the Google account, which can then no longer sign in. An account without
/// another way to sign in must set a password first. The call also succeeds without a link.
#[utoipa::path(delete, path = "/user/google", tag = "user", responses(
    (status = 200, body = Envelope<Empty>), (status = 401, body = ErrorEnvelope), (status = 403, body = ErrorEnvelope),
    (status = 422, body = ErrorEnvelope, description = "`data.fields.password` is `not_set`: the account would have no sign-in method left"),
), security(("bearer" = [])))]
pub async fn unlink_google(
    State(app): State<AppState>,
    caller: StrictCaller,
    RequestClient(client): RequestClient,
) -> Answer<Empty> {
    let StepUp(caller) = StepUp::require(&app, caller).await?;
    detached(async move {
        let mut tx = app.db.begin().await?;
        store::lock::exclusive(&mut tx, caller.user.0).await?;
        let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
        let unlinked = store::identity::unlink(&mut tx, caller.user).await? > 0;
        if !ways_in::any(&app, &mut tx, caller.user).await? {
            return Err(Fields::single("password", "not_set"));
        }
        if unlinked {
            events::record(&app, &mut tx, &events::by(&caller, SecurityEventKind::GoogleUnlinked, &client))
                .await?;
            let occasion = hex::encode(app.random.bytes::<8>());
            events::notify(&app, &mut tx, &user, SecurityNotice::GoogleUnlinked, &occasion).await?;
        }
        tx.commit().await?;
        Ok(())
    })
    .await?;
    ok(Empty {})
}
