//! Pricing plans, and the standing discounts of a user.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{PricingPlanId, UserGroupId, UserId};
use domain::money::{Currency, Money};
use domain::pricing::Discounts;
use uuid::Uuid;

use crate::{Error, Tx, all, exec, one};

/// Price per applicant.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Id of the plan.
    pub id: PricingPlanId,
    /// Name of the plan.
    pub name: String,
    /// Price per applicant.
    pub unit_price: Money,
    /// Time at which the plan was created.
    pub created_at: Instant,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    name: String,
    unit_price: i64,
    currency: String,
    created_at: DateTime<Utc>,
}

/// Returns the active plans, the current one first.
pub async fn active(tx: &mut Tx) -> Result<Vec<Plan>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT id, name, unit_price, currency, created_at FROM pricing_plan WHERE active
         ORDER BY created_at DESC, id DESC"
    )?;
    rows.into_iter().map(Plan::try_from).collect()
}

/// Returns the plan that prices new tasks.
pub async fn standing(tx: &mut Tx) -> Result<Option<Plan>, Error> {
    Ok(active(tx).await?.into_iter().next())
}

/// Makes `unit_price` the current price, unless it is already.
pub async fn set_standing(
    tx: &mut Tx,
    now: Instant,
    id: PricingPlanId,
    unit_price: Money,
) -> Result<(), Error> {
    if standing(tx).await?.is_some_and(|plan| plan.unit_price == unit_price) {
        return Ok(());
    }
    exec!(tx, "UPDATE pricing_plan SET active = FALSE WHERE active")?;
    exec!(
        tx,
        "INSERT INTO pricing_plan (id, name, unit_price, currency, active, created_at)
         VALUES ($1, $2, $3, $4, TRUE, $5)",
        id.0,
        "Standard",
        unit_price.minor,
        unit_price.currency.code(),
        now
    )?;
    Ok(())
}

/// Returns the group of a user.
pub async fn group_of(tx: &mut Tx, user: UserId) -> Result<Option<UserGroupId>, Error> {
    let found = one!(tx, (Option<Uuid>,), "SELECT group_id FROM users WHERE id = $1", user.0)?;
    Ok(found.and_then(|(group,)| group).map(UserGroupId))
}

/// Returns the discounts on every price of a user: the personal one and the group's.
pub async fn standing_discounts(tx: &mut Tx, user: UserId) -> Result<Discounts, Error> {
    let found = one!(
        tx,
        (i64, i64),
        "SELECT COALESCE(p.amount, 0), COALESCE(g.discount, 0) FROM users u
         LEFT JOIN personal_discount p ON p.user_id = u.id LEFT JOIN user_group g ON g.id = u.group_id
         WHERE u.id = $1",
        user.0
    )?;
    let (personal, group) = found.unwrap_or_default();
    Ok(Discounts { personal: Money::cad(personal), group: Money::cad(group), ..Discounts::NONE })
}

impl TryFrom<Row> for Plan {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let currency = Currency::parse(&row.currency).ok_or(Error::Corrupt("pricing_plan.currency"))?;
        Ok(Self {
            id: PricingPlanId(row.id),
            name: row.name,
            unit_price: Money { minor: row.unit_price, currency },
            created_at: row.created_at,
        })
    }
}
