//! One task at a time, for the newest request.

use std::sync::Arc;

use bevy::tasks::{Task, futures::check_ready};
use bevy_orogeny::advanced::slices::spawn;
use orogeny::scatter::Placement;

/// Answers requests in a task, one at a time. When it is done, the newest request comes next.
pub struct Worker<W, A> {
    task: Option<Task<A>>,
    /// The revision and request of the newest task.
    begun: Option<(u64, W)>,
    /// The newest answer, and the revision that it is about.
    answer: Option<(u64, A)>,
    fresh: bool,
}

impl<W, A> Default for Worker<W, A> {
    fn default() -> Self {
        Self { task: None, begun: None, answer: None, fresh: false }
    }
}

impl<W: Copy + PartialEq + Send + 'static, A: Send + 'static> Worker<W, A> {
    /// Requests an answer about this revision.
    pub fn ask<F>(&mut self, revision: u64, request: W, work: impl FnOnce(W) -> F)
    where
        F: Future<Output = A> + Send + 'static,
    {
        if let Some(answer) = self.task.as_mut().and_then(check_ready) {
            let revision = self.begun.as_ref().map_or(0, |(revision, _)| *revision);
            self.answer = Some((revision, answer));
            self.fresh = true;
            self.task = None;
        }
        if self.task.is_none() && self.begun != Some((revision, request)) {
            self.begun = Some((revision, request));
            self.task = Some(spawn(work(request)));
        }
    }

    /// The newest answer, and the revision that it is about, once.
    pub fn fresh(&mut self) -> Option<(u64, &A)> {
        let is_fresh = core::mem::take(&mut self.fresh);
        self.answer.as_ref().filter(|_| is_fresh).map(|(revision, answer)| (*revision, answer))
    }

    /// The newest answer.
    pub fn newest(&self) -> Option<&A> {
        self.answer.as_ref().map(|(_, answer)| answer)
    }

    /// The newest answer, if it is about this revision.
    pub fn newest_of(&self, revision: u64) -> Option<&A> {
        self.answer.as_ref().filter(|(of, _)| *of == revision).map(|(_, answer)| answer)
    }
}

/// Answers requests about plants. Another placement is another revision.
pub struct PlacementWorker<W, A> {
    worker: Worker<W, A>,
    placement: Option<Arc<Placement>>,
    revision: u64,
}

impl<W, A> Default for PlacementWorker<W, A> {
    fn default() -> Self {
        Self { worker: Worker::default(), placement: None, revision: 0 }
    }
}

impl<W: Copy + PartialEq + Send + 'static, A: Send + 'static> PlacementWorker<W, A> {
    /// Requests an answer about this placement. Returns the newest one, about whatever it is.
    pub fn ask(
        &mut self,
        placement: &Arc<Placement>,
        request: W,
        work: fn(&Placement, W) -> A,
    ) -> Option<&A> {
        if !self.placement.as_ref().is_some_and(|own| Arc::ptr_eq(own, placement)) {
            self.placement = Some(placement.clone());
            self.revision += 1;
        }
        let placement = placement.clone();
        let answer = |request| async move { work(&placement, request) };
        self.worker.ask(self.revision, request, answer);
        self.worker.newest()
    }

    /// The newest answer, once.
    pub fn fresh(&mut self) -> Option<&A> {
        self.worker.fresh().map(|(_, answer)| answer)
    }

    /// The newest answer.
    pub fn newest(&self) -> Option<&A> {
        self.worker.newest()
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use bevy::tasks::{AsyncComputeTaskPool, TaskPool};

    use super::*;

    #[test]
    fn the_newest_wish_is_answered_once_for_each_revision() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let mut worker = Worker::<u32, u32>::default();
        let mut answers = Vec::new();
        let begun = Instant::now();
        for (revision, request) in [(0, 1), (0, 2), (1, 2)] {
            loop {
                worker.ask(revision, request, |request| async move { 10 * request });
                if let Some((of, &answer)) = worker.fresh() {
                    assert_eq!(of, revision);
                    answers.push(answer);
                    break;
                }
                assert!(begun.elapsed() < Duration::from_secs(20));
                sleep(Duration::from_millis(1));
            }
        }
        worker.ask(1, 2, |_| async { unreachable!("it has the answer") });
        assert_eq!(worker.fresh(), None);
        assert_eq!((answers, worker.newest()), (vec![10, 20, 20], Some(&20)));
    }
}
