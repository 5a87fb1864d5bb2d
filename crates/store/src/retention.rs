//! List of all tables: the module that owns each, and the limit of its rows. A test compares the
//! list with both databases.

use std::fmt::Write as _;

use crate::forget::{ExpiringData, Time};

pub mod bench_seed;

/// Limit on the growth of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrowthLimit {
    /// Rows are deleted in batches; [`ExpiringData`] defines their conditions and ages. The text
    /// names the rows that stay.
    Swept(&'static str),
    /// Money, bookings and consent, or a user's own texts: kept as long as the account. The text
    /// names the limit of their number.
    Kept(&'static str),
    /// The number of rows is limited by the number of things of that kind.
    Bounded(&'static str),
}

/// Table of the database.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Name of the table.
    pub name: &'static str,
    /// Module of this crate that writes it.
    pub owner: &'static str,
    /// Limit on its growth.
    pub end: GrowthLimit,
}

const fn swept(name: &'static str, owner: &'static str, stays: &'static str) -> Table {
    Table { name, owner, end: GrowthLimit::Swept(stays) }
}

const fn kept(name: &'static str, owner: &'static str, why: &'static str) -> Table {
    Table { name, owner, end: GrowthLimit::Kept(why) }
}

const fn bounded(name: &'static str, owner: &'static str, by: &'static str) -> Table {
    Table { name, owner, end: GrowthLimit::Bounded(by) }
}

/// Every table, ordered by name.
pub const TABLES: &[Table] = &[
    bounded("account_lease", "account_lease", "the running job of each portal account"),
    bounded("account_problem", "account_problem", "five a portal account"),
    swept("alert", "journal", "dates in the future that are on a list"),
    kept("audit", "audit", "actions of operators; a trigger refuses to delete"),
    swept("bootstrap", "identity", "nothing"),
    bounded("calendar", "observation", "kinds of applicants times cities"),
    bounded("canary", "keyring", "one row"),
    kept("card_dispute", "card", "money: a dispute"),
    kept("card_payment", "card", "money: a payment, paid or not"),
    kept("card_refund", "card", "money: a refund"),
    swept("card_stray", "card", "payments that are still to be read"),
    swept("channel", "channel", "proven ones, at most 20 a user"),
    kept(
        "credential",
        "credential",
        "a portal password; deleted when no task needs it (store/credential/retention.rs)",
    ),
    swept("email_change", "email_change", "nothing"),
    kept("entitlement", "journal", "money: what a charge bought"),
    bounded("facility", "facility", "cities of the table of places"),
    swept("idempotency", "idempotency", "nothing"),
    kept("identity", "identity", "a user's Google account"),
    swept("intent", "booking_attempt", "attempts that were sent, with their outcome"),
    swept("journal", "journal", "entries about consent, money, bookings and the user's own actions"),
    swept("known_client", "user", "nothing"),
    bounded("learned", "learned", "calendars and cities"),
    bounded("lease", "lease", "one row for each job that only one node does"),
    kept("ledger_account", "ledger", "money: at most two a user; a trigger refuses to delete"),
    bounded("ledger_freeze", "ledger", "one row"),
    kept("ledger_transfer", "ledger", "money: every movement; a trigger refuses to delete"),
    swept("look_hour", "seen", "nothing"),
    bounded("made_up_time", "audit", "one row"),
    swept("mail_request", "mail_request", "requests that are not done yet"),
    swept("mailed_sign_in", "mailed_sign_in", "links that still work"),
    bounded("migration", "migrate", "migrations of this build"),
    swept("node", "node", "servers that run"),
    bounded("notification_setting", "channel", "one row a user"),
    swept("observation", "observation", "the last change of each calendar before that time"),
    swept("oidc_flow", "identity", "nothing"),
    bounded("operator_alarm", "alarm", "active alarms"),
    swept("outbox", "outbox", "messages that are not sent yet"),
    bounded("parse_failure", "parse_failure", "one row for each kind of page"),
    kept("passkey", "passkey", "at most 20 a user"),
    swept("passkey_challenge", "passkey", "nothing"),
    kept("payment_card", "card", "one row for each card of a user"),
    kept("personal_discount", "pricing", "one row a user"),
    kept("portal_account", "portal_account", "one row for each portal login that a task was for"),
    bounded("portal_host", "outward", "one row a host"),
    bounded("portal_pause", "outward", "one row a host"),
    kept("pricing_plan", "pricing", "money: prices that operators set"),
    kept("promo", "promo", "money: codes that operators made"),
    kept("promo_use", "promo", "money: a use of a code"),
    swept("question", "question", "approved ones: consent"),
    kept("rating", "rating", "one row a task that succeeded"),
    kept("recovery_code", "totp", "ten a user with a second factor"),
    kept("referral", "referral", "money: the referrer's bonus"),
    bounded("referral_setting", "referral", "one row"),
    swept("refresh_token", "session", "the newest of each sign-in, and a week of those before"),
    bounded("restore", "restore", "one row"),
    swept("security_event", "security_event", "nothing"),
    swept("seen_day", "seen", "dates in the future"),
    swept("session", "session", "sign-ins that have not expired"),
    swept("sighting", "seen", "dates that are on a list"),
    swept("sign_in_link", "sign_in_link", "links that still work"),
    bounded("sms_day", "outbox", "90 days of text messages"),
    bounded("solo_owner", "solo_owner", "one row"),
    kept("success", "journal", "bookings"),
    swept("task", "task", "all that were ever submitted: bookings and money belong to them"),
    bounded("task_silence", "silence", "running tasks"),
    swept("throttle", "guess_limits", "locks in force"),
    swept("token", "token", "links that still work"),
    kept("topup_code", "topup_code", "money: codes that operators made"),
    kept("totp", "totp", "two rows a user at most"),
    kept("user_group", "pricing", "groups that operators made"),
    kept("users", "user", "accounts; a deleted one stays under a pseudonym, for the ledger"),
    swept("verification", "outward", "nothing"),
    swept("verify_failure", "verify_failure", "nothing"),
    bounded("verify_place", "outward", "concurrent verifications"),
    swept("watch", "seen", "calendars that a task watches now"),
    bounded("watchdog_exit", "watchdog", "three an hour, for an hour"),
];

/// Returns the text of docs/RETENTION.md.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(
        "# How long rows are kept\n\n\
         `sooner retention` generates this page, and `scripts/fresh.sh --write` updates it. The list is in\n\
         `crates/store/src/retention.rs`, the conditions and ages are in `crates/store/src/forget.rs`. Every\n\
         five minutes the server finds old rows by an index and deletes them, 200 in a transaction. Details\n\
         of polls and actions are deleted after 90 days, hourly sums after 400. Money, bookings and consent\n\
         are kept.\n\n\
         | table | owner (`store/src`) | what is removed | what stays |\n|---|---|---|---|\n",
    );
    for table in TABLES {
        let rules: Vec<_> = ExpiringData::all().filter(|old| old.table() == table.name).map(rule).collect();
        let (removed, stays) = match table.end {
            GrowthLimit::Swept(stays) => (rules.join("<br>"), stays),
            GrowthLimit::Kept(why) => ("kept".to_owned(), why),
            GrowthLimit::Bounded(by) => ("bounded".to_owned(), by),
        };
        let _ = writeln!(page, "| `{}` | {} | {removed} | {stays} |", table.name, table.owner);
    }
    page
}

fn rule(old: ExpiringData) -> String {
    let age = old.age();
    let unit = if age.days == 1 { "day" } else { "days" };
    let clock = if age.time == Time::Portal { " of portal time" } else { "" };
    let [_, search] = old.searches();
    let condition = search.split_once(" WHERE ").map_or(search, |(_, rest)| rest);
    let condition = condition.trim_end_matches(" LIMIT $2").split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{} {unit}{clock}: `{condition}`", age.days)
}
