//! Counters of the requests that a piece of work has sent.

use crate::Purpose;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::Relaxed};

/// Purpose of a piece of work, with counters of its requests. A request is counted immediately
/// before it is sent, so failed and dropped requests are counted too.
#[derive(Debug)]
pub struct Meter {
    purpose: AtomicU8,
    prepaid: AtomicU32,
    may_repeat: AtomicBool,
    all: AtomicU32,
    polls: AtomicU32,
    sign_ins: AtomicU32,
}

/// Counts of a [`Meter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestCounts {
    /// All requests, including the two counters below.
    pub requests: u32,
    /// Requests for free dates and free times.
    pub polls: u32,
    /// Sign-in attempts, that is POSTs with login and password.
    pub sign_ins: u32,
}

/// Kind of a request, which decides the counters that it increments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    Page,
    Poll,
    SignIn,
}

impl Meter {
    /// Creates a meter for one purpose with all counters at zero.
    pub fn new(purpose: Purpose) -> Self {
        Self::prepaid(purpose, 0)
    }

    /// Creates a meter like [`Meter::new`]. Tokens for its first `requests` requests were already
    /// drawn by [`crate::Pacer::prepay`].
    pub fn prepaid(purpose: Purpose, requests: u32) -> Self {
        Self {
            purpose: AtomicU8::new(purpose as u8),
            prepaid: AtomicU32::new(requests),
            may_repeat: AtomicBool::new(purpose == Purpose::Booking),
            all: AtomicU32::new(0),
            polls: AtomicU32::new(0),
            sign_ins: AtomicU32::new(0),
        }
    }

    /// Sets the purpose of the following requests. If the purpose is a booking, one GET may be
    /// repeated.
    pub fn serve(&self, purpose: Purpose) {
        self.purpose.store(purpose as u8, Relaxed);
        self.may_repeat.store(purpose == Purpose::Booking, Relaxed);
    }

    /// Returns the current purpose of requests.
    pub fn purpose(&self) -> Purpose {
        Purpose::ALL[usize::from(self.purpose.load(Relaxed)) % Purpose::ALL.len()]
    }

    /// Returns the number of prepaid tokens that were not spent, and sets it to zero.
    pub fn take_unused(&self) -> u32 {
        self.prepaid.swap(0, Relaxed)
    }

    /// Returns the counts so far.
    pub fn spent(&self) -> RequestCounts {
        RequestCounts {
            requests: self.all.load(Relaxed),
            polls: self.polls.load(Relaxed),
            sign_ins: self.sign_ins.load(Relaxed),
        }
    }

    /// Returns the counts since the last call and resets them to zero.
    pub fn drain(&self) -> RequestCounts {
        RequestCounts {
            requests: self.all.swap(0, Relaxed),
            polls: self.polls.swap(0, Relaxed),
            sign_ins: self.sign_ins.swap(0, Relaxed),
        }
    }

    /// Spends one prepaid token. Returns `false` if none is left.
    pub(crate) fn spend_prepaid(&self) -> bool {
        self.prepaid.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    /// Uses up the one permitted repetition of a GET. Returns `false` if it is not permitted or was
    /// used before.
    pub(crate) fn repeat(&self) -> bool {
        self.may_repeat.swap(false, Relaxed)
    }

    pub(crate) fn count(&self, what: CallKind) {
        self.all.fetch_add(1, Relaxed);
        match what {
            CallKind::Page => {}
            CallKind::Poll => {
                self.polls.fetch_add(1, Relaxed);
            }
            CallKind::SignIn => {
                self.sign_ins.fetch_add(1, Relaxed);
            }
        }
    }
}
