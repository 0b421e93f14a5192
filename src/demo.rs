//! What `stalwart demo` shows: a small shop behind the gateway.

mod shop;
mod shop_server;
mod shop_servers;

pub use shop::{ReceivedCall, Shop};
pub use shop_server::{Conduct, Manner, ReceivedRequest, ServedEras, ShopServer};
pub use shop_servers::ShopServers;
