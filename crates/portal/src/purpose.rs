//! What requests are for.

/// How far bookings and read-backs may draw the balance below zero.
const DEEPEST: f64 = -30.0;

/// What a request is for: it decides whether the request waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Purpose {
    /// The requests of a booking attempt, the POST included.
    Booking,
    /// Reading what became of an attempt that was sent.
    ReadBack,
    /// Testing a login that a person has just typed, or a stored one for their sake.
    Verification,
    /// A list of free days.
    Poll,
    /// Signing a task in and reading its group before its first poll.
    WarmUp,
    /// Making an account ready to book.
    Prewarm,
    /// Whether a page that nobody could read can be read again.
    Probe,
    /// Reading an account's groups, whatever its calendars show.
    Visit,
    /// Whether the user of an ended task took what it told them of, or an attempt is applied late.
    LastRead,
}

impl Purpose {
    /// Every purpose.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The balance that has to be there before work for this purpose begins, in requests.
    pub const fn floor(self) -> f64 {
        match self {
            Self::Booking | Self::ReadBack => DEEPEST,
            Self::Verification => 1.0,
            Self::Poll | Self::WarmUp | Self::Prewarm | Self::Probe | Self::Visit | Self::LastRead => 2.0,
        }
    }

    /// A stable word for metrics.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
