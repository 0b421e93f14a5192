#![no_main]

use stalwart_fuzz::bodies::json_context;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| json_context::run(bytes));
