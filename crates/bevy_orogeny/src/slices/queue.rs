//! The order in which tasks have their turns, and the time that they take.
//!
//! Tasks are polled between frames. The first one that is polled after a frame starts the clock,
//! and has its turn however short the time is.

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
/// More time than tasks need in a frame.
const ENDLESS: Duration = Duration::from_secs(3600);

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
pub(crate) struct Taken {
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

    /// Gives a task its turn, if there is time left or if it is the first one.
    fn take_turn(&mut self, now: Instant, at: &'static Location<'static>) -> bool {
        let is_first = self.unused.is_some();
        if let Some(time) = self.unused.take() {
            // What a clock cannot hold is more than any frame.
            self.end = now.checked_add(time).or_else(|| now.checked_add(ENDLESS));
        }
        let has_time = is_first || self.end.is_some_and(|end| now < end);
        if has_time {
            self.turn = Some((now, at));
        }
        has_time
    }
}

/// Waits for the next turn of a task. One that begins waits behind those that are there already:
/// they were woken by [`open`], at the start of the frame in which it was spawned.
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

/// Gives tasks some time after the frame that begins, and tells what they took after the last one.
pub(crate) fn open(time: Duration) -> Taken {
    let (waiting, taken) = QUEUE.with_borrow_mut(|queue| {
        (queue.unused, queue.end) = (Some(time), None);
        (take(&mut queue.waiting), take(&mut queue.taken))
    });
    // In their order: each is polled once, and waits again if no time is left.
    waiting.into_iter().for_each(Waker::wake);
    taken
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::{Arc, Mutex};
    use std::task::{Context, Wake};

    use super::*;

    type Work = Pin<Box<dyn Future<Output = ()>>>;
    type Woken = Arc<Mutex<Vec<usize>>>;

    /// Polls tasks in the order in which they were woken, as a browser does.
    #[derive(Default)]
    struct Page {
        tasks: Vec<Option<Work>>,
        woken: Woken,
    }

    struct Waking(usize, Woken);

    impl Wake for Waking {
        fn wake(self: Arc<Self>) {
            self.1.lock().unwrap().push(self.0);
        }
    }

    impl Page {
        fn spawn(&mut self, task: impl Future<Output = ()> + 'static) {
            let number = self.tasks.len();
            self.tasks.push(Some(Box::pin(async move {
                next_turn(Begun::Now, Location::caller()).await;
                task.await;
                pause();
            })));
            self.woken.lock().unwrap().push(number);
        }

        /// Ends a frame.
        fn poll(&mut self) {
            loop {
                let woken = take(&mut *self.woken.lock().unwrap());
                if woken.is_empty() {
                    return;
                }
                for number in woken {
                    let waker = Waker::from(Arc::new(Waking(number, self.woken.clone())));
                    let Some(task) = &mut self.tasks[number] else { continue };
                    if task.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
                        self.tasks[number] = None;
                    }
                }
            }
        }
    }

    const FRAME: Duration = Duration::from_millis(4);

    /// A task that takes so many turns, each of half a frame's time.
    async fn work(turns: usize) {
        for _ in 0..turns {
            std::thread::sleep(FRAME / 2);
            next_turn(Begun::Before, Location::caller()).await;
        }
    }

    /// However many tasks begin in each frame, the old ones go on.
    #[test]
    fn new_tasks_do_not_overtake_those_that_wait() {
        let mut page = Page::default();
        page.spawn(work(4));
        for frame in 1.. {
            open(FRAME);
            (0..3).for_each(|_| page.spawn(work(1)));
            page.poll();
            if page.tasks[0].is_none() {
                break;
            }
            // In each frame it has at least one turn, but for those that began before.
            assert!(frame < 40, "it starves");
        }
        let taken = open(FRAME);
        assert!(taken.longest >= FRAME / 2 && taken.in_frame < 20 * FRAME);
    }

    /// Without any time, or with more than a clock holds, tasks go on: in each frame at least one.
    #[test]
    fn every_frame_has_a_turn() {
        for (time, most) in [(Duration::ZERO, 7), (Duration::from_nanos(1), 7), (Duration::MAX, 2)]
        {
            let mut page = Page::default();
            // Each begins, works for two turns, and ends with another one.
            (0..2).for_each(|_| page.spawn(work(2)));
            let frames = (1..100).find(|_| {
                open(time);
                page.poll();
                page.tasks.iter().all(Option::is_none)
            });
            assert!(frames.is_some_and(|frames| frames <= most), "{time:?}: {frames:?}");
        }
    }

    /// Without a frame no task works.
    #[test]
    fn tasks_wait_for_a_frame() {
        let mut page = Page::default();
        page.spawn(work(1));
        page.poll();
        assert!(page.tasks[0].is_some());
        open(FRAME);
        page.poll();
        open(FRAME);
        page.poll();
        assert!(page.tasks[0].is_none());
    }
}
