//! Protection of the process's memory and files from other users of the machine.

use rustix::fs::Mode;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit, umask};

/// Restricts access to this process. New files are readable only by their owner. A crash writes no
/// core dump, which would contain portal passwords and keys. Other processes of the same user
/// cannot read the memory.
///
/// # Errors
/// Returns an error if the system refuses a restriction. The command must then not continue.
pub fn harden() -> anyhow::Result<()> {
    umask(Mode::from_raw_mode(0o077));
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}
