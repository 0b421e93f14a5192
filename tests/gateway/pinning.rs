//! `stalwart verify --upstreams`: what servers say of their tools is pinned, and compared.

use std::path::Path;
use std::process::{Command, Output};

use stalwart::catalogue::{Catalogue, FILE_NAME};
use stalwart::demo::ShopServer;
use tokio::net::TcpListener;

/// Runs `stalwart verify` in a folder, beside the server that runs here.
async fn verify(folder: &Path, arguments: &'static [&'static str]) -> Output {
    let folder = folder.to_owned();
    let run = move || {
        Command::new(env!("CARGO_BIN_EXE_stalwart"))
            .args(["verify", "."])
            .args(arguments)
            .current_dir(folder)
            .env("TOKEN", "a-token-of-the-test-0")
            .output()
            .unwrap()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

fn kept(folder: &Path) -> Catalogue {
    let bytes = std::fs::read(folder.join(FILE_NAME)).unwrap();
    Catalogue::from_bytes(FILE_NAME, &bytes).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_servers_say_is_pinned_and_compared() {
    let shop = ShopServer::start(TcpListener::bind("127.0.0.1:0").await.unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for name in ["agent.yaml", "policy.co"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gateway/shop");
        std::fs::copy(from.join(name), path.join(name)).unwrap();
    }
    let configuration = format!(
        "catalogue: ./{FILE_NAME}\nservers: {{ shop: {{ url: '{}' }} }}\n\
         upstreams: {{ '*': shop }}\nagents: {{ desk: '${{TOKEN}}' }}\n",
        shop.url()
    );
    std::fs::write(path.join("gateway.yaml"), configuration).unwrap();

    const PINNING: &[&str] = &["--keep", "--upstreams", "gateway.yaml"];
    let pinned = verify(path, PINNING).await;
    assert_eq!(pinned.status.code(), Some(0), "{}", said(&pinned));
    let pins = kept(path).pins.unwrap();
    assert_eq!(pins.len(), 5);
    assert!(
        pins.values()
            .all(|pin| pin.server == "shop" && pin.sha256.len() == 64)
    );
    let again = verify(path, PINNING).await;
    assert!(said(&again).contains("is current"), "{}", said(&again));
    // Without asking, pins are neither compared nor lost.
    assert_eq!(verify(path, &[]).await.status.code(), Some(0));
    let losing = verify(path, &["--keep"]).await;
    assert_eq!(losing.status.code(), Some(1));
    assert!(said(&losing).contains("RB1033"), "{}", said(&losing));
    assert!(kept(path).pins.is_some());

    let described: Vec<String> = shop
        .shop()
        .definitions()
        .iter()
        .map(|definition| definition.replace("Shows an order.", "Shows an order, and pays it."))
        .collect();
    shop.shop().set_definitions(described);
    let changed = verify(path, &["--upstreams", "gateway.yaml"]).await;
    assert_eq!(changed.status.code(), Some(1));
    assert!(said(&changed).contains("RB1031"), "{}", said(&changed));

    shop.shop().set_definitions(Vec::new());
    let gone = verify(path, PINNING).await;
    assert_eq!(gone.status.code(), Some(1));
    assert!(
        said(&gone).contains("has no tool `charge_card`"),
        "{}",
        said(&gone)
    );
    shop.stop().await;
    let down = verify(path, PINNING).await;
    assert_eq!(down.status.code(), Some(1), "{}", said(&down));
}
