//! Kinds of faults, and the kinds of request in which they make sense.

use serde::{Deserialize, Serialize};

use super::{asc::AppointmentKind, deviations::Deviation};

/// Kinds of requests to the identity provider.
pub(super) const IDENTITY: [&str; 5] =
    ["identity_discovery", "identity_keys", "identity_authorize", "identity_choice", "identity_token"];

/// Kinds of requests to the card provider.
pub(super) const CARD: [&str; 7] = [
    "card_create",
    "card_read",
    "card_confirm",
    "card_authenticate",
    "card_cancel",
    "card_refund",
    "card_refunds",
];

/// Selects all notification providers. `channel_NAME` selects a single one.
pub(super) const CHANNEL: &str = "channel";

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
    /// The booking form does not offer one consulate or fingerprint place.
    FacilityMissing {
        /// The number of the facility.
        facility: u32,
    },
    /// The groups page shows an unreadable appointment date for one group.
    OddCard {
        /// Portal schedule id of the group.
        group: u64,
    },
    /// The groups page shows only a fingerprint (ASC) appointment for one group: its own, or one
    /// with the data of its consular appointment.
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
    /// The groups page shows one of the two old appointments for some time after a booking.
    HalfGroupsLag {
        /// The appointment that is outdated.
        of: AppointmentKind,
        /// Length of the lag in seconds.
        #[serde(default = "two_minutes")]
        seconds: i64,
    },
    /// The lists of fingerprint dates and times answer 502.
    AscBadGateway,
    /// Rivals book all fingerprint times of a date immediately after they were listed.
    StealAscSlot,
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
            Self::HalfGroupsLag { .. } => "half_groups_lag",
            Self::AscBadGateway => "asc_bad_gateway",
            Self::StealAscSlot => "steal_asc_slot",
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
    pub(super) fn natural_places(&self) -> &'static [&'static str] {
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
            Self::GroupsLag { .. } | Self::HalfGroupsLag { .. } => &["book"],
            Self::AscBadGateway => &["asc_days", "asc_times"],
            Self::StealAscSlot => &["asc_times"],
            Self::AttemptsUsedUp => &["book", "appointment"],
            Self::SoftBan | Self::RestrictedHours | Self::OverloadedLists => {
                &["days", "times", "asc_days", "asc_times", "payment"]
            }
            Self::OwnList { .. } => &["days", "times", "payment"],
            Self::SmtpDown | Self::SmtpTemporary => &["smtp"],
            Self::IdentityDown => &IDENTITY,
            Self::CardDown => &CARD,
            Self::RefusedInBody | Self::TargetGone | Self::SenderBlocked => &[CHANNEL],
            Self::ChatMigrated { .. } => &["channel_telegram"],
            _ => &[],
        }
    }
}
