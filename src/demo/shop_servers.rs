//! The shop in process: what the gateway's core reaches without a socket.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::shop::{ReceivedCall, Shop};
use crate::gateway::{
    CallEnd, ForwardedCall, Relay, Servers, ToolDefinition, Unavailable, UpstreamScope,
    UpstreamSession,
};
use crate::json::{Members, parse};
use crate::mcp::client::pin;

/// Servers of any name, all of them one shop.
#[derive(Clone, Debug, Default)]
pub struct ShopServers {
    shop: Arc<Shop>,
}

impl ShopServers {
    /// Servers that are this shop.
    pub fn new(shop: Arc<Shop>) -> Self {
        Self { shop }
    }

    /// The shop.
    pub fn shop(&self) -> &Arc<Shop> {
        &self.shop
    }
}

impl Servers for ShopServers {
    fn open<'a>(
        &'a self,
        _server: &'a str,
        _scope: &'a UpstreamScope,
    ) -> BoxFuture<'a, Result<Arc<dyn UpstreamSession>, Unavailable>> {
        Box::pin(async move { Ok(Arc::new(self.clone()) as Arc<dyn UpstreamSession>) })
    }

    fn close<'a>(&'a self, _scope_key: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }
}

impl UpstreamSession for ShopServers {
    fn tools(&self) -> BoxFuture<'_, Result<Arc<[ToolDefinition]>, Unavailable>> {
        Box::pin(async move {
            let definitions = self.shop.definitions();
            let described = definitions.into_iter().filter_map(|json| {
                let name = parse(json.as_bytes())
                    .ok()?
                    .get("name")?
                    .as_str()?
                    .to_owned();
                let sha256 = pin(&json)?;
                Some(ToolDefinition { name, json, sha256 })
            });
            Ok(described.collect())
        })
    }

    fn call<'a>(
        &'a self,
        call: &'a ForwardedCall,
        _relay: &'a dyn Relay,
    ) -> BoxFuture<'a, CallEnd> {
        Box::pin(async move {
            let received = ReceivedCall {
                tool: call.tool.clone(),
                arguments: call.arguments.clone(),
                idempotency_key: call.idempotency_key.clone(),
                meta: call.meta.clone(),
            };
            let json = self.shop.call(received);
            let members = Members::read(&json).ok().flatten();
            let is_error = members.and_then(|members| members.get("isError")) == Some("true");
            CallEnd::Result { json, is_error }
        })
    }
}
