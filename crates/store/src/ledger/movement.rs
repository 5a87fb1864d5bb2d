//! What a user sees of the ledger.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{TaskId, TransferId, UserId};
use domain::money::Money;
use uuid::Uuid;

use crate::{Error, Tx, all, scalar};

/// The kinds of movements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovementKind {
    /// Money came in.
    Topup,
    /// Money was set aside.
    Hold,
    /// Money set aside was charged.
    Capture,
    /// Money set aside was given back.
    Release,
}

impl MovementKind {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Topup => "topup",
            Self::Hold => "hold",
            Self::Capture => "capture",
            Self::Release => "release",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Topup, Self::Hold, Self::Capture, Self::Release].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// One movement as its user sees it.
#[derive(Clone, Debug)]
pub struct Movement {
    /// The ledger row.
    pub id: TransferId,
    /// Which way.
    pub kind: MovementKind,
    /// The signed effect on the available balance: a capture has none, its hold had it.
    pub effect: Money,
    /// The row's amount, always positive.
    pub amount: Money,
    /// When.
    pub at: Instant,
    /// What it is for: `task`, `topup_code`.
    pub source: String,
    /// The task it is for.
    pub task: Option<TaskId>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    kind: String,
    amount: i64,
    created_at: DateTime<Utc>,
    source_kind: String,
    source_id: Uuid,
}

/// One page of a user's movements, newest first, and how many there are in all.
pub async fn movements(
    tx: &mut Tx,
    user: UserId,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Movement>, i64), Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT t.id, t.kind, t.amount, t.created_at,
           COALESCE(h.source_kind, t.source_kind) AS source_kind, COALESCE(h.source_id, t.source_id) AS source_id
         FROM ledger_account a
         JOIN ledger_transfer t ON t.debit_account = a.id OR t.credit_account = a.id
         LEFT JOIN ledger_transfer h ON h.id = t.resolves_id
         WHERE a.kind = 'user' AND a.owner = $1
         ORDER BY t.created_at DESC, t.id DESC LIMIT $2 OFFSET $3",
        user.0,
        limit,
        offset
    )?;
    let total = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM ledger_account a
         JOIN ledger_transfer t ON t.debit_account = a.id OR t.credit_account = a.id
         WHERE a.kind = 'user' AND a.owner = $1",
        user.0
    )?;
    let movements = rows.into_iter().map(Movement::try_from).collect::<Result<_, _>>()?;
    Ok((movements, total))
}

impl TryFrom<Row> for Movement {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let kind = MovementKind::parse(&row.kind).ok_or(Error::Corrupt("ledger_transfer.kind"))?;
        let effect = match kind {
            MovementKind::Topup | MovementKind::Release => row.amount,
            MovementKind::Hold => -row.amount,
            MovementKind::Capture => 0,
        };
        let task = (row.source_kind == super::SOURCE_TASK).then_some(TaskId(row.source_id));
        Ok(Self {
            id: TransferId(row.id),
            kind,
            effect: Money::cad(effect),
            amount: Money::cad(row.amount),
            at: row.created_at,
            source: row.source_kind,
            task,
        })
    }
}
