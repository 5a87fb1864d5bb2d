//! Ledger transfers as their user sees them.

use chrono::{DateTime, Utc};
use domain::appointment::Group;
use domain::card::PaymentMethod;
use domain::clock::Instant;
use domain::ids::{TaskId, TransferId, UserId};
use domain::ledger::{Effect, TransferKind};
use domain::money::Money;
use serde_json::Value;
use uuid::Uuid;

use crate::{Error, Tx, all};

/// Task of a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskLabel {
    /// Id of the task.
    pub id: TaskId,
    /// Names of its applicants, or the portal's number if no names are stored any more.
    pub label: String,
}

/// Ledger transfer as its user sees it.
#[derive(Clone, Debug)]
pub struct Movement {
    /// Id of the ledger row.
    pub id: TransferId,
    /// Number among the user's transfers, from 1.
    pub position: i64,
    /// Kind of the transfer.
    pub kind: TransferKind,
    /// Change of the balances, in minor units. A capture leaves the available balance unchanged,
    /// because its hold reduced it.
    pub effect: Effect,
    /// Amount of the row, always positive.
    pub amount: Money,
    /// Available balance after the transfer.
    pub balance_after: Money,
    /// Held amount after the transfer.
    pub held_after: Money,
    /// Time of the transfer.
    pub at: Instant,
    /// Kind of the source: `task`, `topup_code`, …
    pub source: String,
    /// Id of the source.
    pub source_id: Uuid,
    /// Task of the transfer.
    pub task: Option<TaskLabel>,
    /// Last four characters of the top-up code.
    pub code_tail: Option<String>,
    /// Payer's own note to a card payment.
    pub description: Option<String>,
    /// Payment method at the card provider.
    pub paid_with: Option<PaymentMethod>,
}

/// Filter for transfers. The default matches all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// Upper limit: only transfers older than this one.
    pub before: Option<TransferId>,
    /// Kind of the transfers.
    pub kind: Option<TransferKind>,
    /// Earliest time, inclusive.
    pub from: Option<Instant>,
    /// Latest time, exclusive.
    pub to: Option<Instant>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    kind: String,
    amount: i64,
    incoming: i64,
    position: i64,
    posted_after: i64,
    held_after: i64,
    created_at: DateTime<Utc>,
    source_kind: String,
    source_id: Uuid,
    tail: Option<String>,
    description: Option<String>,
    method: Option<String>,
    applicant_group: Option<Value>,
    portal_schedule_id: Option<String>,
}

/// Returns a user's transfers, newest first, at most `limit`.
pub async fn movements(
    tx: &mut Tx,
    user: UserId,
    filter: &Filter,
    limit: i64,
) -> Result<Vec<Movement>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT t.id, t.kind, t.amount, t.position, t.posted_after, t.held_after, t.created_at,
           CAST(CASE WHEN t.credit_account = a.id THEN 1 ELSE 0 END AS BIGINT) AS incoming,
           COALESCE(h.source_kind, t.source_kind) AS source_kind, COALESCE(h.source_id, t.source_id) AS source_id,
           c.tail, p.description, p.method, k.applicant_group, k.portal_schedule_id
         FROM ledger_account a
         JOIN ledger_transfer t ON t.user_account = a.id
         LEFT JOIN ledger_transfer h ON h.id = t.resolves_id
         LEFT JOIN topup_code c ON t.source_kind = 'topup_code' AND c.id = t.source_id
         LEFT JOIN card_payment p ON t.kind = 'card' AND p.id = t.source_id
         LEFT JOIN task k ON COALESCE(h.source_kind, t.source_kind) = 'task' AND k.id = COALESCE(h.source_id, t.source_id)
         WHERE a.kind = 'user' AND a.owner = $1
           AND t.position < COALESCE((SELECT b.position FROM ledger_transfer b WHERE b.id = $2 AND b.user_account = a.id),
             9223372036854775807)
           AND ($3 = '' OR t.kind = $3) AND t.created_at >= $4 AND t.created_at < $5
         ORDER BY t.position DESC LIMIT $6",
        user.0,
        filter.before.map(|id| id.0),
        filter.kind.map_or("", TransferKind::as_str),
        filter.from.unwrap_or(DateTime::UNIX_EPOCH),
        filter.to.unwrap_or(FAR),
        limit
    )?;
    rows.into_iter().map(Movement::try_from).collect()
}

/// Returns the kinds that occur among a user's transfers, in the order of [`TransferKind::ALL`].
pub async fn kinds(tx: &mut Tx, user: UserId) -> Result<Vec<TransferKind>, Error> {
    let rows = all!(
        tx,
        (String,),
        "SELECT DISTINCT t.kind FROM ledger_account a JOIN ledger_transfer t ON t.user_account = a.id
         WHERE a.kind = 'user' AND a.owner = $1",
        user.0
    )?;
    let occur = |kind: &TransferKind| rows.iter().any(|(word,)| word == kind.as_str());
    Ok(TransferKind::ALL.iter().copied().filter(occur).collect())
}

/// Returns one transfer of a user.
pub async fn movement(tx: &mut Tx, user: UserId, id: TransferId) -> Result<Option<Movement>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT t.id, t.kind, t.amount, t.position, t.posted_after, t.held_after, t.created_at,
           CAST(CASE WHEN t.credit_account = a.id THEN 1 ELSE 0 END AS BIGINT) AS incoming,
           COALESCE(h.source_kind, t.source_kind) AS source_kind, COALESCE(h.source_id, t.source_id) AS source_id,
           c.tail, p.description, p.method, k.applicant_group, k.portal_schedule_id
         FROM ledger_account a
         JOIN ledger_transfer t ON t.user_account = a.id
         LEFT JOIN ledger_transfer h ON h.id = t.resolves_id
         LEFT JOIN topup_code c ON t.source_kind = 'topup_code' AND c.id = t.source_id
         LEFT JOIN card_payment p ON t.kind = 'card' AND p.id = t.source_id
         LEFT JOIN task k ON COALESCE(h.source_kind, t.source_kind) = 'task' AND k.id = COALESCE(h.source_id, t.source_id)
         WHERE a.kind = 'user' AND a.owner = $1 AND t.id = $2",
        user.0,
        id.0
    )?;
    rows.into_iter().next().map(Movement::try_from).transpose()
}

/// Upper limit of all timestamps: the year 9999.
const FAR: Instant = match DateTime::from_timestamp(253_370_764_800, 0) {
    Some(far) => far,
    None => DateTime::UNIX_EPOCH,
};

impl TryFrom<Row> for Movement {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let kind = TransferKind::parse(&row.kind).ok_or(Error::Corrupt("ledger_transfer.kind"))?;
        let task = row.portal_schedule_id.map(|number| TaskLabel {
            id: TaskId(row.source_id),
            label: names(row.applicant_group).unwrap_or(number),
        });
        Ok(Self {
            id: TransferId(row.id),
            position: row.position,
            kind,
            effect: kind.effect(row.amount, row.incoming == 1),
            amount: Money::cad(row.amount),
            balance_after: Money::cad(row.posted_after - row.held_after),
            held_after: Money::cad(row.held_after),
            at: row.created_at,
            source: row.source_kind,
            source_id: row.source_id,
            task,
            code_tail: row.tail,
            description: row.description,
            paid_with: row.method.and_then(|word| word.parse().ok()),
        })
    }
}

fn names(group: Option<Value>) -> Option<String> {
    let group: Group = serde_json::from_value(group?).ok()?;
    let names: Vec<_> = group.applicants.into_iter().map(|a| a.name).filter(|n| !n.is_empty()).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
