//! Prints a large rulebook: `large-rulebook FLOWS`.

fn main() {
    let flows = std::env::args().nth(1);
    let flows = flows.and_then(|text| text.parse().ok()).unwrap_or(200);
    print!("{}", stalwart_benches::large(flows));
}
