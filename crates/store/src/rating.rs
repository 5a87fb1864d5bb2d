//! Ratings by users after a success: requested once per task.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{TaskId, UserId};

use crate::{Error, Tx, all, exec, one};

/// Rating of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rating {
    /// Stars from 1 to 5. `None` if the user dismissed the question.
    pub stars: Option<u8>,
    /// Comment by the user.
    pub comment: Option<String>,
    /// Time of the rating.
    pub rated_at: Instant,
}

/// Stores stars and a comment, also after the question was dismissed. Returns `false` if stars are
/// stored already.
pub async fn rate(
    tx: &mut Tx,
    (task, user): (TaskId, UserId),
    stars: u8,
    comment: Option<&str>,
    now: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "INSERT INTO rating (task_id, user_id, stars, comment, rated_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (task_id) DO UPDATE SET stars = excluded.stars, comment = excluded.comment,
           rated_at = excluded.rated_at WHERE rating.stars IS NULL",
        task.0,
        user.0,
        i32::from(stars),
        comment.map(str::to_owned),
        now
    )?;
    Ok(rows == 1)
}

/// Records that the question was dismissed. An existing rating stays.
pub async fn dismiss(tx: &mut Tx, task: TaskId, user: UserId, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO rating (task_id, user_id, rated_at) VALUES ($1, $2, $3) ON CONFLICT (task_id) DO NOTHING",
        task.0,
        user.0,
        now
    )?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Row {
    task_id: uuid::Uuid,
    stars: Option<i32>,
    comment: Option<String>,
    rated_at: DateTime<Utc>,
}

/// Returns a user's ratings, newest first.
pub async fn of_user(tx: &mut Tx, user: UserId, limit: i64) -> Result<Vec<(TaskId, Rating)>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT task_id, stars, comment, rated_at FROM rating WHERE user_id = $1
         ORDER BY rated_at DESC, task_id DESC LIMIT $2",
        user.0,
        limit
    )?;
    let rating = |row: Row| {
        let stars = row.stars.and_then(|stars| u8::try_from(stars).ok());
        (TaskId(row.task_id), Rating { stars, comment: row.comment, rated_at: row.rated_at })
    };
    Ok(rows.into_iter().map(rating).collect())
}

/// Totals of all ratings with stars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct RatingTotals {
    /// Number of ratings.
    pub ratings: i64,
    /// Sum of the stars.
    pub stars: i64,
    /// Number of ratings with at least four stars.
    pub satisfied: i64,
}

/// Computes the totals of all ratings.
pub async fn totals(tx: &mut Tx) -> Result<RatingTotals, Error> {
    let row = one!(
        tx,
        RatingTotals,
        "SELECT COUNT(*) AS ratings, CAST(COALESCE(SUM(stars), 0) AS BIGINT) AS stars,
           CAST(COALESCE(SUM(CASE WHEN stars >= 4 THEN 1 ELSE 0 END), 0) AS BIGINT) AS satisfied
         FROM rating WHERE stars IS NOT NULL"
    )?;
    row.ok_or(Error::Corrupt("rating"))
}
