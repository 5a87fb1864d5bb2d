use domain::task::{Action, TaskStatus, offers};

#[test]
fn every_status_keeps_the_specifications_progress_and_actions() {
    use TaskStatus::{Active, Configured, Draft, Error, Processing, Stopped, Submitted};
    let progress: Vec<u8> = TaskStatus::ALL.iter().map(|s| s.progress()).collect();
    assert_eq!(progress, [15, 30, 50, 75, 100, 100, 0]);
    for status in TaskStatus::ALL {
        assert_eq!(offers(status, Action::Stop), matches!(status, Active | Processing | Submitted));
        assert_eq!(offers(status, Action::Start), matches!(status, Stopped | Error));
        assert!(offers(status, Action::Edit) && offers(status, Action::Delete));
        assert_eq!(TaskStatus::parse(status.as_str()), Some(status));
    }
    assert!(Draft.may_become(Configured) && Configured.may_become(Submitted));
    assert!(!Draft.may_become(Active) && !Stopped.may_become(Draft));
    assert!(Error.may_become(Processing) && !Error.may_become(Active));
}
