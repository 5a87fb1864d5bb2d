//! Builds the JSON views of tasks from stored rows. The number of statements does not depend on the
//! number of tasks.

use domain::health::SignInHealth;
use std::collections::{BTreeSet, HashMap};

use app::questions::QuestionWithTask;
use chrono::{NaiveDate, TimeDelta};
use domain::budget::Limits;
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::country::CountryCode;
use domain::criteria::BookingMode;
use domain::ids::{TaskId, UserId};
use domain::money::Money;
use domain::question::{FROM_SIGHTING, Question};
use domain::task::Reason;
use domain::task::listing::TaskStage;
use serde_json::json;
use store::Tx;
use store::journal::Success;
use store::seen::RecentlySeenDate;
use store::task::{CityWatch, Relations, Task, TaskWatch};

use super::actions;
use super::params::SearchParams;
use super::view::{
    CityView, ConfigView, CredentialView, EarliestView, EngineView, LatestQuestionView, LooksView,
    RatingView, SeenView, TaskView, VerdictView, appointment, price, success,
};
use crate::AppState;
use crate::api::questions::QuestionState;
use crate::http::error::ApiError;

/// Period for which a date stays in the view after it was last listed.
const SEEN_FOR: TimeDelta = TimeDelta::days(14);
const SEEN_DAYS: usize = 60;
/// Period for which the latest question stays in the view.
const QUESTION_SHOWN_FOR: TimeDelta = TimeDelta::hours(24);

/// Returns the complete view of a task.
pub async fn task(tx: &mut Tx, app: &AppState, task: &Task) -> Result<TaskView, ApiError> {
    let mut views = tasks(tx, app, std::slice::from_ref(task)).await?;
    views.pop().ok_or_else(|| ApiError::internal(&"a task has no view"))
}

/// Returns the views of tasks, in their order. Executes at most ten statements.
pub async fn tasks(tx: &mut Tx, app: &AppState, tasks: &[Task]) -> Result<Vec<TaskView>, ApiError> {
    let now = app.portal_time.now();
    let ids: Vec<_> = tasks.iter().map(|task| task.id).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut relations = store::task::relations_of(tx, &ids, now).await?;
    let mut successes: HashMap<_, Vec<Success>> = HashMap::new();
    for success in store::journal::successes_of(tx, &ids).await? {
        successes.entry(success.task_id).or_default().push(success);
    }
    let mut questions = read_questions(tx, tasks, app.now()).await?;
    let seen = SeenDays::read(tx, tasks, now).await?;
    let mut watches = store::task::watches(tx, tasks, now).await?;
    let unwalked = Unwalked::read(tx, app).await?;
    tasks
        .iter()
        .map(|task| {
            let relations = relations.remove(&task.id).unwrap_or_default();
            let successes = successes.remove(&task.id).unwrap_or_default();
            let watch = watches.remove(&task.id);
            let watch = watch.ok_or_else(|| ApiError::internal(&"a task has no row"))?;
            let asks_for_now = unwalked.makes_ask(task);
            let questions = questions.remove(&task.id).unwrap_or_default();
            let news = News { successes: &successes, questions, watch: &watch, asks_for_now };
            Ok(view(task, &relations, &news, seen.of(task, now), now))
        })
        .collect()
}

/// Finds the user's tasks with a question that can be answered now. `wall` is wall time.
pub async fn asking(tx: &mut Tx, user: UserId, wall: Instant) -> Result<Vec<TaskId>, ApiError> {
    let mut tasks = Vec::new();
    for id in store::question::tasks_asking(tx, user, wall - FROM_SIGHTING).await? {
        tasks.extend(store::task::get(tx, id).await?);
    }
    let questions = read_questions(tx, &tasks, wall).await?;
    let open = questions.into_iter().filter(|(_, questions)| questions.open.is_some());
    Ok(open.map(|(id, _)| id).collect())
}

/// Returns the stage of a task. `wall` is wall time.
pub async fn stage(tx: &mut Tx, task: &Task, wall: Instant) -> Result<TaskStage, ApiError> {
    let successes = store::journal::successes(tx, task.id).await?;
    let questions = read_questions(tx, std::slice::from_ref(task), wall).await?.remove(&task.id);
    let open = questions.and_then(|questions| questions.open);
    Ok(stage_of(task, &successes, open.as_ref()))
}

