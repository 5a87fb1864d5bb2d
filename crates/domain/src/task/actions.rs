//! The capability table: what may be asked of a task, and why not.

use super::{Reason, TaskStatus};

/// What a user may ask of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Change the criteria.
    Edit,
    /// Start again.
    Start,
    /// Pause.
    Stop,
    /// Remove for good.
    Delete,
    /// Give the portal's password anew.
    UpdatePassword,
    /// Say how it was, after a success.
    Rate,
}

impl Action {
    /// Every action.
    pub const ALL: [Self; 6] =
        [Self::Edit, Self::Start, Self::Stop, Self::Delete, Self::UpdatePassword, Self::Rate];
}

/// Why an action is not offered; the words beside the disabled button live in the locale files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Refusal {
    /// It was not submitted yet.
    SubmittedFirst,
    /// It runs.
    AlreadyRunning,
    /// It does not run.
    NotRunning,
    /// The portal refused its password.
    NeedsNewPassword,
    /// Its portal password is no longer kept here.
    CredentialsRemoved,
    /// Nobody could tell yet whether its last booking took place.
    BookingUnconfirmed,
    /// Its window has passed: it is edited first.
    RangeOver,
    /// It has used as many reschedules as its user allows: more are allowed first.
    ReschedulesUsed,
    /// The portal allows its appointment no further change.
    NoneLeft,
    /// Its group has other people than were priced: they are agreed to first.
    GroupChanged,
    /// No booking succeeded yet.
    NoSuccessYet,
    /// It has its rating.
    AlreadyRated,
}

impl Refusal {
    /// Every refusal.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// What decides what may be asked of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Where it stands.
    pub status: TaskStatus,
    /// Why.
    pub reason: Option<Reason>,
    /// Its portal password, if it is kept here: whether the portal took it the last time.
    pub password_works: Option<bool>,
    /// The outcome of a booking is a person's to settle.
    pub unconfirmed: bool,
    /// The last day of its window has passed.
    pub range_over: bool,
    /// It books by itself, and has used as many reschedules as its user allows.
    pub reschedules_used: bool,
    /// It books by itself, and the portal allows no further change.
    pub none_left: bool,
    /// Its group, as last read, has other people than were priced.
    pub group_changed: bool,
    /// At least one booking succeeded.
    pub succeeded: bool,
    /// It was given stars.
    pub rated: bool,
}

/// Whether `action` may be asked of a task; handlers ask this, and every view of a task says it.
///
/// # Errors
/// Why it may not.
pub const fn allows(facts: &Facts, action: Action) -> Result<(), Refusal> {
    let submitted = !matches!(facts.status, TaskStatus::Draft | TaskStatus::Configured);
    match action {
        Action::Delete => Ok(()),
        Action::Edit if matches!(facts.status, TaskStatus::Draft) => Err(Refusal::SubmittedFirst),
        Action::Edit => Ok(()),
        _ if !submitted => Err(Refusal::SubmittedFirst),
        Action::Stop if facts.status.is_running() => Ok(()),
        Action::Stop => Err(Refusal::NotRunning),
        Action::Start => starts(facts),
        Action::UpdatePassword => Ok(()),
        Action::Rate if !facts.succeeded => Err(Refusal::NoSuccessYet),
        Action::Rate if facts.rated => Err(Refusal::AlreadyRated),
        Action::Rate => Ok(()),
    }
}

const fn starts(facts: &Facts) -> Result<(), Refusal> {
    if facts.status.is_running() {
        return Err(Refusal::AlreadyRunning);
    }
    if facts.unconfirmed {
        // Nothing may act here until it is known what the last booking did.
        return Err(Refusal::BookingUnconfirmed);
    }
    match facts.password_works {
        None => return Err(Refusal::CredentialsRemoved),
        Some(false) => return Err(Refusal::NeedsNewPassword),
        Some(true) => {}
    }
    if facts.range_over {
        return Err(Refusal::RangeOver);
    }
    // The engine would stop it at once: started, it would only seem to search.
    if facts.none_left {
        return Err(Refusal::NoneLeft);
    }
    if facts.reschedules_used {
        return Err(Refusal::ReschedulesUsed);
    }
    if facts.group_changed {
        return Err(Refusal::GroupChanged);
    }
    Ok(())
}
