//! What may be asked of a task, as views of it say.

use domain::task::actions::{Action, Facts, Refusal, allows};
use serde::Serialize;
use utoipa::ToSchema;

/// One action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ActionView {
    /// Whether it may be asked for now.
    pub allowed: bool,
    /// Why not, as a stable word, e.g. `already_running`.
    pub reason: Option<&'static str>,
}

/// What may be asked of a task, each with the reason where it may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ActionsView {
    /// Change what it accepts.
    pub edit: ActionView,
    /// Start again.
    pub start: ActionView,
    /// Pause.
    pub stop: ActionView,
    /// Remove for good.
    pub delete: ActionView,
    /// Give the portal's password anew, by verify-credentials.
    pub update_password: ActionView,
    /// Say how it was.
    pub rate: ActionView,
}

/// The table as a view of a task says it.
#[must_use]
pub fn view(facts: &Facts) -> ActionsView {
    let one = |action| {
        let reason = allows(facts, action).err().map(Refusal::as_str);
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
