//! Faults, described as data: kind, affected requests and frequency.

use serde::{Deserialize, Serialize};

use super::{World, deviations::Deviation};

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

/// Moment at which a kill fault sends SIGKILL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KillAt {
    /// The request has arrived and has no effect yet.
    RequestReceived,
    /// The change was applied and the response is not written yet.
    Applied,
    /// Half of the response is written.
    HalfAnswered,
}

/// Kind of fault, with the tag `fault` in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum FaultKind {
    /// Sign-in reports that the account is locked.
    Locked {
        /// Selects the text "too many failed attempts" instead of "locked until".
        #[serde(default)]
        too_many: bool,
    },
    /// Sign-in shows a captcha.
    Captcha,
    /// The groups page lists no group.
    NoApplications,
    /// The session ends at this request.
    SessionEnd,
    /// The portal answers 502.
    BadGateway,
    /// The portal answers 503 with a maintenance page.
    Maintenance {
        /// Seconds in `Retry-After`, or `None` to omit the header.
        #[serde(default)]
        retry_after: Option<u64>,
    },
    /// The portal answers 429.
    TooManyRequests {
        /// Seconds in `Retry-After`, or `None` to omit the header.
        #[serde(default)]
        retry_after: Option<u64>,
    },
    /// The response is delayed.
    Slow {
        /// Additional latency in milliseconds.
        millis: u64,
    },
    /// The connection is reset before the request has any effect.
    Reset,
    /// All pages have a different markup.
    ChangedLayout,
    /// One kind of response deviates in one detail from the known pages.
    Deviation {
        /// Name of an entry in [`DEVIATIONS`](super::deviations::DEVIATIONS).
        of: &'static Deviation,
    },
    /// Pages are replaced by a page that reports an overloaded system.
    BusyPage,
    /// The booking form offers no facility.
    FormWithoutChoice,
    /// Lists have no body or are cut off.
    EmptyList {
        /// Sends the beginning of the list instead of no body.
        #[serde(default)]
        cut: bool,
    },
    /// Lists are replaced by an error object with an unknown text.
    UnknownError,
    /// The booking form also requires a fingerprint (ASC) appointment.
    FormAsksAsc,
    /// The booking form does not offer one facility.
    FacilityMissing {
        /// The number of the facility.
        facility: u32,
    },
    /// The groups page shows an unreadable appointment date for one group.
    OddCard {
        /// Portal schedule id of the group.
        group: u64,
    },
    /// The groups page shows only a fingerprint (ASC) appointment for one group.
    FingerprintsOnly {
        /// Portal schedule id of the group.
        group: u64,
    },
    /// The groups page shows an unknown status for one group.
    UnknownStatus {
        /// Portal schedule id of the group.
        group: u64,
    },
    /// Pages and lists are replaced by an unrelated page, such as a hotel's sign-in to its network.
    ForeignHtml,
    /// A rival books the slot immediately after its times were listed.
    StealSlot,
    /// The response to a booking POST reports success, but nothing is booked.
    LieBooked,
    /// The response to a booking POST reports a refusal, but the slot is booked.
    LieRefused,
    /// The response to a booking POST reports a refusal, nothing is booked, and the slot stays
    /// free.
    RefuseBooking,
    /// The booking is applied, and then the connection is cut without a response.
    CutAfterApply,
    /// The connection is cut in the middle of the response.
    HalfAnswer,
    /// The portal shows "Limit Reached", independently of the number of attempts left.
    AttemptsUsedUp,
    /// The groups page shows the old appointment for some time after a booking.
    GroupsLag {
        /// Length of the lag in seconds.
        #[serde(default = "two_minutes")]
        seconds: i64,
    },
    /// All lists are empty, as during a soft ban.
    SoftBan,
    /// All lists are empty, as during restricted hours.
    RestrictedHours,
    /// All lists are empty, as from an overloaded portal.
    OverloadedLists,
    /// Each account sees a different list, in which different dates are missing.
    OwnList {
        /// Percentage of the dates that an account does not see.
        hides_percent: u64,
    },
    /// Dates are listed, but their lists of times are empty.
    PhantomDates,
    /// The process `pid` gets SIGKILL during a request, by default during a booking POST.
    Kill {
        /// Process identifier.
        pid: i32,
        /// Moment of the signal.
        at: KillAt,
    },
    /// The mail server refuses connections.
    SmtpDown,
    /// The mail server answers 451 (temporary failure).
    SmtpTemporary,
    /// The identity provider answers 503.
    IdentityDown,
    /// The card provider answers 503.
    CardDown,
    /// A notification provider refuses in its usual format, with status 200 if the provider does
    /// so.
    RefusedInBody,
    /// The target of a notification no longer exists: 410, or the provider's text for that case.
    TargetGone,
    /// The receiver of a notification has blocked the bot or the sender.
    SenderBlocked,
    /// A Telegram group was migrated to another chat.
    ChatMigrated {
        /// Identifier of the new chat.
        to: i64,
    },
}

