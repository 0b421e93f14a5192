#![no_main]

use stalwart_fuzz::bodies::parse_bytes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| parse_bytes::run(bytes));
