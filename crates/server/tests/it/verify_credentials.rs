//! Stories of `verify-credentials`: a sign-in at the portal, and the groups that can be monitored.

use chrono::TimeDelta;
use domain::country::CountryCode;
use domain::health::CredentialHealth;
use sandbox::world::NewGroup;
use sandbox::world::accounts::Status;
use sandbox::world::country::Country;
use sandbox::world::faults::FaultKind;
use serde_json::{Value, json};

use crate::app::Reply;
use crate::stage::{PORTAL_PASSWORD, Stage, TORONTO, at};

portal_stories!(
    a_verification_returns_the_groups,
    third_country_national_status_is_read_and_preserved,
    wrong_passwords_are_limited_per_login_across_users,
    each_portal_error_has_its_own_code,
    a_group_that_is_monitored_already_is_reported,
    a_changed_portal_password_frees_an_occupied_group,
    a_task_with_an_outdated_password_is_not_submitted,
    failed_verifications_of_others_do_not_block_the_owner,
    a_user_with_the_right_password_is_treated_like_an_owner,
    concurrent_verifications_of_a_monitored_login_succeed,
    concurrent_verifications_of_a_new_login_succeed,
    concurrent_wrong_passwords_make_one_portal_request,
    a_refused_verification_does_not_count_against_limits,
    a_verification_never_resets_a_task,
    an_invalid_verification_is_refused_without_a_portal_request,
    verifications_are_limited_to_five_logins_a_day,
    verifications_are_limited_per_address,
    a_blocking_portal_gets_no_verification_requests,
    a_country_without_numbers_has_them_after_its_first_account,
    an_account_of_an_open_country_is_configured_with_its_own_cities,
);

// spec: 1.12, 3.14, 3.16, 3.17, 3.20, 3.21, 4.3.02, 4.3.03, 4.3.04, 7.3.01, 9.38
async fn a_verification_returns_the_groups(s: Stage) {
    let day = |text: &str| text.parse().unwrap();
    let groups = vec![
        NewGroup {
            appointment: Some(at(TORONTO, "2027-08-17", "08:15")),
            applicants: vec!["WANG XIAOMING".to_owned(), "LI MEI".to_owned()],
            ..NewGroup::default()
        },
        NewGroup { status: Some(Status::PayVisaFee), ..NewGroup::default() },
        NewGroup { fee_receipt: Some(day("2025-10-01")), ..NewGroup::default() },
        NewGroup::default(),
    ];
    let numbers = s.portal("lin", groups);
    let person = s.person("lin").await;
    let body = json!({
        "username": " lin@example.com ", "password": PORTAL_PASSWORD, "countryCode": "en-ca", "visaType": "niv",
        "force_refresh": true,
    });
    let reply = s.call("POST", "/schedules/verify-credentials", Some(&person), Some(body)).await;
    assert!(!reply.body.to_string().contains(PORTAL_PASSWORD), "a password is never echoed");
    let schedules = reply.data()["schedules"].as_array().unwrap().clone();
    assert_eq!(schedules.len(), 4, "{reply:?}");
    let of = |number: u64| {
        let found = schedules.iter().find(|x| x["portal_schedule_id"].as_str() == Some(&number.to_string()));
        found.unwrap_or_else(|| panic!("{number}: {schedules:?}"))
    };
    let first = of(numbers[0]);
    assert_eq!((&first["status"], first["appointments"].as_array().unwrap().len()), (&json!("draft"), 1));
    let appointment = &first["appointments"][0];
    let wanted = json!({
        "schedule_id": numbers[0].to_string(), "applicant_names": ["WANG XIAOMING", "LI MEI"],
        "applicants_count": 2, "appointment_date": "2027-08-17", "appointment_time": "08:15",
        "facility": "Toronto", "status": "attend_appointment", "visa_type": "niv", "country_code": "en-ca",
        "selectable": true, "reason": null,
    });
    for (field, value) in wanted.as_object().unwrap() {
        assert_eq!(&appointment[field], value, "{field}");
    }
    assert!(appointment["ivr_account_number"].is_string() && appointment["applicant_ids"].is_array());
    assert!(appointment["payment_expiry_date"].is_string(), "a year from the receipt: {appointment}");
    let reasons = numbers.iter().map(|n| of(*n)["appointments"][0]["reason"].clone()).collect::<Vec<_>>();
    assert_eq!(reasons, [Value::Null, json!("pay_visa_fee"), json!("fee_expired"), Value::Null]);
    let third = &of(numbers[3])["appointments"][0];
    assert_eq!((&third["appointment_date"], &third["facility"]), (&Value::Null, &Value::Null));
    // A group that cannot be monitored cannot be configured, regardless of the web page.
    for number in [numbers[1], numbers[2]] {
        let id = of(number)["id"].as_str().unwrap();
        let body = crate::stage::configuration(id, number);
        let reply = s.call("POST", "/schedules/configure", Some(&person), Some(body)).await;
        assert_eq!(reply.error(), (422, "VALIDATION_FAILED"));
        let fields = json!({ "selected_appointments": "not_selectable" });
        assert_eq!(reply.body["data"]["fields"], fields);
    }
    // A repeated verification returns the same drafts, each once.
    let again = s.verify(&person, "LIN", PORTAL_PASSWORD).await;
    let ids = |list: &Value| {
        let mut ids: Vec<_> = list.as_array().unwrap().iter().map(|x| x["id"].to_string()).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(&again.data()["schedules"]), ids(&json!(schedules)));
}

