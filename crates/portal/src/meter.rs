//! Counting requests for the budgets.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Counts requests at the moment they leave, so that a failed or dropped call is counted too.
#[derive(Debug, Default)]
pub struct Meter {
    all: AtomicU32,
    looks: AtomicU32,
    sign_ins: AtomicU32,
}

/// What a [`Meter`] has counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// All requests, the others included.
    pub requests: u32,
    /// Days and times requests.
    pub looks: u32,
    /// Sign-in attempts (POSTs).
    pub sign_ins: u32,
}

impl Meter {
    /// A meter at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was counted so far.
    pub fn spent(&self) -> Spent {
        Spent {
            requests: self.all.load(Relaxed),
            looks: self.looks.load(Relaxed),
            sign_ins: self.sign_ins.load(Relaxed),
        }
    }

    /// What was counted since the last `take`, and back to zero.
    pub fn take(&self) -> Spent {
        Spent {
            requests: self.all.swap(0, Relaxed),
            looks: self.looks.swap(0, Relaxed),
            sign_ins: self.sign_ins.swap(0, Relaxed),
        }
    }

    pub(crate) fn page(&self) {
        self.all.fetch_add(1, Relaxed);
    }

    pub(crate) fn look(&self) {
        self.page();
        self.looks.fetch_add(1, Relaxed);
    }

    pub(crate) fn sign_in(&self) {
        self.page();
        self.sign_ins.fetch_add(1, Relaxed);
    }
}
