//! Groups of people who pay less.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{UserId, uuid_v7};
use domain::money::Money;
use uuid::Uuid;

use crate::{Error, Random, Tx, all, exec, one};

/// A group with how many belong to it.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its id.
    pub id: Uuid,
    /// Its name, as given.
    pub name: String,
    /// Off each applicant's price.
    pub discount: Money,
    /// When it was made.
    pub created_at: Instant,
    /// People in it.
    pub members: i64,
    /// Promo codes that are only for it.
    pub promos: i64,
}

type Row = (Uuid, String, i64, DateTime<Utc>, i64, i64);

fn group((id, name, discount, created_at, members, promos): Row) -> Group {
    Group { id, name, discount: Money::cad(discount), created_at, members, promos }
}

/// Every group, by name.
pub async fn list(tx: &mut Tx) -> Result<Vec<Group>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT g.id, g.name, g.discount, g.created_at, (SELECT COUNT(*) FROM users u WHERE u.group_id = g.id),
           (SELECT COUNT(*) FROM promo p WHERE p.only_group = g.id)
         FROM user_group g ORDER BY g.name"
    )?;
    Ok(rows.into_iter().map(group).collect())
}

/// The group of this name.
pub async fn by_name(tx: &mut Tx, name: &str) -> Result<Option<Group>, Error> {
    let row = one!(
        tx,
        Row,
        "SELECT g.id, g.name, g.discount, g.created_at, (SELECT COUNT(*) FROM users u WHERE u.group_id = g.id),
           (SELECT COUNT(*) FROM promo p WHERE p.only_group = g.id)
         FROM user_group g WHERE g.name = $1",
        name.to_owned()
    )?;
    Ok(row.map(group))
}

/// Makes a group; none when the name is taken.
pub async fn add(
    tx: &mut Tx,
    random: &Random,
    name: &str,
    discount: Money,
    now: Instant,
) -> Result<Option<Uuid>, Error> {
    let id = uuid_v7(now, random.bytes());
    let rows = exec!(
        tx,
        "INSERT INTO user_group (id, name, discount, currency, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (name) DO NOTHING",
        id,
        name.to_owned(),
        discount.minor,
        discount.currency.code(),
        now
    )?;
    Ok((rows == 1).then_some(id))
}

/// Changes what its people pay less from now on; what was agreed stays.
pub async fn set_discount(tx: &mut Tx, id: Uuid, discount: Money) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE user_group SET discount = $2, currency = $3 WHERE id = $1",
        id,
        discount.minor,
        discount.currency.code()
    )?;
    Ok(())
}

/// Removes a group that nobody belongs to and no promo code is for; false when somebody does or one is.
pub async fn remove(tx: &mut Tx, id: Uuid) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "DELETE FROM user_group WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM users u WHERE u.group_id = $1)
           AND NOT EXISTS (SELECT 1 FROM promo p WHERE p.only_group = $1)",
        id
    )?;
    Ok(rows == 1)
}

/// Puts a person into a group, or into none.
pub async fn assign(tx: &mut Tx, user: UserId, group: Option<Uuid>) -> Result<bool, Error> {
    Ok(exec!(tx, "UPDATE users SET group_id = $2 WHERE id = $1", user.0, group)? == 1)
}
