//! Prints what the benchmarks measure: `large-rulebook FLOWS` a rulebook, `large-rulebook call FLOW`
//! a call of one flow's tool.

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = arguments.last().and_then(|text| text.parse().ok());
    match (arguments.first().map(String::as_str), number) {
        (Some("call"), flow) => println!("{}", stalwart_benches::call(flow.unwrap_or(0))),
        (_, flows) => print!("{}", stalwart_benches::large(flows.unwrap_or(200))),
    }
}
