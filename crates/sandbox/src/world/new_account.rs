//! Creation of accounts, groups and applicants.

use std::collections::VecDeque;

use chrono::NaiveDate;
use serde::Deserialize;

use super::{
    World,
    accounts::{Account, Applicant, Appointment, Group, Status},
    country::Country,
};

/// New account with its groups, created by `POST /control/accounts` or by a scenario.
///
/// Its JSON also has `country`, the country of all groups that name none.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "AccountBody")]
pub struct NewAccount {
    /// Login, an e-mail address.
    pub username: String,
    /// Password.
    pub password: String,
    /// The groups of the account.
    pub groups: Vec<NewGroup>,
}

/// JSON of a [`NewAccount`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AccountBody {
    username: String,
    password: String,
    #[serde(default)]
    country: &'static Country,
    #[serde(default)]
    groups: Vec<NewGroup>,
}

impl TryFrom<AccountBody> for NewAccount {
    type Error = String;

    fn try_from(body: AccountBody) -> Result<Self, String> {
        let mut groups = body.groups;
        for group in &mut groups {
            let country = *group.country.get_or_insert(body.country);
            if let Some(appointment) = &group.appointment {
                country.check_facility(appointment.facility)?;
            }
            if let Some(asc) = &group.asc {
                country.check_asc(asc.facility)?;
            }
        }
        Ok(Self { username: body.username, password: body.password, groups })
    }
}

/// New group.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewGroup {
    /// Portal schedule id, or `None` for the next free number.
    pub schedule_id: Option<u64>,
    /// Country of the application, or `None` for Canada.
    pub country: Option<&'static Country>,
    /// Names of the applicants. An empty list means one invented applicant.
    pub applicants: Vec<String>,
    /// Visa class of all applicants, or `None` for B1/B2.
    pub visa_class: Option<String>,
    /// Status, or `None` to derive it from the appointment.
    pub status: Option<Status>,
    /// Current appointment.
    pub appointment: Option<Appointment>,
    /// Current fingerprint (ASC) appointment.
    pub asc: Option<Appointment>,
    /// Number of permitted attempts, all of which are left. `None` means the limit of the country.
    pub attempts: Option<u32>,
    /// Date on the fee receipt. `None` means a month ago if the fee is paid.
    pub fee_receipt: Option<NaiveDate>,
    /// True if the group is archived.
    pub archived: bool,
    /// True if the applicants travel from another country.
    pub tcn: bool,
}

/// Default visa class.
pub const VISITOR: &str = "B1/B2 Business & Tourism (Temporary visitor)";

impl World {
    /// Adds an account with its groups. Returns the portal schedule ids in the order of the groups.
    pub fn add_account(&mut self, new: NewAccount) -> Vec<u64> {
        let key = new.username.trim().to_lowercase();
        let number = self.fresh_id();
        let account = Account {
            username: key.clone(),
            password: new.password,
            schedules: Vec::new(),
            home_id: 38_100_000 + number * 13,
            ivr_number: format!("{}", 41_300_000 + number * 37),
            failed_sign_ins: 0,
            locked_until: None,
            captcha: false,
            banned_until: None,
            ban_after: None,
            calls: VecDeque::new(),
            polls: 0,
            requests: 0,
            sign_ins: 0,
        };
        self.accounts.insert(key.clone(), account);
        new.groups.into_iter().map(|group| self.add_group(&key, group)).collect()
    }

    fn add_group(&mut self, account: &str, new: NewGroup) -> u64 {
        let number = self.fresh_id();
        let schedule_id = new.schedule_id.unwrap_or(61_200_000 + number * 17);
        let class = new.visa_class.unwrap_or_else(|| VISITOR.to_owned());
        let names = if new.applicants.is_empty() {
            vec![format!("Invented Person {number}")]
        } else {
            new.applicants
        };
        let applicants = names.into_iter().map(|name| self.new_applicant(name, class.clone())).collect();
        let status = new.status.unwrap_or(match new.appointment {
            Some(_) => Status::AttendAppointment,
            None => Status::ScheduleAppointment,
        });
        let paid = status != Status::PayVisaFee;
        let receipt =
            new.fee_receipt.or_else(|| paid.then(|| (self.now - chrono::Duration::days(30)).date_naive()));
        let country = new.country.unwrap_or_default();
        let limit = country.limit.map(|limit| limit.count);
        let mut group = Group {
            schedule_id,
            country,
            account: account.to_owned(),
            applicants,
            status,
            appointment: new.appointment,
            asc: new.asc,
            attempts_total: limit.unwrap_or(0),
            attempts_left: limit.unwrap_or(0),
            fee_receipt: receipt,
            archived: new.archived,
            tcn: new.tcn,
            lag: None,
        };
        if let Some(attempts) = new.attempts {
            group.attempts_total = group.attempts_total.max(attempts);
            group.set_attempts_left(attempts);
        }
        self.groups.insert(schedule_id, group);
        if let Some(owner) = self.accounts.get_mut(account) {
            owner.schedules.push(schedule_id);
        }
        schedule_id
    }

    fn new_applicant(&mut self, name: String, visa_class: String) -> Applicant {
        let number = self.fresh_id();
        Applicant {
            id: 70_400_000 + number * 11,
            name,
            passport: format!("E{:08}", 10_000_000 + number * 7919 % 89_999_999),
            ds160: format!("AA00{:06X}", 0x00B0_0000 + number * 4099),
            visa_class,
        }
    }
}
