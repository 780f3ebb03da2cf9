//! The errors that this program logs.
//!
//! A process has one subscriber, so the apps of the tests have no `LogPlugin`. Tests run side by
//! side: look for words of your own.

use std::fmt::Debug;
use std::sync::{LazyLock, Mutex};

use bevy::log::tracing::field::Field;
use bevy::log::tracing::{self, Event, Level, Subscriber};
use bevy::log::tracing_subscriber::layer::{Context, SubscriberExt};
use bevy::log::tracing_subscriber::{self, Layer};

static ERRORS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Collector;

impl<S: Subscriber> Layer<S> for Collector {
    fn on_event(&self, event: &Event, _: Context<S>) {
        if *event.metadata().level() == Level::ERROR {
            let mut text = String::new();
            let mut add = |_: &Field, value: &dyn Debug| text += &format!("{value:?}");
            event.record(&mut add);
            ERRORS.lock().unwrap().push(text);
        }
    }
}

/// Begins to collect.
pub fn collect() {
    static STARTED: LazyLock<()> = LazyLock::new(|| {
        let subscriber = tracing_subscriber::registry().with(Collector);
        tracing::subscriber::set_global_default(subscriber).expect("no app has a LogPlugin");
    });
    LazyLock::force(&STARTED);
}

/// The collected errors that contain a text.
pub fn errors_with(text: &str) -> Vec<String> {
    let errors = ERRORS.lock().unwrap();
    errors.iter().filter(|error| error.contains(text)).cloned().collect()
}
