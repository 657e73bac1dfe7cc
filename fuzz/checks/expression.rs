//! Whatever the text, an expression is compiled and evaluated, or refused with what is wrong.

use kinegraph::systems::operators::Expression;
use kinegraph::systems::testing::Bench;

/// Compiles and evaluates the text.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Expression::new(&[("a", 1), ("b", 3)], &[text]) {
        Ok(block) => {
            let bench = Bench::new(&block).input_named("a", [0.5]).input_named("b", [1.0, -2.0, 0.0]);
            assert_eq!(bench.eval(block.output).len(), 1);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
