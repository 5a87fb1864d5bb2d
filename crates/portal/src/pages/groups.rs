//! The account's home: every group with its status, appointment and applicants.

use crate::civil::{CivilMoment, moment_at_start, moments_in};
use crate::html::{Doc, attr, number_after, sel, text, text_without};
use crate::places::{canonical_name, fold};
use crate::{ApplicantId, LayoutChanged, PageKind, PortalScheduleId};
use scraper::ElementRef;
use serde::Serialize;

/// What the portal lets the group do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupStatus {
    /// It holds an appointment.
    AttendAppointment,
    /// It may book its first appointment.
    ScheduleAppointment,
    /// The fee is not paid.
    PayVisaFee,
    /// Anything else: read `status_text`.
    Other,
}

/// A group's appointment as printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Appointment {
    /// Day and time at the consulate.
    pub at: CivilMoment,
    /// The portal's English city name where known, else as printed.
    pub facility_name: String,
    /// The words about the time zone, e.g. `Vancouver local time`.
    pub zone_text: String,
}

/// One applicant of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Applicant {
    /// The portal's number, where a link shows it.
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

/// One group ("application") of the account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The portal's number of the group.
    pub portal_schedule_id: PortalScheduleId,
    /// What it may do next.
    pub status: GroupStatus,
    /// The status in the portal's words.
    pub status_text: String,
    /// Its appointment, if it holds one.
    pub appointment: Option<Appointment>,
    /// The visa class of its applicants; several are joined with ", ".
    pub visa_class: Option<String>,
    /// Its applicants in the page's order.
    pub applicants: Vec<Applicant>,
    /// The account number for the telephone service.
    pub ivr_account_number: Option<String>,
    /// Address of its actions page, where "Continue" is offered.
    pub continue_href: Option<String>,
}

/// Reads all current groups; archived ones are left out.
pub fn parse(html: &str) -> Result<Vec<Group>, LayoutChanged> {
    read(&Doc::new(html))
}

pub(crate) fn read(doc: &Doc) -> Result<Vec<Group>, LayoutChanged> {
    let changed = |what| doc.changed(PageKind::Groups, what);
    doc.whole(PageKind::Groups)?;
    if !doc.body_has_class("groups") && !doc.has(sel!("div.application")) {
        return Err(changed("not the groups page"));
    }
    // First, and on its own: what follows climbs each application's ancestors.
    if doc.has(sel!("div.application div.application")) {
        return Err(changed("one application inside another"));
    }
    let archived = archived(doc);
    let page_ivr = ivr(&text(doc.root()));
    let mut groups = Vec::new();
    for app in doc
        .all(sel!("div.application"))
        .filter(|app| !archived.contains(app))
    {
        groups.push(group(app, page_ivr.as_ref()).map_err(changed)?);
    }
    let mut ids: Vec<_> = groups.iter().map(|g| &g.portal_schedule_id).collect();
    ids.sort_unstable();
    if ids.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(changed("one schedule id on two applications"));
    }
    Ok(groups)
}

fn group(app: ElementRef<'_>, page_ivr: Option<&String>) -> Result<Group, &'static str> {
    let (status, status_text) = status(app)?;
    let appointment = appointment(app)?;
    match (status, &appointment) {
        (GroupStatus::AttendAppointment, None) => {
            return Err("an appointment to attend without its date");
        }
        (GroupStatus::ScheduleAppointment | GroupStatus::PayVisaFee, Some(_)) => {
            return Err("an appointment where none is booked");
        }
        _ => {}
    }
    let applicants = applicants(app);
    let mut classes: Vec<&str> = applicants
        .iter()
        .filter_map(|a| a.visa_class.as_deref())
        .collect();
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
        visa_class: (!classes.is_empty()).then(|| classes.join(", ")),
        ivr_account_number: ivr(&text(app)).or_else(|| page_ivr.cloned()),
        continue_href: app
            .select(sel!("a[href*='continue_actions']"))
            .find_map(|a| attr(a, "href")),
        applicants,
    })
}

