//! The walk of `sooner portal try`. It reads the same pages as the engine before a poll and a
//! booking, in the same order, and changes nothing.

use std::sync::Arc;

use chrono::{NaiveDate, NaiveTime};
use domain::appointment::Slot;
use domain::budget::Calls;
use domain::country::{Changes, Country, set_number};
use domain::facility::FacilityId;
use domain::ids::PortalScheduleId;
use portal::pages::actions::{ActionKind, Actions};
use portal::pages::appointment::{AppointmentForm, AppointmentPage};
use portal::pages::groups::{Group, GroupStatus};
use portal::pages::instructions::Instructions;
use portal::{
    ApplicantId, Client, Credentials, Days, Exchange, Meter, PageKind, PortalError, PortalPath, Purpose,
    Recorder, Session, compare,
};

mod fingerprints;

use super::account::Account;
use super::finding::{Finding, Grade, Stop};
use super::summary::{form_in_words, groups_in_words, names, no_group};

/// Maximum number of cities whose dates are read.
const MOST_CITIES: usize = 2;

const PAGE: Calls = Calls { requests: 1, polls: 0, sign_ins: 0 };
const POLL: Calls = Calls { requests: 1, polls: 1, sign_ins: 0 };
const SIGN_IN: Calls = Calls { requests: 1, polls: 0, sign_ins: 1 };

/// A walk through the pages of one account.
pub struct Walk {
    client: Client,
    recorder: Arc<Recorder>,
    meter: Arc<Meter>,
    account: Option<Account>,
    /// First problem that would prevent a booking but does not end the walk.
    deferred: Option<Stop>,
    /// Findings of all pages read, in their order.
    pub findings: Vec<Finding>,
    /// All groups of the account, whose personal data must not appear in a report.
    pub groups: Vec<Group>,
}

/// Result of a walk.
pub struct WalkResult {
    pub would_watch: bool,
    pub would_book: bool,
    pub stop: Option<Stop>,
}

/// Reason for which a walk ended early: a page, or a failure of this command.
enum Halt {
    Stop(Stop),
    Failed(anyhow::Error),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<anyhow::Error> for Halt {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

/// Session and group with which the walk reads pages.
struct Visit<'a> {
    session: &'a Session,
    group: Group,
    id: PortalScheduleId,
}

impl Visit<'_> {
    fn is_booked(&self) -> bool {
        self.group.appointment.is_some()
    }
}

/// Returns the number of cities whose dates are read. A list of fingerprint dates takes the place
/// of the second, so that the walk needs no more requests.
fn most_cities(form: &AppointmentForm) -> usize {
    if form.fingerprints.is_some() { 1 } else { MOST_CITIES }
}

/// Makes the numbers of cities known that the form shows and the table of places lacks.
fn learn_numbers(country: &'static Country, form: &AppointmentForm) {
    let offered = form.facilities.iter().map(|offered| (offered.id, offered.name.as_str()));
    for (number, city) in country.unnumbered(offered) {
        if let Err(error) = set_number(country.code, city, number) {
            eprintln!("warning: number {number} of {city} is not used: {error}");
        }
    }
}

impl Walk {
    /// Creates a walk that has not started.
    pub fn new(client: Client, recorder: Arc<Recorder>, account: Option<Account>) -> Self {
        let meter = Arc::new(Meter::new(Purpose::Verification));
        Self { client, recorder, meter, account, deferred: None, findings: Vec::new(), groups: Vec::new() }
    }

    /// Returns the number of requests sent.
    pub fn requests(&self) -> u32 {
        self.recorder.requests()
    }

    /// Reads all pages, or stops at the page at which the engine would stop.
    ///
    /// # Errors
    /// Returns an error if requests cannot be charged to the account's budget.
    pub async fn run(
        &mut self,
        path: PortalPath,
        credentials: &Credentials,
        wanted: &[FacilityId],
    ) -> anyhow::Result<WalkResult> {
        let mut would_watch = false;
        let stop = match self.pages(path, credentials, wanted, &mut would_watch).await {
            Ok(()) => self.deferred.take(),
            Err(Halt::Stop(stop)) => Some(stop),
            Err(Halt::Failed(error)) => return Err(error),
        };
        Ok(WalkResult { would_watch, would_book: would_watch && stop.is_none(), stop })
    }

