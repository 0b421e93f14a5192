//! Prints the rulebook that the benchmarks measure: `large-rulebook FLOWS`.

fn main() {
    let flows = std::env::args().nth(1).and_then(|text| text.parse().ok());
    print!("{}", stalwart_benches::large(flows.unwrap_or(200)));
}
