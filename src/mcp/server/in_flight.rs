//! Counts calls in flight, and waits until there are none.

use std::sync::Arc;

use tokio::sync::watch;

/// A counter.
#[derive(Clone)]
pub(super) struct InFlight(Arc<watch::Sender<usize>>);

/// One call in flight, until it is dropped.
pub(super) struct Flight(Arc<watch::Sender<usize>>);

impl Default for InFlight {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }
}

impl InFlight {
    /// Counts a call.
    pub(super) fn begin(&self) -> Flight {
        self.0.send_modify(|count| *count += 1);
        Flight(Arc::clone(&self.0))
    }

    /// Waits until there is none.
    pub(super) async fn none(&self) {
        let mut counts = self.0.subscribe();
        // It cannot fail: the sender is here.
        let _ = counts.wait_for(|count| *count == 0).await;
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}
