//! Tests of every mail in both languages, as the recipient gets it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::inconsistent_digit_grouping, reason = "50_00 reads as fifty dollars")]

use chrono::NaiveDate;
use domain::booking::Sequel;
use domain::channel::ChannelKind;
use domain::channel::alarm::{AlarmKind, Phase};
use domain::task::Reason as TaskReason;
use providers::channels::outcome::Reason;
use providers::render::{Unsubscribing, kinds, message, render, unsubscribe_page};
use serde_json::{Value, json};
use strum::VariantArray as _;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn data(kind: &str) -> Value {
    let new =
        json!({ "date": "2027-02-03", "time": "08:15", "facility": "Toronto", "facility_zh": "多伦多" });
    let old = json!({ "date": "2027-09-01", "time": "10:30", "facility": "Ottawa", "facility_zh": "渥太华" });
    match kind {
        "verify_email" => {
            json!({ "link": "https://sooner.example.com/auth/verify-email?token=abc", "hours": 24 })
        }
        "already_registered" | "session_revoked" => {
            json!({ "link": "https://sooner.example.com/auth/login" })
        }
        "reset_password" => {
            json!({ "link": "https://sooner.example.com/auth/reset-password?token=abc", "minutes": 60 })
        }
        "sign_in" => {
            json!({ "link": "https://sooner.example.com/auth/sign-in?token=abc", "minutes": 15 })
        }
        "password_changed" => json!({
            "link": "https://sooner.example.com/auth/forgot-password", "at": "2027-02-03 08:15 UTC", "others_only": true,
            "unlinked": true, "passkeys_removed": true, "channels": [{ "kind": "telegram", "label": "Lin" }, { "kind": "sms", "label": "…0123" }],
        }),
        "email_change" => json!({
            "link": "https://sooner.example.com/auth/verify-email?token=abc", "hours": 24, "old": "w***@example.com",
        }),
        "email_change_notice" => json!({
            "link": "https://sooner.example.com/auth/forgot-password", "new": "l***@example.com",
        }),
        "booked" => json!({
            "names": "WANG Xiao, <LI> Lei", "old": old, "new": new, "days_advanced": 210, "charged": "10.00 CAD",
            "change_deadline": "2027-01-20 08:15", "task_id": "t",
            "search": Sequel::GoesOn { before: day("2027-01-28"), changes_left: 1 },
        }),
        "booked_in_your_account" => json!({ "names": "WANG Xiao, <LI> Lei", "old": old, "new": new }),
        "changed_outside" => {
            json!({ "names": "WANG Xiao, <LI> Lei", "old": old, "new": new, "task_id": "t" })
        }
        "silence" => json!({
            "names": "WANG Xiao, <LI> Lei", "since": "2027-02-03 08:15", "why": "site", "task_id": "t",
        }),
        "silence_over" => json!({
            "names": "WANG Xiao, <LI> Lei", "since": "2027-02-03 08:15", "why": null, "task_id": "t",
        }),
        "security_notice" => json!({ "what": "codes_guessed" }),
        "login_failures" => json!({ "username": "wang@example.com" }),
        "needs_you" => {
            json!({ "reason": "fee_expired", "names": "WANG Xiao", "released": "5.00 CAD", "task_id": "t" })
        }
        "hold_released" => json!({
            "names": "WANG Xiao", "released": "5.00 CAD", "after": "unknown_outcome", "task_id": "t",
        }),
        "credited" => json!({
            "amount": "50.00 CAD", "available": "88.00 CAD", "tail": null, "description": "family <trip>",
        }),
        "refund" => json!({ "amount": "50.00 CAD", "available": "38.00 CAD", "state": "sent" }),
        "answer_ended" => json!({
            "facility": "Toronto", "facility_zh": "多伦多", "date": "2027-02-03", "names": "WANG Xiao", "outcome": "gone",
            "task_id": "t",
        }),
        "appointment_alert" => json!({
            "facility": "Toronto", "facility_zh": "多伦多", "date": "2027-02-03", "names": "WANG Xiao", "held": "5.00 CAD", "task_id": "t",
        }),
        "question" => json!({
            "facility": "Toronto", "facility_zh": "多伦多", "date": "2027-02-03", "names": "WANG Xiao", "initials": "W. X.", "old": old,
            "days_sooner": 195, "price": "5.00 CAD", "task_id": "t", "link": "https://sooner.example.com/auth/answer?token=abc",
        }),
        "new_sign_in" => json!({
            "browser": "Firefox", "os": "Android", "network": "203.0.113.x", "at": "2027-02-03 08:15 UTC",
            "link": "https://sooner.example.com/settings",
        }),
        "totp_changed" => json!({ "enabled": true, "link": "https://sooner.example.com/settings" }),
        "account_deleted" => json!({ "forfeited": "5.00 CAD" }),
        "credential_leaving" => json!({ "username": "wang@example.com", "leaves_on": "2027-02-10" }),
        "channel_broken" => json!({
            "kind": "telegram", "label": "@lin", "reason": "blocked", "link": "https://sooner.example.com/settings",
        }),
        "channel_added" => json!({
            "kind": "telegram", "label": "@lin", "at": "2027-02-03 08:15 UTC", "link": "https://sooner.example.com/settings",
        }),
        "digest" => {
            let earliest = json!({ "date": "2027-03-01", "facility": "Toronto", "facility_zh": "多伦多" });
            json!({
                "every": "daily", "count": 3, "more": 1, "checks": 1_312, "earliest": earliest,
                "tasks": [
                    {
                        "id": "t", "names": "W. X., L. L.", "now": old, "checks": 1_200, "earliest": earliest,
                        "nearest": { "rule": "after_window", "days": 1, "seen": { "date": "2027-03-08", "facility": "Ottawa", "facility_zh": "渥太华" } },
                    },
                    {
                        "id": "u", "names": "Z. S.", "now": null, "checks": 112, "earliest": earliest,
                        "nearest": { "rule": "not_earlier_enough", "gained": 3, "needed": 7, "seen": earliest },
                    },
                ],
                "unsubscribe": "https://sooner.example.com/api/v1/digest/unsubscribe?token=abc",
            })
        }
        "submitted" => json!({
            "task_id": null, "is_billed": true, "held": "10.00 CAD", "books": true, "notifies": true,
            "tasks": [
                {
                    "id": "t", "names": "WANG Xiao, <LI> Lei", "now": old, "cities": ["Toronto", "Ottawa"],
                    "cities_zh": ["多伦多", "渥太华"], "from": "2027-01-04", "until": "2027-05-31", "mode": "auto",
                    "asks_for_now": false, "held": "10.00 CAD",
                },
                {
                    "id": "u", "names": "ZHANG San", "now": null, "cities": ["Toronto"], "cities_zh": ["多伦多"],
                    "from": "2027-01-04", "until": "2027-05-31", "mode": "notify", "asks_for_now": true, "held": null,
                },
            ],
        }),
        "operator_alarm" => json!({
            "alarm": "pages_changed", "phase": "begun", "about": "en-ca groups", "since": "2027-02-03 08:15 UTC",
            "at": "2027-02-03 08:15 UTC", "why": null, "waiting": 0, "given_up": 0,
            "link": "https://sooner.example.com/status",
        }),
        "credential_rejected" => json!({ "username": "wang@example.com" }),
        other => panic!("no data for {other}"),
    }
}

