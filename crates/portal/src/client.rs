//! Client for requests in the portal accounts of users.

mod form;
mod sign_in;
mod transport;

use crate::classify;
use crate::html::{Doc, not_html};
use crate::pages::{
    actions::{self, Actions},
    applicant::{self, Applicant},
    days, fingerprint_lists,
    groups::{self, GroupsPage},
    instructions::{self, Instructions},
    payment::{self, Payment},
    times,
};
use crate::{
    ApplicantId, Clock, LayoutChanged, Meter, Pacer, PageKind, PortalError, PortalHost, Rate, Recorder,
    Session, Timeouts,
};
use chrono::{NaiveDate, NaiveTime};
use domain::appointment::Slot;
use domain::facility::FacilityId;
use domain::ids::PortalScheduleId;
pub use form::FormVisit;
pub use sign_in::SignInForm;
use std::sync::Arc;
pub(crate) use transport::Transport;
use transport::{Answer, PortalRequest};

/// Settings of the client: portal address, user agent, timeouts, clock and rate limit.
#[derive(Clone)]
pub struct Settings {
    /// Base address of the portal.
    pub host: PortalHost,
    /// The `User-Agent` header, with a contact address: `Sooner/0.1 (+https://example.com)`.
    pub user_agent: String,
    /// Timeouts of requests.
    pub timeouts: Timeouts,
    /// The clock for `Retry-After` dates and for booking deadlines.
    pub clock: Clock,
    /// The token bucket that limits the requests to the host.
    pub pacer: Arc<Pacer>,
    /// Recorder of all requests and responses, for `sooner portal try`. `None` in the engine.
    pub recorder: Option<Arc<Recorder>>,
}

impl Settings {
    /// Returns default settings for a host. The default rate limit uses `clock`.
    pub fn new(host: PortalHost, clock: Clock) -> Self {
        let user_agent = format!("Sooner/{}", env!("CARGO_PKG_VERSION"));
        let pacer = Arc::new(Pacer::new(Rate::default(), clock.clone()));
        Self { host, user_agent, timeouts: Timeouts::default(), clock, pacer, recorder: None }
    }
}

/// Result of a poll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Days {
    /// The list has not changed since this session's last poll (HTTP 304).
    Unchanged,
    /// The whole list, sorted. An empty list alone does not prove that no date is free.
    List(Vec<NaiveDate>),
}

/// Client of the portal, shared by all accounts. A clone is cheap.
///
/// A method sends one request unless its documentation states otherwise. Each redirect of a page is
/// one more request. No method repeats a request, except a GET of a booking
/// ([`crate::Purpose::Booking`]). The client repeats such a GET once: after status 502 or 504, or
/// if the portal had closed the idle connection. Dropping a call does not withdraw its request,
/// which the [`Meter`] has already counted.
#[derive(Clone)]
pub struct Client {
    pub(crate) transport: Arc<Transport>,
}

impl Client {
    /// Builds the client for one portal host. Returns [`PortalError::Network`] if TLS or the HTTP
    /// client cannot be set up. Uses the system's certificate verifier for https only.
    pub fn new(settings: Settings) -> Result<Self, PortalError> {
        Ok(Self { transport: Arc::new(Transport::new(settings)?) })
    }

    /// Returns the token bucket that limits the requests to the host.
    pub fn pacer(&self) -> &Arc<Pacer> {
        &self.transport.settings.pacer
    }

    /// Returns the host as `name` or `name:port`, the form used in database rows and operator
    /// commands.
    pub fn host(&self) -> String {
        let base = &self.transport.settings.host.base;
        let name = base.host_str().unwrap_or_default();
        base.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"))
    }

