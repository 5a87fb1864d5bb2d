//! Small deviations of the portal's pages from the known pages, like the first signs of a redesign,
//! a new rule or another language. Each deviation replaces one text in one kind of response.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// Deviation of one kind of response. It is activated by the fault `deviation`.
#[derive(Debug, PartialEq, Eq)]
pub struct Deviation {
    /// Name of the deviation.
    pub name: &'static str,
    /// Kind of request whose responses deviate, with the name used in the journal.
    pub on: &'static str,
    /// Text to replace at every occurrence.
    pub find: &'static str,
    /// Replacement text.
    pub replace: &'static str,
    /// True if the deviation does not affect anything that a booking depends on. The product may
    /// then still book.
    pub may_book: bool,
}

impl Deviation {
    /// Returns the deviation with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        DEVIATIONS.iter().find(|deviation| deviation.name == name)
    }

    /// Returns the response body with the deviation applied.
    pub(crate) fn apply(&self, body: &str) -> String {
        body.replace(self.find, self.replace)
    }
}

impl Serialize for Deviation {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for &'static Deviation {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        Deviation::named(&name).ok_or_else(|| D::Error::custom(format!("no deviation is called {name}")))
    }
}

/// Creates a deviation after which the product must not book.
const fn changed(
    name: &'static str,
    on: &'static str,
    find: &'static str,
    replace: &'static str,
) -> Deviation {
    Deviation { name, on, find, replace, may_book: false }
}

/// Creates a deviation after which the product may still book.
const fn same(name: &'static str, on: &'static str, find: &'static str, replace: &'static str) -> Deviation {
    Deviation { name, on, find, replace, may_book: true }
}

const DATE_FIELD: &str = "name=\"appointments[consulate_appointment][date]\"";
const TIME_FIELD: &str = "name=\"appointments[consulate_appointment][time]\"";
const CITY_FIELD: &str = "name=\"appointments[consulate_appointment][facility_id]\"";
const LIMIT_BUTTON: &str =
    "<input type=\"submit\" name=\"commit\" value=\"Continue\" class=\"button primary\" data-disable-with";
const FORM_BUTTON: &str = "<input type=\"submit\" name=\"commit\" id=\"appointments_submit\"";