fn stage_of(task: &Task, successes: &[Success], open: Option<&Question>) -> TaskStage {
    let stage = TaskStage::of(task.status, task.reason, successes.len());
    if open.is_some() { stage.with_open_question() } else { stage }
}

/// Questions of a task within [`QUESTION_SHOWN_FOR`].
#[derive(Default)]
struct TaskQuestions {
    /// The latest question that can be answered now; `None` while an approved date is being booked.
    open: Option<Question>,
    /// `true` if an approved date is being booked.
    is_booking: bool,
    latest: Option<QuestionWithTask>,
}

/// Stored facts of a task that its view combines: bookings, questions, polls.
struct News<'a> {
    successes: &'a [Success],
    questions: TaskQuestions,
    watch: &'a TaskWatch,
    asks_for_now: bool,
}

/// Countries whose portal pages were not all read once. Tasks ask the user before they book there.
struct Unwalked {
    /// Countries whose pages were all read; `None` if this check is not required.
    walked: Option<Vec<CountryCode>>,
}

/// Returns the countries whose portal pages were all read once; `None` if that is not required.
pub(super) async fn walked(tx: &mut Tx, app: &AppState) -> Result<Option<Vec<CountryCode>>, ApiError> {
    if !app.settings.walks_first() {
        return Ok(None);
    }
    Ok(Some(store::learned::walked(tx, &app.context().client.host()).await?))
}

impl Unwalked {
    async fn read(tx: &mut Tx, app: &AppState) -> Result<Self, ApiError> {
        Ok(Self { walked: walked(tx, app).await? })
    }

    /// Returns `true` if a task in automatic mode must ask the user first for now.
    fn makes_ask(&self, task: &Task) -> bool {
        let books = task.criteria.as_ref().is_some_and(|criteria| criteria.mode == BookingMode::Auto);
        books && self.walked.as_ref().is_some_and(|walked| !walked.contains(&task.country))
    }
}

fn view(task: &Task, relations: &Relations, news: &News<'_>, seen: Vec<SeenView>, now: Instant) -> TaskView {
    let earliest = seen.iter().min_by_key(|s| s.date).map(|s| EarliestView {
        date: s.date,
        facility: s.facility.clone(),
        seen_at: s.last_seen_at,
    });
    let criteria = task.criteria.as_ref();
    let rating = relations.rating.as_ref();
    TaskView {
        id: task.id.0,
        status: task.status.as_str().to_owned(),
        status_reason: task.reason.map(|r| r.as_str().to_owned()),
        status_since: task.status_since,
        auto_stopped: task.reason == Some(Reason::AutoStop),
        stage: stage_of(task, news.successes, news.questions.open.as_ref()),
        portal_schedule_id: task.portal_schedule_id.0.clone(),
        country_code: task.country,
        visa_type: task.visa_type,
        visa_credentials: credential(relations, now),
        appointments: vec![appointment(task)],
        schedule_config: ConfigView {
            search_params: criteria.map(SearchParams::of),
            booking_mode: criteria.map(|w| w.mode).unwrap_or_default(),
            keep_current_appointment: criteria.is_some_and(|w| !w.mode.changes()),
            asks_first_for_now: news.asks_for_now,
            balance_total: Money::cad(task.price.map_or(0, |p| p.total)).to_wire(),
            priority: (task.priority != 0).then(|| domain::task::priority::to_wire(task.priority)),
            version: task.criteria_version,
        },
        monitoring_cities: criteria
            .map(|w| w.cities.iter().map(|c| c.name().to_owned()).collect())
            .unwrap_or_default(),
        price: price(task, relations.entitled_until),
        engine: EngineView {
            looks: polls(relations, now),
            ..engine(task, news.watch, news.questions.open.as_ref())
        },
        latest_question: news.questions.latest.as_ref().map(|asked| question(asked, news.watch)),
        seen_dates: seen,
        earliest_seen: earliest,
        attempts_left: task.attempts_left,
        reschedules_used: task.reschedules_used,
        change_deadline: task.change_deadline,
        success_history: news.successes.iter().map(success).collect(),
        version: task.version(),
        created_at: task.created_at,
        updated_at: task.updated_at,
        submitted_at: task.submitted_at,
        actions: actions::view(&app::tasks::facts(task, relations, now)),
        rating: rating.and_then(|r| {
            Some(RatingView { stars: r.stars?, comment: r.comment.clone(), rated_at: r.rated_at })
        }),
        rating_wanted: relations.succeeded && rating.is_none(),
    }
}

