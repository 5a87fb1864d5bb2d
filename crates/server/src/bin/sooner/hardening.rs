//! What other users of this machine, and its disks, see of this process.

use rustix::fs::Mode;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit, umask};

/// Files made from here on are their owner's only. No crash leaves the memory, with portal passwords and keys in it, on a disk, and no
/// other process of the same user reads it.
///
/// # Errors
/// When the system refuses; nothing is served then.
pub fn harden() -> anyhow::Result<()> {
    umask(Mode::from_raw_mode(0o077));
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}
