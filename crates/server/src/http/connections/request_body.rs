//! Time limit for the body of a request.

use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use tokio::time::Sleep;

/// The body of a request did not arrive in time.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the request's body did not arrive in time")]
pub struct TooSlow;

impl TooSlow {
    /// Returns `true` if a slow body is the cause of `error`.
    #[must_use]
    pub fn caused(error: &(dyn std::error::Error + 'static)) -> bool {
        std::iter::successors(Some(error), |error| error.source()).any(|error| error.is::<Self>())
    }
}

/// A request body with a time limit, which begins at the first read and covers the whole body.
pub struct Timed {
    inner: Body,
    limit: Duration,
    until: Option<Pin<Box<Sleep>>>,
}

impl Timed {
    /// Wraps a body, which must be received completely within `limit`.
    pub fn within(body: Body, limit: Duration) -> Body {
        if body.is_end_stream() {
            return body;
        }
        Body::new(Self { inner: body, limit, until: None })
    }
}

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let limit = self.limit;
        let until = self.until.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        until.as_mut().poll(cx).map(|()| Some(Err(TooSlow.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
