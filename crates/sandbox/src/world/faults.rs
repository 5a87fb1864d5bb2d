//! Faults, described as data: kind, affected requests and frequency.

use serde::{Deserialize, Serialize};

use super::{
    World,
    fault_kind::{CARD, CHANNEL, IDENTITY},
};

pub use super::fault_kind::{FaultKind, KillAt};

/// Fault that is active until it is removed or used up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InjectedFault {
    /// Number of the fault, assigned by the sandbox.
    #[serde(default)]
    pub id: u64,
    /// The kind of the fault.
    #[serde(flatten)]
    pub kind: FaultKind,
    /// Restricts the fault to the account with this username.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// Restricts the fault to the group with this portal schedule id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portal_schedule_id: Option<u64>,
    /// Restricts the fault to this kind of request, with the name used in the journal. `None` means
    /// all kinds in which the fault makes sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// Number of matching requests that are not affected at first.
    #[serde(default)]
    pub skip: u32,
    /// Number of requests that the fault affects. `None` means that the fault is active until it is
    /// removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// Probability from 0 to 1 that a matching request is affected. `None` means 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

impl InjectedFault {
    /// Creates a fault that affects all accounts until it is removed.
    pub fn of(kind: FaultKind) -> Self {
        Self {
            id: 0,
            kind,
            account: None,
            portal_schedule_id: None,
            on: None,
            skip: 0,
            times: None,
            probability: None,
        }
    }

    fn applies(&self, place: &FaultTarget<'_>) -> bool {
        let here = match &self.on {
            Some(on) => place.is_named(on) || on == "any",
            None => {
                let places = self.kind.natural_places();
                match places {
                    [] => place.is_of_portal(),
                    places => places.iter().any(|name| place.is_named(name)),
                }
            }
        };
        here && self
            .account
            .as_deref()
            .is_none_or(|a| place.account.is_some_and(|b| a.eq_ignore_ascii_case(b)))
            && self.portal_schedule_id.is_none_or(|id| place.schedule == Some(id))
    }
}

/// Attributes of a request, for selecting the faults that affect it.
pub(crate) struct FaultTarget<'a> {
    pub kind: &'a str,
    pub account: Option<&'a str>,
    pub schedule: Option<u64>,
}

impl FaultTarget<'_> {
    fn is_of_portal(&self) -> bool {
        self.kind != "smtp"
            && !IDENTITY.contains(&self.kind)
            && !CARD.contains(&self.kind)
            && !self.is_named(CHANNEL)
            && self.kind != "telegram_updates"
    }

    fn is_named(&self, name: &str) -> bool {
        let of_channels = name == CHANNEL && self.kind.starts_with("channel_");
        self.kind == name || of_channels
    }
}

/// Faults that affect one request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Struck(Vec<FaultKind>);

impl Struck {
    pub fn has(&self, kind: &FaultKind) -> bool {
        self.0.contains(kind)
    }

    pub fn find<T>(&self, pick: impl Fn(&FaultKind) -> Option<T>) -> Option<T> {
        self.0.iter().find_map(pick)
    }

    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|k| k.name().to_owned()).collect()
    }
}

impl World {
    /// Activates a fault and returns its number.
    pub fn add_fault(&mut self, mut fault: InjectedFault) -> u64 {
        fault.id = self.fresh_id();
        let id = fault.id;
        self.faults.push(fault);
        id
    }

    /// Removes the fault with this number, or all faults if `id` is `None`.
    pub fn remove_faults(&mut self, id: Option<u64>) {
        self.faults.retain(|f| id.is_some_and(|id| f.id != id));
    }

    /// Returns the faults that affect a request, and counts one use of each.
    pub(crate) fn strike(&mut self, place: &FaultTarget<'_>) -> Struck {
        if self.faults.is_empty() {
            return Struck::default();
        }
        let dice = &mut self.dice;
        let mut struck = Vec::new();
        for fault in self.faults.iter_mut().filter(|f| f.applies(place)) {
            if fault.skip > 0 {
                fault.skip -= 1;
                continue;
            }
            let chance = fault.probability.unwrap_or(1.0).clamp(0.0, 1.0);
            if chance < 1.0
                && !rand::RngExt::random_bool(&mut dice.throw(super::dice::Purpose::Bookings), chance)
            {
                continue;
            }
            if let Some(left) = fault.times.as_mut() {
                *left = left.saturating_sub(1);
            }
            struck.push(fault.kind.clone());
        }
        self.faults.retain(|f| f.times != Some(0));
        Struck(struck)
    }
}
