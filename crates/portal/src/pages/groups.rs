//! The home page of an account: all groups with status, appointment and applicants.

mod applicants;
mod appointment;
mod archive;

use crate::civil::CivilMoment;
use crate::html::{Doc, attr, number_after, sel, text, text_without};
use crate::wording::Wording;
use crate::{ApplicantId, LayoutChanged, PageKind};
use applicants::applicants;
use appointment::{fingerprints, interview};
use archive::archived;
use domain::ids::PortalScheduleId;
use domain::text::fold;
use scraper::ElementRef;
use serde::Serialize;

/// Next step that the portal offers to a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupStatus {
    /// The group has an appointment.
    AttendAppointment,
    /// The group may book its first appointment.
    ScheduleAppointment,
    /// The group has not paid the fee.
    PayVisaFee,
    /// The group has only a fingerprint (ASC) appointment and none at a consulate.
    FingerprintsOnly,
    /// The group's part of the page could not be parsed, for the reason in `unreadable_because`.
    /// The other groups of the page are not affected.
    Unreadable,
    /// Any other status. `status_text` contains the portal's text.
    Other,
}

/// Appointment of a group, as the page prints it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Appointment {
    /// Local date and time at the place.
    pub at: CivilMoment,
    /// English name of the city, or the printed name if the city is unknown. Empty only for a page
    /// that the client does not read, whose words around the city are not known.
    pub facility_name: String,
    /// The text about the time zone, e.g. `Vancouver local time`.
    pub zone_text: String,
}

/// Applicant in a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Applicant {
    /// The portal's number of the applicant, if a link on the page contains it.
    pub id: Option<ApplicantId>,
    /// Name as printed.
    pub name: String,
    /// Passport number as printed.
    pub passport: Option<String>,
    /// DS-160 confirmation number as printed.
    pub ds160: Option<String>,
    /// Visa class as printed.
    pub visa_class: Option<String>,
    /// Status as printed.
    pub status: Option<String>,
}

/// Group of applicants, called "application" on the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The portal's number of the group.
    pub portal_schedule_id: PortalScheduleId,
    /// Next step of the group.
    pub status: GroupStatus,
    /// The status as the page prints it.
    pub status_text: String,
    /// The appointment of the group at the consulate, if it has one.
    pub appointment: Option<Appointment>,
    /// The fingerprint (ASC) appointment of the group, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprints: Option<Appointment>,
    /// The visa classes of the applicants, joined with ", ".
    pub visa_class: Option<String>,
    /// The applicants in the order of the page.
    pub applicants: Vec<Applicant>,
    /// The account number for the portal's telephone service (IVR).
    pub ivr_account_number: Option<String>,
    /// Address of the actions page, if the page shows the "Continue" button.
    pub continue_href: Option<String>,
    /// The reason why only the group's number could be read. `None` for a group that was read
    /// completely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable_because: Option<&'static str>,
}

/// Contents of the home page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupsPage {
    /// Current groups in the order of the page.
    pub groups: Vec<Group>,
    /// Numbers of the archived groups, if the page prints them.
    pub archived: Vec<PortalScheduleId>,
    shape: u64,
}

impl GroupsPage {
    /// Returns the current group with this number, if the page lists it.
    #[must_use]
    pub fn group(&self, id: &PortalScheduleId) -> Option<&Group> {
        self.groups.iter().find(|group| group.portal_schedule_id == *id)
    }

    /// Builds the error for a group that should be on the page and is missing.
    #[must_use]
    pub const fn lacks_a_group(&self) -> LayoutChanged {
        LayoutChanged {
            page: PageKind::Groups,
            what: "a group of the account is not listed",
            shape: self.shape,
        }
    }
}

/// Parses the current groups. Archived groups are left out.
pub fn parse(html: &str) -> Result<Vec<Group>, LayoutChanged> {
    read(&Doc::new(html)).map(|page| page.groups)
}

pub(crate) fn read(doc: &Doc) -> Result<GroupsPage, LayoutChanged> {
    let changed = |what| doc.changed(PageKind::Groups, what);
    doc.whole(PageKind::Groups)?;
    if !doc.body_has_class("groups") && !doc.has(sel!("div.application")) {
        return Err(changed("not the page of groups"));
    }
    // Reject nested applications first. The code below searches the ancestors of each application
    // and would otherwise find the wrong one.
    if doc.has(sel!("div.application div.application")) {
        return Err(changed("an application inside another application"));
    }
    let archived = archived(doc);
    let page_ivr = ivr(&text(doc.root()));
    let mut groups = Vec::new();
    for app in doc.all(sel!("div.application")).filter(|app| !archived.contains(app)) {
        let read = group(app, page_ivr.as_ref(), doc.wording()).or_else(|what| unreadable(app, what));
        groups.push(read.map_err(changed)?);
    }
    if let Some(first) = groups.first().filter(|_| groups.iter().all(Group::is_unreadable)) {
        return Err(changed(first.unreadable_because.unwrap_or("no application can be read")));
    }
    if groups.is_empty() && links_elsewhere(doc) {
        return Err(changed("links to schedules, but no application"));
    }
    let mut ids: Vec<_> = groups.iter().map(|g| &g.portal_schedule_id).collect();
    ids.sort_unstable();
    if ids.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(changed("two applications with the same schedule id"));
    }
    let archived = archived.into_iter().filter_map(|app| schedule_id(app).ok()).collect();
    Ok(GroupsPage { groups, archived, shape: doc.shape() })
}

