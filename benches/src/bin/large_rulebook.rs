//! Prints the rulebook that the benchmarks measure: `large-rulebook FLOWS [BYTES]`. With BYTES it
//! is filled up with sample utterances, of which rulebooks of many flows have as many.

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|text| text.parse().ok());
    let mut text = stalwart_benches::large(number().unwrap_or(200));
    let bytes = number().unwrap_or(0);
    for turn in 0.. {
        let more = format!(
            "\ndefine user ask about matter {turn}\n  \"Could you please look at matter {turn} for me?\"\n"
        );
        if text.len() + more.len() > bytes {
            break;
        }
        text += &more;
    }
    print!("{text}");
}
