//! The order in which tasks have their turns, and the time that they take.
//!
//! Tasks are polled between frames. The first one that is polled after a frame starts the clock.

use core::cell::RefCell;
use core::future::poll_fn;
use core::mem::take;
use core::panic::Location;
use core::task::{Poll, Waker};
use core::time::Duration;

use bevy_log::debug;
use bevy_platform::time::Instant;

/// Work without a break that is worth a line in the log: a frame is lost.
const LONG: Duration = Duration::from_millis(16);

thread_local!(static QUEUE: RefCell<Queue> = RefCell::default());

#[derive(Default)]
struct Queue {
    /// The time that is left since the last frame, until a task has begun to use it.
    unused: Option<Duration>,
    /// When the time since the last frame is over.
    end: Option<Instant>,
    /// When the task that is running had its turn, and where it asked for it.
    turn: Option<(Instant, &'static Location<'static>)>,
    waiting: Vec<Waker>,
    taken: Taken,
}

/// The time that tasks have taken since the last frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    pub in_frame: Duration,
    /// The longest time of a task between two turns.
    pub longest: Duration,
}

/// Whether a task that asks for a turn has had one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    Before,
    Now,
}

impl Queue {
    /// Ends the turn of the task that is running.
    fn pause(&mut self, now: Instant) {
        if let Some((turn, at)) = self.turn.take() {
            let time = now - turn;
            if time > LONG {
                debug!("a task took {time:?} without a break, after {at}");
            }
            self.taken.in_frame += time;
            self.taken.longest = self.taken.longest.max(time);
        }
    }

    /// Gives a task its turn, if there is time left.
    fn take_turn(&mut self, now: Instant, at: &'static Location<'static>) -> bool {
        if let Some(time) = self.unused.take() {
            self.end = Some(now + time);
        }
        let has_time = self.end.is_some_and(|end| now < end);
        if has_time {
            self.turn = Some((now, at));
        }
        has_time
    }
}

/// Waits for the next turn of a task. One that begins waits behind those that are there already.
pub(super) async fn next_turn(begun: Begun, at: &'static Location<'static>) {
    let mut waits = begun == Begun::Now;
    poll_fn(|context| {
        QUEUE.with_borrow_mut(|queue| {
            let now = Instant::now();
            if begun == Begun::Before && !waits {
                queue.pause(now);
            }
            let is_behind = begun == Begun::Now && waits && !queue.waiting.is_empty();
            waits = true;
            if !is_behind && queue.take_turn(now, at) {
                return Poll::Ready(());
            }
            queue.waiting.push(context.waker().clone());
            Poll::Pending
        })
    })
    .await;
}

/// Ends the turn of a task that is done.
pub(super) fn pause() {
    QUEUE.with_borrow_mut(|queue| queue.pause(Instant::now()));
}

/// Gives tasks some time after this frame, and tells what they took after the last one.
pub(super) fn open(time: Duration) -> Taken {
    let (waiting, taken) = QUEUE.with_borrow_mut(|queue| {
        (queue.unused, queue.end) = (Some(time), None);
        (take(&mut queue.waiting), take(&mut queue.taken))
    });
    // In their order: each is polled once, and waits again if no time is left.
    waiting.into_iter().for_each(Waker::wake);
    taken
}
