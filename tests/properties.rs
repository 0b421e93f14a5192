//! Random rulebooks and calls: whoever decides, decides the same.
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

#[test]
fn show() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..6 {
        let model = crate::generator::rulebooks().new_tree(&mut runner).unwrap().current();
        let source = model.source();
        println!("-----\n{source}");
        for call in crate::generator::calls::calls(4).new_tree(&mut runner).unwrap().current() { println!("{:?}", call.call(&source)); let _ = call.call(&source).value(); }
    }
}
