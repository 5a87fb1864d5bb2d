//! Client of the appointment portal.
//!
//! The crate has three layers, and each is usable without the next:
//! - [`pages`]: pure parsers from a text to a typed value or [`LayoutChanged`], without I/O and
//!   clock.
//! - [`Client`] and [`Session`]: single requests in one user's account. Each response becomes a
//!   value or a [`PortalError`]. Each request is counted on a [`Meter`] and takes a token from the
//!   host's [`Pacer`].
//! - [`BookingConnection`]: the booking POST, which cannot be undone. It is sent at most once, with
//!   a [`SendingProof`], before its deadline. Its result is evidence, never proof.
//!
//! The crate solves no captcha and does not disguise itself. It repeats no request except one GET
//! of a booking (see [`Client`]).

mod booking;
mod civil;
mod classify;
mod client;
mod clock;
mod error;
mod host_rate;
mod html;
mod ids;
mod kind;
mod known;
mod language;
mod meter;
pub mod pages;
mod purpose;
mod recorder;
mod redact;
mod session;
mod structure;
mod timeouts;
mod wording;

pub use booking::{BookingConnection, BookingForm, CannotFill, CommitKey, PostEvidence, SendingProof, Wrote};
pub use civil::CivilMoment;
pub use client::{Client, Days, FormVisit, Settings, SignInForm};
pub use clock::Clock;
pub use error::{LayoutChanged, PageKind, PortalError, Recovery, UserAction};
pub use host_rate::{Pacer, Rate};
pub use ids::{ApplicantId, PortalHost, PortalPath};
pub use kind::{KINDS, ParseKindError, parse_kind};
pub use known::{Comparison, compare};
pub use meter::{Meter, RequestCounts};
pub use purpose::Purpose;
pub use recorder::{Exchange, Recorder};
pub use redact::{Redactor, Secrets};
pub use session::{BadExport, Credentials, Session};
pub use timeouts::{Timeouts, retry_after};
