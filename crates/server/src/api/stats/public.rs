//! Figures of all users together.

use serde::Serialize;
use utoipa::ToSchema;

/// Minimum number of ratings for a meaningful average.
pub const ENOUGH: i64 = 20;

/// Figures of all users together.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublicStats {
    /// Number of tasks with at least one booking.
    pub finished_tasks: i64,
    /// Number of ratings.
    pub ratings: i64,
    /// Average of the ratings, 1 to 5, with one decimal; null without ratings.
    pub average_rating: Option<f64>,
    /// Share of ratings with four or five stars, 0 to 1; null without ratings.
    pub satisfied_share: Option<f64>,
    /// Number of polls that the portal answered.
    pub checks_total: i64,
    /// Sum of the days that all bookings gained.
    pub days_saved: i64,
    /// `true` if there are enough ratings (at least twenty) to show the average.
    pub enough: bool,
}

/// Computes the figures of all users together.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn public_stats(tx: &mut store::Tx) -> Result<PublicStats, store::Error> {
    let all = store::stats::totals(tx).await?;
    let rated = store::rating::totals(tx).await?;
    let per_rating = |sum: i64| (rated.ratings > 0).then(|| sum as f64 / rated.ratings as f64);
    Ok(PublicStats {
        finished_tasks: all.finished,
        ratings: rated.ratings,
        average_rating: per_rating(rated.stars).map(|average| (average * 10.0).round() / 10.0),
        satisfied_share: per_rating(rated.satisfied).map(|share| (share * 1000.0).round() / 1000.0),
        checks_total: all.polls,
        days_saved: all.days_saved,
        enough: rated.ratings >= ENOUGH,
    })
}