/// Reads the recent questions of tasks. `wall` is wall time.
async fn read_questions(
    tx: &mut Tx,
    tasks: &[Task],
    wall: Instant,
) -> Result<HashMap<TaskId, TaskQuestions>, ApiError> {
    // Tasks in automatic mode ask too, until all portal pages of their country were read once.
    let asks = |task: &&Task| task.criteria.as_ref().is_some_and(|c| c.mode.changes());
    let asking: HashMap<TaskId, &Task> = tasks.iter().filter(asks).map(|task| (task.id, task)).collect();
    let mut questions: HashMap<TaskId, TaskQuestions> = HashMap::new();
    if asking.is_empty() {
        return Ok(questions);
    }
    let ids: Vec<TaskId> = asking.keys().copied().collect();
    for stored in store::question::recent(tx, &ids, wall - QUESTION_SHOWN_FOR).await? {
        let Some(task) = asking.get(&stored.question.task) else { continue };
        let asked = app::questions::combine(stored, Task::clone(task), wall);
        let of_task = questions.entry(task.id).or_default();
        match QuestionState::of(&asked) {
            QuestionState::Open => of_task.open = Some(asked.stored.question.clone()),
            QuestionState::Trying => of_task.is_booking = true,
            _ => {}
        }
        of_task.latest = Some(asked);
    }
    // A task may ask about a date in each of its cities at the same time.
    questions.values_mut().filter(|of_task| of_task.is_booking).for_each(|of_task| of_task.open = None);
    Ok(questions)
}

fn question(asked: &QuestionWithTask, watch: &TaskWatch) -> LatestQuestionView {
    let question = &asked.stored.question;
    let city = watch.cities.iter().find(|city| city.facility == question.facility);
    let state = QuestionState::of(asked);
    let may_approve = matches!(state, QuestionState::Open | QuestionState::Late | QuestionState::Declined);
    LatestQuestionView {
        state,
        date: question.day,
        facility: question.facility.name().to_owned(),
        asked_at: question.seen_at,
        valid_until: question.valid_until(),
        listed_at: city.and_then(|city| city.listed_at).filter(|_| may_approve && question.gone_at.is_none()),
    }
}

fn credential(relations: &Relations, now: Instant) -> CredentialView {
    let health = relations.credential.map(|credential| SignInHealth::of(credential, relations.account));
    let (health, health_since) = health.unzip();
    let known = relations.credential.is_some();
    CredentialView {
        username: relations.username.clone().unwrap_or_default(),
        health: health.unwrap_or(SignInHealth::Deleted),
        health_since,
        last_sign_in_at: relations.session_at.filter(|_| known),
        next_try_at: relations.not_before.filter(|at| known && *at > now),
        sign_ins_ten_hours: relations.budget.sign_ins(now),
    }
}

/// Returns the request limits of the account. For three days after the portal held the account
/// back, fewer polls are allowed.
fn polls(relations: &Relations, now: Instant) -> Option<LooksView> {
    relations.account.as_ref()?;
    let limits = relations.budget.eased(&Limits::default(), now);
    let (hour_used, ten_hours_used) = relations.budget.polls(now);
    Some(LooksView {
        hour_used: hour_used.min(limits.polls_per_hour),
        hour_limit: limits.polls_per_hour,
        // The hour may include polls from before the account was held back. Only requests beyond
        // the full limit were for a booking.
        hour_for_booking: hour_used.saturating_sub(Limits::default().polls_per_hour),
        ten_hours_used: ten_hours_used.min(limits.polls_per_ten_hours),
        ten_hours_limit: limits.polls_per_ten_hours,
    })
}

