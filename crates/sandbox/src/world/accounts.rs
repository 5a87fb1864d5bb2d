//! Portal accounts, their groups of applicants, sessions, locks and soft bans.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use chrono::{DateTime, Duration, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::{
    World,
    asc::AppointmentKind,
    country::{Country, USUAL_LIMIT, is_default},
    dice::Purpose,
};

/// Account at the portal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Account {
    /// Login, an e-mail address.
    pub username: String,
    /// Password in plain text. All accounts are invented.
    pub password: String,
    /// Portal schedule ids of the account's groups.
    pub schedules: Vec<u64>,
    /// Number of the account's home page, `/groups/{id}`.
    pub home_id: u64,
    /// IVR account number, printed at the bottom of the groups page.
    pub ivr_number: String,
    /// Number of failed sign-ins since the last success.
    pub failed_sign_ins: u32,
    /// End of the lock, if the account is locked.
    pub locked_until: Option<DateTime<Utc>>,
    /// True if the next sign-in shows a captcha.
    pub captcha: bool,
    /// End of the soft ban. During a soft ban every list is empty.
    pub banned_until: Option<DateTime<Utc>>,
    /// Number of requests in the window after which the next ban begins, if accounts differ in
    /// this.
    #[serde(default)]
    pub ban_after: Option<u32>,
    /// Times of the requests inside the ban window.
    pub calls: VecDeque<DateTime<Utc>>,
    /// Number of requests for dates and times so far.
    #[serde(rename = "looks")]
    pub polls: u64,
    /// Number of all requests so far.
    pub requests: u64,
    /// Number of successful sign-ins so far.
    pub sign_ins: u64,
}

/// Group of applicants with one appointment, called "application" on the portal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Group {
    /// Portal schedule id, which occurs in every path.
    pub schedule_id: u64,
    /// Country of the application. The group exists only under the locales of this country.
    #[serde(default, skip_serializing_if = "is_default")]
    pub country: &'static Country,
    /// Username of the account that owns the group.
    pub account: String,
    /// The applicants of the group.
    pub applicants: Vec<Applicant>,
    /// The status of the group.
    pub status: Status,
    /// The booked appointment, if there is one.
    pub appointment: Option<Appointment>,
    /// Fingerprint appointment at an application support centre (ASC). Groups in Canada have none.
    /// Set it there to test parsers.
    pub asc: Option<Appointment>,
    /// Number of permitted cancellations and reschedules, or 0 if there is no limit.
    pub attempts_total: u32,
    /// Number of cancellations and reschedules left. It has no meaning if there is no limit.
    pub attempts_left: u32,
    /// Date on the fee receipt. The fee is valid for 365 days.
    pub fee_receipt: Option<NaiveDate>,
    /// True if the group is listed under "Archived Groups".
    pub archived: bool,
    /// True if the applicants travel from another country (third-country nationals).
    pub tcn: bool,
    /// Outdated data that the groups page still shows after a change.
    pub lag: Option<Lag>,
}

/// Outdated data of a group on the groups page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lag {
    /// Time until which the data is shown.
    pub until: DateTime<Utc>,
    /// The old appointment.
    pub appointment: Option<Appointment>,
    /// The old fingerprint appointment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asc: Option<Appointment>,
    /// The old status.
    pub status: Status,
    /// The appointment that alone is outdated, or `None` for both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half: Option<AppointmentKind>,
}

/// Applicant of a group.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Applicant {
    /// The portal's number of the applicant.
    pub id: u64,
    /// Name as in the passport.
    pub name: String,
    /// Passport number.
    pub passport: String,
    /// DS-160 confirmation number.
    pub ds160: String,
    /// Visa class, e.g. "B1/B2 Business & Tourism (Temporary visitor)".
    pub visa_class: String,
}

/// State of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The group has an appointment.
    AttendAppointment,
    /// The fee is paid and no appointment is booked.
    ScheduleAppointment,
    /// The fee is not paid.
    PayVisaFee,
}

/// Date, time and place of an appointment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Appointment {
    /// Facility number.
    pub facility: u32,
    /// Local date at the facility.
    pub date: NaiveDate,
    /// Local time at the facility.
    #[serde(with = "super::hour_minute")]
    pub time: NaiveTime,
}

impl Appointment {
    /// Returns the local date and time.
    pub fn local(&self) -> NaiveDateTime {
        self.date.and_time(self.time)
    }
}

/// Session of a visitor. All cookie values created for a session stay valid until the session ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    /// Username of the account.
    pub account: String,
    /// Time at which the session expires.
    pub expires: DateTime<Utc>,
    /// Reason why the session ended, after it has ended.
    pub ended: Option<SessionEndReason>,
    /// Flash message for the next page.
    pub flash: Option<String>,
    /// Groups with several applicants for which no applicants are selected. Selection is lost by a
    /// visit of `/appointment` without parameters, and by a first booking.
    #[serde(default)]
    pub unchosen: BTreeSet<u64>,
    /// Time at which the form of each group was last shown. For a group of one applicant, showing
    /// the limit warning counts too.
    #[serde(default)]
    pub forms: BTreeMap<u64, DateTime<Utc>>,
}

/// Reason for the end of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionEndReason {
    /// The user signed out.
    SignedOut,
    /// The session expired, or a fault ended it.
    Expired,
}

/// Result of a sign-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SignIn {
    Welcome(String),
    Rejected,
    Locked(DateTime<Utc>),
    Captcha,
}

impl Group {
    /// Returns the slot pool of the group: the first word of the first applicant's visa class.
    pub fn pool(&self) -> &str {
        self.applicants.first().map_or("", |a| pool_of(&a.visa_class))
    }

