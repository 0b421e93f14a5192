//! The Model Context Protocol in both of its eras, over HTTP (gateway contract, section 4).

pub mod client;

pub mod server;

pub mod wire;
