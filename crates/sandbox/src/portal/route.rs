//! Routes of the portal: `/{locale}/{niv|iv}/…`.

use super::{
    http::{Reply, Request},
    words::Lang,
};
use crate::world::country::Country;

/// Route of a request. Numbers are portal schedule ids unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    Landing,
    Account,
    SignInPage,
    SignIn,
    SignOut,
    Groups,
    Actions(u64),
    Continue(u64),
    Payment(u64),
    Appointment(u64),
    AppointmentContinue(u64),
    Book(u64),
    Cancel(u64),
    Instructions(u64),
    Days(u64, u32),
    Times(u64, u32),
    /// Fingerprint dates of a place.
    AscDays(u64, u32),
    /// Fingerprint times of a place.
    AscTimes(u64, u32),
    /// Fingerprint places of a consulate.
    AvailableAscs(u64, u32),
    Applicant(u64, u64),
    Nothing,
}

/// Parsed path of a request.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// Base path, e.g. `/en-ca/niv`.
    pub base: String,
    pub visa_type: &'static str,
    pub country: &'static Country,
    pub lang: Lang,
    pub route: Route,
}

impl Route {
    /// Returns the route's name in the journal.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Landing => "landing",
            Self::Account => "account",
            Self::SignInPage => "sign_in_page",
            Self::SignIn => "sign_in",
            Self::SignOut => "sign_out",
            Self::Groups => "groups",
            Self::Actions(_) => "actions",
            Self::Continue(_) => "continue",
            Self::Payment(_) => "payment",
            Self::Appointment(_) => "appointment",
            Self::AppointmentContinue(_) => "appointment_continue",
            Self::Book(_) => "book",
            Self::Cancel(_) => "cancel",
            Self::Instructions(_) => "instructions",
            Self::Days(..) => "days",
            Self::Times(..) => "times",
            Self::AscDays(..) => "asc_days",
            Self::AscTimes(..) => "asc_times",
            Self::AvailableAscs(..) => "available_ascs",
            Self::Applicant(..) => "applicant",
            Self::Nothing => "not_found",
        }
    }

    /// Returns the portal schedule id in the route, if it has one.
    pub fn schedule(self) -> Option<u64> {
        match self {
            Self::Actions(id)
            | Self::Continue(id)
            | Self::Payment(id)
            | Self::Appointment(id)
            | Self::AppointmentContinue(id)
            | Self::Book(id)
            | Self::Cancel(id)
            | Self::Instructions(id)
            | Self::Days(id, _)
            | Self::Times(id, _)
            | Self::AscDays(id, _)
            | Self::AscTimes(id, _)
            | Self::AvailableAscs(id, _)
            | Self::Applicant(id, _) => Some(id),
            _ => None,
        }
    }

    /// Returns `true` for the lists that the booking form requests as JSON.
    pub fn is_json(self) -> bool {
        use Route::{AscDays, AscTimes, AvailableAscs, Days, Times};
        matches!(self, Days(..) | Times(..) | AscDays(..) | AscTimes(..) | AvailableAscs(..))
    }

    /// Returns the route under the locale of a country: lists of a fingerprint place are those of
    /// fingerprint appointments. Invented: a country without such places has no list of them.
    fn in_country(self, country: &Country) -> Self {
        match self {
            Self::Days(id, place) if country.asc_place(place).is_some() => Self::AscDays(id, place),
            Self::Times(id, place) if country.asc_place(place).is_some() => Self::AscTimes(id, place),
            Self::AvailableAscs(..) if country.asc.is_empty() => Self::Nothing,
            other => other,
        }
    }
}

