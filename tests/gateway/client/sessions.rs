//! Eras, sessions, definitions and headers.

use super::*;

#[tokio::test]
async fn a_server_is_spoken_to_in_the_callers_era_where_it_serves_it() {
    for (caller, eras, spoken) in [
        (Era::Session, ServedEras::Both, Era::Session),
        (Era::Stateless, ServedEras::Both, Era::Stateless),
        (Era::Session, ServedEras::Stateless, Era::Stateless),
        (Era::Stateless, ServedEras::Session, Era::Session),
    ] {
        let setup = Setup::new(eras, Manner::Usual).await;
        for _ in 0..2 {
            let end = setup.call(caller, &read(), &Client::default()).await;
            assert!(matches!(end, CallEnd::Result { .. }), "{end:?}");
        }
        let methods = setup.methods();
        let count = |name: &str| methods.iter().filter(|method| *method == name).count();
        let tries = match (caller, eras) {
            (Era::Session, ServedEras::Both) => (1, 0),
            (Era::Stateless, ServedEras::Both) => (0, 1),
            // Both are tried once, and what was found is remembered.
            _ => (1, 1),
        };
        assert_eq!(
            (count("initialize"), count("server/discover")),
            tries,
            "{methods:?}"
        );
        let last = setup.shop.requests().pop().unwrap();
        let version = last.headers.get("mcp-protocol-version").unwrap();
        let expected = match spoken {
            Era::Session => "2025-11-25",
            Era::Stateless => "2026-07-28",
        };
        assert_eq!(version, expected);
    }
}