#[test]
fn a_repeated_question_states_that_the_date_is_still_open() {
    let mut data = data("question");
    for (language, first, again) in
        [("en", "Shall we book", "Still open: book"), ("zh", "要改约到", "日期还在：要改约到")]
    {
        data["repeats"] = json!(0);
        assert!(render("question", language, &data, "x").unwrap().subject.starts_with(first));
        data["repeats"] = json!(2);
        assert!(render("question", language, &data, "x").unwrap().subject.starts_with(again));
    }
}

// spec: 10.7.29
#[test]
fn every_mail_matches_its_snapshot_in_both_languages() {
    for kind in kinds() {
        for language in ["en", "zh"] {
            let mail = render(kind, language, &data(kind), "https://sooner.example.com").unwrap();
            assert!(!mail.subject.contains('\n') && mail.html.contains("</html>"));
            let body =
                mail.html.split_once("<h1").unwrap().1.split_once("</td></tr>\n</table>\n<p").unwrap().0;
            let seen = format!("Subject: {}\n\n{}\n--- html\n<h1{body}", mail.subject, mail.text);
            insta::assert_snapshot!(format!("{kind}_{language}"), seen);
        }
    }
}

/// Checks that every message is short and contains no name, because space in a chat is limited and
/// other users may read it.
#[test]
fn every_message_is_short_and_contains_no_names() {
    for kind in message::kinds() {
        for language in ["en", "zh"] {
            let said = message::words(kind, language, &data(kind), "https://sooner.example.com").unwrap();
            let all = format!("{}\n\n{}\n[{}]({})", said.title, said.text, said.link.label, said.link.url);
            for private in ["WANG", "LI", "wang@", "l***@"] {
                assert!(!all.contains(private), "{kind} {language}: {all}");
            }
            assert!(said.title.chars().count() <= 70 && said.text.chars().count() <= 300, "{all}");
            assert!(said.link.url.starts_with("https://sooner.example.com/"), "{all}");
            insta::assert_snapshot!(format!("message_{kind}_{language}"), all);
        }
    }
}