impl Path {
    /// Parses the path of a request. Returns a complete response for a path outside the portal.
    pub fn parse(request: &Request) -> Result<Self, Box<Reply>> {
        let parts: Vec<&str> = request.path.split('/').filter(|p| !p.is_empty()).collect();
        let (locale, rest) = match parts.as_slice() {
            [] => return Err(Box::new(Reply::redirect("/en-ca/niv".to_owned()))),
            ["assets", name] => return Err(Box::new(asset(name))),
            [locale, rest @ ..] => (*locale, rest),
        };
        let Some((lang, country)) = known_locale(locale) else {
            return Err(Box::new(nowhere()));
        };
        let (visa_type, rest) = match rest {
            ["niv", rest @ ..] => ("niv", rest),
            ["iv", rest @ ..] => ("iv", rest),
            [] => return Err(Box::new(Reply::redirect(format!("/{locale}/niv")))),
            _ => return Err(Box::new(nowhere())),
        };
        let route = route(&request.meant_method(), rest).in_country(country);
        Ok(Self { base: format!("/{locale}/{visa_type}"), visa_type, country, lang, route })
    }
}

fn route(method: &str, rest: &[&str]) -> Route {
    let number = |text: &str| text.parse::<u64>().unwrap_or(0);
    let json = |text: &str| text.strip_suffix(".json").and_then(|n| n.parse::<u32>().ok());
    match (method, rest) {
        ("GET" | "HEAD", rest) => match rest {
            [] => Route::Landing,
            ["account"] => Route::Account,
            ["users", "sign_in"] => Route::SignInPage,
            ["users", "sign_out"] => Route::SignOut,
            ["groups"] | ["groups", _] => Route::Groups,
            ["schedule", id, "continue_actions"] => Route::Actions(number(id)),
            ["schedule", id, "continue"] => Route::Continue(number(id)),
            ["schedule", id, "payment"] => Route::Payment(number(id)),
            ["schedule", id, "appointment"] => Route::Appointment(number(id)),
            ["schedule", id, "appointment", "continue"] => Route::AppointmentContinue(number(id)),
            ["schedule", id, "appointment", "instructions"] => Route::Instructions(number(id)),
            ["schedule", id, "appointment", "days", place] => {
                json(place).map_or(Route::Nothing, |place| Route::Days(number(id), place))
            }
            ["schedule", id, "appointment", "times", place] => {
                json(place).map_or(Route::Nothing, |place| Route::Times(number(id), place))
            }
            ["schedule", id, "appointment", "available_ascs", place] => {
                json(place).map_or(Route::Nothing, |place| Route::AvailableAscs(number(id), place))
            }
            ["schedule", id, "applicants", applicant] => Route::Applicant(number(id), number(applicant)),
            _ => Route::Nothing,
        },
        ("POST", ["users", "sign_in"]) => Route::SignIn,
        ("POST", ["schedule", id, "appointment"]) => Route::Book(number(id)),
        ("DELETE", ["schedule", id, "appointment"]) => Route::Cancel(number(id)),
        ("DELETE", ["users", "sign_out"]) => Route::SignOut,
        _ => Route::Nothing,
    }
}

/// Returns language and country of a locale such as `en-ie`. Invented: an unknown country or
/// language is a page that does not exist.
fn known_locale(locale: &str) -> Option<(Lang, &'static Country)> {
    let (language, code) = locale.split_once('-')?;
    let country = Country::with_code(code)?;
    let offered = country.languages.iter().find(|offered| **offered == language)?;
    Some((Lang::with_code(offered)?, country))
}

fn asset(name: &str) -> Reply {
    match name {
        "portal.css" => Reply::asset("text/css; charset=utf-8", include_str!("assets/portal.css")),
        "portal.js" => Reply::asset("text/javascript; charset=utf-8", include_str!("assets/portal.js")),
        _ => nowhere(),
    }
}

/// Returns the 404 page.
pub(crate) fn nowhere() -> Reply {
    Reply::page_with(
        404,
        "<!DOCTYPE html><html><head><title>The page you were looking for doesn't exist (404)</title></head>\
         <body><h1>The page you were looking for doesn't exist.</h1></body></html>",
    )
}
