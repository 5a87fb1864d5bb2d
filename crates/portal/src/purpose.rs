//! Purposes of requests to the portal.

/// Lowest token balance at which bookings and read-backs may begin.
const DEEPEST: f64 = -30.0;

/// Purpose of a request. It decides the token balance required before work begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Purpose {
    /// All requests of a booking attempt, including the POST.
    Booking,
    /// Reading the result of a sent booking attempt.
    ReadBack,
    /// Verifying a login: one that the user has just typed, or a stored one.
    Verification,
    /// Fetching a list of free dates.
    Poll,
    /// Signing in for a task and reading its group before its first poll.
    WarmUp,
    /// Preparing an account for a booking.
    Prewarm,
    /// Checking if a page that could not be parsed is readable again.
    Probe,
    /// Reading the groups of an account without polling.
    Visit,
    /// Final or late reading of the portal for an ended task. It finds out if the user booked a
    /// notified date, or if the portal applied an earlier booking attempt late.
    LastRead,
}

impl Purpose {
    /// All purposes.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Returns the token balance required before work for this purpose begins.
    pub const fn floor(self) -> f64 {
        match self {
            Self::Booking | Self::ReadBack => DEEPEST,
            Self::Verification => 1.0,
            Self::Poll | Self::WarmUp | Self::Prewarm | Self::Probe | Self::Visit | Self::LastRead => 2.0,
        }
    }

    /// Returns the stable name used in metrics.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
