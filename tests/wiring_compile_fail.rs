//! Wrong wiring in Rust does not compile, and the compiler says what is wrong in words of the field.
//!
//! Each file of `tests/compile_fail` makes one mistake; the file beside it is what the compiler says. After a change of
//! a message: `TRYBUILD=overwrite cargo test --test wiring_compile_fail`, then read what changed.

#[test]
fn wrong_wiring_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