// spec: 3.24
async fn third_country_national_status_is_read_and_preserved(s: Stage) {
    let groups = vec![
        NewGroup {
            appointment: Some(at(TORONTO, "2027-08-17", "08:15")),
            applicants: vec!["WANG XIAOMING".to_owned(), "LI MEI".to_owned()],
            tcn: true,
            ..NewGroup::default()
        },
        NewGroup { appointment: Some(at(TORONTO, "2027-08-18", "08:15")), ..NewGroup::default() },
    ];
    let numbers = s.portal("lin", groups);
    let person = s.payer("lin", 100_00).await;
    let found = s.verify(&person, "lin", PORTAL_PASSWORD).await.data()["schedules"].clone();
    let of = |number: u64| {
        let mut all = found.as_array().unwrap().iter();
        all.find(|x| x["portal_schedule_id"].as_str() == Some(&number.to_string())).unwrap().clone()
    };
    assert_eq!(s.requests("applicant"), 2, "the applicant page is requested once for a group");
    for (number, from_elsewhere) in [(numbers[0], true), (numbers[1], false)] {
        assert_eq!(of(number)["appointments"][0]["is_tcn_yes"], from_elsewhere);
    }
    // The engine reads other pages, and keeps the stored values that these pages do not contain.
    let id = of(numbers[0])["id"].as_str().unwrap().to_owned();
    s.ok("POST", "/schedules/configure", &person, crate::stage::configuration(&id, numbers[0])).await;
    s.ok("POST", "/schedules/submit", &person, json!({ "schedule_ids": [id] })).await;
    s.run_for(TimeDelta::minutes(5)).await;
    let running = s.status(&person, &id).await;
    assert_eq!(
        (&running["status"], &running["appointments"][0]["is_tcn_yes"]),
        (&json!("active"), &json!(true))
    );
    // Lists for other kinds of applicants do not count for these applicants.
    let mut tx = s.app.db.read().await.unwrap();
    let task = store::task::get(&mut tx, id.parse().unwrap()).await.unwrap().unwrap();
    assert!(domain::calendar::Kind::of(task.country, task.visa_type, &task.group, true).tcn);
    drop(tx);
    // An unreadable page changes nothing, and stops no task.
    s.sandbox.with_world(|w| w.groups.get_mut(&numbers[1]).unwrap().applicants.clear());
    let again = s.verify(&person, "lin", PORTAL_PASSWORD).await;
    let all = again.data()["schedules"].as_array().unwrap().clone();
    let second = all.iter().find(|x| x["portal_schedule_id"] == json!(numbers[1].to_string())).unwrap();
    assert_eq!(second["appointments"][0]["is_tcn_yes"], Value::Null);
}

// spec: 8.2.02, 10.3.11
async fn wrong_passwords_are_limited_per_login_across_users(s: Stage) {
    s.booked("lin");
    let (one, two) = (s.person("one").await, s.person("two").await);
    for person in [&one, &two, &one] {
        let refused = s.verify(person, "lin", "wrong-Pass-1").await;
        assert_eq!(refused.error(), (422, "PORTAL_CREDENTIALS_REJECTED"));
    }
    let asked = s.requests("sign_in");
    for (person, password) in [(&one, "wrong-Pass-1"), (&two, PORTAL_PASSWORD)] {
        let limited = s.verify(person, "Lin", password).await;
        assert_eq!(limited.error(), (429, "VERIFY_LIMIT"));
        assert_eq!(limited.headers["retry-after"], "3600");
    }
    assert_eq!(s.requests("sign_in"), asked, "the portal was called");
    assert_eq!(s.get("/schedules", &one).await.data()["total"], 0, "a wrong password leaves no rows");
    s.wait(3601);
    let two = s.again(&two).await;
    assert_eq!(s.verify(&two, "lin", PORTAL_PASSWORD).await.status, 200);
}