    async fn pages(
        &mut self,
        path: PortalPath,
        credentials: &Credentials,
        wanted: &[FacilityId],
        would_watch: &mut bool,
    ) -> Result<(), Halt> {
        let country = path.country().country();
        let session = self.sign_in(path, credentials).await?;
        let group = self.choose_group(&session).await?;
        let visit = Visit { session: &session, id: group.portal_schedule_id.clone(), group };
        self.actions(&visit).await?;
        if visit.is_booked() {
            self.instructions(&visit).await?;
        }
        let form = self.form(&visit).await?;
        learn_numbers(country, &form);
        let cities = self.cities(&visit, &form, wanted);
        let mut first = None;
        for city in cities.into_iter().take(most_cities(&form)) {
            let dates = self.days(&visit, city).await?;
            *would_watch = true;
            first = first.or_else(|| dates.first().map(|date| (city, *date)));
        }
        if let Some((city, date)) = first {
            let times = self.times(&visit, city, date).await?;
            let interview = times.first().map(|time| Slot { facility: city, date, time: *time });
            self.fingerprints(&visit, &form, city, interview).await?;
        }
        Ok(())
    }

    async fn sign_in(&mut self, path: PortalPath, credentials: &Credentials) -> Result<Session, Halt> {
        let (client, meter) = (self.client.clone(), self.meter.clone());
        let (form, page) = self.step("sign_in", PAGE, client.sign_in_form(&meter, path)).await?;
        let form = self.add("sign_in", PageKind::SignIn, page, form, |_| "no captcha".to_owned())?;
        let answer = client.send_sign_in(&meter, form, credentials);
        let (session, page) = self.step("sign_in_answer", SIGN_IN, answer).await?;
        self.add("sign_in_answer", PageKind::SignInAnswer, page, session, |_| "signed in".to_owned())
    }

    /// Reads the groups, and returns the first group that the engine could monitor.
    async fn choose_group(&mut self, session: &Session) -> Result<Group, Halt> {
        let (client, meter) = (self.client.clone(), self.meter.clone());
        let (read, page) = self.step("groups", PAGE, client.groups(&meter, session)).await?;
        let page = self.add("groups", PageKind::Groups, page, read, groups_in_words)?;
        self.groups.clone_from(&page.groups);
        if page.groups.iter().any(Group::is_unreadable) {
            self.lacks("an application that can be read");
        }
        let can_be_watched = |group: &&Group| {
            matches!(group.status, GroupStatus::AttendAppointment | GroupStatus::ScheduleAppointment)
        };
        if let Some(group) = page.groups.iter().find(can_be_watched) {
            return Ok(group.clone());
        }
        Err(Halt::Stop(no_group(&page.groups)))
    }

    async fn actions(&mut self, visit: &Visit<'_>) -> Result<(), Halt> {
        let (client, meter) = (self.client.clone(), self.meter.clone());
        let (read, page) =
            self.step("actions", PAGE, client.actions(&meter, visit.session, &visit.id)).await?;
        let actions: Actions = self.add("actions", PageKind::Actions, page, read, |actions: &Actions| {
            let names: Vec<String> =
                actions.actions.iter().map(|action| format!("{:?}", action.kind).to_lowercase()).collect();
            names.join(", ")
        })?;
        let needed = if visit.is_booked() { ActionKind::Reschedule } else { ActionKind::Schedule };
        if actions.only(needed).is_none() {
            self.lacks("exactly one action that leads to the booking form");
            self.defer(Stop {
                at: "actions",
                reason: "The page does not offer exactly one action that leads to the booking form."
                    .to_owned(),
                is_unknown_page: true,
            });
        }
        Ok(())
    }

    async fn instructions(&mut self, visit: &Visit<'_>) -> Result<(), Halt> {
        let (client, meter) = (self.client.clone(), self.meter.clone());
        let (read, page) =
            self.step("instructions", PAGE, client.instructions(&meter, visit.session, &visit.id)).await?;
        let is_unknown = matches!(read, Err(PortalError::LayoutChanged(_)));
        let page = self.add("instructions", PageKind::Instructions, page, read, |page: &Instructions| {
            let moment =
                |moment: Option<_>| moment.map_or("none".to_owned(), |at: portal::CivilMoment| at.iso());
            format!("interview {}, deadline {}", moment(page.interview), moment(page.deadline))
        });
        let page = match page {
            Ok(page) => page,
            // The engine polls without understanding this page, but does not book without it.
            Err(Halt::Stop(stop)) if is_unknown => {
                self.defer(stop);
                return Ok(());
            }
            Err(halt) => return Err(halt),
        };
        if !page.headed {
            self.lacks("the heading of the page");
        }
        if page.deadline.is_none() {
            self.lacks("the deadline of changes");
        }
        let printed = page.interview.map(|interview| interview.iso());
        let listed = visit.group.appointment.as_ref().map(|appointment| appointment.at.iso());
        if printed != listed {
            self.lacks("the appointment that the groups page prints");
            self.defer(Stop {
                at: "instructions",
                reason: "The page does not print the appointment that the groups page prints.".to_owned(),
                is_unknown_page: true,
            });
        }
        Ok(())
    }

