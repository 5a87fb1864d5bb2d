//! Records all spans and events of portal client and engine, with their start and end.

use std::sync::{Arc, Mutex, PoisonError};

use domain::clock::{Clock, Instant};
use tracing::span::{Attributes, Id};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Ended span, or an event, whose start and end are equal.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// Name of the span, or message of the event.
    pub name: String,
    /// Name of the enclosing span, or empty if there is none.
    pub parent: &'static str,
    pub from: Instant,
    pub to: Instant,
}

/// Recorder of spans and events. A clone is cheap.
#[derive(Clone)]
pub struct Probe {
    clock: Clock,
    seen: Arc<Mutex<Vec<Stretch>>>,
}

struct Begun(Instant);

impl Probe {
    pub fn new(clock: Clock) -> Self {
        Self { clock, seen: Arc::default() }
    }

    /// Returns the spans and events recorded since the last call, ordered by their ends.
    pub fn drain(&self) -> Vec<Stretch> {
        std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, stretch: Stretch) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(stretch);
    }
}

impl<S: tracing::Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Probe {
    fn on_new_span(&self, _: &Attributes<'_>, id: &Id, ctx: Context<'_, S>) {
        if let Some(span) = ctx.span(id) {
            span.extensions_mut().insert(Begun(self.clock.now()));
        }
    }

    fn on_close(&self, id: Id, ctx: Context<'_, S>) {
        let Some(span) = ctx.span(&id) else { return };
        let Some(Begun(from)) = span.extensions_mut().remove::<Begun>() else { return };
        let parent = span.parent().map_or("", |p| p.name());
        self.add(Stretch { name: span.name().to_owned(), parent, from, to: self.clock.now() });
    }

    fn on_event(&self, event: &tracing::Event<'_>, ctx: Context<'_, S>) {
        let now = self.clock.now();
        let parent = ctx.event_span(event).map_or("", |p| p.name());
        let mut words = EventMessage(String::new());
        event.record(&mut words);
        self.add(Stretch { name: words.0, parent, from: now, to: now });
    }
}

/// Message of an event.
struct EventMessage(String);

impl tracing::field::Visit for EventMessage {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}