/// Returns the engine's part of a task's view. Day differences are computed now, so that they are
/// current when the page is rendered.
fn engine(task: &Task, watch: &TaskWatch, asked: Option<&Question>) -> EngineView {
    let mut evidence = task.condition_evidence.clone();
    if let Some(object) = evidence.as_object_mut() {
        if let Some((city, date)) = earliest_listed(watch) {
            object.insert(
                "earliest_listed".to_owned(),
                json!({ "date": date, "facility": city.facility.name(), "at": city.listed_at }),
            );
            let over = task.criteria.as_ref().map(|w| (date - w.end_date).num_days());
            object.insert("days_after_window".to_owned(), json!(over.map(|d| d.max(0))));
        }
        let answered = watch.cities.iter().filter(|city| city.last_answer_at.is_some()).count();
        object.insert("cities_seen".to_owned(), json!(answered));
        if watch.row.condition != task.condition {
            object.insert("engine_says".to_owned(), json!(task.condition.as_str()));
        }
        if let Some(asked) = asked {
            object.insert(
                "asked".to_owned(),
                json!({ "date": asked.day, "facility": asked.facility.name(), "until": asked.valid_until() }),
            );
        }
    }
    EngineView {
        checks: task.checks,
        last_check_at: task.last_check_at,
        next_check_at: watch.row.next_poll_at,
        slots_seen: task.slots_seen,
        looks: None,
        cities: watch.cities.iter().map(city).collect(),
        verdict: VerdictView {
            code: watch.row.condition.as_str().to_owned(),
            since: watch.row.since,
            reason: watch.row.reason,
            next_try_at: watch.row.next_try_at,
            evidence,
        },
    }
}

/// Returns the earliest date in the latest lists of the task's cities, with its city.
fn earliest_listed(watch: &TaskWatch) -> Option<(&CityWatch, NaiveDate)> {
    let listed = watch.cities.iter().filter_map(|city| Some((city, city.earliest?)));
    listed.min_by_key(|(_, date)| *date)
}

fn city(city: &CityWatch) -> CityView {
    CityView {
        facility: city.facility.name().to_owned(),
        last_answer_at: city.last_answer_at,
        earliest_listed: city.earliest,
        listed_at: city.listed_at,
        next_check_at: city.next_poll_at,
        checked_within_seconds: city.bound.map(|bound| bound.num_seconds()),
    }
}

/// Dates that were recently listed in the calendars of some tasks, by calendar key.
struct SeenDays {
    days: HashMap<String, Vec<RecentlySeenDate>>,
}

impl SeenDays {
    async fn read(tx: &mut Tx, tasks: &[Task], now: Instant) -> Result<Self, ApiError> {
        let keys: BTreeSet<CalendarKey> = tasks.iter().flat_map(Task::calendars).collect();
        let keys: Vec<CalendarKey> = keys.into_iter().collect();
        if keys.is_empty() {
            return Ok(Self { days: HashMap::new() });
        }
        // Some time zones are a date behind UTC. The date of each city is checked below.
        let yesterday = now.date_naive() - TimeDelta::days(1);
        let lately = store::seen::lately(tx, &keys, (now - SEEN_FOR, yesterday), SEEN_DAYS as i64).await?;
        let mut days: HashMap<String, Vec<RecentlySeenDate>> = HashMap::new();
        for day in lately {
            days.entry(day.calendar_key.clone()).or_default().push(day);
        }
        Ok(Self { days })
    }

    /// Returns the dates that were listed for the task's cities.
    fn of(&self, task: &Task, now: Instant) -> Vec<SeenView> {
        let Some(criteria) = &task.criteria else { return Vec::new() };
        let mut days = Vec::new();
        for key in task.calendars() {
            let (city, text) = (key.facility, key.to_string());
            let today = city.today(now);
            let seen = self.days.get(&text).into_iter().flatten().filter(|seen| seen.day >= today);
            days.extend(seen.map(|seen| SeenView {
                date: seen.day,
                facility: city.name().to_owned(),
                wanted: criteria.evaluate(city, seen.day, task.interview(), today).is_ok(),
                last_seen_at: seen.last_seen_at,
            }));
        }
        days.sort_by_key(|d| d.date);
        days.truncate(SEEN_DAYS);
        days
    }
}