    /// Reads the pages from the limit warning and the choice of applicants to the booking form.
    async fn form(&mut self, visit: &Visit<'_>) -> Result<AppointmentForm, Halt> {
        let (client, meter) = (self.client.clone(), self.meter.clone());
        let first = client.appointment_page(&meter, visit.session, &visit.id);
        let (first, page) = self.step("limit", PAGE, first).await?;
        let mut applicants: Vec<ApplicantId> =
            visit.group.applicants.iter().filter_map(|applicant| applicant.id.clone()).collect();
        match first {
            Ok(AppointmentPage::Form(form)) => {
                let form = self.add("form", PageKind::Form, page, Ok(form), form_in_words)?;
                // In other countries there may be no limit to warn about.
                let is_limited =
                    matches!(visit.session.path().country().country().changes, Changes::Count(_));
                if visit.is_booked() && is_limited {
                    self.lacks("the warning about the limit before the form");
                }
                return self.checked_form(visit, form);
            }
            Ok(AppointmentPage::LimitReached) => {
                self.add("limit", PageKind::Booking, page, Ok(()), |()| "limit reached".to_owned())?;
                return Err(Stop::of("limit", &PortalError::LimitReached).into());
            }
            Ok(AppointmentPage::Limit(limit)) => {
                self.add("limit", PageKind::Limit, page, Ok(()), |()| {
                    format!("{} attempts left", limit.remaining)
                })?;
                if limit.remaining == 0 {
                    return Err(Stop::of("limit", &PortalError::LimitReached).into());
                }
            }
            Ok(AppointmentPage::Applicants(listed)) => {
                self.add("applicants", PageKind::Applicants, page, Ok(()), |()| names(listed.len()))?;
                applicants = listed.into_iter().map(|applicant| applicant.id).collect();
            }
            Err(error) => {
                self.add("limit", PageKind::Limit, page, Err::<(), _>(error), |()| String::new())?;
            }
        }
        let (form, page) =
            self.step("form", PAGE, client.form(&meter, visit.session, &visit.id, &applicants)).await?;
        let form = self.add("form", PageKind::Form, page, form.map(|visit| visit.form), form_in_words)?;
        self.checked_form(visit, form)
    }

    /// Records a problem if the engine could not fill in the form.
    fn checked_form(&mut self, visit: &Visit<'_>, form: AppointmentForm) -> Result<AppointmentForm, Halt> {
        let needed = if visit.is_booked() { ActionKind::Reschedule } else { ActionKind::Schedule };
        if form.kind() != needed {
            self.lacks("the label of the button");
        }
        if form.fingerprints.as_ref().is_some_and(|fields| !fields.is_known) {
            self.lacks("known fields for a fingerprint (ASC) appointment");
            self.defer(Stop::known(
                "form",
                "The form asks for a fingerprint (ASC) appointment in a way that this version cannot fill in.",
            ));
        }
        if self.findings.last().is_some_and(|page| page.grade == Grade::InPart) {
            self.defer(Stop {
                at: "form",
                reason: "The form was understood only in part.".to_owned(),
                is_unknown_page: true,
            });
        }
        Ok(form)
    }

    /// Returns the cities whose dates are read: the wanted cities, otherwise the city of the
    /// appointment, otherwise the first city of the form.
    fn cities(
        &mut self,
        visit: &Visit<'_>,
        form: &AppointmentForm,
        wanted: &[FacilityId],
    ) -> Vec<FacilityId> {
        let mut offered: Vec<FacilityId> = Vec::new();
        for option in &form.facilities {
            let Ok(city) = FacilityId::try_from(option.id) else { continue };
            if city.facility().may_be_labelled(&option.name) {
                offered.push(city);
            } else {
                let reason = format!(
                    "The form gives number {} to {}, but this version gives it to {}.",
                    option.id,
                    option.name,
                    city.name()
                );
                self.defer(Stop { at: "form", reason, is_unknown_page: true });
            }
        }
        if let Some(missing) = wanted.iter().find(|city| !offered.contains(city)) {
            self.defer(Stop::known("form", format!("The form does not offer {}.", missing.name())));
        }
        let own = visit.group.appointment.as_ref().and_then(|at| FacilityId::by_name(&at.facility_name));
        let chosen: Vec<FacilityId> = match wanted {
            [] => own.into_iter().chain(offered.iter().copied()).take(1).collect(),
            wanted => wanted.to_vec(),
        };
        chosen.into_iter().filter(|city| offered.contains(city)).take(MOST_CITIES).collect()
    }