#[test]
fn every_channel_failure_reason_has_a_text() {
    let kinds = ChannelKind::VARIANTS.iter().filter(|kind| **kind != ChannelKind::Email);
    for kind in kinds {
        for reason in Reason::VARIANTS.iter().filter(|reason| !reason.is_operators()) {
            let data = json!({ "kind": kind, "label": "…", "reason": reason, "link": "x" });
            for language in ["en", "zh"] {
                assert!(render("channel_broken", language, &data, "x").is_ok(), "{kind} {reason}");
                assert!(message::words("channel_broken", language, &data, "x").is_ok(), "{kind} {reason}");
            }
        }
    }
}

#[test]
fn digests_cover_one_task_and_a_week() {
    let mut data = data("digest");
    data["every"] = json!("weekly");
    (data["count"], data["more"], data["earliest"]) = (json!(1), json!(0), Value::Null);
    data["tasks"].as_array_mut().unwrap().remove(0);
    (data["tasks"][0]["earliest"], data["tasks"][0]["nearest"]) = (Value::Null, Value::Null);
    for language in ["en", "zh"] {
        let mail = render("digest", language, &data, "https://sooner.example.com").unwrap();
        let message = message::words("digest", language, &data, "https://sooner.example.com").unwrap();
        assert_eq!(mail.unsubscribe.as_deref(), data["unsubscribe"].as_str());
        let all = format!("{}\n\n{}\n> {}\n> {}", mail.subject, mail.text, message.title, message.text);
        insta::assert_snapshot!(format!("digest_weekly_{language}"), all);
    }
    assert_eq!(render("channel_added", "en", &self::data("channel_added"), "x").unwrap().unsubscribe, None);
}

#[test]
fn the_unsubscribe_page_requires_confirmation() {
    for language in ["en", "zh"] {
        let page = |stands| unsubscribe_page(stands, language, "https://sooner.example.com").unwrap();
        let body = |stands| page(stands).split_once("<main>").unwrap().1.to_owned();
        let all = [Unsubscribing::Asked, Unsubscribing::Done, Unsubscribing::Unknown].map(body);
        assert!(!page(Unsubscribing::Asked).contains("<script"));
        insta::assert_snapshot!(format!("unsubscribe_page_{language}"), all.join("\n---\n"));
    }
}

#[test]
fn every_alarm_matches_its_snapshot_in_each_phase() {
    let mut data = data("operator_alarm");
    data["about"] = json!("");
    for language in ["en", "zh"] {
        let mut said = Vec::new();
        for kind in AlarmKind::VARIANTS {
            for phase in Phase::VARIANTS {
                (data["alarm"], data["phase"]) = (json!(kind), json!(phase));
                let is_delivery = *kind == AlarmKind::DeliveryFailing && *phase != Phase::Over;
                data["waiting"] = json!(if is_delivery { 12 } else { 0 });
                let mail = render("operator_alarm", language, &data, "x").unwrap();
                let message = message::words("operator_alarm", language, &data, "x").unwrap();
                assert!(message.title.chars().count() <= 70 && message.text.chars().count() <= 300);
                said.push(format!(
                    "{}\n{}\n> {}\n> {}",
                    mail.subject, mail.text, message.title, message.text
                ));
            }
        }
        insta::assert_snapshot!(format!("alarms_{language}"), said.join("\n---\n"));
    }
}

