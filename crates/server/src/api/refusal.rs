//! Conversion of the errors of use cases to API errors.

use app::{Error, Refusal};
use domain::money::Money;
use domain::task::actions;
use serde_json::json;

use crate::api::pricing::CostDetails;
use crate::http::error::{ApiError, Code, Fields};

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        match error {
            Error::Store(error) => error.into(),
            Error::Refused(refusal) => refusal.into(),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let (code, data) = match refusal {
            Refusal::NotFound => return Code::NotFound.into(),
            Refusal::SignedOut => return Code::Unauthorized.into(),
            Refusal::LinkExpired => return Code::TokenExpired.into(),
            Refusal::LinkInvalid => return Code::InvalidToken.into(),
            Refusal::TopupUnknown => return Code::TopupCodeInvalid.into(),
            Refusal::TopupUsed => return Code::TopupCodeUsed.into(),
            Refusal::TopupExpired => return Code::TopupCodeExpired.into(),
            Refusal::BalanceChanged(now) => {
                let data = json!({ "balance": now.total().to_wire(), "on_hold": now.held.to_wire() });
                (Code::BalanceChanged, data)
            }
            Refusal::RefundableChanged(most) => {
                (Code::BalanceChanged, json!({ "refundable": most.to_wire() }))
            }
            Refusal::RefundsToday { wait } => {
                return Self::new(Code::TooManyAttempts)
                    .retry_after(wait.num_seconds().max(1).unsigned_abs());
            }
            Refusal::TooManyChannels => {
                (Code::ChannelLimit, json!({ "at_most": store::channel::MAX_CHANNELS }))
            }
            Refusal::NotOverThisChannel => return Fields::single("events", "not_over_this_channel"),
            Refusal::AccountBusy => return Code::AccountBusy.into(),
            Refusal::StatusChanged => return Code::IllegalTransition.into(),
            // The caller adds the current task to the error.
            Refusal::CriteriaChanged => return Code::ScheduleChanged.into(),
            Refusal::OtherAppointment => {
                return Fields::single("selected_appointments", "not_of_this_schedule");
            }
            Refusal::CityOfOtherCountry => return Fields::single("required_cities", "unknown_city"),
            Refusal::NotMonitorable => return Fields::single("selected_appointments", "not_selectable"),
            Refusal::Action(why @ actions::ActionRefusal::AlreadyRated) => {
                (Code::AlreadyRated, json!({ "reason": why.as_str() }))
            }
            Refusal::Action(why) => (Code::IllegalTransition, json!({ "reason": why.as_str() })),
            Refusal::GroupTaken { own } => {
                let owner = if own.is_empty() { "other" } else { "self" };
                (Code::ScheduleAlreadyExists, json!({ "owner": owner, "schedule_ids": own }))
            }
            Refusal::Promo(reason) => (Code::PromoRefused, json!({ "reason": reason })),
            Refusal::Referral(reason) => (Code::ReferralRefused, json!({ "reason": reason })),
            Refusal::TotalChanged(prices) => {
                (Code::PriceChanged, json!({ "cost_details": CostDetails::of(&prices) }))
            }
            Refusal::PriceChanged { price, difference } => {
                let cost_details = CostDetails::of(std::slice::from_ref(&price));
                let difference = difference.map(|minor| Money::cad(minor).to_wire());
                (Code::PriceChanged, json!({ "cost_details": cost_details, "difference": difference }))
            }
            Refusal::Insufficient { required, available } => {
                let data = json!({
                    "required_amount": required.to_wire(),
                    "available_amount": available.to_wire(),
                    "currency": "CAD",
                    "details": format!("{required} needed, {available} available"),
                });
                (Code::InsufficientCredit, data)
            }
            // The debt is part of the missing amount.
            Refusal::InDebt { required, owed } => {
                let data = json!({
                    "required_amount": Money::cad(required.minor + owed.minor).to_wire(),
                    "available_amount": 0.0,
                    "debt_amount": owed.to_wire(),
                    "currency": "CAD",
                    "details": format!("{required} needed, and {owed} owed since a disputed payment"),
                });
                (Code::InsufficientCredit, data)
            }
        };
        Self::new(code).with_data(data)
    }
}
