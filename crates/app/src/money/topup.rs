//! Redemption of top-up codes.

use domain::ids::UserId;
use store::Tx;
use store::keyring::KeyRing;
use store::topup_code::{Code, RedeemError, TopupCredit, redeem};

use super::{PaidBy, tell_credited};
use crate::{Ctx, Error, Refusal};

/// Credits a code, as typed, to `user` in the caller's transaction and notifies the user. Each code
/// is credited only once.
///
/// # Errors
/// Returns [`Refusal::TopupUnknown`], [`Refusal::TopupUsed`] or [`Refusal::TopupExpired`]. Returns
/// an error if the database fails or the ledger is frozen.
pub async fn top_up(
    ctx: &Ctx,
    tx: &mut Tx,
    keyring: &KeyRing,
    user: UserId,
    typed: &str,
) -> Result<TopupCredit, Error> {
    let code = Code::parse(typed).ok_or(Refusal::TopupUnknown)?;
    let credited = redeem(tx, keyring, &ctx.random, (user, &code), ctx.wall.now()).await;
    let credited = credited.map_err(|error| match error {
        RedeemError::Unknown => Refusal::TopupUnknown.into(),
        RedeemError::Used => Refusal::TopupUsed.into(),
        RedeemError::Expired => Refusal::TopupExpired.into(),
        RedeemError::Store(error) => Error::from(error),
    })?;
    let by = PaidBy::Code { id: credited.code, tail: code.tail() };
    tell_credited(ctx, tx, user, credited.amount, by).await?;
    Ok(credited)
}