/// Returns `true` if a link outside of all applications contains a group number. In that case the
/// markup of the applications is no longer the known one.
fn links_elsewhere(doc: &Doc) -> bool {
    let is_application = |e: ElementRef<'_>| e.value().classes().any(|class| class == "application");
    doc.all(sel!("a[href*='/schedule/']")).any(|link| {
        attr(link, "href").is_some_and(|href| number_after(&href, "/schedule/").is_some())
            && !link.ancestors().filter_map(ElementRef::wrap).any(is_application)
    })
}

impl Group {
    /// Returns `true` if the group was parsed completely and has more than a fingerprint
    /// appointment.
    #[must_use]
    pub fn is_served(&self) -> bool {
        !matches!(self.status, GroupStatus::Unreadable | GroupStatus::FingerprintsOnly)
    }

    /// Returns `true` if only the number of the group could be read.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.status == GroupStatus::Unreadable
    }
}

/// Builds a group with its number only, so that one unreadable group does not block the others.
fn unreadable(app: ElementRef<'_>, what: &'static str) -> Result<Group, &'static str> {
    Ok(Group {
        portal_schedule_id: schedule_id(app).map_err(|_| what)?,
        status: GroupStatus::Unreadable,
        status_text: String::new(),
        appointment: None,
        fingerprints: None,
        visa_class: None,
        applicants: Vec::new(),
        ivr_account_number: None,
        continue_href: None,
        unreadable_because: Some(what),
    })
}

fn group(app: ElementRef<'_>, page_ivr: Option<&String>, wording: &Wording) -> Result<Group, &'static str> {
    let (mut status, status_text) = status(app, wording)?;
    let appointment = interview(app, wording)?;
    let fingerprints = fingerprints(app, wording)?;
    if status == GroupStatus::AttendAppointment && appointment.is_none() && fingerprints.is_some() {
        status = GroupStatus::FingerprintsOnly;
    }
    match (status, &appointment) {
        (GroupStatus::AttendAppointment, None) => {
            return Err("an application with an appointment but without its date");
        }
        (GroupStatus::ScheduleAppointment | GroupStatus::PayVisaFee, Some(_)) => {
            return Err("an appointment in an application whose status has none");
        }
        (GroupStatus::ScheduleAppointment, None) if fingerprints.is_some() => {
            return Err("a fingerprint appointment in an application whose status has none");
        }
        _ => {}
    }
    let applicants = applicants(app);
    let mut classes: Vec<&str> = applicants.iter().filter_map(|a| a.visa_class.as_deref()).collect();
    let mut seen = Vec::new();
    classes.retain(|c| {
        !seen.contains(c) && {
            seen.push(*c);
            true
        }
    });
    Ok(Group {
        portal_schedule_id: schedule_id(app)?,
        status,
        status_text,
        appointment,
        fingerprints,
        visa_class: (!classes.is_empty()).then(|| classes.join(", ")),
        ivr_account_number: ivr(&text(app)).or_else(|| page_ivr.cloned()),
        continue_href: app.select(sel!("a[href*='continue_actions']")).find_map(|a| attr(a, "href")),
        unreadable_because: None,
        applicants,
    })
}

/// Returns the number of the group. All links with a group number must agree. If there is no such
/// link, returns the first number in the first link, as other working clients do.
fn schedule_id(app: ElementRef<'_>) -> Result<PortalScheduleId, &'static str> {
    let hrefs: Vec<String> = app.select(sel!("a[href]")).filter_map(|a| attr(a, "href")).collect();
    let mut ids = hrefs.iter().filter_map(|h| number_after(h, "/schedule/"));
    let id = match ids.next() {
        Some(id) if ids.all(|other| other == id) => id,
        Some(_) => return Err("links to two schedules in one application"),
        None => {
            let first = hrefs.first().ok_or("an application without links")?;
            first
                .split(|c: char| !c.is_ascii_digit())
                .find(|n| !n.is_empty())
                .ok_or("no schedule id in the first link")?
        }
    };
    Ok(PortalScheduleId(id.to_owned()))
}

fn status(app: ElementRef<'_>, wording: &Wording) -> Result<(GroupStatus, String), &'static str> {
    let words_of = |s: ElementRef<'_>| Some(text_without(s, &["small"])).filter(|t| !t.is_empty());
    let printed = app.select(sel!("h4.status")).find_map(words_of).or_else(|| {
        app.select(sel!("h3.status, h5.status, p.status, div.status, span.status")).find_map(words_of)
    });
    let attends = app.value().classes().any(|c| c == "attend_appointment");
    let words = fold(printed.as_deref().unwrap_or_default());
    let says = |list: &[&str]| list.iter().any(|w| words.contains(w));
    let status =
        if attends || says(&["attend appointment", "se presenter", "assister"]) || says(wording.attends) {
            GroupStatus::AttendAppointment
        } else if says(&["pay visa fee", "pay the visa", "payer", "paiement"]) {
            GroupStatus::PayVisaFee
        } else if says(&[
            "schedule appointment",
            "prendre rendez-vous",
            "prendre un rendez-vous",
            "planifier",
            "fixer",
        ]) || says(wording.schedules)
        {
            GroupStatus::ScheduleAppointment
        } else {
            GroupStatus::Other
        };
    match printed {
        Some(text) => Ok((status, text)),
        None if attends => Ok((status, "Attend Appointment".to_owned())),
        None => Err("an application without a status"),
    }
}

/// Returns the number after "IVR Account Number:".
fn ivr(text: &str) -> Option<String> {
    let rest = &text[text.find("IVR")? + 3..];
    let rest: String = rest.chars().take(80).collect();
    let after = rest.split_once(':').map_or(rest.as_str(), |(_, after)| after);
    let number = after.split_whitespace().next()?.trim_end_matches(['.', ',']);
    let plausible = number.contains(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    plausible.then(|| number.to_owned())
}