    /// Returns the number of applicants.
    pub fn party(&self) -> u32 {
        self.applicants.len() as u32
    }

    /// Returns `true` if the number of cancellations and reschedules is limited.
    pub fn is_limited(&self) -> bool {
        self.attempts_total > 0
    }

    /// Returns `true` if no cancellation or reschedule is left.
    pub fn attempts_used_up(&self) -> bool {
        self.is_limited() && self.attempts_left == 0
    }

    /// Sets the number of cancellations and reschedules left. A group without a limit gets one.
    pub fn set_attempts_left(&mut self, left: u32) {
        if !self.is_limited() {
            self.attempts_total = left.max(USUAL_LIMIT.count);
        }
        self.attempts_left = left;
    }

    /// Returns `true` if the group's fee is no longer valid on `today`.
    pub fn fee_expired(&self, today: NaiveDate) -> bool {
        self.fee_receipt.is_some_and(|paid| today > paid + Duration::days(365))
    }
}

/// Returns the slot pool of a visa class: the first word, e.g. `B1/B2`.
pub fn pool_of(visa_class: &str) -> &str {
    visa_class.split_whitespace().next().unwrap_or("")
}

impl World {
    /// Checks a login and opens a session if it is correct. Failures count towards the lock.
    pub(crate) fn sign_in(&mut self, username: &str, password: &str, captcha_solved: bool) -> SignIn {
        let (now, lock_after, lock) =
            (self.now, self.config.lock_after_failures, Duration::minutes(self.config.lock_minutes));
        let key = username.trim().to_lowercase();
        let Some(account) = self.accounts.get_mut(&key) else {
            return SignIn::Rejected;
        };
        account.requests += 1;
        if let Some(until) = account.locked_until.filter(|until| *until > now) {
            return SignIn::Locked(until);
        }
        if account.captcha && !captcha_solved {
            return SignIn::Captcha;
        }
        if account.password != password {
            account.failed_sign_ins += 1;
            if account.failed_sign_ins >= lock_after {
                account.failed_sign_ins = 0;
                account.locked_until = Some(now + lock);
                return SignIn::Locked(now + lock);
            }
            return SignIn::Rejected;
        }
        account.failed_sign_ins = 0;
        account.captcha = false;
        account.sign_ins += 1;
        SignIn::Welcome(self.open_session(&key))
    }

    fn open_session(&mut self, username: &str) -> String {
        let mut rng = self.dice.throw(Purpose::Sessions);
        let (low, high) = self.config.session_minutes;
        let minutes = rng.random_range(low..=high.max(low));
        let id: String =
            (0..32).map(|_| char::from_digit(rng.random_range(0..16), 16).unwrap_or('0')).collect();
        let session = Session {
            account: username.to_owned(),
            expires: self.now + Duration::minutes(minutes),
            ended: None,
            flash: None,
            unchosen: BTreeSet::new(),
            forms: BTreeMap::new(),
        };
        self.sessions
            .retain(|_, s| s.expires + Duration::days(1) > session.expires - Duration::minutes(minutes));
        self.sessions.insert(id.clone(), session);
        id
    }

    /// Returns the live session with this identifier, or the reason why it ended.
    pub(crate) fn session(&mut self, id: &str) -> Result<&mut Session, SessionEndReason> {
        let now = self.now;
        let Some(session) = self.sessions.get_mut(id) else {
            return Err(SessionEndReason::SignedOut);
        };
        if session.ended.is_none() && session.expires <= now {
            session.ended = Some(SessionEndReason::Expired);
        }
        match session.ended {
            Some(why) => Err(why),
            None => Ok(session),
        }
    }

    /// Counts a request of the account for the soft ban. Returns `true` if the account is banned
    /// now, and the end of the ban if this request caused it.
    pub(crate) fn count_call(&mut self, username: &str) -> (bool, Option<DateTime<Utc>>) {
        let (now, rule) = (self.now, self.config.ban.clone());
        let Some(account) = self.accounts.get_mut(username) else {
            return (false, None);
        };
        account.polls += 1;
        account.calls.push_back(now);
        while account.calls.front().is_some_and(|t| *t + Duration::minutes(rule.window_minutes) <= now) {
            account.calls.pop_front();
        }
        if account.banned_until.is_some_and(|until| until > now) {
            return (true, None);
        }
        account.banned_until = None;
        if !rule.enabled {
            return (false, None);
        }
        let most = if rule.up_to_calls > rule.after_calls {
            let dice = &mut self.dice;
            *account.ban_after.get_or_insert_with(|| {
                dice.throw(Purpose::Bans).random_range(rule.after_calls..=rule.up_to_calls)
            })
        } else {
            rule.after_calls
        };
        if account.calls.len() < most as usize {
            return (false, None);
        }
        account.ban_after = None;
        let minutes =
            self.dice.throw(Purpose::Bans).random_range(rule.minutes.0..=rule.minutes.1.max(rule.minutes.0));
        let until = now + Duration::minutes(minutes);
        account.banned_until = Some(until);
        account.calls.clear();
        (true, Some(until))
    }

    /// Returns `true` if the account has an appointment in this country, in any group that is not
    /// archived.
    pub(crate) fn holds_appointment(&self, username: &str, country: &Country) -> bool {
        self.groups_of(username).any(|g| g.country == country && !g.archived && g.appointment.is_some())
    }

    /// Returns the country of an account's first group, or Canada if the account has no group.
    pub fn country_of(&self, username: &str) -> &'static Country {
        self.groups_of(username).next().map(|g| g.country).unwrap_or_default()
    }
}
