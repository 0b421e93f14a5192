//! How the gateway starts, reloads and ends.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use super::{cannot, read};
use crate::audit;
use crate::configuration::Configuration;
use crate::diagnostics::codes::audit::KEY_FILE;
use crate::diagnostics::{Diagnostic, Severity};
use crate::gateway::{Clock as _, Gateway, Parts, SystemClock};
use crate::keys::{KeyRing, SystemRandomness};
use crate::service::{Access, Hooks, Metrics, Service, assembly};
use crate::store::{Sqlite, Store};

/// How often questions expire and old rows are dropped.
const TEND: Duration = Duration::from_secs(1);

/// Lines that are kept where no audit file is.
const LINES_IN_MEMORY: usize = 10_000;

/// Makes what needs no socket, no store and no file, to see whether it can be made.
pub(super) fn try_out(configuration: &Configuration) -> Result<(), Diagnostic> {
    let keys = match &configuration.keys {
        Some(keys) => Arc::clone(keys),
        None => Arc::new(
            KeyRing::new(vec![("check".to_owned(), Default::default())])
                .map_err(|error| cannot(error.to_string()))?,
        ),
    };
    assembly::current(configuration, keys, &Metrics::default()).map_err(cannot)?;
    Ok(())
}

/// Serves until a signal ends it.
pub(super) async fn serve(file: &Path, configuration: Configuration) -> Result<(), Diagnostic> {
    // Before the store, since a store without its key file is one whose keys are lost.
    let keys = keys_of(&configuration)?;
    let store = Sqlite::open(&configuration.store)
        .map_err(|error| audit::LogError::Store(error).diagnostic())?;
    let store: Arc<dyn Store> = Arc::new(store);
    let node = &configuration.node;
    let log = match &configuration.audit {
        Some(path) => {
            let (store, keys) = (Arc::clone(&store), Arc::clone(&keys));
            audit::Log::open(path, store, keys, node, SystemClock.now())
        }
        None => audit::Log::in_memory(Arc::clone(&store), node, LINES_IN_MEMORY),
    };
    let metrics = Metrics::default();
    let current = assembly::current(&configuration, Arc::clone(&keys), &metrics).map_err(cannot)?;
    let gateway = Gateway::start(Parts {
        current,
        store,
        log: log.map_err(|error| error.diagnostic())?,
        clock: Arc::new(SystemClock),
        randomness: Arc::new(SystemRandomness),
    });
    let gateway = gateway.await.map_err(|error| cannot(error.to_string()))?;
    for warning in warnings(&configuration) {
        tracing::warn!("{warning}");
    }
    let in_force = Arc::new(Mutex::new(configuration.clone()));
    let hooks = hooks(file, &gateway, &in_force, &metrics);
    let settings = assembly::settings(&configuration, keys, metrics, hooks);
    let service = Service::start(settings, Arc::new(gateway.clone()));
    let service = service.map_err(|error| cannot(error.to_string()))?;
    let tending = tokio::spawn(tend(gateway.clone()));
    let served = service.until_signal().await;
    tending.abort();
    if let Err(error) = gateway.tend().await {
        tracing::error!(%error, "the store cannot be tidied up");
    }
    served.map_err(|error| cannot(crate::text::reason(&error)))
}

/// The keys of the configuration, or those that lie beside the store.
fn keys_of(configuration: &Configuration) -> Result<Arc<KeyRing>, Diagnostic> {
    if let Some(keys) = &configuration.keys {
        return Ok(Arc::clone(keys));
    }
    let keys = KeyRing::create_beside(&configuration.store, &SystemRandomness);
    keys.map(Arc::new).map_err(|error| {
        Diagnostic::without_place(&KEY_FILE, error.to_string()).with_help(
            "put the key file back beside the store, with mode 0600, or name the keys as `keys`",
        )
    })
}

/// What an operator should know although the gateway serves.
fn warnings(configuration: &Configuration) -> Vec<String> {
    let mut warnings = Vec::new();
    if configuration.catalogue.pins.is_none() {
        warnings.push(
            "the catalogue has no pins: a server may describe its tools in other words than those \
             that were reviewed; `stalwart verify --keep --upstreams` pins them"
                .to_owned(),
        );
    }
    if configuration.audit.is_none() {
        warnings.push(
            "no audit file is kept: decisions are in memory alone; name one as `audit`".to_owned(),
        );
    }
    if configuration
        .catalogue
        .tools
        .values()
        .any(|tool| tool.undo.is_some())
    {
        warnings.push("the catalogue has undo calls, which this build does not run".to_owned());
    }
    warnings
}

fn hooks(
    file: &Path,
    gateway: &Gateway,
    in_force: &Arc<Mutex<Configuration>>,
    metrics: &Metrics,
) -> Hooks {
    let known = Arc::clone(in_force);
    let readiness = move || {
        let configuration = known.lock().unwrap_or_else(PoisonError::into_inner);
        warnings(&configuration)
    };
    let (file, gateway) = (file.to_owned(), gateway.clone());
    let (in_force, metrics) = (Arc::clone(in_force), metrics.clone());
    let reload = move || -> BoxFuture<'static, Result<Access, String>> {
        let in_force = Arc::clone(&in_force);
        reload(file.clone(), gateway.clone(), in_force, metrics.clone()).boxed()
    };
    Hooks {
        reload: Arc::new(reload),
        readiness: Arc::new(readiness),
    }
}

/// Reads all anew, and puts it in force where it is sound.
async fn reload(
    file: PathBuf,
    gateway: Gateway,
    in_force: Arc<Mutex<Configuration>>,
    metrics: Metrics,
) -> Result<Access, String> {
    let read = tokio::task::spawn_blocking(move || read(&file)).await;
    let read = read.map_err(|error| error.to_string())?;
    let read = read.map_err(|diagnostic| diagnostic.to_string())?;
    let problems = read.lines(Severity::Error);
    let Some(configuration) = read.configuration else {
        return Err(problems.join("; "));
    };
    let old = in_force
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let changed = assembly::bound_keys(&old, &configuration);
    if !changed.is_empty() {
        let keys = changed.join("`, `");
        return Err(format!(
            "`{keys}` cannot change while the gateway runs: start it anew"
        ));
    }
    let keys = keys_of(&configuration).map_err(|diagnostic| diagnostic.to_string())?;
    let current = assembly::current(&configuration, Arc::clone(&keys), &metrics)?;
    let access = assembly::access(&configuration, keys);
    gateway
        .replace(current)
        .await
        .map_err(|error| error.to_string())?;
    if let Err(error) = gateway.rotate_log().await {
        tracing::error!(%error, "the audit log cannot be rotated");
    }
    *in_force.lock().unwrap_or_else(PoisonError::into_inner) = configuration;
    Ok(access)
}

/// Tidies up every second.
async fn tend(gateway: Gateway) {
    let mut ticks = tokio::time::interval(TEND);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = gateway.tend().await {
            tracing::error!(%error, "the store cannot be tidied up");
        }
    }
}
