//! One task at a time, for the newest wish.

use bevy::tasks::{AsyncComputeTaskPool, Task, futures::check_ready};

/// Works out answers to wishes by tasks: one at a time, and the newest wish when that one is done.
pub struct Worker<W, A> {
    task: Option<Task<A>>,
    /// What the newest task works on, or worked on.
    begun: Option<(u64, W)>,
    answer: Option<A>,
    fresh: bool,
}

impl<W, A> Default for Worker<W, A> {
    fn default() -> Self {
        Self { task: None, begun: None, answer: None, fresh: false }
    }
}

impl<W: Copy + PartialEq + Send + 'static, A: Send + 'static> Worker<W, A> {
    /// Asks for an answer to a wish about something of a revision.
    pub fn ask(&mut self, revision: u64, wish: W, work: impl FnOnce(W) -> A + Send + 'static) {
        if let Some(answer) = self.task.as_mut().and_then(check_ready) {
            self.answer = Some(answer);
            self.fresh = true;
            self.task = None;
        }
        if self.task.is_none() && self.begun != Some((revision, wish)) {
            self.begun = Some((revision, wish));
            self.task = Some(AsyncComputeTaskPool::get().spawn(async move { work(wish) }));
        }
    }

    /// The newest answer, once.
    pub fn fresh(&mut self) -> Option<&A> {
        core::mem::take(&mut self.fresh).then_some(self.answer.as_ref()).flatten()
    }

    /// The newest answer.
    pub fn newest(&self) -> Option<&A> {
        self.answer.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use bevy::tasks::TaskPool;

    use super::*;

    #[test]
    fn the_newest_wish_is_answered_once_for_each_revision() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let mut worker = Worker::<u32, u32>::default();
        let mut answers = Vec::new();
        let begun = Instant::now();
        for (revision, wish) in [(0, 1), (0, 2), (1, 2)] {
            loop {
                worker.ask(revision, wish, |wish| 10 * wish);
                if let Some(&answer) = worker.fresh() {
                    answers.push(answer);
                    break;
                }
                assert!(begun.elapsed() < Duration::from_secs(20));
                sleep(Duration::from_millis(1));
            }
        }
        worker.ask(1, 2, |_| unreachable!("it has the answer"));
        assert_eq!(worker.fresh(), None);
        assert_eq!((answers, worker.newest()), (vec![10, 20, 20], Some(&20)));
    }
}
