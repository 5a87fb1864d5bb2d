//! Client of the appointment portal.
//!
//! Three layers, each usable without the next:
//! - [`pages`]: pure readers, `parse(&str)` -> typed result or [`LayoutChanged`]. No I/O, no clock.
//! - [`Client`] and [`Session`]: one HTTP request after another in one user's account. Every answer
//!   is classified as a value or a [`PortalError`]. Every request is counted on a [`Meter`] and
//!   takes a token from the host's [`Pacer`].
//! - [`BookingConnection`]: the one POST that cannot be undone. It is sent at most once, only with
//!   a [`SendingProof`] and only before its deadline. It returns evidence, never proof.
//!
//! The crate solves no captcha and does not disguise itself. It retries nothing except one GET of a
//! booking (see [`Client`]).

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
mod meter;
pub mod pages;
mod purpose;
mod recorder;
mod redact;
mod session;
mod structure;
mod timeouts;

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
