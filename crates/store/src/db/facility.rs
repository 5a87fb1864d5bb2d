//! The portal's numbers of cities, as booking forms showed them. The table of places lacks them.

use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Utc};
use domain::country::{CountryCode, set_number};

use super::Tx;
use crate::{Error, all, exec};

/// A city whose number a booking form showed.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Discovery {
    /// The portal's number.
    pub number: i32,
    /// Locale of the country.
    pub country: String,
    /// English name in the table of places.
    pub city: String,
    /// Time at which the form was read.
    pub found_at: DateTime<Utc>,
}

/// Stores the number of a city. Does nothing if the number or the city is stored already.
pub async fn insert(tx: &mut Tx, discovery: &Discovery) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO facility (number, country, city, found_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        discovery.number,
        discovery.country.clone(),
        discovery.city.clone(),
        discovery.found_at
    )?;
    Ok(())
}

/// Returns all stored numbers, by number.
pub async fn list(tx: &mut Tx) -> Result<Vec<Discovery>, Error> {
    all!(tx, Discovery, "SELECT number, country, city, found_at FROM facility ORDER BY number")
}

/// `true` once the numbers were loaded, so that a contradiction is logged only once.
static LOADED: AtomicBool = AtomicBool::new(false);

/// Makes the stored numbers known to this process. It must run before rows that contain numbers of
/// cities are read. A number that contradicts the table of places stays unknown; the first call of
/// a process logs it.
pub async fn load(tx: &mut Tx) -> Result<(), Error> {
    let stored = list(tx).await?;
    let is_logged = !LOADED.swap(true, Ordering::Relaxed);
    for discovery in stored {
        let Discovery { number, country, city, .. } = discovery;
        let set = |code: CountryCode| {
            let number = u16::try_from(number).map_err(|e| e.to_string())?;
            set_number(code, &city, number).map_err(|e| e.to_string())
        };
        let set = country.parse().map_err(|_| "the country is unknown".to_owned()).and_then(set);
        if let (Err(error), true) = (set, is_logged) {
            tracing::warn!(%error, number, %country, %city, "ignored a stored number of a city");
        }
    }
    Ok(())
}
