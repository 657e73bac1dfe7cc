//! Products and quotients.

use Factor::Divide;
use Factor::Multiply;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::{Factor, Product};

#[test]
fn conforms() {
    conformance::check(&Product::new(2, [Multiply, Divide, Multiply]).unwrap());
}

#[test]
fn multiplies_and_divides() {
    let product = Product::new(2, [Multiply, Divide]).unwrap();
    let bench = Bench::new(&product).input(product.inputs[0], [6.0, 1.0]).input(product.inputs[1], [2.0, -4.0]);
    assert_eq!(bench.eval(product.output), [3.0, -0.25]);
}

#[test]
fn refuses_to_multiply_nothing() {
    assert_eq!(Product::new(2, []).err().unwrap().to_string(), "factors is empty");
}
