//! Requests that lead to the booking form: limit warning, selection of applicants, form.

use super::Client;
use crate::classify;
use crate::html::{Doc, not_html};
use crate::pages::appointment::{self, AppointmentForm, AppointmentPage};
use crate::{ApplicantId, Meter, PageKind, PortalError, Session};
use domain::ids::PortalScheduleId;

/// Booking form and the facts read on the pages before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormVisit {
    /// The form.
    pub form: AppointmentForm,
    /// Number of reschedules left, if the portal showed the limit warning.
    pub remaining: Option<u32>,
    /// All applicants that the portal listed. Empty if the portal did not request a selection.
    pub listed: Vec<ApplicantId>,
}

impl Client {
    /// Fetches `/appointment`, which shows one of four pages: the limit warning, the selection of
    /// applicants, the form, or the page for a reached limit. A reached limit is a value here, not
    /// an error.
    #[tracing::instrument(skip_all)]
    pub async fn appointment_page(
        &self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
    ) -> Result<AppointmentPage, PortalError> {
        self.appointment_at(meter, session, schedule, "/appointment").await
    }

    /// Returns the number of reschedules left. Returns 0 if the limit is reached, and `None` if the
    /// portal shows no warning, as for first bookings.
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

    /// Fetches the applicants that the portal offers for selection. Returns an empty list if the
    /// portal shows the form directly.
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

    /// Fetches the booking form for the whole group. With `applicants`, one request is enough.
    /// Without them the client passes the limit warning and the applicants page, with at most four
    /// requests.
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

    /// Fetches the limit warning again, and then the booking form for `applicants`, or for all
    /// listed applicants if the list is empty. Sends two requests, or one if the portal shows no
    /// warning. Each further page is one more request.
    ///
    /// The order is fixed. The request for the warning makes the portal forget the selected
    /// applicants, so a form fetched earlier is no longer valid.
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

    /// Returns `true` if the target of the form is the group's own page, or if the form has no
    /// target.
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
