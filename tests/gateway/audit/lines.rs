//! What a line says.

use serde_json::Value;
use stalwart::audit::{Entry, Kind, Line, append, schema, stats};
use stalwart::store::{CallState, Durability};
use stalwart::tool_check::Reason;

use super::Place;

#[test]
fn a_line_has_every_key_in_order() {
    let place = Place::new();
    place.filled(2);
    let text = place.text();
    let first = text.lines().next().unwrap();
    let (head, prev) = first.split_once(",\"prev\":\"k1:").unwrap();
    assert_eq!(
        head,
        r#"{"format":"qls-decision/1","kind":"decision","seq":1,"time":"1970-01-01T00:00:00.000Z","node":"gateway-1","agent":"desk","run":"shared:desk","session":null,"server":null,"tool":"get_order","decision":"block","reason":"order","rule":null,"args_sha256":null,"marks":["mark0"],"policy":null,"request":"00000000000000000000000000000000","approval":null,"outcome":null,"key":"k1""#
    );
    assert_eq!(prev.len(), 64 + 2);
    for line in text.lines() {
        assert!(Line::read(line).is_some());
        assert!(
            Line::read(&line.replace(",\"seq\"", ", \"seq\"")).is_none(),
            "a blank"
        );
        assert!(Line::read(&line.replace("\"seq\"", "\"more\":1,\"seq\"")).is_none());
        assert!(Line::read(&line.replace(".001Z", ".001+00:00").replace("0.000Z", "0Z")).is_none());
    }
}

#[test]
fn times_are_rfc_3339_with_milliseconds() {
    let place = Place::new();
    let store = place.store();
    for (at, expected) in [
        (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (-5, "1970-01-01T00:00:00.000Z"),
        (i64::MIN, "1970-01-01T00:00:00.000Z"),
        (i64::MAX, "9999-12-31T23:59:59.000Z"),
    ] {
        let mut text = String::new();
        store
            .transact(Durability::Relaxed, &mut |t| {
                text = append(t, &place.keys, place.node, at, Entry::of(Kind::Admin))?.text;
                Ok(())
            })
            .unwrap();
        assert_eq!(Line::read(&text).unwrap().time, expected);
    }
}

#[test]
fn every_kind_and_reason_fits_the_schema_and_nothing_else_does() {
    let place = Place::new();
    let store = place.store();
    let schema = jsonschema::draft202012::new(&schema()).unwrap();
    let mut entries: Vec<Entry> = Kind::ALL
        .into_iter()
        .filter(|kind| *kind != Kind::Decision)
        .map(Entry::of)
        .collect();
    entries.extend(Reason::ALL.into_iter().map(|reason| Entry {
        reason: Some(reason),
        args_sha256: Some(place.keys.hmac(stalwart::keys::Purpose::Args, b"{}")),
        ..Entry::of(Kind::Decision)
    }));
    for outcome in [
        CallState::Ok,
        CallState::Error,
        CallState::Ambiguous,
        CallState::NotForwarded,
    ] {
        entries.push(Entry {
            outcome: Some(outcome),
            ..Entry::of(Kind::Outcome)
        });
    }
    for entry in entries {
        let mut text = String::new();
        store
            .transact(Durability::Relaxed, &mut |t| {
                text = append(t, &place.keys, place.node, 5, entry.clone())?.text;
                Ok(())
            })
            .unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert!(schema.is_valid(&value), "{text}");
        let line = Line::read(&text).unwrap();
        let allows = entry
            .reason
            .map(|reason| if reason.allows() { "allow" } else { "block" });
        assert_eq!(line.decision.map(|it| it.as_str()), allows);
        for (key, other) in [
            ("kind", Value::from("other")),
            ("seq", Value::from(0)),
            ("time", Value::from("yesterday")),
            ("reason", Value::from("other")),
            ("prev", Value::from("k1:00")),
            ("more", Value::Null),
        ] {
            let mut wrong = value.clone();
            wrong[key] = other;
            assert!(!schema.is_valid(&wrong), "{key}: {wrong}");
        }
        let mut without = value.clone();
        without.as_object_mut().unwrap().remove("rule");
        assert!(!schema.is_valid(&without));
    }
}

#[test]
fn lines_are_counted() {
    let place = Place::new();
    place.filled(7);
    let counted = stats(&place.log_path()).unwrap();
    assert_eq!((counted.lines, counted.unreadable), (7, 0));
    let desk = counted.agents["desk"];
    assert_eq!((desk.allow, desk.block), (4, 3));
    assert_eq!(counted.reasons["order"], 3);
    assert_eq!(counted.to.as_deref(), Some("1970-01-01T00:00:00.006Z"));
    place.rewrite(format!("{}no line\n", place.text()));
    assert_eq!(stats(&place.log_path()).unwrap().unreadable, 1);
}
