//! Manual changes of accounts and groups through the control API.

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Deserializer};

use super::api::{Body, ControlError, Shares};
use crate::{
    journal::{Effect, PairEffect},
    world::{
        accounts::{Appointment, Lag, SessionEndReason, Status},
        asc::AscChange,
    },
};

/// Changes to an account. Missing fields stay unchanged.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountChange {
    password: Option<String>,
    captcha: Option<bool>,
    #[serde(default, deserialize_with = "some")]
    locked_until: Option<Option<DateTime<Utc>>>,
    #[serde(default, deserialize_with = "some")]
    banned_until: Option<Option<DateTime<Utc>>>,
    #[serde(default)]
    end_sessions: bool,
}

/// Deserializes a field so that `null`, which clears a value, differs from a missing field.
fn some<'de, T: Deserialize<'de>, D: Deserializer<'de>>(d: D) -> Result<Option<Option<T>>, D::Error> {
    Ok(Some(Option::deserialize(d)?))
}

pub(crate) async fn change_account(
    State(shared): Shares,
    Path(username): Path<String>,
    body: Body<AccountChange>,
) -> Result<StatusCode, ControlError> {
    let Json(change) = body?;
    shared.step(|world| {
        let key = username.to_lowercase();
        let account = world.accounts.get_mut(&key).ok_or_else(|| ControlError::missing("account"))?;
        if let Some(password) = change.password {
            account.password = password;
        }
        account.captcha = change.captcha.unwrap_or(account.captcha);
        account.locked_until = change.locked_until.unwrap_or(account.locked_until);
        account.banned_until = change.banned_until.unwrap_or(account.banned_until);
        if change.end_sessions {
            for session in world.sessions.values_mut().filter(|s| s.account == key && s.ended.is_none()) {
                session.ended = Some(SessionEndReason::Expired);
            }
        }
        Ok(StatusCode::NO_CONTENT)
    })
}

/// Changes to a group. Missing fields stay unchanged.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GroupChange {
    status: Option<Status>,
    #[serde(default, deserialize_with = "some")]
    appointment: Option<Option<Appointment>>,
    #[serde(default, deserialize_with = "some")]
    asc: Option<Option<Appointment>>,
    attempts_left: Option<u32>,
    #[serde(default, deserialize_with = "some")]
    fee_receipt: Option<Option<NaiveDate>>,
    archived: Option<bool>,
    tcn: Option<bool>,
    #[serde(default)]
    remove: bool,
}

pub(crate) async fn change_group(
    State(shared): Shares,
    Path(id): Path<u64>,
    body: Body<GroupChange>,
) -> Result<StatusCode, ControlError> {
    let Json(change) = body?;
    shared.step(|world| {
        let country = world.groups.get(&id).ok_or_else(|| ControlError::missing("group"))?.country;
        if let Some(Some(appointment)) = &change.appointment {
            country.check_facility(appointment.facility).map_err(ControlError::new)?;
        }
        if let Some(Some(asc)) = &change.asc {
            country.check_asc(asc.facility).map_err(ControlError::new)?;
        }
        let seconds = change.appointment.is_some().then(|| world.chance_of_lag()).flatten();
        let until = seconds.map(|seconds| world.now + chrono::Duration::seconds(seconds));
        let group = world.groups.get_mut(&id).ok_or_else(|| ControlError::missing("group"))?;
        let asc_before = group.asc.clone();
        if let Some(appointment) = change.appointment {
            let before = std::mem::replace(&mut group.appointment, appointment);
            group.lag = until.map(|until| Lag {
                until,
                appointment: before,
                asc: asc_before.clone(),
                status: group.status,
                half: None,
            });
            group.status = if group.appointment.is_some() {
                Status::AttendAppointment
            } else {
                Status::ScheduleAppointment
            };
        }
        group.status = change.status.unwrap_or(group.status);
        let changes_asc = change.asc.as_ref().is_some_and(|asc| *asc != group.asc);
        group.asc = change.asc.unwrap_or(group.asc.take());
        let of = (group.account.clone(), id);
        let asc = AscChange::of(asc_before, group.asc.clone()).filter(|_| changes_asc);
        if let Some(left) = change.attempts_left {
            group.set_attempts_left(left);
        }
        group.fee_receipt = change.fee_receipt.unwrap_or(group.fee_receipt);
        group.archived = change.archived.unwrap_or(group.archived);
        group.tcn = change.tcn.unwrap_or(group.tcn);
        if asc.is_some() {
            world.journal.by_hand(world.now, of, PairEffect { effect: Effect::None, asc });
        }
        if change.remove {
            world.groups.remove(&id);
        }
        Ok(StatusCode::NO_CONTENT)
    })
}
