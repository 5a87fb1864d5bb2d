//! Endpoints `GET /questions` and `POST /questions/answer`, for the page to which the link of a
//! question leads. GET changes nothing.

use app::questions::{self, QuestionAnswer, QuestionWithTask};
use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use domain::appointment::Appointment;
use domain::journal::{CityName, NamedSlot};
use domain::money::Money;
use domain::question::{ApprovalRefusal, YesOutcome};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::auth::guess_limits;
use super::auth::verify::{Link, raw};
use crate::AppState;
use crate::http::detached::detached;
use crate::http::envelope::{Answer, Envelope, ok};
use crate::http::error::{Code, ErrorEnvelope};
use crate::http::extract::{Body, ClientIp, Query};
use crate::http::rate_limit::LimitedAction;

/// State of an ask-first question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionState {
    /// The user can approve the date.
    Open,
    /// The user approved, and the engine tries to book the date.
    Trying,
    /// The date is booked.
    Booked,
    /// The date is no longer free.
    Gone,
    /// The date was not booked: a rule did not allow the booking, the portal failed, or it refused.
    NotBooked,
    /// The booking request was sent, and its outcome is not known yet.
    Unknown,
    /// The time in which the user could approve has passed.
    Late,
    /// The task's criteria changed after the question was sent.
    Edited,
    /// The group's appointment changed after the question was sent.
    Moved,
    /// The task is not running.
    Paused,
    /// The user answered no.
    Declined,
}

/// Answer to a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerChoice {
    /// Book the date.
    #[default]
    Yes,
    /// Do not book the date, and do not ask about it again while it is listed.
    No,
}

/// An ask-first question. It contains no full names, because anyone with the link can read it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct QuestionView {
    /// State of the question.
    pub state: QuestionState,
    /// Identifier of the task.
    pub schedule_id: Uuid,
    /// Initials of each applicant, for example `L. A.`.
    pub initials: Vec<String>,
    /// City of the date.
    pub facility: CityName,
    /// Chinese name of the city.
    pub facility_zh: String,
    /// The date.
    pub date: NaiveDate,
    /// Appointment that the booking would replace; null for a first booking.
    pub old: Option<NamedSlot>,
    /// New appointment, once it is booked.
    pub new: Option<NamedSlot>,
    /// Number of further changes that the task may make at the portal.
    pub changes_left: Option<u32>,
    /// Price of the booking; zero if the task is already paid.
    pub price: f64,
    /// Time until which the user can approve.
    pub valid_until: DateTime<Utc>,
}

/// Input to answer a question.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Yes)]
pub struct ApprovalToken {
    /// Token of the link, 64 hexadecimal characters.
    token: String,
    /// The answer; without it, yes.
    #[serde(default)]
    answer: AnswerChoice,
}

/// Returns a question. The call changes nothing and can be repeated.
#[utoipa::path(get, path = "/questions", tag = "schedules", params(Link), responses(
    (status = 200, body = Envelope<QuestionView>),
    (status = 400, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
))]
pub async fn get_question(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Query(link): Query<Link>,
) -> Answer<QuestionView> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let raw = link.raw().ok_or(Code::InvalidToken)?;
    let mut tx = app.db.read().await?;
    let asked = questions::read(&app.use_cases(), &mut tx, &raw).await?;
    ok(QuestionView::of(&asked))
}

/// Answers a question. It is approved at most once; the engine then tries to book the date. If the
/// approval has no effect, `state` shows the reason.
#[utoipa::path(post, path = "/questions/answer", tag = "schedules", request_body = ApprovalToken, responses(
    (status = 200, body = Envelope<QuestionView>),
    (status = 400, body = ErrorEnvelope), (status = 429, body = ErrorEnvelope),
))]
pub async fn answer_question(
    State(app): State<AppState>,
    ClientIp(address): ClientIp,
    Body { value: given, .. }: Body<ApprovalToken>,
) -> Answer<QuestionView> {
    guess_limits::call(&app, LimitedAction::UseLink, None, address)?;
    let raw = raw(&given.token).ok_or(Code::InvalidToken)?;
    let answer = match given.answer {
        AnswerChoice::Yes => QuestionAnswer::Yes,
        AnswerChoice::No => QuestionAnswer::No,
    };
    let asked = detached(async move {
        let mut tx = app.db.begin().await?;
        let asked = questions::answer(&app.use_cases(), &mut tx, &raw, answer).await?;
        tx.commit().await?;
        app.engine.nudge();
        Ok(asked)
    });
    ok(QuestionView::of(&asked.await?))
}

impl QuestionView {
    /// Creates the view of a question from its stored state and its task.
    pub(crate) fn of(asked: &QuestionWithTask) -> Self {
        let QuestionWithTask { stored, task, .. } = asked;
        let question = &stored.question;
        let booked = booked(asked);
        let state = QuestionState::of(asked);
        let asks = task.criteria.as_ref().is_some_and(|criteria| criteria.mode.changes());
        let left = task.allowance().map(|allowance| allowance.changes_left());
        let due = task.price.filter(|_| task.captured_at.is_none()).map_or(0, |price| price.total);
        Self {
            state,
            schedule_id: task.id.0,
            initials: task.group.initials(),
            facility: CityName(question.facility),
            facility_zh: question.facility.facility().name_zh.to_owned(),
            date: question.day,
            old: question.current.as_ref().map(NamedSlot::from),
            new: booked.filter(|_| state == QuestionState::Booked).as_ref().map(NamedSlot::from),
            changes_left: left.filter(|_| asks && task.booked.is_some()),
            price: Money::cad(due).to_wire(),
            valid_until: question.valid_until(),
        }
    }
}

/// Returns the appointment of the task, if it is on the date of the question.
fn booked(asked: &QuestionWithTask) -> Option<Appointment> {
    let question = &asked.stored.question;
    let is_asked = |held: &Appointment| {
        (held.consular.facility, held.consular.date) == (question.facility, question.day)
    };
    asked.task.booked.filter(is_asked)
}

impl QuestionState {
    /// Returns the state of a question as combined with its task.
    pub(crate) fn of(asked: &QuestionWithTask) -> Self {
        let is_booked = booked(asked).is_some();
        match (asked.stored.outcome, asked.stored.question.answered_at.is_some(), asked.counts) {
            (Some(YesOutcome::Booked), ..) => Self::Booked,
            (Some(YesOutcome::Unknown), ..) if is_booked => Self::Booked,
            (Some(YesOutcome::Unknown), ..) => Self::Unknown,
            (Some(YesOutcome::Gone), ..) => Self::Gone,
            (Some(YesOutcome::NotBooked), ..) => Self::NotBooked,
            (None, true, _) => Self::Trying,
            (None, false, _) if asked.stored.question.declined_at.is_some() => Self::Declined,
            (None, false, Ok(())) => Self::Open,
            (None, false, Err(ApprovalRefusal::Spent)) => Self::Trying,
            (None, false, Err(ApprovalRefusal::Moved)) => Self::Moved,
            (None, false, Err(ApprovalRefusal::Edited)) => Self::Edited,
            (None, false, Err(ApprovalRefusal::Paused)) => Self::Paused,
            (None, false, Err(ApprovalRefusal::Gone)) => Self::Gone,
            (None, false, Err(ApprovalRefusal::Late)) => Self::Late,
        }
    }
}
