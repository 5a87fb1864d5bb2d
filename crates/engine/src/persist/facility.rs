//! Discovered numbers of cities.

use domain::country::Country;
use store::facility::Discovery;

use crate::persist::Records;

/// Stores the numbers of cities that a booking form showed, and then makes them known to this
/// process. No row can refer to a number before it is stored.
pub(crate) async fn store_numbers(
    records: &Records,
    country: &Country,
    numbers: &[(u16, &'static str)],
) -> Result<(), store::Error> {
    let found_at = records.wall.now();
    let mut tx = records.db.begin().await?;
    for (number, city) in numbers {
        let (country, city) = (country.code.to_string(), (*city).to_owned());
        let discovery = Discovery { number: i32::from(*number), country, city, found_at };
        store::facility::insert(&mut tx, &discovery).await?;
    }
    tx.commit().await?;
    store::facility::load(&mut records.db.read().await?).await
}
