//! Questions to users about dates, and the users' approvals.

use std::collections::{HashMap, HashSet};

use chrono::{NaiveDate, TimeDelta};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use domain::question::YES_LIVES;
use store::question::{OpenQuestion, StoredQuestion};
use uuid::Uuid;

/// Task, facility and date of a question.
pub(crate) type Asked = (TaskId, FacilityId, NaiveDate);

/// Stored answers of users.
pub(crate) struct Answers {
    /// Approved questions without an outcome.
    pub approved: Vec<StoredQuestion>,
    /// Listed dates about which a user answered no.
    pub declined: Vec<OpenQuestion>,
}

/// A user's approval of a booking.
#[derive(Clone, Debug)]
pub(crate) struct Approval {
    /// The question that it answers.
    pub(crate) question: Uuid,
    /// Time at which the approval expires (wall time).
    pub(super) until: Instant,
    /// `true` if a booking request was committed for the approval. It permits no other request.
    pub(super) sent: bool,
    /// `true` if it has an outcome; kept until a later read of the rows no longer shows it.
    pub(super) ended: bool,
    /// Time before which the task is not queued for the date again (portal time).
    pub(super) not_before: Option<Instant>,
}

impl Approval {
    /// Returns `true` if a booking may still be tried with the approval.
    const fn counts(&self) -> bool {
        !self.sent && !self.ended
    }
}

/// Questions to users, and approvals of dates until they have an outcome.
#[derive(Default)]
pub(crate) struct Questions {
    /// Dates for which a question was sent.
    pub asked: AskedDates,
    approvals: HashMap<Asked, Approval>,
}

impl Questions {
    /// Replaces all questions and approvals, at the start of an engine.
    pub fn load(&mut self, asked: AskedDates, answers: Answers) {
        self.asked = asked;
        self.approvals.clear();
        self.take_answers(answers);
    }

    /// Replaces the approvals by the approved questions whose outcome is still open. Ends the
    /// questions that were answered with no.
    pub fn take_answers(&mut self, answers: Answers) {
        let declined = answers.declined.into_iter();
        self.asked.set_declined(declined.map(|question| (question.task, question.facility, question.day)));
        let mut known = std::mem::take(&mut self.approvals);
        for StoredQuestion { id, question, .. } in answers.approved {
            let asked = (question.task, question.facility, question.day);
            let Some(at) = question.answered_at else { continue };
            let same = known.remove(&asked).filter(|approval| approval.question == id);
            let (until, sent) = (at + YES_LIVES, question.sent_at.is_some());
            let fresh = Approval { question: id, until, sent, ended: false, not_before: None };
            let mut approval = same.unwrap_or(fresh);
            approval.sent |= sent;
            self.approvals.insert(asked, approval);
        }
    }

    /// Returns the dates with an approval.
    pub fn approved(&self) -> Vec<Asked> {
        self.approvals.keys().copied().collect()
    }

    /// Returns the dates for which a booking may still be tried, each with its approval.
    pub fn usable(&self) -> impl Iterator<Item = (Asked, &Approval)> {
        let approvals = self.approvals.iter().map(|(asked, approval)| (*asked, approval));
        approvals.filter(|(_, approval)| approval.counts())
    }

    /// Returns the approval of a date without an outcome.
    pub fn open(&self, asked: Asked) -> Option<&Approval> {
        self.approvals.get(&asked).filter(|approval| !approval.ended)
    }

    /// Returns `true` if the user approved this date and the approval permits a booking.
    pub fn is_approved(&self, asked: Asked) -> bool {
        self.approvals.get(&asked).is_some_and(Approval::counts)
    }

    /// Records that a booking request was committed for an approval, which permits no other
    /// request.
    pub fn mark_sent(&mut self, asked: Asked) {
        if let Some(approval) = self.approvals.get_mut(&asked) {
            approval.sent = true;
        }
    }

    /// Delays the next queueing of an approved task.
    pub fn delay(&mut self, asked: Asked, until: Instant) {
        if let Some(approval) = self.approvals.get_mut(&asked) {
            approval.not_before = Some(until);
        }
    }

    /// Records that the approval of a question has an outcome. The entry is kept, because rows read
    /// before that write would restore it.
    pub fn end(&mut self, asked: Asked, question: Uuid) {
        let approval = self.approvals.get_mut(&asked).filter(|approval| approval.question == question);
        if let Some(approval) = approval {
            approval.ended = true;
        }
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        self.asked.shift(by);
        self.approvals
            .values_mut()
            .filter_map(|approval| approval.not_before.as_mut())
            .for_each(|at| *at += by);
    }
}

