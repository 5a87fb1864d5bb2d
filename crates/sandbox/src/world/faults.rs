//! Faults as data: their kind, their targets and their frequency.

use serde::{Deserialize, Serialize};

use super::{World, deviations::Deviation};

/// Fault that is active until it is removed or exhausted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InjectedFault {
    /// The number of the fault; set by the sandbox.
    #[serde(default)]
    pub id: u64,
    /// The kind of the fault.
    #[serde(flatten)]
    pub kind: FaultKind,
    /// Restricts the fault to this username.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// Restricts the fault to this group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portal_schedule_id: Option<u64>,
    /// Restricts the fault to this kind of request (a journal kind). Without a value it strikes
    /// wherever it makes sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// Number of matching requests that pass first.
    #[serde(default)]
    pub skip: u32,
    /// Number of strikes; without a value the fault strikes until it is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// Chance to strike at a matching request, 0 to 1; 1 without a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

/// Moment at which a kill fault raises SIGKILL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KillAt {
    /// The request has arrived, and nothing is changed yet.
    RequestReceived,
    /// The change is made, and no answer is written yet.
    Applied,
    /// Half of the answer is written.
    HalfAnswered,
}

/// The kinds of fault, by the tag `fault`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum FaultKind {
    /// Sign-in reports that the account is locked; `too_many` selects the other text.
    Locked {
        /// Selects "too many failed attempts" instead of "locked until".
        #[serde(default)]
        too_many: bool,
    },
    /// Sign-in shows a captcha.
    Captcha,
    /// The groups page lists no application.
    NoApplications,
    /// The session ends at this request.
    SessionEnd,
    /// 502.
    BadGateway,
    /// 503 with a maintenance page.
    Maintenance {
        /// Seconds in Retry-After; without a value there is no header.
        #[serde(default)]
        retry_after: Option<u64>,
    },
    /// 429.
    TooManyRequests {
        /// Seconds in Retry-After; without a value there is no header.
        #[serde(default)]
        retry_after: Option<u64>,
    },
    /// The answer takes longer.
    Slow {
        /// Extra milliseconds.
        millis: u64,
    },
    /// The connection is reset, and nothing is changed.
    Reset,
    /// Pages have another markup.
    ChangedLayout,
    /// One kind of answer deviates in one detail from the known pages.
    Deviation {
        /// The name in [`DEVIATIONS`](super::deviations::DEVIATIONS).
        of: &'static Deviation,
    },
    /// Pages are replaced by one that reports an overloaded system.
    BusyPage,
    /// The booking form has no choice of facility.
    FormWithoutChoice,
    /// Lists have no body, or only its beginning.
    EmptyList {
        /// Keeps the first bytes of the list.
        #[serde(default)]
        cut: bool,
    },
    /// Lists are replaced by an error object with unknown text.
    UnknownError,
    /// The booking form also asks for a fingerprint appointment.
    FormAsksAsc,
    /// The booking form does not offer a facility.
    FacilityMissing {
        /// The number of the facility.
        facility: u32,
    },
    /// One group of the groups page has an appointment without a readable date.
    OddCard {
        /// The group's number.
        group: u64,
    },
    /// One group of the groups page has a fingerprint appointment only.
    FingerprintsOnly {
        /// The group's number.
        group: u64,
    },
    /// One group of the groups page has an unknown status text.
    UnknownStatus {
        /// The group's number.
        group: u64,
    },
    /// Pages and lists are replaced by a foreign page (a hotel's sign-in).
    ForeignHtml,
    /// The slot vanishes immediately after its times were answered.
    StealSlot,
    /// The answer to the POST reports a booking, and nothing is booked.
    LieBooked,
    /// The answer to the POST reports a refusal, and the slot is booked.
    LieRefused,
    /// The answer to the POST reports a refusal, nothing is booked, and the slot stays.
    RefuseBooking,
    /// The POST is applied, and then the connection is dropped without an answer.
    CutAfterApply,
    /// The connection is dropped in the middle of the answer.
    HalfAnswer,
    /// "Limit Reached", whatever number is left.
    AttemptsUsedUp,
    /// The groups page shows the old appointment for this long after a booking.
    GroupsLag {
        /// Seconds.
        #[serde(default = "two_minutes")]
        seconds: i64,
    },
    /// Every list is empty, as under a soft ban.
    SoftBan,
    /// Every list is empty, as in restricted hours.
    RestrictedHours,
    /// Every list is empty, as from an overloaded portal.
    OverloadedLists,
    /// Each account sees a different list: a percentage of the dates is missing, different ones for
    /// each account.
    OwnList {
        /// Percentage of dates that one account does not see.
        hides_percent: u64,
    },
    /// Dates are listed, but their times are not.
    PhantomDates,
    /// A process gets SIGKILL at a moment of a request (a booking POST unless `on` names another).
    Kill {
        /// Process id.
        pid: i32,
        /// Moment of the signal.
        at: KillAt,
    },
    /// The mail server refuses connections.
    SmtpDown,
    /// The mail server answers 451.
    SmtpTemporary,
    /// The identity provider answers 503.
    IdentityDown,
    /// The card provider answers 503.
    CardDown,
    /// A notification provider refuses in its usual form, under status 200 if the provider does so.
    RefusedInBody,
    /// A notification's target no longer exists: 410, or the provider's text for it.
    TargetGone,
    /// A notification's receiver has blocked the bot or the sender.
    SenderBlocked,
    /// A Telegram group has migrated to another chat.
    ChatMigrated {
        /// The new chat.
        to: i64,
    },
}

fn two_minutes() -> i64 {
    120
}

impl FaultKind {
    /// Returns the tag as on the wire.
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

    /// Returns the kinds of request in which the fault makes sense; empty means all.
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
    /// Creates a fault for all accounts, wherever it makes sense, until it is removed.
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

/// Attributes of a request that select faults.
pub(crate) struct FaultTarget<'a> {
    pub kind: &'a str,
    pub account: Option<&'a str>,
    pub schedule: Option<u64>,
}

/// Kinds of request to the identity provider.
const IDENTITY: [&str; 5] =
    ["identity_discovery", "identity_keys", "identity_authorize", "identity_choice", "identity_token"];

/// Kinds of request to the card provider.
const CARD: [&str; 7] = [
    "card_create",
    "card_read",
    "card_confirm",
    "card_authenticate",
    "card_cancel",
    "card_refund",
    "card_refunds",
];

/// All notification providers; a single one is `channel_NAME`.
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

/// Faults that strike at one request.
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
    /// Switches a fault on and returns its number.
    pub fn add_fault(&mut self, mut fault: InjectedFault) -> u64 {
        fault.id = self.fresh_id();
        let id = fault.id;
        self.faults.push(fault);
        id
    }

    /// Switches faults off: one by number, or all.
    pub fn remove_faults(&mut self, id: Option<u64>) {
        self.faults.retain(|f| id.is_some_and(|id| f.id != id));
    }

    /// Returns the faults that strike here, and counts each of them.
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
