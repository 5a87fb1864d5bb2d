//! One request after another in a user's account.

mod transport;

use crate::classify;
use crate::html::{Doc, not_html};
use crate::pages::{
    actions::{self, Actions},
    appointment::{self, AppointmentForm, AppointmentPage},
    days,
    groups::{self, Group},
    instructions::{self, Instructions},
    payment::{self, Payment},
    sign_in,
    sign_in_answer::{self, SignInAnswer},
    times,
};
use crate::{
    ApplicantId, Credentials, FacilityId, LayoutChanged, Meter, PageKind, PortalHost, PortalPath,
    PortalScheduleId, Session, Timeouts, Trouble,
};
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use secrecy::ExposeSecret;
use std::sync::Arc;
pub(crate) use transport::Transport;
use transport::{Answer, Ask};

/// Tells the time; the client never asks the system itself.
pub type Clock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// How to reach the portal and how to introduce oneself.
#[derive(Clone)]
pub struct Settings {
    /// Base address of the portal.
    pub host: PortalHost,
    /// The `User-Agent` sent; honest, with a contact, e.g. `Sooner/0.1 (+https://example.com)`.
    pub user_agent: String,
    /// How long to wait.
    pub timeouts: Timeouts,
    /// The clock for `Retry-After` dates and booking deadlines.
    pub clock: Clock,
}

impl Settings {
    /// The defaults for a host: `Sooner/<version>` and the default timeouts.
    pub fn new(host: PortalHost, clock: Clock) -> Self {
        let user_agent = format!("Sooner/{}", env!("CARGO_PKG_VERSION"));
        Self {
            host,
            user_agent,
            timeouts: Timeouts::default(),
            clock,
        }
    }
}

/// The answer to a look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Days {
    /// Exactly the list this session was given last time (304).
    Unchanged,
    /// The whole list, sorted; may be empty, and an empty list proves nothing by itself.
    List(Vec<NaiveDate>),
}

/// What was met on the way to the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormVisit {
    /// The form.
    pub form: AppointmentForm,
    /// Reschedules left, where the warning was shown on the way.
    pub remaining: Option<u32>,
    /// All applicants the portal listed on the way; empty when it did not ask.
    pub listed: Vec<ApplicantId>,
}

/// The portal's client: shared by all accounts, cheap to clone.
///
/// Each method makes one request unless it says otherwise; none repeats a request by itself.
/// Dropping a call may leave its request sent: the [`Meter`] has counted it.
#[derive(Clone)]
pub struct Client {
    pub(crate) transport: Arc<Transport>,
}

impl Client {
    /// Builds the client for one portal host. Fails with [`Trouble::Network`] when TLS cannot be
    /// set up (only tried for https).
    pub fn new(settings: Settings) -> Result<Self, Trouble> {
        Ok(Self {
            transport: Arc::new(Transport::new(settings)?),
        })
    }

    /// Signs in: two requests, one of them a sign-in attempt. An armed captcha is found before
    /// anything is sent.
    #[tracing::instrument(skip_all)]
    pub async fn sign_in(
        &self,
        meter: &Meter,
        path: PortalPath,
        credentials: &Credentials,
    ) -> Result<Session, Trouble> {
        let session = Session::new(path);
        let address = session.path().at("/users/sign_in");
        meter.page();
        let answer = self
            .transport
            .send(&session, Ask::page(PageKind::SignIn, &address))
            .await?;
        let page = read(&answer, sign_in::read)?;
        session.set_csrf(page.csrf_token);
        if page.captcha {
            return Err(Trouble::Captcha);
        }
        let body = form_urlencoded::Serializer::new(String::new())
            .append_pair("utf8", "✓")
            .append_pair("user[email]", credentials.login.expose_secret())
            .append_pair("user[password]", credentials.password.expose_secret())
            .append_pair("policy_confirmed", "1")
            .append_pair("commit", "Sign In")
            .finish();
        meter.sign_in();
        let answer = self
            .transport
            .send(&session, Ask::sign_in(&address, body))
            .await?;
        self.signed_in(&answer)?;
        Ok(session)
    }

    /// Reads the answer to a sign-in POST. Words of refusal outweigh the status.
    fn signed_in(&self, answer: &Answer) -> Result<(), Trouble> {
        let changed = |what| Err(not_html(PageKind::SignInAnswer, what).into());
        if let Some(to) = answer.redirect() {
            return if to.contains("/users/sign_in") {
                changed("sent back to the sign-in page")
            } else {
                Ok(())
            };
        }
        match sign_in_answer::parse(&answer.body) {
            Ok(SignInAnswer::BadCredentials) => Err(Trouble::CredentialsRejected),
            Ok(SignInAnswer::Locked { until, text }) => Err(Trouble::Locked { until, text }),
            Ok(SignInAnswer::Captcha) => Err(Trouble::Captcha),
            read => {
                self.transport.usable(answer)?;
                read.map(|_| ()).map_err(Trouble::from)
            }
        }
    }

