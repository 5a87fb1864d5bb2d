//! View of the actions that are allowed on a task.

use domain::task::actions::{Action, ActionRefusal, Facts, allows};
use serde::Serialize;
use utoipa::ToSchema;

/// An action on a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ActionView {
    /// `true` if the action is allowed now.
    pub allowed: bool,
    /// Reason for which the action is not allowed, as a stable code, for example `already_running`.
    pub reason: Option<&'static str>,
}

/// All actions on a task. Each has a reason if it is not allowed now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ActionsView {
    /// Change the criteria.
    pub edit: ActionView,
    /// Start the task again.
    pub start: ActionView,
    /// Pause the task.
    pub stop: ActionView,
    /// Delete the task.
    pub delete: ActionView,
    /// Update the portal password, with `verify-credentials`.
    pub update_password: ActionView,
    /// Rate the task.
    pub rate: ActionView,
}

/// Returns the view of the actions that the facts of a task allow.
#[must_use]
pub fn view(facts: &Facts) -> ActionsView {
    let one = |action| {
        let reason = allows(facts, action).err().map(ActionRefusal::as_str);
        ActionView { allowed: reason.is_none(), reason }
    };
    ActionsView {
        edit: one(Action::Edit),
        start: one(Action::Start),
        stop: one(Action::Stop),
        delete: one(Action::Delete),
        update_password: one(Action::UpdatePassword),
        rate: one(Action::Rate),
    }
}
