use domain::task::actions::{Action, ActionRefusal, Facts, allows};
use domain::task::{Reason, TaskStatus};

// spec: 3.32, 4.2.01, 4.2.08, 4.2.11, 4.2.12, 4.2.13, 9.36
#[test]
fn every_status_has_the_specified_progress_and_actions() {
    use TaskStatus::{Active, Configured, Draft, Error, Processing, Stopped, Submitted};
    let progress: Vec<u8> = TaskStatus::ALL.iter().map(|s| s.progress()).collect();
    assert_eq!(progress, [15, 30, 50, 75, 100, 100, 0]);
    for &status in TaskStatus::ALL {
        let facts = facts(status);
        let offers = |action| allows(&facts, action).is_ok();
        assert_eq!(offers(Action::Stop), matches!(status, Active | Processing | Submitted));
        assert_eq!(offers(Action::Start), matches!(status, Stopped | Error));
        assert!((offers(Action::Edit) || status == Draft) && offers(Action::Delete));
        assert_eq!(TaskStatus::parse(status.as_str()), Some(status));
    }
    assert!(Draft.may_become(Configured) && Configured.may_become(Submitted));
    assert!(!Draft.may_become(Active) && !Stopped.may_become(Draft));
    assert!(Error.may_become(Processing) && !Error.may_become(Active));
}

fn facts(status: TaskStatus) -> Facts {
    Facts {
        status,
        reason: None,
        password_works: Some(true),
        unconfirmed: false,
        range_over: false,
        reschedules_used: false,
        none_left: false,
        group_changed: false,
        succeeded: false,
        rated: false,
    }
}

// spec: 10.8.01
#[test]
fn every_disabled_action_has_a_reason() {
    use TaskStatus::{Active, Configured, Draft, Error, Stopped};
    let why = |facts: Facts, action| allows(&facts, action).err().map(ActionRefusal::as_str);
    let stopped = facts(Stopped);
    assert_eq!(why(facts(Draft), Action::Edit), Some("submitted_first"));
    assert_eq!(why(facts(Configured), Action::Start), Some("submitted_first"));
    assert_eq!(why(facts(Active), Action::Start), Some("already_running"));
    assert_eq!(why(facts(Error), Action::Stop), Some("not_running"));
    assert_eq!(why(Facts { password_works: None, ..stopped }, Action::Start), Some("credentials_removed"));
    assert_eq!(
        why(Facts { password_works: Some(false), ..stopped }, Action::Start),
        Some("needs_new_password")
    );
    assert_eq!(why(Facts { unconfirmed: true, ..stopped }, Action::Start), Some("booking_unconfirmed"));
    assert_eq!(why(Facts { range_over: true, ..stopped }, Action::Start), Some("range_over"));
    assert_eq!(why(Facts { reschedules_used: true, ..stopped }, Action::Start), Some("reschedules_used"));
    assert_eq!(
        why(Facts { reschedules_used: true, ..stopped }, Action::Edit),
        None,
        "the user can allow more reschedules"
    );
    let spent = Facts { reschedules_used: true, none_left: true, ..stopped };
    assert_eq!(why(spent, Action::Start), Some("none_left"), "a higher limit would change nothing");
    let changed = Facts { group_changed: true, reason: Some(Reason::GroupChanged), ..facts(Error) };
    assert_eq!(why(changed, Action::Start), Some("group_changed"));
    assert_eq!(why(stopped, Action::Rate), Some("no_success_yet"));
    let booked = Facts { succeeded: true, ..stopped };
    assert_eq!(why(booked, Action::Rate), None);
    assert_eq!(why(Facts { rated: true, ..booked }, Action::Rate), Some("already_rated"));
    let words: std::collections::BTreeSet<_> = ActionRefusal::ALL.iter().map(|r| r.as_str()).collect();
    assert_eq!(words.len(), ActionRefusal::ALL.len());
}
