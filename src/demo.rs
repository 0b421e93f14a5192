//! What `stalwart demo` shows: a small shop behind the gateway.

mod agent;
mod scene;
mod shop;
mod shop_server;
mod shop_servers;

pub use agent::{Agent, Ended, Person};
pub use scene::{DESK, DemoError, Stage, play};
pub use shop::{ReceivedCall, Shop};
pub use shop_server::{Conduct, Manner, ReceivedRequest, ServedEras, ShopServer};
pub use shop_servers::ShopServers;
