#![no_main]

use stalwart_fuzz::bodies::ir_load;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ir_load::run(bytes));
