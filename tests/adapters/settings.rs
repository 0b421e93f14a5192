//! The configurations that `deploy/adapters` holds.
