//! Endpoint `POST /schedules/{id}/check`: reads the portal's pages up to the booking form, without
//! booking.

use app::tasks::require_own_country;
use axum::extract::State;
use chrono::NaiveDate;
use domain::facility::FacilityId;
use engine::path_check::{CityReading, FormReading, MOST_CITIES, NotChecked, PathCheck};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{own_task, params, verify};
use crate::AppState;
use crate::api::auth::guess_limits;
use crate::auth::StrictCaller;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{ApiError, Code, Fields};
use crate::http::extract::{Body, ClientIp, TaskPath};
use crate::http::rate_limit::LimitedAction;

/// Input of a check: the cities whose dates are read.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckPath {
    /// Names of one or two cities, in English.
    #[schema(min_items = 1, max_items = 2)]
    pub required_cities: Vec<String>,
}

/// Result of reading the booking form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FormCheck {
    /// The form was understood completely, so a booking is possible.
    Understood,
    /// The form, or a page before it, differs from the known layout, so no booking is possible.
    NotAsKnown,
    /// The portal allows no further change for this group.
    NoChangeLeft,
    /// The form handles fingerprint appointments in a way that this service does not know, in all
    /// cities of the task.
    AsksFingerprints,
}

/// Result of reading one city.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CityCheck {
    /// City, in English.
    pub facility: String,
    /// `true` if the form offers the city.
    pub offered: bool,
    /// Number of available dates; null if the list differs from the known layout or was not
    /// requested.
    pub dates: Option<usize>,
    /// Earliest of these dates.
    pub earliest: Option<NaiveDate>,
}

/// Result of a check. The check changes nothing at the portal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PathChecked {
    /// Result for the booking form.
    pub form: FormCheck,
    /// Number of reschedules left; null if the portal does not show it.
    pub attempts_left: Option<u32>,
    /// Results of the cities, in the requested order.
    pub cities: Vec<CityCheck>,
}

/// Reads the portal's pages up to the booking form, and the dates of one or two cities, in the
/// session of the last verification. It sends at most five requests, which change nothing. The
/// check is not available for an account that the engine monitors.
#[utoipa::path(post, path = "/schedules/{id}/check", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task")), request_body = CheckPath,
    responses((status = 200, body = Envelope<PathChecked>), (status = "4XX", body = crate::http::error::ErrorEnvelope),
        (status = "5XX", body = crate::http::error::ErrorEnvelope)))]
pub async fn check_schedule(
    State(app): State<AppState>,
    StrictCaller(caller): StrictCaller,
    TaskPath(id): TaskPath,
    ClientIp(address): ClientIp,
    Body { value: asked, .. }: Body<CheckPath>,
) -> Answer<PathChecked> {
    let cities = wanted(&asked)?;
    guess_limits::call(&app, LimitedAction::Edit, Some(&caller.user.to_string()), address)?;
    detached(async move {
        let mut tx = app.db.read().await?;
        let task = own_task(&mut tx, caller.user, id).await?;
        tx.commit().await?;
        require_own_country(&task, &cities)?;
        let checked = app.engine.check_path(&app.context(), &task, &cities).await.map_err(refuse)?;
        ok(view(checked))
    })
    .await
}

fn wanted(asked: &CheckPath) -> Result<Vec<FacilityId>, ApiError> {
    let mut wrong = Fields::default();
    let cities = params::cities(&asked.required_cities, &mut wrong);
    if cities.len() > MOST_CITIES {
        wrong.add("required_cities", "too_many");
    }
    wrong.none()?;
    Ok(cities)
}

fn refuse(why: NotChecked) -> ApiError {
    match why {
        NotChecked::SignedOut => Code::PortalSignedOut.into(),
        NotChecked::Watched => Code::IllegalTransition.into(),
        NotChecked::Verification(why) => verify::refuse(why),
    }
}

fn view(checked: PathCheck) -> PathChecked {
    let form = match checked.form {
        FormReading::Understood => FormCheck::Understood,
        FormReading::NotAsKnown => FormCheck::NotAsKnown,
        FormReading::NoChangeLeft => FormCheck::NoChangeLeft,
        FormReading::AsksFingerprints => FormCheck::AsksFingerprints,
    };
    let city = |CityReading { facility, is_offered, days }| CityCheck {
        facility: facility.name().to_owned(),
        offered: is_offered,
        dates: days.as_ref().map(Vec::len),
        earliest: days.and_then(|days| days.first().copied()),
    };
    PathChecked {
        form,
        attempts_left: checked.attempts_left,
        cities: checked.cities.into_iter().map(city).collect(),
    }
}
