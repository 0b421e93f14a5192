//! Each stage of the compiler on its own, on the large rulebook: the share of each is its time
//! by that of `whole`.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use stalwart::compiler::{Depth, compile};
use stalwart::diagnostics::Sink;
use stalwart::emitter::emit;
use stalwart::text::Source;
use stalwart::{ir, syntax};
use stalwart_benches::large;

/// Numbers of flows: time must grow with them, not faster.
const FLOWS: [usize; 2] = [200, 1300];
const PACKAGE: &str = "stalwart.large";

fn main() {
    divan::main();
}

fn of_text(bencher: Bencher<'_, '_>, flows: usize, stage: impl Fn(&str) + Sync) {
    let text = large(flows);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| stage(black_box(&text)));
}

fn rulebook(flows: usize) -> ir::Rulebook {
    compile("large.co", large(flows).as_bytes(), PACKAGE, Depth::Errors)
        .rulebook
        .expect("the large rulebook has no errors")
}

#[divan::bench(args = FLOWS)]
fn decode(bencher: Bencher<'_, '_>, flows: usize) {
    of_text(bencher, flows, |text| {
        black_box(Source::decode("large.co", text.as_bytes()));
    });
}

#[divan::bench(args = FLOWS)]
fn decode_and_parse(bencher: Bencher<'_, '_>, flows: usize) {
    of_text(bencher, flows, |text| {
        let (source, faults) = Source::decode("large.co", text.as_bytes());
        black_box(syntax::parse(&source, &faults, &mut Sink::new()));
    });
}

#[divan::bench(args = FLOWS)]
fn text_to_ir(bencher: Bencher<'_, '_>, flows: usize) {
    of_text(bencher, flows, |text| {
        black_box(compile("large.co", text.as_bytes(), PACKAGE, Depth::Errors));
    });
}

#[divan::bench(args = FLOWS)]
fn text_to_ir_with_analyses(bencher: Bencher<'_, '_>, flows: usize) {
    of_text(bencher, flows, |text| {
        black_box(compile(
            "large.co",
            text.as_bytes(),
            PACKAGE,
            Depth::Analyses,
        ));
    });
}

#[divan::bench(args = FLOWS)]
fn ir_to_bytes(bencher: Bencher<'_, '_>, flows: usize) {
    let rulebook = rulebook(flows);
    bencher.bench(|| black_box(ir::to_bytes(&rulebook)));
}

#[divan::bench(args = FLOWS)]
fn ir_to_both_artifacts(bencher: Bencher<'_, '_>, flows: usize) {
    let rulebook = rulebook(flows);
    bencher.bench(|| black_box(emit(&rulebook)));
}
