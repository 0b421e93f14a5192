//! Servers of `gateway.yaml` as HTTP clients reach them.