    async fn days(&mut self, visit: &Visit<'_>, city: FacilityId) -> Result<Vec<NaiveDate>, Halt> {
        let (client, meter) = (self.client.clone(), self.meter.clone());
        let (days, page) =
            self.step("days", POLL, client.days(&meter, visit.session, &visit.id, city)).await?;
        let dates = days.map(|days| match days {
            Days::List(dates) => dates,
            Days::Unchanged => Vec::new(),
        });
        self.add("days", PageKind::Days, page, dates, |dates: &Vec<NaiveDate>| match dates.first() {
            Some(first) => format!("{}: {} dates, the first {first}", city.name(), dates.len()),
            None => format!("{}: no date (an empty list does not prove that none is free)", city.name()),
        })
    }

    async fn times(
        &mut self,
        visit: &Visit<'_>,
        city: FacilityId,
        date: NaiveDate,
    ) -> Result<Vec<NaiveTime>, Halt> {
        let (client, meter) = (self.client.clone(), self.meter.clone());
        let (times, page) =
            self.step("times", POLL, client.times(&meter, visit.session, &visit.id, city, date)).await?;
        let count = |times: &Vec<_>| format!("{} on {date}: {} times", city.name(), times.len());
        self.add("times", PageKind::Times, page, times, count)
    }

    /// Sends one request, charged to the budget. Returns its result, with the last page received.
    async fn step<T>(
        &mut self,
        at: &'static str,
        ahead: Calls,
        call: impl Future<Output = Result<T, PortalError>>,
    ) -> Result<(Result<T, PortalError>, Option<Exchange>), Halt> {
        let before = self.recorder.exchanges().len();
        if let Some(account) = &self.account {
            account.charge(ahead).await?;
        }
        let result = call.await;
        if let Some(account) = &self.account {
            let spent = self.meter.drain();
            let made = Calls { requests: spent.requests, polls: spent.polls, sign_ins: spent.sign_ins };
            let mut counted = ahead;
            account.charge(counted.cover(made)).await?;
        }
        if let Some(host) = self.recorder.other_host() {
            let reason =
                format!("The portal redirects to another host ({host}). The command sends nothing there.");
            return Err(Stop::known(at, reason).into());
        }
        let last = self.recorder.exchanges().into_iter().skip(before).last();
        Ok((result, last))
    }

    /// Adds the finding of a page. If the result is an error, the walk ends.
    fn add<T>(
        &mut self,
        name: &'static str,
        page: PageKind,
        exchange: Option<Exchange>,
        result: Result<T, PortalError>,
        in_words: impl Fn(&T) -> String,
    ) -> Result<T, Halt> {
        if let Some(exchange) = exchange {
            let comparison = compare(page, &exchange.body);
            // Additional fields on these pages do not change the client's requests.
            let ignores_fields = matches!(
                page,
                PageKind::Groups | PageKind::Actions | PageKind::Instructions | PageKind::Booking
            );
            let differs =
                !comparison.missing.is_empty() || !ignores_fields && !comparison.new_fields.is_empty();
            let grade = match &result {
                Ok(_) if differs => Grade::InPart,
                Ok(_) => Grade::Understood,
                Err(PortalError::LayoutChanged(_)) => Grade::NotAsKnown,
                Err(_) => Grade::Refused,
            };
            let read = result.as_ref().map(in_words).unwrap_or_default();
            self.findings.push(Finding { name, exchange, grade, read, comparison });
        }
        result.map_err(|error| Stop::of(name, &error).into())
    }

    /// Records that the last page lacks a part that the engine needs.
    fn lacks(&mut self, part: &'static str) {
        if let Some(finding) = self.findings.last_mut() {
            finding.comparison.missing.push(part);
            finding.grade = Grade::InPart;
        }
    }

    fn defer(&mut self, stop: Stop) {
        self.deferred.get_or_insert(stop);
    }
}
