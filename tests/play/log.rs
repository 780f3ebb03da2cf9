//! What the program complains about: errors in its log, and panics of any thread.

use std::fmt::{Debug, Write};
use std::sync::{Mutex, PoisonError};

use bevy::log::tracing::field::{Field, Visit};
use bevy::log::tracing::{Event, Subscriber};
use bevy::log::tracing_subscriber::Layer;
use bevy::log::tracing_subscriber::layer::Context;
use bevy::log::{BoxedLayer, Level};
use bevy::prelude::*;

static COMPLAINTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn note(complaint: String) {
    COMPLAINTS.lock().unwrap_or_else(PoisonError::into_inner).push(complaint);
}

/// The complaints since the last call.
pub fn complaints() -> Vec<String> {
    core::mem::take(&mut COMPLAINTS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Notes panics of any thread.
pub fn watch_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        note(panic.to_string());
        print(panic);
    }));
}

/// The layer for Bevy's `LogPlugin`.
pub fn layer(_: &mut App) -> Option<BoxedLayer> {
    Some(Box::new(Errors))
}

struct Errors;

impl<S: Subscriber> Layer<S> for Errors {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if *event.metadata().level() == Level::ERROR {
            let mut text = Text(event.metadata().target().into());
            event.record(&mut text);
            note(text.0);
        }
    }
}

struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, " {field}: {value:?}");
    }
}
