//! Discount groups of users.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{UserId, uuid_v7};
use domain::money::Money;
use uuid::Uuid;

use crate::{Error, Random, Tx, all, exec, one};

/// Discount group with its number of members.
#[derive(Clone, Debug)]
pub struct Group {
    /// Id of the group.
    pub id: Uuid,
    /// Name as given.
    pub name: String,
    /// Discount on each applicant's price.
    pub discount: Money,
    /// Time at which the group was created.
    pub created_at: Instant,
    /// Number of members.
    pub members: i64,
    /// Number of promo codes reserved for the group.
    pub promos: i64,
}

type Row = (Uuid, String, i64, DateTime<Utc>, i64, i64);

fn group((id, name, discount, created_at, members, promos): Row) -> Group {
    Group { id, name, discount: Money::cad(discount), created_at, members, promos }
}

/// Returns every group, by name.
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

/// Returns the group with this name.
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

/// Inserts a group. Returns `None` if the name is taken.
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

/// Sets the group's discount from now on. Agreed prices stay.
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

/// Deletes a group without members and promo codes. Returns `false` if it has any.
pub async fn remove(tx: &mut Tx, id: Uuid) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "DELETE FROM user_group WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM users u WHERE u.group_id = $1)
           AND NOT EXISTS (SELECT 1 FROM promo p WHERE p.only_group = $1)",
        id
    )?;
    Ok(rows == 1)
}

/// Sets or clears a user's group. Returns `false` if there is no such user.
pub async fn assign(tx: &mut Tx, user: UserId, group: Option<Uuid>) -> Result<bool, Error> {
    Ok(exec!(tx, "UPDATE users SET group_id = $2 WHERE id = $1", user.0, group)? == 1)
}
