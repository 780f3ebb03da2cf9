//! Work that can await turns, done at once.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The result of work whose turns come at once.
pub(crate) fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(work).poll(&mut context) {
        Poll::Ready(done) => done,
        Poll::Pending => unreachable!("all turns are ready"),
    }
}
