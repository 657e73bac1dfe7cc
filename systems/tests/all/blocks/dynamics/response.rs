//! Response of linear blocks to waves.

use kinegraph_core::testing::Bench;
use kinegraph_core::{ErasedSystem, LeafSystem};
use nalgebra::{Complex, DMatrix, DVector};

/// H(i ω) = C (i ω - A)⁻¹ B + D of a linear block with one input and one output, from its own numbers.
pub fn response<B: LeafSystem>(block: &B, omega: f64) -> Complex<f64> {
    let block: &dyn ErasedSystem = block;
    let n = block.ports().continuous_width();
    let at = |x: &DVector<f64>, u: f64| {
        let bench = Bench::new(block).state(x.as_slice()).input_named("input", [u]);
        (DVector::from_vec(bench.derivatives()), bench.eval_named("output")[0])
    };
    let (b, d) = at(&DVector::zeros(n), 1.0);
    let mut resolvent = DMatrix::from_diagonal_element(n, n, Complex::new(0.0, omega));
    let mut c = DVector::zeros(n);
    for i in 0..n {
        let mut unit = DVector::zeros(n);
        unit[i] = 1.0;
        let (column, y) = at(&unit, 0.0);
        (0..n).for_each(|row| resolvent[(row, i)] -= Complex::from(column[row]));
        c[i] = y;
    }
    let x = resolvent.lu().solve(&b.map(Complex::from)).expect("a frequency that is no pole");
    c.map(Complex::from).dot(&x) + d
}