fn two_minutes() -> i64 {
    120
}

impl FaultKind {
    /// Returns the tag used in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Locked { .. } => "locked",
            Self::Captcha => "captcha",
            Self::NoApplications => "no_applications",
            Self::SessionEnd => "session_end",
            Self::BadGateway => "bad_gateway",
            Self::Maintenance { .. } => "maintenance",
            Self::TooManyRequests { .. } => "too_many_requests",
            Self::Slow { .. } => "slow",
            Self::Reset => "reset",
            Self::ChangedLayout => "changed_layout",
            Self::Deviation { .. } => "deviation",
            Self::BusyPage => "busy_page",
            Self::FormWithoutChoice => "form_without_choice",
            Self::EmptyList { .. } => "empty_list",
            Self::UnknownError => "unknown_error",
            Self::FormAsksAsc => "form_asks_asc",
            Self::FacilityMissing { .. } => "facility_missing",
            Self::OddCard { .. } => "odd_card",
            Self::FingerprintsOnly { .. } => "fingerprints_only",
            Self::UnknownStatus { .. } => "unknown_status",
            Self::ForeignHtml => "foreign_html",
            Self::StealSlot => "steal_slot",
            Self::LieBooked => "lie_booked",
            Self::LieRefused => "lie_refused",
            Self::RefuseBooking => "refuse_booking",
            Self::CutAfterApply => "cut_after_apply",
            Self::HalfAnswer => "half_answer",
            Self::AttemptsUsedUp => "attempts_used_up",
            Self::GroupsLag { .. } => "groups_lag",
            Self::SoftBan => "soft_ban",
            Self::RestrictedHours => "restricted_hours",
            Self::OverloadedLists => "overloaded_lists",
            Self::OwnList { .. } => "own_list",
            Self::PhantomDates => "phantom_dates",
            Self::Kill { .. } => "kill",
            Self::SmtpDown => "smtp_down",
            Self::SmtpTemporary => "smtp_temporary",
            Self::IdentityDown => "identity_down",
            Self::CardDown => "card_down",
            Self::RefusedInBody => "refused_in_body",
            Self::TargetGone => "target_gone",
            Self::SenderBlocked => "sender_blocked",
            Self::ChatMigrated { .. } => "chat_migrated",
        }
    }

    /// Returns the kinds of request in which the fault makes sense. An empty list means all kinds.
    fn natural_places(&self) -> &'static [&'static str] {
        match self {
            Self::Locked { .. } => &["sign_in"],
            Self::Captcha => &["sign_in", "sign_in_page"],
            Self::NoApplications
            | Self::OddCard { .. }
            | Self::FingerprintsOnly { .. }
            | Self::UnknownStatus { .. } => &["groups"],
            Self::BusyPage => &["groups", "actions", "appointment", "instructions", "payment"],
            Self::FormWithoutChoice | Self::FormAsksAsc | Self::FacilityMissing { .. } => &["appointment"],
            Self::EmptyList { .. } | Self::UnknownError => &["days", "times"],
            Self::StealSlot | Self::PhantomDates => &["times"],
            Self::LieBooked
            | Self::LieRefused
            | Self::RefuseBooking
            | Self::CutAfterApply
            | Self::HalfAnswer
            | Self::Kill { .. } => &["book"],
            Self::GroupsLag { .. } => &["book"],
            Self::AttemptsUsedUp => &["book", "appointment"],
            Self::SoftBan | Self::RestrictedHours | Self::OverloadedLists | Self::OwnList { .. } => {
                &["days", "times", "payment"]
            }
            Self::SmtpDown | Self::SmtpTemporary => &["smtp"],
            Self::IdentityDown => &IDENTITY,
            Self::CardDown => &CARD,
            Self::RefusedInBody | Self::TargetGone | Self::SenderBlocked => &[CHANNEL],
            Self::ChatMigrated { .. } => &["channel_telegram"],
            _ => &[],
        }
    }
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

/// Kinds of requests to the identity provider.
const IDENTITY: [&str; 5] =
    ["identity_discovery", "identity_keys", "identity_authorize", "identity_choice", "identity_token"];

/// Kinds of requests to the card provider.
const CARD: [&str; 7] = [
    "card_create",
    "card_read",
    "card_confirm",
    "card_authenticate",
    "card_cancel",
    "card_refund",
    "card_refunds",
];

/// Selects all notification providers. `channel_NAME` selects a single one.
const CHANNEL: &str = "channel";

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