/// All links that name a schedule must name the same one; without any, the first number in the
/// first link counts, as working clients have it.
fn schedule_id(app: ElementRef<'_>) -> Result<PortalScheduleId, &'static str> {
    let hrefs: Vec<String> = app
        .select(sel!("a[href]"))
        .filter_map(|a| attr(a, "href"))
        .collect();
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
    Ok(PortalScheduleId::from(id))
}

fn status(app: ElementRef<'_>) -> Result<(GroupStatus, String), &'static str> {
    let words_of = |s: ElementRef<'_>| Some(text_without(s, &["small"])).filter(|t| !t.is_empty());
    let printed = app
        .select(sel!("h4.status"))
        .find_map(words_of)
        .or_else(|| {
            app.select(sel!(
                "h3.status, h5.status, p.status, div.status, span.status"
            ))
            .find_map(words_of)
        });
    let attends = app.value().classes().any(|c| c == "attend_appointment");
    let words = fold(printed.as_deref().unwrap_or_default());
    let says = |list: &[&str]| list.iter().any(|w| words.contains(w));
    let status = if attends || says(&["attend appointment", "se presenter", "assister"]) {
        GroupStatus::AttendAppointment
    } else if says(&["pay visa fee", "pay the visa", "payer", "paiement"]) {
        GroupStatus::PayVisaFee
    } else if says(&[
        "schedule appointment",
        "prendre rendez-vous",
        "prendre un rendez-vous",
        "planifier",
        "fixer",
    ]) {
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

/// The appointment of all `.consular-appt` paragraphs: a page may repeat it for small screens, but
/// never differ.
fn appointment(app: ElementRef<'_>) -> Result<Option<Appointment>, &'static str> {
    let mut found: Option<Appointment> = None;
    for paragraph in app.select(sel!(".consular-appt")) {
        let read = printed_appointment(paragraph)?;
        if found.as_ref().is_some_and(|f| *f != read) {
            return Err("two consular appointments in one application");
        }
        found = Some(read);
    }
    Ok(found)
}

/// `<strong>Consular Appointment:</strong> 1 November, 2027, 09:15 Vancouver local time at Vancouver`.
fn printed_appointment(paragraph: ElementRef<'_>) -> Result<Appointment, &'static str> {
    if paragraph
        .select(sel!(".asc-appt, .delivery, .consular-appt"))
        .next()
        .is_some()
    {
        return Err("another paragraph inside the consular appointment");
    }
    let label = paragraph
        .select(sel!("strong, b"))
        .map(text)
        .find(|t| !t.is_empty());
    let is_first = label.is_some_and(|label| text(paragraph).starts_with(&label));
    let printed = text_without(paragraph, &["strong", "b", "a"]);
    let printed = match printed.split_once(':') {
        _ if is_first => printed.as_str(),
        // A label not set apart ends with the first colon, before any digit.
        Some((label, rest)) if !label.contains(|c: char| c.is_ascii_digit()) => rest.trim(),
        _ => return Err("an appointment without its label"),
    };
    let (at, tail) = moment_at_start(printed).ok_or("an unreadable appointment date")?;
    if !moments_in(tail).is_empty() {
        return Err("two dates in one appointment");
    }
    let (facility_name, zone_text) = place(tail).ok_or("an appointment without its place")?;
    Ok(Appointment {
        at,
        facility_name,
        zone_text,
    })
}

/// ` Vancouver local time at Vancouver — Get Directions` -> (`Vancouver`, `Vancouver local time`).
fn place(tail: &str) -> Option<(String, String)> {
    let tail = tail.split(['—', '–', '|', '(']).next().unwrap_or_default();
    let tail = tail
        .split(" - ")
        .next()
        .unwrap_or_default()
        .trim()
        .trim_start_matches(',')
        .trim();
    // A linked city was left out with its link: nothing follows the "at".
    let tail = tail
        .strip_suffix(" at")
        .or_else(|| tail.strip_suffix(" à"))
        .unwrap_or(tail);
    let (zone, named) = [" at ", " à ", " en "]
        .iter()
        .find_map(|word| tail.split_once(word))
        .map_or((tail, ""), |(zone, named)| (zone.trim(), named.trim()));
    let from_zone = zone_city(zone)?;
    let name = if named.is_empty() {
        from_zone.as_str()
    } else {
        named
    };
    let name = name
        .split(',')
        .next()
        .unwrap_or_default()
        .trim_end_matches(['.', ',', ' '])
        .trim_start();
    (!name.is_empty()).then(|| (canonical_name(name), zone.to_owned()))
}

/// The city in `Vancouver local time` or `Heure locale de Vancouver`, empty without one; none
/// when the words speak of no local time.
fn zone_city(zone: &str) -> Option<String> {
    let folded = fold(zone);
    if let Some(city) = folded.strip_suffix("local time") {
        return Some(
            zone.chars()
                .take(city.chars().count())
                .collect::<String>()
                .trim()
                .to_owned(),
        );
    }
    if ["heure locale", "hora local"].contains(&folded.as_str()) {
        return Some(String::new());
    }
    ["heure locale de ", "heure locale d'", "hora local de "]
        .iter()
        .find(|p| folded.starts_with(**p))
        .map(|p| {
            zone.chars()
                .skip(p.chars().count())
                .collect::<String>()
                .trim()
                .to_owned()
        })
}

/// Rows of the applicants table, columns by their headings; without a table, the linked ids.
fn applicants(app: ElementRef<'_>) -> Vec<Applicant> {
    let mut list: Vec<Applicant> = Vec::new();
    for table in app.select(sel!("table")) {
        let heads: Vec<String> = table.select(sel!("th")).map(|th| fold(&text(th))).collect();
        let column = |words: &[&str], default: usize| {
            heads
                .iter()
                .position(|h| words.iter().any(|w| h.contains(w)))
                .unwrap_or(default)
        };
        let status = heads
            .iter()
            .position(|h| h.contains("status") || h.contains("statut"))
            .unwrap_or(4);
        let columns = [
            column(&["name", "nom"], 0),
            column(&["passport", "passeport"], 1),
            column(&["ds-160", "ds160"], 2),
            column(&["class", "categor"], 3),
            status,
        ];
        list.extend(
            table
                .select(sel!("tr"))
                .filter_map(|row| applicant(row, columns)),
        );
    }
    if list.is_empty() {
        for a in app.select(sel!("a[href*='/applicants/']")) {
            let id = attr(a, "href")
                .and_then(|h| number_after(&h, "/applicants/").map(ApplicantId::from));
            if id.is_some() && !list.iter().any(|known| known.id == id) {
                list.push(Applicant {
                    id,
                    name: text(a),
                    passport: None,
                    ds160: None,
                    visa_class: None,
                    status: None,
                });
            }
        }
    }
    list
}

fn applicant(row: ElementRef<'_>, columns: [usize; 5]) -> Option<Applicant> {
    let cells: Vec<String> = row.select(sel!("td")).map(text).collect();
    let cell = |at: usize| cells.get(at).filter(|t| !t.is_empty()).cloned();
    let [name, passport, ds160, class, status] = columns;
    let id = row
        .select(sel!("a[href*='/applicants/']"))
        .find_map(|a| number_after(&attr(a, "href")?, "/applicants/").map(ApplicantId::from));
    Some(Applicant {
        id,
        name: cell(name).filter(|_| cells.len() > 1)?,
        passport: cell(passport),
        ds160: cell(ds160),
        visa_class: cell(class),
        status: cell(status),
    })
}

/// The number after "IVR Account Number:".
fn ivr(text: &str) -> Option<String> {
    let rest = &text[text.find("IVR")? + 3..];
    let rest: String = rest.chars().take(80).collect();
    let after = rest
        .split_once(':')
        .map_or(rest.as_str(), |(_, after)| after);
    let number = after
        .split_whitespace()
        .next()?
        .trim_end_matches(['.', ',']);
    let plausible = number.contains(|c: char| c.is_ascii_digit())
        && number
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-');
    plausible.then(|| number.to_owned())
}

/// Applications below an "Archived Groups" heading, up to the next heading of the same rank, or
/// in a container marked as an archive.
fn archived(doc: &Doc) -> Vec<ElementRef<'_>> {
    let mut apps: Vec<_> = doc
        .all(sel!("div.application"))
        .filter(|app| app.ancestors().filter_map(ElementRef::wrap).any(is_archive))
        .collect();
    let titles = sel!("h1, h2, h3, h4, h5, h6, legend, summary, a.accordion-title");
    for title in doc.all(titles).filter(|t| {
        let words = fold(&text(*t));
        words.starts_with("archived") || words.starts_with("groupes archives")
    }) {
        let scope = title
            .ancestors()
            .filter_map(ElementRef::wrap)
            .find_map(|scope| {
                let below = below(scope, title);
                (!below.is_empty()).then_some(below)
            });
        apps.extend(scope.unwrap_or_default());
    }
    apps
}

/// Applications in `scope` after `title` and before the next title of the same tag.
fn below<'a>(scope: ElementRef<'a>, title: ElementRef<'a>) -> Vec<ElementRef<'a>> {
    let in_application = |e: ElementRef<'_>| {
        e.ancestors()
            .filter_map(ElementRef::wrap)
            .any(is_application)
    };
    scope
        .descendent_elements()
        .skip_while(|e| e.id() != title.id())
        .skip(1)
        .take_while(|e| e.value().name() != title.value().name() || in_application(*e))
        .filter(|e| is_application(*e))
        .collect()
}

fn is_application(e: ElementRef<'_>) -> bool {
    e.value().name() == "div" && e.value().classes().any(|c| c == "application")
}

fn is_archive(e: ElementRef<'_>) -> bool {
    let id = e.value().id().unwrap_or_default();
    e.value().name() != "body"
        && e.value()
            .classes()
            .chain([id])
            .any(|c| c.to_ascii_lowercase().starts_with("archive"))
}
