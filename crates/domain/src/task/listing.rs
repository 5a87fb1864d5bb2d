//! Lists of tasks: stages, filters and orders.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::{Reason, TaskStatus};
use crate::clock::Instant;
use crate::ids::TaskId;

/// Stage of a task: the dashboard list that contains it, its label there, and the filter that
/// selects it.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    utoipa::ToSchema,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum TaskStage {
    /// The task was not submitted yet; no list contains it.
    Unsubmitted,
    /// The engine works on the task.
    Running,
    /// The user must act.
    NeedsYou,
    /// The task was stopped before its goal was reached.
    Paused,
    /// The task stopped automatically after a booking, or used every allowed reschedule and has
    /// booked.
    Completed,
}

impl TaskStage {
    /// Every stage.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Returns the stage of a task. `bookings` is the number of its successful bookings.
    #[must_use]
    pub const fn of(status: TaskStatus, reason: Option<Reason>, bookings: usize) -> Self {
        match (status, reason) {
            (TaskStatus::Draft | TaskStatus::Configured, _) => Self::Unsubmitted,
            (TaskStatus::Submitted | TaskStatus::Processing | TaskStatus::Active, _) => Self::Running,
            (TaskStatus::Error, _) => Self::NeedsYou,
            (TaskStatus::Stopped, Some(Reason::AutoStop)) => Self::Completed,
            (TaskStatus::Stopped, Some(Reason::ReschedulesUsed)) if bookings > 0 => Self::Completed,
            (TaskStatus::Stopped, _) => Self::Paused,
        }
    }

    /// Returns the stage of the task while it has an open question: a running task needs its user
    /// then.
    #[must_use]
    pub const fn with_open_question(self) -> Self {
        match self {
            Self::Running => Self::NeedsYou,
            other => other,
        }
    }
}

/// Filter of a list of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskFilter {
    /// Tasks with a status.
    Status(TaskStatus),
    /// Tasks in a stage.
    Stage(TaskStage),
}

impl TaskFilter {
    /// Parses the name of a status or of a stage.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        TaskStatus::parse(word).map(Self::Status).or_else(|| word.parse().ok().map(Self::Stage))
    }
}

/// Order of a list of tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskOrder {
    /// Newest first.
    #[default]
    Submitted,
    /// Soonest appointment first, tasks without one last.
    Appointment,
    /// Soonest check first, tasks without one last.
    NextCheck,
}

/// The data of a task that decides its place in a list.
#[derive(Clone, Debug)]
pub struct ListedTask {
    /// Id of the task.
    pub id: TaskId,
    /// Status of the task.
    pub status: TaskStatus,
    /// Reason for the status.
    pub reason: Option<Reason>,
    /// Number of successful bookings.
    pub bookings: usize,
    /// Time of submission; for a draft, the time of creation.
    pub submitted_at: Instant,
    /// Time of creation.
    pub created_at: Instant,
    /// Date of the appointment.
    pub appointment: Option<NaiveDate>,
    /// Time of the next check; `None` while the task is not running.
    pub next_check: Option<Instant>,
    /// `true` while a question of the task can be answered.
    pub question_open: bool,
}

impl ListedTask {
    /// Returns the stage of the task.
    #[must_use]
    pub const fn stage(&self) -> TaskStage {
        let stage = TaskStage::of(self.status, self.reason, self.bookings);
        if self.question_open { stage.with_open_question() } else { stage }
    }

    /// Returns `true` if the filter selects the task.
    #[must_use]
    pub fn matches(&self, filter: TaskFilter) -> bool {
        match filter {
            TaskFilter::Status(status) => self.status == status,
            TaskFilter::Stage(stage) => self.stage() == stage,
        }
    }
}

/// Sorts tasks. Equal ones stay newest first.
pub fn sort(tasks: &mut [ListedTask], order: TaskOrder) {
    tasks.sort_by_key(|task| std::cmp::Reverse((task.submitted_at, task.created_at, task.id.0)));
    match order {
        TaskOrder::Submitted => {}
        TaskOrder::Appointment => tasks.sort_by_key(|task| (task.appointment.is_none(), task.appointment)),
        TaskOrder::NextCheck => tasks.sort_by_key(|task| (task.next_check.is_none(), task.next_check)),
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn every_status_and_reason_maps_to_a_stage() {
        use TaskStage::{Completed, NeedsYou, Paused, Running, Unsubmitted};
        let by_status = |reason, bookings| {
            TaskStatus::ALL.iter().map(|status| TaskStage::of(*status, reason, bookings)).collect::<Vec<_>>()
        };
        let mut expected = vec![Unsubmitted, Unsubmitted, Running, Running, Running, Paused, NeedsYou];
        assert_eq!(by_status(None, 0), expected);
        assert_eq!(by_status(Some(Reason::ByUser), 2), expected, "a pause stays a pause after bookings");
        assert_eq!(
            by_status(Some(Reason::ReschedulesUsed), 0),
            expected,
            "the reschedules were used elsewhere, so nothing was booked"
        );
        expected[5] = Completed;
        assert_eq!(by_status(Some(Reason::ReschedulesUsed), 1), expected);
        assert_eq!(by_status(Some(Reason::AutoStop), 1), expected);
    }

    #[test]
    fn task_filters_parse_status_and_stage_names() {
        for status in TaskStatus::ALL {
            assert_eq!(TaskFilter::parse(status.as_str()), Some(TaskFilter::Status(*status)));
        }
        for stage in TaskStage::ALL {
            assert_eq!(TaskFilter::parse(stage.into()), Some(TaskFilter::Stage(*stage)));
        }
        assert_eq!(TaskFilter::parse("asleep"), None);
        assert_eq!(TaskFilter::parse(""), None);
    }

    #[test]
    fn tasks_sort_by_the_requested_order_or_newest_first() {
        let start = chrono::DateTime::UNIX_EPOCH;
        let day = |n| NaiveDate::from_ymd_opt(2026, 12, n);
        let task = |n: u8, appointment, next: Option<i64>| ListedTask {
            id: TaskId(uuid::Uuid::from_u128(u128::from(n))),
            status: TaskStatus::Active,
            reason: None,
            bookings: 0,
            submitted_at: start + TimeDelta::hours(i64::from(n)),
            created_at: start,
            appointment,
            next_check: next.map(|minutes| start + TimeDelta::minutes(minutes)),
            question_open: false,
        };
        let mut tasks =
            [task(1, day(9), None), task(2, None, Some(5)), task(3, day(4), Some(2)), task(4, None, None)];
        let mut sorted = |order| {
            sort(&mut tasks, order);
            tasks.iter().map(|task| task.id.0.as_u128()).collect::<Vec<_>>()
        };
        assert_eq!(sorted(TaskOrder::Appointment), [3, 1, 4, 2]);
        assert_eq!(sorted(TaskOrder::NextCheck), [3, 2, 4, 1]);
        assert_eq!(sorted(TaskOrder::Submitted), [4, 3, 2, 1]);
    }
}
