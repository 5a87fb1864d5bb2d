//! Purposes of requests.

/// Lowest balance to which bookings and read-backs may draw.
const DEEPEST: f64 = -30.0;

/// Purpose of a request. The balance required before work begins depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Purpose {
    /// The requests of a booking attempt, the POST included.
    Booking,
    /// Reading the result of a sent booking attempt.
    ReadBack,
    /// Verifying a login that the user has just typed, or a stored login on the user's behalf.
    Verification,
    /// Fetching a list of free dates.
    Poll,
    /// Signing in for a task and reading its group before its first poll.
    WarmUp,
    /// Preparing an account for a booking.
    Prewarm,
    /// Testing whether an unreadable page has become readable.
    Probe,
    /// Reading the groups of an account, independent of its calendars.
    Visit,
    /// Checking whether the user of an ended task took a notified date, or whether a booking
    /// attempt was applied late.
    LastRead,
}

impl Purpose {
    /// All purposes.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Returns the balance, in requests, that must be available before work for this purpose
    /// begins.
    pub const fn floor(self) -> f64 {
        match self {
            Self::Booking | Self::ReadBack => DEEPEST,
            Self::Verification => 1.0,
            Self::Poll | Self::WarmUp | Self::Prewarm | Self::Probe | Self::Visit | Self::LastRead => 2.0,
        }
    }

    /// Returns the stable name for metrics.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
