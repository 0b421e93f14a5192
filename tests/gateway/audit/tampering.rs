//! Every kind of tampering is found, and named by line and number.

use stalwart::audit::{Fault, Finding, Report, Tail, verify};

use super::{Place, ring};

const LINES: usize = 8;

fn lines(place: &Place) -> Vec<String> {
    place.text().lines().map(str::to_owned).collect()
}

fn rewritten(place: &Place, lines: &[String]) -> Report {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    place.rewrite(text);
    place.verify()
}

fn found(report: &Report) -> Vec<(u64, Option<u64>, Fault)> {
    let faults = report.findings.iter();
    faults
        .map(|finding| (finding.line, finding.seq, finding.fault.clone()))
        .collect()
}

#[test]
fn an_altered_byte_is_found_wherever_it_is() {
    let place = Place::new();
    place.filled(LINES as u32);
    let whole = place.text().into_bytes();
    let ends: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] == b'\n').collect();
    for at in (0..whole.len()).step_by(11) {
        let mut altered = whole.clone();
        altered[at] ^= 1;
        place.rewrite(&altered);
        let report = place.verify();
        assert!(!report.is_clean(), "byte {at}");
        let line = ends.iter().filter(|end| **end < at).count() as u64 + 1;
        let near = |finding: &Finding| finding.line.abs_diff(line) <= 1;
        assert!(
            report.findings.iter().any(near),
            "byte {at}: {:?}",
            report.findings
        );
    }
    place.rewrite(&whole);
    assert!(place.verify().is_clean());
}

#[test]
fn an_altered_value_is_named_by_its_line() {
    for number in 0..LINES {
        let place = Place::new();
        place.filled(LINES as u32);
        let mut altered = lines(&place);
        altered[number] = altered[number].replace("get_order", "get_ordeR");
        let seq = number as u64 + 1;
        let report = rewritten(&place, &altered);
        assert_eq!(found(&report), [(seq, Some(seq), Fault::Altered)]);
        altered[number] = altered[number].replace("\"prev\":\"k1:", "\"prev\":\"k1:0");
        assert!(!rewritten(&place, &altered).is_clean());
    }
}

#[test]
fn a_missing_line_is_named() {
    for number in 0..LINES - 1 {
        let place = Place::new();
        place.filled(LINES as u32);
        let mut without = lines(&place);
        without.remove(number);
        let seq = number as u64 + 1;
        let expected = [(
            seq,
            None,
            Fault::Missing {
                first: seq,
                last: seq,
            },
        )];
        assert_eq!(found(&rewritten(&place, &without)), expected);
        let unkeyed = verify(&place.log_path(), None).unwrap();
        assert_eq!(found(&unkeyed), expected, "no key is needed for that");
        assert_eq!(unkeyed.tail, Tail::NotChecked);
    }
}

#[test]
fn a_cut_end_is_found_by_the_store() {
    let place = Place::new();
    place.filled(LINES as u32);
    let mut cut = lines(&place);
    for left in (0..LINES).rev() {
        cut.truncate(left);
        let report = rewritten(&place, &cut);
        let had = LINES as u64;
        assert_eq!(found(&report), [(left as u64, None, Fault::Cut { had })]);
        assert!(verify(&place.log_path(), None).unwrap().is_clean());
    }
}

#[test]
fn a_cut_end_is_found_by_checkpoints_where_there_is_no_store() {
    let place = Place::new();
    place.filled(1_005);
    let mut cut = lines(&place);
    cut.truncate(990);
    rewritten(&place, &cut);
    let report = verify(&place.log_path(), None).unwrap();
    assert_eq!(found(&report), [(990, None, Fault::Cut { had: 1_000 })]);
}

#[test]
fn swapped_repeated_and_forged_lines_are_found() {
    let place = Place::new();
    place.filled(LINES as u32);
    let whole = lines(&place);
    let mut swapped = whole.clone();
    swapped.swap(3, 4);
    assert_eq!(
        found(&rewritten(&place, &swapped)),
        [(5, Some(4), Fault::Moved)]
    );

    let mut repeated = whole.clone();
    repeated.insert(5, whole[2].clone());
    let report = rewritten(&place, &repeated);
    assert!(found(&report).contains(&(6, Some(3), Fault::Repeated)));

    let mut forged = whole.clone();
    forged.push(
        whole[7]
            .replace("\"seq\":8", "\"seq\":9")
            .replace("0007", "0008"),
    );
    let report = rewritten(&place, &forged);
    assert!(!report.is_clean(), "{report:?}");
    let mut forged = whole.clone();
    forged.push("{\"format\":\"qls-decision/1\"}".to_owned());
    assert_eq!(
        found(&rewritten(&place, &forged)),
        [(9, Some(9), Fault::NoLine)]
    );

    let mut begun = whole.clone();
    begun.drain(..3);
    let expected = [(1, None, Fault::Missing { first: 1, last: 3 })];
    assert_eq!(found(&rewritten(&place, &begun)), expected);
    assert_eq!(found(&verify(&place.log_path(), None).unwrap()), expected);

    place.rewrite(format!("{}\n{}", whole.join("\n"), &whole[7][..40]));
    assert_eq!(found(&place.verify()), [(9, None, Fault::Torn)]);
}

#[test]
fn lines_of_another_node_or_key_are_found() {
    let place = Place::new();
    place.filled(3);
    let other = Place {
        node: "gateway-2",
        ..Place::new()
    };
    other.filled(4);
    let mut mixed = lines(&place);
    mixed.push(lines(&other)[3].clone());
    let node = Fault::OtherNode("gateway-2".to_owned());
    assert_eq!(
        found(&rewritten(&place, &mixed)),
        [(4, Some(4), node.clone())]
    );
    assert_eq!(
        found(&verify(&place.log_path(), None).unwrap()),
        [(4, Some(4), node)]
    );

    // A whole chain, made anew with a key of the same name.
    let forger = Place {
        keys: ring(&[("k1", 7)]),
        ..Place::new()
    };
    forger.filled(3);
    assert!(!rewritten(&place, &lines(&forger)).is_clean());
}

#[test]
fn a_call_has_one_decision() {
    let place = Place::new();
    let store = place.store();
    let log = place.open(&store);
    for number in [1, 2, 1] {
        log.write(&[place.commit(&store, number)], true).unwrap();
    }
    log.settle().unwrap();
    drop((log, store));
    assert_eq!(
        found(&place.verify()),
        [(3, Some(3), Fault::SecondDecision)]
    );
}

#[test]
fn any_bytes_are_read_without_harm() {
    let place = Place::new();
    place.filled(1);
    let huge = format!("{}\n", "x".repeat(3 << 20));
    let big = place
        .text()
        .replace("\"seq\":1", "\"seq\":18446744073709551615");
    for bytes in [
        b"".as_slice(),
        b"\n\n",
        b"\xff\xfe\n",
        huge.as_bytes(),
        big.as_bytes(),
    ] {
        place.rewrite(bytes);
        let _ = place.verify();
        let _ = verify(&place.log_path(), None).unwrap();
        let _ = stalwart::audit::stats(&place.log_path()).unwrap();
    }
    assert!(verify(&place.path("none"), None).is_err());
}