/// Dates about which a question was sent, while they are listed.
#[derive(Default)]
pub(crate) struct AskedDates {
    /// For each question, the time until which an approval counts, and the time of its check for an
    /// answer.
    due: HashMap<Asked, (Instant, Instant)>,
    /// The earliest of these checks.
    next: Option<Instant>,
    /// Times at which the next question about a date may be sent, if it is still listed then.
    repeats: HashMap<Asked, Instant>,
    /// Dates about which the next question is sent as soon as a poll lists them.
    repeatable: HashSet<Asked>,
    /// Dates about which a user answered no, as last read. Their tasks skip them.
    declined: HashSet<Asked>,
    /// Dates whose question was not approved. Their tasks skip them.
    in_vain: HashMap<FacilityId, HashSet<(TaskId, NaiveDate)>>,
    /// Tasks that have reached their limit of questions, each with the time from which it may send
    /// another.
    often: HashMap<TaskId, Instant>,
}

impl AskedDates {
    /// Records a question: an approval counts until `open_until`, and its outcome is checked later.
    pub fn add(&mut self, asked: Asked, open_until: Instant, check_at: Instant) {
        self.repeatable.remove(&asked);
        self.due.insert(asked, (open_until, check_at));
        self.next = self.next.map_or(Some(check_at), |next| Some(next.min(check_at)));
    }

    /// Takes the questions whose check is due.
    pub fn take_due(&mut self, now: Instant) -> Vec<Asked> {
        if self.next.is_none_or(|next| next > now) {
            return Vec::new();
        }
        let due = self.due.extract_if(|_, (_, at)| *at <= now).map(|(asked, _)| asked).collect();
        self.next = self.due.values().map(|(_, at)| *at).min();
        due
    }

    /// Plans the next question about the same date.
    pub fn repeat_at(&mut self, asked: Asked, at: Instant) {
        self.repeats.insert(asked, at);
    }

    /// Takes the dates about which the next question may be sent.
    pub fn take_repeats(&mut self, now: Instant) -> Vec<Asked> {
        self.repeats.extract_if(|_, at| *at <= now).map(|(asked, _)| asked).collect()
    }

    /// Records that the next question about a date may be sent when a poll lists it.
    pub fn repeat_now(&mut self, asked: Asked) {
        let (task, facility, day) = asked;
        if let Some(days) = self.in_vain.get_mut(&facility) {
            days.remove(&(task, day));
        }
        self.repeatable.insert(asked);
    }

    /// Returns `true` if the next question about a date may be sent.
    pub fn is_repeatable(&self, asked: Asked) -> bool {
        self.repeatable.contains(&asked)
    }

    /// Replaces the dates about which users answered no. Ends their questions.
    fn set_declined(&mut self, declined: impl Iterator<Item = Asked>) {
        self.declined = declined.collect();
        for asked in &self.declined {
            self.due.remove(asked);
            self.repeats.remove(asked);
            self.repeatable.remove(asked);
        }
    }

    /// Records that a question was not approved. Its task then skips the date.
    pub fn add_in_vain(&mut self, asked: Asked) {
        let (task, facility, day) = asked;
        self.repeatable.remove(&asked);
        self.in_vain.entry(facility).or_default().insert((task, day));
    }

    /// Forgets a question about a date.
    pub fn forget(&mut self, asked: Asked) {
        let (task, facility, day) = asked;
        self.due.remove(&asked);
        self.repeats.remove(&asked);
        self.repeatable.remove(&asked);
        self.declined.remove(&asked);
        if let Some(days) = self.in_vain.get_mut(&facility) {
            days.remove(&(task, day));
        }
    }

    /// Forgets all questions of a task that stops, or whose criteria change.
    pub fn forget_task(&mut self, task: TaskId) {
        self.due.retain(|(of, ..), _| *of != task);
        self.repeats.retain(|(of, ..), _| *of != task);
        self.repeatable.retain(|(of, ..)| *of != task);
        self.declined.retain(|(of, ..)| *of != task);
        self.in_vain.values_mut().for_each(|days| days.retain(|(of, _)| *of != task));
        self.often.remove(&task);
    }

    /// Returns the dates of a facility whose question was not approved, each with its task.
    pub fn in_vain(&self, facility: FacilityId) -> impl Iterator<Item = (TaskId, NaiveDate)> {
        let declined = self.declined.iter().filter(move |(_, at, _)| *at == facility);
        let declined = declined.map(|(task, _, day)| (*task, *day));
        self.in_vain.get(&facility).into_iter().flatten().copied().chain(declined)
    }

    /// Returns the questions that can still be approved.
    pub fn open(&self, now: Instant) -> impl Iterator<Item = Asked> {
        self.due.iter().filter(move |(_, (until, _))| *until > now).map(|(asked, _)| *asked)
    }

    /// Records that the task sends no question before `until`.
    pub fn pause(&mut self, task: TaskId, until: Instant) {
        self.often.insert(task, until);
    }

    /// Returns `true` if a task has reached its limit of questions.
    pub fn is_paused(&self, task: TaskId, now: Instant) -> bool {
        self.often.get(&task).is_some_and(|until| *until > now)
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        let due = self.due.values_mut().flat_map(|(until, at)| [until, at]);
        let later = self.often.values_mut().chain(self.repeats.values_mut());
        due.chain(later).chain(&mut self.next).for_each(|at| *at += by);
    }
}
