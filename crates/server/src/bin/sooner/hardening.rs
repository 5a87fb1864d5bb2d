//! Protection of this process from other users of the machine and from its disks.

use rustix::fs::Mode;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit, umask};

/// Restricts access to this process. New files belong to their owner alone. A crash writes no
/// memory with portal passwords and keys to a disk. No other process of the same user can read the
/// memory.
///
/// # Errors
/// Returns an error if the system refuses. Nothing is served then.
pub fn harden() -> anyhow::Result<()> {
    umask(Mode::from_raw_mode(0o077));
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}
