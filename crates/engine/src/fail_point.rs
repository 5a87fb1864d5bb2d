//! Fail points: named places in the code where a test stops the engine or changes its environment.
//! Most of them are between two writes.
//!
//! They exist only with the feature `fail-points`, which the tests of this crate enable. Without it
//! a fail point does nothing.

#[cfg(feature = "fail-points")]
mod handler {
    use std::cell::RefCell;

    /// Test code that runs at each fail point, given its name.
    pub type Handler = Box<dyn FnMut(&str)>;

    thread_local! {
        static HANDLER: RefCell<Option<Handler>> = const { RefCell::new(None) };
    }

    /// Calls `handler` at each fail point that an engine on this thread reaches.
    pub fn on_fail_points(handler: Option<Handler>) {
        HANDLER.set(handler);
    }

    pub(crate) fn fail_point(name: &str) {
        HANDLER.with_borrow_mut(|handler| handler.iter_mut().for_each(|handler| handler(name)));
    }
}

#[cfg(feature = "fail-points")]
pub(crate) use handler::fail_point;
#[cfg(feature = "fail-points")]
pub use handler::{Handler, on_fail_points};

/// Does nothing without the feature.
#[cfg(not(feature = "fail-points"))]
pub(crate) const fn fail_point(_name: &str) {}
