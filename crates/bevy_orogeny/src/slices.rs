//! Tasks in slices, for a browser: see [`crate::advanced::slices`].

use core::future::Future;
#[cfg(target_family = "wasm")]
use core::panic::Location;

use bevy_tasks::futures_lite::future::yield_now;
use bevy_tasks::{AsyncComputeTaskPool, Task};

#[cfg(not(target_family = "wasm"))]
mod idle;
mod pace;
#[cfg(any(target_family = "wasm", test))]
mod queue;

pub use pace::Pace;
#[cfg(feature = "plants")]
pub(crate) use pace::sample_points;
#[cfg(target_family = "wasm")]
pub(crate) use queue::open;

/// Waits until this task may work for a few milliseconds. Call it in tasks begun with [`spawn`].
///
/// In a browser, work of more than 16 ms without a turn is logged, with the turn before it.
#[cfg_attr(target_family = "wasm", track_caller)]
pub fn turn() -> impl Future<Output = ()> + Send {
    #[cfg(target_family = "wasm")]
    return queue::next_turn(queue::Begun::Before, Location::caller());
    #[cfg(not(target_family = "wasm"))]
    core::future::ready(())
}

/// Lets other tasks of this thread work, and waits for the next turn of this one.
pub(crate) async fn let_others_work() {
    if !cfg!(target_family = "wasm") {
        yield_now().await;
    }
    turn().await;
}

/// Begins a task on Bevy's [`AsyncComputeTaskPool`], at its first turn.
///
/// # Panics
/// Without that pool, which Bevy's `TaskPoolPlugin` adds.
#[cfg_attr(target_family = "wasm", track_caller)]
pub fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> Task<T> {
    #[cfg(target_family = "wasm")]
    let begun_at = Location::caller();
    #[cfg(target_family = "wasm")]
    let task = async move {
        queue::next_turn(queue::Begun::Now, begun_at).await;
        let done = task.await;
        queue::pause();
        done
    };
    AsyncComputeTaskPool::get().spawn(task)
}

/// Begins a task of which there may be many, as [`spawn`]. Those that would wait there are begun on
/// the threads of Bevy's `IoTaskPool`, if `on_io_threads` and as far as few wait for those.
#[cfg_attr(target_family = "wasm", track_caller)]
pub(crate) fn spawn_one_of_many<T: Send + 'static>(
    task: impl Future<Output = T> + Send + 'static,
    on_io_threads: bool,
) -> Task<T> {
    #[cfg(target_family = "wasm")]
    {
        // There is only one thread.
        let _ = on_io_threads;
        spawn(task)
    }
    #[cfg(not(target_family = "wasm"))]
    idle::spawn(task, on_io_threads)
}