#[test]
fn every_task_reason_has_its_own_text() {
    let say = |reason: &str, language: &str| {
        let data = json!({ "reason": reason, "names": "A", "released": null, "task_id": "t" });
        render("needs_you", language, &data, "x").unwrap().text
    };
    for language in ["en", "zh"] {
        let plain = say("something_new", language);
        for reason in TaskReason::VARIANTS.iter().filter(|reason| reason.needs_the_user()) {
            assert_ne!(say(reason.as_str(), language), plain, "{reason:?} {language}");
        }
    }
}

// spec: 10.7.29
#[test]
fn a_released_hold_states_its_reason() {
    let mut data = data("hold_released");
    for language in ["en", "zh"] {
        let mut texts = Vec::new();
        for after in ["unknown_outcome", "deletion", "last_read", "stop"] {
            data["after"] = json!(after);
            texts.push(render("hold_released", language, &data, "x").unwrap().text);
        }
        // Older versions stored rows in this form.
        let mut older = data.clone();
        older.as_object_mut().unwrap().remove("after");
        assert_eq!(render("hold_released", language, &older, "x").unwrap().text, texts[0]);
        texts.dedup();
        assert_eq!(texts.len(), 4, "{language}");
        let code =
            json!({ "amount": "50.00 CAD", "available": "88.00 CAD", "tail": "9f3a", "description": null });
        assert!(render("credited", language, &code, "x").unwrap().text.contains("9f3a"));
    }
}

#[test]
fn a_date_moved_to_a_later_one_is_reported_as_such() {
    for language in ["en", "zh"] {
        let later = [json!("2027-05-31"), Value::Null].map(|until| {
            let mut data = data("changed_outside");
            let (old, new) = (data["new"].clone(), data["old"].clone());
            (data["old"], data["new"]) = (old, new);
            (data["later_by"], data["until"]) = (json!(210), until);
            let mail = render("changed_outside", language, &data, "https://sooner.example.com").unwrap();
            let message = message::words("changed_outside", language, &data, "x").unwrap();
            format!("{}\n\n{}\n> {}\n> {}", mail.subject, mail.text, message.title, message.text)
        });
        insta::assert_snapshot!(format!("later_date_{language}"), later.join("\n---\n"));
    }
}

// spec: 10.10.25
#[test]
fn a_refund_mail_states_its_progress() {
    for language in ["en", "zh"] {
        let said = ["asked", "sent", "failed"].map(|state| {
            let data = json!({ "amount": "50.00 CAD", "available": "38.00 CAD", "state": state });
            let mail = render("refund", language, &data, "https://sooner.example.com").unwrap();
            format!("{}\n{}", mail.subject, mail.text)
        });
        insta::assert_snapshot!(format!("refund_states_{language}"), said.join("\n---\n"));
    }
}

#[test]
fn a_first_booking_has_no_old_appointment() {
    let mut data = data("booked");
    data["old"] = Value::Null;
    data["days_advanced"] = Value::Null;
    data["charged"] = Value::Null;
    data["change_deadline"] = Value::Null;
    insta::assert_snapshot!(render("booked", "en", &data, "https://sooner.example.com").unwrap().text);
}

#[test]
fn a_fingerprint_appointment_is_named_beside_its_interview() {
    let fingerprints =
        json!({ "date": "2027-02-01", "time": "07:30", "city": "Bogota", "city_zh": "波哥大" });
    for language in ["en", "zh"] {
        let mut said = Vec::new();
        for kind in ["booked", "changed_outside", "booked_in_your_account"] {
            let mut data = data(kind);
            data["new"]["fingerprints"] = fingerprints.clone();
            let mail = render(kind, language, &data, "x").unwrap();
            assert!(mail.html.contains("2027-02-01"), "{}", mail.html);
            said.extend(mail.text.lines().filter(|line| line.contains("2027-02-01")).map(str::to_owned));
        }
        let (mut wanted, mut shown) = (data("booked")["new"].clone(), data("booked")["new"].clone());
        wanted["fingerprints"] = fingerprints.clone();
        shown["fingerprints"] =
            json!({ "date": "2027-08-10", "time": "07:30", "city": "Bogota", "city_zh": "波哥大" });
        let data = json!({
            "reason": "fingerprints_differ", "names": "WANG Xiao", "released": null, "task_id": "t",
            "wanted": wanted, "shown": shown,
        });
        let mail = render("needs_you", language, &data, "x").unwrap();
        assert!(mail.html.contains("2027-08-10") && mail.html.contains("2027-02-01"));
        said.push(mail.text);
        insta::assert_snapshot!(format!("fingerprints_{language}"), said.join("\n"));
    }
}

