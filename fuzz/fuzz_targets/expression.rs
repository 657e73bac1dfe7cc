#![no_main]
//! See `fuzz/checks/expression.rs`.

#[path = "../checks/mod.rs"]
#[allow(dead_code, reason = "one of its checks")]
mod checks;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| checks::expression::check(data));