// spec: 8.2.02, 8.2.05
async fn each_portal_error_has_its_own_code(s: Stage) {
    s.booked("lin");
    let mut person = s.person("lin").await;
    let cases = [
        (FaultKind::Locked { too_many: false }, (423, "PORTAL_ACCOUNT_LOCKED"), None),
        (FaultKind::Captcha, (409, "PORTAL_CAPTCHA"), None),
        (FaultKind::Maintenance { retry_after: Some(600) }, (503, "PORTAL_UNAVAILABLE"), Some("600")),
        (FaultKind::BadGateway, (503, "PORTAL_UNAVAILABLE"), Some("60")),
        (FaultKind::TooManyRequests { retry_after: Some(90) }, (503, "PORTAL_UNAVAILABLE"), Some("90")),
        (FaultKind::Reset, (503, "PORTAL_UNAVAILABLE"), Some("60")),
        (FaultKind::ChangedLayout, (502, "PORTAL_LAYOUT_CHANGED"), None),
    ];
    for (kind, error, retry_after) in cases {
        let fault = s.fault(kind.clone());
        let reply = s.verify(&person, "lin", PORTAL_PASSWORD).await;
        assert_eq!(reply.error(), error, "{kind:?}");
        assert_eq!(reply.headers.get("retry-after").map(|v| v.to_str().unwrap()), retry_after, "{kind:?}");
        if matches!(kind, FaultKind::Locked { .. }) {
            assert!(reply.body["data"].as_object().unwrap().contains_key("until"));
        }
        s.sandbox.with_world(|w| w.remove_faults(Some(fault)));
        // The pause that the portal requested has ended.
        s.wait(7201);
        person = s.again(&person).await;
    }
    assert_eq!(s.get("/schedules", &person).await.data()["total"], 0, "a failure leaves no rows");
    let fault = s.fault(FaultKind::NoApplications);
    let empty = s.verify(&person, "lin", PORTAL_PASSWORD).await;
    assert_eq!(empty.data()["schedules"], json!([]));
    assert!(empty.data()["verified_at"].is_string());
    s.sandbox.with_world(|w| w.remove_faults(Some(fault)));
    assert_eq!(s.verify(&person, "lin", PORTAL_PASSWORD).await.status, 200);
}

fn exists(reply: &Reply) -> (&Value, &Value) {
    assert_eq!(reply.error(), (409, "SCHEDULE_ALREADY_EXISTS"));
    (&reply.body["data"]["owner"], &reply.body["data"]["schedule_ids"])
}

// spec: 4.3.05, 6.05, 8.2.01
async fn a_group_that_is_monitored_already_is_reported(s: Stage) {
    let (holder, other) = (s.payer("holder", 50_00).await, s.person("other").await);
    let id = s.submitted(&holder, "lin").await;
    let own = s.verify(&holder, "lin", PORTAL_PASSWORD).await;
    assert_eq!(exists(&own), (&json!("self"), &json!([id])));
    let theirs = s.verify(&other, "lin", PORTAL_PASSWORD).await;
    assert_eq!(exists(&theirs), (&json!("other"), &json!([])), "the ids of other users do not change");
    assert!(!theirs.body.to_string().contains(&id));
    s.plain("POST", &format!("/schedules/{id}/stop"), &holder).await.data();
    // An account may sign in three times an hour.
    s.wait(3601);
    let (holder, other) = (s.again(&holder).await, s.again(&other).await);
    let paused = s.verify(&other, "lin", PORTAL_PASSWORD).await;
    assert_eq!(exists(&paused), (&json!("other"), &json!([])), "a paused task still occupies its group");
    // If another group is free, the occupied group is only marked.
    let groups = vec![NewGroup::default(), NewGroup::default()];
    let numbers = s.portal("sun", groups);
    let drafts = s.verify(&holder, "sun", PORTAL_PASSWORD).await;
    let schedules = drafts.data()["schedules"].as_array().unwrap();
    let first =
        schedules.iter().find(|x| x["portal_schedule_id"].as_str() == Some(&numbers[0].to_string())).unwrap();
    let first = first["id"].as_str().unwrap();
    s.ok("POST", "/schedules/configure", &holder, crate::stage::configuration(first, numbers[0])).await;
    s.ok("POST", "/schedules/submit", &holder, json!({ "schedule_id": first })).await;
    for (person, reason) in [(&holder, "monitored_by_self"), (&other, "monitored_by_other")] {
        let reply = s.verify(person, "sun", PORTAL_PASSWORD).await;
        let schedules = reply.data()["schedules"].as_array().unwrap();
        let of = |number: u64| {
            let found =
                schedules.iter().find(|x| x["portal_schedule_id"].as_str() == Some(&number.to_string()));
            found.unwrap()["appointments"][0].clone()
        };
        assert_eq!(
            (&of(numbers[0])["reason"], &of(numbers[0])["selectable"]),
            (&json!(reason), &json!(false))
        );
        assert_eq!((&of(numbers[1])["reason"], &of(numbers[1])["selectable"]), (&Value::Null, &json!(true)));
    }
    // After the deletion of its task, every user may monitor the group.
    s.plain("DELETE", &format!("/schedules/{id}"), &holder).await.data();
    assert_eq!(s.verify(&other, "lin", PORTAL_PASSWORD).await.status, 200);
}

