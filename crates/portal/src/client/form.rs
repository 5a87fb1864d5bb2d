//! The path to the booking form: limit warning, choice of applicants, form.

use super::Client;
use crate::classify;
use crate::html::{Doc, not_html};
use crate::pages::appointment::{self, AppointmentForm, AppointmentPage};
use crate::{ApplicantId, Meter, PageKind, PortalError, Session};
use domain::ids::PortalScheduleId;

/// Result of the path to the booking form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormVisit {
    /// The form.
    pub form: AppointmentForm,
    /// Reschedules left, if the portal showed the warning.
    pub remaining: Option<u32>,
    /// All applicants that the portal listed; empty if the portal did not ask for applicants.
    pub listed: Vec<ApplicantId>,
}

impl Client {
    /// Fetches the page that `/appointment` shows first: the limit warning, the applicants, the
    /// form, or the reached limit. The reached limit is a value here, not an error.
    #[tracing::instrument(skip_all)]
    pub async fn appointment_page(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<AppointmentPage, PortalError> {
        self.appointment_at(meter, session, schedule, "/appointment").await
    }

    /// Returns the reschedules left by the limit warning. Returns 0 if the limit is reached, and
    /// `None` if the portal shows no warning (first bookings).
    #[tracing::instrument(skip_all)]
    pub async fn limit(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<Option<u32>, PortalError> {
        Ok(match self.appointment_page(meter, session, schedule).await? {
            AppointmentPage::Limit(limit) => Some(limit.remaining),
            AppointmentPage::LimitReached => Some(0),
            AppointmentPage::Applicants(_) | AppointmentPage::Form(_) => None,
        })
    }

    /// Fetches the applicants that the portal offers for selection; empty if the portal shows the
    /// form directly.
    #[tracing::instrument(skip_all)]
    pub async fn applicants(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<Vec<ApplicantId>, PortalError> {
        match self.appointment_at(meter, session, schedule, &confirmed(&[])).await? {
            AppointmentPage::Applicants(list) => Ok(list.into_iter().map(|a| a.id).collect()),
            AppointmentPage::Form(_) => Ok(Vec::new()),
            AppointmentPage::LimitReached => Err(PortalError::LimitReached),
            AppointmentPage::Limit(_) => {
                Err(not_html(PageKind::Applicants, "the limit warning appears a second time").into())
            }
        }
    }

    /// Fetches the booking form for the whole group. If `applicants` are given, one request leads
    /// to the form. Otherwise the client walks the limit warning and the applicants page, with at
    /// most four requests.
    #[tracing::instrument(skip_all)]
    pub async fn form(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        applicants: &[ApplicantId],
    ) -> Result<FormVisit, PortalError> {
        let rest = if applicants.is_empty() { "/appointment".to_owned() } else { confirmed(applicants) };
        self.walk(meter, session, schedule, applicants, rest).await
    }

    /// Fetches the limit warning again, and then the booking form for these `applicants`, or for
    /// all listed applicants if none are given. This takes two requests, one if the portal shows no
    /// warning, and one more for each further page.
    ///
    /// The order is fixed: a visit of the bare page makes the portal forget the chosen applicants.
    /// A form fetched before that visit is worthless.
    #[tracing::instrument(skip_all)]
    pub async fn form_afresh(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        applicants: &[ApplicantId],
    ) -> Result<FormVisit, PortalError> {
        self.walk(meter, session, schedule, applicants, "/appointment".to_owned()).await
    }

    async fn walk(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        applicants: &[ApplicantId],
        mut rest: String,
    ) -> Result<FormVisit, PortalError> {
        let (mut remaining, mut listed) = (None, Vec::new());
        for _ in 0..4 {
            match self.appointment_at(meter, session, schedule, &rest).await? {
                AppointmentPage::Form(form) => {
                    if !self.is_sent_to(session, schedule, &form) {
                        return Err(not_html(PageKind::Form, "the form posts to an unknown address").into());
                    }
                    return Ok(FormVisit { form, remaining, listed });
                }
                AppointmentPage::LimitReached => return Err(PortalError::LimitReached),
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
        Err(not_html(PageKind::Form, "the pages before the form repeat").into())
    }

    /// Returns `true` if a form is sent to the group's own page, or names no target.
    fn is_sent_to(&self, session: &Session, schedule: &PortalScheduleId, form: &AppointmentForm) -> bool {
        let own = session.path().at(&format!("/schedule/{schedule}/appointment"));
        form.action.as_deref().is_none_or(|action| {
            let path = self.transport.own_path(action);
            path.is_some_and(|path| path.split('?').next() == Some(own.as_str()))
        })
    }

    async fn appointment_at(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        rest: &str,
    ) -> Result<AppointmentPage, PortalError> {
        let answer = self.schedule_page(meter, session, PageKind::Form, schedule, rest).await?;
        let doc = Doc::new(&answer.body);
        session.set_csrf(doc.csrf_token());
        match appointment::read(&doc) {
            Ok(page) => Ok(page),
            Err(changed) => Err(classify::by_page(&doc).unwrap_or_else(|| classify::unread(&doc, changed))),
        }
    }
}

/// Returns `/appointment?applicants[]=A&applicants[]=B&confirmed_limit_message=1&commit=Continue`.
fn confirmed(applicants: &[ApplicantId]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for applicant in applicants {
        query.append_pair("applicants[]", applicant.as_str());
    }
    query.append_pair("confirmed_limit_message", "1").append_pair("commit", "Continue");
    format!("/appointment?{}", query.finish())
}
