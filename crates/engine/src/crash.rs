//! Places where tests kill the engine, and seeded bugs the harness must catch. Absent from release builds.

use std::cell::Cell;
use std::cell::RefCell;

#[cfg(debug_assertions)]
thread_local! {
    static KILLER: RefCell<Option<Killer>> = const { RefCell::new(None) };
    static BUG: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// What a job killed by [`kill_when`] ends with.
#[cfg(debug_assertions)]
pub struct Killed;

/// Decides at each crash point, by name, whether the engine dies there.
#[cfg(debug_assertions)]
pub type Killer = Box<dyn FnMut(&str) -> bool>;

/// Ends the job that reaches a point for which `killer` says so, as if its process had gone; for this thread only.
///
/// The test then drops the engine and makes a new one on the same database.
#[cfg(debug_assertions)]
pub fn kill_when(killer: Option<Killer>) {
    KILLER.set(killer);
}

/// Puts a seeded bug into engines of this thread, besides what `SOONER_SABOTAGE` asks for.
#[cfg(debug_assertions)]
pub fn sabotage(bug: Option<&'static str>) {
    BUG.set(bug);
}

/// Kills this process with SIGKILL when `SOONER_CRASH` names the point, or this job alone when a test says so.
#[cfg(debug_assertions)]
pub(crate) fn crash_point(name: &str) {
    if std::env::var("SOONER_CRASH").is_ok_and(|wanted| wanted == name) {
        let _ = nix::sys::signal::kill(nix::unistd::Pid::this(), nix::sys::signal::Signal::SIGKILL);
        // The signal is asynchronous: nothing after this line may run.
        loop {
            std::thread::park();
        }
    }
    let dies = KILLER.with_borrow_mut(|killer| killer.as_mut().is_some_and(|killer| killer(name)));
    if dies {
        std::panic::resume_unwind(Box::new(Killed));
    }
}

/// Does nothing in release builds.
#[cfg(not(debug_assertions))]
pub(crate) const fn crash_point(_name: &str) {}

/// Whether `SOONER_SABOTAGE` or a test asks for this seeded bug.
#[cfg(debug_assertions)]
pub(crate) fn sabotaged(bug: &str) -> bool {
    BUG.get() == Some(bug) || std::env::var("SOONER_SABOTAGE").is_ok_and(|wanted| wanted == bug)
}

/// Never in release builds.
#[cfg(not(debug_assertions))]
pub(crate) const fn sabotaged(_bug: &str) -> bool {
    false
}