    /// Fetches all current groups of the account. Sends one request if the session knows the path
    /// of the groups page, otherwise up to four.
    #[tracing::instrument(skip_all)]
    pub async fn groups(&self, meter: &Meter, session: &Session) -> Result<GroupsPage, PortalError> {
        let start = session.home().unwrap_or_else(|| session.path().at("/account"));
        let followed = self.follow(meter, session, PageKind::Groups, start, |_| true).await;
        let (answer, path) = followed.inspect_err(|t| {
            if matches!(t, PortalError::NotFound | PortalError::NoPermission) {
                session.set_home(None);
            }
        })?;
        let page = self.page(session, &answer, groups::read)?;
        if path.contains("/groups/") {
            session.set_home(Some(path));
        }
        Ok(page)
    }

    /// Fetches the actions page of one group.
    #[tracing::instrument(skip_all)]
    pub async fn actions(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<Actions, PortalError> {
        let answer =
            self.schedule_page(meter, session, PageKind::Actions, schedule, "/continue_actions").await?;
        self.page(session, &answer, actions::read)
    }

    /// Fetches the fee page with the first available date of each city and the fee receipt.
    #[tracing::instrument(skip_all)]
    pub async fn payment(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<Payment, PortalError> {
        let answer = self.schedule_page(meter, session, PageKind::Payment, schedule, "/payment").await?;
        self.page(session, &answer, payment::read)
    }

    /// Fetches the page of one applicant.
    #[tracing::instrument(skip_all)]
    pub async fn applicant(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        applicant: &ApplicantId,
    ) -> Result<Applicant, PortalError> {
        let rest = format!("/applicants/{}", applicant.as_str());
        let answer = self.schedule_page(meter, session, PageKind::Applicant, schedule, &rest).await?;
        self.page(session, &answer, applicant::read)
    }

    /// Fetches the free dates of a facility. Sends the ETag of this session's last list, so an
    /// unchanged list is not transferred again.
    #[tracing::instrument(skip_all)]
    pub async fn days(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        facility: FacilityId,
    ) -> Result<Days, PortalError> {
        let address = session.path().at(&format!(
            "/schedule/{schedule}/appointment/days/{}.json?appointments%5Bexpedite%5D=false",
            facility.number()
        ));
        let known = session.etag(schedule, facility);
        let ask = PortalRequest::json(PageKind::Days, &address, known.clone());
        let answer = self.transport.send(meter, session, ask).await?;
        if answer.status == 304 {
            let odd = || not_html(PageKind::Days, "status 304 for a list that was never read").into();
            return known.map(|_| Days::Unchanged).ok_or_else(odd);
        }
        let list = self.json(session, &answer, days::parse)?;
        session.set_etag(schedule, facility, answer.etag());
        Ok(Days::List(list))
    }

    /// Fetches the free times of one date at a facility.
    #[tracing::instrument(skip_all)]
    pub async fn times(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        facility: FacilityId,
        date: NaiveDate,
    ) -> Result<Vec<NaiveTime>, PortalError> {
        let address = session.path().at(&format!(
            "/schedule/{schedule}/appointment/times/{}.json?date={date}&appointments%5Bexpedite%5D=false",
            facility.number()
        ));
        let answer =
            self.transport.send(meter, session, PortalRequest::json(PageKind::Times, &address, None)).await?;
        self.json(session, &answer, times::parse)
    }

    /// Fetches the free dates of a fingerprint place before an interview. `place` is the portal's
    /// number.
    ///
    /// The list depends on the interview, so it has no `ETag`.
    #[tracing::instrument(skip_all)]
    pub async fn fingerprint_days(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        place: u16,
        interview: &Slot,
    ) -> Result<Vec<NaiveDate>, PortalError> {
        let address = session.path().at(&format!(
            "/schedule/{schedule}/appointment/days/{place}.json?{}",
            interview_query(interview)
        ));
        let ask = PortalRequest::json(PageKind::FingerprintDays, &address, None);
        let answer = self.transport.send(meter, session, ask).await?;
        self.json(session, &answer, fingerprint_lists::parse_days)
    }

    /// Fetches the free times of one date at a fingerprint place before an interview. `place` is
    /// the portal's number of it.
    #[tracing::instrument(skip_all)]
    pub async fn fingerprint_times(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        place: u16,
        date: NaiveDate,
        interview: &Slot,
    ) -> Result<Vec<NaiveTime>, PortalError> {
        let address = session.path().at(&format!(
            "/schedule/{schedule}/appointment/times/{place}.json?date={date}&{}",
            interview_query(interview)
        ));
        let ask = PortalRequest::json(PageKind::FingerprintTimes, &address, None);
        let answer = self.transport.send(meter, session, ask).await?;
        self.json(session, &answer, fingerprint_lists::parse_times)
    }

    /// Fetches the confirmation page: flash message, interview date and deadline for changes.
    #[tracing::instrument(skip_all)]
    pub async fn instructions(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<Instructions, PortalError> {
        let rest = "/appointment/instructions";
        let answer = self.schedule_page(meter, session, PageKind::Instructions, schedule, rest).await?;
        self.page(session, &answer, instructions::read)
    }

    /// Fetches a page of one group. Returns [`PortalError::NoPermission`] if the portal redirects
    /// away from the group, because then the account does not own the group.
    async fn schedule_page(
        &self,
        meter: &Meter,
        session: &Session,
        page: PageKind,
        schedule: &PortalScheduleId,
        rest: &str,
    ) -> Result<Answer, PortalError> {
        let own = session.path().at(&format!("/schedule/{schedule}"));
        let start = format!("{own}{rest}");
        let own = format!("{own}/");
        self.follow(meter, session, page, start, |to| to.starts_with(&own)).await.map(|(answer, _)| answer)
    }

    /// Sends a GET and follows at most three redirects on the portal's own host. Returns
    /// [`PortalError::NoPermission`] if `stays` returns `false` for a redirect target.
    async fn follow(
        &self,
        meter: &Meter,
        session: &Session,
        page: PageKind,
        start: String,
        stays: impl Fn(&str) -> bool,
    ) -> Result<(Answer, String), PortalError> {
        let mut path = start;
        for _ in 0..4 {
            let answer = self.transport.send(meter, session, PortalRequest::page(page, &path)).await?;
            self.transport.usable(&answer)?;
            let Some(to) = answer.redirect() else {
                return Ok((answer, path));
            };
            path = self.transport.own_path(&to).ok_or_else(|| not_html(page, "redirect to another host"))?;
            if !stays(&path) {
                return Err(PortalError::NoPermission);
            }
        }
        Err(not_html(page, "too many redirects").into())
    }

    fn page<T>(
        &self,
        session: &Session,
        answer: &Answer,
        reader: impl Fn(&Doc) -> Result<T, LayoutChanged>,
    ) -> Result<T, PortalError> {
        let doc = Doc::new(&answer.body);
        session.set_csrf(doc.csrf_token());
        if let Some(portal_error) = classify::by_page(&doc) {
            return Err(portal_error);
        }
        reader(&doc).map_err(|changed| classify::unread(&doc, changed))
    }

    fn json<T>(
        &self,
        session: &Session,
        answer: &Answer,
        reader: impl Fn(&str) -> Result<T, LayoutChanged>,
    ) -> Result<T, PortalError> {
        self.transport.usable(answer)?;
        if answer.redirect().is_some() {
            tracing::debug!(country = %session.path().country(), "portal redirected request for free dates");
            return Err(PortalError::NoPermission);
        }
        reader(&answer.body).map_err(|changed| classify::not_json(&answer.body, changed))
    }
}

/// Returns the part of a query that names the interview before which fingerprints are taken.
fn interview_query(interview: &Slot) -> String {
    format!(
        "consulate_id={}&consulate_date={}&consulate_time={}&appointments%5Bexpedite%5D=false",
        interview.facility.number(),
        interview.date,
        interview.time.format("%H:%M")
    )
}
