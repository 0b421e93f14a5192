//! The runtime of the commands that talk over the network.

use std::io;

use crate::text::reason;

/// Runs a task to its end, on as many threads as there are cores.
///
/// # Errors
/// The system has no threads to give. What it says.
pub(super) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error: io::Error| reason(&error))?;
    Ok(runtime.block_on(work))
}