// spec: 10.1.18
#[test]
fn a_booking_mail_states_how_the_search_continues() {
    let before = day("2027-01-28");
    let all = [
        Sequel::GoesOn { before, changes_left: 2 },
        Sequel::OnlyTold { before },
        Sequel::Notifies { before },
        Sequel::NothingEarlier,
        Sequel::DeadlinePassed,
        Sequel::AutoStop,
        Sequel::ReschedulesUsed,
        Sequel::NoneLeft,
        Sequel::Rests,
    ];
    for language in ["en", "zh"] {
        let mut said = Vec::new();
        for sequel in all {
            let mut data = data("booked");
            data["search"] = json!(sequel);
            let mail = render("booked", language, &data, "x").unwrap();
            data["search"] = Value::Null;
            let silent = render("booked", language, &data, "x").unwrap();
            let more = mail.text.lines().find(|line| !silent.text.contains(line)).unwrap();
            assert!(mail.html.contains(&format!("<p>{more}</p>")), "{more}");
            said.push(more.to_owned());
        }
        insta::assert_snapshot!(format!("sequels_{language}"), said.join("\n"));
    }
    // Rows stored by an older version lack this field.
    let mut old = data("booked");
    old.as_object_mut().unwrap().remove("search");
    assert!(render("booked", "en", &old, "x").is_ok());
}

#[test]
fn an_ended_search_is_stated_in_the_subject() {
    let subject = |reason: &str, language: &str| {
        let data = json!({ "reason": reason, "names": "A", "released": null, "task_id": "t" });
        render("needs_you", language, &data, "x").unwrap().subject
    };
    for reason in ["range_over", "reschedules_used", "appointment_passed"] {
        assert_eq!(subject(reason, "en"), "Your search has ended");
        assert_eq!(subject(reason, "zh"), "查找已结束");
    }
    assert_eq!(subject("captcha", "en"), "Your task needs your attention");
}

// spec: 10.7.29
#[test]
fn a_contested_registration_is_stated_in_the_mail() {
    let mut data = data("verify_email");
    data["contested"] = json!(true);
    data["at"] = json!("2027-02-03 08:15 UTC");
    for (language, at) in [("en", "2027-02-03 8:15 AM UTC"), ("zh", "2027-02-03 上午 8:15 UTC")] {
        let mail = render("verify_email", language, &data, "https://sooner.example.com").unwrap();
        assert!(mail.html.contains(at));
        insta::assert_snapshot!(format!("verify_email_contested_{language}"), mail.text);
    }
}

#[test]
fn names_cannot_inject_headers_or_html() {
    let mut data = data("booked");
    data["new"]["facility"] = json!("Toronto\r\nBcc: x@example.com");
    data["names"] = json!("<script>alert(1)</script>");
    let mail = render("booked", "en", &data, "x").unwrap();
    assert_eq!(mail.subject, "Booked: 2027-02-03 in Toronto Bcc: x@example.com");
    assert!(!mail.html.contains("<script>"));
}

#[test]
fn missing_template_data_is_an_error() {
    assert!(render("booked", "en", &json!({}), "x").is_err());
    assert!(render("nothing", "en", &json!({}), "x").is_err());
}

#[tokio::test]
async fn plain_smtp_is_allowed_only_on_loopback() {
    use providers::Mailer;
    let from = "Sooner 早签 <no-reply@example.com>";
    assert!(Mailer::new("smtp://127.0.0.1:2525", from).is_ok());
    assert!(Mailer::new("smtp://localhost:2525", from).is_ok());
    assert!(Mailer::new("smtps://user:word@mail.example.com", from).is_ok());
    assert!(Mailer::new("smtp://mail.example.com:25", from).is_err());
    assert!(Mailer::new("smtp://localhost@mail.example.com:25", from).is_err());
    assert!(Mailer::new("http://localhost", from).is_err());
}