    /// All current groups: one request, or up to four while the home's address is unknown.
    #[tracing::instrument(skip_all)]
    pub async fn groups(&self, meter: &Meter, session: &Session) -> Result<Vec<Group>, Trouble> {
        let start = session
            .home()
            .unwrap_or_else(|| session.path().at("/account"));
        let followed = self
            .follow(meter, session, PageKind::Groups, start, |_| true)
            .await;
        let (answer, path) = followed.inspect_err(|t| {
            if matches!(t, Trouble::NotFound | Trouble::NoPermission) {
                session.set_home(None);
            }
        })?;
        let groups = self.page(session, &answer, groups::read)?;
        if path.contains("/groups/") {
            session.set_home(Some(path));
        }
        Ok(groups)
    }

    /// What can be done with one group.
    #[tracing::instrument(skip_all)]
    pub async fn actions(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<Actions, Trouble> {
        let answer = self
            .schedule_page(
                meter,
                session,
                PageKind::Actions,
                schedule,
                "/continue_actions",
            )
            .await?;
        self.page(session, &answer, actions::read)
    }

    /// The fee page: first available days of all cities, and the receipt.
    #[tracing::instrument(skip_all)]
    pub async fn payment(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<Payment, Trouble> {
        let answer = self
            .schedule_page(meter, session, PageKind::Payment, schedule, "/payment")
            .await?;
        self.page(session, &answer, payment::read)
    }

    /// Whatever `/appointment` shows first: the limit warning, the applicants, the form, or the
    /// end of all attempts (a value here, not a trouble).
    #[tracing::instrument(skip_all)]
    pub async fn appointment_page(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<AppointmentPage, Trouble> {
        self.appointment_at(meter, session, schedule, "/appointment")
            .await
    }

    /// Reschedules left: the limit warning's number, 0 when it says that none is left, none where
    /// the portal does not warn (first bookings).
    #[tracing::instrument(skip_all)]
    pub async fn limit(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<Option<u32>, Trouble> {
        Ok(
            match self.appointment_page(meter, session, schedule).await? {
                AppointmentPage::Limit(limit) => Some(limit.remaining),
                AppointmentPage::LimitReached => Some(0),
                AppointmentPage::Applicants(_) | AppointmentPage::Form(_) => None,
            },
        )
    }

    /// The applicants the portal lets one choose from; empty when it goes straight to the form.
    #[tracing::instrument(skip_all)]
    pub async fn applicants(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<Vec<ApplicantId>, Trouble> {
        match self
            .appointment_at(meter, session, schedule, &confirmed(&[]))
            .await?
        {
            AppointmentPage::Applicants(list) => Ok(list.into_iter().map(|a| a.id).collect()),
            AppointmentPage::Form(_) => Ok(Vec::new()),
            AppointmentPage::LimitReached => Err(Trouble::LimitReached),
            AppointmentPage::Limit(_) => {
                Err(not_html(PageKind::Applicants, "the limit warning again").into())
            }
        }
    }

    /// The booking form for the whole group. With `applicants` known: one request straight to it.
    /// Without: the limit warning and the applicants page are walked, at most three requests.
    #[tracing::instrument(skip_all)]
    pub async fn form(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        applicants: &[ApplicantId],
    ) -> Result<FormVisit, Trouble> {
        let (mut remaining, mut listed) = (None, Vec::new());
        let mut rest = if applicants.is_empty() {
            "/appointment".to_owned()
        } else {
            confirmed(applicants)
        };
        for _ in 0..3 {
            match self.appointment_at(meter, session, schedule, &rest).await? {
                AppointmentPage::Form(form) => {
                    return Ok(FormVisit {
                        form,
                        remaining,
                        listed,
                    });
                }
                AppointmentPage::LimitReached => return Err(Trouble::LimitReached),
                AppointmentPage::Limit(limit) => {
                    remaining = Some(limit.remaining);
                    rest = confirmed(applicants);
                }
                AppointmentPage::Applicants(list) => {
                    listed = list.into_iter().map(|a| a.id).collect();
                    rest = confirmed(&listed);
                }
            }
        }
        Err(not_html(PageKind::Form, "the way to the form goes round in circles").into())
    }

    /// One look: the free days of a facility. Sends the ETag of the last list of this session.
    #[tracing::instrument(skip_all)]
    pub async fn days(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        facility: FacilityId,
    ) -> Result<Days, Trouble> {
        let address = session.path().at(&format!(
            "/schedule/{schedule}/appointment/days/{facility}.json?appointments%5Bexpedite%5D=false"
        ));
        let known = session.etag(schedule, facility);
        let ask = Ask::json(PageKind::Days, &address, known.clone());
        meter.look();
        let answer = self.transport.send(session, ask).await?;
        if answer.status == 304 {
            let odd = || not_html(PageKind::Days, "unchanged, but nothing was known").into();
            return known.map(|_| Days::Unchanged).ok_or_else(odd);
        }
        let list = self.json(session, &answer, days::parse)?;
        session.set_etag(schedule, facility, answer.etag());
        Ok(Days::List(list))
    }

    /// The free times of one day at a facility.
    #[tracing::instrument(skip_all)]
    pub async fn times(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        facility: FacilityId,
        date: NaiveDate,
    ) -> Result<Vec<NaiveTime>, Trouble> {
        let address = session.path().at(&format!(
            "/schedule/{schedule}/appointment/times/{facility}.json?date={date}&appointments%5Bexpedite%5D=false"
        ));
        meter.look();
        let answer = self
            .transport
            .send(session, Ask::json(PageKind::Times, &address, None))
            .await?;
        self.json(session, &answer, times::parse)
    }

    /// Confirmation and instructions: flash message, printed interview, change deadline.
    #[tracing::instrument(skip_all)]
    pub async fn instructions(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<Instructions, Trouble> {
        let rest = "/appointment/instructions";
        let answer = self
            .schedule_page(meter, session, PageKind::Instructions, schedule, rest)
            .await?;
        self.page(session, &answer, instructions::read)
    }

    /// Ends the session at the portal; an already ended one is fine.
    #[tracing::instrument(skip_all)]
    pub async fn sign_out(&self, meter: &Meter, session: Session) -> Result<(), Trouble> {
        let address = session.path().at("/users/sign_out");
        meter.page();
        let answer = self
            .transport
            .send(&session, Ask::page(PageKind::SignIn, &address))
            .await?;
        match self.transport.usable(&answer) {
            Ok(()) | Err(Trouble::SignedOut) => Ok(()),
            Err(trouble) => Err(trouble),
        }
    }

    async fn appointment_at(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        rest: &str,
    ) -> Result<AppointmentPage, Trouble> {
        let answer = self
            .schedule_page(meter, session, PageKind::Form, schedule, rest)
            .await?;
        let doc = Doc::new(&answer.body);
        session.set_csrf(doc.csrf_token());
        match appointment::read(&doc) {
            Ok(page) => Ok(page),
            Err(changed) => {
                Err(classify::by_page(&doc).unwrap_or_else(|| classify::unread(&doc, changed)))
            }
        }
    }

    /// A page of one group; being led away from that group means that it is not ours.
    async fn schedule_page(
        &self,
        meter: &Meter,
        session: &Session,
        page: PageKind,
        schedule: &PortalScheduleId,
        rest: &str,
    ) -> Result<Answer, Trouble> {
        let own = session.path().at(&format!("/schedule/{schedule}"));
        let start = format!("{own}{rest}");
        let own = format!("{own}/");
        self.follow(meter, session, page, start, |to| to.starts_with(&own))
            .await
            .map(|(answer, _)| answer)
    }

    /// Follows at most three redirects by GET, on the portal's own host, where `stays` agrees.
    async fn follow(
        &self,
        meter: &Meter,
        session: &Session,
        page: PageKind,
        start: String,
        stays: impl Fn(&str) -> bool,
    ) -> Result<(Answer, String), Trouble> {
        let mut path = start;
        for _ in 0..4 {
            meter.page();
            let answer = self.transport.send(session, Ask::page(page, &path)).await?;
            self.transport.usable(&answer)?;
            let Some(to) = answer.redirect() else {
                return Ok((answer, path));
            };
            path = self
                .transport
                .own_path(&to)
                .ok_or_else(|| not_html(page, "led to another host"))?;
            if !stays(&path) {
                return Err(Trouble::NoPermission);
            }
        }
        Err(not_html(page, "led round in circles").into())
    }

    fn page<T>(
        &self,
        session: &Session,
        answer: &Answer,
        reader: impl Fn(&Doc) -> Result<T, LayoutChanged>,
    ) -> Result<T, Trouble> {
        let doc = Doc::new(&answer.body);
        session.set_csrf(doc.csrf_token());
        if let Some(trouble) = classify::by_page(&doc) {
            return Err(trouble);
        }
        reader(&doc).map_err(|changed| classify::unread(&doc, changed))
    }

    fn json<T>(
        &self,
        session: &Session,
        answer: &Answer,
        reader: impl Fn(&str) -> Result<T, LayoutChanged>,
    ) -> Result<T, Trouble> {
        self.transport.usable(answer)?;
        if answer.redirect().is_some() {
            tracing::debug!(
                country = session.path().country(),
                "JSON request was led away"
            );
            return Err(Trouble::NoPermission);
        }
        reader(&answer.body).map_err(|changed| classify::not_json(&answer.body, changed))
    }
}

/// Reads a page without a session behind it.
fn read<T>(
    answer: &Answer,
    reader: impl Fn(&Doc) -> Result<T, LayoutChanged>,
) -> Result<T, Trouble> {
    if let Some(trouble) = answer.trouble.clone() {
        return Err(trouble);
    }
    let doc = Doc::new(&answer.body);
    reader(&doc).map_err(|changed| classify::unread(&doc, changed))
}

/// `/appointment?applicants[]=A&applicants[]=B&confirmed_limit_message=1&commit=Continue`.
fn confirmed(applicants: &[ApplicantId]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for applicant in applicants {
        query.append_pair("applicants[]", applicant.as_str());
    }
    query
        .append_pair("confirmed_limit_message", "1")
        .append_pair("commit", "Continue");
    format!("/appointment?{}", query.finish())
}
