#![no_main]

use stalwart_fuzz::bodies::fmt;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fmt::run(bytes));
