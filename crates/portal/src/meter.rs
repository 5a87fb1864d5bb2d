//! Counting requests for the budgets.

use crate::Purpose;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::Relaxed};

/// Says what requests are for, and counts them at the moment they leave, so that a failed or dropped call is counted too.
#[derive(Debug)]
pub struct Meter {
    purpose: AtomicU8,
    prepaid: AtomicU32,
    may_repeat: AtomicBool,
    all: AtomicU32,
    polls: AtomicU32,
    sign_ins: AtomicU32,
}

/// What a [`Meter`] has counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// All requests, the others included.
    pub requests: u32,
    /// Days and times requests.
    pub polls: u32,
    /// Sign-in attempts (POSTs).
    pub sign_ins: u32,
}

/// What one request counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    Page,
    Poll,
    SignIn,
}

impl Meter {
    /// A meter at zero for requests of one purpose.
    pub fn new(purpose: Purpose) -> Self {
        Self::prepaid(purpose, 0)
    }

    /// As [`Meter::new`]; the tokens of the first `requests` were drawn already ([`crate::Pacer::prepay`]).
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

    /// What requests are for from here on. A booking that begins may repeat one GET.
    pub fn serve(&self, purpose: Purpose) {
        self.purpose.store(purpose as u8, Relaxed);
        self.may_repeat.store(purpose == Purpose::Booking, Relaxed);
    }

    /// What requests are for now.
    pub fn purpose(&self) -> Purpose {
        Purpose::ALL[usize::from(self.purpose.load(Relaxed)) % Purpose::ALL.len()]
    }

    /// Takes what was prepaid and not spent.
    pub fn take_unused(&self) -> u32 {
        self.prepaid.swap(0, Relaxed)
    }

    /// What was counted so far.
    pub fn spent(&self) -> Spent {
        Spent {
            requests: self.all.load(Relaxed),
            polls: self.polls.load(Relaxed),
            sign_ins: self.sign_ins.load(Relaxed),
        }
    }

    /// What was counted since the last `take`, and back to zero.
    pub fn take(&self) -> Spent {
        Spent {
            requests: self.all.swap(0, Relaxed),
            polls: self.polls.swap(0, Relaxed),
            sign_ins: self.sign_ins.swap(0, Relaxed),
        }
    }

    /// Spends one prepaid token, if there is one.
    pub(crate) fn spend_prepaid(&self) -> bool {
        self.prepaid.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    /// Takes the one repetition of a GET that a booking has.
    pub(crate) fn repeat(&self) -> bool {
        self.may_repeat.swap(false, Relaxed)
    }

    pub(crate) fn count(&self, what: Counted) {
        self.all.fetch_add(1, Relaxed);
        match what {
            Counted::Page => {}
            Counted::Poll => {
                self.polls.fetch_add(1, Relaxed);
            }
            Counted::SignIn => {
                self.sign_ins.fetch_add(1, Relaxed);
            }
        }
    }
}
