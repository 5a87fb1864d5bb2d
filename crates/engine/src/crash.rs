//! Places where tests kill the process, and seeded bugs the harness must catch. Absent from release builds.

/// Kills this process with SIGKILL when `SOONER_CRASH` names the point.
#[cfg(debug_assertions)]
pub(crate) fn crash_point(name: &str) {
    if std::env::var("SOONER_CRASH").is_ok_and(|wanted| wanted == name) {
        let _ = nix::sys::signal::kill(nix::unistd::Pid::this(), nix::sys::signal::Signal::SIGKILL);
        // The signal is asynchronous: nothing after this line may run.
        loop {
            std::thread::park();
        }
    }
}

/// Does nothing in release builds.
#[cfg(not(debug_assertions))]
pub(crate) const fn crash_point(_name: &str) {}

/// Whether `SOONER_SABOTAGE` asks for this seeded bug.
#[cfg(debug_assertions)]
pub(crate) fn sabotaged(bug: &str) -> bool {
    std::env::var("SOONER_SABOTAGE").is_ok_and(|wanted| wanted == bug)
}

/// Never in release builds.
#[cfg(not(debug_assertions))]
pub(crate) const fn sabotaged(_bug: &str) -> bool {
    false
}