/// All deviations, in the order in which a client visits the pages.
pub static DEVIATIONS: [Deviation; 48] = [
    same("sign_in_form_renamed", "sign_in_page", "id=\"sign_in_form\"", "id=\"login_form\""),
    changed("sign_in_login_renamed", "sign_in_page", "name=\"user[email]\"", "name=\"user[login]\""),
    changed("sign_in_password_renamed", "sign_in_page", "name=\"user[password]\"", "name=\"user[secret]\""),
    same("sign_in_box_renamed", "sign_in_page", "id=\"policy_confirmed\"", "id=\"agreed\""),
    changed(
        "sign_in_asks_for_a_code",
        "sign_in_page",
        "<div class=\"captcha_container\">",
        "<input type=\"text\" name=\"user[otp_attempt]\" required><div class=\"captcha_container\">",
    ),
    changed("sign_in_without_token", "sign_in_page", "name=\"csrf-token\"", "name=\"csrf-key\""),
    same("groups_body_renamed", "groups", "<body class=\"groups index", "<body class=\"applications index"),
    changed("groups_card_renamed", "groups", "<div class=\"application ", "<div class=\"booking-card "),
    same("groups_status_moved", "groups", "<h4 class=\"status\">", "<h4 class=\"state\">"),
    changed("groups_appointment_renamed", "groups", "class=\"consular-appt\"", "class=\"interview-appt\""),
    changed("groups_date_in_other_order", "groups", " August, 2027, ", ".08.2027 "),
    changed("groups_month_in_another_language", "groups", " August, 2027, ", " Elokuu, 2027, "),
    same("groups_in_another_language", "groups", "<html lang=\"en-ca\">", "<html lang=\"pt-br\">"),
    same("groups_actions_moved", "groups", "/continue_actions", "/next_steps"),
    same("groups_applicants_moved", "groups", "/applicants/", "/people/"),
    same("groups_account_number_renamed", "groups", "IVR Account Number", "Account Number"),
    same("actions_list_renamed", "actions", "class=\"accordion custom_icons\"", "class=\"cards\""),
    same("actions_label_changed", "actions", "Reschedule Appointment", "Manage Visit"),
    same("actions_offered_twice", "actions", "/appointment/instructions\">", "/appointment\">Reschedule "),
    same("actions_link_moved", "actions", "/appointment\">Reschedule", "/visits\">Reschedule"),
    changed("instructions_label_changed", "instructions", "Consular Section Interview Date:", "Your visit:"),
    changed("instructions_date_in_other_order", "instructions", " August, 2027, ", ".08.2027 "),
    same(
        "instructions_heading_changed",
        "instructions",
        "<h1>Confirmation and Instructions</h1>",
        "<h1>Visit</h1>",
    ),
    same(
        "limit_heading_changed",
        "appointment",
        "<h1 class=\"text\">Scheduling Limit Warning</h1>",
        "<h2>Please note</h2>",
    ),
    same("limit_callout_renamed", "appointment", "callout secondary animated", "notice-box"),
    changed(
        "limit_box_renamed",
        "appointment",
        "type=\"checkbox\" name=\"confirmed_limit_message\"",
        "type=\"checkbox\" name=\"limit_accepted\"",
    ),
    changed(
        "limit_number_in_words",
        "appointment",
        "You have 3 remaining attempt(s)",
        "You have three attempts",
    ),
    changed(
        "limit_two_numbers",
        "appointment",
        "before you reach the limit.",
        "(you have 1 remaining attempt(s) today).",
    ),
    changed(
        "limit_asks_for_a_reason",
        "appointment",
        LIMIT_BUTTON,
        "<select name=\"reason\" required><option value=\"\"></option></select>\
         <input type=\"submit\" name=\"commit\" value=\"Continue\" class=\"button primary\" data-disable-with",
    ),
    changed("form_renamed", "appointment", "id=\"appointment-form\"", "id=\"visit-form\""),
    changed(
        "form_method_changed",
        "appointment",
        "accept-charset=\"UTF-8\" method=\"post\">",
        "accept-charset=\"UTF-8\" method=\"get\">",
    ),
    changed(
        "form_sent_elsewhere",
        "appointment",
        "class=\"formtastic appointments\" novalidate action=\"",
        "class=\"formtastic appointments\" novalidate action=\"/confirm",
    ),
    changed("form_without_token", "appointment", "name=\"authenticity_token\"", "name=\"form_token\""),
    changed(
        "form_city_renamed",
        "appointment",
        CITY_FIELD,
        "name=\"appointments[consulate_appointment][office]\"",
    ),
    changed(
        "form_date_renamed",
        "appointment",
        DATE_FIELD,
        "name=\"appointments[consulate_appointment][day]\"",
    ),
    changed(
        "form_time_renamed",
        "appointment",
        TIME_FIELD,
        "name=\"appointments[consulate_appointment][slot]\"",
    ),
    changed(
        "form_asks_for_a_purpose",
        "appointment",
        FORM_BUTTON,
        "<select name=\"appointments[purpose]\" required><option value=\"\"></option></select>\
         <input type=\"submit\" name=\"commit\" id=\"appointments_submit\"",
    ),
    changed(
        "form_asks_for_a_fee",
        "appointment",
        FORM_BUTTON,
        "<input type=\"checkbox\" name=\"accept_fee\" value=\"1\"><input type=\"submit\" name=\"commit\" id=\"appointments_submit\"",
    ),
    changed(
        "form_asks_for_words",
        "appointment",
        FORM_BUTTON,
        "<textarea name=\"explanation\"></textarea><input type=\"submit\" name=\"commit\" id=\"appointments_submit\"",
    ),
    changed(
        "form_books_first",
        "appointment",
        "value=\"Reschedule\" class=\"button primary\"",
        "value=\"Schedule\" class=\"button primary\"",
    ),
    changed(
        "form_asks_for_fingerprints_elsewhere",
        "appointment",
        FORM_BUTTON,
        "<input type=\"text\" name=\"appointments[asc_appointment][date]\">\
         <input type=\"submit\" name=\"commit\" id=\"appointments_submit\"",
    ),
    changed(
        "form_has_another_step",
        "appointment",
        "value=\"Reschedule\" class=\"button primary\"",
        "value=\"Next\" class=\"button primary\"",
    ),
    changed(
        "form_has_two_buttons",
        "appointment",
        FORM_BUTTON,
        "<input type=\"submit\" name=\"commit\" value=\"Cancel Appointment\"><input type=\"submit\" name=\"commit\" id=\"appointments_submit\"",
    ),
    same("form_classes_renamed", "appointment", "class=\"formtastic appointments\"", "class=\"visit\""),
    changed("days_key_renamed", "days", "\"date\":", "\"day\":"),
    same("days_with_another_key", "days", "\"business_day\":", "\"capacity\":1,\"business_day\":"),
    changed("times_key_renamed", "times", "\"available_times\":", "\"times\":"),
    changed("times_written_otherwise", "times", "\"available_times\":[\"", "\"available_times\":[\"at "),
];

#[cfg(test)]
mod tests {
    use super::DEVIATIONS;
    use std::collections::BTreeSet;

    #[test]
    fn deviation_names_are_distinct() {
        let names: BTreeSet<&str> = DEVIATIONS.iter().map(|deviation| deviation.name).collect();
        assert_eq!(names.len(), DEVIATIONS.len());
    }
}