#[tokio::test]
async fn only_what_the_client_can_do_is_told_and_only_in_its_own_era() {
    for (caller, eras, expected) in [
        (Era::Session, ServedEras::Both, r#"{"elicitation":{}}"#),
        (Era::Stateless, ServedEras::Both, r#"{"elicitation":{}}"#),
        (Era::Session, ServedEras::Stateless, "{}"),
        (Era::Stateless, ServedEras::Session, "{}"),
    ] {
        let setup = Setup::new(eras, Manner::Usual).await;
        setup.call(caller, &read(), &Client::default()).await;
        let told: Vec<String> = setup
            .shop
            .requests()
            .iter()
            .filter_map(|request| {
                let body = stalwart::json::parse(request.body.as_bytes()).ok()?;
                let params = body.get("params")?;
                let told = params.get("capabilities").or_else(|| {
                    params
                        .get("_meta")?
                        .get("io.modelcontextprotocol/clientCapabilities")
                })?;
                Some(told.to_string())
            })
            .collect();
        assert_eq!(told.last().map(String::as_str), Some(expected), "{told:?}");
        assert!(
            told.iter().all(|told| !told.contains("sampling")),
            "{told:?}"
        );
    }
}

#[tokio::test]
async fn each_scope_has_a_session_of_its_own_which_is_closed_with_it() {
    let setup = Setup::new(ServedEras::Both, Manner::Usual).await;
    let scopes = ["a", "b", "ab"].map(|key| UpstreamScope {
        key: key.to_owned(),
        ..scope(Era::Session)
    });
    for scope in scopes.iter().chain(&scopes) {
        let (one, two) = tokio::join!(setup.open(scope), setup.open(scope));
        one.call(&read(), &Client::default()).await;
        two.call(&read(), &Client::default()).await;
    }
    let requests = setup.shop.requests();
    let sessions: Vec<&str> = requests
        .iter()
        .filter(|request| request.body.contains("tools/call"))
        .map(|request| {
            request
                .headers
                .get("mcp-session-id")
                .unwrap()
                .to_str()
                .unwrap()
        })
        .collect();
    let (a, b, ab) = ("shop-session-1", "shop-session-2", "shop-session-3");
    assert_eq!(sessions, [a, a, b, b, ab, ab, a, a, b, b, ab, ab]);

    setup.servers.close("a").await;
    setup.servers.close("nobody").await;
    let closed: Vec<String> = setup
        .shop
        .requests()
        .iter()
        .filter(|request| request.method == "DELETE")
        .map(|request| {
            request
                .headers
                .get("mcp-session-id")
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(closed, [a]);
    setup
        .open(&scopes[0])
        .await
        .call(&read(), &Client::default())
        .await;
    let last = setup.shop.requests().pop().unwrap();
    assert_eq!(
        last.headers.get("mcp-session-id").unwrap(),
        "shop-session-4"
    );
}

#[tokio::test]
async fn an_expired_session_is_opened_anew_for_what_may_be_sent_again() {
    for (idempotent, call, times) in [(false, read(), 1), (true, write(), 1), (false, write(), 0)] {
        let setup = Setup::with(ServedEras::Session, Manner::Usual, |address| {
            address.idempotent = idempotent;
        })
        .await;
        let session = setup.open(&scope(Era::Session)).await;
        session.tools().await.unwrap();
        setup.shop.forget_sessions();
        let end = session.call(&call, &Client::default()).await;
        let received = setup.shop.received();
        assert_eq!(received.len(), times, "{end:?}");
        assert_eq!(matches!(end, CallEnd::Result { .. }), times == 1, "{end:?}");
        // Whatever became of it, the next call has a new session.
        let end = session.call(&write(), &Client::default()).await;
        assert!(matches!(end, CallEnd::Result { .. }), "{end:?}");
        assert_eq!(setup.shop.received().len(), times + 1);
    }
}

#[tokio::test]
async fn definitions_count_for_a_minute_or_until_they_change() {
    for era in ERAS {
        let setup = Setup::new(ServedEras::Both, Manner::Usual).await;
        let session = setup.open(&scope(era)).await;
        let tools = session.tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "charge_card",
                "get_order",
                "read_inbox",
                "refund_card",
                "send_receipt"
            ]
        );
        assert_eq!(tools[0].json, setup.shop.shop().definitions()[0]);
        let changed: Vec<String> = setup
            .shop
            .shop()
            .definitions()
            .iter()
            .map(|text| text.replace("Charges the card", "Charges any card"))
            .collect();
        setup.shop.shop().set_definitions(changed);
        assert_eq!(session.tools().await.unwrap()[0].sha256, tools[0].sha256);

        setup.now.fetch_add(59_999, Ordering::Relaxed);
        assert_eq!(session.tools().await.unwrap()[0].sha256, tools[0].sha256);
        setup.now.fetch_add(1, Ordering::Relaxed);
        let now = session.tools().await.unwrap();
        assert_ne!(now[0].sha256, tools[0].sha256);
        assert_eq!(now[1].sha256, tools[1].sha256);

        // A server that says so is asked at once.
        setup.shop.shop().set_definitions(vec![]);
        assert_eq!(session.tools().await.unwrap().len(), 5);
        setup.shop.set_manner(Manner::Chatty);
        session.call(&read(), &Client::default()).await;
        assert_eq!(session.tools().await.unwrap().len(), 0);
    }
}

#[tokio::test]
async fn definitions_that_cannot_be_read_are_no_tools() {
    let schema = r#""inputSchema":{"type":"object"}"#;
    let mirrored = |schema: &str| format!(r#"{{"name":"m","inputSchema":{schema}}}"#);
    let setup = Setup::new(ServedEras::Both, Manner::Usual).await;
    setup.shop.shop().set_definitions(vec![
        format!(r#"{{"name":"good",{schema},"_meta":{{"stalwart":1,"a":1.0}}}}"#),
        format!(r#"{{"name":"twice",{schema}}}"#),
        format!(r#"{{"name":"twice",{schema},"description":"another"}}"#),
        r#"{"name":"bare"}"#.to_owned(),
        format!(r#"{{"name":1,{schema}}}"#),
        "5".to_owned(),
        mirrored(r#"{"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}}"#),
    ]);
    let stateless = setup
        .open(&scope(Era::Stateless))
        .await
        .tools()
        .await
        .unwrap();
    assert_eq!(stateless.len(), 1);
    assert_eq!(
        stateless[0].json,
        format!(r#"{{"name":"good",{schema}, "_meta": {{"a":1.0}}}}"#)
    );
    // The annotation means nothing in the old era.
    let session = setup
        .open(&scope(Era::Session))
        .await
        .tools()
        .await
        .unwrap();
    assert_eq!(session.len(), 2);
}

#[tokio::test]
async fn annotated_arguments_are_mirrored_in_headers() {
    let definition = r#"{"name":"charge_card","inputSchema":{"type":"object","properties":{
        "order_id":{"type":"string","x-mcp-header":"Order"},
        "amount":{"type":"integer","x-mcp-header":"Amount"},
        "nested":{"type":"object","properties":{"ok":{"type":"boolean","x-mcp-header":"Ok"}}},
        "absent":{"type":"string","x-mcp-header":"Absent"}}}}"#;
    let setup = Setup::new(ServedEras::Stateless, Manner::Usual).await;
    setup
        .shop
        .shop()
        .set_definitions(vec![definition.to_owned()]);
    let call = ForwardedCall {
        arguments: r#"{"order_id":"Zürich","amount":40.0,"nested":{"ok":true},"absent":null}"#
            .to_owned(),
        ..write()
    };
    let end = setup.call(Era::Stateless, &call, &Client::default()).await;
    assert!(matches!(end, CallEnd::Result { .. }), "{end:?}");
    let headers = setup.shop.requests().pop().unwrap().headers;
    let header = |name: &str| headers.get(name).map(|value| value.to_str().unwrap());
    assert_eq!(header("mcp-param-order"), Some("=?base64?WsO8cmljaA==?="));
    assert_eq!(header("mcp-param-amount"), Some("40"));
    assert_eq!(header("mcp-param-ok"), Some("true"));
    assert_eq!(header("mcp-param-absent"), None);
    assert_eq!(header("mcp-method"), Some("tools/call"));
    assert_eq!(header("mcp-name"), Some("charge_card"));

    for amount in ["40.5", "9007199254740992", "\"x\\ny\"", "[1]"] {
        let call = ForwardedCall {
            arguments: format!(r#"{{"amount":{amount}}}"#),
            ..write()
        };
        let before = setup.shop.received().len();
        let end = setup.call(Era::Stateless, &call, &Client::default()).await;
        let is_mirrored = amount.starts_with('"');
        assert_eq!(
            matches!(end, CallEnd::NotForwarded(_)),
            !is_mirrored,
            "{end:?}"
        );
        assert_eq!(
            setup.shop.received().len() - before,
            usize::from(is_mirrored)
        );
    }
}

#[tokio::test]
async fn only_the_addresss_own_authorization_is_sent() {
    for era in ERAS {
        let setup = Setup::new(ServedEras::Both, Manner::Usual).await;
        setup.call(era, &write(), &Client::default()).await;
        setup.servers.close(&scope(era).key).await;
        let requests = setup.shop.requests();
        assert!(requests.len() > 2);
        for request in requests {
            let values: Vec<&str> = request
                .headers
                .get_all("authorization")
                .iter()
                .map(|value| value.to_str().unwrap())
                .collect();
            assert_eq!(values, ["Bearer of-the-server"]);
            assert!(!request.headers.contains_key("cookie"));
        }
    }
}

#[test]
fn addresses_that_cannot_be_used_are_refused() {
    let refused = |change: fn(&mut ServerAddress)| {
        let mut address = address("http://127.0.0.1:9/mcp");
        change(&mut address);
        let servers = HttpServers::new(vec![address], limits(), Arc::new(|| 0));
        servers
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let with = |name: &str, value: &str| (name.to_owned(), Zeroizing::new(value.to_owned()));
    assert_eq!(refused(|_| {}), "");
    assert_eq!(
        refused(|address| address.url = "ftp://a/".to_owned()),
        "server `shop`: its URL begins with neither `http://` nor `https://`"
    );
    assert_eq!(
        refused(|address| address.url = "shop".to_owned()),
        "server `shop`: its URL cannot be read"
    );
    assert_eq!(
        refused(|address| address.url = "http://a:b@c/".to_owned()),
        "server `shop`: its URL holds a password; write an `Authorization` header instead"
    );
    for (name, value, expected) in [
        (
            "Mcp-Session-Id",
            "x",
            "server `shop`: the header `Mcp-Session-Id` is the gateway's own",
        ),
        (
            "host",
            "x",
            "server `shop`: the header `host` is the gateway's own",
        ),
        ("a b", "x", "server `shop`: `a b` is no name of a header"),
        (
            "authorization",
            "secret",
            "server `shop`: the header `authorization` is there twice",
        ),
        (
            "x",
            "sec\nret",
            "server `shop`: the value of the header `x` has characters that no header can have",
        ),
    ] {
        let mut address = address("http://127.0.0.1:9/mcp");
        address.headers.push(with(name, value));
        assert!(!format!("{address:?}").contains("of-the-server"));
        let servers = HttpServers::new(vec![address], limits(), Arc::new(|| 0));
        assert_eq!(servers.err().unwrap().to_string(), expected);
    }
}

#[tokio::test]
async fn annotations_that_are_not_valid_hide_their_tool() {
    let string = |name: &str| format!(r#"{{"type":"string","x-mcp-header":{name}}}"#);
    let properties = |inner: &str| format!(r#"{{"type":"object","properties":{{{inner}}}}}"#);
    let a = |schema: &str| properties(&format!(r#""a":{schema}"#));
    let cases = [
        (a(&string(r#""A""#)), true),
        (a(r#"{"type":"integer","x-mcp-header":"A"}"#), true),
        (a(r#"{"type":"boolean","x-mcp-header":"A"}"#), true),
        (a(&a(&string(r#""A""#))), true),
        // An argument may have this name.
        (
            properties(&format!(r#""x-mcp-header":{}"#, string(r#""A""#))),
            true,
        ),
        (
            a(
                r#"{"type":"array","items":{"type":"object","properties":{"x-mcp-header":{"type":"string"}}}}"#,
            ),
            true,
        ),
        (a(&string(r#""""#)), false),
        (a(&string(r#""A B""#)), false),
        (a(&string(r#""A\r\nB: c""#)), false),
        (a(&string(r#""Ä""#)), false),
        (a(&string("1")), false),
        (a(r#"{"type":"number","x-mcp-header":"A"}"#), false),
        (a(r#"{"type":["string","null"],"x-mcp-header":"A"}"#), false),
        (a(r#"{"x-mcp-header":"A"}"#), false),
        (
            properties(&format!(
                r#""a":{},"b":{}"#,
                string(r#""Ab""#),
                string(r#""aB""#)
            )),
            false,
        ),
        (r#"{"type":"object","x-mcp-header":"A"}"#.to_owned(), false),
        (
            a(&format!(
                r#"{{"type":"array","items":{}}}"#,
                string(r#""A""#)
            )),
            false,
        ),
        (format!(r#"{{"anyOf":[{}]}}"#, a(&string(r#""A""#))), false),
        (format!(r#"{{"if":{}}}"#, a(&string(r#""A""#))), false),
        (
            format!(r#"{{"$defs":{{"d":{}}}}}"#, string(r#""A""#)),
            false,
        ),
    ];
    let setup = Setup::new(ServedEras::Stateless, Manner::Usual).await;
    let session = setup.open(&scope(Era::Stateless)).await;
    for (schema, is_listed) in cases {
        let definition = format!(r#"{{"name":"t","inputSchema":{schema}}}"#);
        setup.shop.shop().set_definitions(vec![definition]);
        setup.now.fetch_add(60_000, Ordering::Relaxed);
        let tools = session.tools().await.unwrap();
        assert_eq!(tools.len(), usize::from(is_listed), "{schema}");
    }
}

#[test]
fn a_pin_is_of_what_is_seen_however_it_is_written() {
    let pinned = pin(r#"{"name":"t","title":"T","inputSchema":{"maximum":40.0,"a":1}}"#).unwrap();
    let same = r#"{ "inputSchema":{"a":1, "maximum":4e1}, "title":"\u0054", "_meta":{}, "icons":[], "name":"t" }"#;
    assert_eq!(pin(same), Some(pinned.clone()));
    for other in [
        r#"{"name":"u","title":"T","inputSchema":{"maximum":40,"a":1}}"#,
        r#"{"name":"t","title":"U","inputSchema":{"maximum":40,"a":1}}"#,
        r#"{"name":"t","title":"T","inputSchema":{"maximum":41,"a":1}}"#,
        r#"{"name":"t","title":"T","inputSchema":{"maximum":40,"a":1},"description":""}"#,
        r#"{"name":"t","title":"T","inputSchema":{"maximum":40,"a":1},"outputSchema":{}}"#,
        r#"{"name":"t","title":"T","inputSchema":{"maximum":40,"a":1},"annotations":{}}"#,
    ] {
        assert!(pin(other).is_some_and(|other| other != pinned), "{other}");
    }
    assert_eq!(pin("[]"), None);
    assert_eq!(pin(r#"{"title":"T"}"#), None);
}
