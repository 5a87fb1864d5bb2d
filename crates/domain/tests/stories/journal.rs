//! Tests of journal entries: this version reads the rows of all versions, and older versions can
//! read its rows.

use domain::journal::JournalEvent;
use serde_json::{Value, json};

/// Returns one stored entry of each kind, in the current form and in the forms written by older
/// versions.
fn stored() -> Vec<(&'static str, Value)> {
    let slot =
        json!({ "date": "2027-03-29", "time": "09:15", "facility": "Ottawa", "facility_zh": "渥太华" });
    let booked = json!({ "from": null, "to": slot, "days": null, "charged": 38.0 });
    let day = json!({ "facility": "Toronto", "date": "2027-02-03" });
    let with = |key: &str, value: Value| {
        let mut data = day.clone();
        data[key] = value;
        data
    };
    let post = json!({ "wrote": "All", "status": 302, "location": "/en-ca", "flash": null, "error": null });
    let agreement = json!({ "facility": "Toronto", "agreed_percent": 40.0, "tries": 12.0 });
    let mut entries = vec![
        ("submitted", json!({ "held": 31.5 })),
        ("started", json!({})),
        ("paused", json!({})),
        ("deleted", json!({})),
        ("edited", json!({ "changed": ["end_date"] })),
        ("group_accepted", json!({ "applicants": 3, "difference": 20.0 })),
        ("status", json!({ "status": "error", "reason": "captcha" })),
        ("signed_in", json!({})),
        ("watching", json!({})),
        ("trouble", json!({ "code": "budget" })),
        ("standby", json!({ "step": "sign_in", "because": { "why": "signed_out" } })),
        ("alerted", with("seen_at", json!("2026-11-22T00:07:51Z"))),
        ("asked", with("seen_at", json!("2026-11-22T00:07:51Z"))),
        ("not_asked", with("why", json!("no_budget"))),
        ("said_yes", day.clone()),
        ("attempted", post.clone()),
        (
            "nothing_sent",
            json!({ "wrote": "Nothing", "status": null, "location": null, "flash": null, "error": "timeout" }),
        ),
        ("booking_unconfirmed", json!({ "read_again": "2026-11-22T01:07:51Z" })),
        ("booked", booked.clone()),
        ("booked_by_user", booked),
        ("not_booked", day.clone()),
        (
            "not_booked_because",
            with("stop", json!({ "why": "rejected", "rejection": { "rule": "too_soon", "days": 2 } })),
        ),
        ("changed_outside", json!({ "from": slot, "to": null })),
        ("lists_differ", agreement.clone()),
        ("lists_shared_again", agreement),
    ];
    for why in ["no_times", "taken_for_another", "account_resting", "no_budget", "not_reached"] {
        entries.push(("slot_gone", with("why", json!(why))));
    }
    for why in [
        "notify_only",
        "unanswered",
        "changed",
        "reschedules_used",
        "last_attempt",
        "deadline_passed",
        "too_old",
    ] {
        entries.push(("not_booked_because", with("stop", json!({ "why": why }))));
    }
    entries
}

#[test]
fn journal_entries_are_stored_as_they_were_read() {
    for (kind, data) in stored() {
        let event = JournalEvent::read(kind.to_owned(), data.clone());
        assert!(!matches!(event, JournalEvent::Other { .. }), "{kind} {data}");
        assert_eq!(event.columns(), (kind.to_owned(), data));
    }
}

#[test]
fn journal_forms_of_older_versions_are_readable() {
    for (kind, data) in [
        ("group_accepted", json!({ "held": 3.5 })),
        ("standby", json!({ "step": "sign_in", "because": "hot" })),
        ("edited", json!({})),
        ("edited", json!({ "changed": [], "was": { "cities": [1] } })),
    ] {
        let event = JournalEvent::read(kind.to_owned(), data);
        assert!(!matches!(event, JournalEvent::Other { .. }), "{kind}");
        assert_eq!(event.columns().0, kind);
    }
}

#[test]
fn an_entry_of_an_unknown_kind_or_form_is_read_as_other() {
    for (kind, data) in
        [("invented", json!({ "n": 1 })), ("slot_gone", json!({ "why": "by_magic" })), ("booked", json!(7))]
    {
        let event = JournalEvent::read(kind.to_owned(), data.clone());
        assert_eq!(event, JournalEvent::Other { kind: kind.to_owned(), data: data.clone() });
        assert_eq!(event.columns(), (kind.to_owned(), data), "the entry is stored in its old form");
        let sent = serde_json::to_value(&event).unwrap();
        assert_eq!(sent["kind"], "other");
    }
}
