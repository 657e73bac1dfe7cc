#![no_main]
//! See `fuzz/checks/snapshot.rs`.

#[path = "../checks/mod.rs"]
#[allow(dead_code, reason = "one of its checks")]
mod checks;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| checks::snapshot::check(data));