// spec: 10.3.13
async fn a_changed_portal_password_frees_an_occupied_group(s: Stage) {
    let (squatter, owner) = (s.payer("squatter", 50_00).await, s.payer("owner", 50_00).await);
    let id = s.submitted(&squatter, "lin").await;
    s.sandbox.with_world(|w| {
        w.accounts.get_mut("lin@example.com").unwrap().password = "Changed-2026".to_owned();
    });
    let asked = s.requests("sign_in");
    let free = s.verify(&owner, "lin", "Changed-2026").await;
    assert_eq!(
        s.requests("sign_in") - asked,
        1,
        "the first user's password needs no test, because another one is right"
    );
    let found = free.data()["schedules"][0].clone();
    assert_eq!(found["appointments"][0]["selectable"], true);
    let lost = s.status(&squatter, &id).await;
    assert_eq!((&lost["status"], &lost["status_reason"]), (&json!("error"), &json!("credentials_rejected")));
    assert_eq!(lost["visa_credentials"]["health"], "rejected");
    let number = found["portal_schedule_id"].as_str().unwrap().parse().unwrap();
    let mine = found["id"].as_str().unwrap();
    s.ok("POST", "/schedules/configure", &owner, crate::stage::configuration(mine, number)).await;
    s.ok("POST", "/schedules/submit", &owner, json!({ "schedule_id": mine })).await;
    let back = s.plain("POST", &format!("/schedules/{id}/start"), &squatter).await;
    assert_eq!(back.error(), (409, "ILLEGAL_TRANSITION"));
    assert_eq!(back.body["data"]["reason"], "needs_new_password");
    assert_eq!(
        s.mails().await.iter().filter(|mail| mail.0 == "needs_you").count(),
        1,
        "the first user is notified"
    );
    let mut tx = s.app.db.begin().await.unwrap();
    let task = store::task::get(&mut tx, id.parse().unwrap()).await.unwrap().unwrap();
    let now = s.clock.now();
    store::credential::set_health(&mut tx, task.credential_id.unwrap(), CredentialHealth::Valid, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let back = s.plain("POST", &format!("/schedules/{id}/start"), &squatter).await;
    assert_eq!(exists(&back), (&json!("other"), &json!([])), "the owner has the group now");
    s.books_balance().await;
}

// spec: 10.3.14
async fn a_verification_never_resets_a_task(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    let number = s.booked("lin");
    let id = s.configured(&person, "lin", number).await;
    let again = s.verify(&person, "lin", PORTAL_PASSWORD).await;
    let found = &again.data()["schedules"][0];
    assert_eq!((&found["id"], &found["status"]), (&json!(id), &json!("configured")));
    assert_eq!(s.status(&person, &id).await["monitoring_cities"], json!(["Toronto", "Ottawa"]));
}

// spec: 3.14
async fn an_invalid_verification_is_refused_without_a_portal_request(s: Stage) {
    s.booked("lin");
    let person = s.person("lin").await;
    let ask = |change: Value| {
        let mut body = json!({ "username": "lin@example.com", "password": PORTAL_PASSWORD });
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let (s, person) = (&s, &person);
        async move { s.call("POST", "/schedules/verify-credentials", Some(person), Some(body)).await }
    };
    for country in ["zh-cn", "en-us", "es-mx", "en-ie", "en-gr", "", "../x"] {
        let reply = ask(json!({ "country_code": country })).await;
        assert_eq!(reply.error(), (422, "COUNTRY_NOT_SUPPORTED"), "{country}");
    }
    let cases = [
        (json!({ "visa_type": "h1b" }), json!({ "visa_type": "unknown" })),
        (
            json!({ "username": " ", "password": "" }),
            json!({ "username": "required", "password": "required" }),
        ),
        (json!({ "password": "x".repeat(2000) }), json!({ "password": "required" })),
    ];
    for (change, fields) in cases {
        let reply = ask(change).await;
        assert_eq!(reply.error(), (422, "VALIDATION_FAILED"));
        assert_eq!(reply.body["data"]["fields"], fields);
    }
    assert_eq!(ask(json!({ "force": 1 })).await.error(), (400, "INVALID_BODY"));
    let nobody = s.call("POST", "/schedules/verify-credentials", None, Some(json!({}))).await;
    assert_eq!(nobody.error(), (401, "UNAUTHORIZED"));
    assert_eq!(s.requests("sign_in"), 0);
}

// spec: 10.3.13
/// Checks two users who verified the same account. Its owner then changed the password, and
/// verified the new one.
async fn a_task_with_an_outdated_password_is_not_submitted(s: Stage) {
    let (agent, owner) = (s.payer("agent", 50_00).await, s.payer("owner", 50_00).await);
    let number = s.booked("lin");
    let id = s.configured(&agent, "lin", number).await;
    s.sandbox.with_world(|w| {
        w.accounts.get_mut("lin@example.com").unwrap().password = "Changed-2026".to_owned();
    });
    assert_eq!(s.verify(&owner, "lin", "Changed-2026").await.status, 200);
    let submit = json!({ "schedule_ids": [id] });
    let refused = s.call("POST", "/schedules/submit", Some(&agent), Some(submit.clone())).await;
    assert_eq!(refused.error(), (409, "ILLEGAL_TRANSITION"));
    assert_eq!(refused.body["data"]["reason"], "needs_new_password");
    assert_eq!(s.credit(&agent).await, (50.0, 0.0), "there is no hold");
    s.slot(TORONTO, "2026-12-22", "08:15");
    s.run_for(TimeDelta::minutes(10)).await;
    assert_eq!(s.requests("book"), 0);
    // After the new password is verified, the task continues.
    s.ok("POST", "/auth/step-up", &agent, json!({ "password": crate::app::PASSWORD })).await;
    assert_eq!(s.verify(&agent, "lin", "Changed-2026").await.status, 200);
    s.ok("POST", "/schedules/submit", &agent, submit).await;
    s.books_balance().await;
}

// spec: 10.3.11
async fn failed_verifications_of_others_do_not_block_the_owner(s: Stage) {
    let owner = s.payer("owner", 50_00).await;
    let strangers = [s.person("one").await, s.person("two").await];
    let id = s.submitted(&owner, "lin").await;
    s.run_for(TimeDelta::minutes(5)).await;
    // The sign-in of the verification and its session are some time ago.
    s.wait(3600);
    s.mails().await;
    let mut asked = Vec::new();
    for hour in 0..4 {
        s.wait(3601);
        let strangers = [s.again(&strangers[0]).await, s.again(&strangers[1]).await];
        let before = s.requests("sign_in");
        for person in [&strangers[0], &strangers[1], &strangers[0]] {
            let refused = s.verify(person, "lin", "wrong-Pass-1").await;
            assert_eq!(refused.error(), (422, "PORTAL_CREDENTIALS_REJECTED"), "hour {hour}: the same answer");
        }
        let limited = s.verify(&strangers[1], "lin", "wrong-Pass-1").await;
        assert_eq!(
            limited.error(),
            (429, "VERIFY_LIMIT"),
            "the same answer as for a login that no user here has"
        );
        asked.push(s.requests("sign_in") - before);
    }
    assert_eq!(asked, [1, 1, 1, 0], "one failure an hour, three a day");
    let told = s.mails().await;
    let told: Vec<_> = told.iter().filter(|mail| mail.0 == "login_failures").map(|mail| &mail.1).collect();
    assert_eq!(told, ["owner@example.com"], "the owner is notified, once a day");
    let mut tx = s.app.db.read().await.unwrap();
    let task = store::task::get(&mut tx, id.parse().unwrap()).await.unwrap().unwrap();
    let row = store::portal_account::get(&mut tx, task.portal_account_id).await.unwrap().unwrap();
    drop(tx);
    assert_eq!(
        row.budget.sign_ins(s.clock.now()),
        1,
        "other users' attempts are in none of the owner's shares"
    );
    // The engine signs in when its own share of the budget permits, and the owner can verify,
    // regardless of other users.
    let before = s.requests("sign_in");
    s.run_for(TimeDelta::minutes(90)).await;
    let owner = s.again(&owner).await;
    assert!(s.requests("sign_in") > before, "a sign-in is reserved for the owner");
    let status = s.status(&owner, &id).await;
    assert_eq!(
        (&status["status"], status["verdict"] == "budget_rest"),
        (&json!("active"), false),
        "{status}"
    );
    let verified = s.verify(&owner, "lin", PORTAL_PASSWORD).await;
    assert_eq!(exists(&verified), (&json!("self"), &json!([id])));
}

// spec: 10.3.11
async fn a_user_with_the_right_password_is_treated_like_an_owner(s: Stage) {
    let owner = s.payer("owner", 50_00).await;
    let relative = s.person("relative").await;
    s.submitted(&owner, "lin").await;
    let verified = s.verify(&relative, "lin", PORTAL_PASSWORD).await;
    assert_eq!(exists(&verified), (&json!("other"), &json!([])));
    // A user with the stored password gets the portal's result for a mistyped one, like the owner.
    for _ in 0..2 {
        let before = s.requests("sign_in");
        let body = json!({ "password": crate::app::PASSWORD });
        s.ok("POST", "/auth/step-up", &relative, body).await;
        let wrong = s.verify(&relative, "lin", "wrong-Pass-1").await;
        assert_eq!(wrong.error(), (422, "PORTAL_CREDENTIALS_REJECTED"));
        assert_eq!(s.requests("sign_in") - before, 1, "the portal was called");
    }
}

/// Slows down verifications at the portal, so that all of them overlap.
fn slowly(s: &Stage) {
    s.sandbox.with_world(|w| w.config.latency_ms = (30, 30));
}

// spec: 10.3.11
async fn concurrent_verifications_of_a_monitored_login_succeed(s: Stage) {
    let owner = s.payer("owner", 50_00).await;
    s.submitted(&owner, "lin").await;
    s.wait(3_601);
    let relatives = [s.person("one").await, s.person("two").await, s.person("three").await];
    slowly(&s);
    let asked = relatives.iter().map(|relative| s.verify(relative, "lin", PORTAL_PASSWORD));
    for verified in futures_util::future::join_all(asked).await {
        assert_eq!(
            exists(&verified),
            (&json!("other"), &json!([])),
            "another user's right password is accepted"
        );
    }
}

// spec: 10.3.11
async fn concurrent_verifications_of_a_new_login_succeed(s: Stage) {
    s.booked("lin");
    let people = [1, 2, 3].map(|n| format!("person{n}"));
    let mut family = Vec::new();
    for name in &people {
        family.push(s.person(name).await);
    }
    slowly(&s);
    let wrong = s.verify(&family[0], "lin", "wrong-Pass-1").await;
    assert_eq!(wrong.error(), (422, "PORTAL_CREDENTIALS_REJECTED"), "one of three an hour");
    let asked = family.iter().map(|person| s.verify(person, "lin", PORTAL_PASSWORD));
    for verified in futures_util::future::join_all(asked).await {
        assert_eq!(verified.status, 200, "{verified:?}");
    }
}

// spec: 10.3.11
async fn concurrent_wrong_passwords_make_one_portal_request(s: Stage) {
    let owner = s.payer("owner", 50_00).await;
    s.submitted(&owner, "lin").await;
    s.wait(3_601);
    let strangers = [s.person("one").await, s.person("two").await, s.person("three").await];
    slowly(&s);
    let before = s.requests("sign_in");
    let asked = strangers.iter().map(|person| s.verify(person, "lin", "wrong-Pass-1"));
    for refused in futures_util::future::join_all(asked).await {
        assert_eq!(refused.error(), (422, "PORTAL_CREDENTIALS_REJECTED"), "the same answer for all");
    }
    assert_eq!(s.requests("sign_in") - before, 1, "the share of an hour, however many requests come at once");
}

// spec: 10.3.11
/// Checks that a verification without a request costs nothing. During a pause or cool-down the
/// portal is not called, and the user may try again afterwards.
async fn a_refused_verification_does_not_count_against_limits(s: Stage) {
    let s = s.with_verification_limits();
    s.booked("lin");
    let (one, two) = (s.person("one").await, s.person("two").await);
    let host = s.app.engine.context().client.host();
    let mut tx = s.app.db.begin().await.unwrap();
    store::outward::pause(&mut tx, &host, s.clock.now(), "the site asked us to stop").await.unwrap();
    tx.commit().await.unwrap();
    for n in 0..30 {
        let refused = s.verify(&one, &format!("login{n}"), PORTAL_PASSWORD).await;
        assert_eq!(
            refused.error(),
            (503, "PORTAL_PAUSED"),
            "{n}: counted in none of the limits: six an hour, five logins, twenty an address"
        );
    }
    let mut tx = s.app.db.begin().await.unwrap();
    store::outward::resume(&mut tx, &host).await.unwrap();
    tx.commit().await.unwrap();
    let fault = s.fault(FaultKind::TooManyRequests { retry_after: None });
    assert_eq!(
        s.verify(&two, "lin", PORTAL_PASSWORD).await.error(),
        (503, "PORTAL_UNAVAILABLE"),
        "this one was made"
    );
    s.sandbox.with_world(|w| w.remove_faults(Some(fault)));
    for n in 0..30 {
        let refused = s.verify(&two, "lin", PORTAL_PASSWORD).await;
        assert_eq!(refused.error(), (503, "PORTAL_UNAVAILABLE"), "{n}");
    }
    s.wait(1_801);
    for person in [one, two] {
        let person = s.again(&person).await;
        assert_eq!(s.verify(&person, "lin", PORTAL_PASSWORD).await.status, 200);
    }
}

// spec: 10.15.07
async fn verifications_are_limited_to_five_logins_a_day(s: Stage) {
    let s = s.with_verification_limits();
    let person = s.person("mallory").await;
    let names: Vec<String> = (0..200).map(|n| format!("victim{n}")).collect();
    let mut replies = Vec::new();
    for twenty in names.chunks(20) {
        let asked = twenty.iter().map(|name| s.verify(&person, name, "Stolen-2025"));
        replies.extend(futures_util::future::join_all(asked).await);
    }
    let of = |error: (u16, &str)| replies.iter().filter(|reply| reply.error() == error).count();
    assert_eq!(of((422, "PORTAL_CREDENTIALS_REJECTED")), 5, "five logins a day");
    assert_eq!(of((429, "VERIFY_LOGINS_LIMIT")), 195);
    let limited = replies.iter().find(|reply| reply.status == 429).unwrap();
    assert_eq!(limited.headers["retry-after"], "86400");
    let asked = s.requests("sign_in");
    assert!(asked <= 10, "{asked} sign-ins at the portal");
    s.wait(86_401);
    let person = s.again(&person).await;
    assert_eq!(s.verify(&person, "victim7", "Stolen-2025").await.status, 422, "another day");
}

// spec: 10.15.07
async fn verifications_are_limited_per_address(s: Stage) {
    let s = s.with_verification_limits();
    for user in 0..4 {
        let person = s.person(&format!("user{user}")).await;
        for login in 0..5 {
            let reply = s.verify(&person, &format!("login{user}{login}"), "Stolen-2025").await;
            assert_eq!(reply.status, 422, "{user} {login}");
        }
    }
    let fifth = s.person("fifth").await;
    let refused = s.verify(&fifth, "login", "Stolen-2025").await;
    assert_eq!(refused.error(), (429, "TOO_MANY_ATTEMPTS"), "twenty an hour from one address");
    let asked = s.requests("sign_in");
    s.wait(3601);
    let fifth = s.again(&fifth).await;
    assert_eq!(s.verify(&fifth, "login", "Stolen-2025").await.status, 422);
    assert!(s.requests("sign_in") > asked);
}

// spec: 10.15.07
async fn a_blocking_portal_gets_no_verification_requests(s: Stage) {
    s.booked("lin");
    let (one, two) = (s.person("one").await, s.person("two").await);
    let fault = s.fault(FaultKind::TooManyRequests { retry_after: None });
    assert_eq!(s.verify(&one, "lin", PORTAL_PASSWORD).await.error(), (503, "PORTAL_UNAVAILABLE"));
    s.sandbox.with_world(|w| w.remove_faults(Some(fault)));
    let asked = s.sandbox.with_world(|w| w.journal.after(0).len());
    let refused = s.verify(&two, "lin", PORTAL_PASSWORD).await;
    assert_eq!(refused.error(), (503, "PORTAL_UNAVAILABLE"));
    assert_eq!(refused.headers["retry-after"], "1800");
    assert_eq!(s.sandbox.with_world(|w| w.journal.after(0).len()), asked, "the portal was called");
    s.wait(1801);
    let two = s.again(&two).await;
    assert_eq!(s.verify(&two, "lin", PORTAL_PASSWORD).await.status, 200);
}

async fn a_country_without_numbers_has_them_after_its_first_account(s: Stage) {
    let opened = |settings: &mut server::config::Settings| {
        settings.countries = ["en-ca", "en-it"].map(|code| code.parse().unwrap()).to_vec();
    };
    let s = s.restarted(opened).await.unwrap();
    let country = Country::with_code("it").unwrap();
    let booked = |city| NewGroup {
        country: Some(country),
        applicants: vec!["GIULIA".to_owned()],
        appointment: Some(at(city, "2027-08-17", "08:15")),
        ..NewGroup::default()
    };
    let numbers = s.portal("giulia", vec![booked(3104), booked(3105)]);
    let person = s.person("giulia").await;
    let cities = |reply: &Reply| -> Vec<Value> {
        let all = reply.data()["countries"].as_array().unwrap().clone();
        let italy = all.into_iter().find(|country| country["code"] == "en-it").unwrap();
        italy["facilities"].as_array().unwrap().iter().map(|city| city["id"].clone()).collect()
    };
    assert_eq!(cities(&s.get("/facilities", &person).await), vec![Value::Null; 4]);
    let login =
        json!({ "username": "giulia@example.com", "password": PORTAL_PASSWORD, "country_code": "en-it" });
    let found = s.call("POST", "/schedules/verify-credentials", Some(&person), Some(login)).await;
    assert_eq!(cities(&s.get("/facilities", &person).await), [3101, 3102, 3103, 3104].map(Value::from));
    let schedules = found.data()["schedules"].as_array().unwrap();
    assert_eq!((schedules.len(), &schedules[0]["appointments"][0]["facility"]), (1, &json!("Rome")));
    let palermo = json!([{
        "portal_schedule_id": numbers[1].to_string(), "reason": "unknown_city", "city": "Palermo",
    }]);
    assert_eq!(found.data()["left_out"], palermo);
    let mut body = crate::stage::configuration(schedules[0]["id"].as_str().unwrap(), numbers[0]);
    body["search_params"]["required_cities"] = json!(["Milan", "Rome"]);
    assert_eq!(s.call("POST", "/schedules/configure", Some(&person), Some(body.clone())).await.status, 200);
    body["search_params"]["required_cities"] = json!(["Palermo"]);
    let refused = s.call("POST", "/schedules/configure", Some(&person), Some(body)).await;
    assert_eq!(refused.body["data"]["fields"], json!({ "required_cities": "unknown_city" }));
}

async fn an_account_of_an_open_country_is_configured_with_its_own_cities(s: Stage) {
    let opened = |settings: &mut server::config::Settings| {
        settings.countries = ["en-ca", "en-ie"].map(|code| code.parse().unwrap()).to_vec();
    };
    let s = s.restarted(opened).await.unwrap();
    let country = Country::with_code("ie").unwrap();
    let appointment = Some(at(13, "2027-08-17", "08:15"));
    let number =
        s.portal("aoife", vec![NewGroup { country: Some(country), appointment, ..NewGroup::default() }])[0];
    let person = s.person("aoife").await;
    let state = |reply: &Reply, code: &str| {
        let all = reply.data()["countries"].as_array().unwrap().clone();
        all.into_iter().find(|country| country["code"] == code).unwrap()["state"].clone()
    };
    let known = s.get("/facilities", &person).await;
    let states = ["en-ca", "en-ie", "en-gb", "zh-cn"].map(|code| state(&known, code));
    assert_eq!(states, ["open", "open", "known", "other_system"]);
    let login =
        json!({ "username": "aoife@example.com", "password": PORTAL_PASSWORD, "country_code": "en-ie" });
    let verify = "/schedules/verify-credentials";
    let found = s.call("POST", verify, Some(&person), Some(login.clone())).await;
    let appointment = &found.data()["schedules"][0]["appointments"][0];
    assert_eq!(
        (&appointment["facility"], &appointment["country_code"], &appointment["selectable"]),
        (&json!("Dublin"), &json!("en-ie"), &json!(true))
    );
    let id = found.data()["schedules"][0]["id"].as_str().unwrap().to_owned();
    let configure = |cities: Value| {
        let mut body = crate::stage::configuration(&id, number);
        body["search_params"]["required_cities"] = cities;
        let (s, person) = (&s, &person);
        async move { s.call("POST", "/schedules/configure", Some(person), Some(body)).await }
    };
    for other in [json!(["Toronto"]), json!(["Dublin", "London"]), json!(["Mexico City ASC"])] {
        let refused = configure(other.clone()).await;
        assert_eq!(refused.error(), (422, "VALIDATION_FAILED"), "{other}");
        assert_eq!(refused.body["data"]["fields"], json!({ "required_cities": "unknown_city" }), "{other}");
    }
    assert_eq!(configure(json!(["Dublin"])).await.status, 200);
    let path = format!("/schedules/{id}");
    let body = json!({ "required_cities": ["Ottawa"] });
    let refused = s.call("PUT", &format!("{path}/facilities"), Some(&person), Some(body.clone())).await;
    assert_eq!(refused.body["data"]["fields"], json!({ "required_cities": "unknown_city" }), "{refused:?}");
    let refused = s.call("POST", &format!("{path}/check"), Some(&person), Some(body)).await;
    assert_eq!(refused.body["data"]["fields"], json!({ "required_cities": "unknown_city" }), "{refused:?}");
    // Once the country is closed, only its present accounts can be verified again.
    let s = s.restarted(|settings| settings.countries = vec![CountryCode::CANADA]).await.unwrap();
    let again = s.call("POST", verify, Some(&person), Some(login.clone())).await;
    assert_eq!(again.status, 200, "{again:?}");
    let other = s.person("other").await;
    let refused = s.call("POST", verify, Some(&other), Some(login)).await;
    assert_eq!(refused.error(), (422, "COUNTRY_NOT_SUPPORTED"));
}
