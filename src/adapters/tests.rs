use super::*;
use crate::compiler::{Depth, compile};
use crate::emitter::emit;

fn rulebook(text: &str, package: &str) -> Rulebook {
    let compilation = compile("policy.co", text.as_bytes(), package, Depth::Errors);
    compilation.rulebook.unwrap()
}

const READS: &str = "define flow a\n  if $paid\n    execute refund\n";
const READS_TOOL: &str = "define flow a\n  execute refund\n\ndefine flow b\n  user ...\n  if $tool_name == \"x\"\n    bot no\n    stop\n";

#[test]
fn only_names_that_the_host_tells_are_context() {
    assert!(reads_context(&rulebook(READS, "a")));
    assert!(!reads_context(&rulebook(READS_TOOL, "a")));
}

#[test]
fn names_and_files_are_those_of_the_proxy() {
    let rulebook = rulebook(READS, "shop.gate");
    let header = emit(&rulebook).unwrap().header;
    for one in Adapter::ALL {
        assert_eq!(Adapter::parse(one.as_str()), Some(one));
        for silent in [Silent::Pass, Silent::Deny] {
            let companion = adapter(&rulebook, one, silent, &header).unwrap();
            assert_eq!(companion.file, format!("Rulebook_{}.rego", one.as_str()));
            assert!(companion.text.starts_with(&header.facts()));
            assert_eq!(Header::parse(&companion.text), Ok(header.clone()));
            let package = format!("\npackage shop.gate.{}\n", one.as_str());
            assert!(companion.text.contains(&package));
            assert!(companion.text.contains("data.shop.gate.decision"));
        }
    }
    assert_eq!(Adapter::parse("nginx"), None);
}

#[test]
fn a_package_does_not_hide_the_context() {
    let rulebook = rulebook(READS, "rulebook_context.gate");
    let header = emit(&rulebook).unwrap().header;
    let error = adapter(&rulebook, Adapter::Kong, Silent::Pass, &header).unwrap_err();
    assert_eq!(error.code.id, "RB0648");
}
