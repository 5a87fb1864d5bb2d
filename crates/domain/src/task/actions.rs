//! Capability table: the actions allowed for a task, with reasons for those that are not.

use super::{Reason, TaskStatus};

/// Action of a user on a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Change the criteria.
    Edit,
    /// Start the task again.
    Start,
    /// Pause the task.
    Stop,
    /// Delete the task permanently.
    Delete,
    /// Enter the portal's password again.
    UpdatePassword,
    /// Rate the service after a success.
    Rate,
}

impl Action {
    /// Every action.
    pub const ALL: [Self; 6] =
        [Self::Edit, Self::Start, Self::Stop, Self::Delete, Self::UpdatePassword, Self::Rate];
}

/// Reason that an action is not offered. The locale files contain the texts beside the disabled
/// button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ActionRefusal {
    /// The task was not submitted yet.
    SubmittedFirst,
    /// The task is running.
    AlreadyRunning,
    /// The task is not running.
    NotRunning,
    /// The portal refused the task's password.
    NeedsNewPassword,
    /// The task's portal password was deleted.
    CredentialsRemoved,
    /// The outcome of the last booking is not known yet.
    BookingUnconfirmed,
    /// The window of the task has passed: the user must edit it first.
    RangeOver,
    /// The task has used all reschedules that its user allows: the user must allow more first.
    ReschedulesUsed,
    /// The portal allows no further change of the appointment.
    NoneLeft,
    /// The applicants of the group differ from the priced ones: the user must accept them first.
    GroupChanged,
    /// No booking succeeded yet.
    NoSuccessYet,
    /// The task has a rating.
    AlreadyRated,
}

impl ActionRefusal {
    /// Every refusal.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Returns the value on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Facts that decide the allowed actions of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Status of the task.
    pub status: TaskStatus,
    /// Reason for the status.
    pub reason: Option<Reason>,
    /// `true` if the portal accepted the password the last time; `None` if no password is stored.
    pub password_works: Option<bool>,
    /// `true` if an operator must settle the outcome of a booking.
    pub unconfirmed: bool,
    /// `true` if the last date of the window has passed.
    pub range_over: bool,
    /// `true` if the task books automatically and has used all reschedules that its user allows.
    pub reschedules_used: bool,
    /// `true` if the task books automatically and the portal allows no further change.
    pub none_left: bool,
    /// `true` if the applicants of the group, as last read, differ from the priced ones.
    pub group_changed: bool,
    /// `true` if at least one booking succeeded.
    pub succeeded: bool,
    /// `true` if the user has rated the task.
    pub rated: bool,
}

/// Checks that `action` is allowed for a task. Handlers call it, and every view of a task shows its
/// result.
///
/// # Errors
/// Returns the reason that the action is not allowed.
pub const fn allows(facts: &Facts, action: Action) -> Result<(), ActionRefusal> {
    let submitted = !matches!(facts.status, TaskStatus::Draft | TaskStatus::Configured);
    match action {
        Action::Delete => Ok(()),
        Action::Edit if matches!(facts.status, TaskStatus::Draft) => Err(ActionRefusal::SubmittedFirst),
        Action::Edit => Ok(()),
        _ if !submitted => Err(ActionRefusal::SubmittedFirst),
        Action::Stop if facts.status.is_running() => Ok(()),
        Action::Stop => Err(ActionRefusal::NotRunning),
        Action::Start => starts(facts),
        Action::UpdatePassword => Ok(()),
        Action::Rate if !facts.succeeded => Err(ActionRefusal::NoSuccessYet),
        Action::Rate if facts.rated => Err(ActionRefusal::AlreadyRated),
        Action::Rate => Ok(()),
    }
}

const fn starts(facts: &Facts) -> Result<(), ActionRefusal> {
    if facts.status.is_running() {
        return Err(ActionRefusal::AlreadyRunning);
    }
    if facts.unconfirmed {
        // No job may act before the outcome of the last booking is known.
        return Err(ActionRefusal::BookingUnconfirmed);
    }
    match facts.password_works {
        None => return Err(ActionRefusal::CredentialsRemoved),
        Some(false) => return Err(ActionRefusal::NeedsNewPassword),
        Some(true) => {}
    }
    if facts.range_over {
        return Err(ActionRefusal::RangeOver);
    }
    // The engine would stop the task at once; until then it would only seem to search.
    if facts.none_left {
        return Err(ActionRefusal::NoneLeft);
    }
    if facts.reschedules_used {
        return Err(ActionRefusal::ReschedulesUsed);
    }
    if facts.group_changed {
        return Err(ActionRefusal::GroupChanged);
    }
    Ok(())
}
