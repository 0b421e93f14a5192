#![no_main]

use stalwart_fuzz::bodies::check_emit_decide;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_emit_decide::run(bytes));
